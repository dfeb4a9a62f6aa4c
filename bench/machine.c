/* The machine: its name, its clock, one core of it. */
#define _GNU_SOURCE
#include "compare.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

void machine_name(char *text, size_t size) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(text, size, "unknown processor");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        snprintf(text, size, "%.*s", (int)strcspn(colon + 2, "\"\\\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

/* Seconds of 16 * steps dependent additions. The empty statements keep the compiler from merging them. */
static double chain_seconds(unsigned steps) {
    struct timespec start, end;
    uint64_t sum = 0, term = 1;
    clock_gettime(CLOCK_MONOTONIC, &start);
    for (unsigned i = 0; i < steps; i++)
#pragma GCC unroll 16
        for (unsigned j = 0; j < 16; j++) {
            sum += term;
            __asm__ volatile("" : "+r"(sum), "+r"(term));
        }
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

double machine_clock(void) {
    enum { STEPS = 1 << 16, TRIES = 100 };
    double best = chain_seconds(STEPS);
    for (int i = 1; i < TRIES; i++) {
        double seconds = chain_seconds(STEPS);
        best = seconds < best ? seconds : best;
    }
    return 16.0 * STEPS / best;
}

int machine_pin(int core) {
    cpu_set_t set;
    CPU_ZERO(&set);
    core = core < 0 ? sched_getcpu() : core;
    if (core < 0 || core >= CPU_SETSIZE)
        return -1;
    CPU_SET(core, &set);
    return sched_setaffinity(0, sizeof set, &set) == 0 ? core : -1;
}
