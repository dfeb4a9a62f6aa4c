/* The portable machine: any processor with a compiler that has 128-bit integers. */
#define MACHINE portable
#include "backend/cpu/program_sets.h"

static int portable_supported(void) { return 1; }

const struct cpu_machine gecc_cpu_portable_c = {"portable-c", portable_supported, curve_sets, modulus_sets, hash_set};
