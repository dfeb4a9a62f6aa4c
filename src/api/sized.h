/* Structs whose first field is their size, so that they can grow: a program that was compiled against another version
 * of the headers has a shorter or a longer one. */
#ifndef GECC_API_SIZED_H
#define GECC_API_SIZED_H

#include <stdbool.h>
#include <stddef.h>

/* Take over a caller's struct of `size` bytes, as its first field says. own: ours, of own_bytes, which holds the
 * defaults; fields that it lacks stay. Returns whether we understand it: it has at least `least` bytes, those of
 * the first version, and its bytes beyond ours are zero. */
bool gecc_sized_take(void *own, size_t own_bytes, size_t least, const void *callers, size_t size);

/* Give as much of ours as the caller's struct has room for, whose size stays what it is. */
void gecc_sized_give(void *callers, size_t size, const void *own, size_t own_bytes);

#endif
