#include "backend/cpu/machines.h"

#include <stdio.h>
#include <string.h>

/* Fastest first. */
static const struct cpu_machine *const machines[] = {
#ifdef GECC_HAVE_IFMA
    &gecc_cpu_ifma,
#endif
#ifdef GECC_HAVE_IFMA256
    &gecc_cpu_ifma256,
#endif
#ifdef GECC_HAVE_AVX512
    &gecc_cpu_avx512,
#endif
#ifdef GECC_HAVE_ADX
    &gecc_cpu_portable_adx,
#endif
#ifdef GECC_HAVE_AARCH64
    &gecc_cpu_portable_aarch64,
#endif
    &gecc_cpu_portable_c,
};

enum { MACHINES = sizeof machines / sizeof machines[0] };

/* Does `name` mean the machine called `full`? It may leave out a variant: "portable" means any "portable-...". */
static int name_means(const char *name, const char *full) {
    size_t length = strlen(name);
    return strncmp(name, full, length) == 0 && (full[length] == '\0' || full[length] == '-');
}

const struct cpu_machine *gecc_machine_choose(const char *name, char *reason, size_t size) {
    (void)snprintf(reason, size, "this build has no CPU code %s%s", name == NULL ? "" : "named ",
                   name == NULL ? "" : name);
    for (size_t i = 0; i < MACHINES; i++) {
        if (name != NULL && !name_means(name, machines[i]->name))
            continue;
        if (machines[i]->supported())
            return machines[i];
        (void)snprintf(reason, size, "this processor cannot run the %s code", machines[i]->name);
    }
    return NULL;
}
