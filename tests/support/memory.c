#include "memory.h"

#include <string.h>

struct arena_block {
    struct arena_block *next;
    size_t used, size;
    uint8_t bytes[];
};

enum { ARENA_BLOCK_BYTES = 1 << 16 };

void *arena_new(struct arena *arena, size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (!arena->blocks || arena->blocks->size - arena->blocks->used < size) {
        size_t capacity = size > ARENA_BLOCK_BYTES ? size : ARENA_BLOCK_BYTES;
        struct arena_block *block = memory_new(1, sizeof *block + capacity);
        block->next = arena->blocks;
        block->size = capacity;
        arena->blocks = block;
    }
    void *memory = arena->blocks->bytes + arena->blocks->used;
    arena->blocks->used += size;
    return memory;
}

struct cell arena_copy(struct arena *arena, const void *data, size_t width) {
    uint8_t *bytes = arena_new(arena, width);
    if (width != 0)
        memcpy(bytes, data, width);
    return (struct cell){bytes, (uint32_t)width};
}

void arena_free(struct arena *arena) {
    while (arena->blocks) {
        struct arena_block *next = arena->blocks->next;
        free(arena->blocks);
        arena->blocks = next;
    }
}

static unsigned hex_digit(char c) {
    const char *digits = "0123456789abcdef";
    const char *found = strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
    REQUIRE(c && found);
    return (unsigned)(found - digits);
}

struct cell hex_cell(struct arena *arena, const char *text) {
    text += text[0] == '0' && text[1] == 'x' ? 2 : 0;
    size_t digits = strlen(text), odd = digits % 2;
    uint8_t *bytes = arena_new(arena, (digits + odd) / 2);
    for (size_t i = 0; i < digits; i++) {
        bytes[(i + odd) / 2] = (uint8_t)(bytes[(i + odd) / 2] << 4 | hex_digit(text[i]));
    }
    return (struct cell){bytes, (uint32_t)((digits + odd) / 2)};
}

struct cell hex_number(struct arena *arena, const char *text, size_t width) {
    struct cell number = hex_cell(arena, text);
    while (number.width > width) {
        REQUIRE(number.data[0] == 0);
        number.data++;
        number.width--;
    }
    uint8_t *bytes = arena_new(arena, width);
    memcpy(bytes + width - number.width, number.data, number.width);
    return (struct cell){bytes, (uint32_t)width};
}

void hex_print(FILE *file, const char *label, const void *data, size_t width) {
    fprintf(file, "%s", label);
    for (size_t i = 0; i < width; i++) {
        fprintf(file, "%02x", ((const uint8_t *)data)[i]);
    }
    fprintf(file, "\n");
}
