/* Numbers as JSON writes them, exactly. */
#ifndef TOOL_DECIMAL_H
#define TOOL_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number from 0 up, times 10^decimals, which has to be an integer below 2^64: 0.5, 1e-8, 8.859e-05. */
bool decimal_read(uint64_t *value, const char *text, size_t size, long decimals);

#endif
