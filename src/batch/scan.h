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

/* Two limbs, which the compiler takes for a vector where the processor has those. */
typedef limb limb_couple __attribute__((vector_size(2 * sizeof(limb)), aligned(sizeof(limb)), may_alias));

enum { SCAN_PARTS_MOST = 4 };

/* Lane l: entry index[l] of the table, zeros where the index is `entries` or more. Every entry is read. */
LANE_INLINE void limbs_scan(struct limbs *result, int parts, const limb *table, unsigned entries, lane32 index) {
    const int limbs = parts * LIMBS, couples = limbs / 2;
    limb_couple sum[SCAN_PARTS_MOST * LIMBS / 2];
    limb last = 0;
    VERIFY(parts <= SCAN_PARTS_MOST);
    LANE_UNROLL for (int k = 0; k < couples; k++) sum[k] = (limb_couple){0, 0};
    LANE_LOOP for (unsigned i = 0; i < entries; i++) {
        const limb *row = table + (size_t)i * (size_t)limbs;
        const mask here = lane32_equal(index, lane32_set(i));
        LANE_UNROLL for (int k = 0; k < couples; k++) sum[k] |= ((const limb_couple *)row)[k] & here;
        if (limbs % 2)
            last |= row[limbs - 1] & here;
    }
    LANE_UNROLL for (int j = 0; j < limbs; j++) result[j / LIMBS].v[j % LIMBS] =
        j / 2 < couples ? sum[j / 2][j % 2] : last;
}

#endif
#endif
