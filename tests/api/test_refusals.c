/* What a refused call says: which argument was wrong, whichever it was.
 *
 * Test: fast */
#include "attempt.h"

#include <pthread.h>
#include <stdio.h>

/* Before any call has failed. */
static void test_no_text(void **state) {
    (void)state;
    assert_string_equal(gecc_error_text(), "");
}

static void test_context(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i)->a.context = NULL;
        refused_for(&t, "context");
    }
}

static void refused_unreached_for(struct attempt *t, const char *name) {
    char text[256];
    (void)snprintf(text, sizeof text, "%s: ", name);
    refused_with(t, STALE);
    check(t, strncmp(gecc_error_text(), text, strlen(text)) == 0);
}

static void test_statuses(void **state) {
    (void)state;
    static const size_t counts[] = {PTRDIFF_MAX / sizeof(uint64_t) + 1, PTRDIFF_MAX, SIZE_MAX};
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            attempt(&t, i)->a.count = counts[c];
            refused_unreached_for(&t, "count");
        }
        attempt(&t, i)->a.status.data = NULL;
        refused_unreached_for(&t, "status");
        attempt(&t, i)->a.status.widths = t.widths;
        refused_unreached_for(&t, "status");
        attempt(&t, i)->a.status.stride = 0;
        refused_unreached_for(&t, "status");
    }
}

static void test_options(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        gecc_report report = {.size = 4};
        attempt(&t, i)->options.size = sizeof(size_t);
        refused_for(&t, "options");
        assert_non_null(strstr(gecc_error_text(), gecc_version()));
        attempt(&t, i)->options.flags = 0xc0000000;
        refused_for(&t, "options");
        assert_non_null(strstr(gecc_error_text(), "0xc0000000"));
        attempt(&t, i)->options.flags = GECC_LOW_S | GECC_ANY_S;
        refused_for(&t, "options");
        attempt(&t, i)->options.nonce_hash = (gecc_hash)77;
        refused_for(&t, "options");
        assert_non_null(strstr(gecc_error_text(), "nonce_hash is 77"));
        attempt(&t, i)->options.point_format = (gecc_point_format)78;
        refused_for(&t, "options");
        assert_non_null(strstr(gecc_error_text(), "point_format is 78"));
        attempt(&t, i)->options.report = &report;
        refused_for(&t, "options");
        assert_non_null(strstr(gecc_error_text(), "report"));
        assert_string_equal(report.backend, "");
    }
}

static void test_selectors(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i);
        if (is_told_the_curve(i)) {
            t.a.parameters.curve = (gecc_curve)79;
            refused_for(&t, "curve");
            assert_non_null(strstr(gecc_error_text(), "79"));
        } else if (takes_keys(i)) {
            t.a.parameters.keys = NULL;
            refused_for(&t, "keys");
        } else if (t.operation->selector == GECC_SELECT_CURVE) {
            t.a.parameters.curve = GECC_P256;
            check(&t, by_run(&t) == GECC_ERROR_ARGUMENT);
            check(&t, strncmp(gecc_error_text(), "curve: ", 7) == 0);
            check(&t, strstr(gecc_error_text(), t.operation->name) != NULL);
            check(&t, strstr(gecc_error_text(), "P-256") != NULL);
        } else if (t.operation->selector == GECC_SELECT_MODULUS) {
            t.a.parameters.modulus.bytes = 31;
            refused_for(&t, "modulus");
        } else {
            t.a.parameters.hash = (gecc_hash)80;
            refused_for(&t, "hash");
        }
    }
}

/* The set: of this context, and of the curve, if one is named too. */
static void test_keys(void **state) {
    (void)state;
    struct attempt t;
    gecc_context other;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        if (!takes_keys(i))
            continue;
        attempt(&t, i);
        attempt_keys.context = &other;
        refused_for(&t, "keys");
        assert_non_null(strstr(gecc_error_text(), "another context"));
        attempt(&t, i);
        t.a.parameters.curve = attempt_keys.curve == GECC_P256 ? GECC_P384 : GECC_P256;
        check(&t, by_run(&t) == GECC_ERROR_ARGUMENT && strncmp(gecc_error_text(), "keys: ", 6) == 0);
        check(&t, strstr(gecc_error_text(), gecc_curve_name(t.a.parameters.curve)) != NULL);
        check(&t, strstr(gecc_error_text(), gecc_curve_name(attempt_keys.curve)) != NULL);
        t.a.parameters.curve = (gecc_curve)79;
        check(&t, by_run(&t) == GECC_ERROR_ARGUMENT && strncmp(gecc_error_text(), "keys: ", 6) == 0);
        /* Keys of a curve that the operation does not work on. */
        attempt(&t, i)->a.parameters.curve = GECC_P256;
        attempt_keys.curve = GECC_P256;
        attempt_fill_columns(&t, 0);
        t.a.parameters.curve = (gecc_curve)0;
        if (has_curves(i))
            accepted(&t);
        else
            refused_for(&t, "curve");
    }
}

/* Each input in turn. The words say what the width was, and what is right. */
static void test_inputs(void **state) {
    (void)state;
    struct attempt t;
    const gecc_column *column;
    for (int i = 0; i < OPERATION_COUNT; i++)
        for (size_t k = 0; (column = gecc_operation_input(gecc_operations((size_t)i), k)) != NULL; k++) {
            attempt(&t, i)->a.in[k].data = NULL;
            if (!column->is_optional)
                refused_for(&t, column->name);
            attempt(&t, i)->a.in[k].stride = SIZE_MAX / 2;
            refused_for(&t, column->name);
            attempt(&t, i)->a.in[k].width = 9999;
            if (width_is_right(column->kind, 9999, &t.a, 0))
                continue;
            refused_for(&t, column->name);
            check(&t, strstr(gecc_error_text(), "9999") != NULL);
            check(&t, strstr(gecc_error_text(), gecc_kind_name(column->kind)) != NULL);
            attempt(&t, i)->a.in[k].widths = t.widths;
            if (column->kind == GECC_KIND_EXPONENT)
                refused_for(&t, column->name);
        }
}

static void test_words_of_widths(void **state) {
    (void)state;
    static const struct {
        enum operation operation;
        int column;
        const char *text;
    } cases[] = {
        {OPERATION_ECDSA_VERIFY, 0, "public_key: rows of 1 bytes, where a point has 49, 96 or 97"},
        {OPERATION_ECDSA_VERIFY, 1, "digest: rows of 1 bytes, where a digest has 20 to 64"},
        {OPERATION_ECDSA_VERIFY, 2, "signature: rows of 1 bytes, where a signature has 96"},
        {OPERATION_ECDH, 0, "private_key: rows of 1 bytes, where a private key has 48"},
        {OPERATION_ECDSA_VERIFY_KEYS, 0, "key: rows of 1 bytes, where a key number has 4"},
        {OPERATION_SM2_VERIFY, 1, "e: rows of 1 bytes, where an SM2 digest has 32"},
    };
    struct attempt t;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        attempt(&t, cases[i].operation)->a.in[cases[i].column].width = 1;
        refused(&t);
        assert_string_equal(gecc_error_text(), cases[i].text);
    }
}

static void test_outputs(void **state) {
    (void)state;
    struct attempt t;
    const gecc_column *column;
    for (int i = 0; i < OPERATION_COUNT; i++)
        for (size_t k = 0; (column = gecc_operation_output(gecc_operations((size_t)i), k)) != NULL; k++) {
            attempt(&t, i)->a.out[k].data = NULL;
            if (!column->is_optional)
                refused_for(&t, column->name);
            attempt(&t, i)->a.out[k].stride--;
            refused_for(&t, column->name);
            attempt(&t, i)->a.out[k].stride = SIZE_MAX / 2;
            refused_for(&t, column->name);
            if (column->kind != GECC_KIND_SIGNATURE)
                continue;
            attempt_on(&t, i, GECC_P384, GECC_DER)->a.out[k].widths = NULL;
            refused_for(&t, column->name);
        }
}

/* Of several wrong arguments the first is named: statuses, context, options, parameters, inputs, outputs. */
static void test_the_first_is_named(void **state) {
    (void)state;
    struct attempt t;
    attempt(&t, OPERATION_ECDSA_SIGN)->a.context = NULL;
    t.options.flags = UINT32_MAX;
    t.a.parameters.curve = (gecc_curve)0;
    t.a.in[0].data = t.a.in[1].data = NULL;
    t.a.out[0].data = NULL;
    t.a.status.widths = t.widths;
    refused_unreached_for(&t, "status");
    t.a.status.widths = NULL;
    refused_for(&t, "context");
    t.a.context = &t.context;
    refused_for(&t, "options");
    t.options.flags = 0;
    refused_for(&t, "curve");
    t.a.parameters.curve = GECC_P384;
    refused_for(&t, "private_key");
    t.a.in[0].data = t.in[0];
    refused_for(&t, "digest");
    t.a.in[1].data = t.in[1];
    refused_for(&t, "signature");
    t.a.out[0].data = t.out[0];
    accepted(&t);
}

/* What gecc_run takes besides. */
static void check_run(struct attempt *t, gecc_result result, const char *text) {
    check(t, result == GECC_ERROR_ARGUMENT);
    if (strncmp(gecc_error_text(), text, strlen(text)) != 0)
        fail_msg("not the text of %s: %s", text, gecc_error_text());
    check(t, statuses_are(t, GECC_ITEM_NOT_PROCESSED));
    memset(t->status, STALE, sizeof t->status);
    check(t, t->recorder.runs == 0);
}

static void test_run(void **state) {
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        struct attempt t;
        const struct arguments *a = &attempt(&t, i)->a;
        const gecc_operation copy = *t.operation;
        const gecc_options *options = &t.options;
        check_run(&t, gecc_run(a->context, NULL, &a->parameters, a->out, a->status, a->in, a->count, options),
                  "operation: ");
        check_run(&t, gecc_run(a->context, &copy, &a->parameters, a->out, a->status, a->in, a->count, options),
                  "operation: ");
        check_run(&t, gecc_run(a->context, t.operation, &a->parameters, a->out, a->status, NULL, a->count, options),
                  "inputs is NULL");
        t.a.parameters.size = offsetof(gecc_parameters, keys) - 1;
        check_run(&t, by_run(&t), "parameters: ");
        t.a.parameters.size = sizeof t.a.parameters;
        gecc_result result =
            gecc_run(a->context, t.operation, &a->parameters, NULL, a->status, a->in, a->count, options);
        if (out_kind(i, 0) != 0)
            check_run(&t, result, "outputs is NULL");
        else
            check(&t, result == GECC_OK && statuses_are(&t, GECC_ITEM_OK));
    }
}

/* Parameters may be NULL where the operation's one curve is all they could say. */
static void test_run_without_parameters(void **state) {
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        struct attempt t;
        const struct arguments *a = &attempt(&t, i)->a;
        gecc_result result = gecc_run(a->context, t.operation, NULL, a->out, a->status, a->in, a->count, a->options);
        bool needs_none = t.operation->selector == GECC_SELECT_CURVE && !has_curves(i) && !takes_keys(i);
        check(&t, result == (needs_none ? GECC_OK : GECC_ERROR_ARGUMENT));
    }
}

static void *refuse_elsewhere(void *argument) {
    struct attempt *t = argument;
    (void)by_run(t);
    return (void *)(uintptr_t)(strncmp(gecc_error_text(), "digest: ", 8) == 0);
}

/* The text is that of the thread's last call that failed, whatever others do, and calls that do not fail. */
static void test_texts_of_threads(void **state) {
    (void)state;
    struct attempt t, other;
    pthread_t thread;
    void *right;
    attempt(&t, OPERATION_ECDSA_SIGN)->a.in[0].width = 1;
    attempt(&other, OPERATION_ECDSA_SIGN)->a.in[1].width = 1;
    refused_for(&t, "private_key");
    assert_int_equal(pthread_create(&thread, NULL, refuse_elsewhere, &other), 0);
    assert_int_equal(pthread_join(thread, &right), 0);
    assert_non_null(right);
    accepted(attempt(&t, OPERATION_ECDSA_SIGN));
    assert_memory_equal(gecc_error_text(), "private_key: ", 13);
}

/* A backend's failure has words too. */
static void test_failures(void **state) {
    (void)state;
    struct attempt t;
    attempt(&t, OPERATION_EC_ADD)->recorder.result = GECC_ERROR_DEVICE;
    check(&t, by_run(&t) == GECC_ERROR_DEVICE);
    assert_non_null(strstr(gecc_error_text(), gecc_result_text(GECC_ERROR_DEVICE)));
    assert_non_null(strstr(gecc_error_text(), "recorder"));
    assert_non_null(strstr(gecc_error_text(), "a test asked for it"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_text),
        cmocka_unit_test(test_context),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_options),
        cmocka_unit_test(test_selectors),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_inputs),
        cmocka_unit_test(test_words_of_widths),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_the_first_is_named),
        cmocka_unit_test(test_run),
        cmocka_unit_test(test_run_without_parameters),
        cmocka_unit_test(test_texts_of_threads),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
