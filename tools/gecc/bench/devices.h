/* bench --devices: the same rows on more and more GPUs. */
#ifndef TOOL_BENCH_DEVICES_H
#define TOOL_BENCH_DEVICES_H

#include "bench/cases.h"

/* A context for each number of devices that was asked for. */
struct bench_devices {
    size_t count;
    size_t devices[MAX_BATCHES];
    gecc_context *context[MAX_BATCHES];
};

/* false: one cannot be had, and it was said why; close it all the same. */
bool bench_devices_open(struct bench_devices *all, const struct options *options);
void bench_devices_close(const struct bench_devices *all);

/* Let all GPUs of the context make what the chosen case needs, and learn how fast each is beside the others. */
gecc_result bench_devices_warm(struct bench *bench);

#endif
