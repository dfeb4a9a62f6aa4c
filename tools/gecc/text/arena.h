/* Memory that is taken in pieces and given back all at once. Pieces do not move. */
#ifndef TOOL_ARENA_H
#define TOOL_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct arena_chunk;

struct arena {
    size_t chunk_bytes; /* of a chunk, or more; 0: 1 MiB. With 1 each piece is a block of its own, for sanitizers */
    struct arena_chunk *chunks; /* the first is the one in use */
    size_t used;                /* of the first chunk */
    size_t total;               /* taken since the last reset */
    bool failed;                /* there was not enough memory at least once since then */
};

/* `size` bytes, aligned for everything, not cleared. NULL: not enough memory. */
void *arena_take(struct arena *arena, size_t size);
/* An array of zeros. NULL: not enough memory. */
void *arena_array(struct arena *arena, size_t count, size_t size);
/* Everything is free again. */
void arena_reset(struct arena *arena);
void arena_free(struct arena *arena);

#endif
