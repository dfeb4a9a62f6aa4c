/* That "auto" learns which of two backends is faster: on backends that compute nothing, and say that they took what is
 * made up.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/auto.h"

enum { ROWS_MOST = 1 << 22, SEEN = 5 };

/* What a backend takes, in seconds; and what it has done. */
struct made_up {
    double call, row;
    size_t calls, rows, prepared, opened, enough;
    double seconds;
};

static struct made_up cpu, gpu;
static uint8_t status[ROWS_MOST];

static double seconds_of(const struct made_up *place, size_t rows) { return place->call + place->row * (double)rows; }

static gecc_result run(struct made_up *place, const char *name, const struct job *job, gecc_report *report) {
    assert_true(place == &cpu || place->opened == 1);
    for (size_t i = 0; i < job->count; i++) {
        uint8_t *row = (uint8_t *)job->status.data + i * job->status.stride;
        assert_int_equal(*row, GECC_ITEM_NOT_PROCESSED);
        *row = GECC_ITEM_OK;
    }
    report->seconds = seconds_of(place, job->count);
    report->reason[0] = report->devices[0] = 0;
    (void)snprintf(report->backend, sizeof report->backend, "%s", name);
    if (place == &gpu)
        (void)snprintf(report->devices, sizeof report->devices, "2: %zu", job->count);
    place->seconds += report->seconds;
    place->rows += job->count;
    place->calls++;
    return GECC_OK;
}

static gecc_result cpu_run(void *state, const struct job *job, gecc_report *report) {
    return (void)state, run(&cpu, "cpu", job, report);
}

static gecc_result gpu_run(void *state, const struct job *job, gecc_report *report) {
    assert_true(gpu.prepared != 0);
    return (void)state, run(&gpu, "cuda", job, report);
}

/* Submitted jobs run at once; their tickets are reports. */
static gecc_result cpu_submit(void *state, const struct job *job, struct ticket **ticket) {
    gecc_report *report = malloc(sizeof *report);
    assert_non_null(report);
    *report = (gecc_report)GECC_REPORT_INIT;
    *ticket = (struct ticket *)report;
    return cpu_run(state, job, report);
}

static gecc_result cpu_wait(void *state, struct ticket *ticket, gecc_report *report) {
    (void)state;
    memcpy(report, ticket, sizeof *report);
    free(ticket);
    return GECC_OK;
}

static gecc_result gpu_prepare(void *state, const struct job *job) {
    (void)state, (void)job;
    gpu.prepared++;
    return GECC_OK;
}

static gecc_result cpu_prepare(void *state, const struct job *job) {
    (void)state, (void)job;
    cpu.prepared++;
    return GECC_OK;
}

static size_t cpu_enough(void *state, const struct job *job) {
    (void)state, (void)job;
    return cpu.enough;
}

static size_t gpu_enough(void *state, const struct job *job) {
    (void)state, (void)job;
    return gpu.enough;
}

static void close_nothing(void *state) { (void)state; }

static const struct backend cpu_backend = {.name = "cpu",
                                           .run = cpu_run,
                                           .submit = cpu_submit,
                                           .wait = cpu_wait,
                                           .enough = cpu_enough,
                                           .prepare = cpu_prepare,
                                           .close = close_nothing};
static const struct backend gpu_backend = {
    .name = "cuda", .run = gpu_run, .enough = gpu_enough, .prepare = gpu_prepare, .close = close_nothing};

static gecc_result open_gpu(const struct gpu_opener *opener, struct instance *instance, char *reason, size_t size) {
    (void)reason, (void)size;
    instance->backend = opener->backend;
    gpu.opened++;
    return GECC_OK;
}

static void *open_auto(struct made_up of_cpu, struct made_up of_gpu) {
    const struct gpu_opener opener = {.open = open_gpu, .backend = &gpu_backend};
    const struct instance instance = {.backend = &cpu_backend};
    const struct rates_guess guess[2] = {gecc_rates_guess_cpu(1), gecc_rates_guess_gpu()};
    void *state;
    cpu = of_cpu;
    gpu = of_gpu;
    assert_int_equal(gecc_auto_open(&state, &opener, &instance, guess), GECC_OK);
    return state;
}

static void close_auto(void *state) { gecc_backend_auto.close(state); }

static gecc_result submit_and_wait(void *state, const struct job *job, gecc_report *report) {
    struct ticket *ticket;
    assert_int_equal(gecc_backend_auto.submit(state, job, &ticket), GECC_OK);
    return gecc_backend_auto.wait(state, ticket, report);
}

/* Seconds that a call of so many rows takes, each of which must be run once. */
static double call_by(gecc_result (*way)(void *, const struct job *, gecc_report *), void *state, size_t rows,
                      gecc_report *report) {
    const struct job job = {
        .operation = OPERATION_ECDSA_VERIFY, .curve = GECC_P256, .status = gecc_out_packed(status, 1), .count = rows};
    const double before = cpu.seconds + gpu.seconds;
    const size_t done = cpu.rows + gpu.rows;
    memset(status, GECC_ITEM_NOT_PROCESSED, rows);
    *report = (gecc_report)GECC_REPORT_INIT;
    assert_int_equal(way(state, &job, report), GECC_OK);
    assert_int_equal(cpu.rows + gpu.rows - done, rows);
    const double seconds = cpu.seconds + gpu.seconds - before;
    assert_float_equal(report->seconds, seconds, 1e-6 * seconds);
    return seconds;
}

static double call(void *state, size_t rows, gecc_report *report) {
    return call_by(gecc_backend_auto.run, state, rows, report);
}

/* Small calls never open a GPU, however many there are, until they have lost as much time as that takes: by a guess, on
 * which a CPU that is fast loses nothing. */
static void test_small_calls_open_no_gpu(void **state) {
    (void)state;
    gecc_report report;
    void *automatic = open_auto((struct made_up){.call = 2e-6, .row = 20e-6}, (struct made_up){.call = 1e-5});
    for (int i = 0; i < 1000; i++)
        for (size_t rows = 1; rows <= 3; rows++) {
            (void)call(automatic, rows, &report);
            assert_string_equal(report.reason, "the GPU is opened once rows pay for it");
        }
    assert_int_equal(gpu.opened, 0);
    close_auto(automatic);
    automatic = open_auto((struct made_up){.call = 2e-6, .row = 40e-9}, (struct made_up){.call = 1e-5});
    for (int i = 0; i < 20; i++)
        (void)call(automatic, ROWS_MOST, &report);
    assert_int_equal(gpu.opened, 0);
    close_auto(automatic);
}

/* A first large call is run on both, and hardly longer than on the better one, the opening of the GPU counted where it
 * is that. */
static void test_first_large_call(void **state) {
    (void)state;
    static const double rows_of_gpu[] = {10e-9, 0.1e-6, 1e-6, 5e-6, 20e-6, 200e-6};
    for (size_t i = 0; i < sizeof rows_of_gpu / sizeof rows_of_gpu[0]; i++) {
        gecc_report report;
        void *automatic = open_auto((struct made_up){.call = 2e-6, .row = 5e-6},
                                    (struct made_up){.call = 60e-6, .row = rows_of_gpu[i]});
        const double on_cpu = seconds_of(&cpu, ROWS_MOST);
        const double on_gpu = seconds_of(&gpu, ROWS_MOST) + AUTO_OPENING_SECONDS;
        const double seconds = call(automatic, ROWS_MOST, &report) + AUTO_OPENING_SECONDS;
        const double ratio = seconds / (on_cpu < on_gpu ? on_cpu : on_gpu);
        printf("a GPU that takes %.3g s a row: %.3f times the better one\n", rows_of_gpu[i], ratio);
        assert_true(ratio <= 1.5);
        assert_int_equal(gpu.opened, 1);
        assert_string_equal(report.backend, "cuda, cpu");
        assert_string_equal(report.reason, on_cpu < on_gpu ? "tried on both; faster on the CPU at this size"
                                                           : "tried on both; faster on the GPU at this size");
        char devices[40];
        (void)snprintf(devices, sizeof devices, "2: %zu", gpu.rows);
        assert_string_equal(report.devices, devices);
        close_auto(automatic);
    }
}

/* With the GPU open, five calls of a size are enough to know where it belongs. */
static void test_five_calls(void **state) {
    (void)state;
    enum { CALLS = 20 };
    static const struct made_up gpus[] = {
        {.call = 60e-6, .row = 20e-9}, {.call = 5e-3, .row = 1e-9}, {.call = 1e-6, .row = 50e-6}};
    for (size_t i = 0; i < sizeof gpus / sizeof gpus[0]; i++)
        for (size_t rows = 1; rows <= ROWS_MOST / 8; rows = rows < 4 ? rows + 1 : 2 * rows + 1) {
            gecc_report report;
            void *automatic = open_auto((struct made_up){.call = 3e-6, .row = 8e-6}, gpus[i]);
            gecc_auto_open_gpu(automatic);
            for (int n = 0; n < SEEN; n++)
                (void)call(automatic, rows, &report);
            double seconds = 0;
            for (int n = 0; n < CALLS; n++)
                seconds += call(automatic, rows, &report);
            const double on_cpu = seconds_of(&cpu, rows), on_gpu = seconds_of(&gpu, rows);
            assert_true(seconds / CALLS <= 1.2 * (on_cpu < on_gpu ? on_cpu : on_gpu));
            close_auto(automatic);
        }
}

/* A place that takes ten times as long is tried again, by jobs that are submitted as by calls: a sixteenth of the rows,
 * when the others have taken twenty times as long as that costs. */
static void test_slower_place_becomes_faster(void **state) {
    (void)state;
    enum { ROWS = 10000, CALLS = 20 };
    static const struct made_up slow = {.call = 2e-6, .row = 50e-6}, fast = {.call = 2e-6, .row = 5e-6};
    gecc_result (*const ways[])(void *, const struct job *, gecc_report *) = {gecc_backend_auto.run, submit_and_wait};
    for (int way = 0; way < 2; way++)
        for (int is_gpu = 0; is_gpu <= 1; is_gpu++) {
            gecc_report report;
            void *automatic = open_auto(is_gpu ? fast : slow, is_gpu ? slow : fast);
            struct made_up *slower = is_gpu ? &gpu : &cpu;
            gecc_auto_open_gpu(automatic);
            for (int n = 0; n < SEEN; n++)
                (void)call_by(ways[way], automatic, ROWS, &report);
            assert_string_equal(report.backend, is_gpu ? "cpu" : "cuda");
            slower->row = fast.row / 10;
            int calls = 0;
            do
                (void)call_by(ways[way], automatic, ROWS, &report);
            while (strcmp(report.backend, is_gpu ? "cuda" : "cpu") != 0 && ++calls < CALLS);
            assert_in_range(calls, 1, CALLS - 1);
            close_auto(automatic);
        }
}

/* What a preparation of so many rows is done on: bit 0 the CPU, bit 1 the GPU. */
static unsigned prepared_on(void *state, size_t rows) {
    const struct job job = {.operation = OPERATION_ECDSA_VERIFY, .curve = GECC_P256, .count = rows};
    const size_t on_cpu = cpu.prepared, on_gpu = gpu.prepared;
    assert_int_equal(gecc_backend_auto.prepare(state, &job), GECC_OK);
    return (cpu.prepared != on_cpu) | (gpu.prepared != on_gpu) << 1;
}

/* Rows are prepared for where they will run: by a guess, on both where both will be tried; then by what was seen. */
static void test_prepare(void **state) {
    (void)state;
    enum { ON_CPU = 1, ON_GPU = 2, FEW = 1000 };
    static const double rows_of_gpu[] = {0.1e-6, 90e-6};
    gecc_report report;
    for (size_t i = 0; i < 2; i++) {
        void *automatic = open_auto((struct made_up){.call = 2e-6, .row = 5e-6},
                                    (struct made_up){.call = 6e-6, .row = rows_of_gpu[i]});
        assert_int_equal(prepared_on(automatic, FEW), ON_CPU);
        assert_int_equal(gpu.opened, 0);
        assert_int_equal(prepared_on(automatic, ROWS_MOST), ON_CPU | ON_GPU);
        assert_int_equal(gpu.opened, 1);
        for (int n = 0; n < SEEN; n++)
            (void)call(automatic, ROWS_MOST, &report);
        assert_int_equal(prepared_on(automatic, ROWS_MOST), i == 0 ? ON_GPU : ON_CPU);
        close_auto(automatic);
    }
    void *automatic = open_auto((struct made_up){.call = 2e-6, .row = 40e-9}, (struct made_up){.call = 6e-6});
    for (int n = 0; n < SEEN; n++)
        (void)call(automatic, ROWS_MOST, &report);
    assert_int_equal(prepared_on(automatic, ROWS_MOST), ON_CPU);
    assert_int_equal(gpu.opened, 0);
    close_auto(automatic);
}

static size_t enough(void *state) {
    const struct job job = {.operation = OPERATION_ECDSA_VERIFY, .curve = GECC_P256, .count = 1};
    return gecc_backend_auto.enough(state, &job);
}

/* As many rows are enough as the GPU says, which may be that it cannot, where it is open and computes as many faster;
 * else as many as the CPU says. */
static void test_enough(void **state) {
    (void)state;
    enum { ON_CPU = 7, ON_GPU = 5000 };
    const struct made_up fast = {.call = 6e-6, .row = 0.1e-6, .enough = ON_GPU};
    const struct made_up slow = {.call = 6e-6, .row = 90e-6, .enough = ON_GPU};
    const struct made_up of_cpu = {.call = 2e-6, .row = 5e-6, .enough = ON_CPU};
    for (int is_fast = 0; is_fast <= 1; is_fast++) {
        gecc_report report;
        void *automatic = open_auto(of_cpu, is_fast ? fast : slow);
        assert_int_equal(enough(automatic), ON_CPU);
        gecc_auto_open_gpu(automatic);
        gpu.enough = 0; /* nor has any job been seen */
        assert_int_equal(enough(automatic), 0);
        for (int n = 0; n < SEEN; n++)
            (void)call(automatic, ROWS_MOST, &report);
        assert_int_equal(enough(automatic), is_fast ? 0 : ON_CPU);
        gpu.enough = ON_GPU;
        assert_int_equal(enough(automatic), is_fast ? ON_GPU : ON_CPU);
        close_auto(automatic);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_calls_open_no_gpu),
        cmocka_unit_test(test_first_large_call),
        cmocka_unit_test(test_five_calls),
        cmocka_unit_test(test_slower_place_becomes_faster),
        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_enough),
    };
    return cmocka_run_group_tests_name("auto learns", tests, NULL, NULL);
}
