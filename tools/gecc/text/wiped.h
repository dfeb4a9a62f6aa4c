/* Memory that is wiped when it is given back, for libraries that keep secrets in it. */
#ifndef TOOL_WIPED_H
#define TOOL_WIPED_H

#include <stddef.h>

/* Like malloc and free; only wiped_free takes back what wiped_malloc gave. */
void *wiped_malloc(size_t size);
void wiped_free(void *memory);

#endif
