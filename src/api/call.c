#include "api/call.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "api/context.h"
#include "api/key_cache.h"
#include "api/keys.h"
#include "api/sized.h"
#include "backend/threads.h"
#include "curve/sizes.h"

/* Bytes of the options and parameters of API 0.2, which all later versions begin with. */
enum {
    OPTIONS_LEAST = offsetof(gecc_options, stream) + sizeof(void *),
    PARAMETERS_LEAST = offsetof(gecc_parameters, modulus) + sizeof(gecc_modulus)
};

/* Rows are prepared for as if they were as wide as they can be, unless that is wider: messages and ids then cost
 * least. */
enum { PREPARED_WIDTH_MOST = 1024 };

/* Take the options over, if they are of a version this library knows. */
static void take_options(struct call *call, const struct operation_info *info, const gecc_options *options) {
    gecc_options *own = &call->options;
    *own = (gecc_options)GECC_OPTIONS_INIT;
    if (options != NULL)
        gecc_take_struct(call, "options", own, sizeof *own, OPTIONS_LEAST, options, options->size);
    if (own->job != NULL)
        *own->job = NULL;
    gecc_take_flags(call, info->described.name, own->flags, info->described.flags, FORMAT_FLAGS);
    if (own->nonce_hash != GECC_HASH_DEFAULT && gecc_hash_bytes(own->nonce_hash) == 0)
        refuse(call, "options: nonce_hash is %d, which is no hash", (int)own->nonce_hash);
    if (gecc_point_bytes(GECC_P256, own->point_format) == 0)
        refuse(call, "options: point_format is %d, which is none", (int)own->point_format);
    gecc_take_report(call, own->report);
}

/* The keys, and in *curve theirs where the caller named none. */
static void take_keys(struct call *call, gecc_keys *keys, gecc_curve *curve) {
    if (keys == NULL) {
        if (!call->is_question)
            refuse(call, "keys is NULL");
        return;
    }
    if (*curve == (gecc_curve)0)
        *curve = keys->curve;
    if (call->context != NULL && keys->context != call->context)
        refuse(call, "keys: of another context");
    else if (keys->curve != *curve)
        refuse(call, "keys: of %s, not of %s", gecc_curve_name(keys->curve),
               gecc_curve_bytes(*curve) == 0 ? "what is no curve" : gecc_curve_name(*curve));
    call->job.keys = gecc_keys_now(keys);
}

static void take_curve(struct call *call, const struct operation_info *info, gecc_curve curve) {
    for (int only = 1; curve == (gecc_curve)0 && only < 32; only++)
        if (info->described.curves == 1u << only)
            curve = (gecc_curve)only;
    if (gecc_curve_bytes(curve) == 0)
        refuse(call, "curve: %d is none", (int)curve);
    else if ((info->described.curves >> curve & 1) == 0)
        refuse(call, "curve: there is no %s on %s", info->described.name, gecc_curve_name(curve));
    else
        call->job.curve = curve;
}

/* Odd, at least 3, and of a width that there is a program for? It is looked at where it is nobody else's any more. */
static bool modulus_take(uint8_t own[JOB_MODULUS_BYTES], gecc_modulus modulus) {
    uint8_t high = 0;
    if (modulus.value == NULL || modulus.bytes < 16 || modulus.bytes > JOB_MODULUS_BYTES || modulus.bytes % 4 != 0)
        return false;
    memcpy(own + JOB_MODULUS_BYTES - modulus.bytes, modulus.value, modulus.bytes);
    for (size_t i = 0; i < JOB_MODULUS_BYTES - 1; i++)
        high |= own[i];
    return (own[JOB_MODULUS_BYTES - 1] & 1) != 0 && (high != 0 || own[JOB_MODULUS_BYTES - 1] >= 3);
}

static void take_modulus(struct call *call, gecc_modulus modulus) {
    if (!modulus_take(call->job.modulus, modulus))
        refuse(call, "modulus: has to be odd, at least 3, and of 16, 20, ..., 64 bytes");
    call->job.modulus_bytes = modulus.bytes;
}

static void take_hash(struct call *call, gecc_hash hash) {
    if (gecc_hash_bytes(hash) == 0)
        refuse(call, "hash: %d is none", (int)hash);
    call->job.hash = hash;
}

/* The hash of RFC 6979's HMAC. */
static void take_nonce_hash(struct call *call) {
    gecc_hash hash = call->options.nonce_hash;
    if (hash == GECC_HASH_DEFAULT)
        hash = curve_hash(call->job.curve);
#define OR_IS(identifier, ...) || hash == identifier
    if (!(false GECC_NONCE_HASH_LIST(OR_IS)))
        refuse(call, "options: nonce_hash is %s, of which no nonces are made",
               gecc_hash_name(hash) ? gecc_hash_name(hash) : "no hash");
#undef OR_IS
    call->job.hash = hash;
}

static void take_parameters(struct call *call, const struct operation_info *info, const gecc_parameters *parameters) {
    gecc_parameters own = GECC_PARAMETERS_INIT;
    if (parameters != NULL)
        gecc_take_struct(call, "parameters", &own, sizeof own, PARAMETERS_LEAST, parameters, parameters->size);
    if (operation_takes_kind(info, GECC_KIND_KEY_NUMBER))
        take_keys(call, own.keys, &own.curve);
    switch (info->described.selector) {
    case GECC_SELECT_CURVE:
        take_curve(call, info, own.curve);
        break;
    case GECC_SELECT_MODULUS:
        take_modulus(call, own.modulus);
        break;
    case GECC_SELECT_HASH:
        take_hash(call, own.hash);
        break;
    }
    if (operation_takes_kind(info, GECC_KIND_ENTROPY))
        take_nonce_hash(call);
    else if (info->family == FAMILY_SM2 && operation_takes_kind(info, GECC_KIND_MESSAGE))
        take_hash(call, GECC_SM3);
    else if (info->family == FAMILY_SECP256K1)
        take_hash(call, GECC_SHA256);
    else if (info->family == FAMILY_CURVE25519)
        take_hash(call, GECC_SHA512);
}

/* Pass on those of the caller's flags that mean something, so that no lane program meets another. Where s is low unless
 * the caller says otherwise, the job says that it is. */
static void take_flags(struct call *call, const struct operation_info *info) {
    uint32_t flags = call->options.flags & info->described.flags;
    const bool may_be_any = (info->described.flags & GECC_ANY_S) != 0;
    if (may_be_any && (flags & GECC_ANY_S) == 0 && curve_makes_low_s(call->job.curve))
        flags |= GECC_LOW_S;
    call->job.flags = flags;
    call->job.point_format = call->options.point_format;
    call->job.stream = call->options.stream;
}

/* How wide outputs are that no standard gives a width. */
static void take_output_bytes(struct call *call, const struct operation_info *info) {
    const size_t bytes = call->options.output_bytes;
    bool means = false;
    for (unsigned i = 0; info->out[i].name != NULL; i++)
        means |= gecc_kind_is_open(info->out[i].kind);
    if (bytes != 0 && !means)
        refuse(call, "options: output_bytes is %zu, which means nothing to %s", bytes, info->described.name);
    else if (bytes > UINT32_MAX)
        refuse(call, "options: output_bytes is %zu, more than a row can have", bytes);
    call->job.output_bytes = bytes;
}

/* Rows that the caller gave; a column that is left out has no data, and SM2's default id where that is one. */
static void take_input(struct call *call, const gecc_column *column, gecc_rows rows, gecc_rows *to) {
    gecc_widths widths = gecc_job_widths(&call->job, column);
    if (rows.data != NULL || !column->is_optional)
        *to = gecc_take_rows(call, column, &widths, rows, call->job.count);
    else if (column->kind == GECC_KIND_SM2_ID)
        *to = gecc_rows_same(GECC_SM2_DEFAULT_ID, sizeof GECC_SM2_DEFAULT_ID - 1);
}

static void take_output(struct call *call, const gecc_column *column, gecc_out out, unsigned index) {
    if (out.data == NULL && column->is_optional)
        return;
    if (gecc_kind_is_open(column->kind) && call->job.output_bytes == 0) {
        call->job.output_bytes = out.stride < UINT32_MAX ? out.stride : UINT32_MAX;
        if (out.stride == 0 && call->job.count != 0)
            refuse(call, "%s: rows are 0 bytes apart, and options' output_bytes is 0", column->name);
    }
    gecc_widths widths = gecc_job_widths(&call->job, column);
    gecc_take_out(call, column, &widths, out, call->job.count);
    call->job.out[index] = out;
    call->job.out_width[index] = widths.most;
    call->job.plain_outputs |= widths.count == 0 ? 0 : 1u << index;
}

static void take_columns(struct call *call, const struct operation_info *info, const gecc_out *outputs,
                         const gecc_rows *inputs) {
    if (inputs == NULL && info->in[0].name != NULL)
        refuse(call, "inputs is NULL");
    if (outputs == NULL && info->out[0].name != NULL)
        refuse(call, "outputs is NULL");
    for (unsigned i = 0; inputs != NULL && info->in[i].name != NULL && call->result == GECC_OK; i++)
        take_input(call, &info->in[i], inputs[i], &call->job.in[i]);
    for (unsigned i = 0; outputs != NULL && info->out[i].name != NULL && call->result == GECC_OK; i++)
        take_output(call, &info->out[i], outputs[i], i);
}

/* Ask the backend, once for each address, whether it is in device memory. Where the statuses are is known already. */
static void locate(struct call *call) {
    struct job *job = &call->job;
    const gecc_context *context = call->context;
    uint32_t found = job->on_device;
    if (context->instance.backend->on_device == NULL)
        return;
    for (unsigned i = 0; i < JOB_INPUTS; i++) {
        if (job->in[i].data == NULL)
            continue;
        found |= gecc_on_device(context, job->in[i].data) ? (uint32_t)JOB_IN_ON_DEVICE << i : 0;
        found |= gecc_on_device(context, job->in[i].widths) ? (uint32_t)JOB_IN_WIDTHS_ON_DEVICE << i : 0;
        found |= gecc_on_device(context, job->in[i].offsets) ? (uint32_t)JOB_IN_OFFSETS_ON_DEVICE << i : 0;
    }
    for (unsigned i = 0; i < JOB_OUTPUTS; i++) {
        if (job->out[i].data == NULL)
            continue;
        found |= gecc_on_device(context, job->out[i].data) ? (uint32_t)JOB_OUT_ON_DEVICE << i : 0;
        found |= gecc_on_device(context, job->out[i].widths) ? (uint32_t)JOB_OUT_WIDTHS_ON_DEVICE << i : 0;
    }
    job->on_device = found;
}

/* Zeros for the rows of an output column that were not processed. */
static void clear_column(const struct call *call, const gecc_out *out, unsigned column) {
    const gecc_out *status = &call->job.status;
    for (size_t i = 0; i < call->job.count; i++) {
        if (((const uint8_t *)status->data)[i * status->stride] != GECC_ITEM_NOT_PROCESSED)
            continue;
        if (out->data != NULL)
            memset((uint8_t *)out->data + i * out->stride, 0, call->job.out_width[column]);
        if (out->widths != NULL)
            out->widths[i] = 0;
    }
}

/* Device memory keeps what it holds: the device may be out of reach. */
static void clear_unprocessed(const struct call *call) {
    for (unsigned column = 0; column < JOB_OUTPUTS; column++) {
        gecc_out out = call->job.out[column];
        if (out.data == NULL)
            continue;
        if (call->job.on_device & (uint32_t)JOB_OUT_ON_DEVICE << column)
            out.data = NULL;
        if (call->job.on_device & (uint32_t)JOB_OUT_WIDTHS_ON_DEVICE << column)
            out.widths = NULL;
        clear_column(call, &out, column);
    }
}

/* Fill rows that have no result with zeros if the job failed, and the report if it is wanted. */
static void finish(const struct call *call, gecc_result result, gecc_report *report) {
    gecc_report *wanted = call->options.report;
    if (report->reason[0] == 0)
        memcpy(report->reason, call->context->instance.reason, sizeof report->reason);
    if (result != GECC_OK && report->backend[0] != 0)
        (void)gecc_error(result, "%s (%s: %s)", gecc_result_text(result), report->backend, report->reason);
    else if (result != GECC_OK)
        (void)gecc_error(result, "%s", gecc_result_text(result));
    if (result != GECC_OK && (call->job.on_device & JOB_STATUS_ON_DEVICE) == 0)
        clear_unprocessed(call);
    if (wanted != NULL)
        gecc_sized_give(wanted, wanted->size, report, sizeof *report);
}

struct gecc_job {
    uint32_t cancelled;
    struct call call;
    struct ticket *ticket;
};

gecc_result gecc_call_run(const struct call *call) {
    const struct instance *instance = &call->context->instance;
    struct key_cache *cache = call->context->key_cache;
    gecc_report report = GECC_REPORT_INIT;
    gecc_result result;
    if (cache == NULL || !gecc_key_cache_run(cache, &call->job, &report, &result))
        result = instance->backend->run(instance->state, &call->job, &report);
    finish(call, result, &report);
    return result;
}

/* A handle for the job once it is under way. */
static gecc_result start(const struct call *call, gecc_job **started) {
    const struct instance *instance = &call->context->instance;
    gecc_job *job = malloc(sizeof *job);
    if (job == NULL)
        return GECC_ERROR_MEMORY;
    job->call = *call;
    job->cancelled = 0;
    job->call.job.cancelled = &job->cancelled;
    gecc_result result = instance->backend->submit(instance->state, &job->call.job, &job->ticket);
    if (result == GECC_OK)
        *started = job;
    else
        free(job);
    return result;
}

static gecc_result submit(const struct call *call) {
    gecc_result result = start(call, call->options.job);
    gecc_report report = GECC_REPORT_INIT;
    if (result != GECC_OK)
        finish(call, result, &report);
    return result;
}

/* What the options and parameters say. */
static void describe(struct call *call, const gecc_parameters *parameters, const gecc_options *options) {
    const struct operation_info *info = operation_info(&call->job);
    take_options(call, info, options);
    take_parameters(call, info, parameters);
    take_flags(call, info);
    take_output_bytes(call, info);
}

void gecc_call_describe(struct call *call, gecc_context *context, enum operation operation,
                        const gecc_parameters *parameters, const gecc_options *options) {
    *call = (struct call){.context = context, .result = GECC_OK, .is_question = true, .job.operation = operation};
    describe(call, parameters, options);
}

gecc_result gecc_call_prepare(gecc_context *context, const struct call *call, size_t count) {
    const struct instance *instance = &context->instance;
    const struct operation_info *info = operation_info(&call->job);
    struct job job = call->job;
    job.count = count;
    for (unsigned i = 0; info->in[i].name != NULL; i++) {
        gecc_widths widths = gecc_job_widths(&job, &info->in[i]);
        job.in[i].width = widths.most < PREPARED_WIDTH_MOST ? widths.most : widths.least;
    }
    return count == 0 ? GECC_OK : instance->backend->prepare(instance->state, &job);
}

void gecc_call_clear(gecc_context *context, gecc_out status, size_t count) {
    struct call call = {.result = GECC_OK};
    gecc_take_status(&call, context, status, count, ROWS_MOST);
}

/* All but where the columns are. */
static void take(struct call *call, gecc_context *context, const struct operation_info *info,
                 const gecc_parameters *parameters, const gecc_out *outputs, gecc_out status, const gecc_rows *inputs,
                 size_t count, const gecc_options *options) {
    *call = (struct call){.result = GECC_OK, .job.operation = (enum operation)(info - gecc_operation_table)};
    gecc_take_status(call, context, status, count, ROWS_MOST);
    describe(call, parameters, options);
    take_columns(call, info, outputs, inputs);
}

static void refuse_device(struct call *call, const struct operation_info *info) {
    if ((call->job.on_device & JOB_STATUS_ON_DEVICE) != 0)
        refuse(call, "status: in a GPU's memory");
    for (unsigned i = 0; info->in[i].name != NULL; i++)
        gecc_take_rows_from_host(call, info->in[i].name, &call->job.in[i]);
    for (unsigned i = 0; info->out[i].name != NULL; i++) {
        gecc_take_from_host(call, info->out[i].name, call->job.out[i].data);
        gecc_take_from_host(call, info->out[i].name, call->job.out[i].widths);
    }
}

gecc_result gecc_call_take(struct call *call, gecc_context *context, const struct operation_info *info,
                           const gecc_parameters *parameters, const gecc_out *outputs, gecc_out status,
                           const gecc_rows *inputs, size_t count, const gecc_options *options) {
    if (info == NULL) {
        gecc_call_clear(context, status, count);
        return gecc_error(GECC_ERROR_ARGUMENT, "operation: not one of gecc_operations");
    }
    take(call, context, info, parameters, outputs, status, inputs, count, options);
    if (call->options.report != NULL || call->options.job != NULL || call->options.stream != NULL)
        refuse(call, "options: report, job and stream have to be NULL");
    refuse_device(call, info);
    return call->result;
}

size_t gecc_call_enough(const struct call *call) {
    const struct instance *instance = &call->context->instance;
    size_t rows = instance->backend->enough == NULL ? 0 : instance->backend->enough(instance->state, &call->job);
    return rows == 0 ? SIZE_MAX : rows;
}

gecc_result gecc_call(gecc_context *context, enum operation operation, const gecc_parameters *parameters,
                      const gecc_out *outputs, gecc_out status, const gecc_rows *inputs, size_t count,
                      const gecc_options *options) {
    struct call call;
    take(&call, context, &gecc_operation_table[operation], parameters, outputs, status, inputs, count, options);
    if (call.result != GECC_OK)
        return call.result;
    locate(&call);
    return call.options.job == NULL ? gecc_call_run(&call) : submit(&call);
}

gecc_result gecc_call_curve(gecc_context *context, enum operation operation, gecc_curve curve, const gecc_out *outputs,
                            gecc_out status, const gecc_rows *inputs, size_t count, const gecc_options *options) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.curve = curve;
    return gecc_call(context, operation, &parameters, outputs, status, inputs, count, options);
}

gecc_result gecc_call_keys(gecc_context *context, enum operation operation, gecc_keys *keys, const gecc_out *outputs,
                           gecc_out status, const gecc_rows *inputs, size_t count, const gecc_options *options) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.keys = keys;
    return gecc_call(context, operation, &parameters, outputs, status, inputs, count, options);
}

gecc_result gecc_wait(gecc_job *job) {
    if (job == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "job is NULL");
    const struct instance *instance = &job->call.context->instance;
    gecc_report report = GECC_REPORT_INIT;
    gecc_result result = instance->backend->wait(instance->state, job->ticket, &report);
    finish(&job->call, result, &report);
    free(job);
    return result;
}

gecc_result gecc_wait_for(gecc_job *job, uint64_t microseconds) {
    if (job == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "job is NULL");
    const struct instance *instance = &job->call.context->instance;
    const struct timespec until = time_after(microseconds);
    return instance->backend->await(instance->state, job->ticket, &until);
}

void gecc_cancel(gecc_job *job) {
    if (job == NULL)
        return;
    const struct instance *instance = &job->call.context->instance;
    __atomic_store_n(&job->cancelled, 1, __ATOMIC_RELAXED);
    if (instance->backend->cancel != NULL)
        instance->backend->cancel(instance->state, job->ticket);
}

gecc_result gecc_poll(const gecc_job *job) {
    if (job == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "job is NULL");
    const struct instance *instance = &job->call.context->instance;
    return instance->backend->poll(instance->state, job->ticket);
}
