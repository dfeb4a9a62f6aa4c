/* The machine: its name, its clock, one core of it. */
#define _GNU_SOURCE
#include "compare.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
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

struct spinner {
    pthread_t thread;
    const atomic_bool *stop;
    size_t chains;
};

static void *spin(void *argument) {
    struct spinner *spinner = argument;
    for (; !atomic_load(spinner->stop); spinner->chains++)
        chain_seconds(1 << 10);
    return NULL;
}

/* Chains that the threads computed in a moment, together; 0 if one could not be started. */
static size_t spin_together(struct spinner *spinners, unsigned threads) {
    const struct timespec moment = {0, 200 * 1000 * 1000};
    atomic_bool stop = false;
    size_t chains = 0;
    unsigned started = 0;
    for (; started < threads; started++) {
        spinners[started] = (struct spinner){.stop = &stop};
        if (pthread_create(&spinners[started].thread, NULL, spin, &spinners[started]) != 0)
            break;
    }
    nanosleep(&moment, NULL);
    atomic_store(&stop, true);
    for (unsigned i = 0; i < started; i++) {
        pthread_join(spinners[i].thread, NULL);
        chains += spinners[i].chains;
    }
    return started == threads ? chains : 0;
}

double machine_parallelism(unsigned threads) {
    enum { ROUNDS = 5 };
    struct spinner *spinners = malloc(threads * sizeof *spinners);
    size_t one = 0, all = 0;
    for (int i = 0; spinners && i < ROUNDS; i++) {
        one += spin_together(spinners, 1);
        all += spin_together(spinners, threads);
    }
    free(spinners);
    return one == 0 ? 0 : (double)all / (double)one;
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
