/* Memory of three kinds. */
#ifndef MEASURE_MEMORY_KIND_H
#define MEASURE_MEMORY_KIND_H

#include <stdbool.h>
#include <stddef.h>

/* Where rows are. PINNED (the host's, which a GPU copies from by itself) and DEVICE need the driver of an NVIDIA
 * GPU. */
enum memory_kind { PAGEABLE, PINNED, DEVICE };

const char *memory_kind_name(enum memory_kind kind);
bool memory_kind_exists(enum memory_kind kind);
/* At least one byte; NULL: there is no such memory, or not enough. Pageable memory is zeros. */
void *memory_allocate(enum memory_kind kind, size_t bytes);
void memory_release(enum memory_kind kind, void *memory);
/* Between memory of a kind and the host's. false: the driver failed. */
bool memory_write(enum memory_kind kind, void *to, const void *from, size_t bytes);
bool memory_read(enum memory_kind kind, void *to, const void *from, size_t bytes);

#endif
