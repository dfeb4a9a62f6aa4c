/* What there is to say of the GPUs of a machine. */
#ifndef GECC_BACKEND_CUDA_CARDS_INFO_H
#define GECC_BACKEND_CUDA_CARDS_INFO_H

#include "backend/cuda/cards/cards.h"

/* What gecc_devices says of the driver's device of number `index`; how many there are. cards NULL: nobody has chosen any. */
size_t gecc_cards_describe(const struct cards *cards, const struct driver *driver, size_t index,
                           gecc_device_info *info);

#endif
