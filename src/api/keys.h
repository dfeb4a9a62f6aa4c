/* What a set of prepared keys holds. */
#ifndef GECC_API_KEYS_H
#define GECC_API_KEYS_H

#include <gecc/keys.h>

#include "batch/key_set.h"

struct gecc_keys {
    gecc_context *context;
    gecc_curve curve;
    size_t bytes; /* of the tables */
    struct key_set set;
    uint8_t status[]; /* a gecc_item for each key */
};

#endif
