/* Tables of multiples of G: built once for each context and program set, when a job first needs them. */
#ifndef GECC_BACKEND_CPU_TABLES_H
#define GECC_BACKEND_CPU_TABLES_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "backend/cpu/machine.h"

/* A program set's place among the tables: hashes, then curves, then widths of moduli; SLOT_SETS further for the machine
 * of single rows. */
enum {
    SLOT_HASH = 0,
    SLOT_CURVE = SLOT_HASH + 1,
    SLOT_MODULUS = SLOT_CURVE + GECC_SM2,
    SLOT_SETS = SLOT_MODULUS + (JOB_MODULUS_BYTES - 16) / 4 + 1,
    SLOT_COUNT = 2 * SLOT_SETS
};

struct tables {
    pthread_mutex_t building;
    _Atomic(void *) slot[SLOT_COUNT];
};

void gecc_tables_open(struct tables *tables);
/* forked: see gecc_pool_forked. */
void gecc_tables_close(struct tables *tables, bool forked);

/* *found = the tables of the set, NULL if it has none; they live as long as `tables`. arena: scratch of at least
 * set->arena_bytes. GECC_OK or GECC_ERROR_MEMORY. */
gecc_result gecc_tables_find(struct tables *tables, const void **found, size_t slot, const struct program_set *set,
                             struct arena *arena, bool forked);

#endif
