/* The IFMA machine: hashes, eight messages at a time. */
#include "limbs/ifma/lanes.h"

#include "backend/cpu/machine.h"
#include "scheme/digest.h"

const struct program_set gecc_ifma_hash = {
    .chunk = 512,
    .lanes = LANES,
    .arena_bytes = 64,
    .run = {[OPERATION_DIGEST] = digest},
};
