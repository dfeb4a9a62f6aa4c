/* Tables that are scanned, for machines without a way of their own: `entries` pairs of residues as rows. */
#ifndef GECC_BATCH_SCAN_H
#define GECC_BATCH_SCAN_H

#include "batch/batch.h"

/* Where limb j < 2 LIMBS of pair `entry` stands. */
LANE_INLINE size_t limbs_scan_at(unsigned entries, unsigned entry, unsigned j) {
    return (void)entries, (size_t)entry * 2 * LIMBS + j;
}

/* Lane l: pair index[l] of the table, zeros where the index is `entries` or more. Every entry is read. */
LANE_INLINE void limbs_scan(struct limbs pair[2], const limb *table, unsigned entries, lane32 index) {
    pair[0] = limbs_zero();
    pair[1] = limbs_zero();
    for (unsigned i = 0; i < entries; i++) {
        const limb *row = table + limbs_scan_at(entries, i, 0);
        mask here = lane32_equal(index, lane32_set(i));
        pair[0] = limbs_select(here, limbs_load_row(row), pair[0]);
        pair[1] = limbs_select(here, limbs_load_row(row + LIMBS), pair[1]);
    }
}

#endif
