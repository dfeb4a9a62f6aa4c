/* gecc: rows in, rows out; parsing, checking and writing are part of each call. */
#define _GNU_SOURCE /* setenv, strdup */
#include "compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct gecc_library {
    const struct rows *rows;
    gecc_context *context;
    gecc_report report;
    uint8_t *out; /* [count][RESULT_MAX] */
    uint8_t *status;
};

static void version(char *text, size_t size) {
    snprintf(text, size, "%d.%d.%d", GECC_VERSION_MAJOR, GECC_VERSION_MINOR, GECC_VERSION_PATCH);
}

static void release(void *state) {
    struct gecc_library *gecc = state;
    if (gecc->context)
        gecc_close(gecc->context);
    free(gecc->out);
    free(gecc->status);
    free(gecc);
}

/* The CPU backend alone: a GPU's work is not in CPU time. */
static void *prepare(const struct rows *rows, unsigned threads) {
    struct gecc_library *gecc = calloc(1, sizeof *gecc);
    gecc_config config = GECC_CONFIG_INIT;
    config.threads = threads;
    config.backend = "cpu";
    if (!gecc)
        return NULL;
    gecc->rows = rows;
    gecc->report = (gecc_report)GECC_REPORT_INIT;
    gecc->out = malloc(rows->count * RESULT_MAX);
    gecc->status = malloc(rows->count);
    if (gecc->out && gecc->status && gecc_open(&gecc->context, &config) == GECC_OK)
        return gecc;
    release(gecc);
    return NULL;
}

void *gecc_library_prepare(const struct rows *rows, unsigned threads, const char *code) {
    const char *variable = "GECC_CPU", *set = getenv(variable);
    char *kept = set ? strdup(set) : NULL;
    void *state = NULL;
    if (set && !kept)
        return NULL;
    if ((code ? setenv(variable, code, 1) : unsetenv(variable)) == 0)
        state = prepare(rows, threads);
    if (kept)
        setenv(variable, kept, 1);
    else
        unsetenv(variable);
    free(kept);
    return state;
}

/* Columns from row `first` on. */
static gecc_rows column(const uint8_t *data, size_t width, size_t first) {
    return gecc_rows_packed(data + first * width, width);
}

const gecc_operation *gecc_library_operation(enum operation operation, gecc_curve curve) {
    static const char *const names[] = {
#define X(name, text, operation, latency) [name] = operation,
        OPERATIONS(X)
#undef X
    };
    char name[32];
    bool signature = operation == VERIFY || operation == SIGN;
    snprintf(name, sizeof name, "%s%s", !signature ? "" : curve == GECC_SM2 ? "sm2." : "ecdsa.", names[operation]);
    return gecc_operation_find(name);
}

/* Does the operation multiply another's point? Then its key is not that of the point. */
static bool multiplies(const gecc_operation *described) {
    const gecc_column *second = gecc_operation_input(described, 1);
    return second != NULL && second->kind == GECC_KIND_POINT;
}

/* What an input column of the operation reads. */
static gecc_rows input(const struct rows *rows, enum operation operation, const gecc_operation *described,
                       const gecc_column *in, size_t first) {
    switch (in->kind) {
    case GECC_KIND_POINT:
        return column(rows->public_key, 1 + 2 * rows->length, first);
    case GECC_KIND_DIGEST:
    case GECC_KIND_SM2_DIGEST:
        return column(operation == VERIFY ? rows->checked : rows->digest, DIGEST_BYTES, first);
    case GECC_KIND_MESSAGE:
        return column(operation == SCHNORR_VERIFY || operation == ED25519_VERIFY ? rows->checked : rows->digest,
                      DIGEST_BYTES, first);
    case GECC_KIND_SEED:
    case GECC_KIND_X25519_PRIVATE_KEY:
        return column(rows->private_key, rows->length, first);
    case GECC_KIND_ED25519_PUBLIC_KEY:
    case GECC_KIND_X25519_PUBLIC_KEY: /* any bytes are one */
        return column(rows->x_only, rows->length, first);
    case GECC_KIND_ED25519_SIGNATURE:
        return column(rows->schnorr, 2 * rows->length, first);
    case GECC_KIND_X_ONLY_POINT:
        return column(rows->x_only, rows->length, first);
    case GECC_KIND_BIP340_SIGNATURE:
        return column(rows->schnorr, 2 * rows->length, first);
    case GECC_KIND_DIGEST32:
        return column(rows->digest, DIGEST_BYTES, first);
    case GECC_KIND_ETHEREUM_SIGNATURE:
        return column(rows->joined, ETHEREUM_BYTES, first);
    case GECC_KIND_SIGNATURE:
        return column(rows->signature, 2 * rows->length, first);
    case GECC_KIND_RECOVERY_ID:
        return column(rows->recovery_id, 1, first);
    case GECC_KIND_PRIVATE_KEY:
        return column(multiplies(described) ? rows->scalar : rows->private_key, rows->length, first);
    case GECC_KIND_SCALAR:
        return column(rows->scalar, rows->length, first);
    default:
        return gecc_rows_none();
    }
}

static bool run(void *state, enum operation operation, size_t first, size_t count) {
    struct gecc_library *gecc = state;
    const gecc_operation *described = gecc_library_operation(operation, gecc->rows->curve);
    const gecc_out outputs[] = {gecc_out_packed(gecc->out + first * RESULT_MAX, RESULT_MAX), gecc_out_none()};
    gecc_rows inputs[4];
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    const gecc_column *in;
    parameters.curve = gecc->rows->curve;
    options.report = &gecc->report;
    options.flags = operation == MUL_PUBLIC ? GECC_PUBLIC_SCALARS : 0;
    for (size_t i = 0; (in = gecc_operation_input(described, i)) != NULL; i++)
        inputs[i] = input(gecc->rows, operation, described, in, first);
    return gecc_run(gecc->context, described, &parameters, outputs, gecc_out_packed(gecc->status + first, 1), inputs,
                    count, &options) == GECC_OK;
}

static bool result(void *state, enum operation operation, size_t row, uint8_t *bytes) {
    const struct gecc_library *gecc = state;
    uint8_t status = gecc->status[row];
    if (operation == VERIFY || operation == SCHNORR_VERIFY || operation == ED25519_VERIFY) {
        *bytes = status == GECC_ITEM_OK;
        return status == GECC_ITEM_OK || status == GECC_ITEM_INVALID;
    }
    memcpy(bytes, gecc->out + row * RESULT_MAX, result_bytes(operation, gecc->rows->length));
    return status == GECC_ITEM_OK;
}

const gecc_report *gecc_library_report(const void *state) { return &((const struct gecc_library *)state)->report; }

static bool offers(gecc_curve curve, enum operation operation) {
    const gecc_operation *described = gecc_library_operation(operation, curve);
    return described != NULL && (described->curves >> curve & 1) != 0 && (curve != GECC_SM2 || operation != RECOVER);
}

static bool is_tuned(gecc_curve curve) { return gecc_curve_bytes(curve) != 0; }

const struct library library_gecc = {
    .name = "gecc",
    .rfc6979 = true,
    .offers = offers,
    .is_tuned = is_tuned,
    .version = version,
    .prepare = prepare,
    .release = release,
    .run = run,
    .result = result,
};
