/* How a job's rows name keys that were prepared. The includer has included a group (batch/README.md). */
#ifndef GECC_SCHEME_KEY_NUMBERS_H
#define GECC_SCHEME_KEY_NUMBERS_H

#include "batch/integers.h"
#include "batch/key_tables.h"
#include "scheme/job.h"

/* The number of a row's key, 4 bytes with the lowest first, into *number, 0 where there is no such key. Returns the
 * row's status: that of its key, if there is one. */
LANE_INLINE uint8_t key_number_row(const struct key_set *keys, const uint8_t *p, size_t width, uint32_t *number) {
    *number = 0;
    if (width != 4)
        return GECC_ITEM_MALFORMED_WIDTH;
    uint32_t k = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    if (k >= keys->count)
        return GECC_ITEM_MALFORMED_KEY_NUMBER;
    *number = k;
    return keys->status[k];
}

/* The statuses of the keys that `rows` rows from `row` on name, OK in lanes without a row; *table_at: where their
 * tables start. */
LANE_INLINE lane32 key_numbers_read(const struct key_set *keys, const gecc_rows *column, size_t row, int rows,
                                    lane32 *table_at) {
    lane32 status = status_ok();
    uint32_t number[LANES] = {0};
    for (int lane = 0; lane < rows; lane++) {
        size_t width;
        const uint8_t *p = rows_at(column, row + (size_t)lane, &width);
        status = lane32_insert(status, lane, key_number_row(keys, p, width, &number[lane]));
    }
    for (int lane = 0; lane < LANES; lane++)
        number[lane] *= key_entries(keys);
    *table_at = lane32_load(number);
    return status;
}

#endif
