/* Memory of backends: wiping, and arenas that are kept between jobs. */
#ifndef GECC_BACKEND_MEMORY_H
#define GECC_BACKEND_MEMORY_H

#include <pthread.h>
#include <stdbool.h>

#include "batch/arena.h"

/* Zero the bytes, even if nobody reads them again. */
void gecc_wipe(void *bytes, size_t count);

/* Twice what the deepest program takes of the stack: verified signing on P-521 with eight lanes, 65 KB by gcc 12.
 * tests/backend/residue.h measures it for every operation with secrets, on every machine and curve. */
enum { STACK_WIPED = 128 * 1024 };

/* Zero what programs leave outside of their arenas: the registers that a call may change, and STACK_WIPED bytes of the
 * stack below the caller. What is deeper is not reached. */
void gecc_wipe_stack(void);

/* Has the thread as much stack left as a program and gecc_wipe_stack take? True where its bounds are not known: on a
 * stack of the caller's own making. */
bool gecc_stack_suffices(void);

/* Are all the bytes zero? */
bool gecc_is_zero(const void *bytes, size_t count);

/* Arenas that no thread works in. At most as many exist as threads ever worked at once. */
struct arena_cache {
    pthread_mutex_t mutex;
    struct arena_block *first;
    size_t bytes, most; /* of those kept, and the limit of it */
};

/* most: the bytes that arenas which are kept have at most, unless it is one alone; SIZE_MAX: all are kept. */
void gecc_arena_cache_open(struct arena_cache *cache, size_t most);
/* Every arena must have been given back. */
void gecc_arena_cache_close(struct arena_cache *cache);

/* An arena of at least `bytes` bytes; NULL: not enough memory. Its memory is left out of core dumps and reads as zeros
 * in a forked child, so that secrets stay in one process. cache NULL: not kept, for processes whose locks cannot be
 * trusted. */
struct arena *gecc_arena_take(struct arena_cache *cache, size_t bytes);
void gecc_arena_give(struct arena_cache *cache, struct arena *arena);

#endif
