/* Memory of three kinds. */
#ifndef MEASURE_PLACE_H
#define MEASURE_PLACE_H

#include <stdbool.h>
#include <stddef.h>

/* Where rows are. PINNED (the host's, which a GPU copies from by itself) and DEVICE need the driver of an NVIDIA
 * GPU. */
enum place { PAGEABLE, PINNED, DEVICE };

const char *place_name(enum place place);
bool place_exists(enum place place);
/* At least one byte; NULL: there is no such memory, or not enough. Pageable memory is zeros. */
void *place_new(enum place place, size_t bytes);
void place_free(enum place place, void *memory);
/* Between memory of a place and the host's. false: the driver failed. */
bool place_write(enum place place, void *to, const void *from, size_t bytes);
bool place_read(enum place place, void *to, const void *from, size_t bytes);

#endif
