/* The backend "auto": the CPU and a GPU as one. A job runs where jobs of its kind and size take less time, by the times
 * of earlier ones (backend/rates.h); of a large job that neither has seen the like of, slices are tried on both. Rows
 * that the GPU leaves without a result, because it lacks memory or failed, are finished on the CPU. A job with a column
 * in device memory is the GPU's alone.
 *
 * A GPU takes a third of a second to open, longer than most programs have work for. So it is opened when jobs have lost
 * as much time on the CPU, by a thread while the CPU goes on; for a job that is worth the wait, at once; and where the
 * process uses CUDA already, so that rows may be in the GPU's memory, with the first job. Never to learn how fast it
 * is. */
#ifndef GECC_BACKEND_AUTO_H
#define GECC_BACKEND_AUTO_H

#include "backend/backend.h"
#include "backend/rates.h"

extern const struct backend gecc_backend_auto;

/* How `auto` comes to its GPU. */
struct gpu_opener {
    /* Open it. Otherwise `reason`, of `size` bytes, says why not. */
    gecc_result (*open)(const struct gpu_opener *opener, struct instance *gpu, char *reason, size_t size);
    /* Does the process use such GPUs, by this library or another? */
    int (*in_use)(void);
    const struct backend *backend; /* that will be opened */
    gecc_config config;
};

/* Seconds that it takes to open a GPU. */
#define AUTO_OPENING_SECONDS 0.4

/* The CPU's backend, which is closed with *state, and a GPU that is opened later; and a guess of each. */
gecc_result gecc_auto_open(void **state, const struct gpu_opener *opener, const struct instance *cpu,
                           const struct rates_guess guess[2]);

/* Open the GPU now, if it is not open, or wait until it is. */
void gecc_auto_open_gpu(void *state);

/* Is it one of the two? */
int gecc_auto_uses(const void *state, const struct backend *backend);

#endif
