/* A backend: where jobs run. The CPU's is part of the library; others are modules loaded at run time. */
#ifndef GECC_BACKEND_BACKEND_H
#define GECC_BACKEND_BACKEND_H

#include <time.h>

#include "backend/key_plan.h"
#include "scheme/job.h"

/* What a backend gives for a submitted job. */
struct ticket;

struct backend {
    const char *name;
    /* Say whether the backend can run here, on what, and if not why not. Fills every field but `chosen`. */
    void (*probe)(const gecc_config *config, gecc_backend_info *info);
    /* Take threads and memory. *state is passed to the other functions. */
    gecc_result (*open)(void **state, const gecc_config *config);
    /* Run the job before returning. Statuses in host memory are NOT_PROCESSED on entry. Any number of threads may call
     * it at once. report: backend, detail and the times are filled in, and reason where there is more to say than why
     * this backend was chosen; never NULL. */
    gecc_result (*run)(void *state, const struct job *job, gecc_report *report);
    /* Start the job and return; *job is copied, the memory that it points to is not. */
    gecc_result (*submit)(void *state, const struct job *job, struct ticket **ticket);
    gecc_result (*poll)(void *state, struct ticket *ticket);
    /* The same, but waits until the job is done or CLOCK_MONOTONIC shows the time. */
    gecc_result (*await)(void *state, struct ticket *ticket, const struct timespec *until);
    /* job->cancelled has been set: see to it that the job need not wait for others. NULL: there is no need. */
    void (*cancel)(void *state, struct ticket *ticket);
    /* Wait for the job, fill report, free the ticket. */
    gecc_result (*wait)(void *state, struct ticket *ticket, gecc_report *report);
    /* So many rows of a job like this gain nothing by others in the job: each takes hardly longer than in larger jobs,
     * as far as jobs have shown. 0: it cannot say. NULL: it never can. */
    size_t (*enough)(void *state, const struct job *job);
    /* Have made what a job like this needs before its first row, whose columns are not set, for job->count rows. */
    gecc_result (*prepare)(void *state, const struct job *job);
    /* Make tables of keys: job->in[0] has their points, job->status takes what becomes of each, in host memory;
     * set->count, set->status are set, the rest is filled in. NULL: there are none here. */
    gecc_result (*keys_make)(void *state, const struct job *job, const struct key_plan *plan, struct key_set *set,
                             size_t *bytes);
    /* Make tables of more keys in the room that there is, from number `first` on; job as above, *set as keys_make left
     * it. */
    gecc_result (*keys_add)(void *state, const struct job *job, const struct key_set *set, size_t first);
    void (*keys_free)(void *state, const struct key_set *set);
    /* Wait for all jobs, wipe and free. */
    void (*close)(void *state);
    /* Is the address in the backend's own memory, which nobody but it can read? NULL: it has none. */
    int (*on_device)(void *state, const void *address);
    /* Memory of the host from which rows move fastest, page-aligned, and its end. NULL: any memory is as good. */
    gecc_result (*pin)(void *state, void **memory, size_t bytes);
    void (*unpin)(void *state, void *memory);
    /* Say what there is to say of one of the machine's devices, as gecc_devices does, and return how many there are.
     * state may be NULL: nobody has opened one. NULL: it has no devices. */
    size_t (*devices)(const void *state, size_t index, gecc_device_info *info);
};

extern const struct backend gecc_backend_cpu;

/* A backend in use. */
struct instance {
    const struct backend *backend;
    void *state;
    char reason[sizeof((gecc_report *)NULL)->reason]; /* why this one */
};

#endif
