/* Memory that is wiped when it is given back, for libraries that keep secrets in it. */
#ifndef TOOL_WIPED_H
#define TOOL_WIPED_H

#include <stddef.h>

/* Like malloc, realloc and free; only wiped_realloc and wiped_free take back memory that is of these. */
void *wiped_malloc(size_t size);
void *wiped_realloc(void *memory, size_t size);
void wiped_free(void *memory);

#endif
