/* What every public operation makes of its arguments: which are refused, and what job the others become. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <string.h>

#include "functions.h"
#include "recorder.h"

enum { COUNT = 3, BUFFER_BYTES = 1024 };

/* A call whose arguments are all right, to spoil one of. */
struct attempt {
    const struct function *function;
    struct recorder recorder;
    gecc_context context;
    gecc_options options;
    struct arguments a;
    uint8_t modulus[32];
    uint8_t status[COUNT];
    uint8_t recovery_id[COUNT];
    uint8_t out[BUFFER_BYTES];
    uint8_t in[JOB_INPUTS][BUFFER_BYTES];
    uint32_t widths[COUNT];
};

/* The width of a row that is right. */
static size_t width_of(enum kind kind, const struct arguments *a, uint32_t flags) {
    size_t bytes = gecc_curve_bytes(a->curve);
    switch (kind) {
    case KIND_POINT:
        return 1 + 2 * bytes;
    case KIND_SIGNATURE:
        return (flags & GECC_DER) != 0 ? 8 + 2 * bytes : 2 * bytes;
    case KIND_SCALAR:
        return bytes;
    case KIND_BYTE:
        return 1;
    case KIND_RESIDUE:
        return a->modulus.bytes;
    case KIND_HASH:
        return gecc_hash_bytes(a->hash);
    default:
        return 32;
    }
}

static void attempt_fill_columns(struct attempt *t, uint32_t flags) {
    for (int i = 0; i < JOB_INPUTS; i++) {
        size_t width = width_of(t->function->in[i], &t->a, flags);
        t->a.in[i] = gecc_rows_packed(t->in[i], width);
    }
    t->a.out = gecc_out_packed(t->out, width_of(t->function->out, &t->a, flags));
    t->a.out.widths = t->widths;
}

static struct attempt *attempt_on(struct attempt *t, const struct function *function, gecc_curve curve,
                                  uint32_t flags) {
    memset(t, 0, sizeof *t);
    t->function = function;
    t->recorder.processed = COUNT;
    t->context = recorder_context(&t->recorder);
    t->options = (gecc_options)GECC_OPTIONS_INIT;
    t->options.flags = flags;
    t->modulus[31] = 3;
    memset(t->status, 0xee, sizeof t->status);
    t->a.context = &t->context;
    t->a.curve = function->selects == SELECTS_CURVE ? curve : GECC_SM2;
    t->a.hash = GECC_SHA512;
    t->a.modulus = (gecc_modulus){t->modulus, sizeof t->modulus};
    t->a.recovery_id = t->recovery_id;
    t->a.status = t->status;
    t->a.count = COUNT;
    t->a.options = &t->options;
    attempt_fill_columns(t, flags);
    return t;
}

static struct attempt *attempt(struct attempt *t, int index) { return attempt_on(t, &functions[index], GECC_P384, 0); }

#define check(t, condition)                                                                                            \
    do {                                                                                                               \
        if (!(condition))                                                                                              \
            fail_msg("gecc_%s: %s", (t)->function->name, #condition);                                                  \
    } while (0)

static void accepted(struct attempt *t) {
    unsigned before = t->recorder.runs;
    check(t, t->function->call(&t->a) == GECC_OK);
    check(t, t->recorder.runs == before + 1);
}

/* Refused, and nothing was touched. */
static void refused(struct attempt *t) {
    unsigned before = t->recorder.runs;
    check(t, t->function->call(&t->a) == GECC_ERROR_ARGUMENT);
    check(t, t->recorder.runs == before && t->recorder.submits == 0);
    for (int i = 0; i < COUNT; i++)
        check(t, t->status[i] == 0xee);
}

static void test_right_arguments_become_a_job(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        attempt(&t, i);
        accepted(&t);
        const struct job *job = &t.recorder.job;
        check(&t, job->operation == functions[i].operation);
        check(&t, job->count == COUNT && job->status == t.status);
        check(&t, job->flags == 0);
        for (int k = 0; k < JOB_INPUTS; k++) {
            check(&t, job->in[k].data == (functions[i].in[k] == KIND_NONE ? NULL : t.in[k]));
            check(&t, functions[i].in[k] == KIND_NONE || job->in[k].width == t.a.in[k].width);
            check(&t, functions[i].in[k] == KIND_NONE || job->in[k].stride == t.a.in[k].stride);
        }
        check(&t, job->out[0].data == (functions[i].out == KIND_NONE ? NULL : t.out));
        for (int k = 0; k < COUNT; k++)
            check(&t, t.status[k] == GECC_ITEM_OK);
    }
}

static void test_options_may_be_null(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        attempt(&t, i)->a.options = NULL;
        accepted(&t);
    }
}

static void test_statuses_start_as_not_processed(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        attempt(&t, i)->recorder.processed = 1;
        accepted(&t);
        check(&t, t.status[0] == GECC_ITEM_OK);
        check(&t, t.status[1] == GECC_ITEM_NOT_PROCESSED && t.status[2] == GECC_ITEM_NOT_PROCESSED);
    }
}

static void test_null(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        attempt(&t, i)->a.context = NULL;
        refused(&t);
        attempt(&t, i)->a.status = NULL;
        check(&t, t.function->call(&t.a) == GECC_ERROR_ARGUMENT && t.recorder.runs == 0);
        for (int k = 0; k < JOB_INPUTS; k++) {
            if (functions[i].in[k] == KIND_NONE || functions[i].in[k] == KIND_ID)
                continue;
            attempt(&t, i)->a.in[k].data = NULL;
            refused(&t);
        }
        if (functions[i].out == KIND_NONE)
            continue;
        attempt(&t, i)->a.out.data = NULL;
        refused(&t);
    }
}

static void test_no_rows(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        attempt(&t, i)->a.count = 0;
        t.a.status = NULL;
        t.a.recovery_id = NULL;
        t.a.out.data = NULL;
        t.a.out.widths = NULL;
        for (int k = 0; k < JOB_INPUTS; k++)
            t.a.in[k].data = NULL;
        accepted(&t);
        t.options.flags = GECC_DER;
        attempt_fill_columns(&t, GECC_DER);
        t.a.out.widths = NULL;
        accepted(&t);
    }
}

static void test_selectors(void **state) {
    (void)state;
    static const int curves[] = {0, 5, -1, 1000};
    static const int hashes[] = {GECC_HASH_DEFAULT, 6, -1, 1000};
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++)
        for (int k = 0; k < 4; k++) {
            attempt(&t, i);
            t.a.curve = (gecc_curve)curves[k];
            for (int column = 0; column < JOB_INPUTS; column++)
                t.a.in[column].widths = t.widths;
            if (functions[i].selects == SELECTS_CURVE)
                refused(&t);
            attempt(&t, i);
            t.a.hash = (gecc_hash)hashes[k];
            if (functions[i].selects == SELECTS_HASH)
                refused(&t);
        }
}

static void test_curves_and_hashes_reach_the_job(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++)
        for (gecc_curve curve = GECC_SECP256K1; curve <= GECC_SM2; curve++) {
            attempt_on(&t, &functions[i], curve, 0);
            accepted(&t);
            bool on_curve = functions[i].selects == SELECTS_CURVE;
            gecc_curve fixed = functions[i].selects == SELECTS_SM2 ? GECC_SM2 : (gecc_curve)0;
            check(&t, t.recorder.job.curve == (on_curve ? curve : fixed));
            if (functions[i].selects == SELECTS_HASH)
                check(&t, t.recorder.job.hash == GECC_SHA512);
        }
}

static void test_modulus(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        if (functions[i].selects != SELECTS_MODULUS)
            continue;
        static const uint8_t refused_values[] = {0, 1, 2, 4, 254};
        for (int k = 0; k < 5; k++) {
            attempt(&t, i)->modulus[31] = refused_values[k];
            refused(&t);
        }
        attempt(&t, i)->modulus[30] = 1;
        t.modulus[31] = 0;
        refused(&t);
        t.modulus[31] = 1;
        accepted(&t);
        check(&t, t.recorder.job.modulus_bytes == 32);
        check(&t, t.recorder.job.modulus[63] == 1 && t.recorder.job.modulus[62] == 1);
        attempt(&t, i)->a.modulus.value = NULL;
        refused(&t);
    }
}

static void test_bytes_of_a_modulus(void **state) {
    (void)state;
    struct attempt t;
    uint8_t value[128];
    memset(value, 0xff, sizeof value);
    for (int i = 0; i < FUNCTIONS; i++)
        for (size_t bytes = 0; functions[i].selects == SELECTS_MODULUS && bytes <= 80; bytes++) {
            attempt(&t, i)->a.modulus = (gecc_modulus){value, bytes};
            attempt_fill_columns(&t, 0);
            if (bytes < 16 || bytes > 64 || bytes % 4 != 0) {
                refused(&t);
                continue;
            }
            accepted(&t);
            for (size_t k = 0; k < 64; k++)
                check(&t, t.recorder.job.modulus[k] == (k < 64 - bytes ? 0 : 0xff));
        }
}

/* Can rows of this kind have this width, if all have the same? */
static bool width_is_right(enum kind kind, size_t width, const struct arguments *a, uint32_t flags) {
    size_t bytes = gecc_curve_bytes(a->curve);
    switch (kind) {
    case KIND_POINT:
        return width == 1 + bytes || width == 2 * bytes || width == 1 + 2 * bytes;
    case KIND_DIGEST:
        return width >= 20 && width <= 64;
    case KIND_SIGNATURE:
        return (flags & GECC_DER) != 0 ? width >= 8 && width <= 8 + 2 * bytes : width == 2 * bytes;
    case KIND_EXPONENT:
        return width >= 1 && width <= 64;
    case KIND_ID:
        return width <= 8191;
    case KIND_MESSAGE:
        return true;
    default:
        return width == width_of(kind, a, flags);
    }
}

static void check_width(struct attempt *t, int column, size_t width) {
    t->a.in[column].width = width;
    t->a.in[column].stride = 0;
    if (width_is_right(t->function->in[column], width, &t->a, t->options.flags))
        accepted(t);
    else
        refused(t);
}

static void check_widths(const struct function *function, gecc_curve curve, uint32_t flags) {
    struct attempt t;
    for (int column = 0; column < JOB_INPUTS && function->in[column] != KIND_NONE; column++) {
        for (size_t width = 0; width < 130; width++)
            check_width(attempt_on(&t, function, curve, flags), column, width);
        check_width(attempt_on(&t, function, curve, flags), column, 8191);
        check_width(attempt_on(&t, function, curve, flags), column, 8192);
    }
}

static void test_widths(void **state) {
    (void)state;
    for (int i = 0; i < FUNCTIONS; i++)
        for (gecc_curve curve = GECC_SECP256K1; curve <= GECC_SM2; curve++) {
            check_widths(&functions[i], curve, 0);
            check_widths(&functions[i], curve, functions[i].flags & GECC_DER);
        }
}

/* Where each row has its own width the lane program looks at it; exponents all have one. */
static void test_a_width_for_each_row(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++)
        for (int k = 0; k < JOB_INPUTS && functions[i].in[k] != KIND_NONE; k++) {
            attempt(&t, i)->a.in[k].widths = t.widths;
            t.a.in[k].width = 12345;
            if (functions[i].in[k] == KIND_EXPONENT) {
                refused(&t);
                continue;
            }
            accepted(&t);
            check(&t, t.recorder.job.in[k].widths == t.widths);
        }
}

static void test_empty_messages(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++)
        for (int k = 0; k < JOB_INPUTS; k++) {
            if (functions[i].in[k] != KIND_MESSAGE)
                continue;
            attempt(&t, i)->a.in[k] = gecc_rows_packed(NULL, 0);
            accepted(&t);
            check(&t, t.recorder.job.in[k].data != NULL && t.recorder.job.in[k].width == 0);
            t.a.in[k].widths = t.widths;
            memset(t.status, 0xee, sizeof t.status);
            refused(&t);
        }
}

static void test_input_extent(void **state) {
    (void)state;
    static const uint64_t offsets[COUNT] = {0};
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++)
        for (int k = 0; k < JOB_INPUTS && functions[i].in[k] != KIND_NONE; k++) {
            attempt(&t, i)->a.in[k].stride = SIZE_MAX / 2;
            refused(&t);
            attempt(&t, i)->a.in[k].stride = SIZE_MAX / 2 + 1;
            refused(&t);
            t.a.in[k].offsets = offsets;
            accepted(&t);
        }
}

static void test_count(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        attempt(&t, i)->a.count = SIZE_MAX;
        refused(&t);
        for (int k = 0; k < JOB_INPUTS; k++)
            t.a.in[k].stride = 0;
        refused(&t);
    }
}

static void test_output_stride(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        if (functions[i].out == KIND_NONE)
            continue;
        size_t width = attempt(&t, i)->a.out.stride;
        t.a.out.stride = width - 1;
        refused(&t);
        t.a.out.stride = 0;
        refused(&t);
        t.a.out.stride = SIZE_MAX / 2;
        refused(&t);
        t.a.out.stride = width + 1;
        accepted(&t);
        check(&t, t.recorder.job.out[0].stride == width + 1);
    }
}

static void test_point_formats(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        attempt(&t, i)->options.point_format = (gecc_point_format)3;
        refused(&t);
        for (gecc_point_format format = 0; format <= GECC_POINT_RAW; format++) {
            attempt(&t, i)->options.point_format = format;
            accepted(&t);
            check(&t, t.recorder.job.point_format == format);
            if (functions[i].out != KIND_POINT)
                continue;
            memset(t.status, 0xee, sizeof t.status);
            t.a.out.stride = gecc_point_bytes(t.a.curve, format) - 1;
            refused(&t);
            t.a.out.stride++;
            accepted(&t);
        }
    }
}

static void test_der_output_needs_widths(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        if (functions[i].out != KIND_SIGNATURE)
            continue;
        attempt_on(&t, &functions[i], GECC_P256, GECC_DER);
        accepted(&t);
        attempt_on(&t, &functions[i], GECC_P256, GECC_DER)->a.out.widths = NULL;
        refused(&t);
        attempt_on(&t, &functions[i], GECC_P256, GECC_DER)->a.out.stride--;
        refused(&t);
        attempt_on(&t, &functions[i], GECC_P256, 0)->a.out.widths = NULL;
        accepted(&t);
    }
}

static void test_flags(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        for (unsigned bit = 0; bit < 32; bit++) {
            uint32_t flag = UINT32_C(1) << bit;
            attempt_on(&t, &functions[i], GECC_P384, flag & GECC_DER)->options.flags = flag;
            if (bit >= 5) {
                refused(&t);
                continue;
            }
            accepted(&t);
            check(&t, t.recorder.job.flags == (flag & functions[i].flags));
        }
        attempt(&t, i)->options.flags = GECC_LOW_S | GECC_ANY_S;
        refused(&t);
    }
}

/* On secp256k1 the job of a signature says that s is to be low, unless the caller says otherwise. */
static void test_low_s(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        if (functions[i].selects != SELECTS_CURVE || functions[i].out != KIND_SIGNATURE)
            continue;
        attempt_on(&t, &functions[i], GECC_SECP256K1, 0);
        accepted(&t);
        check(&t, t.recorder.job.flags == GECC_LOW_S);
        attempt_on(&t, &functions[i], GECC_SECP256K1, GECC_ANY_S);
        accepted(&t);
        check(&t, t.recorder.job.flags == GECC_ANY_S);
        attempt_on(&t, &functions[i], GECC_P256, 0);
        accepted(&t);
        check(&t, t.recorder.job.flags == 0);
    }
}

static void test_options_of_other_versions(void **state) {
    (void)state;
    static const size_t sizes[] = {0, sizeof(gecc_options) - 1, sizeof(gecc_options) + 1, SIZE_MAX};
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++)
        for (int k = 0; k < 4; k++) {
            attempt(&t, i)->options.size = sizes[k];
            refused(&t);
        }
}

static void test_nonce_hashes(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        attempt(&t, i)->options.hash = (gecc_hash)6;
        refused(&t);
        if (functions[i].operation != OPERATION_ECDSA_SIGN && functions[i].operation != OPERATION_SM2_SIGN)
            continue;
        for (gecc_curve curve = GECC_SECP256K1; curve <= GECC_SM2; curve++)
            for (gecc_hash hash = GECC_HASH_DEFAULT; hash <= GECC_SM3; hash++) {
                attempt_on(&t, &functions[i], curve, 0)->options.hash = hash;
                accepted(&t);
                gecc_hash by_default = t.a.curve == GECC_P384 ? GECC_SHA384 : GECC_SHA256;
                check(&t, t.recorder.job.hash == (hash == GECC_HASH_DEFAULT ? by_default : hash));
            }
        attempt(&t, i)->options.hash = GECC_KECCAK256;
        refused(&t);
    }
}

static void test_entropy(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        if (functions[i].operation != OPERATION_ECDSA_SIGN && functions[i].operation != OPERATION_SM2_SIGN)
            continue;
        attempt(&t, i)->options.entropy = gecc_rows_packed(t.in[2], 32);
        accepted(&t);
        check(&t, t.recorder.job.in[2].data == t.in[2] && t.recorder.job.in[2].width == 32);
        memset(t.status, 0xee, sizeof t.status);
        t.options.entropy.width = 31;
        refused(&t);
    }
}

static void test_recovery_ids(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        bool has = functions[i].selects == SELECTS_CURVE && functions[i].out == KIND_SIGNATURE;
        attempt(&t, i);
        accepted(&t);
        check(&t, t.recorder.job.out[1].data == (has ? t.recovery_id : NULL));
        check(&t, t.recorder.job.out[1].stride == (has ? 1 : 0));
        t.a.recovery_id = NULL;
        accepted(&t);
        check(&t, t.recorder.job.out[1].data == NULL);
    }
}

static void test_sm2_ids(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < FUNCTIONS; i++) {
        if (functions[i].operation != OPERATION_SM2_DIGEST)
            continue;
        attempt(&t, i)->a.in[1] = gecc_rows_packed(NULL, 0);
        accepted(&t);
        const gecc_rows *id = &t.recorder.job.in[1];
        check(&t, id->width == 16 && id->stride == 0 && memcmp(id->data, "1234567812345678", 16) == 0);
        check(&t, t.recorder.job.hash == GECC_SM3);
        attempt(&t, i)->a.in[1] = gecc_rows_packed(t.in[1], 0);
        accepted(&t);
        check(&t, t.recorder.job.in[1].width == 0 && t.recorder.job.in[1].data == t.in[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_arguments_become_a_job),
        cmocka_unit_test(test_options_may_be_null),
        cmocka_unit_test(test_statuses_start_as_not_processed),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_no_rows),
        cmocka_unit_test(test_selectors),
        cmocka_unit_test(test_curves_and_hashes_reach_the_job),
        cmocka_unit_test(test_modulus),
        cmocka_unit_test(test_bytes_of_a_modulus),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_a_width_for_each_row),
        cmocka_unit_test(test_empty_messages),
        cmocka_unit_test(test_input_extent),
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_output_stride),
        cmocka_unit_test(test_point_formats),
        cmocka_unit_test(test_der_output_needs_widths),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_low_s),
        cmocka_unit_test(test_options_of_other_versions),
        cmocka_unit_test(test_nonce_hashes),
        cmocka_unit_test(test_entropy),
        cmocka_unit_test(test_recovery_ids),
        cmocka_unit_test(test_sm2_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
