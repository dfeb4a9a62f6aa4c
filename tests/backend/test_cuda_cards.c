/* Jobs that several GPUs share: the same bytes as on one, shares by the cards' rates, failures that lose no row.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "backend/cuda_samples.h"

enum { CARDS_MOST = FAKE_DEVICES_MOST, KEYS = 3, SIGNED_ROWS = 96 };

static gecc_context *open_devices(const char *device) {
    gecc_config config = GECC_CONFIG_INIT;
    gecc_context *context;
    config.device = device;
    (void)context_on_with(&context, &fake_cuda, &config);
    return context;
}

static gecc_context *open_cpu(void) {
    gecc_context *context;
    assert_int_equal(context_on(&context, &gecc_backend_cpu), GECC_OK);
    return context;
}

static struct fake_settings with_devices(int devices) {
    struct fake_settings settings = fake_settings_good();
    settings.devices = devices;
    return settings;
}

/* "0,1,..." */
static const char *first_devices(int devices) {
    static char text[2 * CARDS_MOST + 1];
    for (int i = 0; i < devices; i++)
        (void)snprintf(text + 2 * i, sizeof text - 2 * (size_t)i, "%d,", i);
    text[2 * devices - 1] = 0;
    return text;
}

/* Rows that the report says device number `device` has computed. */
static size_t rows_of(const gecc_report *report, int device) {
    size_t sum = 0;
    for (const char *at = report->devices; *at != 0;) {
        int number, length = 0;
        size_t rows;
        assert_int_equal(sscanf(at, "%d: %zu%n", &number, &rows, &length), 2);
        sum += number == device ? rows : 0;
        at += length;
        at += strspn(at, ", ");
    }
    return sum;
}

static size_t all_rows_of(const gecc_report *report) {
    size_t sum = 0;
    for (int i = 0; i < CARDS_MOST; i++)
        sum += rows_of(report, i);
    return sum;
}

static void check_results(int devices, const char *text) {
    const struct fake_settings settings = with_devices(devices);
    gecc_context *cpu = open_cpu();
    fake_driver_start(&settings);
    gecc_context *context = open_devices(text);
    assert_non_null(context);
    for (size_t k = 0; k < SAMPLE_KINDS; k++) {
        struct sample *sample = sample_new(SAMPLE_ROWS), *expected = sample_copy(sample);
        assert_int_equal(sample_run(&sample_kinds[k], cpu, expected), GECC_OK);
        assert_int_equal(sample_run(&sample_kinds[k], context, sample), GECC_OK);
        assert_true(sample_equal(sample, expected));
        assert_string_equal(sample->report.backend, "cuda");
        assert_int_equal(all_rows_of(&sample->report), SAMPLE_ROWS);
        for (int i = 0; i < devices; i++)
            assert_true(rows_of(&sample->report, i) != 0);
        free(sample);
        free(expected);
    }
    gecc_close(context);
    gecc_close(cpu);
    assert_int_equal(fake_driver_held(), 0);
}

static void test_results(void **state) {
    (void)state;
    for (int devices = 1; devices <= CARDS_MOST; devices *= 2)
        check_results(devices, first_devices(devices));
    check_results(3, "2,0,1");
    check_results(1, "0,0");
}

/* The report names the cards, and where there is one only says what it always said. */
static void test_report(void **state) {
    (void)state;
    const struct fake_settings settings = with_devices(2);
    fake_driver_start(&settings);
    struct sample *sample = sample_new(SAMPLE_ROWS);
    gecc_context *one = open_devices("1"), *two = open_devices("0,1");
    assert_int_equal(sample_run(&sample_kinds[1], one, sample), GECC_OK);
    assert_string_equal(sample->report.detail, "a fake GPU");
    assert_string_equal(sample->report.devices, "1: 700");
    assert_int_equal(fake_driver_launches_on(0), 0);
    assert_int_equal(sample_run(&sample_kinds[1], two, sample), GECC_OK);
    assert_string_equal(sample->report.detail, "2 x a fake GPU");
    assert_string_equal(sample->report.devices, "0: 350, 1: 350");
    sample->count = 40; /* too few to fill two */
    assert_int_equal(sample_run(&sample_kinds[1], two, sample), GECC_OK);
    assert_string_equal(sample->report.detail, "a fake GPU");
    assert_string_equal(sample->report.devices, "0: 40");
    gecc_close(one);
    gecc_close(two);
    free(sample);
    assert_int_equal(fake_driver_held(), 0);
}

static void test_device_lists(void **state) {
    (void)state;
    static const char *const wrong[] = {"2", "0,2", "0,", ",0", "0,,1", "-1", "0 ,1", "all,0", "", "0x1", "1 "};
    const struct fake_settings settings = with_devices(2);
    fake_driver_start(&settings);
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        gecc_config config = GECC_CONFIG_INIT;
        gecc_backend_info info = GECC_BACKEND_INFO_INIT;
        config.device = wrong[i];
        assert_null(open_devices(wrong[i]));
        fake_cuda.probe(&config, &info);
        assert_false(info.available);
        assert_non_null(strstr(info.reason, "there is no device"));
    }
    assert_int_equal(fake_driver_held(), 0);

    /* A card that no kernels can be built for is left out, unless it was named. */
    struct fake_settings old = with_devices(3);
    old.capability_of[0] = 70;
    fake_driver_start(&old);
    assert_null(open_devices("0,1"));
    gecc_context *context = open_devices("all");
    struct sample *sample = sample_new(SAMPLE_ROWS);
    assert_int_equal(sample_run(&sample_kinds[1], context, sample), GECC_OK);
    assert_int_equal(rows_of(&sample->report, 0), 0);
    assert_int_equal(rows_of(&sample->report, 1), SAMPLE_ROWS);
    free(sample);
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
}

static const gecc_operation *operation_named(const char *name) {
    const gecc_operation *operation;
    for (size_t i = 0; (operation = gecc_operations(i)) != NULL; i++)
        if (strcmp(operation->name, name) == 0)
            return operation;
    return NULL;
}

/* Of all cards one is open, and the others are when somebody prepares for many rows. */
static void test_opening(void **state) {
    (void)state;
    const struct fake_settings settings = with_devices(4);
    fake_driver_start(&settings);
    gecc_context *context = open_devices(NULL);
    struct sample *sample = sample_new(SAMPLE_ROWS);
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.curve = GECC_SECP256K1;
    assert_int_equal(sample_run(&sample_kinds[5], context, sample), GECC_OK);
    assert_string_equal(sample->report.devices, "0: 700");
    assert_int_equal(gecc_prepare(context, operation_named("ec.public_key"), &parameters, 10, NULL), GECC_OK);
    assert_int_equal(sample_run(&sample_kinds[5], context, sample), GECC_OK);
    assert_string_equal(sample->report.devices, "0: 700");
    assert_int_equal(gecc_prepare(context, operation_named("ec.public_key"), &parameters, SAMPLE_ROWS, NULL), GECC_OK);
    assert_true(fake_driver_launches_on(3) > 0); /* its tables */
    assert_int_equal(sample_run(&sample_kinds[5], context, sample), GECC_OK);
    assert_string_equal(sample->report.devices, "0: 175, 1: 175, 2: 175, 3: 175");
    free(sample);
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
}

/* A card that takes three times as long gets a quarter of the rows, after a few jobs. */
static void test_rates(void **state) {
    (void)state;
    struct fake_settings settings = with_devices(2);
    settings.row_nanoseconds[0] = 100000;
    settings.row_nanoseconds[1] = 300000;
    fake_driver_start(&settings);
    gecc_context *context = open_devices("0,1");
    struct sample *sample = sample_new(SAMPLE_ROWS);
    for (int i = 0; i < 8; i++)
        assert_int_equal(sample_run(&sample_kinds[1], context, sample), GECC_OK);
    assert_in_range(rows_of(&sample->report, 1), SAMPLE_ROWS / 8, SAMPLE_ROWS * 3 / 8);
    free(sample);
    gecc_close(context);
}

/* Every row has its result, whichever call of one of the cards fails; then that card is not used any more. */
static void check_failing(gecc_context *cpu, int devices, int failing, unsigned long every, CUresult error) {
    const struct fake_settings settings = with_devices(devices);
    fake_driver_start(&settings);
    gecc_context *context = open_devices(first_devices(devices));
    assert_non_null(context);
    fake_driver_fail_on(failing, every, error);
    for (size_t k = 0; k < SAMPLE_KINDS; k += 2) {
        struct sample *sample = sample_new(200), *expected = sample_copy(sample);
        assert_int_equal(sample_run(&sample_kinds[k], cpu, expected), GECC_OK);
        assert_int_equal(sample_run(&sample_kinds[k], context, sample), GECC_OK);
        assert_true(sample_equal(sample, expected));
        assert_true(all_rows_of(&sample->report) <= 200);
        if (every == 1)
            assert_int_equal(rows_of(&sample->report, failing), 0);
        if (every == 1 && k == 0 && error == CUDA_ERROR_LAUNCH_FAILED) {
            char start[16];
            (void)snprintf(start, sizeof start, "GPU %d: ", failing);
            assert_memory_equal(sample->report.reason, start, strlen(start));
            assert_non_null(strstr(sample->report.reason, "others did the rest"));
        }
        free(sample);
        free(expected);
    }
    fake_driver_fail_on(failing, 0, CUDA_SUCCESS);
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
}

static void test_failover(void **state) {
    (void)state;
    gecc_context *cpu = open_cpu();
    for (unsigned long every = 1; every <= 40; every++) {
        check_failing(cpu, 2, (int)(every % 2), every, CUDA_ERROR_LAUNCH_FAILED);
        check_failing(cpu, 3, (int)(every % 3), every, CUDA_ERROR_OUT_OF_MEMORY);
    }
    for (unsigned long every = 43; every <= 200; every += 7)
        check_failing(cpu, 4, (int)(every % 4), every, CUDA_ERROR_LAUNCH_FAILED);
    gecc_close(cpu);
}

/* When no card works any more, the call says so, and what has no result says that. */
static void test_all_fail(void **state) {
    (void)state;
    gecc_context *cpu = open_cpu();
    for (unsigned long every = 1; every <= 30; every++) {
        const struct fake_settings settings = with_devices(3);
        fake_driver_start(&settings);
        gecc_context *context = open_devices("0,1,2");
        struct sample *sample = sample_new(200), *expected = sample_copy(sample);
        assert_int_equal(sample_run(&sample_kinds[1], cpu, expected), GECC_OK);
        for (int i = 0; i < 3; i++)
            fake_driver_fail_on(i, every, CUDA_ERROR_LAUNCH_FAILED);
        gecc_result result = GECC_OK;
        for (int i = 0; result == GECC_OK && i < 20; i++)
            result = sample_run(&sample_kinds[1], context, sample);
        assert_int_equal(result, GECC_ERROR_DEVICE);
        assert_non_null(strstr(sample->report.reason, "the device failed: "));
        size_t lost = 0;
        for (size_t i = 0; i < sample->count; i++) {
            lost += sample->status[i] == GECC_ITEM_NOT_PROCESSED;
            if (sample->status[i] != GECC_ITEM_NOT_PROCESSED)
                assert_memory_equal(sample->out + 32 * i, expected->out + 32 * i, 32);
        }
        assert_true(lost != 0);
        free(sample);
        free(expected);
        for (int i = 0; i < 3; i++)
            fake_driver_fail_on(i, 0, CUDA_SUCCESS);
        gecc_close(context);
        assert_int_equal(fake_driver_held(), 0);
    }
    gecc_close(cpu);
}

/* A card with little memory does what it can, or leaves it. */
static void test_little_memory(void **state) {
    (void)state;
    gecc_context *cpu = open_cpu();
    for (size_t memory = 64 << 10; memory <= 4 << 20; memory *= 2) {
        struct fake_settings settings = with_devices(2);
        settings.memory_of[1] = memory;
        fake_driver_start(&settings);
        gecc_context *context = open_devices("0,1");
        struct sample *sample = sample_new(SAMPLE_ROWS), *expected = sample_copy(sample);
        assert_int_equal(sample_run(&sample_kinds[0], cpu, expected), GECC_OK);
        assert_int_equal(sample_run(&sample_kinds[0], context, sample), GECC_OK);
        assert_true(sample_equal(sample, expected));
        free(sample);
        free(expected);
        gecc_close(context);
    }
    gecc_close(cpu);
}

/* Signatures that fail their check on every card are withheld, and those of one card are made by another. */
static void test_withheld(void **state) {
    (void)state;
    const struct fake_settings settings = with_devices(2);
    fake_driver_start(&settings);
    gecc_context *context = open_devices("0,1");
    struct sample *sample = sample_new(SAMPLE_ROWS);
    fake_driver_withhold(1);
    assert_int_equal(sample_run(&sample_kinds[0], context, sample), GECC_ERROR_FAULT);
    for (size_t i = 0; i < SAMPLE_ROWS; i++)
        assert_true(sample->status[i] != GECC_ITEM_OK);
    fake_driver_withhold(0);
    assert_int_equal(sample_run(&sample_kinds[0], context, sample), GECC_OK); /* the cards are alive */
    free(sample);
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
}

/* Rows in a card's memory are computed there; a stream of another card's is refused, and does no harm. */
static void test_rows_on_a_card(void **state) {
    (void)state;
    const struct fake_settings settings = with_devices(3);
    fake_driver_start(&settings);
    gecc_context *context = open_devices("all"), *others = open_devices("0,2");
    struct sample *sample = sample_new(SAMPLE_ROWS), *expected = sample_copy(sample);
    gecc_context *cpu = open_cpu();
    gecc_rows messages = gecc_rows_strided(sample->in[0], 64, IN_STRIDE);
    gecc_options options = GECC_OPTIONS_INIT;
    options.report = &sample->report;
    assert_int_equal(gecc_digest(cpu, GECC_SM3, gecc_out_packed(expected->out, OUT_STRIDE),
                                 gecc_out_packed(expected->status, 1), messages, SAMPLE_ROWS, NULL),
                     GECC_OK);
    for (int device = 0; device < 3; device++) {
        void *memory = fake_device_new_on(device, sizeof sample->in[0]);
        CUstream stream = fake_stream_new_on(device), wrong = fake_stream_new_on((device + 1) % 3);
        fake_device_write(memory, sample->in[0], sizeof sample->in[0]);
        messages.data = memory;
        for (int i = 0; i < 3; i++) {
            options.stream = i == 0 ? NULL : i == 1 ? wrong : stream;
            memset(sample->out, UNTOUCHED, sizeof sample->out);
            gecc_result result = gecc_digest(context, GECC_SM3, gecc_out_packed(sample->out, OUT_STRIDE),
                                             gecc_out_packed(sample->status, 1), messages, SAMPLE_ROWS, &options);
            assert_int_equal(result, i == 1 ? GECC_ERROR_ARGUMENT : GECC_OK);
            if (i == 1)
                continue;
            assert_memory_equal(sample->out, expected->out, sizeof sample->out);
            assert_int_equal(rows_of(&sample->report, device), SAMPLE_ROWS);
        }
        options.stream = NULL;
        assert_int_equal(gecc_digest(others, GECC_SM3, gecc_out_packed(sample->out, OUT_STRIDE),
                                     gecc_out_packed(sample->status, 1), messages, SAMPLE_ROWS, &options),
                         device == 1 ? GECC_ERROR_ARGUMENT : GECC_OK);
        fake_device_free(memory);
        fake_stream_free(stream);
        fake_stream_free(wrong);
    }
    gecc_close(cpu);
    gecc_close(context);
    gecc_close(others);
    free(sample);
    free(expected);
    assert_int_equal(fake_driver_held(), 0);
}

/* Signatures by few keys. */
struct signed_rows {
    uint8_t secret[SIGNED_ROWS][32], key[SIGNED_ROWS][65], digest[SIGNED_ROWS][32], signature[SIGNED_ROWS][64];
    uint8_t status[SIGNED_ROWS];
    uint32_t number[SIGNED_ROWS];
};

static struct signed_rows *signed_rows_new(gecc_context *cpu) {
    struct signed_rows *rows = calloc(1, sizeof *rows);
    for (size_t i = 0; i < SIGNED_ROWS; i++) {
        rows->number[i] = (uint32_t)(i % KEYS);
        rows->secret[i][31] = (uint8_t)(1 + i % KEYS);
        rows->digest[i][0] = (uint8_t)i;
    }
    gecc_out status = gecc_out_packed(rows->status, 1);
    assert_int_equal(gecc_ec_public_key(cpu, GECC_P256, gecc_out_packed(rows->key, 65), status,
                                        gecc_rows_packed(rows->secret, 32), SIGNED_ROWS, NULL),
                     GECC_OK);
    assert_int_equal(gecc_ecdsa_sign(cpu, GECC_P256, gecc_out_packed(rows->signature, 64), gecc_out_none(), status,
                                     gecc_rows_packed(rows->secret, 32), gecc_rows_packed(rows->digest, 32),
                                     gecc_rows_none(), SIGNED_ROWS, NULL),
                     GECC_OK);
    for (size_t i = 5; i < SIGNED_ROWS; i += 16)
        rows->signature[i][40] ^= 1;
    return rows;
}

static gecc_result verify_by_number(gecc_context *context, gecc_keys *keys, struct signed_rows *rows,
                                    gecc_report *report) {
    gecc_options options = GECC_OPTIONS_INIT;
    options.report = report;
    memset(rows->status, UNTOUCHED, sizeof rows->status);
    return gecc_ecdsa_verify_keys(
        context, keys, gecc_out_packed(rows->status, 1), gecc_rows_packed(rows->number, sizeof rows->number[0]),
        gecc_rows_packed(rows->digest, 32), gecc_rows_packed(rows->signature, 64), SIGNED_ROWS, &options);
}

static void check_verdicts(const struct signed_rows *rows) {
    for (size_t i = 0; i < SIGNED_ROWS; i++)
        assert_int_equal(rows->status[i], i % 16 == 5 ? GECC_ITEM_INVALID : GECC_ITEM_OK);
}

/* Tables of keys are on all cards, also those of keys that came later, and of a set that began with none. */
static void test_keys(void **state) {
    (void)state;
    gecc_context *cpu = open_cpu();
    struct signed_rows *rows = signed_rows_new(cpu);
    for (size_t given = 0; given <= KEYS; given++) {
        const struct fake_settings settings = with_devices(3);
        fake_driver_start(&settings);
        gecc_context *context = open_devices("0,1,2");
        gecc_keys *keys;
        gecc_keys_config config = GECC_KEYS_CONFIG_INIT;
        gecc_report report = GECC_REPORT_INIT;
        uint8_t status[KEYS];
        config.capacity = KEYS;
        config.window = 4;
        assert_int_equal(gecc_keys_open(context, &keys, GECC_P256, gecc_out_packed(status, 1),
                                        gecc_rows_packed(rows->key, 65), given, &config),
                         GECC_OK);
        assert_int_equal(gecc_keys_add(keys, gecc_out_packed(status, 1), gecc_rows_packed(rows->key + given, 65),
                                       KEYS - given, NULL),
                         GECC_OK);
        assert_int_equal(verify_by_number(context, keys, rows, &report), GECC_OK);
        check_verdicts(rows);
        assert_string_equal(report.devices, "0: 32, 1: 32, 2: 32");
        /* Without the card whose tables stand for all. */
        fake_driver_fail_on(0, 1, CUDA_ERROR_LAUNCH_FAILED);
        for (int i = 0; i < 2; i++) {
            assert_int_equal(verify_by_number(context, keys, rows, &report), GECC_OK);
            check_verdicts(rows);
            assert_int_equal(rows_of(&report, 0), 0);
        }
        fake_driver_fail_on(0, 0, CUDA_SUCCESS);
        gecc_keys_close(keys);
        gecc_close(context);
        assert_int_equal(fake_driver_held(), 0);
    }
    free(rows);
    gecc_close(cpu);
}

/* A card that lacks memory for keys that are added is not used with these keys, unless all do, and none was added. */
static void test_keys_that_a_card_lacks(void **state) {
    (void)state;
    const struct fake_settings settings = with_devices(3);
    gecc_context *cpu = open_cpu();
    struct signed_rows *rows = signed_rows_new(cpu);
    fake_driver_start(&settings);
    gecc_context *context = open_devices("0,1,2");
    gecc_keys *keys;
    gecc_keys_config config = GECC_KEYS_CONFIG_INIT;
    gecc_report report = GECC_REPORT_INIT;
    uint8_t status[KEYS];
    config.capacity = KEYS;
    config.window = 4;
    assert_int_equal(gecc_keys_open(context, &keys, GECC_P256, gecc_out_packed(status, 1),
                                    gecc_rows_packed(rows->key, 65), 1, &config),
                     GECC_OK);
    for (int device = 0; device < 3; device++)
        fake_driver_fail_on(device, 1, CUDA_ERROR_OUT_OF_MEMORY);
    assert_int_equal(
        gecc_keys_add(keys, gecc_out_packed(status, 1), gecc_rows_packed(rows->key + 1, 65), KEYS - 1, NULL),
        GECC_ERROR_MEMORY);
    fake_driver_fail_on(0, 0, CUDA_SUCCESS);
    fake_driver_fail_on(2, 0, CUDA_SUCCESS);
    assert_int_equal(
        gecc_keys_add(keys, gecc_out_packed(status, 1), gecc_rows_packed(rows->key + 1, 65), KEYS - 1, NULL), GECC_OK);
    fake_driver_fail_on(1, 0, CUDA_SUCCESS);
    assert_int_equal(verify_by_number(context, keys, rows, &report), GECC_OK);
    check_verdicts(rows);
    assert_string_equal(report.devices, "0: 48, 2: 48");
    gecc_keys_close(keys);
    gecc_close(context);
    gecc_close(cpu);
    free(rows);
    assert_int_equal(fake_driver_held(), 0);
}

/* Pinned memory of the library's is pinned for all cards. */
static void test_pinned(void **state) {
    (void)state;
    const struct fake_settings settings = with_devices(2);
    fake_driver_start(&settings);
    gecc_context *context = open_devices("0,1"), *cpu = open_cpu();
    struct sample *sample = sample_new(SAMPLE_ROWS);
    uint8_t *in, *out, status[SAMPLE_ROWS], expected[SAMPLE_ROWS * 32];
    void *memory;
    assert_int_equal(gecc_memory_allocate(context, &memory, SAMPLE_ROWS * (64 + 32)), GECC_OK);
    in = memory;
    out = in + SAMPLE_ROWS * 64;
    memcpy(in, sample->in[0], SAMPLE_ROWS * 64);
    for (int i = 0; i < 2; i++)
        assert_int_equal(gecc_digest(i == 0 ? cpu : context, GECC_SHA256, gecc_out_packed(i == 0 ? expected : out, 32),
                                     gecc_out_packed(status, 1), gecc_rows_packed(in, 64), SAMPLE_ROWS, NULL),
                         GECC_OK);
    assert_memory_equal(out, expected, sizeof expected);
    gecc_memory_free(context, memory);
    free(sample);
    gecc_close(context);
    gecc_close(cpu);
    assert_int_equal(fake_driver_held(), 0);
}

/* Nothing of the rows is left in any card's memory. */
static void test_residue(void **state) {
    (void)state;
    const struct fake_settings settings = with_devices(2);
    fake_driver_start(&settings);
    gecc_context *context = open_devices("0,1");
    struct sample *sample = sample_new(SAMPLE_ROWS);
    for (size_t i = 1; i <= 32; i++)
        fake_driver_plant(sample->in[0] + (i * 20 % SAMPLE_ROWS) * IN_STRIDE, 24);
    assert_int_equal(sample_run(&sample_kinds[0], context, sample), GECC_OK);
    assert_int_equal(fake_driver_secrets(true), 0);
    gecc_close(context);
    assert_int_equal(fake_driver_secrets(true), 0);
    free(sample);
}

/* What gecc_devices says, before and after a card has failed. */
static void test_descriptions(void **state) {
    (void)state;
    struct fake_settings settings = with_devices(4);
    settings.memory_of[1] = (size_t)3 << 30;
    settings.capability_of[3] = 70;
    fake_driver_start(&settings);
    gecc_context *context = open_devices("0,1");
    fake_driver_fail_on(0, 1, CUDA_ERROR_LAUNCH_FAILED);
    struct sample *sample = sample_new(SAMPLE_ROWS);
    assert_int_equal(sample_run(&sample_kinds[1], context, sample), GECC_OK);
    static const char *const reasons[] = {"the device failed: ", "", "",
                                          "a fake GPU has compute capability 7.0, at least 7.5 is needed"};
    for (unsigned i = 0; i < 4; i++) {
        gecc_device_info info = GECC_DEVICE_INFO_INIT;
        char uuid[48];
        (void)snprintf(uuid, sizeof uuid, "GPU-face0000-0000-0000-0000-0000000000%02x", i);
        assert_int_equal(gecc_devices(context, i, &info), 4);
        assert_int_equal(info.number, i);
        assert_string_equal(info.name, "a fake GPU");
        assert_string_equal(info.uuid, uuid);
        assert_string_equal(info.architecture, i == 3 ? "sm_70" : "sm_90");
        assert_true(info.memory == (uint64_t)(i == 1 ? 3 : 1) << 30);
        assert_int_equal(info.available, i != 3);
        assert_int_equal(info.chosen, i < 2);
        assert_int_equal(info.open, i == 1);
        assert_memory_equal(info.reason, reasons[i], i == 0 ? strlen(reasons[i]) : strlen(reasons[i]) + 1);
        assert_int_equal(info.numa_node, -1);
        assert_int_equal(info.multiprocessors, 4);
    }
    free(sample);
    fake_driver_fail_on(0, 0, CUDA_SUCCESS);
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
}

enum { CALLERS = 4 };

struct caller {
    gecc_context *context;
    const struct sample *expected;
    pthread_t thread;
    int failures; /* cmocka's assertions belong to the main thread */
};

/* Jobs large and small, waited for or not. */
static void *call_often(void *argument) {
    struct caller *caller = argument;
    for (int i = 0; i < 12; i++) {
        struct sample *sample = sample_new(i % 3 == 0 ? 20 : 300);
        gecc_options options = GECC_OPTIONS_INIT;
        gecc_job *job = NULL;
        if (i % 2)
            options.job = &job;
        gecc_result result = sample_kinds[1].call(caller->context, sample, &options);
        if (i % 2 && result == GECC_OK)
            result = gecc_wait(job);
        if (result != GECC_OK || memcmp(sample->out, caller->expected->out, 32 * sample->count) != 0 ||
            memcmp(sample->status, caller->expected->status, sample->count) != 0) {
            print_error("call %d of %zu rows: %s: %s\n", i, sample->count, gecc_result_text(result), gecc_error_text());
            caller->failures++;
        }
        free(sample);
    }
    return NULL;
}

/* Many threads on cards of which one fails meanwhile. */
static void test_threads(void **state) {
    (void)state;
    struct fake_settings settings = with_devices(3);
    fake_driver_start(&settings);
    gecc_context *context = open_devices("0,1,2"), *cpu = open_cpu();
    struct sample *expected = sample_new(300);
    struct caller caller[CALLERS];
    assert_int_equal(sample_run(&sample_kinds[1], cpu, expected), GECC_OK);
    fake_driver_fail_on(1, 97, CUDA_ERROR_LAUNCH_FAILED);
    for (int i = 0; i < CALLERS; i++) {
        caller[i] = (struct caller){.context = context, .expected = expected};
        assert_int_equal(pthread_create(&caller[i].thread, NULL, call_often, &caller[i]), 0);
    }
    int failures = 0;
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(caller[i].thread, NULL);
        failures += caller[i].failures;
    }
    assert_int_equal(failures, 0);
    fake_driver_fail_on(1, 0, CUDA_SUCCESS);
    free(expected);
    gecc_close(context);
    gecc_close(cpu);
    assert_int_equal(fake_driver_held(), 0);
}

/* The second card is opened when jobs have lost as much time as that takes: each of these, of which two cards would
 * share the rows, takes the first one 64 ms at least. */
static void test_opening_when_time_is_lost(void **state) {
    (void)state;
    enum { ROWS = 64, MESSAGE_BYTES = 64, JOBS_MOST = 60 };
    struct fake_settings settings = with_devices(2);
    settings.row_nanoseconds[0] = 1000000;
    fake_driver_start(&settings);
    gecc_context *context = open_devices("all");
    uint8_t *message = calloc(1, MESSAGE_BYTES), out[ROWS][32], status[ROWS];
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_report report = GECC_REPORT_INIT;
    options.report = &report;
    int jobs = 0;
    do {
        assert_int_equal(gecc_digest(context, GECC_SHA256, gecc_out_packed(out, 32), gecc_out_packed(status, 1),
                                     gecc_rows_same(message, MESSAGE_BYTES), ROWS, &options),
                         GECC_OK);
        jobs++;
    } while (strcmp(report.devices, "0: 64") == 0 && jobs < JOBS_MOST);
    assert_string_equal(report.devices, "0: 32, 1: 32");
    assert_true(jobs > 2);
    free(message);
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_device_lists),
        cmocka_unit_test(test_descriptions),
        cmocka_unit_test(test_opening),
        cmocka_unit_test(test_opening_when_time_is_lost),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_failover),
        cmocka_unit_test(test_all_fail),
        cmocka_unit_test(test_withheld),
        cmocka_unit_test(test_little_memory),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_rows_on_a_card),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_keys_that_a_card_lacks),
        cmocka_unit_test(test_pinned),
        cmocka_unit_test(test_residue),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
