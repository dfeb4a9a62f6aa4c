/* Contexts, jobs, reports, and what becomes of rows that were not processed.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "api/keys.h"
#include "recorder.h"

enum { COUNT = 4, STRIDE = 80, DER_BYTES = 72, STATUS_STRIDE = 3 };

/* A signing call on a recording context. */
struct signing {
    struct recorder recorder;
    gecc_context context;
    gecc_options options;
    gecc_report report;
    gecc_job *job;
    uint8_t key[32], digest[32];
    size_t status_stride;
    uint8_t signature[COUNT * STRIDE], recovery_id[COUNT], status[COUNT * STATUS_STRIDE];
    uint32_t widths[COUNT];
};

static void signing_begin(struct signing *s, gecc_result result, size_t processed) {
    memset(s, 0, sizeof *s);
    s->recorder.result = result;
    s->recorder.processed = processed;
    s->status_stride = 1;
    s->report = (gecc_report)GECC_REPORT_INIT;
    s->context = recorder_context(&s->recorder);
    s->options = (gecc_options)GECC_OPTIONS_INIT;
    s->options.flags = GECC_DER;
    s->options.report = &s->report;
    memset(s->signature, 0xa5, sizeof s->signature);
    memset(s->recovery_id, 0xa5, sizeof s->recovery_id);
    memset(s->widths, 0xa5, sizeof s->widths);
    memset(s->status, 0xa5, sizeof s->status);
}

static gecc_result sign(struct signing *s) {
    gecc_out out = {s->signature, STRIDE, s->widths};
    return gecc_ecdsa_sign(&s->context, GECC_SECP256K1, out, gecc_out_packed(s->recovery_id, 1),
                           gecc_out_packed(s->status, s->status_stride), gecc_rows_same(s->key, 32),
                           gecc_rows_same(s->digest, 32), gecc_rows_none(), COUNT, &s->options);
}

/* Rows from `processed` on are zeros, the others and what lies between rows are as they were. */
static void check_rows(const struct signing *s, size_t processed) {
    for (size_t i = 0; i < sizeof s->status; i++)
        assert_true(i % s->status_stride == 0 || s->status[i] == 0xa5);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(s->status[i * s->status_stride], i < processed ? GECC_ITEM_OK : GECC_ITEM_NOT_PROCESSED);
        assert_int_equal(s->recovery_id[i], i < processed ? 0xa5 : 0);
        assert_int_equal(s->widths[i], i < processed ? 0xa5a5a5a5 : 0);
        for (size_t k = 0; k < STRIDE; k++)
            assert_int_equal(s->signature[i * STRIDE + k], i < processed || k >= DER_BYTES ? 0xa5 : 0);
    }
}

static void check_report(const struct signing *s) {
    assert_string_equal(s->report.backend, "recorder");
    assert_string_equal(s->report.detail, "a test");
    assert_string_equal(s->report.reason, "a test asked for it");
    assert_true(s->report.seconds == 2.5);
}

static void test_report(void **state) {
    (void)state;
    struct signing s;
    signing_begin(&s, GECC_OK, COUNT);
    assert_int_equal(sign(&s), GECC_OK);
    check_rows(&s, COUNT);
    check_report(&s);
}

static void test_rows_without_a_result_are_zeros(void **state) {
    (void)state;
    struct signing s;
    for (size_t stride = 1; stride <= STATUS_STRIDE; stride++)
        for (size_t processed = 0; processed <= COUNT; processed++) {
            signing_begin(&s, GECC_ERROR_DEVICE, processed);
            s.status_stride = stride;
            assert_int_equal(sign(&s), GECC_ERROR_DEVICE);
            check_rows(&s, processed);
            check_report(&s);
        }
}

static void test_job(void **state) {
    (void)state;
    static const gecc_result results[] = {GECC_OK, GECC_ERROR_DEVICE, GECC_ERROR_FAULT};
    struct signing s;
    for (size_t i = 0; i < sizeof results / sizeof results[0]; i++) {
        signing_begin(&s, results[i], results[i] == GECC_OK ? COUNT : 1);
        s.options.job = &s.job;
        assert_int_equal(sign(&s), GECC_OK);
        assert_int_equal(s.recorder.runs, 0);
        assert_int_equal(s.recorder.submits, 1);
        assert_non_null(s.job);
        assert_string_equal(s.report.backend, "");
        memset(&s.options, 0xff, sizeof s.options);
        assert_int_equal(gecc_poll(s.job), GECC_PENDING);
        assert_int_equal(gecc_wait(s.job), results[i]);
        check_rows(&s, results[i] == GECC_OK ? COUNT : 1);
        check_report(&s);
    }
}

static void test_job_that_does_not_start(void **state) {
    (void)state;
    struct signing s;
    signing_begin(&s, GECC_OK, COUNT);
    s.options.job = &s.job;
    s.job = (gecc_job *)&s;
    s.recorder.submit_result = GECC_ERROR_THREAD;
    assert_int_equal(sign(&s), GECC_ERROR_THREAD);
    assert_null(s.job);
    check_rows(&s, 0);

    signing_begin(&s, GECC_OK, COUNT);
    s.options.job = &s.job;
    s.job = (gecc_job *)&s;
    s.options.flags = UINT32_MAX;
    assert_int_equal(sign(&s), GECC_ERROR_ARGUMENT);
    assert_null(s.job);
    assert_int_equal(s.recorder.submits, 0);
}

static void test_null_handles(void **state) {
    (void)state;
    assert_int_equal(gecc_wait(NULL), GECC_ERROR_ARGUMENT);
    assert_string_equal(gecc_error_text(), "job is NULL");
    assert_int_equal(gecc_poll(NULL), GECC_ERROR_ARGUMENT);
    assert_int_equal(gecc_wait_for(NULL, 1), GECC_ERROR_ARGUMENT);
    assert_int_equal(gecc_open(NULL, NULL), GECC_ERROR_ARGUMENT);
    assert_string_equal(gecc_error_text(), "context is NULL");
    gecc_close(NULL);
}

/* What is zero beyond this version's configuration is of a later one, and asks for nothing. */
static gecc_result open_with(const char *backend, unsigned threads, size_t size) {
    struct {
        gecc_config config;
        uint8_t beyond[8];
    } later = {GECC_CONFIG_INIT, {0}};
    later.config.size = size;
    later.config.backend = backend;
    later.config.threads = threads;
    gecc_context *context = NULL;
    gecc_result result = gecc_open(&context, &later.config);
    assert_int_equal(context != NULL, result == GECC_OK);
    gecc_close(context);
    return result;
}

static void test_config(void **state) {
    (void)state;
    size_t size = sizeof(gecc_config);
    assert_int_equal(open_with(NULL, 0, size), GECC_OK);
    assert_int_equal(open_with("auto", 1, size), GECC_OK);
    assert_int_equal(open_with("cpu", 3, size), GECC_OK);
    assert_int_equal(open_with("vax", 1, size), GECC_ERROR_NO_BACKEND);
    assert_string_equal(gecc_error_text(), "vax: there is no backend of that name");
    assert_int_equal(open_with("CPU", 1, size), GECC_ERROR_NO_BACKEND);
    assert_int_equal(open_with("cpu", 100000, size), GECC_ERROR_ARGUMENT);
    assert_memory_equal(gecc_error_text(), "config: 100000 threads", 22);
    assert_int_equal(open_with("cpu", 1, offsetof(gecc_config, key_table_bytes)), GECC_OK); /* that of 0.2 */
    assert_int_equal(open_with("cpu", 1, offsetof(gecc_config, key_table_bytes) - 1), GECC_ERROR_ARGUMENT);
    assert_int_equal(open_with("cpu", 1, size + 8), GECC_OK);
    assert_int_equal(open_with("cpu", 1, 0), GECC_ERROR_ARGUMENT);
}

static void test_backends(void **state) {
    (void)state;
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cpu";
    config.threads = 3;
    gecc_context *context;
    assert_int_equal(gecc_open(&context, &config), GECC_OK);
    size_t count = gecc_backends(context, SIZE_MAX, NULL);
    assert_true(count >= 2);
    unsigned chosen = 0, cpus = 0;
    for (size_t i = 0; i < count; i++) {
        gecc_backend_info info = GECC_BACKEND_INFO_INIT, unopened = GECC_BACKEND_INFO_INIT;
        assert_int_equal(gecc_backends(context, i, &info), count);
        assert_int_equal(gecc_backends(NULL, i, &unopened), count);
        assert_int_equal(unopened.chosen, 0);
        assert_int_equal(info.available, info.reason[0] == 0);
        chosen += (unsigned)info.chosen;
        if (strcmp(info.name, "cpu") != 0)
            continue;
        cpus++;
        assert_int_equal(info.available, 1);
        assert_int_equal(info.chosen, 1);
        assert_int_equal(info.threads, 3);
        assert_true(info.device[0] != 0);
    }
    assert_int_equal(chosen, 1);
    assert_int_equal(cpus, 1);
    gecc_close(context);
}

/* What gecc_prepare gives the backend: what a call would, without columns, but with widths that rows may have. */
static void test_prepare(void **state) {
    (void)state;
    struct recorder recorder = {.result = GECC_OK};
    gecc_context context = recorder_context(&recorder);
    for (size_t i = 0; i < OPERATION_COUNT; i++) {
        static const uint8_t modulus[16] = {[15] = 3};
        static const gecc_out no_out;
        const gecc_operation *operation = gecc_operations(i);
        gecc_parameters parameters = GECC_PARAMETERS_INIT;
        gecc_options options = GECC_OPTIONS_INIT;
        parameters.curve = (operation->curves >> GECC_P384 & 1) != 0         ? GECC_P384
                           : (operation->curves >> GECC_SM2 & 1) != 0        ? GECC_SM2
                           : (operation->curves >> GECC_CURVE25519 & 1) != 0 ? GECC_CURVE25519
                                                                             : GECC_SECP256K1;
        parameters.hash = GECC_SHA384;
        parameters.modulus = (gecc_modulus){modulus, sizeof modulus};
        options.flags = GECC_DER | (operation->flags & GECC_VERIFY_SIGNATURES);
        assert_int_equal(gecc_prepare(&context, operation, &parameters, 1000 + i, &options), GECC_OK);
        const struct job *job = &recorder.job;
        assert_int_equal(recorder.prepares, i + 1);
        assert_int_equal(job->operation, i);
        assert_int_equal(job->count, 1000 + i);
        assert_int_equal(job->flags, options.flags & operation->flags);
        assert_int_equal(job->curve, operation->curves == 0 ? 0 : parameters.curve);
        assert_int_equal(job->modulus_bytes, operation->selector == GECC_SELECT_MODULUS ? 16 : 0);
        gecc_widths widths = gecc_column_widths(operation, gecc_operation_input(operation, 0), &parameters, &options);
        assert_null(job->in[0].data);
        assert_int_equal(job->in[0].width, widths.most <= 64 || widths.count != 0 ? widths.most : widths.least);
        assert_memory_equal(&job->out[0], &no_out, sizeof no_out);
        assert_memory_equal(&job->status, &no_out, sizeof no_out);
        assert_int_equal(gecc_prepare(&context, operation, &parameters, 0, &options), GECC_OK);
        assert_int_equal(recorder.prepares, i + 1);
        recorder.result = GECC_ERROR_MEMORY;
        assert_int_equal(gecc_prepare(&context, operation, &parameters, 1, &options), GECC_ERROR_MEMORY);
        recorder = (struct recorder){.prepares = (unsigned)i + 1};
    }
    assert_int_equal(recorder.runs + recorder.submits, 0);
}

static void test_prepare_refuses(void **state) {
    (void)state;
    struct recorder recorder = {.result = GECC_OK};
    gecc_context context = recorder_context(&recorder);
    const gecc_operation *verify = gecc_operation_find("ecdsa.verify"), copy = *verify;
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    assert_int_equal(gecc_prepare(&context, verify, &parameters, 1, &options), GECC_ERROR_ARGUMENT);
    assert_memory_equal(gecc_error_text(), "curve: ", 7);
    parameters.curve = GECC_P256;
    assert_int_equal(gecc_prepare(&context, NULL, &parameters, 1, &options), GECC_ERROR_ARGUMENT);
    assert_memory_equal(gecc_error_text(), "operation: ", 11);
    assert_int_equal(gecc_prepare(&context, &copy, &parameters, 1, &options), GECC_ERROR_ARGUMENT);
    assert_int_equal(gecc_prepare(NULL, verify, &parameters, 1, &options), GECC_ERROR_ARGUMENT);
    assert_memory_equal(gecc_error_text(), "context is NULL", 15);
    options.flags = UINT32_MAX;
    assert_int_equal(gecc_prepare(&context, verify, &parameters, 1, &options), GECC_ERROR_ARGUMENT);
    assert_memory_equal(gecc_error_text(), "options: ", 9);
    gecc_context other = recorder_context(&recorder);
    gecc_keys keys = {.context = &other, .curve = GECC_P256};
    parameters.keys = &keys;
    assert_int_equal(gecc_prepare(&context, gecc_operation_find("ecdsa.verify_keys"), &parameters, 1, NULL),
                     GECC_ERROR_ARGUMENT);
    assert_string_equal(gecc_error_text(), "keys: of another context");
    assert_int_equal(recorder.prepares, 0);
    assert_int_equal(gecc_prepare(&context, verify, &parameters, 1, NULL), GECC_OK);
}

static void test_version(void **state) {
    (void)state;
    char version[32];
    (void)snprintf(version, sizeof version, "%d.%d.%d", GECC_VERSION_MAJOR, GECC_VERSION_MINOR, GECC_VERSION_PATCH);
    assert_string_equal(gecc_version(), version);
    assert_int_equal(gecc_version_number(), GECC_VERSION_NUMBER);
    assert_int_equal(gecc_version_number() % 1000, GECC_VERSION_PATCH);
    assert_int_equal(gecc_version_number() / 1000 % 1000, GECC_VERSION_MINOR);
    assert_int_equal(gecc_version_number() / 1000000, GECC_VERSION_MAJOR);
}

static void test_texts(void **state) {
    (void)state;
    assert_string_equal(gecc_result_text(GECC_OK), "done");
    assert_string_equal(gecc_result_text(GECC_PENDING), "the job is still running");
    assert_string_equal(gecc_result_text((gecc_result)99), "unknown result");
    assert_string_equal(gecc_item_text(GECC_ITEM_NOT_PROCESSED), "not processed");
    assert_string_equal(gecc_item_text(GECC_ITEM_MALFORMED_RECOVERY_ID),
                        "a recovery id is not 0, 1, 2 or 3, or Ethereum has no such v");
    assert_string_equal(gecc_item_text(254), "unknown status");
}

static void test_sizes(void **state) {
    (void)state;
    static const struct {
        gecc_curve curve;
        const char *name;
        size_t bits;
    } curves[] = {
#define CURVE(curve, value, name, title, bits, ...) {curve, title, bits},
        GECC_CURVE_LIST(CURVE)
#undef CURVE
    };
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
        /* Two INTEGERs of one bit more than numbers have, in a SEQUENCE whose length has two bytes from 128 on. */
        const size_t bytes = (curves[i].bits + 7) / 8, content = 2 * (2 + curves[i].bits / 8 + 1);
        assert_string_equal(gecc_curve_name(curves[i].curve), curves[i].name);
        assert_int_equal(gecc_curve_bytes(curves[i].curve), bytes);
        assert_int_equal(gecc_der_bytes(curves[i].curve), content + (content < 128 ? 2 : 3));
        assert_int_equal(gecc_point_bytes(curves[i].curve, GECC_POINT_UNCOMPRESSED), 1 + 2 * bytes);
        assert_int_equal(gecc_point_bytes(curves[i].curve, GECC_POINT_COMPRESSED), 1 + bytes);
        assert_int_equal(gecc_point_bytes(curves[i].curve, GECC_POINT_RAW), 2 * bytes);
        assert_int_equal(gecc_point_bytes(curves[i].curve, (gecc_point_format)3), 0);
    }
    assert_int_equal(gecc_der_bytes(GECC_P256), 72);
    assert_int_equal(gecc_der_bytes(GECC_P521), 139);
    assert_string_equal(gecc_curve_name(GECC_CURVE25519), "Curve25519");
    assert_int_equal(gecc_curve_bytes(GECC_CURVE25519), 32);
    assert_int_equal(gecc_der_bytes(GECC_CURVE25519), 0);
    assert_int_equal(gecc_point_bytes(GECC_CURVE25519, GECC_POINT_RAW), 0);
    assert_int_equal(gecc_curve_named("x25519"), GECC_CURVE25519);
    assert_int_equal(gecc_curve_named("1.3.101.112"), GECC_CURVE25519);
    assert_null(gecc_curve_name((gecc_curve)0));
    assert_int_equal(gecc_curve_named("P-521"), GECC_P521);
    assert_int_equal(gecc_curve_named("PRIME256V1"), GECC_P256);
    assert_int_equal(gecc_curve_named("1.3.36.3.3.2.8.1.1.11"), GECC_BRAINPOOL_P384R1);
    assert_int_equal(gecc_curve_named("P-52"), 0);
    assert_int_equal(gecc_curve_named("P-5211"), 0);
    assert_int_equal(gecc_curve_named(""), 0);
    assert_int_equal(gecc_curve_named(NULL), 0);
    assert_int_equal(gecc_curve_bytes(GECC_CURVE_END), 0);
    assert_int_equal(gecc_der_bytes(GECC_CURVE_END), 0);
    assert_int_equal(gecc_point_bytes((gecc_curve)0, GECC_POINT_RAW), 0);
    int hashes = 1;
#define HASH(hash, value, name, title, bytes)                                                                          \
    assert_int_equal(gecc_hash_bytes(hash), bytes);                                                                    \
    assert_int_equal(gecc_hash_named(title), hash);                                                                    \
    assert_string_equal(gecc_hash_name(hash), title);                                                                  \
    hashes++;
    GECC_HASH_LIST(HASH)
#undef HASH
    assert_int_equal(gecc_hash_bytes(GECC_HASH_DEFAULT) + gecc_hash_bytes((gecc_hash)hashes), 0);
    assert_null(gecc_hash_name(GECC_HASH_DEFAULT));
    assert_null(gecc_hash_name((gecc_hash)hashes));
    assert_int_equal(gecc_hash_named("sha384"), GECC_SHA384);
    assert_int_equal(gecc_hash_named("SHA-384"), GECC_SHA384);
    assert_int_equal(gecc_hash_named("keccak-256"), GECC_KECCAK256);
    assert_int_equal(gecc_hash_named("SHA-38"), GECC_HASH_DEFAULT);
    assert_int_equal(gecc_hash_named(""), GECC_HASH_DEFAULT);
    assert_int_equal(gecc_hash_named(NULL), GECC_HASH_DEFAULT);
}

/* What gecc/languages.h gives by name is what the headers have, in both directions, and nothing else has a name. */
static void test_values_by_name(void **state) {
    (void)state;
    int count = 0;
    for (int value = 0; value < 256; value++) {
        const char *name = gecc_item_name((uint8_t)value);
        if (name != NULL)
            assert_int_equal(gecc_item_named(name), value);
        count += name != NULL;
    }
#define ONE(...) +1
    assert_int_equal(count, 0 GECC_ITEM_LIST(ONE));
    assert_int_equal(gecc_item_named("MALFORMED_HIGH_S"), GECC_ITEM_MALFORMED_HIGH_S);
    assert_int_equal(gecc_item_named("not_processed"), GECC_ITEM_NOT_PROCESSED);
    for (int value = 0; value < 0 GECC_RESULT_LIST(ONE); value++)
        assert_int_equal(gecc_result_named(gecc_result_name((gecc_result)value)), value);
    assert_null(gecc_result_name((gecc_result)(0 GECC_RESULT_LIST(ONE))));
    assert_int_equal(gecc_result_named("ERROR_DEVICE"), GECC_ERROR_DEVICE);
    for (int value = 1; value <= 0 GECC_KIND_LIST(ONE); value++)
        assert_int_equal(gecc_kind_named(gecc_kind_name((gecc_kind)value)), value);
    for (uint32_t bit = 0; bit < 0 GECC_FLAG_LIST(ONE); bit++)
        assert_int_equal(gecc_flag_named(gecc_flag_name(1u << bit)), 1u << bit);
#undef ONE
    assert_int_equal(gecc_kind_named("Private Key"), GECC_KIND_PRIVATE_KEY);
    assert_int_equal(gecc_flag_named("low_s"), GECC_LOW_S);
    assert_int_equal(gecc_point_format_named("uncompressed"), GECC_POINT_UNCOMPRESSED);
    assert_int_equal(gecc_point_format_named("compressed"), GECC_POINT_COMPRESSED);
    assert_int_equal(gecc_point_format_named("RAW"), GECC_POINT_RAW);
    for (int i = 0; i < 3; i++) {
        const char *name = (const char *[]){NULL, "", "lows"}[i];
        assert_int_equal(gecc_item_named(name), -1);
        assert_int_equal(gecc_result_named(name), -1);
        assert_int_equal(gecc_point_format_named(name), -1);
        assert_int_equal(gecc_flag_named(name), 0);
        assert_int_equal(gecc_kind_named(name), 0);
    }
}

/* Structs by address are those by value; an address that is NULL is that of a column that is left out. */
static void test_structs_by_address(void **state) {
    (void)state;
    gecc_context *context;
    assert_int_equal(gecc_open(&context, NULL), GECC_OK);
    const gecc_operation *operation = gecc_operation_find("digest");
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.hash = GECC_SHA256;
    uint8_t digest[2][32], expected[2][32], status[2];
    gecc_out out = gecc_out_packed(digest, 32), statuses = gecc_out_packed(status, 1);
    gecc_rows messages = gecc_rows_packed("abcdef", 3);
    assert_int_equal(gecc_digest(context, GECC_SHA256, gecc_out_packed(expected, 32), statuses, messages, 2, NULL),
                     GECC_OK);
    assert_int_equal(gecc_run_by_address(context, operation, &parameters, &out, &statuses, &messages, 2, NULL),
                     GECC_OK);
    assert_memory_equal(digest, expected, sizeof digest);
    assert_int_equal(gecc_run_by_address(context, operation, &parameters, &out, NULL, &messages, 2, NULL),
                     GECC_ERROR_ARGUMENT);
    assert_non_null(strstr(gecc_error_text(), "status"));

    gecc_widths widths = {.least = 7};
    gecc_column_widths_by_address(operation, gecc_operation_output(operation, 0), &parameters, NULL, &widths);
    assert_int_equal(widths.most, 32);
    gecc_column_widths_by_address(operation, gecc_operation_output(operation, 0), &parameters, NULL, NULL);

    uint8_t key[65];
    gecc_rows one = gecc_rows_packed((uint8_t[32]){[31] = 1}, 32), key_rows = gecc_rows_packed(key, sizeof key);
    assert_int_equal(gecc_ec_public_key(context, GECC_P256, gecc_out_packed(key, sizeof key), statuses, one, 1, NULL),
                     GECC_OK);
    gecc_keys_config config = GECC_KEYS_CONFIG_INIT;
    config.capacity = 2;
    gecc_keys *keys;
    size_t first = 0;
    assert_int_equal(gecc_keys_open_by_address(context, &keys, GECC_P256, &statuses, &key_rows, 1, &config), GECC_OK);
    assert_int_equal(status[0], GECC_ITEM_OK);
    assert_int_equal(gecc_keys_add_by_address(keys, &statuses, &key_rows, 1, &first), GECC_OK);
    assert_int_equal(first, 1);
    assert_int_equal(gecc_keys_add_by_address(keys, &statuses, NULL, 1, NULL), GECC_ERROR_ARGUMENT);
    gecc_keys_close(keys);
    assert_int_equal(gecc_keys_open_by_address(context, &keys, GECC_P256, NULL, &key_rows, 1, NULL),
                     GECC_ERROR_ARGUMENT);
    assert_null(keys);
    gecc_close(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_rows_without_a_result_are_zeros),
        cmocka_unit_test(test_job),
        cmocka_unit_test(test_job_that_does_not_start),
        cmocka_unit_test(test_null_handles),
        cmocka_unit_test(test_config),
        cmocka_unit_test(test_backends),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_version),
        cmocka_unit_test(test_prepare_refuses),
        cmocka_unit_test(test_values_by_name),
        cmocka_unit_test(test_structs_by_address),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
