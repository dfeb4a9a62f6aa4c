/* The backend "auto": the CPU and a GPU as one. A small job runs on the CPU and a large one on the GPU. Rows that the
 * GPU leaves without a result, because it lacks memory or failed, are finished on the CPU. A job with a column in
 * device memory is the GPU's alone.
 *
 * A GPU takes a third of a second to open, longer than most programs have work for. So it is opened when jobs have lost
 * as much time on the CPU, by a thread while the CPU goes on; for a job that is worth the wait, at once; and where the
 * process uses CUDA already, so that rows may be in the GPU's memory, with the first job. */
#ifndef GECC_BACKEND_AUTO_H
#define GECC_BACKEND_AUTO_H

#include "backend/cost.h"
#include "backend/registry.h"

extern const struct backend gecc_backend_auto;

/* How `auto` comes to its GPU. */
struct gpu_opener {
    /* Open it. Otherwise `reason`, of `size` bytes, says why not. */
    gecc_result (*open)(const struct gpu_opener *opener, struct instance *gpu, char *reason, size_t size);
    /* Make *cost that of this machine. NULL: it is. */
    void (*measure)(struct cost *cost, const struct instance *cpu);
    /* Does the process use such GPUs, whoever opened them? */
    int (*in_use)(void);
    const struct backend *backend; /* that will be opened */
    gecc_config config;
};

/* Seconds that it takes to open a GPU. */
#define AUTO_OPENING_SECONDS 0.4

/* The CPU's backend, which is closed with *state, and a GPU that is opened later. cost: by which they are chosen; until
 * the GPU is open, an estimate. */
gecc_result gecc_auto_open(void **state, const struct gpu_opener *opener, const struct instance *cpu,
                           const struct cost *cost);

/* Open the GPU now, if it is not open, or wait until it is. */
void gecc_auto_open_gpu(void *state);

/* Is it one of the two? */
int gecc_auto_uses(const void *state, const struct backend *backend);

#endif
