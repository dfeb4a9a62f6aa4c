/* Memory and threads that are not to be had: whichever request fails, a call gives what is right or says that it could
 * not, its rows are right or not processed, and nothing is kept.
 *
 * Test: fast */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gecc/gecc.h"
#include "support/prng.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__GLIBC__)
int main(void) {
    puts("not run: the requests of libc are this program's own, which sanitizers want for themselves");
    return 77;
}
#else

enum { ROWS = 600, SECONDS_MOST = 300 };

/* Which requests fail, while `counting`: the one of number `failing`, or those from it on, or one in four. */
enum mode { ONE, FROM_THERE_ON, ONE_IN_FOUR };
static enum mode mode;
static atomic_bool counting;
static atomic_long requests, failing, failed, live; /* live: what was given and has not come back */
static struct prng prng;
static pthread_mutex_t prng_lock = PTHREAD_MUTEX_INITIALIZER;

static bool fails(void) {
    if (!counting)
        return false;
    long number = atomic_fetch_add(&requests, 1);
    bool fail = mode == ONE ? number == failing : number >= failing;
    if (mode == ONE_IN_FOUR) {
        pthread_mutex_lock(&prng_lock);
        fail = prng_below(&prng, 4) == 0;
        pthread_mutex_unlock(&prng_lock);
    }
    failed += fail;
    return fail;
}

static void *given(void *memory) {
    if (counting && memory != NULL)
        live++;
    return memory;
}

/* libc's functions under other names; these are called in their stead, by libc too. */
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *memory);

static void *none(void) {
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t bytes) { return fails() ? none() : given(__libc_malloc(bytes)); }
void *calloc(size_t count, size_t bytes) { return fails() ? none() : given(__libc_calloc(count, bytes)); }
void *realloc(void *memory, size_t bytes) {
    if (fails())
        return none();
    return memory == NULL ? given(__libc_malloc(bytes)) : __libc_realloc(memory, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
    return fails() ? none() : given(__libc_memalign(alignment, bytes));
}
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
    *memory = aligned_alloc(alignment, bytes);
    return *memory == NULL ? ENOMEM : 0;
}
void free(void *memory) {
    if (counting && memory != NULL)
        live--;
    __libc_free(memory);
}

void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset) {
    if (fails()) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    void *mapped = (void *)syscall(SYS_mmap, address, bytes, protection, flags, file, offset);
    if (counting && mapped != MAP_FAILED)
        live++;
    return mapped;
}
int munmap(void *address, size_t bytes) {
    if (counting)
        live--;
    return (int)syscall(SYS_munmap, address, bytes);
}
int madvise(void *address, size_t bytes, int advice) {
    if (fails()) {
        errno = ENOMEM;
        return -1;
    }
    return (int)syscall(SYS_madvise, address, bytes, advice);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    static create *libc_create;
    if (libc_create == NULL)
        *(void **)&libc_create = dlsym(RTLD_NEXT, "pthread_create");
    return fails() ? EAGAIN : libc_create(thread, attributes, run, argument);
}

static uint8_t key[ROWS][32], digest[ROWS][32], public_key[ROWS][65], signature[ROWS][64], shared_secret[ROWS][32];
static uint8_t out[ROWS][65], status[ROWS];
static unsigned long right_calls, failed_calls;

/* `done` of the last call's rows: as they should be, `width` bytes each, or not processed and zero; all, if the call
 * was fine. What cannot be right is counted, since a test must not end while requests fail. */
static unsigned long wrong;

static void check(gecc_result result, const void *right, size_t width) {
    bool fine = result == GECC_OK;
    static const uint8_t zeros[sizeof out[0]];
    right_calls += fine;
    failed_calls += !fine;
    wrong += !fine && result != GECC_ERROR_MEMORY && result != GECC_ERROR_THREAD;
    for (size_t row = 0; row < ROWS; row++) {
        const uint8_t *given_row = (const uint8_t *)out + row * width;
        bool done = status[row] == GECC_ITEM_OK && memcmp(given_row, (const uint8_t *)right + row * width, width) == 0;
        bool none_done = status[row] == GECC_ITEM_NOT_PROCESSED && memcmp(given_row, zeros, width) == 0;
        wrong += !done && (fine || !none_done);
    }
}

static gecc_rows rows(const void *data, size_t width) { return gecc_rows_packed(data, width); }

/* A call with its rows as another call may have left them: each of them valid. */
static gecc_options *before_call(gecc_options *options, gecc_job **job) {
    *options = (gecc_options)GECC_OPTIONS_INIT;
    options->job = job;
    memset(status, GECC_ITEM_OK, sizeof status);
    memset(out, 0xcc, sizeof out);
    return options;
}

static gecc_result after_call(gecc_result result, gecc_job **job) {
    wrong += job != NULL && result != GECC_OK && *job != NULL;
    wrong += result != GECC_OK && strstr(gecc_error_text(), "(:") != NULL;
    return job != NULL && result == GECC_OK ? gecc_wait(*job) : result;
}

static void sign_and_more(unsigned threads) {
    gecc_context *context = NULL;
    gecc_config config = GECC_CONFIG_INIT;
    gecc_options options;
    gecc_out statuses = gecc_out_packed(status, 1);
    void *memory = NULL;
    config.threads = threads;
    config.backend = "cpu";
    gecc_result result = gecc_open(&context, &config);
    if (result != GECC_OK) {
        wrong += context != NULL || (result != GECC_ERROR_MEMORY && result != GECC_ERROR_THREAD);
        failed_calls++;
        return;
    }
    for (int background = 0; background <= 1; background++) {
        gecc_job *started = NULL, **job = background ? &started : NULL;
        result = gecc_ec_public_key(context, GECC_P256, gecc_out_packed(out, 65), statuses, rows(key, 32), ROWS,
                                    before_call(&options, job));
        check(after_call(result, job), public_key, 65);
        result = gecc_ecdsa_sign(context, GECC_P256, gecc_out_packed(out, 64), (gecc_out){0}, statuses, rows(key, 32),
                                 rows(digest, 32), (gecc_rows){0}, ROWS, before_call(&options, job));
        check(after_call(result, job), signature, 64);
        result = gecc_ecdsa_verify(context, GECC_P256, statuses, rows(public_key, 65), rows(digest, 32),
                                   rows(signature, 64), ROWS, before_call(&options, job));
        check(after_call(result, job), public_key, 0);
        result = gecc_ecdh(context, GECC_P256, gecc_out_packed(out, 32), statuses, rows(key, 32), rows(public_key, 65),
                           ROWS, before_call(&options, job));
        check(after_call(result, job), shared_secret, 32);
    }
    result = gecc_memory_allocate(context, &memory, 1000);
    wrong += (result == GECC_OK) != (memory != NULL);
    gecc_memory_free(context, memory);
    gecc_close(context);
}

static long count_requests(unsigned threads) {
    failing = LONG_MAX;
    mode = ONE;
    requests = 0;
    counting = true;
    sign_and_more(threads);
    counting = false;
    return requests;
}

static void with_failures(unsigned threads, enum mode how, long number) {
    mode = how;
    failing = number;
    requests = failed = live = 0;
    wrong = right_calls = failed_calls = 0;
    counting = true;
    sign_and_more(threads);
    counting = false;
    if (wrong != 0 || live != 0)
        fail_msg("%u threads, mode %d, request %ld: %lu rows or results wrong, %ld kept", threads, how, number, wrong,
                 (long)live);
}

static int make_right(void **state) {
    (void)state;
    alarm(SECONDS_MOST); /* what hangs fails */
    prng = prng_for("exhaustion");
    prng_bytes(&prng, key, sizeof key);
    prng_bytes(&prng, digest, sizeof digest);
    gecc_context *context;
    gecc_out statuses = gecc_out_packed(status, 1);
    for (size_t row = 0; row < ROWS; row++)
        key[row][0] &= 0x7f;
    assert_int_equal(gecc_open(&context, NULL), GECC_OK);
    assert_int_equal(
        gecc_ec_public_key(context, GECC_P256, gecc_out_packed(public_key, 65), statuses, rows(key, 32), ROWS, NULL),
        GECC_OK);
    assert_int_equal(gecc_ecdsa_sign(context, GECC_P256, gecc_out_packed(signature, 64), (gecc_out){0}, statuses,
                                     rows(key, 32), rows(digest, 32), (gecc_rows){0}, ROWS, NULL),
                     GECC_OK);
    assert_int_equal(gecc_ecdh(context, GECC_P256, gecc_out_packed(shared_secret, 32), statuses, rows(key, 32),
                               rows(public_key, 65), ROWS, NULL),
                     GECC_OK);
    gecc_close(context);
    return 0;
}

static void fail_each(unsigned threads) {
    unsigned long all_failed = 0, all_right = 0;
    (void)count_requests(threads); /* what libc asks for once */
    long total = count_requests(threads);
    assert_true(total > 10);
    for (int how = ONE; how <= FROM_THERE_ON; how++)
        for (long number = 0; number < total; number++) {
            with_failures(threads, (enum mode)how, number);
            all_failed += failed_calls;
            all_right += right_calls;
        }
    for (int i = 0; i < 40; i++)
        with_failures(threads, ONE_IN_FOUR, 0);
    print_message("%u threads: %ld requests; %lu calls failed, %lu were right\n", threads, total, all_failed,
                  all_right);
    assert_true(all_failed != 0);
    assert_true(all_right != 0);
}

static void test_one_thread(void **state) {
    (void)state;
    fail_each(1);
}

static void test_four_threads(void **state) {
    (void)state;
    fail_each(4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_thread),
        cmocka_unit_test(test_four_threads),
    };
    return cmocka_run_group_tests(tests, make_right, NULL);
}
#endif
