/* A context whose backend notes the last job that reaches it, and does with the rows what it is told to. */
#ifndef TESTS_API_RECORDER_H
#define TESTS_API_RECORDER_H

#include <stdlib.h>
#include <string.h>

#include "api/context.h"

struct recorder {
    unsigned runs, submits, prepares, pins, unpins, sets_made, sets_freed; /* so far */
    struct job job;                                                        /* the last one */
    size_t first_added;                                                    /* by the last keys_add */
    gecc_result result;                                                    /* what to give back */
    size_t processed;                                                      /* rows to mark OK, from the first on */
    gecc_result submit_result;
    const void *device; /* an address in memory that only this backend can read */
    void *pinned;       /* what there is to pin; NULL: nothing */
};

struct ticket {
    struct recorder *recorder;
};

static inline gecc_result recorder_process(struct recorder *recorder, const struct job *job) {
    recorder->job = *job;
    for (size_t i = 0; i < recorder->processed && i < job->count; i++)
        ((uint8_t *)job->status.data)[i * job->status.stride] = GECC_ITEM_OK;
    return recorder->result;
}

static inline void recorder_report(gecc_report *report) {
    strcpy(report->backend, "recorder");
    strcpy(report->detail, "a test");
    report->seconds = 2.5;
}

static inline gecc_result recorder_run(void *state, const struct job *job, gecc_report *report) {
    struct recorder *recorder = state;
    recorder->runs++;
    recorder_report(report);
    return recorder_process(recorder, job);
}

static inline gecc_result recorder_submit(void *state, const struct job *job, struct ticket **ticket) {
    struct recorder *recorder = state;
    recorder->submits++;
    recorder->job = *job;
    if (recorder->submit_result != GECC_OK)
        return recorder->submit_result;
    *ticket = malloc(sizeof **ticket);
    (*ticket)->recorder = recorder;
    return GECC_OK;
}

static inline gecc_result recorder_poll(void *state, struct ticket *ticket) {
    return ticket->recorder == state ? GECC_PENDING : GECC_ERROR_DEVICE;
}

static inline gecc_result recorder_await(void *state, struct ticket *ticket, const struct timespec *until) {
    (void)until;
    return recorder_poll(state, ticket);
}

static inline gecc_result recorder_wait(void *state, struct ticket *ticket, gecc_report *report) {
    struct recorder *recorder = state;
    free(ticket);
    recorder_report(report);
    return recorder_process(recorder, &recorder->job);
}

static inline gecc_result recorder_prepare(void *state, const struct job *job) {
    struct recorder *recorder = state;
    recorder->prepares++;
    recorder->job = *job;
    return recorder->result;
}

/* A set whose rows nobody looks at; every key is good. */
static inline gecc_result recorder_keys_make(void *state, const struct job *job, const struct key_plan *plan,
                                             struct key_set *set, size_t *bytes) {
    struct recorder *recorder = state;
    recorder->job = *job;
    if (recorder->result != GECC_OK)
        return recorder->result;
    recorder->sets_made++;
    for (size_t i = 0; i < job->count; i++)
        ((uint8_t *)job->status.data)[i * job->status.stride] = GECC_ITEM_OK;
    set->rows = recorder;
    set->width = plan->window;
    *bytes = plan->memory;
    return GECC_OK;
}

static inline gecc_result recorder_keys_add(void *state, const struct job *job, const struct key_set *set,
                                            size_t first) {
    struct recorder *recorder = state;
    (void)set;
    recorder->job = *job;
    recorder->first_added = first;
    for (size_t i = 0; recorder->result == GECC_OK && i < job->count; i++)
        ((uint8_t *)job->status.data)[i * job->status.stride] = GECC_ITEM_OK;
    return recorder->result;
}

static inline void recorder_keys_free(void *state, const struct key_set *set) {
    struct recorder *recorder = state;
    recorder->sets_freed += set->rows == recorder;
}

static inline int recorder_on_device(void *state, const void *address) {
    return address == ((struct recorder *)state)->device;
}

static inline gecc_result recorder_pin(void *state, void **memory, size_t bytes) {
    struct recorder *recorder = state;
    (void)bytes;
    *memory = recorder->pinned;
    if (recorder->pinned == NULL)
        return GECC_ERROR_MEMORY;
    recorder->pins++;
    return GECC_OK;
}

static inline void recorder_unpin(void *state, void *memory) {
    struct recorder *recorder = state;
    recorder->unpins += memory == recorder->pinned;
}

static const struct backend recorder_backend = {
    .name = "recorder",
    .run = recorder_run,
    .submit = recorder_submit,
    .poll = recorder_poll,
    .await = recorder_await,
    .wait = recorder_wait,
    .prepare = recorder_prepare,
    .keys_make = recorder_keys_make,
    .keys_add = recorder_keys_add,
    .keys_free = recorder_keys_free,
    .on_device = recorder_on_device,
    .pin = recorder_pin,
    .unpin = recorder_unpin,
};

static inline gecc_context recorder_context(struct recorder *recorder) {
    gecc_context context = {.instance = {&recorder_backend, recorder, "a test asked for it"}};
    return context;
}

#endif
