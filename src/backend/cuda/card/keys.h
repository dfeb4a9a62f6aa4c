/* Tables of keys in a GPU's memory: batch/key_tables.h. */
#ifndef GECC_BACKEND_CUDA_CARD_KEYS_H
#define GECC_BACKEND_CUDA_CARD_KEYS_H

#include "backend/cuda/device/slot.h"
#include "backend/key_plan.h"

/* As keys_make of struct backend; the device's context is entered. set->status becomes an address of the device's. */
gecc_result gecc_cuda_make_keys(struct device *device, struct slots *slots, const struct job *job,
                                const struct key_plan *plan, struct key_set *set, size_t *bytes);
/* As keys_add; the device's context is entered. */
gecc_result gecc_cuda_add_keys(struct device *device, struct slots *slots, const struct job *job,
                               const struct key_set *set, size_t first);
/* The device's context is entered. */
void gecc_cuda_free_keys(struct device *device, const struct key_set *set);

#endif
