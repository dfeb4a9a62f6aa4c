/* A context whose backend notes the last job that reaches it, and does with the rows what it is told to. */
#ifndef TESTS_API_RECORDER_H
#define TESTS_API_RECORDER_H

#include <stdlib.h>
#include <string.h>

#include "api/context.h"

struct recorder {
    unsigned runs, submits; /* so far */
    struct job job;         /* the last one */
    gecc_result result;     /* what to give back */
    size_t processed;       /* rows to mark OK, from the first on */
    gecc_result submit_result;
};

struct ticket {
    struct recorder *recorder;
};

static inline gecc_result recorder_process(struct recorder *recorder, const struct job *job) {
    recorder->job = *job;
    for (size_t i = 0; i < recorder->processed && i < job->count; i++)
        job->status[i] = GECC_ITEM_OK;
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

static inline gecc_result recorder_wait(void *state, struct ticket *ticket, gecc_report *report) {
    struct recorder *recorder = state;
    free(ticket);
    recorder_report(report);
    return recorder_process(recorder, &recorder->job);
}

static const struct backend recorder_backend = {
    .name = "recorder",
    .run = recorder_run,
    .submit = recorder_submit,
    .poll = recorder_poll,
    .wait = recorder_wait,
};

static inline gecc_context recorder_context(struct recorder *recorder) {
    gecc_context context = {{&recorder_backend, recorder, "a test asked for it"}, 0};
    return context;
}

#endif
