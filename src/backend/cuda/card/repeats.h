/* Keys that repeat within a call, whose rows are in host memory: the GPU computes such rows from tables made for the
 * call. */
#ifndef GECC_BACKEND_CUDA_CARD_REPEATS_H
#define GECC_BACKEND_CUDA_CARD_REPEATS_H

#include "backend/key_plan.h"
#include "scheme/job.h"

/* A job like another, but with a number of a key in each row. */
struct numbered {
    struct job keys; /* makes the tables: in[0] has a point of each key, status what becomes of it */
    struct job rows; /* in[0] has the numbers; its keys are those of the tables, once they are there */
    struct key_plan plan;
    size_t different; /* keys: a few may have two tables */
    void *memory;
};

/* Number the keys of the job, by several threads, if its operation has one on numbers and if each key has rows enough
 * on average to pay for its table, and the caller has not forbidden it by `memory`, gecc_config.key_table_bytes.
 * Otherwise returns false, most often after a look at a sample. */
bool gecc_numbered_make(struct numbered *numbered, const struct job *job, size_t memory);
void gecc_numbered_free(struct numbered *numbered);

#endif
