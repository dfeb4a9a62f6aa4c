/* Keys that repeat within a call, whose rows are in host memory: the GPU computes such rows from tables made for the
 * call. A sample shows which keys get one; which key a row has is looked up chunk by chunk, while the GPU is at work on
 * the chunks before. */
#ifndef GECC_BACKEND_CUDA_CARDS_REPEATS_H
#define GECC_BACKEND_CUDA_CARDS_REPEATS_H

#include "backend/cuda/cards/cards.h"

/* Run the job with tables of its keys where these repeat. Otherwise returns false, as it does where there is no memory
 * for tables. memory: gecc_config.key_table_bytes; report as gecc_cards_run fills it in, and what
 * it says of prepared keys. */
bool gecc_cards_run_repeats(struct cards *cards, const struct job *job, size_t memory, gecc_report *report,
                            gecc_result *result);

/* A job like another on numbers of keys: each row has that of its key, or, where its key has no table, no number of the
 * set. */
struct numbered {
    struct packer packer; /* makes the numbers; pack NULL: they are there */
    struct job keys;      /* makes the tables: in[0] has a point of each key, status what becomes of it */
    struct job rows;      /* its keys are those of the tables, once they are there */
    struct key_plan plan;
    struct columns *columns;
};

/* What comes before any GPU is asked: choose the job's keys that have rows enough to pay for a table, if its operation
 * has one on numbers, if these are most of the job's rows, and if the caller has not forbidden it by `memory`.
 * Otherwise returns false, most often after a look at a sample. */
bool gecc_numbered_make(struct numbered *numbered, const struct job *job, size_t memory);
void gecc_numbered_free(struct numbered *numbered);

#endif
