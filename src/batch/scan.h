/* Tables of entries of several integers that are scanned, for machines without a way of their own: entries as rows. */
#ifndef GECC_BATCH_SCAN_H
#define GECC_BATCH_SCAN_H

#include "batch/batch.h"

#ifndef LIMBS_OWN_SCAN

/* A table has a multiple of so many entries, and an entry a multiple of so many integers. */
enum { SCAN_ENTRIES = 1, SCAN_PARTS = 1 };

/* Limb j < parts LIMBS of entry `entry` of a table. */
LANE_INLINE void limbs_scan_store(limb *table, int parts, unsigned entries, unsigned entry, unsigned j, limb value) {
    (void)entries;
    table[(size_t)entry * (size_t)parts * LIMBS + j] = value;
}

/* Lane l: entry index[l] of the table, zeros where the index is `entries` or more. Every entry is read. */
LANE_INLINE void limbs_scan(struct limbs *result, int parts, const limb *table, unsigned entries, lane32 index) {
    for (int part = 0; part < parts; part++)
        result[part] = limbs_zero();
    for (unsigned i = 0; i < entries; i++) {
        const limb *row = table + (size_t)i * (size_t)parts * LIMBS;
        mask here = lane32_equal(index, lane32_set(i));
        for (int part = 0; part < parts; part++)
            result[part] = limbs_select(here, limbs_load_row(row + part * LIMBS), result[part]);
    }
}

#endif
#endif
