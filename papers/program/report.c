#include "report.h"

#include <stdio.h>
#include <string.h>

bool is_wanted(const struct options *options, const char *name) {
    size_t length = strlen(name);
    for (const char *at = options->names; at != NULL && *at != 0;) {
        size_t here = strcspn(at, ",");
        if (here == length && strncmp(at, name, length) == 0)
            return true;
        at += here + (at[here] == ',');
    }
    return options->names == NULL;
}

int report_rate(const char *what, const char *name, const struct gpu_kernel *kernel, double items,
                const struct gpu_time *time, bool right, const char *extra) {
    char own[64] = "";
    if (kernel)
        (void)snprintf(own, sizeof own, ",\"mhz\":%.1f,\"registers\":%d", time->mhz, kernel->registers);
    printf("{\"measure\":\"%s\",\"name\":\"%s\",\"rate\":%.6g,\"low\":%.6g,\"high\":%.6g,\"seconds\":%.6g,"
           "\"runs\":%u%s,\"right\":%s%s}\n",
           what, name, items / time->seconds, items / time->high, items / time->low, time->seconds, time->runs, own,
           right ? "true" : "false", extra);
    fflush(stdout);
    return right ? EXIT_GOOD : EXIT_WRONG;
}

int measure_device(const struct gpu *gpu, const struct options *options) {
    (void)options;
    printf("{\"measure\":\"device\",\"name\":\"%s\",\"multiprocessors\":%u,\"nominal_mhz\":%u,\"capability\":%u,"
           "\"l2_bytes\":%zu,\"persisting_bytes\":%zu}\n",
           gpu->name, gpu->multiprocessors, gpu->nominal_mhz, gpu->capability, gpu->l2_bytes, gpu->persisting_bytes);
    fflush(stdout);
    return EXIT_GOOD;
}
