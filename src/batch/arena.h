/* A thread's memory for one chunk of rows: a bump allocator over `bytes` bytes at `base`, which is 64-byte aligned. */
#ifndef GECC_BATCH_ARENA_H
#define GECC_BATCH_ARENA_H

#include <stddef.h>
#include <stdint.h>

#include "limbs/attributes.h"

struct arena {
    uint8_t *base;
    size_t bytes;
    size_t used; /* at most bytes */
};

/* Memory for `bytes` bytes, 64-byte aligned. The arena is large enough: code that takes from it says in a constant how
 * much (CHUNK_BYTES, ENTRIES_BYTES). */
LANE_INLINE void *arena_take(struct arena *arena, size_t bytes) {
    size_t at = arena->used;
    arena->used += (bytes + 63) & ~(size_t)63;
    VERIFY(arena->used <= arena->bytes);
    return arena->base + at;
}

#endif
