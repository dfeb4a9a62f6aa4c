#define _GNU_SOURCE /* program_invocation_short_name */
#include "program.h"

#include <errno.h>
#include <gecc/gecc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void program_require(int good, const char *what) {
    if (good)
        return;
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, gecc_error_text());
    exit(2);
}

void *program_memory(size_t count, size_t size) {
    void *bytes = calloc(count, size);
    program_require(bytes != NULL, "memory");
    return bytes;
}

double program_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

uint64_t program_random(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
}
