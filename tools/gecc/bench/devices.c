#include "bench/devices.h"

#include <gecc/gecc.h>

#include <stdio.h>
#include <string.h>

enum { LIST_BYTES = 256, WARM_RUNS = 6 };

/* The first `devices` of the list that --device has, or of all. */
static bool list_first(char *list, size_t size, const char *asked, size_t devices) {
    size_t length = 0;
    const char *at = asked && strcmp(asked, "all") != 0 ? asked : NULL;
    for (size_t i = 0; i < devices; i++) {
        if (at)
            length += (size_t)snprintf(list + length, size - length, "%s%.*s", i ? "," : "", (int)strcspn(at, ","), at);
        else
            length += (size_t)snprintf(list + length, size - length, "%s%zu", i ? "," : "", i);
        if (length >= size)
            return false;
        if (at && i + 1 < devices) {
            at += strcspn(at, ",");
            if (*at++ == 0)
                return false;
        }
    }
    return true;
}

static gecc_context *open_first(const struct options *options, size_t devices) {
    char list[LIST_BYTES];
    gecc_context *context = NULL;
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cuda";
    config.device = list;
    if (!list_first(list, sizeof list, options->device, devices))
        fprintf(stderr, "gecc bench: --devices %zu: --device has fewer\n", devices);
    else if (gecc_open(&context, &config) != GECC_OK)
        fprintf(stderr, "gecc bench: --devices %zu: %s\n", devices, gecc_error_text());
    return context;
}

bool bench_devices_open(struct bench_devices *all, const struct options *options) {
    *all = (struct bench_devices){.count = 0};
    for (size_t i = 0; i < options->device_count_count; i++) {
        all->devices[i] = options->device_counts[i];
        all->context[i] = open_first(options, all->devices[i]);
        if (!all->context[i])
            return false;
        all->count++;
    }
    return true;
}

void bench_devices_close(const struct bench_devices *all) {
    for (size_t i = 0; i < all->count; i++)
        gecc_close(all->context[i]);
}

gecc_result bench_devices_warm(struct bench *bench) {
    gecc_result result = GECC_OK;
    for (int i = 0; result == GECC_OK && i < WARM_RUNS; i++)
        result = bench_run(bench);
    return result;
}
