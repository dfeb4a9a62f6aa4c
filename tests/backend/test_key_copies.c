/* Sets of prepared keys of the CPU and a GPU as one: tables of a set are on both, and its rows run where others do.
 *
 * Test: fast; no sanitizers */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/auto_contexts.h"

enum { ROWS = 200, KEYS_MOST = 24 };

/* A set of keys G, 2 G, 3 G, ... on a context whose jobs all run on the GPU once it is open. */
struct keyed {
    gecc_context *context;
    gecc_keys *keys;
    size_t count;                     /* of the set's keys */
    uint8_t point[KEYS_MOST + 1][65]; /* all keys that it may get, and the sum of G and the last one */
};

static void keyed_open(struct keyed *keyed, const char *devices) {
    static uint8_t scalar[KEYS_MOST + 1][32], status[KEYS_MOST + 1];
    struct speeds speeds = made_up();
    gecc_keys_config config = GECC_KEYS_CONFIG_INIT;
    config.capacity = KEYS_MOST;
    config.window = 4;
    speeds.of[1].call = 0;
    *keyed = (struct keyed){.context = open_cpu_beside(devices, &speeds, NULL)};
    for (int i = 0; i <= KEYS_MOST; i++)
        scalar[i][31] = (uint8_t)(i + 1);
    gecc_context *cpu;
    assert_int_equal(context_on(&cpu, &gecc_backend_cpu), GECC_OK);
    assert_int_equal(gecc_ec_public_key(cpu, GECC_P256, gecc_out_packed(keyed->point, 65), gecc_out_packed(status, 1),
                                        gecc_rows_packed(scalar, 32), KEYS_MOST + 1, NULL),
                     GECC_OK);
    gecc_close(cpu);
    assert_int_equal(gecc_keys_open(keyed->context, &keyed->keys, GECC_P256, gecc_out_packed(status, 1),
                                    gecc_rows_packed(keyed->point, 65), 0, &config),
                     GECC_OK);
}

static void keyed_close(const struct keyed *keyed) {
    gecc_keys_close(keyed->keys);
    gecc_close(keyed->context);
}

/* Nothing here asserts: it runs in threads and in children, too. */
static bool add_keys(struct keyed *keyed, size_t count) {
    uint8_t status[KEYS_MOST];
    size_t first = SIZE_MAX;
    bool good = gecc_keys_add(keyed->keys, gecc_out_packed(status, 1), gecc_rows_packed(keyed->point[keyed->count], 65),
                              count, &first) == GECC_OK;
    good = good && first == keyed->count;
    for (size_t i = 0; i < count; i++)
        good = good && status[i] == GECC_ITEM_OK;
    keyed->count += count;
    return good;
}

/* G + key, for the first `count` keys in turns; *at: one, which may be in a GPU's memory. Are all right? */
static bool call_of_one(const struct keyed *keyed, const void *at, size_t count, gecc_report *report) {
    static const uint8_t one[32] = {[31] = 1};
    uint8_t number[ROWS][4] = {{0}}, sum[ROWS][65] = {{0}}, status[ROWS];
    gecc_options options = GECC_OPTIONS_INIT;
    options.report = report;
    for (size_t i = 0; i < ROWS; i++)
        number[i][0] = (uint8_t)(i % count);
    bool good = gecc_ec_mul_add_keys(keyed->context, keyed->keys, gecc_out_packed(sum, 65), gecc_out_packed(status, 1),
                                     gecc_rows_same(at, 32), gecc_rows_same(one, 32), gecc_rows_packed(number, 4), ROWS,
                                     &options) == GECC_OK;
    for (size_t i = 0; i < ROWS; i++)
        good = good && status[i] == GECC_ITEM_OK && memcmp(sum[i], keyed->point[1 + i % count], 65) == 0;
    return good;
}

static bool call(const struct keyed *keyed, size_t count, gecc_report *report) {
    static const uint8_t one[32] = {[31] = 1};
    *report = (gecc_report)GECC_REPORT_INIT;
    return call_of_one(keyed, one, count, report);
}

static bool call_on(const struct keyed *keyed, size_t count, const char *backend) {
    gecc_report report;
    return call(keyed, count, &report) && strcmp(report.backend, backend) == 0;
}

/* Jobs on numbers of keys run where others do; the GPU gets tables of a set when it first needs them, and has the keys
 * that are added later. */
static void test_keys(void **state) {
    (void)state;
    struct keyed keyed;
    start(4);
    keyed_open(&keyed, NULL);
    gecc_auto_open_gpu(keyed.context->instance.state);
    for (size_t added = 1; added <= 3; added++) { /* the second one after the GPU's tables were made */
        const unsigned long launches = fake_driver_launches();
        assert_true(add_keys(&keyed, 1));
        assert_true(call_on(&keyed, added, "cuda"));
        assert_true(fake_driver_launches() > launches + 1); /* tables, and rows */
    }
    gecc_report report = GECC_REPORT_INIT;
    uint8_t *scalar = fake_device_new(32), one[32] = {[31] = 1}, status[1];
    fake_device_write(scalar, one, 32);
    assert_true(call_of_one(&keyed, scalar, 3, &report));
    gecc_keys *none;
    assert_int_equal(gecc_keys_open(keyed.context, &none, GECC_P256, gecc_out_packed(scalar, 1),
                                    gecc_rows_packed(keyed.point, 65), 1, NULL),
                     GECC_ERROR_ARGUMENT);
    assert_int_equal(gecc_keys_open(keyed.context, &none, GECC_P256, gecc_out_packed(status, 1),
                                    gecc_rows_packed(scalar, 33), 1, NULL),
                     GECC_ERROR_ARGUMENT);
    assert_null(none);
    fake_device_free(scalar);
    keyed_close(&keyed);
    assert_int_equal(fake_driver_held(), 0);
}

/* Open the GPU, and have a call make the set's copy there: of all keys but those that are being added. */
static void open_gpu_and_call(unsigned place, void *argument) {
    const struct keyed *keyed = argument;
    if (place != 0)
        return;
    gecc_auto_open_gpu(keyed->context->instance.state);
    assert_true(call_on(keyed, keyed->count, "cuda"));
}

/* Keys that are added while another call opens the GPU and makes the copy there are in the copy, too. */
static void test_keys_added_while_the_gpu_opens(void **state) {
    (void)state;
    struct keyed keyed;
    start(4);
    keyed_open(&keyed, NULL);
    assert_true(add_keys(&keyed, 2));
    while_keys_are_made = open_gpu_and_call;
    while_keys_are_made_argument = &keyed;
    const bool good = add_keys(&keyed, 3);
    while_keys_are_made = NULL;
    assert_true(good);
    assert_true(call_on(&keyed, 5, "cuda"));
    keyed_close(&keyed);
    assert_int_equal(fake_driver_held(), 0);
}

/* Do the cards that the report names have all rows, and are they these? Bit i: card i. */
static void check_cards(gecc_report *report, unsigned expected) {
    size_t rows = 0;
    unsigned cards = 0;
    char *at = report->devices;
    while (*at != 0) {
        cards |= 1u << strtoul(at, &at, 10);
        rows += strtoul(at + strspn(at, ": "), &at, 10);
        at += strspn(at, ", ");
    }
    assert_int_equal(rows, ROWS);
    assert_int_equal(cards, expected);
}

/* Each of several cards has the copy and the keys that are added; one that fails is not used any more, and where none
 * is left the CPU has all keys. */
static void test_several_cards(void **state) {
    (void)state;
    struct fake_settings settings = fake_settings_good();
    struct keyed keyed;
    gecc_report report;
    settings.devices = 3;
    fake_driver_start(&settings);
    keyed_open(&keyed, "0,1,2");
    gecc_auto_open_gpu(keyed.context->instance.state);
    for (int time = 0; time < 2; time++) {
        assert_true(add_keys(&keyed, 4));
        assert_true(call(&keyed, keyed.count, &report));
        check_cards(&report, 7);
    }
    for (int card = 0; card < 3; card++) {
        fake_driver_fail_on(card, 1, CUDA_ERROR_LAUNCH_FAILED);
        assert_true(add_keys(&keyed, 1));
        assert_true(call(&keyed, keyed.count, &report));
        assert_true(call(&keyed, keyed.count, &report));
        if (card < 2)
            check_cards(&report, card == 0 ? 6 : 4);
        else
            assert_string_equal(report.backend, "cpu");
    }
    for (int card = 0; card < 3; card++)
        fake_driver_fail_on(card, 0, CUDA_SUCCESS);
    keyed_close(&keyed);
    assert_int_equal(fake_driver_held(), 0);
}

/* A call that makes the copy, and is kept there. */
struct kept {
    pthread_t thread;
    const struct keyed *keyed;
    atomic_bool arrived, may_go, good;
};

static void keep(unsigned place, void *argument) {
    struct kept *kept = argument;
    if (place != 1)
        return;
    atomic_store(&kept->arrived, true);
    while (!atomic_load(&kept->may_go))
        usleep(100);
}

static void *call_once(void *argument) {
    struct kept *kept = argument;
    atomic_store(&kept->good, call_on(kept->keyed, kept->keyed->count, "cuda"));
    return NULL;
}

/* Does a child have the set on the CPU, where it can grow? The driver ends a child that calls it. */
static bool child_has_keys(struct keyed *keyed) {
    enum { CHILD_SECONDS = 60 };
    const pid_t child = fork();
    int status;
    if (child == 0) {
        alarm(CHILD_SECONDS);
        while_keys_are_made = NULL;
        const size_t count = keyed->count;
        const bool good = call_on(keyed, count, "cpu") && add_keys(keyed, 3) && call_on(keyed, count + 3, "cpu");
        keyed_close(keyed);
        _exit(!good);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

/* Children of a process in which the GPU has no tables, a thread makes them, and it has them. */
static void test_fork(void **state) {
    (void)state;
    struct keyed keyed;
    struct kept kept = {.keyed = &keyed};
    start(4);
    keyed_open(&keyed, NULL);
    gecc_auto_open_gpu(keyed.context->instance.state);
    assert_true(add_keys(&keyed, 2));
    assert_true(child_has_keys(&keyed));
    while_keys_are_made_argument = &kept;
    while_keys_are_made = keep;
    assert_int_equal(pthread_create(&kept.thread, NULL, call_once, &kept), 0);
    while (!atomic_load(&kept.arrived))
        usleep(100);
    const bool good = child_has_keys(&keyed);
    atomic_store(&kept.may_go, true);
    pthread_join(kept.thread, NULL);
    while_keys_are_made = NULL;
    assert_true(good && atomic_load(&kept.good));
    assert_true(child_has_keys(&keyed));
    assert_true(add_keys(&keyed, 1) && call_on(&keyed, 3, "cuda"));
    keyed_close(&keyed);
    assert_int_equal(fake_driver_held(), 0);
}

struct caller {
    pthread_t thread;
    const struct keyed *keyed;
    bool good;
};

/* Until the set has all keys, on those that it has. */
static void *call_often(void *argument) {
    struct caller *caller = argument;
    gecc_keys_info info = {.size = sizeof info};
    gecc_report report;
    caller->good = true;
    do {
        gecc_keys_describe(caller->keyed->keys, &info);
        if (info.count != 0)
            caller->good = call(caller->keyed, info.count, &report) && caller->good;
    } while (info.count < KEYS_MOST && caller->good);
    return NULL;
}

/* Threads call while one adds keys and one opens the GPU: each has the keys that the set had when it began. */
static void test_threads(void **state) {
    (void)state;
    enum { CALLERS = 3 };
    for (int time = 0; time < 4; time++) {
        struct caller caller[CALLERS];
        struct keyed keyed;
        start(4);
        keyed_open(&keyed, NULL);
        for (int i = 0; i < CALLERS; i++) {
            caller[i].keyed = &keyed;
            assert_int_equal(pthread_create(&caller[i].thread, NULL, call_often, &caller[i]), 0);
        }
        bool good = true;
        for (int i = 0; i < KEYS_MOST; i++) {
            good = add_keys(&keyed, 1) && good;
            if (i == 1 + time)
                gecc_auto_open_gpu(keyed.context->instance.state);
        }
        for (int i = 0; i < CALLERS; i++) {
            pthread_join(caller[i].thread, NULL);
            good = caller[i].good && good;
        }
        assert_true(good && call_on(&keyed, KEYS_MOST, "cuda"));
        keyed_close(&keyed);
        assert_int_equal(fake_driver_held(), 0);
    }
}

/* Whichever call of the driver fails while the GPU gets tables of a set and runs rows, the CPU does what it left. */
static void test_every_failure_of_keys(void **state) {
    (void)state;
    size_t on_cpu = 0, on_gpu = 0;
    for (int lacks_memory = 0; lacks_memory <= 1; lacks_memory++)
        for (unsigned long failing = 0, calls = 0; failing <= calls; failing++) {
            struct keyed keyed;
            start(4);
            keyed_open(&keyed, NULL);
            gecc_auto_open_gpu(keyed.context->instance.state);
            assert_true(add_keys(&keyed, 2));
            const unsigned long before = fake_driver_calls();
            fake_driver_fail(failing == 0 ? 0 : before + failing, false,
                             lacks_memory ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_LAUNCH_FAILED);
            for (int time = 0; time < 2; time++) {
                gecc_report report;
                assert_true(call(&keyed, 2, &report));
                on_cpu += strcmp(report.backend, "cpu") == 0;
                on_gpu += strcmp(report.backend, "cuda") == 0;
            }
            calls = failing == 0 ? fake_driver_calls() - before : calls; /* those of both where none fails */
            fake_driver_fail(0, false, CUDA_SUCCESS);
            keyed_close(&keyed);
            assert_int_equal(fake_driver_held(), 0);
        }
    assert_true(on_cpu > 0 && on_gpu > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),          cmocka_unit_test(test_keys_added_while_the_gpu_opens),
        cmocka_unit_test(test_several_cards), cmocka_unit_test(test_every_failure_of_keys),
        cmocka_unit_test(test_fork),          cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests_name("copies of keys", tests, NULL, NULL);
}
