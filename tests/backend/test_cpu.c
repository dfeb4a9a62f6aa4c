/* The CPU backend on a machine that notes what it is asked to do.
 *
 * Test: fast */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "backend/cpu/cpu.h"
#include "backend/cpu/machines.h"
#include "backend/cpu/tables.h"
#include "fake_machine.h"

enum { CHILD_SECONDS = 60 };

/* Under sanitizers too, an allocation that cannot succeed fails. */
GECC_API const char *__asan_default_options(void);
GECC_API const char *__tsan_default_options(void);
const char *__asan_default_options(void) { return "allocator_may_return_null=1"; }
const char *__tsan_default_options(void) { return "allocator_may_return_null=1"; }

static const struct backend *const cpu = &gecc_backend_cpu;

struct fixture {
    struct notes notes;
    uint8_t status[FAKE_ROWS];
    struct job job;
};

static struct fixture *fixture_create(enum operation operation, gecc_curve curve, size_t count) {
    struct fixture *fixture = calloc(1, sizeof *fixture);
    fixture->notes.failing_row = SIZE_MAX;
    fixture->job.operation = operation;
    fixture->job.curve = curve;
    fixture->job.in[0] = gecc_rows_same(&fixture->notes, 0);
    fixture->job.status = gecc_out_packed(fixture->status, 1);
    fixture->job.count = count;
    return fixture;
}

/* Rows 0 .. count - 1 were visited `times` times, and the chunks were as they must be. */
static bool fixture_is_good(const struct fixture *fixture, unsigned times) {
    const struct notes *notes = &fixture->notes;
    bool good = notes->misaligned == 0 && notes->unwiped == 0 && notes->bad_tables == 0;
    for (size_t i = 0; i < FAKE_ROWS; i++)
        good &= notes->visits[i] == (i < fixture->job.count ? times : 0);
    return good;
}

static void *open_fake(unsigned threads) {
    gecc_config config = GECC_CONFIG_INIT;
    void *state;
    config.threads = threads;
    assert_int_equal(gecc_cpu_open(&state, &fake_machine, NULL, &config), GECC_OK);
    return state;
}

static gecc_result run(void *state, const struct fixture *fixture) {
    gecc_report report;
    return cpu->run(state, &fixture->job, &report);
}

static void test_every_row_once(void **state) {
    (void)state;
    static const size_t counts[] = {0, 1, 7, 8, 9, 511, 512, 513, 4096, 9999, FAKE_ROWS};
    for (unsigned threads = 1; threads <= 5; threads++) {
        void *opened = open_fake(threads);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            struct fixture *fixture = fixture_create(OPERATION_ECDSA_VERIFY, GECC_SECP256K1, counts[i]);
            assert_int_equal(run(opened, fixture), GECC_OK);
            assert_true(fixture_is_good(fixture, 1));
            assert_int_equal(fixture->notes.chunks == 0, counts[i] == 0);
            free(fixture);
        }
        cpu->close(opened);
    }
}

static void test_report(void **state) {
    (void)state;
    void *opened = open_fake(2);
    struct fixture *fixture = fixture_create(OPERATION_ECDSA_VERIFY, GECC_SECP256K1, 100);
    gecc_report report = {.seconds = -1};
    assert_int_equal(cpu->run(opened, &fixture->job, &report), GECC_OK);
    assert_string_equal(report.backend, "cpu");
    assert_string_equal(report.detail, "fake, 2 threads");
    assert_true(report.seconds > 0 && report.seconds < 60);
    cpu->close(opened);
    opened = open_fake(1);
    assert_int_equal(cpu->run(opened, &fixture->job, &report), GECC_OK);
    assert_string_equal(report.detail, "fake, 1 thread");
    free(fixture);
    cpu->close(opened);
}

static void test_threads_default_to_the_processors_allowed(void **state) {
    (void)state;
    cpu_set_t allowed, one;
    assert_int_equal(sched_getaffinity(0, sizeof allowed, &allowed), 0);
    char expected[48];
    (void)snprintf(expected, sizeof expected, "fake, %d thread%s", CPU_COUNT(&allowed),
                   CPU_COUNT(&allowed) == 1 ? "" : "s");
    struct fixture *fixture = fixture_create(OPERATION_ECDSA_VERIFY, GECC_SECP256K1, 1);
    gecc_report report;
    void *opened = open_fake(0);
    assert_int_equal(cpu->run(opened, &fixture->job, &report), GECC_OK);
    assert_string_equal(report.detail, expected);
    cpu->close(opened);

    int first = 0;
    while (!CPU_ISSET(first, &allowed))
        first++;
    CPU_ZERO(&one);
    CPU_SET(first, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    opened = open_fake(0);
    assert_int_equal(cpu->run(opened, &fixture->job, &report), GECC_OK);
    assert_string_equal(report.detail, "fake, 1 thread");
    cpu->close(opened);
    assert_int_equal(sched_setaffinity(0, sizeof allowed, &allowed), 0);
    free(fixture);
}

static void test_submit(void **state) {
    (void)state;
    for (unsigned threads = 1; threads <= 2; threads++) {
        void *opened = open_fake(threads);
        struct fixture *fixture = fixture_create(OPERATION_ECDSA_VERIFY, GECC_SM2, 3000);
        atomic_bool gate = false;
        fixture->notes.gate = &gate;
        struct job job = fixture->job;
        struct ticket *ticket;
        assert_int_equal(cpu->submit(opened, &job, &ticket), GECC_OK);
        memset(&job, 0xff, sizeof job);
        assert_int_equal(cpu->poll(opened, ticket), GECC_PENDING);
        atomic_store(&gate, true);
        gecc_report report;
        assert_int_equal(cpu->wait(opened, ticket, &report), GECC_OK);
        assert_string_equal(report.backend, "cpu");
        assert_true(report.seconds > 0);
        assert_true(fixture_is_good(fixture, 1));
        free(fixture);
        cpu->close(opened);
    }
}

static void test_secrets_are_wiped(void **state) {
    (void)state;
    void *opened = open_fake(3);
    struct fixture *fixture = fixture_create(OPERATION_EC_MUL, GECC_SECP256K1, 5000);
    for (unsigned times = 1; times <= 10; times++) {
        assert_int_equal(run(opened, fixture), GECC_OK);
        assert_true(fixture_is_good(fixture, times));
    }
    free(fixture);
    cpu->close(opened);
}

/* An error must not keep the arena from being wiped. */
static void test_secrets_are_wiped_after_an_error(void **state) {
    (void)state;
    void *opened = open_fake(1);
    struct fixture *fixture = fixture_create(OPERATION_EC_MUL, GECC_SECP256K1, 5000);
    fixture->notes.failing_row = 100;
    assert_int_equal(run(opened, fixture), GECC_ERROR_FAULT);
    assert_int_equal(run(opened, fixture), GECC_ERROR_FAULT);
    assert_true(fixture_is_good(fixture, 2));
    free(fixture);
    cpu->close(opened);
}

static void test_an_error_stops_no_other_chunk(void **state) {
    (void)state;
    void *opened = open_fake(2);
    struct fixture *fixture = fixture_create(OPERATION_ECDSA_VERIFY, GECC_SECP256K1, 5000);
    fixture->notes.failing_row = 1234;
    assert_int_equal(run(opened, fixture), GECC_ERROR_FAULT);
    assert_true(fixture_is_good(fixture, 1));
    for (size_t i = 0; i < 5000; i++)
        assert_int_equal(fixture->status[i], i == 1234 ? GECC_ITEM_NOT_PROCESSED : GECC_ITEM_OK);
    free(fixture);
    cpu->close(opened);
}

static void check_refused(void *opened, gecc_result expected, enum operation operation, gecc_curve curve,
                          size_t modulus_bytes) {
    for (size_t count = 1; count <= 5000; count += 4999) {
        struct fixture *fixture = fixture_create(operation, curve, count);
        fixture->job.modulus_bytes = modulus_bytes;
        assert_int_equal(run(opened, fixture), expected);
        struct ticket *ticket;
        gecc_result result = cpu->submit(opened, &fixture->job, &ticket);
        gecc_report report;
        assert_int_equal(result == GECC_OK ? cpu->wait(opened, ticket, &report) : result, expected);
        assert_true(fixture_is_good(fixture, 0));
        free(fixture);
    }
}

static void test_no_memory(void **state) {
    (void)state;
    void *opened = open_fake(2);
    check_refused(opened, GECC_ERROR_MEMORY, OPERATION_ECDSA_VERIFY, GECC_P256, 0);
    check_refused(opened, GECC_ERROR_MEMORY, OPERATION_ECDSA_VERIFY, GECC_P384, 0);
    cpu->close(opened);
}

static void test_unsupported(void **state) {
    (void)state;
    void *opened = open_fake(2);
    check_refused(opened, GECC_ERROR_UNSUPPORTED, OPERATION_EC_ADD, GECC_SECP256K1, 0);
    check_refused(opened, GECC_ERROR_UNSUPPORTED, OPERATION_MOD_POWER, 0, 60);
    cpu->close(opened);
}

static void test_every_family(void **state) {
    (void)state;
    void *opened = open_fake(2);
    static const enum operation operations[] = {OPERATION_ECDSA_VERIFY, OPERATION_SM2_VERIFY, OPERATION_MOD_POWER,
                                                OPERATION_DIGEST};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++) {
        struct fixture *fixture = fixture_create(operations[i], GECC_SM2, 1000);
        fixture->job.modulus_bytes = 64;
        assert_int_equal(run(opened, fixture), GECC_OK);
        assert_true(fixture_is_good(fixture, 1));
        free(fixture);
    }
    cpu->close(opened);
}

struct caller {
    pthread_t thread;
    void *opened;
    gecc_curve curve;
    unsigned bad;
};

static void *caller_main(void *argument) {
    struct caller *caller = argument;
    struct fixture *fixture = fixture_create(OPERATION_ECDSA_VERIFY, caller->curve, 700);
    for (unsigned times = 1; times <= 30; times++)
        caller->bad += run(caller->opened, fixture) != GECC_OK || !fixture_is_good(fixture, times);
    free(fixture);
    return NULL;
}

static void forget_tables_made(void) {
    for (size_t i = 0; i < BASE_TABLES; i++)
        atomic_store(&fake_tables_made[i], 0);
}

/* Callers in several contexts share the process's tables, of which one makes the large one. The small one serves
 * whoever comes before the large one is there: several may make it at once, and nobody where the first calls have rows
 * enough for the large one. */
static void test_contexts_share_tables(void **state) {
    (void)state;
    enum { CALLERS = 8, CONTEXTS = 2 };
    void *opened[CONTEXTS] = {open_fake(3), open_fake(1)};
    forget_tables_made();
    struct caller callers[CALLERS];
    for (unsigned i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){.opened = opened[i % CONTEXTS], .curve = GECC_SECP256K1, .bad = 0};
        assert_int_equal(pthread_create(&callers[i].thread, NULL, caller_main, &callers[i]), 0);
    }
    for (unsigned i = 0; i < CALLERS; i++) {
        pthread_join(callers[i].thread, NULL);
        assert_int_equal(callers[i].bad, 0);
    }
    assert_int_equal(fake_tables_made[BASE_SECRET], 0);
    assert_in_range(fake_tables_made[BASE_PUBLIC_FEW], 0, CALLERS + 3);
    assert_int_equal(fake_tables_made[BASE_PUBLIC_MANY], 1);
    cpu->close(opened[0]);
    forget_tables_made();
    struct caller last = {.opened = opened[1], .curve = GECC_SECP256K1, .bad = 0};
    caller_main(&last);
    assert_int_equal(last.bad, 0);
    for (size_t i = 0; i < BASE_TABLES; i++)
        assert_int_equal(fake_tables_made[i], 0);
    cpu->close(opened[1]);
}

/* A call of `count` rows, all of which have the large table or none. */
static void run_counted(void *opened, enum operation operation, gecc_curve curve, size_t count, bool large) {
    struct fixture *fixture = fixture_create(operation, curve, count);
    assert_int_equal(run(opened, fixture), GECC_OK);
    assert_true(fixture_is_good(fixture, 1));
    assert_int_equal(fixture->notes.many, large ? fixture->notes.chunks : 0);
    free(fixture);
}

/* The large table is made once rows with public scalars pay for it, whatever calls they come in, and goes with the last
 * context. */
static void test_tables_have_a_price(void **state) {
    (void)state;
    for (unsigned times = 0; times < 2; times++) {
        void *opened = open_fake(1);
        forget_tables_made();
        run_counted(opened, OPERATION_EC_PUBLIC_KEY, GECC_SECP256K1, FAKE_ROWS, false);
        assert_int_equal(fake_tables_made[BASE_SECRET], 1);
        assert_int_equal(fake_tables_made[BASE_PUBLIC_FEW] + fake_tables_made[BASE_PUBLIC_MANY], 0);
        run_counted(opened, OPERATION_ECDSA_VERIFY, GECC_SECP256K1, 1, false);
        run_counted(opened, OPERATION_ECDSA_VERIFY, GECC_SECP256K1, TABLES_LARGE_ROWS - 2, false);
        assert_int_equal(fake_tables_made[BASE_PUBLIC_MANY], 0);
        run_counted(opened, OPERATION_ECDSA_VERIFY, GECC_SECP256K1, 1, true);
        run_counted(opened, OPERATION_ECDSA_VERIFY, GECC_SECP256K1, FAKE_ROWS, true);
        assert_int_equal(fake_tables_made[BASE_PUBLIC_FEW], 1);
        assert_int_equal(fake_tables_made[BASE_PUBLIC_MANY], 1);
        cpu->close(opened);
    }
}

/* Where a call needs both, the secret table may take its entries from the public one. */
static void test_tables_share_entries(void **state) {
    (void)state;
    void *opened = open_fake(1);
    struct fixture *fixture = fixture_create(OPERATION_ECDSA_SIGN, GECC_SECP256K1, 1);
    forget_tables_made();
    atomic_store(&fake_secrets_from_few, 0);
    fixture->job.flags = GECC_VERIFY_SIGNATURES;
    assert_int_equal(run(opened, fixture), GECC_OK);
    assert_int_equal(fake_tables_made[BASE_SECRET], 1);
    assert_int_equal(fake_tables_made[BASE_PUBLIC_FEW], 1);
    assert_int_equal(fake_secrets_from_few, 1);
    free(fixture);
    cpu->close(opened);
}

/* Made from it or alone, it is the same on every machine and curve. */
static void test_a_secret_table_is_the_same_either_way(void **state) {
    (void)state;
    static const char *const machines[] = {"portable-c", "portable-adx", "portable-aarch64",
                                           "avx512",     "ifma-256",     "ifma"};
    char reason[128];
    for (size_t m = 0; m < sizeof machines / sizeof machines[0]; m++) {
        const struct cpu_machine *machine = gecc_machine_choose(machines[m], reason, sizeof reason);
        for (int i = GECC_SECP256K1; machine != NULL && i <= GECC_CURVE_END; i++) {
            const struct program_set *set = machine->curve(i == GECC_CURVE_END ? GECC_CURVE25519 : (gecc_curve)i);
            const size_t bytes = set->table_bytes[BASE_SECRET];
            void *few = NULL, *alone = NULL, *from_few = NULL;
            struct arena arena = {NULL, set->arena_bytes, 0};
            assert_int_equal(posix_memalign((void **)&arena.base, 64, arena.bytes), 0);
            assert_int_equal(posix_memalign(&few, 64, set->table_bytes[BASE_PUBLIC_FEW]), 0);
            assert_int_equal(posix_memalign(&alone, 64, bytes), 0);
            assert_int_equal(posix_memalign(&from_few, 64, bytes), 0);
            memset(alone, 0, bytes); /* with an endomorphism there is more room than entries */
            memset(from_few, 0, bytes);
            set->table_make(BASE_PUBLIC_FEW, few, NULL, &arena);
            set->table_make(BASE_SECRET, alone, NULL, &arena);
            set->table_make(BASE_SECRET, from_few, few, &arena);
            assert_memory_equal(alone, from_few, bytes);
            free(arena.base);
            free(few);
            free(alone);
            free(from_few);
        }
    }
}

/* Jobs of one row run on the machine for them, but on wide curves. */
static void test_single_rows(void **state) {
    (void)state;
    struct cpu_machine single = fake_machine;
    gecc_config config = GECC_CONFIG_INIT;
    void *opened;
    single.name = "single";
    config.threads = 1;
    assert_int_equal(gecc_cpu_open(&opened, &fake_machine, &single, &config), GECC_OK);
    for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++)
        for (size_t count = 1; count <= 2; count++) {
            struct fixture *fixture = fixture_create(OPERATION_ECDSA_VERIFY, curve, count);
            gecc_report report;
            (void)cpu->run(opened, &fixture->job, &report);
            assert_string_equal(report.detail, count == 1 && (gecc_curve_bytes(curve) <= 48 || curve == GECC_P521)
                                                   ? "single, 1 thread"
                                                   : "fake, 1 thread");
            free(fixture);
        }
    cpu->close(opened);
}

/* What is prepared is made then, and not by the calls. */
static void test_prepare(void **state) {
    (void)state;
    void *opened = open_fake(2);
    struct job job = {.operation = OPERATION_ECDSA_VERIFY, .curve = GECC_SECP256K1, .count = 1};
    forget_tables_made();
    assert_int_equal(cpu->prepare(opened, &job), GECC_OK);
    assert_int_equal(fake_tables_made[BASE_PUBLIC_FEW], 1);
    assert_int_equal(fake_tables_made[BASE_PUBLIC_MANY], 0);
    job.count = TABLES_LARGE_ROWS;
    assert_int_equal(cpu->prepare(opened, &job), GECC_OK);
    assert_int_equal(fake_tables_made[BASE_PUBLIC_MANY], 1);
    run_counted(opened, OPERATION_ECDSA_VERIFY, GECC_SECP256K1, FAKE_ROWS, true);
    job.operation = OPERATION_EC_PUBLIC_KEY;
    assert_int_equal(fake_tables_made[BASE_SECRET], 0);
    assert_int_equal(cpu->prepare(opened, &job), GECC_OK);
    run_counted(opened, OPERATION_EC_PUBLIC_KEY, GECC_SECP256K1, FAKE_ROWS, false);
    assert_int_equal(fake_tables_made[BASE_KEYS], 0);
    job.operation = OPERATION_ED25519_VERIFY_KEYS;
    assert_int_equal(cpu->prepare(opened, &job), GECC_OK);
    run_counted(opened, OPERATION_ED25519_VERIFY_KEYS, GECC_SECP256K1, FAKE_ROWS, false);
    for (size_t i = 0; i < BASE_TABLES; i++)
        assert_int_equal(fake_tables_made[i], 1);
    job.operation = OPERATION_DIGEST;
    job.curve = (gecc_curve)0;
    assert_int_equal(cpu->prepare(opened, &job), GECC_OK);
    job = (struct job){.operation = OPERATION_EC_ADD, .curve = GECC_SECP256K1, .count = 1};
    assert_int_equal(cpu->prepare(opened, &job), GECC_ERROR_UNSUPPORTED);
    job = (struct job){.operation = OPERATION_ECDSA_VERIFY, .curve = GECC_P256, .count = 1};
    assert_int_equal(cpu->prepare(opened, &job), GECC_ERROR_MEMORY);
    cpu->close(opened);
}

/* Without memory for the large table the small one serves. */
static void test_no_memory_for_the_large_table(void **state) {
    (void)state;
    struct shared_tables tables = {.rows = 0};
    struct program_set set = fake_set;
    void *opened = open_fake(1);
    struct base_tables found;
    struct arena arena = {malloc(FAKE_ARENA_BYTES), FAKE_ARENA_BYTES, 0};
    set.shared = &tables;
    set.table_bytes[BASE_PUBLIC_MANY] = PTRDIFF_MAX - 4096;
    forget_tables_made();
    for (unsigned i = 0; i < 3; i++) {
        gecc_tables_count(&set, BASE_USES_PUBLIC, TABLES_LARGE_ROWS);
        assert_int_equal(gecc_tables_find(&found, &set, BASE_USES_PUBLIC, &arena), GECC_OK);
        assert_true(fake_table_is(found.public_rows, BASE_PUBLIC_FEW));
        assert_int_equal(found.public_width, 1);
    }
    set.table_bytes[BASE_PUBLIC_MANY] = FAKE_TABLE_BYTES;
    gecc_tables_count(&set, BASE_USES_PUBLIC, TABLES_LARGE_ROWS);
    assert_int_equal(gecc_tables_find(&found, &set, BASE_USES_PUBLIC, &arena), GECC_OK);
    assert_true(fake_table_is(found.public_rows, BASE_PUBLIC_MANY));
    assert_int_equal(fake_tables_made[BASE_PUBLIC_FEW], 1);
    free(arena.base);
    cpu->close(opened);
}

/* What a forked child can do with the backend, tables not built before the fork included; 0: all of it went well. */
static int use_in_child(void *opened) {
    int bad = 0;
    static const gecc_curve curves[] = {GECC_SECP256K1, GECC_SM2};
    for (size_t i = 0; i < 2; i++) {
        struct fixture *fixture = fixture_create(OPERATION_ECDSA_VERIFY, curves[i], 3000);
        bad += run(opened, fixture) != GECC_OK || !fixture_is_good(fixture, 1) || fixture->notes.many == 0;
        free(fixture);
    }
    cpu->close(opened);
    return bad;
}

static void test_fork(void **state) {
    (void)state;
    void *opened = open_fake(3);
    struct caller caller = {.opened = opened, .curve = GECC_SECP256K1, .bad = 0};
    assert_int_equal(pthread_create(&caller.thread, NULL, caller_main, &caller), 0);
    for (unsigned i = 0; i < 10; i++) {
        pid_t child = fork();
        if (child == 0) {
            alarm(CHILD_SECONDS);
            _exit(use_in_child(opened));
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    pthread_join(caller.thread, NULL);
    assert_int_equal(caller.bad, 0);
    cpu->close(opened);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_row_once),
        cmocka_unit_test(test_report),
        cmocka_unit_test(test_threads_default_to_the_processors_allowed),
        cmocka_unit_test(test_submit),
        cmocka_unit_test(test_secrets_are_wiped),
        cmocka_unit_test(test_secrets_are_wiped_after_an_error),
        cmocka_unit_test(test_an_error_stops_no_other_chunk),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_unsupported),
        cmocka_unit_test(test_every_family),
        cmocka_unit_test(test_contexts_share_tables),
        cmocka_unit_test(test_tables_have_a_price),
        cmocka_unit_test(test_tables_share_entries),
        cmocka_unit_test(test_a_secret_table_is_the_same_either_way),
        cmocka_unit_test(test_single_rows),
        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_no_memory_for_the_large_table),
        cmocka_unit_test(test_fork),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
