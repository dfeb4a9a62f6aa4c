#include "rows.h"

#include <stdlib.h>
#include <string.h>

#include "program.h"

enum { COLUMNS = 4, SECRET_BYTES = 32 }; /* columns of an operation, at most */

static void columns(const struct bench *b, size_t row, gecc_rows in[COLUMNS]) {
    for (size_t i = 0; i < COLUMNS; i++)
        in[i] = i < b->inputs ? gecc_rows_packed(b->in[i] + row * b->width[i], b->width[i]) : gecc_rows_none();
}

static gecc_out out_at(const struct bench *b, size_t row) {
    return b->output == 0 ? gecc_out_none() : gecc_out_packed(b->outputs + row * b->output, b->output);
}

gecc_result bench_call(const struct bench *b, size_t row, size_t count) {
    gecc_rows in[COLUMNS];
    const gecc_out out = out_at(b, row);
    columns(b, row, in);
    return gecc_run(b->context, b->operation, &b->parameters, &out, gecc_out_packed(b->statuses + row, 1), in, count,
                    NULL);
}

gecc_result bench_submit(const struct bench *b, gecc_queue *queue, size_t row, size_t count, gecc_queue_done done,
                         void *argument) {
    gecc_rows in[COLUMNS];
    const gecc_out out = out_at(b, row);
    columns(b, row, in);
    return gecc_queue_submit(queue, b->operation, &b->parameters, &out, gecc_out_packed(b->statuses + row, 1), in,
                             count, NULL, done, argument, NULL);
}

gecc_result bench_run(const struct bench *b, gecc_queue *queue, size_t row, size_t count) {
    gecc_rows in[COLUMNS];
    const gecc_out out = out_at(b, row);
    columns(b, row, in);
    return gecc_queue_run(queue, b->operation, &b->parameters, &out, gecc_out_packed(b->statuses + row, 1), in, count,
                          NULL);
}

void bench_check(const struct bench *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        program_require(b->statuses[i] == GECC_ITEM_OK, b->name);
    memset(b->statuses, GECC_ITEM_NOT_PROCESSED, count);
}

/* Random numbers below every order, if they are scalars. */
static uint8_t *random_rows(size_t rows, uint64_t *state) {
    uint8_t *bytes = program_memory(rows, SECRET_BYTES);
    for (size_t i = 0; i < rows * SECRET_BYTES; i += sizeof(uint64_t)) {
        const uint64_t word = program_random(state);
        memcpy(bytes + i, &word, sizeof word);
    }
    for (size_t i = 0; i < rows; i++)
        bytes[i * SECRET_BYTES] &= 0x7f;
    return bytes;
}

void bench_fill(struct bench *b, unsigned which) {
    static const char *const names[OPERATIONS] = {"ecdsa.verify", "sm2.sign", "ed25519.verify"};
    static const gecc_curve curves[OPERATIONS] = {GECC_P256, GECC_SM2, GECC_CURVE25519};
    static const char *const titles[OPERATIONS] = {"P-256 verify", "SM2 sign", "Ed25519 verify"};
    static const size_t points[OPERATIONS] = {65, 0, 32};
    uint64_t state = which;
    uint8_t *key = random_rows(b->rows, &state);
    gecc_result result = GECC_OK;
    b->name = titles[which];
    b->operation = gecc_operation_find(names[which]);
    b->parameters = (gecc_parameters)GECC_PARAMETERS_INIT;
    b->parameters.curve = curves[which];
    b->in[1] = random_rows(b->rows, &state);
    b->width[1] = SECRET_BYTES;
    b->outputs = program_memory(b->rows, 64);
    b->statuses = program_memory(b->rows, 1);
    if (points[which] == 0) {
        b->output = 64;
        b->inputs = 2; /* and entropy, which is left out */
        b->width[0] = SECRET_BYTES;
        b->in[0] = key;
        return;
    }
    b->output = 0;
    b->inputs = 3;
    b->width[0] = points[which];
    b->width[2] = 64;
    b->in[0] = program_memory(b->rows, b->width[0]);
    b->in[2] = program_memory(b->rows, b->width[2]);
    const gecc_rows keys = gecc_rows_packed(key, SECRET_BYTES), messages = gecc_rows_packed(b->in[1], SECRET_BYTES);
    const gecc_out public = gecc_out_packed(b->in[0], b->width[0]), signature = gecc_out_packed(b->in[2], 64);
    const gecc_out status = gecc_out_packed(b->statuses, 1);
    if (curves[which] == GECC_CURVE25519) {
        result = gecc_ed25519_public_key(b->context, public, status, keys, b->rows, NULL);
        if (result == GECC_OK)
            result = gecc_ed25519_sign(b->context, signature, status, keys, messages, gecc_rows_none(), b->rows, NULL);
    } else {
        result = gecc_ec_public_key(b->context, curves[which], public, status, keys, b->rows, NULL);
        if (result == GECC_OK)
            result = gecc_ecdsa_sign(b->context, curves[which], signature, gecc_out_none(), status, keys, messages,
                                     gecc_rows_none(), b->rows, NULL);
    }
    program_require(result == GECC_OK, "rows");
    bench_check(b, b->rows);
    free(key);
}

void bench_empty(struct bench *b) {
    for (size_t i = 0; i < b->inputs; i++)
        free(b->in[i]);
    free(b->outputs);
    free(b->statuses);
}
