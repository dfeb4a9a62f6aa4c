/* What every public operation makes of its arguments: which are refused, and what job the others become.
 *
 * Test: fast; no threads */
#include "attempt.h"

/* The number after those of the hashes. */
#define COUNT(...) +1
enum { NO_HASH = 1 GECC_HASH_LIST(COUNT) };
#undef COUNT

static void test_right_arguments_become_a_job(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i);
        accepted(&t);
        const struct job *job = &t.recorder.job;
        check(&t, job->operation == (enum operation)i);
        check(&t, job->count == COUNT && job->status.data == t.status && job->status.stride == 1);
        check(&t, job->flags == 0 && job->on_device == 0);
        for (int k = 0; k < JOB_INPUTS; k++) {
            check(&t, job->in[k].data == (in_kind(i, k) == 0 ? NULL : t.in[k]));
            check(&t, in_kind(i, k) == 0 || job->in[k].width == t.a.in[k].width);
            check(&t, in_kind(i, k) == 0 || job->in[k].stride == t.a.in[k].stride);
        }
        for (int k = 0; k < JOB_OUTPUTS; k++) {
            check(&t, job->out[k].data == (out_kind(i, k) == 0 ? NULL : t.out[k]));
            check(&t, job->out[k].widths == (out_kind(i, k) == 0 ? NULL : t.widths));
            check(&t, job->out_width[k] == job->out[k].stride);
            check(&t, (job->plain_outputs >> k & 1) == (out_kind(i, k) != 0 && !has_own_widths(out_kind(i, k), 0)));
        }
        check(&t, statuses_are(&t, GECC_ITEM_OK));
    }
}

static void test_options_may_be_null(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i)->a.options = NULL;
        accepted(&t);
    }
}

static void test_statuses_start_as_not_processed(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++)
        for (size_t stride = 1; stride <= STATUS_STRIDE_MOST; stride += STATUS_STRIDE_MOST - 1) {
            attempt(&t, i)->recorder.processed = 1;
            t.a.status.stride = stride;
            accepted(&t);
            check(&t, t.status[0] == GECC_ITEM_OK);
            check(&t, t.status[stride] == GECC_ITEM_NOT_PROCESSED && t.status[2 * stride] == GECC_ITEM_NOT_PROCESSED);
            t.status[0] = GECC_ITEM_NOT_PROCESSED;
            check(&t, statuses_are(&t, GECC_ITEM_NOT_PROCESSED));
        }
}

static void test_strided_statuses(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i)->a.status.stride = STATUS_STRIDE_MOST;
        accepted(&t);
        check(&t, t.recorder.job.status.stride == STATUS_STRIDE_MOST && statuses_are(&t, GECC_ITEM_OK));
        t.options.flags = UINT32_MAX;
        refused(&t);
    }
}

static void test_statuses_that_are_none(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i)->a.status.data = NULL;
        refused_with(&t, STALE);
        attempt(&t, i)->a.status.widths = t.widths;
        refused_with(&t, STALE);
        attempt(&t, i)->a.status.stride = 0;
        refused_with(&t, STALE);
        attempt(&t, i)->a.status.stride = SIZE_MAX / 2;
        refused_with(&t, STALE);
        attempt(&t, i)->a.status.stride = 0;
        t.a.count = t.recorder.processed = 1;
        accepted(&t);
    }
}

static void test_null(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i)->a.context = NULL;
        refused(&t);
        for (size_t k = 0; k < JOB_INPUTS; k++) {
            const gecc_column *column = gecc_operation_input(gecc_operations((size_t)i), k);
            attempt(&t, i)->a.in[k].data = NULL;
            if (column == NULL || column->is_optional)
                accepted(&t);
            else
                refused(&t);
        }
        for (size_t k = 0; k < JOB_OUTPUTS; k++) {
            const gecc_column *column = gecc_operation_output(gecc_operations((size_t)i), k);
            attempt(&t, i)->a.out[k].data = NULL;
            if (column == NULL || column->is_optional)
                accepted(&t);
            else
                refused(&t);
        }
    }
}

static void test_no_rows(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i)->a.count = 0;
        t.a.status = gecc_out_none();
        for (int k = 0; k < JOB_OUTPUTS; k++)
            t.a.out[k] = gecc_out_packed(NULL, t.a.out[k].stride);
        for (int k = 0; k < JOB_INPUTS; k++)
            t.a.in[k].data = NULL;
        accepted(&t);
        t.options.flags = GECC_DER;
        attempt_fill_columns(&t, GECC_DER);
        for (int k = 0; k < JOB_OUTPUTS; k++)
            t.a.out[k].widths = NULL;
        accepted(&t);
    }
}

/* Typed functions of one curve take none, nor do those of keys, so that gecc_run alone can be given another one. */
static void test_selectors(void **state) {
    (void)state;
    static const int curves[] = {0, GECC_CURVE_END, -1, 1000, GECC_P256};
    static const int hashes[] = {GECC_HASH_DEFAULT, NO_HASH, -1, 1000};
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        for (int k = 0; k < 5; k++) {
            attempt(&t, i)->a.parameters.curve = (gecc_curve)curves[k];
            for (int column = 0; column < JOB_INPUTS; column++)
                t.a.in[column].widths = in_kind(i, column) == GECC_KIND_EXPONENT ? NULL : t.widths;
            if (t.operation->curves == 0 || (is_told_the_curve(i) && curves[k] == GECC_P256))
                accepted(&t);
            else if (is_told_the_curve(i))
                refused(&t);
            else
                check(&t, by_run(&t) == (curves[k] == 0 ? GECC_OK : GECC_ERROR_ARGUMENT));
        }
        for (int k = 0; k < 4; k++) {
            attempt(&t, i)->a.parameters.hash = (gecc_hash)hashes[k];
            if (t.operation->selector == GECC_SELECT_HASH)
                refused(&t);
            else
                accepted(&t);
        }
    }
}

static void test_curves_and_hashes_reach_the_job(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++)
        for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++) {
            attempt_on(&t, i, curve, 0);
            accepted(&t);
            check(&t, t.recorder.job.curve == (has_curves(i) ? curve : curve_of(i)));
            if (t.operation->selector == GECC_SELECT_HASH)
                check(&t, t.recorder.job.hash == GECC_SHA512);
        }
}

/* What a call is told of its keys reaches the job; other operations do not look at them. */
static void test_keys(void **state) {
    (void)state;
    struct attempt t;
    unsigned found = 0;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i);
        gecc_keys *keys = attempt_fill_keys(&t);
        t.a.parameters.keys = keys;
        accepted(&t);
        const struct key_set none = {0};
        check(&t, key_sets_equal(&t.recorder.job.keys, takes_keys(i) ? &keys->set : &none));
        if (!takes_keys(i))
            continue;
        found++;
        t.a.parameters.curve = (gecc_curve)0;
        accepted(&t);
        check(&t, t.recorder.job.curve == keys->curve);
        attempt(&t, i)->a.parameters.keys = NULL;
        refused(&t);
    }
    assert_int_equal(found, 5);
}

static void test_modulus(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        if (gecc_operations((size_t)i)->selector != GECC_SELECT_MODULUS)
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
        attempt(&t, i)->a.parameters.modulus.value = NULL;
        refused(&t);
    }
}

static void test_bytes_of_a_modulus(void **state) {
    (void)state;
    struct attempt t;
    uint8_t value[128];
    memset(value, 0xff, sizeof value);
    for (int i = 0; i < OPERATION_COUNT; i++)
        for (size_t bytes = 0; gecc_operations((size_t)i)->selector == GECC_SELECT_MODULUS && bytes <= 80; bytes++) {
            attempt(&t, i)->a.parameters.modulus = (gecc_modulus){value, bytes};
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

static void check_width(struct attempt *t, int column, size_t width) {
    t->a.in[column].width = width;
    t->a.in[column].stride = 0;
    if (width_is_right(in_kind(t->index, column), width, &t->a, t->options.flags))
        accepted(t);
    else
        refused(t);
}

static void check_widths(int operation, gecc_curve curve, uint32_t flags) {
    struct attempt t;
    for (int column = 0; in_kind(operation, column) != 0; column++) {
        for (size_t width = 0; width < 130; width++)
            check_width(attempt_on(&t, operation, curve, flags), column, width);
        check_width(attempt_on(&t, operation, curve, flags), column, 8191);
        check_width(attempt_on(&t, operation, curve, flags), column, 8192);
    }
}

static void test_widths(void **state) {
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++)
        for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++) {
            check_widths(i, curve, 0);
            check_widths(i, curve, gecc_operations((size_t)i)->flags & GECC_DER);
            check_widths(i, curve, gecc_operations((size_t)i)->flags & GECC_SIGHASH_BYTE);
            check_widths(i, curve, gecc_operations((size_t)i)->flags & (GECC_DER | GECC_SIGHASH_BYTE));
        }
}

/* Where each row has its own width the lane program looks at it; exponents all have one. */
static void test_a_width_for_each_row(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++)
        for (int k = 0; in_kind(i, k) != 0; k++) {
            attempt(&t, i)->a.in[k].widths = t.widths;
            t.a.in[k].width = 12345;
            if (in_kind(i, k) == GECC_KIND_EXPONENT) {
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
    for (int i = 0; i < OPERATION_COUNT; i++)
        for (int k = 0; k < JOB_INPUTS; k++) {
            if (!any_width_is_right(in_kind(i, k)))
                continue;
            attempt(&t, i)->a.in[k] = gecc_rows_packed(NULL, 0);
            accepted(&t);
            check(&t, t.recorder.job.in[k].data != NULL && t.recorder.job.in[k].width == 0);
            t.a.in[k].widths = t.widths;
            refused(&t);
        }
}

static void test_input_extent(void **state) {
    (void)state;
    static const uint64_t offsets[COUNT] = {0};
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++)
        for (int k = 0; in_kind(i, k) != 0; k++) {
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
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i)->a.count = SIZE_MAX;
        refused_with(&t, STALE);
        for (int k = 0; k < JOB_INPUTS; k++)
            t.a.in[k].stride = 0;
        refused_with(&t, STALE);
    }
}

static void test_output_stride(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++)
        for (int k = 0; out_kind(i, k) != 0; k++) {
            size_t width = attempt(&t, i)->a.out[k].stride;
            t.a.out[k].stride = width - 1;
            refused(&t);
            t.a.out[k].stride = 0;
            refused(&t);
            t.a.out[k].stride = SIZE_MAX / 2;
            refused(&t);
            t.a.out[k].stride = width + 1;
            accepted(&t);
            check(&t, t.recorder.job.out[k].stride == width + 1 && t.recorder.job.out_width[k] == width);
        }
}

static void test_point_formats(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i)->options.point_format = (gecc_point_format)3;
        refused(&t);
        for (gecc_point_format format = 0; format <= GECC_POINT_RAW; format++) {
            attempt(&t, i)->options.point_format = format;
            accepted(&t);
            check(&t, t.recorder.job.point_format == format);
            if (out_kind(i, 0) != GECC_KIND_POINT)
                continue;
            t.a.out[0].stride = gecc_point_bytes(t.a.parameters.curve, format) - 1;
            refused(&t);
            t.a.out[0].stride++;
            accepted(&t);
        }
    }
}

static void test_der_output_needs_widths(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        if (out_kind(i, 0) != GECC_KIND_SIGNATURE)
            continue;
        attempt_on(&t, i, GECC_P256, GECC_DER);
        accepted(&t);
        check(&t, (t.recorder.job.plain_outputs & 1) == 0);
        attempt_on(&t, i, GECC_P256, GECC_DER)->a.out[0].widths = NULL;
        refused(&t);
        attempt_on(&t, i, GECC_P256, GECC_DER)->a.out[0].stride--;
        refused(&t);
        attempt_on(&t, i, GECC_P256, 0)->a.out[0].widths = NULL;
        accepted(&t);
    }
}

/* Those that mean something reach the job, those that say how rows are written do not where they mean nothing, and
 * others are refused there, as what is no flag is; the words name the flag and the operation. */
static void test_flags(void **state) {
    (void)state;
    static const char *const identifiers[32] = {
#define IDENTIFIER(name, bit, text, what) [bit] = #name,
        GECC_FLAG_LIST(IDENTIFIER)
#undef IDENTIFIER
    };
    const uint32_t formats = GECC_DER | GECC_LITTLE_ENDIAN | GECC_SIGHASH_BYTE;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        for (unsigned bit = 0; bit < 32; bit++) {
            uint32_t flag = UINT32_C(1) << bit;
            uint32_t widens = flag & (GECC_DER | GECC_SIGHASH_BYTE) & gecc_operations((size_t)i)->flags;
            attempt_on(&t, i, GECC_P384, widens)->options.flags = flag;
            if (identifiers[bit] == NULL) {
                refused_for(&t, "options");
                continue;
            }
            if ((flag & ~(t.operation->flags | formats)) != 0) {
                refused_for(&t, "options");
                check(&t, strstr(gecc_error_text(), identifiers[bit]) != NULL);
                check(&t, strstr(gecc_error_text(), t.operation->name) != NULL);
                continue;
            }
            accepted(&t);
            check(&t, t.recorder.job.flags == (flag & t.operation->flags));
        }
        attempt(&t, i)->options.flags = GECC_LOW_S | GECC_ANY_S;
        refused(&t);
        attempt(&t, i)->options.flags = GECC_ACCEPT_STRICT | GECC_ACCEPT_ZIP215;
        refused(&t);
        attempt(&t, i)->options.flags = GECC_ACCEPT_REF10 | GECC_ACCEPT_ZIP215;
        refused(&t);
    }
}

/* Which flags mean something, as the headers say it. */
static void test_meanings_of_flags(void **state) {
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        bool schnorr = strncmp(gecc_operations((size_t)i)->name, "schnorr.", 8) == 0;
        bool ethereum = strncmp(gecc_operations((size_t)i)->name, "ethereum.", 9) == 0;
        bool signature = takes_kind(i, GECC_KIND_SIGNATURE) || out_kind(i, 0) == GECC_KIND_SIGNATURE;
        bool on_curve25519 = strstr(gecc_operations((size_t)i)->name, "25519") != NULL;
        bool ed25519 = takes_kind(i, GECC_KIND_CONTEXT), verifies_ed25519 = takes_kind(i, GECC_KIND_ED25519_SIGNATURE);
        bool signs = out_kind(i, 0) == GECC_KIND_SIGNATURE || out_kind(i, 0) == GECC_KIND_BIP340_SIGNATURE ||
                     out_kind(i, 0) == GECC_KIND_ED25519_SIGNATURE;
        uint32_t flags = signature ? GECC_DER : 0;
        bool ciphertext = takes_kind(i, GECC_KIND_CIPHERTEXT) || out_kind(i, 0) == GECC_KIND_CIPHERTEXT;
        flags |= ciphertext ? GECC_DER | GECC_C1C2C3 : 0;
        flags |= out_kind(i, 1) == GECC_KIND_CONFIRMATION ? GECC_RESPONDER : 0;
        flags |= signature && has_curves(i) ? GECC_LOW_S : 0;
        flags |= signs_ecdsa(i) ? GECC_ANY_S : 0;
        flags |= takes_kind(i, GECC_KIND_SCALAR) ? GECC_PUBLIC_SCALARS : 0;
        flags |= signs ? GECC_VERIFY_SIGNATURES : 0;
        bool has_numbers = gecc_operations((size_t)i)->selector != GECC_SELECT_HASH && !on_curve25519;
        flags |= has_numbers && !schnorr && !ethereum ? GECC_LITTLE_ENDIAN : 0;
        flags |= ed25519 ? GECC_PREHASH : 0;
        flags |= verifies_ed25519 ? GECC_ACCEPT_REF10 | GECC_ACCEPT_STRICT | GECC_ACCEPT_ZIP215 : 0;
        flags |= ethereum && takes_kind(i, GECC_KIND_POINT) ? GECC_LITTLE_ENDIAN : 0;
        flags |= ethereum && !takes_kind(i, GECC_KIND_POINT) ? GECC_LOW_S : 0;
        flags |= schnorr && takes_kind(i, GECC_KIND_PRIVATE_KEY) ? GECC_LITTLE_ENDIAN : 0;
        flags |= takes_kind(i, GECC_KIND_BIP340_SIGNATURE) ? GECC_SIGHASH_BYTE : 0;
        flags |= takes_kind(i, GECC_KIND_SIGNATURE) && has_curves(i) ? GECC_SIGHASH_BYTE : 0;
        assert_int_equal(gecc_operations((size_t)i)->flags, flags);
    }
}

/* On secp256k1 the job of a signature says that s is to be low, unless the caller says otherwise. */
static void test_low_s(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        if (!signs_ecdsa(i))
            continue;
        attempt_on(&t, i, GECC_SECP256K1, 0);
        accepted(&t);
        check(&t, t.recorder.job.flags == GECC_LOW_S);
        attempt_on(&t, i, GECC_SECP256K1, GECC_ANY_S);
        accepted(&t);
        check(&t, t.recorder.job.flags == GECC_ANY_S);
        attempt_on(&t, i, GECC_P256, 0);
        accepted(&t);
        check(&t, t.recorder.job.flags == 0);
    }
}

static void test_nonce_hashes(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i)->options.nonce_hash = (gecc_hash)NO_HASH;
        refused(&t);
        attempt(&t, i)->options.nonce_hash = GECC_KECCAK256;
        if (!takes_kind(i, GECC_KIND_ENTROPY)) {
            accepted(&t);
            continue;
        }
        refused(&t);
        for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++)
            for (gecc_hash hash = GECC_HASH_DEFAULT; hash <= GECC_SM3; hash++) {
                attempt_on(&t, i, curve, 0)->options.nonce_hash = hash;
                accepted(&t);
                size_t length = gecc_curve_bytes(t.a.parameters.curve);
                gecc_hash by_default = length > 48 ? GECC_SHA512 : length == 48 ? GECC_SHA384 : GECC_SHA256;
                check(&t, t.recorder.job.hash == (hash == GECC_HASH_DEFAULT ? by_default : hash));
            }
    }
}

/* What the caller says of the width of outputs is for those alone that no standard gives one; 0 is the stride. Both
 * orders of a ciphertext's parts are refused. */
static void test_output_bytes(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        if (!is_open(out_kind(i, 0))) {
            attempt(&t, i)->options.output_bytes = 1;
            refused_for(&t, "options");
            continue;
        }
        attempt(&t, i)->options.output_bytes = 0;
        accepted(&t);
        check(&t, t.recorder.job.out_width[0] == t.a.out[0].stride);
        t.a.out[0].stride++;
        accepted(&t);
        check(&t, t.recorder.job.out_width[0] == OPEN_BYTES + 1);
        t.a.out[0].stride = 0;
        refused_for(&t, gecc_operation_output(t.operation, 0)->name);
        attempt(&t, i)->options.output_bytes = OPEN_BYTES + 1;
        refused_for(&t, gecc_operation_output(t.operation, 0)->name);
        attempt(&t, i)->options.output_bytes = SIZE_MAX;
        refused_for(&t, "options");
        if (out_kind(i, 0) == GECC_KIND_DERIVED_KEY)
            continue;
        attempt(&t, i)->a.out[0].widths = NULL;
        refused_for(&t, gecc_operation_output(t.operation, 0)->name);
        attempt(&t, i)->options.flags = GECC_DER | GECC_C1C2C3;
        refused_for(&t, "options");
    }
}

/* Columns that may be left out are the entropy of ECDSA and SM2, SM2's id, which has a default, of Schnorr signatures
 * the auxiliary randomness and the roots of both tweaks, Ed25519's contexts, and both ids of
 * SM2's key exchange. */
static void test_columns_left_out(void **state) {
    (void)state;
    struct attempt t;
    unsigned found = 0;
    for (int i = 0; i < OPERATION_COUNT; i++)
        for (int k = 0; in_kind(i, k) != 0; k++) {
            if (!gecc_operation_input(gecc_operations((size_t)i), (size_t)k)->is_optional)
                continue;
            found++;
            attempt(&t, i)->a.in[k] = gecc_rows_none();
            accepted(&t);
            if (in_kind(i, k) == GECC_KIND_SM2_ID)
                check(&t, t.recorder.job.in[k].data != NULL);
            else
                check(&t, t.recorder.job.in[k].data == NULL);
        }
    assert_int_equal(found, 11);
}

static void test_recovery_ids(void **state) {
    (void)state;
    struct attempt t;
    unsigned found = 0;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        assert_int_equal(out_kind(i, 1) == GECC_KIND_RECOVERY_ID, signs_ecdsa(i));
        if (!signs_ecdsa(i))
            continue;
        found++;
        attempt(&t, i)->a.out[1].stride = 5;
        t.a.out[1].widths = NULL;
        accepted(&t);
        check(&t, t.recorder.job.out[1].data == t.out[1] && t.recorder.job.out[1].stride == 5);
        check(&t, t.recorder.job.out_width[1] == 1);
        t.a.out[1] = gecc_out_none();
        accepted(&t);
        check(&t, t.recorder.job.out[1].data == NULL && t.recorder.job.out_width[1] == 0);
    }
    assert_int_equal(found, 2);
}

static void test_sm2_ids(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        if (in_kind(i, 1) != GECC_KIND_SM2_ID)
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

/* The backend is told of each address whether it is in its memory, by a bit of its own. Statuses there are the
 * backend's to clear. */
static void check_where(struct attempt *t, const void *address, uint32_t bit, uint32_t *seen) {
    t->recorder.device = address;
    t->recorder.processed = 0;
    accepted(t);
    check(t, t->recorder.job.on_device == bit && (*seen & bit) == 0);
    check(t, statuses_are(t, bit == JOB_STATUS_ON_DEVICE ? STALE : GECC_ITEM_NOT_PROCESSED));
    *seen |= bit;
}

static void test_memory_of_the_backend(void **state) {
    (void)state;
    static uint32_t widths[COUNT];
    static uint64_t offsets[COUNT];
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        uint32_t seen = 0;
        check_where(attempt(&t, i), t.status, JOB_STATUS_ON_DEVICE, &seen);
        for (int k = 0; in_kind(i, k) != 0; k++) {
            check_where(attempt(&t, i), t.in[k], (uint32_t)JOB_IN_ON_DEVICE << k, &seen);
            attempt(&t, i)->a.in[k].offsets = offsets;
            check_where(&t, offsets, (uint32_t)JOB_IN_OFFSETS_ON_DEVICE << k, &seen);
            if (in_kind(i, k) == GECC_KIND_EXPONENT)
                continue;
            attempt(&t, i)->a.in[k].widths = widths;
            check_where(&t, widths, (uint32_t)JOB_IN_WIDTHS_ON_DEVICE << k, &seen);
        }
        for (int k = 0; out_kind(i, k) != 0; k++) {
            check_where(attempt(&t, i), t.out[k], (uint32_t)JOB_OUT_ON_DEVICE << k, &seen);
            attempt(&t, i)->a.out[k].widths = widths;
            check_where(&t, widths, (uint32_t)JOB_OUT_WIDTHS_ON_DEVICE << k, &seen);
        }
    }
}

static void test_statuses_in_memory_of_the_backend_are_left_alone(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i)->recorder.device = t.status;
        t.options.flags = UINT32_MAX;
        refused_with(&t, STALE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_arguments_become_a_job),
        cmocka_unit_test(test_options_may_be_null),
        cmocka_unit_test(test_statuses_start_as_not_processed),
        cmocka_unit_test(test_strided_statuses),
        cmocka_unit_test(test_statuses_that_are_none),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_no_rows),
        cmocka_unit_test(test_selectors),
        cmocka_unit_test(test_curves_and_hashes_reach_the_job),
        cmocka_unit_test(test_keys),
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
        cmocka_unit_test(test_meanings_of_flags),
        cmocka_unit_test(test_low_s),
        cmocka_unit_test(test_nonce_hashes),
        cmocka_unit_test(test_output_bytes),
        cmocka_unit_test(test_columns_left_out),
        cmocka_unit_test(test_recovery_ids),
        cmocka_unit_test(test_sm2_ids),
        cmocka_unit_test(test_memory_of_the_backend),
        cmocka_unit_test(test_statuses_in_memory_of_the_backend_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
