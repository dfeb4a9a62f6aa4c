/* The smaller and the greater of two sizes. */
#ifndef GECC_BACKEND_LEAST_H
#define GECC_BACKEND_LEAST_H

#include <stddef.h>

static inline size_t least(size_t a, size_t b) { return a < b ? a : b; }
static inline size_t most(size_t a, size_t b) { return a > b ? a : b; }

#endif
