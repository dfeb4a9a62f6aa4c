#include "api/call.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "api/context.h"

enum { DIGEST_LEAST = 20, DIGEST_MOST = 64, ENTROPY_BYTES = 32, EXPONENT_MOST = 64, SM2_ID_MOST = 8191 };

/* 30 06 02 01 r 02 01 s. */
enum { DER_LEAST = 8 };

#define KNOWN_FLAGS (GECC_DER | GECC_LOW_S | GECC_ANY_S | GECC_PUBLIC_SCALARS | GECC_VERIFY_SIGNATURES)

/* An argument is wrong unless `right`. */
static void require(struct call *call, bool right) {
    if (!right)
        call->result = GECC_ERROR_ARGUMENT;
}

/* Take the options over, if they are of a version this library knows. */
static void take_options(struct call *call, const gecc_options *options) {
    call->options = (gecc_options)GECC_OPTIONS_INIT;
    if (options == NULL)
        return;
    require(call, options->size == sizeof *options);
    if (call->result != GECC_OK)
        return;
    call->options = *options;
    if (options->job != NULL)
        *options->job = NULL;
    require(call, (options->flags & ~(uint32_t)KNOWN_FLAGS) == 0);
    require(call, (options->flags & (GECC_LOW_S | GECC_ANY_S)) != (GECC_LOW_S | GECC_ANY_S));
    require(call, options->hash == GECC_HASH_DEFAULT || gecc_hash_bytes(options->hash) != 0);
    require(call, gecc_point_bytes(GECC_P256, options->point_format) != 0);
}

struct call gecc_call_begin(gecc_context *context, enum operation operation, uint8_t *status, size_t count,
                            const gecc_options *options) {
    struct call call = {.context = context, .result = GECC_OK};
    call.job.operation = operation;
    call.job.status = status;
    call.job.count = count;
    take_options(&call, options);
    call.job.point_format = call.options.point_format;
    call.job.stream = call.options.stream;
    require(&call, context != NULL);
    require(&call, count <= PTRDIFF_MAX / sizeof(uint64_t));
    require(&call, status != NULL || count == 0);
    return call;
}

void gecc_call_curve(struct call *call, gecc_curve curve) {
    require(call, gecc_curve_bytes(curve) != 0);
    call->job.curve = curve;
}

/* Odd, at least 3, and of a width that there is a program for? */
static bool modulus_is_valid(gecc_modulus modulus) {
    if (modulus.value == NULL || modulus.bytes < 16 || modulus.bytes > JOB_MODULUS_BYTES || modulus.bytes % 4 != 0)
        return false;
    uint8_t low = modulus.value[modulus.bytes - 1], high = 0;
    for (size_t i = 0; i < modulus.bytes - 1; i++)
        high |= modulus.value[i];
    return (low & 1) != 0 && (high != 0 || low >= 3);
}

void gecc_call_modulus(struct call *call, gecc_modulus modulus) {
    if (!modulus_is_valid(modulus)) {
        require(call, false);
        return;
    }
    memcpy(call->job.modulus + JOB_MODULUS_BYTES - modulus.bytes, modulus.value, modulus.bytes);
    call->job.modulus_bytes = modulus.bytes;
}

void gecc_call_hash(struct call *call, gecc_hash hash) {
    require(call, gecc_hash_bytes(hash) != 0);
    call->job.hash = hash;
}

void gecc_call_nonce_hash(struct call *call) {
    gecc_hash hash = call->options.hash;
    if (hash == GECC_HASH_DEFAULT)
        hash = call->job.curve == GECC_P384 ? GECC_SHA384 : GECC_SHA256;
    require(call, hash != GECC_KECCAK256); /* there is no generator with it */
    gecc_call_hash(call, hash);
}

void gecc_call_flags(struct call *call, uint32_t meaningful) { call->job.flags = call->options.flags & meaningful; }

struct widths {
    size_t least, most;
};

static struct widths exactly(size_t width) { return (struct widths){width, width}; }

static struct widths signature_widths(const struct job *job) {
    if ((job->flags & GECC_DER) == 0)
        return exactly(2 * gecc_curve_bytes(job->curve));
    return (struct widths){DER_LEAST, gecc_der_bytes(job->curve)};
}

/* Between which widths the rows of an input column lie. */
static struct widths column_widths(const struct job *job, enum column column) {
    switch (column) {
    case COLUMN_POINT:
        return (struct widths){gecc_point_bytes(job->curve, GECC_POINT_COMPRESSED),
                               gecc_point_bytes(job->curve, GECC_POINT_UNCOMPRESSED)};
    case COLUMN_SCALAR:
        return exactly(gecc_curve_bytes(job->curve));
    case COLUMN_DIGEST:
        return (struct widths){DIGEST_LEAST, DIGEST_MOST};
    case COLUMN_SM2_DIGEST:
        return exactly(gecc_hash_bytes(GECC_SM3));
    case COLUMN_HASH:
        return exactly(gecc_hash_bytes(job->hash));
    case COLUMN_SIGNATURE:
        return signature_widths(job);
    case COLUMN_RECOVERY_ID:
        return exactly(1);
    case COLUMN_ENTROPY:
        return exactly(ENTROPY_BYTES);
    case COLUMN_RESIDUE:
        return exactly(job->modulus_bytes);
    case COLUMN_EXPONENT:
        return (struct widths){1, EXPONENT_MOST};
    case COLUMN_SM2_ID:
        return (struct widths){0, SM2_ID_MOST};
    case COLUMN_MESSAGE:
        break;
    }
    return (struct widths){0, PTRDIFF_MAX};
}

/* Can a row of the column have this width? */
static bool width_is_possible(const struct job *job, enum column column, size_t width) {
    struct widths widths = column_widths(job, column);
    if (width < widths.least || width > widths.most)
        return false;
    return column != COLUMN_POINT || width == widths.least || width == widths.most ||
           width == gecc_point_bytes(job->curve, GECC_POINT_RAW);
}

/* Do `count` rows, `stride` apart, fit in the address space? */
static bool extent_fits(size_t count, size_t stride, size_t width) {
    return width <= PTRDIFF_MAX && (count <= 1 || stride <= (PTRDIFF_MAX - width) / (count - 1));
}

void gecc_call_in(struct call *call, enum column column, gecc_rows rows) {
    bool varies = rows.widths != NULL;
    bool empty = call->job.count == 0 || (!varies && rows.width == 0);
    require(call, rows.data != NULL || empty);
    require(call, !varies || column != COLUMN_EXPONENT);
    require(call, varies || width_is_possible(&call->job, column, rows.width));
    require(call, rows.offsets != NULL || extent_fits(call->job.count, rows.stride, varies ? 0 : rows.width));
    if (rows.data == NULL)
        rows = gecc_rows_same("", 0);
    call->job.in[call->inputs++] = rows;
}

void gecc_call_in_optional(struct call *call, enum column column, gecc_rows rows) {
    if (rows.data != NULL)
        gecc_call_in(call, column, rows);
    else
        call->inputs++;
}

/* The greatest width of an output row. */
static size_t out_width(const struct job *job, enum column column) {
    if (column == COLUMN_POINT)
        return gecc_point_bytes(job->curve, job->point_format);
    return column_widths(job, column).most;
}

void gecc_call_out(struct call *call, enum column column, gecc_out out) {
    size_t width = out_width(&call->job, column);
    bool width_varies = column == COLUMN_SIGNATURE && (call->job.flags & GECC_DER) != 0;
    bool empty = call->job.count == 0;
    require(call, out.data != NULL || empty);
    require(call, out.widths != NULL || !width_varies || empty);
    require(call, out.stride >= width);
    require(call, extent_fits(call->job.count, out.stride, width));
    call->job.out_width[call->outputs] = width;
    call->job.out[call->outputs++] = out;
}

void gecc_call_out_optional(struct call *call, enum column column, gecc_out out) {
    if (out.data != NULL)
        gecc_call_out(call, column, out);
    else
        call->outputs++;
}

/* Is the address in memory that only the context's backend can read? */
static bool on_device(const struct call *call, const void *address) {
    const struct opened *opened = &call->context->opened;
    return opened->backend->on_device != NULL && opened->backend->on_device(opened->state, address);
}

/* Zeros for the rows of an output column that were not processed. */
static void clear_column(const struct call *call, const gecc_out *out, unsigned column) {
    for (size_t i = 0; i < call->job.count; i++) {
        if (call->job.status[i] != GECC_ITEM_NOT_PROCESSED)
            continue;
        if (out->data != NULL)
            memset((uint8_t *)out->data + i * out->stride, 0, call->job.out_width[column]);
        if (out->widths != NULL)
            out->widths[i] = 0;
    }
}

/* Device memory keeps what it holds: the device may be out of reach. */
static void clear_unprocessed(const struct call *call) {
    for (unsigned column = 0; column < call->outputs; column++) {
        gecc_out out = call->job.out[column];
        if (out.data == NULL)
            continue;
        if (on_device(call, out.data))
            out.data = NULL;
        if (out.widths != NULL && on_device(call, out.widths))
            out.widths = NULL;
        clear_column(call, &out, column);
    }
}

void gecc_call_finish(const struct call *call, gecc_result result, gecc_report *report) {
    if (result != GECC_OK && !on_device(call, call->job.status))
        clear_unprocessed(call);
    if (call->options.report == NULL)
        return;
    if (report->reason[0] == 0)
        memcpy(report->reason, call->context->opened.reason, sizeof report->reason);
    *call->options.report = *report;
}

static gecc_result run(const struct call *call) {
    const struct opened *opened = &call->context->opened;
    gecc_report report = {.seconds = 0};
    gecc_result result = opened->backend->run(opened->state, &call->job, &report);
    gecc_call_finish(call, result, &report);
    return result;
}

/* A handle for the job once it is under way. */
static gecc_result start(const struct call *call, gecc_job **started) {
    const struct opened *opened = &call->context->opened;
    gecc_job *job = malloc(sizeof *job);
    if (job == NULL)
        return GECC_ERROR_MEMORY;
    job->call = *call;
    gecc_result result = opened->backend->submit(opened->state, &job->call.job, &job->ticket);
    if (result == GECC_OK)
        *started = job;
    else
        free(job);
    return result;
}

static gecc_result submit(const struct call *call) {
    gecc_result result = start(call, call->options.job);
    gecc_report report = {.seconds = 0};
    if (result != GECC_OK)
        gecc_call_finish(call, result, &report);
    return result;
}

gecc_result gecc_call_run(const struct call *call) {
    if (call->result != GECC_OK)
        return call->result;
    if (call->job.count != 0 && !on_device(call, call->job.status))
        memset(call->job.status, GECC_ITEM_NOT_PROCESSED, call->job.count);
    return call->options.job == NULL ? run(call) : submit(call);
}
