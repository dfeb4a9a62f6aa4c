/* Sets of prepared keys of "auto". Their tables are on the CPU; where rows of a set are to run on the GPU, it gets
 * tables of the same keys, once. Any number of threads may call these functions at once. */
#ifndef GECC_BACKEND_KEY_COPIES_H
#define GECC_BACKEND_KEY_COPIES_H

#include <pthread.h>
#include <stdbool.h>

#include "backend/backend.h"

struct auto_set;

struct key_copies_list {
    pthread_mutex_t lock; /* of the list */
    struct auto_set *sets;
};

/* Tables on the CPU, as struct backend says. The keys are kept for the GPU. */
gecc_result gecc_key_copies_make(struct key_copies_list *keys, const struct instance *cpu, const struct job *job,
                                 const struct key_plan *plan, struct key_set *set, size_t *bytes);

/* More keys, on the CPU and, where the GPU has tables of the set by the time that the CPU has them, there; gpu is not
 * looked at before. */
gecc_result gecc_key_copies_add(struct key_copies_list *keys, const struct instance *cpu, const struct instance *gpu,
                                const struct job *job, const struct key_set *part, size_t first);

void gecc_key_copies_free(struct key_copies_list *keys, const struct instance *cpu, const struct instance *gpu,
                          const struct key_set *part);

/* May the GPU have tables of the set? Not where it failed to make them. */
bool gecc_key_copies_may_copy(struct key_copies_list *keys, const struct key_set *part);

/* *own = the set, or as many of its keys as it has here, on the GPU, whose tables are made if there are none yet; why
 * they cannot be had, else. */
gecc_result gecc_key_copies_on_gpu(struct key_copies_list *keys, const struct instance *gpu, const struct key_set *part,
                                   struct key_set *own);

#endif
