/* The CUDA backend on a driver without a GPU.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/cuda_samples.h"

static void start(struct fake_settings settings) { fake_driver_start(&settings); }

static gecc_context *open_on(const struct backend *backend) {
    gecc_context *context;
    assert_int_equal(context_on(&context, backend), GECC_OK);
    return context;
}

/* What the CPU makes of the sample. */
static struct sample *run_on_cpu(const struct sample_kind *kind, const struct sample *sample) {
    struct sample *expected = sample_copy(sample);
    gecc_context *context = open_on(&gecc_backend_cpu);
    assert_int_equal(sample_run(kind, context, expected), GECC_OK);
    gecc_close(context);
    return expected;
}

static void check_call(const struct sample_kind *kind, gecc_context *context, const struct sample *sample,
                       const struct sample *expected) {
    struct sample *copy = sample_copy(sample);
    assert_int_equal(sample_run(kind, context, copy), GECC_OK);
    if (!sample_equal(copy, expected))
        print_error("%s, %zu rows\n", kind->name, sample->count);
    assert_true(sample_equal(copy, expected));
    free(copy);
}

/* All kinds of calls and sizes give what the CPU gives, whenever the device does its work. */
static void test_results(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 7, 8, 9, 63, 64, 65, 130, SAMPLE_ROWS};
    for (int lazy = 0; lazy <= 1; lazy++) {
        struct fake_settings settings = fake_settings_good();
        settings.lazy = lazy;
        start(settings);
        gecc_context *context = open_on(&fake_cuda);
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            struct sample *sample = sample_new(counts[i]);
            for (unsigned k = 0; k < SAMPLE_KINDS; k++) {
                struct sample *expected = run_on_cpu(&sample_kinds[k], sample);
                check_call(&sample_kinds[k], context, sample, expected);
                free(expected);
            }
            free(sample);
        }
        gecc_close(context);
        assert_int_equal(fake_driver_held(), 0);
    }
}

/* Few multiprocessors make small chunks, and so many of them. */
static struct fake_settings settings_small(bool lazy) {
    struct fake_settings settings = fake_settings_good();
    settings.multiprocessors = 1;
    settings.lazy = lazy;
    return settings;
}

/* A row has its result or none at all: NOT_PROCESSED, and zeros where a result would be. Returns how many have one. */
static size_t check_rows(const struct sample *got, const struct sample *expected) {
    static const uint8_t zeros[OUT_STRIDE];
    size_t finished = 0;
    for (size_t i = 0; i < got->count; i++) {
        const uint8_t *out = got->out + i * OUT_STRIDE, *right = expected->out + i * OUT_STRIDE;
        if (got->status[i] == GECC_ITEM_NOT_PROCESSED) {
            assert_true(right[0] == UNTOUCHED || memcmp(out, zeros, 32) == 0);
            assert_true(expected->ids[i] == UNTOUCHED || got->ids[i] == 0);
            assert_true(expected->out_widths[i] == 0xa5a5a5a5 || got->out_widths[i] == 0);
            continue;
        }
        finished++;
        assert_int_equal(got->status[i], expected->status[i]);
        assert_memory_equal(out, right, OUT_STRIDE);
        assert_int_equal(got->ids[i], expected->ids[i]);
        assert_int_equal(got->out_widths[i], expected->out_widths[i]);
    }
    return finished;
}

enum { FAILING_ROWS = 45 };

/* Outputs as far apart as check_rows has them. */
static gecc_result multiply_apart(gecc_context *context, struct sample *s, gecc_options *options) {
    static const uint8_t modulus[32] = {0x7f, [30] = 0x11, [31] = 0x97};
    return gecc_mod_mul(context, (gecc_modulus){modulus, 32}, gecc_out_packed(s->out, OUT_STRIDE),
                        gecc_out_packed(s->status, 1), gecc_rows_strided(s->in[0], 32, IN_STRIDE),
                        gecc_rows_same(s->in[1], 32), s->count, options);
}

static const struct sample_kind failing_kinds[] = {{"sign", sample_sign, true},
                                                   {"sign, growing", sample_sign_growing, true},
                                                   {"multiply", multiply_apart, true},
                                                   {"digest", sample_digest, false}};

enum failure { ONE_CALL, FROM_THEN_ON, ONE_CALL_LACKS_MEMORY };

struct failing {
    const struct sample_kind *kind;
    enum failure failure;
    struct fake_settings settings;
    const struct sample *sample, *expected;
};

static void plant_secrets(const struct failing *f) {
    if (f->kind->secret)
        for (size_t i = 0; i < 40; i += 13)
            if (i % 11 != 3)
                fake_driver_plant(f->sample->in[0] + i * IN_STRIDE, 32);
}

/* After a call: what it left, and that a device that failed is left alone. */
static void check_after(const struct failing *f, gecc_context *context, gecc_result result, struct sample *got) {
    size_t finished = check_rows(got, f->expected);
    if (result == GECC_OK)
        assert_int_equal(finished, got->count);
    assert_int_equal(fake_driver_secrets(f->failure != FROM_THEN_ON), 0);
    assert_true(f->failure == FROM_THEN_ON || fake_driver_pending() == 0);
    if (result == GECC_OK)
        return;
    assert_true(result == GECC_ERROR_DEVICE || (f->failure == ONE_CALL_LACKS_MEMORY && result == GECC_ERROR_MEMORY));
    struct sample *again = sample_copy(f->sample);
    unsigned long calls = fake_driver_calls();
    gecc_result second = sample_run(f->kind, context, again);
    if (result == GECC_ERROR_MEMORY) {
        assert_int_equal(second, GECC_OK);
        assert_true(check_rows(again, f->expected) == again->count);
    } else {
        assert_int_equal(second, GECC_ERROR_DEVICE);
        assert_int_equal(fake_driver_calls(), calls);
        assert_int_equal(check_rows(again, f->expected), 0);
        assert_memory_equal(again->report.reason, "the device failed: cu", 21);
    }
    free(again);
}

/* Open, call and close while call number `call` of the driver fails. Returns the number of calls. */
static unsigned long run_failing(const struct failing *f, unsigned long call) {
    gecc_context *context;

    fake_driver_start(&f->settings);
    plant_secrets(f);
    fake_driver_fail(call, f->failure == FROM_THEN_ON,
                     f->failure == ONE_CALL_LACKS_MEMORY ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_LAUNCH_FAILED);
    gecc_result result = context_on(&context, &fake_cuda);
    assert_true(call != 0 || result == GECC_OK);
    if (result == GECC_OK) {
        struct sample *got = sample_copy(f->sample);
        result = sample_run(f->kind, context, got);
        assert_true(call != 0 || result == GECC_OK);
        check_after(f, context, result, got);
        free(got);
        gecc_close(context);
    }
    if (f->failure != FROM_THEN_ON)
        assert_int_equal(fake_driver_held(), 0);
    assert_int_equal(fake_driver_secrets(f->failure != FROM_THEN_ON), 0);
    return fake_driver_calls();
}

/* Whichever call of the driver fails, by itself or for good: no result is wrong, lost or half there, nothing leaks, no
 * secret stays. */
static void test_every_failure(void **state) {
    (void)state;
    struct sample *sample = sample_new(FAILING_ROWS);
    for (size_t k = 0; k < sizeof failing_kinds / sizeof failing_kinds[0]; k++) {
        struct failing f = {.kind = &failing_kinds[k], .sample = sample};
        struct sample *expected = run_on_cpu(f.kind, sample);
        f.expected = expected;
        for (f.failure = ONE_CALL; f.failure <= ONE_CALL_LACKS_MEMORY; f.failure++)
            for (int eager = 0; eager <= (f.failure == ONE_CALL); eager++) {
                f.settings = settings_small(!eager);
                unsigned long calls = run_failing(&f, 0);
                for (unsigned long call = 1; call <= calls; call++)
                    run_failing(&f, call);
            }
        free(expected);
    }
    free(sample);
}

static gecc_result prepare_on(gecc_context *context, gecc_curve curve, const char *name, size_t count) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.curve = curve;
    parameters.hash = GECC_SHA256;
    return gecc_prepare(context, gecc_operation_find(name), &parameters, count, NULL);
}

static gecc_result prepare(gecc_context *context, const char *name, size_t count) {
    return prepare_on(context, GECC_SECP256K1, name, count);
}

/* Only what multiplies G has anything to prepare, once. Memory that was used for it is there for the next curve. */
static void test_prepare(void **state) {
    enum { SECONDS_MOST = 60 };
    (void)state;
    alarm(SECONDS_MOST); /* a slot that is not given back is waited for */
    start(settings_small(true));
    gecc_context *context = open_on(&fake_cuda);
    struct sample *sample = sample_new(5), *expected = run_on_cpu(&sample_kinds[0], sample);
    assert_int_equal(prepare(context, "digest", 1000), GECC_OK);
    assert_int_equal(fake_driver_launches(), 0);
    assert_int_equal(prepare(context, "ecdsa.sign", 1000), GECC_OK);
    const unsigned long passes = fake_driver_launches(); /* that make a curve's tables */
    assert_true(passes > 2);
    assert_int_equal(prepare(context, "ecdsa.verify", 1), GECC_OK);
    assert_int_equal(fake_driver_launches(), passes);
    check_call(&sample_kinds[0], context, sample, expected);
    assert_int_equal(fake_driver_launches(), passes + 1);
    for (gecc_curve curve = GECC_P256; curve < GECC_CURVE_END; curve++)
        assert_int_equal(prepare_on(context, curve, "ec.mul_base", 1000), GECC_OK);
    assert_int_equal(fake_driver_launches(), passes + 1 + passes * (GECC_CURVE_END - GECC_P256));
    assert_int_equal(fake_driver_pending(), 0);
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
    free(sample);
    free(expected);
    alarm(0);
}

/* Whichever call of the driver fails while tables are prepared, later calls are right or fail, too, and nothing
 * leaks. */
static void test_every_failure_of_prepare(void **state) {
    (void)state;
    struct sample *sample = sample_new(10), *expected = run_on_cpu(&sample_kinds[0], sample);
    for (int lacks_memory = 0; lacks_memory <= 1; lacks_memory++)
        for (unsigned long call = 1, calls = 1; call <= calls; call++) {
            start(settings_small(true));
            gecc_context *context = open_on(&fake_cuda);
            unsigned long opened = fake_driver_calls();
            fake_driver_fail(opened + call, false, lacks_memory ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_LAUNCH_FAILED);
            gecc_result result = prepare(context, "ecdsa.sign", 1000);
            if (fake_driver_calls() - opened > calls)
                calls = fake_driver_calls() - opened;
            assert_true(result == GECC_OK || result == (lacks_memory ? GECC_ERROR_MEMORY : GECC_ERROR_DEVICE));
            assert_int_equal(fake_driver_pending(), 0);
            fake_driver_fail(0, false, CUDA_SUCCESS);
            struct sample *copy = sample_copy(sample);
            gecc_result later = sample_run(&sample_kinds[0], context, copy);
            assert_true(later == (lacks_memory ? GECC_OK : GECC_ERROR_DEVICE) ||
                        (later == GECC_OK && result == GECC_OK));
            assert_true(later != GECC_OK || sample_equal(copy, expected));
            free(copy);
            gecc_close(context);
            assert_int_equal(fake_driver_held(), 0);
        }
    free(sample);
    free(expected);
}

/* G and 2 G of P-256, and what is no point. */
static const uint8_t key_points[3][33] = {
    {3,    0x6b, 0x17, 0xd1, 0xf2, 0xe1, 0x2c, 0x42, 0x47, 0xf8, 0xbc, 0xe6, 0xe5, 0x63, 0xa4, 0x40, 0xf2,
     0x77, 0x03, 0x7d, 0x81, 0x2d, 0xeb, 0x33, 0xa0, 0xf4, 0xa1, 0x39, 0x45, 0xd8, 0x98, 0xc2, 0x96},
    {3,    0x7c, 0xf2, 0x7b, 0x18, 0x8d, 0x03, 0x4f, 0x7e, 0x8a, 0x52, 0x38, 0x03, 0x04, 0xb5, 0x1a, 0xc3,
     0xc0, 0x89, 0x69, 0xe2, 0x77, 0xf2, 0x1b, 0x35, 0xa6, 0x0b, 0x48, 0xfc, 0x47, 0x66, 0x99, 0x78},
    {1}};

/* A set of the first `count` of them, with room for all. */
static gecc_result open_keys(gecc_context *context, gecc_keys **keys, uint8_t status[3], size_t count) {
    gecc_keys_config config = GECC_KEYS_CONFIG_INIT;
    config.capacity = 3;
    return gecc_keys_open(context, keys, GECC_P256, gecc_out_packed(status, 1), gecc_rows_packed(key_points, 33), count,
                          &config);
}

/* 1 * G + 1 * key: 2 G and 3 G by their last bytes, and what the third key is refused for. */
static gecc_result sum_keys(gecc_context *context, gecc_keys *keys, uint8_t last[3], uint8_t status[3]) {
    static const uint8_t one[32] = {[31] = 1}, numbers[3][4] = {{0}, {1}, {2}};
    uint8_t sums[3][33];
    gecc_options options = GECC_OPTIONS_INIT;
    options.point_format = GECC_POINT_COMPRESSED;
    gecc_result result = gecc_ec_mul_add_keys(context, keys, gecc_out_packed(sums, 33), gecc_out_packed(status, 1),
                                              gecc_rows_same(one, 32), gecc_rows_same(one, 32),
                                              gecc_rows_packed(numbers, 4), 3, &options);
    for (int i = 0; i < 3; i++)
        last[i] = sums[i][32];
    return result;
}

/* Whichever call of the driver fails while tables of keys are made, what they then give is right or fails, and nothing
 * leaks. */
static void test_failing_keys(void **state) {
    (void)state;
    for (int lacks_memory = 0; lacks_memory <= 1; lacks_memory++)
        for (unsigned long call = 1, calls = 1; call <= calls; call++) {
            uint8_t status[3], last[3];
            gecc_keys *keys;
            start(settings_small(true));
            gecc_context *context = open_on(&fake_cuda);
            unsigned long opened = fake_driver_calls();
            fake_driver_fail(opened + call, false, lacks_memory ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_LAUNCH_FAILED);
            gecc_result result = open_keys(context, &keys, status, 3);
            if (fake_driver_calls() - opened > calls)
                calls = fake_driver_calls() - opened;
            assert_true(result == GECC_OK || result == (lacks_memory ? GECC_ERROR_MEMORY : GECC_ERROR_DEVICE));
            assert_int_equal(fake_driver_pending(), 0);
            fake_driver_fail(0, false, CUDA_SUCCESS);
            assert_true((result == GECC_OK) == (keys != NULL));
            if (keys != NULL && sum_keys(context, keys, last, status) == GECC_OK) {
                assert_int_equal(status[0], GECC_ITEM_OK);
                assert_int_equal(status[1], GECC_ITEM_OK);
                assert_int_equal(status[2], GECC_ITEM_MALFORMED_POINT_ENCODING);
                assert_int_equal(last[0], 0x78);
                assert_int_equal(last[1], 0x6c);
            }
            gecc_keys_close(keys);
            gecc_close(context);
            assert_int_equal(fake_driver_held(), 0);
        }
}

/* Whichever call of the driver fails while keys are added, all of them are there or none; where memory was lacking the
 * set is as good as before, and takes them later. */
static void test_failing_added_keys(void **state) {
    (void)state;
    for (int lacks_memory = 0; lacks_memory <= 1; lacks_memory++)
        for (unsigned long call = 1, calls = 1; call <= calls; call++) {
            uint8_t status[3] = {0}, last[3];
            gecc_keys *keys;
            gecc_keys_info info = {.size = sizeof info};
            start(settings_small(true));
            gecc_context *context = open_on(&fake_cuda);
            assert_int_equal(open_keys(context, &keys, status, call % 2), GECC_OK);
            const size_t there = call % 2, added = 3 - there;
            const gecc_rows points = gecc_rows_packed(key_points[there], 33);
            unsigned long opened = fake_driver_calls();
            fake_driver_fail(opened + call, false, lacks_memory ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_LAUNCH_FAILED);
            gecc_result result = gecc_keys_add(keys, gecc_out_packed(status, 1), points, added, NULL);
            if (fake_driver_calls() - opened > calls)
                calls = fake_driver_calls() - opened;
            assert_true(result == GECC_OK || result == (lacks_memory ? GECC_ERROR_MEMORY : GECC_ERROR_DEVICE));
            assert_int_equal(fake_driver_pending(), 0);
            fake_driver_fail(0, false, CUDA_SUCCESS);
            gecc_keys_describe(keys, &info);
            assert_int_equal(info.count, result == GECC_OK ? 3 : there);
            for (size_t i = 0; result != GECC_OK && i < added; i++)
                assert_int_equal(status[i], GECC_ITEM_NOT_PROCESSED);
            if (result == GECC_ERROR_MEMORY)
                assert_int_equal(gecc_keys_add(keys, gecc_out_packed(status, 1), points, added, NULL), GECC_OK);
            if (result != GECC_ERROR_DEVICE && sum_keys(context, keys, last, status) == GECC_OK) {
                assert_int_equal(status[0], GECC_ITEM_OK);
                assert_int_equal(status[1], GECC_ITEM_OK);
                assert_int_equal(status[2], GECC_ITEM_MALFORMED_POINT_ENCODING);
                assert_int_equal(last[0], 0x78);
                assert_int_equal(last[1], 0x6c);
            }
            gecc_keys_close(keys);
            gecc_close(context);
            assert_int_equal(fake_driver_held(), 0);
        }
}

/* A job that does not fit at once takes what memory there is; one that cannot fit says so, and breaks nothing. */
static void test_little_memory(void **state) {
    (void)state;
    struct sample *sample = sample_new(SAMPLE_ROWS);
    size_t fits = 0;
    for (unsigned k = 0; k < SAMPLE_KINDS; k++) {
        struct sample *expected = run_on_cpu(&sample_kinds[k], sample);
        for (size_t memory = (size_t)16 << 20; memory >= (size_t)1 << 18; memory -= memory / 5) {
            struct fake_settings settings = fake_settings_good();
            settings.multiprocessors = 64;
            settings.memory = memory;
            settings.pinned = memory / 16;
            start(settings);
            gecc_context *context = open_on(&fake_cuda);
            struct sample *copy = sample_copy(sample);
            gecc_result result = sample_run(&sample_kinds[k], context, copy);
            assert_true(result == GECC_OK || result == GECC_ERROR_MEMORY);
            if (result == GECC_OK)
                assert_true(sample_equal(copy, expected));
            fits += result == GECC_OK;
            assert_true(fake_driver_memory_most() <= memory);
            free(copy);
            gecc_close(context);
            assert_int_equal(fake_driver_held(), 0);
        }
        free(expected);
    }
    assert_true(fits > 3 * SAMPLE_KINDS);
    free(sample);
}

struct caller {
    pthread_t thread;
    gecc_context *context;
    const struct sample_kind *kind;
    const struct sample *sample;
    struct sample *expected;
    unsigned bad;
};

static void *caller_main(void *argument) {
    struct caller *caller = argument;
    for (int times = 0; times < 4; times++) {
        struct sample *copy = sample_copy(caller->sample);
        caller->bad += sample_run(caller->kind, caller->context, copy) != GECC_OK;
        caller->bad += !sample_equal(copy, caller->expected);
        free(copy);
    }
    return NULL;
}

/* More callers than there are slots, on two contexts. */
static void test_threads(void **state) {
    (void)state;
    enum { CALLERS = 12 };
    start(settings_small(true));
    gecc_context *contexts[] = {open_on(&fake_cuda), open_on(&fake_cuda)};
    struct caller callers[CALLERS];
    struct sample *sample = sample_new(100);
    for (unsigned i = 0; i < CALLERS; i++) {
        const struct sample_kind *kind = &sample_kinds[i % SAMPLE_KINDS];
        callers[i] = (struct caller){.context = contexts[i % 2], .kind = kind, .sample = sample, .bad = 0};
        callers[i].expected = run_on_cpu(kind, sample);
        assert_int_equal(pthread_create(&callers[i].thread, NULL, caller_main, &callers[i]), 0);
    }
    for (unsigned i = 0; i < CALLERS; i++) {
        pthread_join(callers[i].thread, NULL);
        assert_int_equal(callers[i].bad, 0);
        free(callers[i].expected);
    }
    gecc_close(contexts[0]);
    gecc_close(contexts[1]);
    assert_int_equal(fake_driver_held(), 0);
    free(sample);
}

static void test_jobs(void **state) {
    (void)state;
    enum { JOBS = 6 };
    start(settings_small(false));
    gecc_context *context = open_on(&fake_cuda);
    struct sample *sample = sample_new(50), *copies[JOBS];
    gecc_job *jobs[JOBS];
    for (unsigned i = 0; i < JOBS; i++) {
        gecc_options options = GECC_OPTIONS_INIT;
        copies[i] = sample_copy(sample);
        options.job = &jobs[i];
        options.report = &copies[i]->report;
        assert_int_equal(sample_kinds[i].call(context, copies[i], &options), GECC_OK);
    }
    for (unsigned i = 0; i < JOBS; i++) {
        struct sample *expected = run_on_cpu(&sample_kinds[i], sample);
        gecc_result result;
        while ((result = gecc_poll(jobs[i])) == GECC_PENDING)
            usleep(100);
        assert_int_equal(result, GECC_OK);
        assert_int_equal(gecc_wait(jobs[i]), GECC_OK);
        assert_true(sample_equal(copies[i], expected));
        assert_string_equal(copies[i]->report.backend, "cuda");
        free(expected);
        free(copies[i]);
    }
    gecc_close(context);
    free(sample);
}

static void test_report(void **state) {
    (void)state;
    start(settings_small(true));
    gecc_context *context = open_on(&fake_cuda);
    memcpy(context->instance.reason, "a test", sizeof "a test");
    struct sample *sample = sample_new(100);
    assert_int_equal(sample_run(&sample_kinds[1], context, sample), GECC_OK);
    assert_string_equal(sample->report.backend, "cuda");
    assert_string_equal(sample->report.detail, "a fake GPU");
    assert_string_equal(sample->report.reason, "a test");
    assert_true(sample->report.seconds > 0 && sample->report.seconds < 60);
    /* The fake driver's kernels take a millisecond each. */
    assert_int_equal((int)(1000 * sample->report.kernel_seconds + 0.5), (int)fake_driver_launches());
    assert_int_equal(fake_driver_launches(), 7);
    free(sample);
    gecc_close(context);
}

/* Everything a child of fork() may try; 0: none of it touched the driver, and all was refused. */
static int use_in_child(gecc_context *context, gecc_job *job, const struct sample *sample) {
    struct sample *copy = sample_copy(sample);
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_job *another;
    options.job = &another;
    int bad = sample_run(&sample_kinds[0], context, copy) != GECC_ERROR_DEVICE;
    bad += strstr(copy->report.reason, "fork") == NULL;
    for (size_t i = 0; i < copy->count; i++)
        bad += copy->status[i] != GECC_ITEM_NOT_PROCESSED;
    bad += sample_kinds[0].call(context, copy, &options) != GECC_ERROR_DEVICE;
    gecc_result polled = gecc_poll(job);
    bad += polled == GECC_PENDING || gecc_wait(job) != polled;
    gecc_close(context);
    free(copy);
    return bad;
}

static void test_fork(void **state) {
    (void)state;
    enum { CHILD_SECONDS = 60, CHILDREN = 5 };
    start(settings_small(true));
    gecc_context *context = open_on(&fake_cuda);
    struct sample *sample = sample_new(300);
    for (unsigned i = 0; i < CHILDREN; i++) {
        struct sample *copy = sample_copy(sample);
        gecc_options options = GECC_OPTIONS_INIT;
        gecc_job *job;
        options.job = &job;
        assert_int_equal(sample_sign(context, copy, &options), GECC_OK);
        usleep(i * 1000);
        pid_t child = fork();
        if (child == 0) {
            alarm(CHILD_SECONDS);
            _exit(use_in_child(context, job, sample));
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
        assert_int_equal(gecc_wait(job), GECC_OK);
        free(copy);
    }
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
    free(sample);
}

static void check_probe(struct fake_settings settings, const char *reason) {
    gecc_config config = GECC_CONFIG_INIT;
    gecc_backend_info info = GECC_BACKEND_INFO_INIT;
    gecc_context *context;
    start(settings);
    fake_cuda.probe(&config, &info);
    assert_string_equal(info.name, "cuda");
    assert_string_equal(info.reason, reason);
    assert_int_equal(info.available, reason[0] == 0);
    assert_int_equal(context_on(&context, &fake_cuda), reason[0] == 0 ? GECC_OK : GECC_ERROR_NO_BACKEND);
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
}

static void test_probe(void **state) {
    (void)state;
    struct fake_settings settings = fake_settings_good();
    check_probe(settings, "");
    settings.capability = 70;
    check_probe(settings, "a fake GPU has compute capability 7.0, at least 7.5 is needed");
    settings.capability = 75;
    check_probe(settings, "");
    settings.devices = 0;
    check_probe(settings, "cuDeviceGetCount: CUDA_ERROR_NO_DEVICE");
    settings = fake_settings_good();
    settings.abi++;
    check_probe(settings, "the kernels were built for another device or another version of the library");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results),       cmocka_unit_test(test_every_failure),
        cmocka_unit_test(test_failing_keys),  cmocka_unit_test(test_failing_added_keys),
        cmocka_unit_test(test_little_memory), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_jobs),          cmocka_unit_test(test_report),
        cmocka_unit_test(test_fork),          cmocka_unit_test(test_probe),
        cmocka_unit_test(test_prepare),       cmocka_unit_test(test_every_failure_of_prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
