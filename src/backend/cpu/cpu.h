/* The CPU backend on a given machine, which gecc_backend_cpu opens after choosing one. */
#ifndef GECC_BACKEND_CPU_CPU_H
#define GECC_BACKEND_CPU_CPU_H

#include "backend/backend.h"
#include "backend/cpu/machine.h"

/* single: the machine for jobs of one row, NULL: the same as for others. threads 0: one for each processor that this
 * process may use. */
gecc_result gecc_cpu_open(void **state, const struct cpu_machine *machine, const struct cpu_machine *single,
                          const gecc_config *config);

#endif
