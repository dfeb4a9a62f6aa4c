/* Names of the CPU's machines, slow ones first. */
#ifndef TESTS_SUPPORT_MACHINES_H
#define TESTS_SUPPORT_MACHINES_H

#include <stdlib.h>
#include <string.h>

#include "backend/cpu/machines.h"

/* The k-th that can run here, or the only one, if GECC_TEST_MACHINE names it; NULL: there are fewer. */
static inline const char *machine_at(unsigned k) {
    static const char *const machines[] = {"portable-c", "portable-adx", "portable-aarch64", "avx2", "avx512",
                                           "ifma-256",   "ifma"};
    const char *only = getenv("GECC_TEST_MACHINE");
    char reason[128];
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++)
        if ((only == NULL || strcmp(only, machines[i]) == 0) &&
            gecc_machine_choose(machines[i], reason, sizeof reason) != NULL && k-- == 0)
            return machines[i];
    return NULL;
}

#endif
