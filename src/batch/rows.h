/* Rows of the caller's columns: where row i is and how wide it is. */
#ifndef GECC_BATCH_ROWS_H
#define GECC_BATCH_ROWS_H

#include <gecc/context.h>

#include "limbs/attributes.h"

/* Row i of an input column; *width: its bytes. */
LANE_INLINE const uint8_t *rows_at(const gecc_rows *rows, size_t i, size_t *width) {
    *width = rows->widths ? rows->widths[i] : rows->width;
    return (const uint8_t *)rows->data + (rows->offsets ? (size_t)rows->offsets[i] : i * rows->stride);
}

/* Row i of an output column. */
LANE_INLINE uint8_t *out_at(const gecc_out *out, size_t i) { return (uint8_t *)out->data + i * out->stride; }

#endif
