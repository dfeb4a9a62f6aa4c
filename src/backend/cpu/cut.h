/* How a job's rows are cut into the pieces that threads take one after the other. */
#ifndef GECC_BACKEND_CPU_CUT_H
#define GECC_BACKEND_CPU_CUT_H

#include <stddef.h>

/* `large` pieces of large_rows rows, then pieces of small_rows; the last one has what is left. */
struct cut {
    size_t count;
    size_t pieces;
    size_t large, large_rows;
    size_t small_rows;
};

struct span {
    size_t first, count;
};

/* What a cut must respect. */
struct cut_limits {
    unsigned threads;
    size_t chunk; /* the most rows of a piece, a multiple of lanes */
    size_t lanes; /* every piece starts at a multiple of it */
    size_t least; /* fewer rows are not worth a thread of their own */
};

/* Pieces as large as they can be while all threads share the rows evenly, because the rows of a piece share their
 * inversions; then, if there are rows enough, small ones, so that a slow thread does not keep the others waiting. */
struct cut gecc_cut(size_t count, const struct cut_limits *limits);

/* The rows of piece `index` < pieces. */
struct span gecc_cut_span(const struct cut *cut, size_t index);

#endif
