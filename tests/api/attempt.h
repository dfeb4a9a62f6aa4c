/* Calls of every operation on a recording context, whose arguments are all right, to spoil one of. Each is tried twice:
 * by the operation's typed function and by gecc_run, which must do the same. */
#ifndef TESTS_API_ATTEMPT_H
#define TESTS_API_ATTEMPT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

#include "api/keys.h"
#include "functions.h"
#include "recorder.h"

/* STALE: what memory holds before a call. */
enum { COUNT = 3, BUFFER_BYTES = 1024, STATUS_STRIDE_MOST = 8, STALE = 0xee, KEY_WINDOW = 5, OPEN_BYTES = 100 };

struct attempt {
    int index; /* of the operation */
    const gecc_operation *operation;
    struct recorder recorder;
    gecc_context context;
    gecc_options options;
    struct arguments a;
    uint8_t modulus[32];
    uint8_t status[COUNT * STATUS_STRIDE_MOST];
    uint8_t out[JOB_OUTPUTS][BUFFER_BYTES];
    uint8_t in[JOB_INPUTS][BUFFER_BYTES];
    uint32_t widths[COUNT];
};

#define check(t, condition)                                                                                            \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("%s: %s", (t)->operation->name, #condition);                                                      \
    } while (0)

/* The kind of a column; 0 past the last. */
static inline gecc_kind in_kind(int operation, int column) {
    const gecc_column *in = gecc_operation_input(gecc_operations((size_t)operation), (size_t)column);
    return in == NULL ? (gecc_kind)0 : in->kind;
}

static inline gecc_kind out_kind(int operation, int column) {
    const gecc_column *out = gecc_operation_output(gecc_operations((size_t)operation), (size_t)column);
    return out == NULL ? (gecc_kind)0 : out->kind;
}

/* Does the caller say how wide rows of such outputs are? And have they widths of their own? */
static inline bool is_open(gecc_kind kind) {
    return kind == GECC_KIND_CIPHERTEXT || kind == GECC_KIND_PLAINTEXT || kind == GECC_KIND_DERIVED_KEY;
}
static inline bool has_own_widths(gecc_kind kind, uint32_t flags) {
    return (kind == GECC_KIND_SIGNATURE && (flags & GECC_DER) != 0) || kind == GECC_KIND_CIPHERTEXT ||
           kind == GECC_KIND_PLAINTEXT;
}

static inline bool takes_kind(int operation, gecc_kind kind) {
    for (int i = 0; i < JOB_INPUTS; i++)
        if (in_kind(operation, i) == kind)
            return true;
    return false;
}

static inline bool takes_keys(int operation) { return takes_kind(operation, GECC_KIND_KEY_NUMBER); }

static inline bool has_curves(int operation) {
    uint32_t curves = gecc_operations((size_t)operation)->curves;
    return (curves & (curves - 1)) != 0;
}

/* Does the typed function take a curve? */
static inline bool is_told_the_curve(int operation) { return has_curves(operation) && !takes_keys(operation); }

/* The only curve that it works on, 0: there is none, or more than one. */
static inline gecc_curve curve_of(int operation) {
    for (gecc_curve curve = GECC_SECP256K1; curve <= GECC_CURVE25519; curve++)
        if (gecc_operations((size_t)operation)->curves == 1u << curve)
            return curve;
    return (gecc_curve)0;
}

/* Does it sign on any curve? */
static inline bool signs_ecdsa(int operation) {
    return has_curves(operation) && out_kind(operation, 0) == GECC_KIND_SIGNATURE;
}

/* The width of a row that is right, as the headers say it. */
static inline size_t width_of(gecc_kind kind, const struct arguments *a, uint32_t flags) {
    size_t bytes = gecc_curve_bytes(a->parameters.curve);
    switch (kind) {
    case GECC_KIND_POINT:
    case GECC_KIND_POINTS:
        return 1 + 2 * bytes;
    case GECC_KIND_SIGNATURE:
        return ((flags & GECC_DER) != 0 ? gecc_der_bytes(a->parameters.curve) : 2 * bytes) +
               ((flags & GECC_SIGHASH_BYTE) != 0);
    case GECC_KIND_PRIVATE_KEY:
    case GECC_KIND_NONCE:
    case GECC_KIND_SCALAR:
    case GECC_KIND_PUBLIC_SCALAR:
    case GECC_KIND_SCALARS: /* of one term, as a point */
    case GECC_KIND_SHARED_SECRET:
        return bytes;
    case GECC_KIND_KEY_NUMBER:
        return 4;
    case GECC_KIND_BIP340_SIGNATURE:
    case GECC_KIND_ED25519_SIGNATURE:
        return 64;
    case GECC_KIND_ETHEREUM_SIGNATURE:
        return 65;
    case GECC_KIND_ADDRESS:
        return 20;
    case GECC_KIND_RECOVERY_ID:
    case GECC_KIND_PARITY:
        return 1;
    case GECC_KIND_CIPHERTEXT:
    case GECC_KIND_PLAINTEXT:
    case GECC_KIND_DERIVED_KEY:
        return OPEN_BYTES;
    case GECC_KIND_RESIDUE:
        return a->parameters.modulus.bytes;
    case GECC_KIND_HASH:
        return gecc_hash_bytes(a->parameters.hash);
    default:
        return 32;
    }
}

/* May rows of this kind have any width? */
static inline bool any_width_is_right(gecc_kind kind) {
    return kind == GECC_KIND_MESSAGE || kind == GECC_KIND_SCALARS || kind == GECC_KIND_POINTS;
}

/* Can rows of this kind have this width, if all have the same? */
static inline bool width_is_right(gecc_kind kind, size_t width, const struct arguments *a, uint32_t flags) {
    size_t bytes = gecc_curve_bytes(a->parameters.curve);
    switch (kind) {
    case GECC_KIND_POINT:
        return width == 1 + bytes || width == 2 * bytes || width == 1 + 2 * bytes;
    case GECC_KIND_DIGEST:
        return width >= 20 && width <= 64;
    case GECC_KIND_SIGNATURE:
        width -= (flags & GECC_SIGHASH_BYTE) != 0;
        return (flags & GECC_DER) != 0 ? width >= 8 && width <= gecc_der_bytes(a->parameters.curve)
                                       : width == 2 * bytes;
    case GECC_KIND_BIP340_SIGNATURE:
        return width == 64 || ((flags & GECC_SIGHASH_BYTE) != 0 && width == 65);
    case GECC_KIND_ETHEREUM_SIGNATURE:
        return width >= 65 && width <= 96;
    case GECC_KIND_ETHEREUM_NUMBER:
        return width >= 1 && width <= 32;
    case GECC_KIND_MERKLE_ROOT:
        return width == 0 || width == 32;
    case GECC_KIND_EXPONENT:
        return width >= 1 && width <= 64;
    case GECC_KIND_SM2_ID:
        return width <= 8191;
    case GECC_KIND_CONTEXT:
        return width <= 255;
    case GECC_KIND_PLAINTEXT:
        return width >= 1;
    case GECC_KIND_CIPHERTEXT:
        return width > ((flags & GECC_DER) != 0 ? 44 : 65 + 32);
    default:
        return any_width_is_right(kind) || width == width_of(kind, a, flags);
    }
}

static inline void attempt_fill_columns(struct attempt *t, uint32_t flags) {
    for (int i = 0; i < JOB_INPUTS; i++) {
        gecc_kind kind = in_kind(t->index, i);
        t->a.in[i] = kind != 0 ? gecc_rows_packed(t->in[i], width_of(kind, &t->a, flags)) : gecc_rows_none();
    }
    for (int i = 0; i < JOB_OUTPUTS; i++) {
        gecc_kind kind = out_kind(t->index, i);
        t->a.out[i] = kind != 0 ? gecc_out_packed(t->out[i], width_of(kind, &t->a, flags)) : gecc_out_none();
        t->a.out[i].widths = kind != 0 ? t->widths : NULL;
    }
}

/* Those of the last attempt, which no backend has made: the recorder does not look at them. */
static gecc_keys attempt_keys;

static inline gecc_keys *attempt_fill_keys(struct attempt *t) {
    attempt_keys.context = &t->context;
    attempt_keys.curve = t->a.parameters.curve;
    attempt_keys.set = (struct key_set){.rows = t->in, .status = t->status, .count = COUNT, .width = KEY_WINDOW};
    return &attempt_keys;
}

/* On that curve, where the operation has any. */
static inline struct attempt *attempt_on(struct attempt *t, int operation, gecc_curve curve, uint32_t flags) {
    memset(t, 0, sizeof *t);
    t->index = operation;
    t->operation = gecc_operations((size_t)operation);
    t->recorder.processed = COUNT;
    t->context = recorder_context(&t->recorder);
    t->options = (gecc_options)GECC_OPTIONS_INIT;
    t->options.flags = flags;
    t->options.output_bytes = is_open(out_kind(operation, 0)) ? OPEN_BYTES : 0;
    t->modulus[31] = 3;
    memset(t->status, STALE, sizeof t->status);
    memset(t->out, STALE, sizeof t->out);
    memset(t->widths, STALE, sizeof t->widths);
    t->a.context = &t->context;
    t->a.parameters = (gecc_parameters)GECC_PARAMETERS_INIT;
    t->a.parameters.curve = has_curves(operation) || curve_of(operation) == 0 ? curve : curve_of(operation);
    t->a.parameters.keys = takes_keys(operation) ? attempt_fill_keys(t) : NULL;
    t->a.parameters.hash = GECC_SHA512;
    t->a.parameters.modulus = (gecc_modulus){t->modulus, sizeof t->modulus};
    t->a.status = gecc_out_packed(t->status, 1);
    t->a.count = COUNT;
    t->a.options = &t->options;
    attempt_fill_columns(t, flags);
    return t;
}

static inline struct attempt *attempt(struct attempt *t, int operation) {
    return attempt_on(t, operation, GECC_P384, 0);
}

static inline gecc_result by_function(const struct attempt *t) {
    return functions[t->index].call(functions[t->index].function, &t->a);
}

static inline gecc_result by_run(const struct attempt *t) {
    const struct arguments *a = &t->a;
    return gecc_run(a->context, t->operation, &a->parameters, a->out, a->status, a->in, a->count, a->options);
}

static inline bool key_sets_equal(const struct key_set *a, const struct key_set *b) {
    return a->rows == b->rows && a->status == b->status && a->count == b->count && a->width == b->width &&
           a->windows == b->windows;
}

static inline bool jobs_equal(const struct job *a, const struct job *b) {
    return a->operation == b->operation && a->curve == b->curve && a->flags == b->flags && a->hash == b->hash &&
           a->point_format == b->point_format && a->on_device == b->on_device &&
           memcmp(a->in, b->in, sizeof a->in) == 0 && memcmp(a->out, b->out, sizeof a->out) == 0 &&
           memcmp(&a->status, &b->status, sizeof a->status) == 0 && a->count == b->count &&
           memcmp(a->modulus, b->modulus, sizeof a->modulus) == 0 && a->modulus_bytes == b->modulus_bytes &&
           memcmp(a->out_width, b->out_width, sizeof a->out_width) == 0 && a->plain_outputs == b->plain_outputs &&
           a->stream == b->stream && key_sets_equal(&a->keys, &b->keys);
}

/* Both ways make a job, the same one. */
static inline void accepted(struct attempt *t) {
    unsigned before = t->recorder.runs;
    check(t, by_function(t) == GECC_OK);
    struct job job = t->recorder.job;
    check(t, by_run(t) == GECC_OK);
    check(t, t->recorder.runs == before + 2);
    check(t, jobs_equal(&job, &t->recorder.job));
}

static inline bool all_are(const void *memory, uint8_t byte, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        if (((const uint8_t *)memory)[i] != byte)
            return false;
    return true;
}

/* The statuses are all `item`, and nothing lies beside them. */
static inline bool statuses_are(const struct attempt *t, uint8_t item) {
    size_t stride = t->a.status.stride;
    bool right = true;
    for (size_t i = 0; i < sizeof t->status; i++)
        right &= t->status[i] == (stride != 0 && i % stride == 0 && i / stride < COUNT ? item : STALE);
    return right;
}

/* Refused: no job, and the outputs are left alone. The text is that of `first`, if that is one. */
static inline void check_refusal(struct attempt *t, gecc_result result, const char *first) {
    check(t, result == GECC_ERROR_ARGUMENT);
    check(t, t->recorder.submits == 0);
    check(t, all_are(t->out, STALE, sizeof t->out) && all_are(t->widths, STALE, sizeof t->widths));
    check(t, gecc_error_text()[0] != 0 && (first == NULL || strcmp(gecc_error_text(), first) == 0));
}

/* Refused both ways, with the same words. Statuses that can be reached read NOT_PROCESSED, others stay as they are. */
static inline void refused_with(struct attempt *t, uint8_t item) {
    unsigned before = t->recorder.runs;
    char text[256];
    check_refusal(t, by_function(t), NULL);
    check(t, statuses_are(t, item));
    memset(t->status, STALE, sizeof t->status);
    (void)strcpy(text, gecc_error_text());
    check_refusal(t, by_run(t), text);
    check(t, statuses_are(t, item));
    check(t, t->recorder.runs == before);
}

static inline void refused(struct attempt *t) { refused_with(t, GECC_ITEM_NOT_PROCESSED); }

/* The same, and the words begin with the name of what is wrong. */
static inline void refused_for(struct attempt *t, const char *name) {
    refused(t);
    size_t length = strlen(name);
    const char *text = gecc_error_text();
    if (strncmp(text, name, length) != 0 || (text[length] != ':' && text[length] != ' '))
        fail_msg("%s: the text is of %s: %s", t->operation->name, name, text);
}

#endif
