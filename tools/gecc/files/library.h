/* Libraries that the tool runs without, and loads when it meets what they are for. */
#ifndef TOOL_LIBRARY_H
#define TOOL_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

#define LIBCRYPTO "libcrypto.so.3"

/* functions[i], a structure of pointers, = the function names[i] of the library. false: it, or one of them, is
 * missing. Memory of libcrypto is wiped when that frees it. */
bool library_load(void *functions, const char *library, const char *const *names, size_t count);

#endif
