/* The CPU machines of this build, and which one to use. */
#ifndef GECC_BACKEND_CPU_MACHINES_H
#define GECC_BACKEND_CPU_MACHINES_H

#include "backend/cpu/machine.h"

/* The machine called `name`, or for NULL the fastest, that this processor can run. NULL: there is none; then `reason`,
 * of `size` bytes, says why. */
const struct cpu_machine *gecc_machine_choose(const char *name, char *reason, size_t size);

#endif
