/* A queue on all of a machine's processors, and its GPUs, beside calls of many rows in pinned memory. */
#ifndef BENCH_QUEUE_WHOLE_H
#define BENCH_QUEUE_WHOLE_H

#include <stddef.h>

struct whole {
    const char *backend;
    double seconds;              /* of each measurement */
    size_t rows;                 /* of a large request; large calls have those of all of them, or on a GPU 2^20 */
    const char *threads, *waits; /* of the queue, each list's items with each other's: "1,4"; 0: its default */
};

/* For each operation what large calls make of rows in pinned and in ordinary memory; and for each queue 1,000 requests
 * of so many rows, and of one, that are outstanding, submitted by four threads. Returns the program's exit status. */
int whole_machine(const struct whole *whole);

#endif
