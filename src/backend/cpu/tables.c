#define _GNU_SOURCE
#include "backend/cpu/tables.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "limbs/attributes.h"
#include "scheme/operation.h"

enum { TABLES_ALIGNMENT = 64 };

/* What contexts share. The mutex is held while one opens or closes, and by a thread that forks, so that the child finds
 * it free. */
static struct {
    pthread_mutex_t mutex;
    pthread_once_t once;
    unsigned contexts;
    _Atomic(struct shared_tables *) first; /* of the programs that hold a table */
} shared = {.mutex = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

static void lock(void) { pthread_mutex_lock(&shared.mutex); }
static void unlock(void) { pthread_mutex_unlock(&shared.mutex); }
static void survive_fork(void) { (void)pthread_atfork(lock, unlock, unlock); }

void gecc_tables_acquire(void) {
    pthread_once(&shared.once, survive_fork);
    lock();
    shared.contexts++;
    unlock();
}

static void free_all(void) {
    struct shared_tables *tables = atomic_exchange(&shared.first, NULL);
    while (tables != NULL) {
        struct shared_tables *next = tables->next;
        for (size_t i = 0; i < BASE_TABLES; i++)
            free(atomic_exchange(&tables->table[i], NULL));
        atomic_store(&tables->rows, 0);
        atomic_store(&tables->maker, 0);
        atomic_store(&tables->listed, false);
        tables = next;
    }
}

void gecc_tables_release(void) {
    lock();
    if (--shared.contexts == 0)
        free_all();
    unlock();
}

static void list(struct shared_tables *tables) {
    if (atomic_exchange(&tables->listed, true))
        return;
    tables->next = atomic_load(&shared.first);
    while (!atomic_compare_exchange_weak(&shared.first, &tables->next, tables))
        ;
}

/* The table `which`, made if it is not there. Where two threads make it at once the first one's stays. NULL: not enough
 * memory. */
static const void *present_or_made(const struct program_set *set, enum base_table which, struct arena *arena) {
    _Atomic(void *) *slot = &set->shared->table[which];
    void *present = atomic_load(slot), *made;
    if (present != NULL)
        return present;
    if (posix_memalign(&made, TABLES_ALIGNMENT, set->table_bytes[which]) != 0)
        return NULL;
    arena->used = 0;
    set->table_make(which, made, atomic_load(&set->shared->table[BASE_PUBLIC_FEW]), arena);
    list(set->shared);
    if (atomic_compare_exchange_strong(slot, &present, made))
        return made;
    free(made);
    return present;
}

void gecc_tables_count(const struct program_set *set, unsigned uses, size_t count) {
    if (set->shared != NULL && (uses & BASE_USES_PUBLIC) != 0)
        atomic_fetch_add(&set->shared->rows, count < TABLES_LARGE_ROWS ? count : TABLES_LARGE_ROWS);
}

/* Is the large table to be made, by this thread? At most one of a process makes it. */
static bool is_my_turn(struct shared_tables *tables) {
    if (atomic_load(&tables->rows) < TABLES_LARGE_ROWS)
        return false;
    pid_t maker = atomic_load(&tables->maker), me = getpid();
    return maker != me && atomic_compare_exchange_strong(&tables->maker, &maker, me);
}

/* The large public table if it is there or this thread makes it, else NULL. Without memory for it, it is tried again
 * after as many rows. */
static const void *large_table(const struct program_set *set, struct arena *arena) {
    struct shared_tables *tables = set->shared;
    const void *table = atomic_load(&tables->table[BASE_PUBLIC_MANY]);
    if (table != NULL || !is_my_turn(tables))
        return table;
    table = present_or_made(set, BASE_PUBLIC_MANY, arena);
    if (table == NULL) {
        atomic_store(&tables->rows, 0);
        atomic_store(&tables->maker, 0);
    }
    return table;
}

/* The one that the uses ask for, and in *which what it is. NULL: not enough memory. */
static const void *public_table(const struct program_set *set, unsigned uses, struct arena *arena,
                                enum base_table *which) {
    const void *table = NULL;
    *which = BASE_KEYS;
    if ((uses & BASE_USES_PUBLIC) != 0) {
        *which = BASE_PUBLIC_MANY;
        table = large_table(set, arena);
        if (table == NULL)
            *which = BASE_PUBLIC_FEW;
    }
    return table != NULL ? table : present_or_made(set, *which, arena);
}

gecc_result gecc_tables_find(struct base_tables *found, const struct program_set *set, unsigned uses,
                             struct arena *arena) {
    VERIFY(arena->bytes >= set->arena_bytes);
    *found = (struct base_tables){.secret = NULL};
    if (set->shared == NULL)
        return GECC_OK;
    if ((uses & (BASE_USES_PUBLIC | BASE_USES_KEYS)) != 0) {
        enum base_table which;
        found->public_rows = public_table(set, uses, arena, &which);
        if (found->public_rows == NULL)
            return GECC_ERROR_MEMORY;
        found->public_width = set->public_width[which];
        found->public_windows = set->public_windows[which];
    }
    if ((uses & BASE_USES_SECRET) != 0) { /* last: the other may have its entries */
        found->secret = present_or_made(set, BASE_SECRET, arena);
        if (found->secret == NULL)
            return GECC_ERROR_MEMORY;
    }
    return GECC_OK;
}
