/* How wide the windows of keys' tables are. */
#ifndef GECC_BACKEND_KEY_PLAN_H
#define GECC_BACKEND_KEY_PLAN_H

#include <stddef.h>

#include <gecc/context.h>

#include "batch/key_set.h"

/* Where the caller says nothing. */
enum { KEY_MEMORY_DEFAULT = 256 << 20 };

/* What a caller asked for: see gecc_keys_config. */
struct key_plan {
    size_t rows;     /* of each key; 0: unknown */
    size_t memory;   /* bytes at most; 0: the default */
    unsigned window; /* 0: by the two above */
    size_t capacity; /* keys that there is to be room for, if more than are given */
};

/* What tables are made for. */
struct key_size {
    size_t bits;        /* of a scalar */
    size_t count;       /* keys */
    size_t entry_bytes; /* of an entry */
};

/* Windows of a scalar, and bytes of all tables; SIZE_MAX where entries would be too many to be numbered. */
unsigned gecc_key_windows(const struct key_size *size, unsigned width);
size_t gecc_key_bytes(const struct key_size *size, unsigned width);

/* The width that takes the fewest multiplications for so many rows, tables counted, among those that the memory has
 * room for; less than KEY_WINDOW_LEAST: not even that has room. */
unsigned gecc_key_window(const struct key_size *size, const struct key_plan *plan);

/* The fewest rows of a key that are worth a table of their own, on the CPU and on a GPU; and how many of `count` keys
 * there is memory for at once, at least 1. */
size_t gecc_key_rows_least(gecc_curve curve);
size_t gecc_key_rows_least_gpu(gecc_curve curve);
size_t gecc_key_lot(gecc_curve curve, const struct key_plan *plan, size_t count);

#endif
