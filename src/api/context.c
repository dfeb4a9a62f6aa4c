#include "api/context.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "api/error.h"
#include "api/sized.h"

/* Bytes with which every version of gecc_backend_info and gecc_device_info begins. */
enum { INFO_LEAST = sizeof(size_t) };

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
