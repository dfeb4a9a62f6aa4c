/* Calls with rows in many shapes, whose results on the CPU are known. */
#ifndef TESTS_BACKEND_CUDA_SAMPLES_H
#define TESTS_BACKEND_CUDA_SAMPLES_H

#include <stdbool.h>
#include <string.h>

#include "fake_cuda/backend.h"
#include "support/prng.h"

enum { SAMPLE_ROWS = 700, IN_STRIDE = 208, OUT_STRIDE = 80, UNTOUCHED = 0xa5 };

/* Inputs, and what a call makes of them. Columns that a call has no use for stay as they are. */
struct sample {
    size_t count;
    uint8_t in[3][SAMPLE_ROWS * IN_STRIDE];
    uint32_t in_widths[3][SAMPLE_ROWS];
    uint64_t in_offsets[SAMPLE_ROWS];
    uint8_t out[SAMPLE_ROWS * OUT_STRIDE];
    uint32_t out_widths[SAMPLE_ROWS];
    uint8_t ids[SAMPLE_ROWS];
    uint8_t status[SAMPLE_ROWS];
    gecc_report report;
};

typedef gecc_result sample_call(gecc_context *context, struct sample *sample, gecc_options *options);

/* Signatures as DER, rows apart; keys apart, digests in reverse order. */
static inline gecc_result sample_sign(gecc_context *context, struct sample *s, gecc_options *options) {
    gecc_out out = {s->out, OUT_STRIDE, s->out_widths};
    gecc_rows digests = {s->in[1], 7, 32, NULL, s->in_offsets};
    options->flags = GECC_DER;
    return gecc_ecdsa_sign(context, GECC_SECP256K1, out, gecc_out_packed(s->ids, 1), gecc_out_packed(s->status, 1),
                           gecc_rows_strided(s->in[0], 32, IN_STRIDE), digests, gecc_rows_none(), s->count, options);
}

/* From row 16 on with digests that are no digests, for which a slot has to grow. */
static inline gecc_result sample_sign_growing(gecc_context *context, struct sample *s, gecc_options *options) {
    gecc_out out = {s->out, OUT_STRIDE, s->out_widths};
    for (size_t i = 0; i < SAMPLE_ROWS; i++)
        s->in_widths[0][i] = i < 16 ? 32 : 8192;
    gecc_rows digests = {s->in[1], 64, 0, s->in_widths[0], NULL};
    options->flags = GECC_DER;
    return gecc_ecdsa_sign(context, GECC_SECP256K1, out, gecc_out_packed(s->ids, 1), gecc_out_packed(s->status, 1),
                           gecc_rows_strided(s->in[0], 32, IN_STRIDE), digests, gecc_rows_none(), s->count, options);
}

/* Packed rows, into packed rows. */
static inline gecc_result sample_multiply(gecc_context *context, struct sample *s, gecc_options *options) {
    static const uint8_t modulus[32] = {0x7f, [30] = 0x11, [31] = 0x97};
    return gecc_mod_mul(context, (gecc_modulus){modulus, 32}, gecc_out_packed(s->out, 32),
                        gecc_out_packed(s->status, 1), gecc_rows_packed(s->in[0], 32), gecc_rows_same(s->in[1], 32),
                        s->count, options);
}

/* Over its own input, in another width of modulus. */
static inline gecc_result sample_add_in_place(gecc_context *context, struct sample *s, gecc_options *options) {
    static const uint8_t modulus[20] = {0xff, [19] = 0xfb};
    return gecc_mod_add(context, (gecc_modulus){modulus, 20}, gecc_out_packed(s->in[0], 24),
                        gecc_out_packed(s->status, 1), gecc_rows_strided(s->in[0], 20, 24),
                        gecc_rows_strided(s->in[1], 20, 31), s->count, options);
}

/* Messages of all widths. */
static inline gecc_result sample_digest(gecc_context *context, struct sample *s, gecc_options *options) {
    gecc_rows messages = {s->in[2], IN_STRIDE, 0, s->in_widths[2], NULL};
    return gecc_digest(context, GECC_SHA256, gecc_out_packed(s->out, OUT_STRIDE), gecc_out_packed(s->status, 1),
                       messages, s->count, options);
}

/* Points of all widths, most of them none, at offsets. */
static inline gecc_result sample_validate(gecc_context *context, struct sample *s, gecc_options *options) {
    gecc_rows points = {s->in[2], 0, 0, s->in_widths[1], s->in_offsets};
    return gecc_ec_validate(context, GECC_P256, gecc_out_packed(s->status, 1), points, s->count, options);
}

/* All keys, zeros among them, to points. */
static inline gecc_result sample_public_key(gecc_context *context, struct sample *s, gecc_options *options) {
    options->point_format = GECC_POINT_COMPRESSED;
    return gecc_ec_public_key(context, GECC_SECP256K1, gecc_out_packed(s->out, OUT_STRIDE),
                              gecc_out_packed(s->status, 1), gecc_rows_strided(s->in[0], 32, IN_STRIDE), s->count,
                              options);
}

struct sample_kind {
    const char *name;
    sample_call *call;
    bool secret; /* in[0] is */
};

static const struct sample_kind sample_kinds[] = {
    {"sign", sample_sign, true},
    {"multiply", sample_multiply, true},
    {"digest", sample_digest, false},
    {"add in place", sample_add_in_place, true},
    {"validate", sample_validate, false},
    {"public key", sample_public_key, true},
    {"sign, growing", sample_sign_growing, true},
};

enum { SAMPLE_KINDS = sizeof sample_kinds / sizeof sample_kinds[0] };

/* Random rows, with rows of zeros and of ones among them; keys and residues mostly in range. */
static inline struct sample *sample_new(size_t count) {
    struct prng prng = {20240613};
    struct sample *s = calloc(1, sizeof *s);
    static const uint32_t point_widths[] = {33, 64, 65, 65, 65, 1, 0, 40};
    s->count = count;
    s->report = (gecc_report)GECC_REPORT_INIT;
    for (unsigned column = 0; column < 3; column++)
        prng_bytes(&prng, s->in[column], sizeof s->in[column]);
    for (size_t i = 0; i < SAMPLE_ROWS; i++) {
        s->in[0][i * IN_STRIDE] &= 0x3f;
        if (i % 11 == 3)
            memset(s->in[0] + i * IN_STRIDE, i % 2 ? 0 : 0xff, 64);
        s->in_offsets[i] = (SAMPLE_ROWS - 1 - i) * IN_STRIDE;
        s->in_widths[1][i] = point_widths[i % 8];
        s->in[2][s->in_offsets[i]] = (uint8_t)(2 + i % 3);
        s->in_widths[2][i] = (uint32_t)prng_below(&prng, IN_STRIDE + 1);
    }
    s->in[1][0] &= 0x3f;
    s->in_widths[1][13] = UINT32_MAX;
    memset(s->out, UNTOUCHED, sizeof s->out);
    memset(s->out_widths, UNTOUCHED, sizeof s->out_widths);
    memset(s->ids, UNTOUCHED, sizeof s->ids);
    memset(s->status, UNTOUCHED, sizeof s->status);
    return s;
}

static inline struct sample *sample_copy(const struct sample *sample) {
    struct sample *copy = malloc(sizeof *copy);
    memcpy(copy, sample, sizeof *copy);
    return copy;
}

static inline gecc_result sample_run(const struct sample_kind *kind, gecc_context *context, struct sample *sample) {
    gecc_options options = GECC_OPTIONS_INIT;
    options.report = &sample->report;
    return kind->call(context, sample, &options);
}

/* Is everything the same, byte for byte, what lies beside rows included? */
static inline bool sample_equal(const struct sample *a, const struct sample *b) {
    return memcmp(a, b, offsetof(struct sample, report)) == 0;
}

#endif
