/* The program set of hashes on a vector machine, LANES messages at a time. Included after the machine's lanes and
 * `#define MACHINE ifma`. */
#ifndef GECC_BACKEND_CPU_HASH_PROGRAMS_H
#define GECC_BACKEND_CPU_HASH_PROGRAMS_H

#include "backend/cpu/program_sets.h"
#include "scheme/digest.h"

const struct program_set SET(hash) = {
    .chunk = 512,
    .lanes = LANES,
    .arena_bytes = 64,
    .run = {[OPERATION_DIGEST] = digest},
};

#endif
