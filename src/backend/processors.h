/* How many processors there are to use. Inlined, because modules need it too; _GNU_SOURCE is defined where it is
 * included. */
#ifndef GECC_BACKEND_PROCESSORS_H
#define GECC_BACKEND_PROCESSORS_H

#include <sched.h>
#include <unistd.h>

/* Processors that this process may use. */
static inline unsigned processors_allowed(void) {
    cpu_set_t set;
    int allowed = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    return allowed > 0 ? (unsigned)allowed : 1;
}

#endif
