/* The portable machine with the carry chains of 64-bit ARM in assembly: any such processor. */
#include "backend/cpu/machine.h"

#ifdef GECC_HAVE_AARCH64

#define MACHINE aarch64
#include "backend/cpu/program_sets.h"

static int aarch64_supported(void) { return 1; }

static const struct program_set *aarch64_hash(void) { return gecc_cpu_portable_c.hash(); }

const struct cpu_machine gecc_cpu_portable_aarch64 = {"portable-aarch64", aarch64_supported, curve_sets, modulus_sets,
                                                      aarch64_hash};

#endif
