/* Keys that are prepared: see gecc/keys.h. What they are for, the typed functions in the other files do. */
#include "api/keys.h"

#include <stdlib.h>
#include <string.h>

#include "api/arguments.h"
#include "api/context.h"
#include "api/sized.h"
#include "curve/sizes.h"

enum { CONFIG_LEAST = offsetof(gecc_keys_config, capacity), INFO_LEAST = sizeof(size_t) };

/* Keys as the library's own rows, of which keys that are an x alone got the prefix of an even y, and keys that are
 * wider than any key are empty. */
struct points {
    uint8_t *data;
    uint32_t *widths;
    gecc_rows rows;
};

static void points_free(struct points *points) {
    free(points->data);
    free(points->widths);
}

static gecc_result points_take(struct points *points, gecc_curve curve, const gecc_rows *rows, size_t count) {
    const size_t x_only = gecc_curve_bytes(curve);
    const size_t stride = curve_is_weierstrass(curve) ? gecc_point_bytes(curve, GECC_POINT_UNCOMPRESSED) : x_only;
    *points = (struct points){.data = calloc(count + 1, stride), .widths = calloc(count + 1, sizeof(uint32_t))};
    if (points->data == NULL || points->widths == NULL) {
        points_free(points);
        (void)gecc_error(GECC_ERROR_MEMORY, "not enough memory for the points of %zu keys", count);
        return GECC_ERROR_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const uint8_t *from =
            (const uint8_t *)rows->data + (rows->offsets != NULL ? rows->offsets[i] : i * rows->stride);
        size_t width = rows->widths != NULL ? rows->widths[i] : rows->width;
        uint8_t *to = points->data + i * stride;
        if (curve == GECC_SECP256K1 && width == x_only) {
            *to++ = 2;
            points->widths[i] = 1;
        }
        if (width <= stride) {
            memcpy(to, from, width);
            points->widths[i] += (uint32_t)width;
        }
    }
    points->rows = gecc_rows_strided(points->data, stride, stride);
    points->rows.widths = points->widths;
    return GECC_OK;
}

static const gecc_column public_keys_column = {"public_keys", "the keys", GECC_KIND_POINT, GECC_PUBLIC, false, false};

/* What sets are made and grown of: a context that is not NULL, a curve, statuses and points. A width that no key has is
 * for each row's status. */
static void take(struct call *call, gecc_curve curve, gecc_out status, gecc_rows *public_keys, size_t count) {
    static const gecc_widths any = {.least = 1, .most = PTRDIFF_MAX};
    if (gecc_curve_bytes(curve) == 0)
        refuse(call, "curve: %d is none", (int)curve);
    gecc_rows rows = gecc_take_rows(call, &public_keys_column, &any, *public_keys, count);
    gecc_take_from_host(call, "status", status.data);
    gecc_take_rows_from_host(call, public_keys_column.name, public_keys);
    *public_keys = rows;
}

static void take_config(struct call *call, gecc_keys_config *own, const gecc_keys_config *config) {
    *own = (gecc_keys_config)GECC_KEYS_CONFIG_INIT;
    if (config != NULL)
        gecc_take_struct(call, "config", own, sizeof *own, CONFIG_LEAST, config, config->size);
    if (own->window != 0 && (own->window < KEY_WINDOW_LEAST || own->window > KEY_WINDOW_MOST))
        refuse(call, "config: window is %u, where windows have %d to %d bits", own->window, KEY_WINDOW_LEAST,
               KEY_WINDOW_MOST);
    if (own->capacity >= UINT32_MAX)
        refuse(call, "config: capacity is %zu, where numbers have 32 bits", own->capacity);
}

static gecc_result explain(gecc_result result, size_t count) {
    if (result == GECC_ERROR_MEMORY)
        return gecc_error(result, "not enough memory for the tables of %zu keys", count);
    return result == GECC_OK ? result : gecc_error(result, "%s", gecc_result_text(result));
}

static struct job job_of(gecc_keys *keys, const struct points *points, size_t first, size_t count) {
    struct job job = {.curve = keys->curve, .count = count};
    job.operation = curve_is_weierstrass(keys->curve) ? OPERATION_ECDSA_VERIFY_KEYS : OPERATION_ED25519_VERIFY_KEYS;
    job.in[0] = points->rows;
    job.status = gecc_out_packed(keys->status + first, 1);
    return job;
}

/* Have the context's backend make the tables. Rows without a key read the first one. */
static gecc_result make(gecc_keys *keys, const struct points *points, size_t count, const gecc_keys_config *config) {
    const struct instance *instance = &keys->context->instance;
    const struct key_plan plan = {config->rows, config->memory, config->window, keys->unnamed + keys->capacity};
    struct job job = job_of(keys, points, 0, keys->unnamed + count);
    keys->made.count = (uint32_t)count;
    keys->made.status = keys->status;
    if (instance->backend->keys_make == NULL)
        return gecc_error(GECC_ERROR_UNSUPPORTED, "keys cannot be prepared on %s", instance->backend->name);
    return explain(instance->backend->keys_make(instance->state, &job, &plan, &keys->made, &keys->bytes), count);
}

static void give_statuses(const gecc_keys *keys, gecc_out status, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++)
        ((uint8_t *)status.data)[i * status.stride] = keys->status[keys->unnamed + first + i] & KEY_STATUS;
}

/* A set of so many keys, made. */
static gecc_result open_set(gecc_context *context, gecc_keys **opened, gecc_curve curve, const struct points *points,
                            size_t count, const gecc_keys_config *config) {
    const size_t capacity = config->capacity > count ? config->capacity : count;
    gecc_keys *keys = calloc(1, sizeof *keys + capacity + 1);
    if (keys == NULL)
        return gecc_error(GECC_ERROR_MEMORY, "not enough memory for %zu keys", capacity);
    keys->context = context;
    keys->curve = curve;
    keys->capacity = capacity;
    keys->unnamed = count == 0;
    gecc_result result = make(keys, points, count, config);
    if (result != GECC_OK) {
        free(keys);
        return result;
    }
    keys->set = keys->made;
    pthread_mutex_init(&keys->adding, NULL);
    pthread_mutex_init(&keys->lock, NULL);
    *opened = keys;
    return GECC_OK;
}

gecc_result gecc_keys_open(gecc_context *context, gecc_keys **opened, gecc_curve curve, gecc_out status,
                           gecc_rows public_keys, size_t count, const gecc_keys_config *config) {
    struct call call = {.result = GECC_OK};
    gecc_keys_config own;
    struct points points;
    gecc_take_status(&call, context, status, count, UINT32_MAX);
    if (opened == NULL)
        refuse(&call, "keys is NULL");
    else
        *opened = NULL;
    take(&call, curve, status, &public_keys, count);
    take_config(&call, &own, config);
    if (call.result == GECC_OK)
        call.result = points_take(&points, curve, &public_keys, count);
    if (call.result != GECC_OK || opened == NULL) /* the latter is for clang-tidy: the call was refused then */
        return call.result;
    gecc_result result = open_set(context, opened, curve, &points, count, &own);
    points_free(&points);
    if (result == GECC_OK)
        give_statuses(*opened, status, 0, count);
    return result;
}

/* Let calls have the keys that were added. */
static void publish(gecc_keys *keys, size_t count) {
    const size_t unnamed = keys->unnamed * (keys->bytes / (keys->unnamed + keys->capacity));
    pthread_mutex_lock(&keys->lock);
    keys->set.rows = (uint8_t *)keys->made.rows + unnamed;
    keys->set.status = keys->made.status + keys->unnamed;
    keys->set.count += (uint32_t)count;
    pthread_mutex_unlock(&keys->lock);
}

static gecc_result add(gecc_keys *keys, gecc_out status, const struct points *points, size_t count, size_t *first) {
    const struct instance *instance = &keys->context->instance;
    const size_t here = keys->set.count;
    if (count > keys->capacity - here)
        return gecc_error(GECC_ERROR_ARGUMENT, "count: %zu keys, and there is room for %zu: config.capacity", count,
                          keys->capacity - here);
    struct job job = job_of(keys, points, keys->unnamed + here, count);
    gecc_result result = GECC_OK;
    if (count != 0)
        result = instance->backend->keys_add(instance->state, &job, &keys->made, keys->unnamed + here);
    if (result != GECC_OK)
        return explain(result, count);
    give_statuses(keys, status, here, count);
    if (count != 0)
        publish(keys, count);
    if (first != NULL)
        *first = here;
    return GECC_OK;
}

gecc_result gecc_keys_add(gecc_keys *keys, gecc_out status, gecc_rows public_keys, size_t count, size_t *first) {
    struct call call = {.result = GECC_OK};
    struct points points;
    gecc_take_status(&call, keys == NULL ? NULL : keys->context, status, count, UINT32_MAX);
    if (keys == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "keys is NULL");
    take(&call, keys->curve, status, &public_keys, count);
    if (call.result == GECC_OK)
        call.result = points_take(&points, keys->curve, &public_keys, count);
    if (call.result != GECC_OK)
        return call.result;
    pthread_mutex_lock(&keys->adding);
    gecc_result result = add(keys, status, &points, count, first);
    pthread_mutex_unlock(&keys->adding);
    points_free(&points);
    return result;
}

struct key_set gecc_keys_now(gecc_keys *keys) {
    pthread_mutex_lock(&keys->lock);
    struct key_set set = keys->set;
    pthread_mutex_unlock(&keys->lock);
    return set;
}

void gecc_keys_close(gecc_keys *keys) {
    if (keys == NULL)
        return;
    const struct instance *instance = &keys->context->instance;
    instance->backend->keys_free(instance->state, &keys->made);
    pthread_mutex_destroy(&keys->adding);
    pthread_mutex_destroy(&keys->lock);
    free(keys);
}

void gecc_keys_describe(const gecc_keys *keys, gecc_keys_info *info) {
    if (keys == NULL || info == NULL || info->size < INFO_LEAST)
        return;
    gecc_keys_info own;
    memset(&own, 0, sizeof own); /* what lies between its fields, too */
    own.size = sizeof own;
    own.curve = keys->curve;
    own.count = gecc_keys_now((gecc_keys *)keys).count;
    own.memory = keys->bytes;
    own.window = keys->made.width;
    own.capacity = keys->capacity;
    gecc_sized_give(info, info->size, &own, sizeof own);
}
