/* The CPU and a GPU as one: which of them runs a job, and that the CPU does what the GPU fails to do.
 *
 * Test: fast; no sanitizers */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/wait.h>
#include <unistd.h>

#include "backend/auto_contexts.h"
#include "backend/cuda_samples.h"

static int is_in_use(void) { return 1; }

static struct sample *run_on_cpu(const struct sample_kind *kind, const struct sample *sample) {
    struct sample *expected = sample_copy(sample);
    gecc_context *context;
    assert_int_equal(context_on(&context, &gecc_backend_cpu), GECC_OK);
    assert_int_equal(sample_run(kind, context, expected), GECC_OK);
    gecc_close(context);
    return expected;
}

/* The smallest sample of the kind that goes to the GPU. */
static size_t rows_for_gpu(const struct sample_kind *kind, gecc_context *context) {
    for (size_t count = 1; count <= SAMPLE_ROWS; count++) {
        unsigned long before = fake_driver_launches();
        struct sample *sample = sample_new(count);
        assert_int_equal(sample_run(kind, context, sample), GECC_OK);
        bool gpu = fake_driver_launches() != before;
        assert_string_equal(sample->report.backend, gpu ? "cuda" : "cpu");
        assert_string_equal(sample->report.reason,
                            gpu ? "faster on the GPU at this size" : "faster on the CPU at this size");
        free(sample);
        if (gpu)
            return count;
    }
    return SIZE_MAX;
}

static void check_rows_for_gpu(const struct speeds *speeds, size_t rows) {
    for (size_t kind = 0; kind <= 1; kind++) {
        start(100);
        gecc_context *context = open_with(speeds);
        assert_int_equal(rows_for_gpu(&sample_kinds[kind], context), rows);
        gecc_close(context);
        assert_int_equal(fake_driver_held(), 0);
    }
}

/* Where both take the same time, the CPU; from one row more on, the GPU; and each alone where it takes no time at
 * all. */
static void test_small_jobs_stay_on_the_cpu(void **state) {
    (void)state;
    struct speeds speeds = made_up();
    check_rows_for_gpu(&speeds, SAME_ROWS + 1);
    speeds.of[0].row /= 2;
    check_rows_for_gpu(&speeds, 2 * SAME_ROWS + 1);
    speeds.of[1].call = 0;
    check_rows_for_gpu(&speeds, 1);
    speeds = (struct speeds){{{.is_known = true}, {.call = 1, .is_known = true}}};
    check_rows_for_gpu(&speeds, SIZE_MAX);
}

/* A call of `rows` signatures, which must be right. */
static gecc_report sign_rows(gecc_context *context, size_t rows) {
    struct sample *sample = sample_new(rows), *expected = run_on_cpu(&sample_kinds[0], sample);
    assert_int_equal(sample_run(&sample_kinds[0], context, sample), GECC_OK);
    assert_true(sample_equal(sample, expected));
    gecc_report report = sample->report;
    free(sample);
    free(expected);
    return report;
}

/* A row on the GPU saves 0.01 s, rows in a call on top of the first SAME_ROWS. */
static struct speeds saving_little(void) {
    return (struct speeds){{{.row = 0.01, .is_known = true}, {.call = 0.01 * SAME_ROWS, .is_known = true}}};
}

/* The driver is left alone until calls have lost AUTO_OPENING_SECONDS on the CPU; a call that would lose more waits. */
static void test_the_gpu_is_opened_when_rows_pay(void **state) {
    (void)state;
    const struct speeds speeds = saving_little();
    start(4);
    gecc_context *context = open_cpu_with(&speeds, NULL);
    assert_true(gecc_instance_uses(&context->instance, &fake_cuda));
    for (int i = 0; i < 4; i++) {
        gecc_report report = sign_rows(context, i % 2 == 0 ? SAME_ROWS + 10 : SAME_ROWS - 1); /* 0.1 s each time */
        assert_string_equal(report.backend, "cpu");
        assert_string_equal(report.reason, "the GPU is opened once rows pay for it");
    }
    assert_int_equal(fake_driver_calls(), 0);
    (void)sign_rows(context, SAME_ROWS + 30);
    gecc_auto_open_gpu(context->instance.state); /* waits, if need be */
    assert_true(fake_driver_calls() > 0);
    assert_string_equal(sign_rows(context, SAME_ROWS + 30).backend, "cuda");
    assert_string_equal(sign_rows(context, SAME_ROWS - 1).reason, "faster on the CPU at this size");
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);

    start(4);
    context = open_cpu_with(&speeds, NULL);
    assert_string_equal(sign_rows(context, SAME_ROWS + 50).backend, "cuda");
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
}

/* The GPU is opened for what would go there, and that is then prepared, and nothing else. */
static void test_prepare(void **state) {
    (void)state;
    const struct speeds speeds = made_up();
    const gecc_operation *sign = gecc_operation_find("ecdsa.sign");
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.curve = GECC_SECP256K1;
    start(100);
    gecc_context *context = open_cpu_with(&speeds, NULL);
    assert_int_equal(gecc_prepare(context, sign, &parameters, SAME_ROWS, NULL), GECC_OK);
    assert_int_equal(fake_driver_calls(), 0);
    assert_int_equal(gecc_prepare(context, sign, &parameters, SAME_ROWS + 1, NULL), GECC_OK);
    const unsigned long passes = fake_driver_launches(); /* that make the curve's tables */
    assert_true(passes > 0);
    assert_string_equal(sign_rows(context, SAME_ROWS + 1).backend, "cuda");
    assert_int_equal(fake_driver_launches(), passes + 1);
    assert_int_equal(gecc_prepare(context, sign, &parameters, 1, NULL), GECC_OK);
    assert_string_equal(sign_rows(context, 1).backend, "cpu");
    assert_int_equal(fake_driver_launches(), passes + 1);
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
}

/* What is prepared follows what calls took, whatever rows they had: a CPU that is faster than it was guessed keeps them,
 * and the GPU is not opened. */
static void test_prepare_knows_calls(void **state) {
    (void)state;
    const struct speeds speeds = made_up();
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.curve = GECC_SECP256K1;
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = GECC_DER; /* as the calls */
    start(100);
    gecc_context *context = open_cpu_with(&speeds, NULL);
    told.of[0].row /= 1000;
    assert_string_equal(sign_rows(context, SAME_ROWS).backend, "cpu");
    assert_int_equal(gecc_prepare(context, gecc_operation_find("ecdsa.sign"), &parameters, SAME_ROWS + 1, &options),
                     GECC_OK);
    assert_int_equal(fake_driver_calls(), 0);
    gecc_close(context);
}

/* Memory is pinned once the GPU is open, and each piece goes back where it came from. */
static void test_memory(void **state) {
    (void)state;
    const struct speeds speeds = made_up();
    void *before, *after;
    start(4);
    gecc_context *context = open_cpu_with(&speeds, NULL);
    assert_int_equal(gecc_memory_allocate(context, &before, 5000), GECC_OK);
    assert_int_equal(fake_driver_calls(), 0);
    gecc_auto_open_gpu(context->instance.state);
    size_t held = fake_driver_held();
    assert_int_equal(gecc_memory_allocate(context, &after, 5000), GECC_OK);
    assert_int_equal(fake_driver_held(), held + 1);
    gecc_memory_free(context, before);
    assert_int_equal(fake_driver_held(), held + 1);
    gecc_memory_free(context, after);
    assert_int_equal(fake_driver_held(), held);
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
}

/* In a process that uses such GPUs the first call opens it. */
static void test_a_gpu_in_use_is_opened(void **state) {
    (void)state;
    const struct speeds speeds = saving_little();
    start(4);
    gecc_context *context = open_cpu_with(&speeds, is_in_use);
    assert_int_equal(fake_driver_calls(), 0);
    assert_string_equal(sign_rows(context, 1).reason, "faster on the CPU at this size");
    assert_string_equal(sign_rows(context, SAME_ROWS + 1).backend, "cuda");
    gecc_close(context);
}

/* One that does not open is not missed, and the reason is told. */
static void test_a_gpu_that_does_not_open(void **state) {
    (void)state;
    const struct speeds speeds = saving_little();
    start(4);
    fake_driver_fail(1, true, CUDA_ERROR_NO_DEVICE);
    gecc_context *context = open_cpu_with(&speeds, NULL);
    for (int i = 0; i < 2; i++) {
        gecc_report report = sign_rows(context, SAME_ROWS + 50);
        assert_string_equal(report.backend, "cpu");
        assert_string_equal(report.reason, "the only one available (cuda: it is broken)");
        assert_false(gecc_instance_uses(&context->instance, &fake_cuda));
    }
    gecc_close(context);
}

/* A context may be closed while its GPU is being opened. */
static void test_closed_while_opening(void **state) {
    (void)state;
    const struct speeds speeds = saving_little();
    for (int i = 0; i < 10; i++) {
        start(4);
        gecc_context *context = open_cpu_with(&speeds, NULL);
        (void)sign_rows(context, SAME_ROWS + 25);
        (void)sign_rows(context, SAME_ROWS + 25);
        gecc_close(context);
        assert_int_equal(fake_driver_held(), 0);
    }
}

/* What the caller sees after the CPU did what was left. */
static void check_report(const gecc_report *report) {
    bool all = strcmp(report->backend, "cpu") == 0, some = strcmp(report->backend, "cuda, cpu") == 0;
    bool none = strcmp(report->backend, "cuda") == 0;
    assert_true(all || some || none);
    if (!none)
        assert_non_null(strstr(report->reason, "; the CPU did the rest"));
}

/* Whichever call of the driver fails, the result is that of the CPU, for this call and for the next. */
static void check_failure(const struct sample_kind *kind, unsigned long call, bool from_then_on, CUresult error,
                          const struct sample *sample, const struct sample *expected) {
    start(2);
    gecc_context *context = open_automatic();
    unsigned long opened = fake_driver_calls();
    for (size_t i = 0; kind->secret && i < 40; i += 13)
        fake_driver_plant(sample->in[0] + i * IN_STRIDE, 32);
    fake_driver_fail(call == 0 ? 0 : opened + call, from_then_on, error);
    for (int again = 0; again <= 1; again++) {
        struct sample *copy = sample_copy(sample);
        assert_int_equal(sample_run(kind, context, copy), GECC_OK);
        assert_true(sample_equal(copy, expected));
        check_report(&copy->report);
        free(copy);
    }
    assert_int_equal(fake_driver_secrets(!from_then_on), 0);
    gecc_close(context);
    assert_int_equal(fake_driver_secrets(!from_then_on), 0);
    if (!from_then_on)
        assert_int_equal(fake_driver_held(), 0);
}

/* Powers need no tables, and so little time. */
static gecc_result power_to(gecc_context *context, struct sample *s, uint8_t *out) {
    static const uint8_t modulus[32] = {0x7f, [30] = 0x11, [31] = 0x97};
    gecc_options options = GECC_OPTIONS_INIT;
    options.report = &s->report;
    return gecc_mod_power(context, (gecc_modulus){modulus, 32}, gecc_out_packed(out, IN_STRIDE),
                          gecc_out_packed(s->status, 1), gecc_rows_strided(s->in[0], 32, IN_STRIDE),
                          gecc_rows_strided(s->in[1], 32, 33), s->count, &options);
}

static gecc_result power(gecc_context *context, struct sample *s, gecc_options *options) {
    return (void)options, power_to(context, s, s->in[2]);
}

static gecc_result power_in_place(gecc_context *context, struct sample *s, gecc_options *options) {
    return (void)options, power_to(context, s, s->in[0]);
}

static void test_the_cpu_finishes(void **state) {
    (void)state;
    static const struct sample_kind kinds[] = {{"power", power, true}, {"power in place", power_in_place, true}};
    struct sample *sample = sample_new(80);
    for (size_t k = 0; k < 2; k++) {
        struct sample *expected = run_on_cpu(&kinds[k], sample);
        check_failure(&kinds[k], 0, false, CUDA_SUCCESS, sample, expected);
        unsigned long calls = fake_driver_calls();
        for (unsigned long call = 1; call <= calls; call++) {
            check_failure(&kinds[k], call, false, CUDA_ERROR_LAUNCH_FAILED, sample, expected);
            check_failure(&kinds[k], call, true, CUDA_ERROR_LAUNCH_FAILED, sample, expected);
            check_failure(&kinds[k], call, false, CUDA_ERROR_OUT_OF_MEMORY, sample, expected);
        }
        free(expected);
    }
    free(sample);
}

/* A function that a module lacks, or a module for another GPU, wherever a call comes upon it: the CPU's rows. */
static void test_no_kernel(void **state) {
    (void)state;
    static const struct sample_kind kind = {"power", power, true};
    static const CUresult errors[] = {CUDA_ERROR_NOT_FOUND, CUDA_ERROR_NO_BINARY_FOR_GPU};
    struct sample *sample = sample_new(80), *expected = run_on_cpu(&kind, sample);
    check_failure(&kind, 0, false, CUDA_SUCCESS, sample, expected);
    unsigned long calls = fake_driver_calls();
    for (size_t e = 0; e < 2; e++) {
        unsigned lacking = 0;
        for (unsigned long call = 1; call <= calls; call++) {
            struct sample *copy = sample_copy(sample);
            start(2);
            gecc_context *context = open_automatic();
            fake_driver_fail(fake_driver_calls() + call, false, errors[e]);
            assert_int_equal(sample_run(&kind, context, copy), GECC_OK);
            assert_true(sample_equal(copy, expected));
            lacking += strcmp(copy->report.reason, "no kernel for this; the CPU did the rest") == 0;
            gecc_close(context);
            free(copy);
        }
        assert_true(lacking != 0);
    }
    free(sample);
    free(expected);
}

/* Some rows by the GPU, which then fails, the rest by the CPU; from then on all by the CPU; and the report says so. */
static void test_report(void **state) {
    (void)state;
    struct sample *sample = sample_new(200), *copy = sample_copy(sample);
    start(2);
    gecc_context *context = open_automatic();
    unsigned long opened = fake_driver_calls();
    assert_int_equal(sample_run(&sample_kinds[0], context, copy), GECC_OK);
    unsigned long calls = fake_driver_calls() - opened;
    assert_true(copy->report.kernel_seconds > 0);
    gecc_close(context);
    start(2);
    context = open_automatic();
    fake_driver_fail(fake_driver_calls() + 3 * calls / 4, true, CUDA_ERROR_LAUNCH_FAILED);
    assert_int_equal(sample_run(&sample_kinds[0], context, copy), GECC_OK);
    assert_string_equal(copy->report.backend, "cuda, cpu");
    assert_string_equal(copy->report.detail, "a fake GPU");
    assert_memory_equal(copy->report.reason, "the device failed: cu", 21);
    assert_true(copy->report.seconds > 0 && copy->report.kernel_seconds > 0);
    assert_int_equal(sample_run(&sample_kinds[0], context, copy), GECC_OK);
    assert_string_equal(copy->report.backend, "cpu");
    assert_memory_equal(copy->report.reason, "the device failed: cu", 21);
    assert_non_null(strstr(copy->report.reason, "CUDA_ERROR_LAUNCH_FAILED; the CPU did the rest"));
    assert_true(copy->report.kernel_seconds == 0);
    gecc_close(context);
    free(sample);
    free(copy);
}

/* What the CPU cannot reach goes to the GPU, however small; and fails where the GPU does. */
static void test_device_memory(void **state) {
    (void)state;
    start(4);
    gecc_context *context = open_automatic();
    uint8_t *message = fake_device_new(64), digest[32], expected[32], status;
    fake_device_write(message, "a message of some length, of which the first 40 bytes are hashed", 64);
    gecc_report report = GECC_REPORT_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    options.report = &report;
    assert_int_equal(gecc_digest(context, GECC_SHA256, gecc_out_packed(digest, 32), gecc_out_packed(&status, 1),
                                 gecc_rows_packed(message, 40), 1, &options),
                     GECC_OK);
    assert_string_equal(report.backend, "cuda");
    assert_int_equal(gecc_digest(context, GECC_SHA256, gecc_out_packed(expected, 32), gecc_out_packed(&status, 1),
                                 gecc_rows_packed("a message of some length, of which the first", 40), 1, &options),
                     GECC_OK);
    assert_string_equal(report.backend, "cpu");
    assert_memory_equal(digest, expected, 32);
    fake_driver_fail(fake_driver_calls() + 5, false, CUDA_ERROR_LAUNCH_FAILED);
    assert_int_equal(gecc_digest(context, GECC_SHA256, gecc_out_packed(digest, 32), gecc_out_packed(&status, 1),
                                 gecc_rows_packed(message, 40), 1, &options),
                     GECC_ERROR_DEVICE);
    assert_int_equal(status, GECC_ITEM_NOT_PROCESSED);
    fake_device_free(message);
    gecc_close(context);
}

static void test_jobs(void **state) {
    (void)state;
    start(4);
    gecc_context *context = open_automatic();
    static const size_t counts[] = {3, 200};
    for (int i = 0; i < 2; i++) {
        struct sample *sample = sample_new(counts[i]), *expected = run_on_cpu(&sample_kinds[0], sample);
        gecc_options options = GECC_OPTIONS_INIT;
        gecc_job *job;
        gecc_result result;
        options.job = &job;
        options.report = &sample->report;
        assert_int_equal(sample_sign(context, sample, &options), GECC_OK);
        while ((result = gecc_poll(job)) == GECC_PENDING)
            usleep(100);
        assert_int_equal(result, GECC_OK);
        assert_int_equal(gecc_wait(job), GECC_OK);
        assert_true(sample_equal(sample, expected));
        assert_string_equal(sample->report.backend, i == 0 ? "cpu" : "cuda");
        free(sample);
        free(expected);
    }
    gecc_close(context);
}

/* A child has no GPU, but it has a CPU. */
static int use_in_child(gecc_context *context, const struct sample *sample, const struct sample *expected) {
    struct sample *copy = sample_copy(sample), *other = sample_copy(sample);
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_job *job;
    options.job = &job;
    int bad = sample_run(&sample_kinds[0], context, copy) != GECC_OK || !sample_equal(copy, expected);
    bad += strcmp(copy->report.backend, "cpu") != 0 || strstr(copy->report.reason, "fork") == NULL;
    bad += sample_sign(context, other, &options) != GECC_OK || gecc_wait(job) != GECC_OK;
    bad += !sample_equal(other, expected);
    gecc_close(context);
    free(copy);
    free(other);
    return bad;
}

static void test_fork(void **state) {
    (void)state;
    enum { CHILD_SECONDS = 60 };
    start(4);
    gecc_context *context = open_automatic();
    struct sample *sample = sample_new(200), *expected = run_on_cpu(&sample_kinds[0], sample);
    pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        _exit(use_in_child(context, sample, expected));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    gecc_close(context);
    free(sample);
    free(expected);
}

/* 2 G + 2 G in each row. */
enum { SUMS = 100 };

static gecc_result run_sums(gecc_context *context, uint8_t status[SUMS], gecc_report *report) {
    static const uint8_t two[2][32] = {{[31] = 2}, {[31] = 2}};
    static uint8_t points[2][33], out[SUMS][33], four[33];
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_context *cpu;
    uint8_t done;
    options.point_format = GECC_POINT_COMPRESSED;
    assert_int_equal(context_on(&cpu, &gecc_backend_cpu), GECC_OK);
    for (int i = 0; i < 3; i++) /* G, G and 4 G */
        assert_int_equal(gecc_ec_mul_base(cpu, GECC_P256, gecc_out_packed(i < 2 ? points[i] : four, 33),
                                          gecc_out_packed(&done, 1),
                                          gecc_rows_packed((uint8_t[32]){[31] = i < 2 ? 1 : 4}, 32), 1, &options),
                         GECC_OK);
    gecc_close(cpu);
    options.report = report;
    const gecc_result result = gecc_ec_msm(context, GECC_P256, gecc_out_packed(out, 33), gecc_out_packed(status, 1),
                                           gecc_rows_same(two, 64), gecc_rows_same(points, 66), SUMS, &options);
    for (int i = 0; i < SUMS; i++)
        assert_memory_equal(out[i], result == GECC_OK ? four : (uint8_t[33]){0}, 33);
    return result;
}

/* GPUs have no program for sums of many terms: "auto" leaves them to the CPU, however much faster the GPU was thought,
 * but for rows in a GPU's memory, which it refuses; and a context on GPUs refuses them. */
static void test_sums_are_for_the_cpu(void **state) {
    (void)state;
    const struct speeds speeds = {{{.row = 1, .is_known = true}, {.row = 1e-9, .is_known = true}}};
    uint8_t status[SUMS];
    gecc_report report = GECC_REPORT_INIT;
    start(100);
    gecc_context *context = open_with(&speeds);
    const unsigned long before = fake_driver_launches();
    for (int i = 0; i < 3; i++) {
        assert_int_equal(run_sums(context, status, &report), GECC_OK);
        assert_string_equal(report.backend, "cpu");
        assert_string_equal(report.reason, "no GPU has a program for it");
        assert_int_equal(status[SUMS - 1], GECC_ITEM_OK);
    }
    gecc_close(context);
    context = open_automatic();
    void *memory = fake_device_new(SUMS * 65);
    assert_int_equal(gecc_ec_msm(context, GECC_P256, gecc_out_packed(memory, 65), gecc_out_packed(status, 1),
                                 gecc_rows_packed(memory, 32), gecc_rows_packed(memory, 64), SUMS, NULL),
                     GECC_ERROR_UNSUPPORTED);
    fake_device_free(memory);
    assert_int_equal(fake_driver_launches(), before);
    gecc_close(context);
    assert_int_equal(context_on(&context, &fake_cuda), GECC_OK);
    assert_int_equal(run_sums(context, status, &report), GECC_ERROR_UNSUPPORTED);
    assert_int_equal(status[0], GECC_ITEM_NOT_PROCESSED);
    gecc_close(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_jobs_stay_on_the_cpu),
        cmocka_unit_test(test_the_gpu_is_opened_when_rows_pay),
        cmocka_unit_test(test_a_gpu_in_use_is_opened),
        cmocka_unit_test(test_a_gpu_that_does_not_open),
        cmocka_unit_test(test_closed_while_opening),
        cmocka_unit_test(test_the_cpu_finishes),
        cmocka_unit_test(test_no_kernel),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_device_memory),
        cmocka_unit_test(test_jobs),
        cmocka_unit_test(test_fork),
        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_prepare_knows_calls),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_sums_are_for_the_cpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
