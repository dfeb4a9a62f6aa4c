#include "backend/key_copies.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "backend/key_column.h"
#include "backend/key_plan.h"
#include "curve/sizes.h"

/* What has come of the tables on the GPU. */
enum copy_state { COPY_NONE, COPY_MADE, COPY_FAILED };

struct auto_set {
    struct auto_set *next;
    struct key_set cpu, gpu; /* gpu: once there was a copy, which may have failed since */
    size_t cpu_bytes, gpu_bytes;
    size_t room; /* tables */
    struct key_plan plan;

    pthread_mutex_t changing; /* held by a thread that makes a copy or adds keys */
    atomic_int state;         /* enum copy_state */
    gecc_result failure;      /* COPY_FAILED: why; under `changing` */
    struct job job;           /* of all keys until now: their points are the next two */
    size_t stride;
    uint8_t *points;
    uint32_t *widths;
};

static void set_free(struct auto_set *set) {
    if (set == NULL)
        return;
    free(set->points);
    free(set->widths);
    free(set);
}

/* Keep keys, from number `first` on. */
static void keep_points(struct auto_set *set, const gecc_rows *points, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const struct key_encoding e = key_at(points, i);
        set->widths[first + i] = (uint32_t)(e.width < UINT32_MAX ? e.width : UINT32_MAX);
        memcpy(set->points + (first + i) * set->stride, e.data, e.width < set->stride ? e.width : set->stride);
    }
    set->job.count = first + count;
}

/* NULL: there is no memory. */
static struct auto_set *set_new(const struct job *job, const struct key_plan *plan) {
    struct auto_set *set = calloc(1, sizeof *set);
    if (set == NULL)
        return NULL;
    set->plan = *plan;
    set->room = plan->capacity > job->count ? plan->capacity : job->count;
    set->stride = 1 + 2 * curve_bytes(job->curve); /* of the widest encoding */
    set->points = calloc(set->room + 1, set->stride);
    set->widths = calloc(set->room + 1, sizeof *set->widths);
    if (set->points == NULL || set->widths == NULL) {
        set_free(set);
        return NULL;
    }
    set->job = (struct job){.operation = job->operation, .curve = job->curve};
    set->job.in[0] = (gecc_rows){set->points, set->stride, set->stride, set->widths, NULL};
    keep_points(set, &job->in[0], 0, job->count);
    atomic_init(&set->state, COPY_NONE);
    pthread_mutex_init(&set->changing, NULL);
    return set;
}

/* Where the link is to the set that this one, or a part of it, is of; the caller holds the lock. */
static struct auto_set **link_of(struct key_copies_list *keys, const struct key_set *part) {
    struct auto_set **link = &keys->sets;
    while (*link != NULL && (uintptr_t)part->rows - (uintptr_t)(*link)->cpu.rows >= (*link)->cpu_bytes)
        link = &(*link)->next;
    return link;
}

static struct auto_set *find(struct key_copies_list *keys, const struct key_set *part) {
    pthread_mutex_lock(&keys->lock);
    struct auto_set *set = *link_of(keys, part);
    pthread_mutex_unlock(&keys->lock);
    return set;
}

gecc_result gecc_key_copies_make(struct key_copies_list *keys, const struct instance *cpu, const struct job *job,
                                 const struct key_plan *plan, struct key_set *set, size_t *bytes) {
    struct auto_set *new = set_new(job, plan);
    gecc_result result = new == NULL ? GECC_ERROR_MEMORY : cpu->backend->keys_make(cpu->state, job, plan, set, bytes);
    if (result != GECC_OK || new == NULL) {
        set_free(new);
        return result;
    }
    new->cpu = *set;
    new->cpu_bytes = *bytes;
    pthread_mutex_lock(&keys->lock);
    new->next = keys->sets;
    keys->sets = new;
    pthread_mutex_unlock(&keys->lock);
    return GECC_OK;
}

/* Tables on the GPU of `count` keys from number `first` on: of a copy that is new where that is 0. */
static gecc_result fill_copy(struct auto_set *set, const struct instance *gpu, size_t first, size_t count) {
    struct job job = set->job;
    uint8_t *status = calloc(count + 1, 1); /* its own: callers have the CPU's, which are the same */
    gecc_result result = GECC_ERROR_MEMORY;
    job.in[0].data = set->points + first * set->stride;
    job.in[0].widths += first;
    job.count = count;
    job.status = gecc_out_packed(status, 1);
    if (status != NULL)
        result = first == 0 ? gpu->backend->keys_make(gpu->state, &job, &set->plan, &set->gpu, &set->gpu_bytes)
                            : gpu->backend->keys_add(gpu->state, &job, &set->gpu, first);
    free(status);
    return result;
}

gecc_result gecc_key_copies_add(struct key_copies_list *keys, const struct instance *cpu, const struct instance *gpu,
                                const struct job *job, const struct key_set *part, size_t first) {
    struct auto_set *set = find(keys, part);
    const gecc_result result = cpu->backend->keys_add(cpu->state, job, part, first);
    if (result != GECC_OK || set == NULL)
        return result;
    pthread_mutex_lock(&set->changing);
    keep_points(set, &job->in[0], first, job->count);
    if (atomic_load(&set->state) == COPY_MADE)
        set->failure = fill_copy(set, gpu, first, job->count);
    if (set->failure != GECC_OK)
        atomic_store(&set->state, COPY_FAILED); /* jobs may be using it */
    pthread_mutex_unlock(&set->changing);
    return GECC_OK;
}

void gecc_key_copies_free(struct key_copies_list *keys, const struct instance *cpu, const struct instance *gpu,
                          const struct key_set *part) {
    pthread_mutex_lock(&keys->lock);
    struct auto_set **link = link_of(keys, part), *set = *link;
    if (set != NULL)
        *link = set->next;
    pthread_mutex_unlock(&keys->lock);
    if (gpu != NULL && set != NULL && set->gpu.rows != NULL)
        gpu->backend->keys_free(gpu->state, &set->gpu);
    if (set != NULL)
        pthread_mutex_destroy(&set->changing);
    set_free(set);
    cpu->backend->keys_free(cpu->state, part);
}

bool gecc_key_copies_may_copy(struct key_copies_list *keys, const struct key_set *part) {
    const struct auto_set *set = find(keys, part);
    return set != NULL && atomic_load(&set->state) != COPY_FAILED;
}

gecc_result gecc_key_copies_on_gpu(struct key_copies_list *keys, const struct instance *gpu, const struct key_set *part,
                                   struct key_set *own) {
    struct auto_set *set = find(keys, part);
    *own = (struct key_set){.rows = NULL};
    if (set == NULL || gpu->backend->keys_make == NULL)
        return GECC_ERROR_UNSUPPORTED;
    pthread_mutex_lock(&set->changing);
    if (atomic_load(&set->state) == COPY_NONE) {
        set->gpu = (struct key_set){.count = set->cpu.count};
        set->failure = fill_copy(set, gpu, 0, set->job.count);
        if (set->failure != GECC_OK)
            set->gpu.rows = NULL;
        atomic_store(&set->state, set->failure == GECC_OK ? COPY_MADE : COPY_FAILED);
    }
    const gecc_result result = set->failure;
    if (result == GECC_OK) {
        const size_t skipped = (size_t)(part->status - set->cpu.status);
        *own = set->gpu;
        own->rows = (uint8_t *)own->rows + skipped * (set->gpu_bytes / set->room);
        own->status += skipped;
        own->count = part->count;
    }
    pthread_mutex_unlock(&set->changing);
    return result;
}
