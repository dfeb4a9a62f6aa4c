/* How much stack calls need: what include/gecc/context.h states is enough on every machine, and less is an error.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/cpu/machines.h"
#include "backend/threads.h"

enum { ROWS = 40, ROW_BYTES = 2 * GECC_CURVE_BYTES_MOST + 8 };

static const gecc_curve curves[] = {
#define CURVE(curve, ...) curve,
    GECC_CURVE_LIST(CURVE)
#undef CURVE
};

static uint8_t key[GECC_CURVE_BYTES_MOST], out[ROWS * ROW_BYTES], statuses[ROWS];
static gecc_context *context;

/* A digest that goes with scalars of so many bytes. */
static gecc_rows digest_of(size_t bytes) { return gecc_rows_same(key, bytes < 64 ? bytes : 64); }

static gecc_result sign(gecc_curve curve, size_t rows, gecc_options *options) {
    const size_t bytes = gecc_curve_bytes(curve);
    gecc_rows scalar = gecc_rows_same(key, bytes);
    options->flags = GECC_VERIFY_SIGNATURES;
    memset(statuses, 0xff, sizeof statuses);
    return gecc_ecdsa_sign(context, curve, gecc_out_packed(out, ROW_BYTES), gecc_out_none(),
                           gecc_out_packed(statuses, 1), scalar, digest_of(bytes), gecc_rows_none(), rows, options);
}

/* Calls of many kinds: the first result that is not OK. */
static gecc_result call_all(void) {
    static uint8_t points[ROWS * ROW_BYTES];
    const gecc_out status = gecc_out_packed(statuses, 1);
    gecc_result result = GECC_OK;
    for (size_t rows = 1; rows <= ROWS && result == GECC_OK; rows += ROWS - 1)
        for (size_t i = 0; i < sizeof curves / sizeof curves[0] && result == GECC_OK; i++) {
            size_t bytes = gecc_curve_bytes(curves[i]);
            gecc_options options = GECC_OPTIONS_INIT;
            gecc_rows scalar = gecc_rows_same(key, bytes), point = gecc_rows_same(points, 1 + 2 * bytes);
            result = sign(curves[i], rows, &options);
            if (result == GECC_OK)
                result = gecc_ec_public_key(context, curves[i], gecc_out_packed(points, ROW_BYTES), status, scalar,
                                            rows, NULL);
            if (result == GECC_OK)
                result = gecc_ecdsa_verify(context, curves[i], status, point, digest_of(bytes),
                                           gecc_rows_same(out, 2 * bytes), rows, NULL);
            if (result == GECC_OK)
                result = gecc_ec_mul_add(context, curves[i], gecc_out_packed(out, ROW_BYTES), status, scalar, scalar,
                                         point, rows, NULL);
        }
    if (result == GECC_OK)
        result = gecc_sm2_sign(context, gecc_out_packed(out, 64), status, gecc_rows_same(key, 32),
                               gecc_rows_same(key, 32), gecc_rows_none(), ROWS, NULL);
    if (result == GECC_OK)
        result = gecc_schnorr_sign(context, gecc_out_packed(out, 64), status, gecc_rows_same(key, 32),
                                   gecc_rows_same(key, 32), gecc_rows_same(key, 32), ROWS,
                                   &(gecc_options){.size = sizeof(gecc_options), .flags = GECC_VERIFY_SIGNATURES});
    if (result == GECC_OK)
        result = gecc_ed25519_sign(
            context, gecc_out_packed(out, 64), status, gecc_rows_same(key, 32), gecc_rows_same(key, 32),
            gecc_rows_same(key, 32), ROWS,
            &(gecc_options){.size = sizeof(gecc_options), .flags = GECC_VERIFY_SIGNATURES | GECC_PREHASH});
    if (result == GECC_OK)
        result =
            gecc_ed25519_public_key(context, gecc_out_packed(points, 32), status, gecc_rows_same(key, 32), ROWS, NULL);
    if (result == GECC_OK)
        result = gecc_ed25519_verify(context, status, gecc_rows_same(points, 32), gecc_rows_same(key, 32),
                                     gecc_rows_same(out, 64), gecc_rows_same(key, 32), ROWS,
                                     &(gecc_options){.size = sizeof(gecc_options), .flags = GECC_PREHASH});
    if (result == GECC_OK)
        result = gecc_x25519(context, gecc_out_packed(out, 32), status, gecc_rows_same(key, 32),
                             gecc_rows_same(points, 32), ROWS, NULL);
    if (result == GECC_OK)
        result = gecc_mod_power(context, (gecc_modulus){key, 64}, gecc_out_packed(out, 64), status,
                                gecc_rows_same(key, 64), gecc_rows_same(key, 64), ROWS, NULL);
    return result == GECC_OK && statuses[0] != GECC_ITEM_OK ? GECC_ERROR_DEVICE : result;
}

static void *thread_calls(void *result) {
    *(gecc_result *)result = call_all();
    return NULL;
}

/* The stack is made here, with a page below it that nobody may touch: libc would use one again that is larger. */
static gecc_result call_on_thread(size_t bytes) {
    enum { GUARD = 4096 };
    pthread_attr_t attributes;
    pthread_t thread;
    gecc_result result = GECC_PENDING;
    uint8_t *stack = mmap(NULL, GUARD + bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(stack != MAP_FAILED);
    assert_int_equal(mprotect(stack, GUARD, PROT_NONE), 0);
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstack(&attributes, stack + GUARD, bytes), 0);
    assert_int_equal(pthread_create(&thread, &attributes, thread_calls, &result), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
    assert_int_equal(munmap(stack, GUARD + bytes), 0);
    return result;
}

static void open_machine(const char *machine) {
    gecc_config config = GECC_CONFIG_INIT;
    config.threads = 2;
    config.backend = "cpu";
    assert_int_equal(setenv("GECC_CPU", machine, 1), 0);
    assert_int_equal(gecc_open(&context, &config), GECC_OK);
}

static void test_enough_and_too_little(void **state) {
    (void)state;
    static const char *const machines[] = {"portable-c", "portable-adx", "portable-aarch64",
                                           "avx512",     "ifma-256",     "ifma"};
    for (size_t i = 0; i < sizeof machines / sizeof machines[0]; i++) {
        char reason[128];
        if (gecc_machine_choose(machines[i], reason, sizeof reason) == NULL)
            continue;
        open_machine(machines[i]);
        assert_int_equal(call_on_thread(THREAD_STACK), GECC_OK);
        assert_int_equal(call_on_thread(CALL_STACK - 16 * 1024), GECC_ERROR_MEMORY);
        for (size_t row = 0; row < ROWS; row++)
            assert_int_equal(statuses[row], row < 1 ? GECC_ITEM_NOT_PROCESSED : 0xff);
        gecc_close(context);
    }
}

/* In a process with 72 KiB of stack, whose own threads would get no more: its call is refused, a job is done. */
static int run_with_little_stack(void) {
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_job *job;
    if (gecc_open(&context, NULL) != GECC_OK || sign(GECC_P256, ROWS, &options) != GECC_ERROR_MEMORY)
        return 1;
    options.job = &job;
    if (sign(GECC_P256, ROWS, &options) != GECC_OK || gecc_wait(job) != GECC_OK || statuses[ROWS - 1] != GECC_ITEM_OK)
        return 2;
    gecc_close(context);
    return 0;
}

static void test_limited_process(void **state) {
    (void)state;
    const struct rlimit limit = {72 * 1024, 72 * 1024};
    pid_t child = fork();
    if (child == 0) {
        if (setrlimit(RLIMIT_STACK, &limit) == 0)
            execl("/proc/self/exe", "stack", "limited", (char *)NULL);
        _exit(99);
    }
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    assert_int_equal(result, 0);
}

int main(int count, char **arguments) {
    (void)arguments;
    memset(key + 1, 0x35, sizeof key - 1); /* less than every order */
    if (count > 1)
        return run_with_little_stack();
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    puts("not run: what a sanitizer adds to the stack");
    return 77;
#endif
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enough_and_too_little),
        cmocka_unit_test(test_limited_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
