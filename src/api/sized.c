#include "api/sized.h"

#include <stdint.h>
#include <string.h>

/* No version of a struct has more; a size that nobody set may be any number. */
enum { SIZED_MOST = 4096 };

bool gecc_sized_take(void *own, size_t own_bytes, size_t least, const void *callers, size_t size) {
    const uint8_t *bytes = callers;
    if (size < least || size > SIZED_MOST)
        return false;
    for (size_t i = own_bytes; i < size; i++)
        if (bytes[i] != 0)
            return false;
    memcpy(own, callers, size < own_bytes ? size : own_bytes);
    return true;
}

void gecc_sized_give(void *callers, size_t size, const void *own, size_t own_bytes) {
    size_t given = size < own_bytes ? size : own_bytes;
    if (given > sizeof(size_t))
        memcpy((uint8_t *)callers + sizeof(size_t), (const uint8_t *)own + sizeof(size_t), given - sizeof(size_t));
}
