#include "backend/cpu/tables.h"

#include <stdlib.h>

#include "limbs/attributes.h"

enum { TABLES_ALIGNMENT = 64 };

void gecc_tables_open(struct tables *tables) {
    pthread_mutex_init(&tables->building, NULL);
    for (size_t i = 0; i < SLOT_COUNT; i++)
        atomic_init(&tables->slot[i], NULL);
}

void gecc_tables_close(struct tables *tables, bool forked) {
    for (size_t i = 0; i < SLOT_COUNT; i++)
        free(atomic_load(&tables->slot[i]));
    if (!forked)
        pthread_mutex_destroy(&tables->building);
}

/* New tables, NULL: not enough memory. */
static void *build(const struct program_set *set, struct arena *arena) {
    void *built;
    if (posix_memalign(&built, TABLES_ALIGNMENT, set->tables_bytes) != 0)
        return NULL;
    arena->used = 0;
    set->tables_build(built, arena);
    return built;
}

/* What the slot holds, after filling it if it is empty. In a forked child, where the lock cannot be had, two threads may
 * both build: the first one's tables stay. */
static const void *fill(_Atomic(void *) *slot, const struct program_set *set, struct arena *arena) {
    void *present = atomic_load(slot);
    if (present != NULL)
        return present;
    void *built = build(set, arena);
    if (built == NULL || atomic_compare_exchange_strong(slot, &present, built))
        return built;
    free(built);
    return present;
}

gecc_result gecc_tables_find(struct tables *tables, const void **found, size_t slot, const struct program_set *set,
                             struct arena *arena, bool forked) {
    VERIFY(slot < SLOT_COUNT && arena->bytes >= set->arena_bytes);
    *found = NULL;
    if (set->tables_bytes == 0)
        return GECC_OK;
    *found = atomic_load(&tables->slot[slot]);
    if (*found != NULL)
        return GECC_OK;
    if (!forked)
        pthread_mutex_lock(&tables->building);
    *found = fill(&tables->slot[slot], set, arena);
    if (!forked)
        pthread_mutex_unlock(&tables->building);
    return *found == NULL ? GECC_ERROR_MEMORY : GECC_OK;
}
