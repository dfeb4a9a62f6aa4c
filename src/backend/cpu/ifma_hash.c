/* The IFMA machine: hashes, eight messages at a time. */
#include "limbs/ifma/lanes.h"

#define MACHINE ifma
#include "backend/cpu/hash_programs.h"
