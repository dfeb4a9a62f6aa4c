#include "text/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_CHUNK_BYTES = 1 << 20 };

static size_t chunk_bytes(const struct arena *arena) {
    return arena->chunk_bytes ? arena->chunk_bytes : DEFAULT_CHUNK_BYTES;
}

struct arena_chunk {
    struct arena_chunk *next;
    size_t size;
    max_align_t bytes[];
};

static bool add_chunk(struct arena *arena, size_t size) {
    if (size < chunk_bytes(arena))
        size = chunk_bytes(arena);
    struct arena_chunk *chunk = size > SIZE_MAX / 2 ? NULL : malloc(sizeof *chunk + size);
    if (!chunk) {
        arena->failed = true;
        return false;
    }
    chunk->next = arena->chunks;
    chunk->size = size;
    arena->chunks = chunk;
    arena->used = 0;
    return true;
}

void *arena_take(struct arena *arena, size_t size) {
    size_t align = _Alignof(max_align_t), padded = size + (align - size % align) % align;
    if (padded < size) {
        arena->failed = true;
        return NULL;
    }
    if ((!arena->chunks || arena->chunks->size - arena->used < padded) && !add_chunk(arena, padded))
        return NULL;
    void *piece = (unsigned char *)arena->chunks->bytes + arena->used;
    arena->used += padded;
    arena->total += padded;
    return piece;
}

void *arena_array(struct arena *arena, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) {
        arena->failed = true;
        return NULL;
    }
    void *array = arena_take(arena, count * size);
    if (array)
        memset(array, 0, count * size);
    return array;
}

static void free_chunks(struct arena_chunk *chunk) {
    while (chunk) {
        struct arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
}

/* The chunk in use is kept if it is no larger than most. */
void arena_reset(struct arena *arena) {
    struct arena_chunk *kept = arena->chunks;
    if (kept && kept->size == chunk_bytes(arena)) {
        free_chunks(kept->next);
        kept->next = NULL;
    } else {
        free_chunks(kept);
        kept = NULL;
    }
    *arena = (struct arena){.chunk_bytes = arena->chunk_bytes, .chunks = kept};
}

void arena_free(struct arena *arena) {
    free_chunks(arena->chunks);
    *arena = (struct arena){.chunk_bytes = arena->chunk_bytes};
}
