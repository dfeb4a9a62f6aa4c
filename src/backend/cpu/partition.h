/* How a job's rows are divided into the pieces that threads take one after the other. */
#ifndef GECC_BACKEND_CPU_PARTITION_H
#define GECC_BACKEND_CPU_PARTITION_H

#include <stddef.h>

/* `large` pieces of large_rows rows, then pieces of small_rows; the last one has what is left. */
struct partition {
    size_t count;
    size_t pieces;
    size_t large, large_rows;
    size_t small_rows;
};

struct row_range {
    size_t first, count;
};

/* What a partition must respect. */
struct partition_limits {
    unsigned threads;
    size_t chunk; /* the most rows of a piece, a multiple of lanes */
    size_t lanes; /* every piece starts at a multiple of it */
    size_t least; /* fewer rows are not worth a thread of their own */
};

/* Pieces as large as they can be while all threads share the rows evenly, because the rows of a piece share their
 * inversions; then, if there are rows enough, small ones, so that a slow thread does not keep the others waiting. */
struct partition gecc_partition(size_t count, const struct partition_limits *limits);

/* The rows of piece `index` < pieces. */
struct row_range gecc_partition_range(const struct partition *partition, size_t index);

#endif
