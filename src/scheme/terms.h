/* A row of terms: the scalars and the points of a sum, each one behind the other. */
#ifndef GECC_SCHEME_TERMS_H
#define GECC_SCHEME_TERMS_H

#include "batch/rows.h"

/* Terms of a sum: `count` scalars of L bytes at `scalars`, and points of `width` bytes at `points`. */
struct terms {
    const uint8_t *scalars, *points;
    size_t count, width;
};

/* The terms of a row, for L = length. Returns whether it has any number of scalars, and as many points of one width
 * that is at most a point's greatest; if not, there are none. Whether points have that width is for who reads them to
 * say. */
LANE_INLINE int terms_at(struct terms *terms, const gecc_rows *scalars, const gecc_rows *encodings, size_t row,
                         size_t length) {
    size_t scalar_bytes, point_bytes;
    terms->scalars = rows_at(scalars, row, &scalar_bytes);
    terms->points = rows_at(encodings, row, &point_bytes);
    terms->count = terms->width = 0;
    if (scalar_bytes == 0)
        return point_bytes == 0;
    const size_t count = scalar_bytes / length, width = count == 0 ? 0 : point_bytes / count;
    if (scalar_bytes % length != 0 || width * count != point_bytes || width > 1 + 2 * length)
        return 0;
    terms->count = count;
    terms->width = width;
    return 1;
}

#endif
