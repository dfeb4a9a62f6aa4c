#include "rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t widths[COLUMNS] = {
    [KEYS] = SCALAR_BYTES,   [POINTS] = POINT_BYTES,         [OTHERS] = POINT_BYTES, [DIGESTS] = SCALAR_BYTES,
    [NONCES] = SCALAR_BYTES, [SIGNATURES] = SIGNATURE_BYTES, [OUT] = POINT_BYTES,    [STATUS] = 1,
};

size_t column_bytes(enum column column) { return widths[column]; }

static size_t distinct_bytes(enum column column) {
    return (column == NONCES ? DISTINCT_NONCES : DISTINCT_ROWS) * widths[column];
}

size_t task_inputs(enum task task, enum column inputs[3]) {
    static const enum column of_tasks[TASKS][3] = {
        [FPMUL] = {NONCES},
        [UPMUL] = {NONCES, POINTS},
        [SIGN] = {KEYS, DIGESTS, NONCES},
        [VERIFY] = {POINTS, DIGESTS, SIGNATURES},
        [ADD] = {POINTS, OTHERS},
    };
    static const size_t counts[TASKS] = {[FPMUL] = 1, [UPMUL] = 2, [SIGN] = 3, [VERIFY] = 3, [ADD] = 2};
    memcpy(inputs, of_tasks[task], sizeof of_tasks[task]);
    return counts[task];
}

size_t task_out_bytes(enum task task) { return task == VERIFY ? 0 : widths[OUT]; }

gecc_result rows_compute(gecc_context *context, enum task task, uint8_t *const columns[COLUMNS], size_t count,
                         const gecc_options *options) {
    gecc_rows in[3] = {{0}};
    enum column inputs[3];
    gecc_out out = gecc_out_packed(columns[OUT], widths[OUT]), status = gecc_out_packed(columns[STATUS], 1);
    for (size_t i = task_inputs(task, inputs); i-- > 0;)
        in[i] = gecc_rows_packed(columns[inputs[i]], widths[inputs[i]]);
    switch (task) {
    case FPMUL:
        return gecc_ec_mul_base(context, GECC_SM2, out, status, in[0], count, options);
    case UPMUL:
        return gecc_ec_mul(context, GECC_SM2, out, status, in[0], in[1], count, options);
    case SIGN:
        return gecc_sm2_sign_with_dangerous_nonce(context, out, status, in[0], in[1], in[2], count, options);
    case VERIFY:
        return gecc_sm2_verify(context, status, in[0], in[1], in[2], count, options);
    default:
        return gecc_ec_add(context, GECC_SM2, out, status, in[0], in[1], count, options);
    }
}

static void fill_random(uint8_t *bytes, size_t count, uint64_t seed) {
    for (size_t i = 0; i < count; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u; /* Knuth's MMIX */
        bytes[i] = (uint8_t)(seed >> 56);
    }
}

/* Random rows, and among the first and the last a scalar 0, one of all ones, a point that is none, a key of zeros, and
 * signatures and digests that do not belong together. */
static bool make_host(struct rows *rows) {
    gecc_options options = GECC_OPTIONS_INIT;
    options.point_format = GECC_POINT_RAW;
    for (int i = 0; i < COLUMNS; i++) {
        rows->host[i] = malloc(distinct_bytes((enum column)i));
        if (rows->host[i] == NULL)
            return false;
    }
    fill_random(rows->host[KEYS], DISTINCT_ROWS * SCALAR_BYTES, 1);
    fill_random(rows->host[DIGESTS], DISTINCT_ROWS * SCALAR_BYTES, 2);
    fill_random(rows->host[NONCES], DISTINCT_NONCES * SCALAR_BYTES, 3);
    for (size_t i = 0; i < DISTINCT_ROWS; i++) /* below n */
        rows->host[KEYS][i * SCALAR_BYTES] &= 0x7f;
    if (gecc_ec_public_key(rows->cpu, GECC_SM2, gecc_out_packed(rows->host[POINTS], POINT_BYTES),
                           gecc_out_packed(rows->host[STATUS], 1), gecc_rows_packed(rows->host[KEYS], SCALAR_BYTES),
                           DISTINCT_ROWS, &options) != GECC_OK ||
        rows_compute(rows->cpu, SIGN, rows->host, DISTINCT_ROWS, NULL) != GECC_OK)
        return false;
    memcpy(rows->host[SIGNATURES], rows->host[OUT], DISTINCT_ROWS * SIGNATURE_BYTES);
    memcpy(rows->host[OTHERS], rows->host[POINTS] + POINT_BYTES, (DISTINCT_ROWS - 1) * POINT_BYTES);
    memcpy(rows->host[OTHERS] + (DISTINCT_ROWS - 1) * POINT_BYTES, rows->host[POINTS], POINT_BYTES);
    memcpy(rows->host[OTHERS] + POINT_BYTES, rows->host[POINTS] + POINT_BYTES, POINT_BYTES); /* P + P */
    for (size_t i = 3; i < DISTINCT_ROWS; i += DISTINCT_ROWS - 20) {
        for (size_t nonce = i; nonce < DISTINCT_NONCES; nonce += DISTINCT_ROWS) {
            memset(rows->host[NONCES] + nonce * SCALAR_BYTES, 0, SCALAR_BYTES);
            memset(rows->host[NONCES] + (nonce + 1) * SCALAR_BYTES, 0xff, SCALAR_BYTES);
        }
        rows->host[POINTS][(i + 2) * POINT_BYTES + 40] ^= 1;
        memset(rows->host[KEYS] + (i + 3) * SCALAR_BYTES, 0, SCALAR_BYTES);
        rows->host[SIGNATURES][(i + 4) * SIGNATURE_BYTES + 50] ^= 1;
        rows->host[DIGESTS][(i + 5) * SCALAR_BYTES] ^= 1;
    }
    return true;
}

bool rows_make(const struct gpu *gpu, struct rows *rows, size_t most) {
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cpu";
    *rows = (struct rows){.count = most < DISTINCT_ROWS ? DISTINCT_ROWS : most};
    if (gecc_open(&rows->cpu, &config) != GECC_OK || !make_host(rows)) {
        fprintf(stderr, "gecc-papers: rows could not be made\n");
        return false;
    }
    for (int i = 0; i < COLUMNS; i++) {
        size_t all = rows->count * widths[i], distinct = distinct_bytes((enum column)i);
        if (distinct > all)
            distinct = all;
        if (!gpu_new(gpu, &rows->device[i], all) || !gpu_write(gpu, rows->device[i], rows->host[i], distinct) ||
            !gpu_repeat(gpu, rows->device[i], distinct, all))
            return false;
    }
    return true;
}

void rows_free(const struct gpu *gpu, struct rows *rows) {
    for (int i = 0; i < COLUMNS; i++) {
        gpu_free(gpu, rows->device[i]);
        free(rows->host[i]);
    }
    gecc_close(rows->cpu);
}

bool rows_clear(const struct gpu *gpu, const struct rows *rows, size_t count) {
    return gpu_clear(gpu, rows->device[OUT], count * widths[OUT]) && gpu_clear(gpu, rows->device[STATUS], count);
}

/* Rows `first` to first + SAMPLE_ROWS - 1 of those on the device. */
static bool sample_right(const struct gpu *gpu, const struct rows *rows, enum task task, size_t first) {
    uint8_t memory[COLUMNS][SAMPLE_ROWS * POINT_BYTES], *columns[COLUMNS];
    uint8_t out[SAMPLE_ROWS * POINT_BYTES], status[SAMPLE_ROWS];
    gecc_options options = GECC_OPTIONS_INIT;
    options.point_format = GECC_POINT_RAW;
    for (int i = 0; i < COLUMNS; i++) {
        columns[i] = memory[i];
        if (!gpu_read(gpu, memory[i], rows->device[i] + first * widths[i], SAMPLE_ROWS * widths[i]))
            return false;
    }
    memcpy(out, columns[OUT], sizeof out);
    memcpy(status, columns[STATUS], sizeof status);
    return rows_compute(rows->cpu, task, columns, SAMPLE_ROWS, &options) == GECC_OK &&
           memcmp(status, columns[STATUS], SAMPLE_ROWS) == 0 &&
           memcmp(out, columns[OUT], SAMPLE_ROWS * task_out_bytes(task)) == 0;
}

bool rows_right(const struct gpu *gpu, const struct rows *rows, enum task task, size_t count) {
    return sample_right(gpu, rows, task, 0) && sample_right(gpu, rows, task, count - SAMPLE_ROWS);
}
