#define _GNU_SOURCE /* strdup */
#include "api/context.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "api/error.h"
#include "api/key_cache.h"
#include "api/sized.h"

/* More threads than this are a mistake. */
enum { THREADS_MOST = 4096 };

/* Bytes of gecc_config and of gecc_backend_info in API 0.2, with which all later versions begin. */
enum { CONFIG_LEAST = offsetof(gecc_config, device_table_bytes) + sizeof(size_t), INFO_LEAST = sizeof(size_t) };

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

size_t gecc_backends(const gecc_context *context, size_t index, gecc_backend_info *info) {
    if (index >= CANDIDATES || info == NULL || info->size < INFO_LEAST)
        return CANDIDATES;
    gecc_config config = GECC_CONFIG_INIT;
    gecc_backend_info own = GECC_BACKEND_INFO_INIT;
    if (context != NULL) {
        config.threads = context->threads;
        config.device = context->device;
    }
    const struct backend *backend = gecc_candidate_probe(&gecc_candidates[index], &config, &own);
    own.chosen = context != NULL && backend != NULL && gecc_instance_uses(&context->instance, backend);
    gecc_sized_give(info, info->size, &own, sizeof own);
    return CANDIDATES;
}

size_t gecc_devices(const gecc_context *context, size_t index, gecc_device_info *info) {
    gecc_device_info own = GECC_DEVICE_INFO_INIT;
    const struct instance *instance = context == NULL ? NULL : &context->instance;
    size_t count = gecc_backend_devices(instance, gecc_candidates, CANDIDATES, index, &own);
    if (index < count && info != NULL && info->size >= INFO_LEAST)
        gecc_sized_give(info, info->size, &own, sizeof own);
    return count;
}

/* What stands before memory that gecc_memory_allocate gave, as far away as its alignment. */
struct memory_head {
    void *start;
    bool pinned;
};

enum { MEMORY_ALIGNMENT = 64 };

static struct memory_head *memory_head(void *memory) {
    return (struct memory_head *)(void *)((uint8_t *)memory - MEMORY_ALIGNMENT);
}

gecc_result gecc_memory_allocate(gecc_context *context, void **memory, size_t bytes) {
    if (context == NULL || memory == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "%s is NULL", context == NULL ? "context" : "memory");
    const struct instance *instance = &context->instance;
    void *start = NULL;
    bool pinned = false;
    *memory = NULL;
    if (bytes <= PTRDIFF_MAX - MEMORY_ALIGNMENT) {
        bytes = (bytes + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT + MEMORY_ALIGNMENT;
        if (instance->backend->pin != NULL)
            pinned = instance->backend->pin(instance->state, &start, bytes) == GECC_OK;
        if (!pinned)
            start = aligned_alloc(MEMORY_ALIGNMENT, bytes);
    }
    if (start == NULL)
        return gecc_error(GECC_ERROR_MEMORY, "not enough memory for %zu bytes", bytes);
    *memory = (uint8_t *)start + MEMORY_ALIGNMENT;
    *memory_head(*memory) = (struct memory_head){start, pinned};
    return GECC_OK;
}

void gecc_memory_free(gecc_context *context, void *memory) {
    if (context == NULL || memory == NULL)
        return;
    struct memory_head head = *memory_head(memory);
    if (head.pinned)
        context->instance.backend->unpin(context->instance.state, head.start);
    else
        free(head.start);
}
