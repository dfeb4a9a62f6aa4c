/* The portable machine: hashes. */
#include "limbs/lanes_scalar.h"

#include "backend/cpu/machine.h"
#include "scheme/digest.h"

const struct program_set gecc_portable_hash = {
    .chunk = 64,
    .lanes = LANES,
    .arena_bytes = 64,
    .run = {[OPERATION_DIGEST] = digest},
};
