#define _DEFAULT_SOURCE /* explicit_bzero */

#include "text/wiped.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The size is kept in front, so that all of it can be wiped. */
union header {
    size_t size;
    max_align_t align;
};

void *wiped_malloc(size_t size) {
    union header *header = size > SIZE_MAX - sizeof *header ? NULL : malloc(sizeof *header + size);
    if (!header)
        return NULL;
    header->size = size;
    return header + 1;
}

void *wiped_realloc(void *memory, size_t size) {
    void *other = wiped_malloc(size);
    if (other && memory) {
        const union header *header = (union header *)memory - 1;
        memcpy(other, memory, size < header->size ? size : header->size);
        wiped_free(memory);
    }
    return other;
}

void wiped_free(void *memory) {
    if (!memory)
        return;
    union header *header = (union header *)memory - 1;
    explicit_bzero(header + 1, header->size);
    free(header);
}
