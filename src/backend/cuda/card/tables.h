/* Tables of multiples of G in a GPU's memory, which its contexts share: batch/generator_tables.h. */
#ifndef GECC_BACKEND_CUDA_CARD_TABLES_H
#define GECC_BACKEND_CUDA_CARD_TABLES_H

#include "backend/cuda/device/slot.h"

/* Has the program tables that are still to be made? */
bool gecc_cuda_wants_tables(struct device *device, struct program *program);

/* Make the program's tables if it has any and they are not there yet, in a slot that is prepared; the device's context
 * is entered. */
gecc_result gecc_cuda_make_tables(struct device *device, struct program *program, struct slot *slot);

#endif
