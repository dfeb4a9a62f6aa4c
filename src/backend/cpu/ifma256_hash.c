/* The IFMA machine of four lanes: hashes, four messages at a time. */
#include "limbs/ifma256/lanes.h"

#define MACHINE ifma256
#include "backend/cpu/hash_programs.h"
