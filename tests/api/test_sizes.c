/* Structs whose first field is their size, of programs that were compiled against other versions of the headers: those
 * of 0.2 and longer ones are understood as far as what is beyond is zero; nothing beyond a caller's struct is
 * written.
 *
 * Test: fast */
#include "attempt.h"

enum { MORE = 40 };

/* What 0.2 had of those that have grown. */
enum {
    OPTIONS_LEAST = offsetof(gecc_options, output_bytes),
    PARAMETERS_LEAST = offsetof(gecc_parameters, keys),
    CONFIG_LEAST = offsetof(gecc_config, key_table_bytes)
};

/* Is it a size that a version of the headers has, or may have? */
static bool is_size(size_t size, size_t least, size_t ours) { return size == least || size >= ours; }

/* A struct of this version as a later one has it. */
static union {
    gecc_options options;
    gecc_parameters parameters;
    gecc_config config;
    gecc_report report;
    gecc_device_info device;
    gecc_backend_info info;
    uint8_t bytes[sizeof(gecc_backend_info) + sizeof(gecc_options) + sizeof(gecc_report) + MORE];
} later;

static void *longer(const void *struct_of_ours, size_t bytes) {
    memset(later.bytes, 0, sizeof later.bytes);
    memcpy(later.bytes, struct_of_ours, bytes);
    return later.bytes;
}

/* Tries the struct in `later`, with each size: accepted of `least` bytes, and from `bytes` on while what is beyond is
 * zero. */
static void check_sizes(struct attempt *t, size_t *size, size_t least, size_t bytes, const char *name) {
    for (size_t shorter = 0; shorter < least; shorter++) {
        *size = shorter;
        refused_for(t, name);
    }
    *size = least;
    accepted(t);
    for (*size = bytes; *size <= bytes + MORE; ++*size)
        accepted(t);
    *size = bytes + MORE;
    for (size_t beyond = bytes; beyond < bytes + MORE; beyond++) {
        later.bytes[beyond] = 1;
        refused_for(t, name);
        later.bytes[beyond] = 0;
    }
}

static void test_options(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        attempt(&t, i)->a.options = longer(&t.options, sizeof t.options);
        later.options.point_format = GECC_POINT_RAW;
        check_sizes(&t, &later.options.size, OPTIONS_LEAST, sizeof(gecc_options), "options");
        check(&t, t.recorder.job.point_format == GECC_POINT_RAW);
    }
}

/* Typed functions have their own: gecc_run alone. */
static void test_parameters(void **state) {
    (void)state;
    struct attempt t;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        size_t bytes = sizeof(gecc_parameters);
        const struct arguments *a = &attempt(&t, i)->a;
        const gecc_parameters *parameters = longer(&a->parameters, bytes);
        for (size_t size = 0; size <= bytes + MORE; size++) {
            if (size >= PARAMETERS_LEAST && !is_size(size, PARAMETERS_LEAST, bytes))
                continue;
            later.parameters.size = size;
            gecc_result result =
                gecc_run(a->context, t.operation, parameters, a->out, a->status, a->in, a->count, a->options);
            bool right = size >= (takes_keys(i) ? bytes : PARAMETERS_LEAST);
            check(&t, result == (right ? GECC_OK : GECC_ERROR_ARGUMENT));
        }
        for (size_t beyond = bytes; beyond < bytes + MORE; beyond++) {
            later.bytes[beyond] = 1;
            check(&t, gecc_run(a->context, t.operation, parameters, a->out, a->status, a->in, a->count, a->options) ==
                          GECC_ERROR_ARGUMENT);
            check(&t, strncmp(gecc_error_text(), "parameters: ", 12) == 0);
            check(&t,
                  gecc_column_widths(t.operation, gecc_operation_input(t.operation, 0), parameters, NULL).most == 0);
            check(&t, gecc_prepare(a->context, t.operation, parameters, 1, NULL) == GECC_ERROR_ARGUMENT);
            later.bytes[beyond] = 0;
        }
    }
}

static gecc_result open_later(void) {
    gecc_context *context;
    gecc_result result = gecc_open(&context, &later.config);
    assert_int_equal(context != NULL, result == GECC_OK);
    gecc_close(context);
    return result;
}

static void test_config(void **state) {
    (void)state;
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cpu";
    config.threads = 1;
    longer(&config, sizeof config);
    for (size_t size = 0; size <= sizeof config + MORE; size++) {
        if (size >= CONFIG_LEAST && !is_size(size, CONFIG_LEAST, sizeof config))
            continue;
        later.config.size = size;
        assert_int_equal(open_later(), size < CONFIG_LEAST ? GECC_ERROR_ARGUMENT : GECC_OK);
        assert_true(size >= CONFIG_LEAST || strncmp(gecc_error_text(), "config: size", 12) == 0);
    }
    for (size_t beyond = sizeof config; beyond < sizeof config + MORE; beyond++) {
        later.bytes[beyond] = 1;
        assert_int_equal(open_later(), GECC_ERROR_ARGUMENT);
        later.bytes[beyond] = 0;
    }
}

/* A size that nobody set is refused before anything beyond the struct is read. */
static void test_sizes_at_random(void **state) {
    (void)state;
    static const size_t sizes[] = {4097, SIZE_MAX / 2, SIZE_MAX};
    gecc_config config = GECC_CONFIG_INIT;
    longer(&config, sizeof config);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        later.config.size = sizes[i];
        assert_int_equal(open_later(), GECC_ERROR_ARGUMENT);
    }
}

/* The first `size` bytes of the struct are those of `whole`, its size excepted, and the rest is as it was. */
static void check_given(const void *whole, size_t whole_bytes, size_t size) {
    size_t given = size < whole_bytes ? size : whole_bytes;
    given = given < sizeof size ? sizeof size : given;
    assert_memory_equal(later.bytes, &size, sizeof size);
    assert_memory_equal(later.bytes + sizeof size, (const uint8_t *)whole + sizeof size, given - sizeof size);
    assert_true(all_are(later.bytes + given, STALE, sizeof later.bytes - given));
}

static void test_reports(void **state) {
    (void)state;
    struct attempt t;
    gecc_report whole = GECC_REPORT_INIT;
    attempt(&t, OPERATION_EC_ADD)->options.report = &whole;
    accepted(&t);
    assert_string_equal(whole.backend, "recorder");
    t.options.report = &later.report;
    for (size_t size = sizeof size; size <= sizeof whole + MORE; size++) {
        memset(later.bytes, STALE, sizeof later.bytes);
        later.report.size = size;
        accepted(&t);
        check_given(&whole, sizeof whole, size);
    }
    for (size_t size = 0; size < sizeof size; size++) {
        memset(later.bytes, STALE, sizeof later.bytes);
        later.report.size = size;
        refused_for(&t, "options");
        check_given(&whole, 0, size);
    }
}

static void test_infos(void **state) {
    (void)state;
    for (size_t index = 0; index < gecc_backends(NULL, SIZE_MAX, NULL); index++) {
        gecc_backend_info whole = GECC_BACKEND_INFO_INIT;
        (void)gecc_backends(NULL, index, &whole);
        assert_true(whole.name[0] != 0);
        for (size_t size = 0; size <= sizeof whole + MORE; size++) {
            memset(later.bytes, STALE, sizeof later.bytes);
            later.info.size = size;
            assert_int_equal(gecc_backends(NULL, index, &later.info), gecc_backends(NULL, SIZE_MAX, NULL));
            check_given(&whole, size < sizeof size ? 0 : sizeof whole, size);
        }
    }
}

/* Where there is a GPU. */
static void test_device_infos(void **state) {
    (void)state;
    for (size_t index = 0; index < gecc_devices(NULL, SIZE_MAX, NULL); index++) {
        gecc_device_info whole = GECC_DEVICE_INFO_INIT;
        (void)gecc_devices(NULL, index, &whole);
        assert_true(whole.name[0] != 0);
        for (size_t size = 0; size <= sizeof whole + MORE; size++) {
            memset(later.bytes, STALE, sizeof later.bytes);
            later.info.size = size;
            assert_true(gecc_devices(NULL, index, &later.device) > index);
            check_given(&whole, size < sizeof size ? 0 : sizeof whole, size);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_options),         cmocka_unit_test(test_parameters), cmocka_unit_test(test_config),
        cmocka_unit_test(test_sizes_at_random), cmocka_unit_test(test_reports),    cmocka_unit_test(test_infos),
        cmocka_unit_test(test_device_infos),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
