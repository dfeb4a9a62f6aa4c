#include "api/context.h"

#include <stdlib.h>

/* More threads than this are a mistake. */
enum { THREADS_MOST = 4096 };

/* The configuration asked for; NULL: of a version this library does not know, or out of range. */
static const gecc_config *config_or_default(const gecc_config *config) {
    static const gecc_config init = GECC_CONFIG_INIT;
    if (config == NULL)
        return &init;
    return config->size == sizeof *config && config->threads <= THREADS_MOST ? config : NULL;
}

gecc_result gecc_open(gecc_context **opened, const gecc_config *config) {
    if (opened == NULL)
        return GECC_ERROR_ARGUMENT;
    *opened = NULL;
    config = config_or_default(config);
    if (config == NULL)
        return GECC_ERROR_ARGUMENT;
    gecc_context *context = malloc(sizeof *context);
    if (context == NULL)
        return GECC_ERROR_MEMORY;
    context->threads = config->threads;
    gecc_result result = gecc_backend_open(&context->opened, gecc_candidates, CANDIDATES, config);
    if (result == GECC_OK)
        *opened = context;
    else
        free(context);
    return result;
}

void gecc_close(gecc_context *context) {
    if (context == NULL)
        return;
    context->opened.backend->close(context->opened.state);
    free(context);
}

size_t gecc_backends(const gecc_context *context, size_t index, gecc_backend_info *info) {
    if (index >= CANDIDATES || info == NULL)
        return CANDIDATES;
    gecc_config config = GECC_CONFIG_INIT;
    if (context != NULL)
        config.threads = context->threads;
    const struct backend *backend = gecc_candidate_probe(&gecc_candidates[index], &config, info);
    info->chosen = context != NULL && backend != NULL && gecc_opened_uses(&context->opened, backend);
    return CANDIDATES;
}

gecc_result gecc_wait(gecc_job *job) {
    if (job == NULL)
        return GECC_ERROR_ARGUMENT;
    const struct opened *opened = &job->call.context->opened;
    gecc_report report = {.seconds = 0};
    gecc_result result = opened->backend->wait(opened->state, job->ticket, &report);
    gecc_call_finish(&job->call, result, &report);
    free(job);
    return result;
}

gecc_result gecc_poll(const gecc_job *job) {
    if (job == NULL)
        return GECC_ERROR_ARGUMENT;
    const struct opened *opened = &job->call.context->opened;
    return opened->backend->poll(opened->state, job->ticket);
}
