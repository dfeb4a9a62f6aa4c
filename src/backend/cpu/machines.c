#include "backend/cpu/machines.h"

#include <stdio.h>
#include <string.h>

/* Fastest first. */
static const struct cpu_machine *const machines[] = {
    &gecc_cpu_portable,
};

enum { MACHINES = sizeof machines / sizeof machines[0] };

const struct cpu_machine *gecc_machine_choose(const char *name, char *reason, size_t size) {
    (void)snprintf(reason, size, "this build has no CPU code %s%s", name == NULL ? "" : "named ",
                   name == NULL ? "" : name);
    for (size_t i = 0; i < MACHINES; i++) {
        if (name != NULL && strcmp(name, machines[i]->name) != 0)
            continue;
        if (machines[i]->supported())
            return machines[i];
        (void)snprintf(reason, size, "this processor cannot run the %s code", machines[i]->name);
    }
    return NULL;
}
