/* Tables that are scanned, for machines without a way of their own: `entries` pairs of residues as rows. */
#ifndef GECC_BATCH_SCAN_H
#define GECC_BATCH_SCAN_H

#include "batch/batch.h"

/* A table has a multiple of so many entries. */
enum { SCAN_ENTRIES = 1 };

/* Limb j < 2 LIMBS of pair `entry` of a table. */
LANE_INLINE void limbs_scan_store(limb *table, unsigned entries, unsigned entry, unsigned j, limb value) {
    (void)entries;
    table[(size_t)entry * 2 * LIMBS + j] = value;
}

/* Lane l: pair index[l] of the table, zeros where the index is `entries` or more. Every entry is read. */
LANE_INLINE void limbs_scan(struct limbs pair[2], const limb *table, unsigned entries, lane32 index) {
    pair[0] = limbs_zero();
    pair[1] = limbs_zero();
    for (unsigned i = 0; i < entries; i++) {
        const limb *row = table + (size_t)i * 2 * LIMBS;
        mask here = lane32_equal(index, lane32_set(i));
        pair[0] = limbs_select(here, limbs_load_row(row), pair[0]);
        pair[1] = limbs_select(here, limbs_load_row(row + LIMBS), pair[1]);
    }
}

#endif
