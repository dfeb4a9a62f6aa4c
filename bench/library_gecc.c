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

static gecc_result run_sm2(struct gecc_library *gecc, enum operation operation, gecc_out out, uint8_t *status,
                           size_t first, size_t count, const gecc_options *options) {
    const struct rows *rows = gecc->rows;
    gecc_rows signature = column(rows->signature, 2 * rows->length, first);
    if (operation == SIGN)
        return gecc_sm2_sign(gecc->context, out, status, column(rows->private_key, rows->length, first),
                             column(rows->digest, DIGEST_BYTES, first), count, options);
    return gecc_sm2_verify(gecc->context, status, column(rows->public_key, 1 + 2 * rows->length, first),
                           column(rows->checked, DIGEST_BYTES, first), signature, count, options);
}

static gecc_result run_ecdsa(struct gecc_library *gecc, enum operation operation, gecc_out out, uint8_t *status,
                             size_t first, size_t count, const gecc_options *options) {
    const struct rows *rows = gecc->rows;
    gecc_rows digest = column(rows->digest, DIGEST_BYTES, first);
    gecc_rows signature = column(rows->signature, 2 * rows->length, first);
    if (operation == SIGN)
        return gecc_ecdsa_sign(gecc->context, rows->curve, out, NULL, status,
                               column(rows->private_key, rows->length, first), digest, count, options);
    if (operation == RECOVER)
        return gecc_ecdsa_recover(gecc->context, rows->curve, out, status, digest, signature,
                                  column(rows->recovery_id, 1, first), count, options);
    return gecc_ecdsa_verify(gecc->context, rows->curve, status, column(rows->public_key, 1 + 2 * rows->length, first),
                             column(rows->checked, DIGEST_BYTES, first), signature, count, options);
}

static gecc_result run_point(struct gecc_library *gecc, enum operation operation, gecc_out out, uint8_t *status,
                             size_t first, size_t count, const gecc_options *options) {
    const struct rows *rows = gecc->rows;
    gecc_rows scalar = column(rows->scalar, rows->length, first);
    gecc_rows point = column(rows->public_key, 1 + 2 * rows->length, first);
    if (operation == PUBLIC_KEY)
        return gecc_ec_public_key(gecc->context, rows->curve, out, status,
                                  column(rows->private_key, rows->length, first), count, options);
    if (operation == ECDH)
        return gecc_ecdh(gecc->context, rows->curve, out, status, scalar, point, count, options);
    return gecc_ec_mul(gecc->context, rows->curve, out, status, scalar, point, count, options);
}

static bool run(void *state, enum operation operation, size_t first, size_t count) {
    struct gecc_library *gecc = state;
    gecc_out out = gecc_out_packed(gecc->out + first * RESULT_MAX, RESULT_MAX);
    uint8_t *status = gecc->status + first;
    gecc_options options = GECC_OPTIONS_INIT;
    options.report = &gecc->report;
    options.flags = operation == MUL_PUBLIC ? GECC_PUBLIC_SCALARS : 0;
    bool signatures = operation == VERIFY || operation == SIGN || operation == RECOVER;
    if (!signatures)
        return run_point(gecc, operation, out, status, first, count, &options) == GECC_OK;
    if (gecc->rows->curve == GECC_SM2)
        return run_sm2(gecc, operation, out, status, first, count, &options) == GECC_OK;
    return run_ecdsa(gecc, operation, out, status, first, count, &options) == GECC_OK;
}

static bool result(void *state, enum operation operation, size_t row, uint8_t *bytes) {
    const struct gecc_library *gecc = state;
    uint8_t status = gecc->status[row];
    if (operation == VERIFY) {
        *bytes = status == GECC_ITEM_OK;
        return status == GECC_ITEM_OK || status == GECC_ITEM_INVALID;
    }
    memcpy(bytes, gecc->out + row * RESULT_MAX, result_bytes(operation, gecc->rows->length));
    return status == GECC_ITEM_OK;
}

const gecc_report *gecc_library_report(const void *state) { return &((const struct gecc_library *)state)->report; }

const struct library library_gecc = {
    .name = "gecc",
    .rfc6979 = true,
    .version = version,
    .prepare = prepare,
    .release = release,
    .run = run,
    .result = result,
};
