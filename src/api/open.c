/* A context and its parts: the backend, and the cache of keys above it. */
#define _GNU_SOURCE /* strdup */
#include <stdlib.h>
#include <string.h>

#include "api/context.h"
#include "api/error.h"
#include "api/key_cache.h"
#include "api/sized.h"

/* More threads than this are a mistake. */
enum { THREADS_MOST = 4096 };

/* Bytes of gecc_config in API 0.2, with which all later versions begin. */
enum { CONFIG_LEAST = offsetof(gecc_config, device_table_bytes) + sizeof(size_t) };

/* *own = the configuration asked for, NULL: the default one. */
static gecc_result config_take(gecc_config *own, const gecc_config *config) {
    *own = (gecc_config)GECC_CONFIG_INIT;
    if (config != NULL && !gecc_sized_take(own, sizeof *own, CONFIG_LEAST, config, config->size))
        return gecc_error(GECC_ERROR_ARGUMENT, "config: size is %zu, which this version (%s) does not know",
                          config->size, gecc_version());
    own->size = sizeof *own;
    if (own->threads > THREADS_MOST)
        return gecc_error(GECC_ERROR_ARGUMENT, "config: %u threads, where %d are the most", own->threads, THREADS_MOST);
    return GECC_OK;
}

static gecc_result no_memory(void) { return gecc_error(GECC_ERROR_MEMORY, "not enough memory for a context"); }

/* The context's parts, in the order in which gecc_close gives them up. */
static gecc_result open_parts(gecc_context *context, const gecc_config *config) {
    char failure[128] = "";
    context->device = config->device == NULL ? NULL : strdup(config->device);
    if (config->device != NULL && context->device == NULL)
        return no_memory();
    gecc_result result =
        gecc_backend_open(&context->instance, gecc_candidates, CANDIDATES, config, failure, sizeof failure);
    if (result != GECC_OK) {
        context->instance.backend = NULL;
        return gecc_error(result, "%s: %s", config->backend == NULL ? "auto" : config->backend, failure);
    }
    if (config->key_cache_bytes != 0)
        context->key_cache = gecc_key_cache_new(context, config->key_cache_bytes);
    return config->key_cache_bytes != 0 && context->key_cache == NULL ? no_memory() : GECC_OK;
}

gecc_result gecc_open(gecc_context **opened, const gecc_config *config) {
    gecc_config own;
    if (opened == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "context is NULL");
    *opened = NULL;
    gecc_result result = config_take(&own, config);
    if (result != GECC_OK)
        return result;
    gecc_context *context = calloc(1, sizeof *context);
    if (context == NULL)
        return no_memory();
    context->threads = own.threads;
    result = open_parts(context, &own);
    if (result == GECC_OK)
        *opened = context;
    else
        gecc_close(context);
    return result;
}

void gecc_close(gecc_context *context) {
    if (context == NULL)
        return;
    gecc_key_cache_free(context->key_cache);
    if (context->instance.backend != NULL)
        context->instance.backend->close(context->instance.state);
    free(context->device);
    free(context);
}
