/* What "auto" learns of the CPU when it opens: from made-up times, and that the jobs it measures are valid.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/speed.h"

/* A CPU that takes so many times as long as is expected, and so long to wake its threads; negative: it fails. Every
 * third run of a job is disturbed. */
static struct {
    struct cost expected;
    double points, others, waking;
    unsigned runs, multiples;
} made_up;

static gecc_result made_up_run(void *state, const struct job *job, gecc_report *report) {
    (void)state;
    double factor = job->curve != 0 ? made_up.points : made_up.others;
    if (factor < 0)
        return GECC_ERROR_MEMORY;
    struct cost awake = made_up.expected, asleep = made_up.expected;
    awake.waking = 0;
    asleep.waking = made_up.waking;
    report->seconds = (factor - 1) * gecc_cost_cpu(&awake, job) + gecc_cost_cpu(&asleep, job);
    if (made_up.runs++ % 3 == 0)
        report->seconds *= 100;
    return GECC_OK;
}

static const struct backend made_up_backend = {.name = "made up", .run = made_up_run};

/* Measure it; its factors become these, and its time to wake. */
static void expect_factors(double points, double others, double waking) {
    const struct instance cpu = {.backend = &made_up_backend};
    const struct cost *before = &made_up.expected;
    struct cost cost = *before;
    gecc_speed_measure(&cost, &cpu);
    for (int curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++)
        assert_float_equal(cost.curve[curve], points * before->curve[curve], 1e-6 * before->curve[curve]);
    assert_float_equal(cost.modular, others * before->modular, 1e-6 * before->modular);
    assert_float_equal(cost.block, others * before->block, 1e-6 * before->block);
    assert_float_equal(cost.byte, others * before->byte, 1e-6 * before->byte);
    assert_float_equal(cost.waking, cost.threads > 1 ? waking : before->waking, 1e-9);
    for (int term = 0; term < COST_TERMS; term++)
        assert_true(cost.gpu[term] == before->gpu[term]);
}

static void test_scales_what_the_cpu_takes(void **state) {
    (void)state;
    static const char *const machines[] = {"portable-c", "portable-adx", "ifma"};
    for (int machine = 0; machine < 3; machine++)
        for (unsigned threads = 1; threads <= 64; threads *= 4) {
            made_up.expected = gecc_cost_of(machines[machine], threads);
            made_up.points = 2;
            made_up.others = 0.5;
            made_up.waking = 300e-6;
            expect_factors(2, 0.5, 300e-6);
        }
}

/* What fails, or cannot be, changes nothing. */
static void test_ignores_nonsense(void **state) {
    (void)state;
    made_up.expected = gecc_cost_of("ifma", 2);
    made_up.waking = made_up.expected.waking;
    made_up.points = -1;
    made_up.others = 3;
    expect_factors(1, 3, made_up.waking);
    made_up.points = 3;
    made_up.others = 1e6;
    expect_factors(3, 1, made_up.waking);
    made_up.others = 0;
    expect_factors(3, 1, made_up.waking);
    made_up.others = 3;
    made_up.waking = 1; /* a second, of which no more than a millisecond is believed */
    expect_factors(3, 3, 1e-3);
    made_up.waking = -10e-6;
    expect_factors(3, 3, 0);
}

/* On the CPU, whose jobs must come out right. */
static gecc_result real_run(void *state, const struct job *job, gecc_report *report) {
    gecc_result result = gecc_backend_cpu.run(state, job, report);
    for (size_t i = 0; i < job->count; i++)
        assert_int_equal(((const uint8_t *)job->status.data)[i * job->status.stride], GECC_ITEM_OK);
    made_up.runs++;
    made_up.multiples += job->operation == OPERATION_EC_MUL;
    return result;
}

static void test_measures_valid_jobs(void **state) {
    (void)state;
    static const struct backend backend = {.name = "checked", .run = real_run};
    const gecc_config config = {.threads = 2};
    struct instance cpu = {.backend = &backend};
    gecc_backend_info info = {0};
    gecc_backend_cpu.probe(&config, &info);
    assert_int_equal(gecc_backend_cpu.open(&cpu.state, &config), GECC_OK);
    struct cost cost = gecc_cost_of(info.device, info.threads);
    made_up.runs = made_up.multiples = 0;
    gecc_speed_measure(&cost, &cpu);
    assert_true(made_up.multiples > 2 && made_up.runs - made_up.multiples > 2);
    gecc_backend_cpu.close(cpu.state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scales_what_the_cpu_takes),
        cmocka_unit_test(test_ignores_nonsense),
        cmocka_unit_test(test_measures_valid_jobs),
    };
    return cmocka_run_group_tests_name("speed", tests, NULL, NULL);
}
