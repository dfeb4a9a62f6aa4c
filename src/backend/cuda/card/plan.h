/* How a job is divided into chunks for a device. Pure functions. */
#ifndef GECC_BACKEND_CUDA_CARD_PLAN_H
#define GECC_BACKEND_CUDA_CARD_PLAN_H

#include "backend/cuda/kernels/launch.h"

enum { PLAN_SLOTS = 3 }; /* chunks that are under way at once: one is computed while others are copied to and fro */

struct plan_input {
    size_t count;    /* rows of the job, at least 1 */
    size_t resident; /* threads that the device runs at once, at least 1 */
    size_t staged;   /* device bytes a row besides the workspace; 0 if all columns are in device memory */
    size_t memory;   /* device bytes that may be used */
    size_t staging;  /* bytes of rows of a chunk, and of its results, at most */
    unsigned slots;  /* that there are, at least 1 */
};

struct plan {
    size_t rows;    /* of a chunk, at most */
    unsigned slots; /* to use */
};

/* Chunks that fill the device with rows_a_thread rows on each thread, or smaller if that many rows or that much memory
 * is not there, or if copies of rows can then overlap with computing; all of about one size, so that the last one does
 * not leave the device idle. At least a block's rows, whatever the memory. */
struct plan gecc_plan(const struct plan_input *input, const struct launch_info *info);

/* A smaller chunk after memory ran out; 0: it is as small as it may be. */
size_t gecc_plan_halve(size_t rows, const struct launch_info *info);

/* Bytes of workspace for `count` rows. */
size_t gecc_plan_workspace(size_t count, const struct launch_info *info);

#endif
