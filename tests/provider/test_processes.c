/* The provider in programs: library contexts, threads, children of fork, paused jobs, parameters that no command has.
 *
 * Test: fast; needs libcrypto; no threads */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/async.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/provider.h>

#define SIGNATURE_MOST 200

static const char *path; /* of the provider */
static const uint8_t message[] = "a message";

/* Providers that a configuration loads go with the context that it is loaded into. */
static char configuration[] = "/tmp/gecc-provider-XXXXXX";

static int configuration_write(void) {
    int file = mkstemp(configuration);
    return file >= 0 &&
           dprintf(file,
                   "config_diagnostics = 1\nopenssl_conf = start\n[start]\nproviders = providers\n"
                   "alg_section = algorithms\n[providers]\ndefault = default_provider\ngecc = gecc_provider\n"
                   "[default_provider]\nactivate = 1\n[gecc_provider]\nactivate = 1\nmodule = %s\n"
                   "[algorithms]\ndefault_properties = ?provider=gecc\n",
                   path) > 0 &&
           close(file) == 0;
}

static OSSL_LIB_CTX *context_new(void) {
    OSSL_LIB_CTX *context = OSSL_LIB_CTX_new();
    assert_non_null(context);
    assert_int_equal(OSSL_LIB_CTX_load_config(context, configuration), 1);
    return context;
}

static EVP_PKEY *key_new(OSSL_LIB_CTX *context, const char *type, const char *curve) {
    EVP_PKEY *key = EVP_PKEY_Q_keygen(context, NULL, type, curve);
    assert_non_null(key);
    return key;
}

/* These return 0 or 1, since not all that call them may assert. */
static int sign(OSSL_LIB_CTX *context, EVP_PKEY *key, const char *digest, const OSSL_PARAM *params, uint8_t *signature,
                size_t *bytes) {
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    *bytes = SIGNATURE_MOST;
    int done = EVP_DigestSignInit_ex(md, NULL, digest, context, NULL, key, params) > 0 &&
               EVP_DigestSign(md, signature, bytes, message, sizeof message) > 0;
    EVP_MD_CTX_free(md);
    return done;
}

/* By `properties`. */
static int verify(OSSL_LIB_CTX *context, EVP_PKEY *key, const char *digest, const char *properties,
                  const uint8_t *signature, size_t bytes) {
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    int valid = EVP_DigestVerifyInit_ex(md, NULL, digest, context, properties, key, NULL) > 0 &&
                EVP_DigestVerify(md, signature, bytes, message, sizeof message) == 1;
    EVP_MD_CTX_free(md);
    return valid;
}

static int sign_and_verify(OSSL_LIB_CTX *context, EVP_PKEY *key, const char *digest) {
    uint8_t signature[SIGNATURE_MOST];
    size_t bytes = 0;
    return sign(context, key, digest, NULL, signature, &bytes) &&
           verify(context, key, digest, "provider=default", signature, bytes) &&
           verify(context, key, digest, "provider=gecc", signature, bytes);
}

static void test_many_contexts(void **state) {
    (void)state;
    OSSL_LIB_CTX *first = context_new();
    for (int i = 0; i < 20; i++) {
        OSSL_LIB_CTX *context = context_new();
        EVP_PKEY *key = key_new(context, "EC", "P-384");
        assert_string_equal(OSSL_PROVIDER_get0_name(EVP_PKEY_get0_provider(key)), "gecc");
        assert_true(sign_and_verify(context, key, "SHA384"));
        assert_true(sign_and_verify(first, key, "SHA384"));
        EVP_PKEY_free(key);
        OSSL_LIB_CTX_free(context);
    }
    OSSL_LIB_CTX_free(first);
}

struct worker {
    OSSL_LIB_CTX *context;
    EVP_PKEY *ec, *ed25519, *foreign;
    int failures;
};

static void *work(void *argument) {
    struct worker *worker = argument;
    for (int i = 0; i < 40; i++)
        worker->failures += !sign_and_verify(worker->context, worker->ec, "SHA256") +
                            !sign_and_verify(worker->context, worker->ed25519, NULL) +
                            !sign_and_verify(worker->context, worker->foreign, "SHA224");
    return NULL;
}

static void test_threads_share_keys(void **state) {
    (void)state;
    OSSL_LIB_CTX *context = context_new();
    struct worker workers[6];
    pthread_t threads[6];
    workers[0] = (struct worker){context, key_new(context, "EC", "brainpoolP256r1"), key_new(context, "ED25519", NULL),
                                 key_new(context, "EC", "P-224"), 0};
    for (int i = 0; i < 6; i++) {
        workers[i] = workers[0];
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 6; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(workers[i].failures, 0);
    }
    EVP_PKEY_free(workers[0].ec);
    EVP_PKEY_free(workers[0].ed25519);
    EVP_PKEY_free(workers[0].foreign);
    OSSL_LIB_CTX_free(context);
}

/* One of the errors has it in its reason; there are none afterwards. */
static void expect_reason(const char *text) {
    const char *data = NULL;
    int flags = 0, found = 0;
    while (ERR_get_error_all(NULL, NULL, NULL, &data, &flags) != 0)
        found |= (flags & ERR_TXT_STRING) != 0 && strstr(data, text) != NULL;
    if (!found)
        fail_msg("%s: not in a reason", text);
}

/* Jobs. Each makes and checks a signature; all are under way at once. */
#define JOBS 24
static struct worker *job_of;
static int blocked;
static uint8_t *long_message; /* that jobs sign instead, for a queue that has no room for two */
#define LONG_BYTES ((size_t)40 << 20)

static int long_job_main(void) {
    uint8_t signature[SIGNATURE_MOST];
    size_t bytes = sizeof signature;
    EVP_MD_CTX *md = EVP_MD_CTX_new();
    int done = EVP_DigestSignInit_ex(md, NULL, NULL, job_of->context, NULL, job_of->ed25519, NULL) > 0 &&
               EVP_DigestSign(md, signature, &bytes, long_message, LONG_BYTES) > 0;
    EVP_MD_CTX_free(md);
    return done;
}

static int job_main(void *argument) {
    (void)argument;
    if (long_message != NULL)
        return long_job_main();
    if (blocked)
        ASYNC_block_pause();
    int done = sign_and_verify(job_of->context, job_of->ec, "SHA256") &&
               sign_and_verify(job_of->context, job_of->ed25519, NULL);
    if (blocked)
        ASYNC_unblock_pause();
    return done;
}

static int wait_until_ready(ASYNC_WAIT_CTX *wait) {
    OSSL_ASYNC_FD event = -1;
    size_t events = 1;
    if (!ASYNC_WAIT_CTX_get_all_fds(wait, &event, &events) || events != 1)
        return 0;
    struct pollfd ready = {.fd = event, .events = POLLIN};
    return poll(&ready, 1, 10000) == 1;
}

/* How often `count` jobs were paused; -1: one failed. early: resume without having waited. */
static int run_some_jobs(struct worker *worker, int count, int early) {
    ASYNC_JOB *jobs[JOBS] = {NULL};
    ASYNC_WAIT_CTX *waits[JOBS];
    int running = count, pauses = 0, ended[JOBS] = {0}, failed = 0;
    job_of = worker;
    for (int i = 0; i < count; i++)
        waits[i] = ASYNC_WAIT_CTX_new();
    while (running > 0 && !failed)
        for (int i = 0; i < count && !failed; i++) {
            int done = 0;
            if (ended[i])
                continue;
            if (jobs[i] != NULL && !early && !wait_until_ready(waits[i]))
                failed = 1;
            switch (ASYNC_start_job(&jobs[i], waits[i], &done, job_main, NULL, 0)) {
            case ASYNC_PAUSE:
                pauses++;
                break;
            case ASYNC_FINISH:
                ended[i] = 1;
                running--;
                failed |= !done;
                break;
            default:
                failed = 1;
            }
        }
    for (int i = 0; i < count; i++)
        ASYNC_WAIT_CTX_free(waits[i]);
    ASYNC_cleanup_thread();
    return failed ? -1 : pauses;
}

static int run_jobs(struct worker *worker, int early) { return run_some_jobs(worker, JOBS, early); }

/* The owner of a job may free its wait context while the job is paused. Its descriptor is somebody else's then. OpenSSL
 * has no way to free such a job, which stays in sight of the leak checker. */
static void test_jobs_given_up(void **state) {
    (void)state;
    static ASYNC_JOB *given_up[50];
    OSSL_LIB_CTX *context = context_new();
    struct worker worker = {context, key_new(context, "EC", "P-521"), key_new(context, "ED25519", NULL), NULL, 0};
    job_of = &worker;
    char written[8];
    for (size_t i = 0; i < sizeof given_up / sizeof given_up[0]; i++) {
        ASYNC_WAIT_CTX *wait = ASYNC_WAIT_CTX_new();
        OSSL_ASYNC_FD event = -1;
        size_t events = 1;
        int done = 0, ends[2];
        assert_int_equal(ASYNC_start_job(&given_up[i], wait, &done, job_main, NULL, 0), ASYNC_PAUSE);
        assert_true(ASYNC_WAIT_CTX_get_all_fds(wait, &event, &events) && events == 1);
        assert_int_equal(pipe2(ends, O_NONBLOCK), 0);
        ASYNC_WAIT_CTX_free(wait);
        int is_free = fcntl(event, F_GETFD) < 0;
        if (is_free)
            assert_int_equal(dup2(ends[1], event), event);
        (void)usleep(5000);
        assert_true(read(ends[0], written, sizeof written) < 0);
        if (is_free)
            (void)close(event);
        (void)close(ends[0]);
        (void)close(ends[1]);
    }
    EVP_PKEY_free(worker.ec);
    EVP_PKEY_free(worker.ed25519);
    OSSL_LIB_CTX_free(context);
}

static struct worker jobs_setup(void) {
    OSSL_LIB_CTX *context = context_new();
    return (struct worker){context, key_new(context, "EC", "P-521"), key_new(context, "ED25519", NULL), NULL, 0};
}

static void jobs_teardown(struct worker *worker) {
    EVP_PKEY_free(worker->ec);
    EVP_PKEY_free(worker->ed25519);
    OSSL_LIB_CTX_free(worker->context);
}

static void test_jobs_are_paused(void **state) {
    (void)state;
    struct worker worker = jobs_setup();
    assert_true(run_jobs(&worker, 0) >= 4 * JOBS);
    assert_true(run_jobs(&worker, 1) >= 4 * JOBS);
    blocked = 1;
    assert_int_equal(run_jobs(&worker, 0), 0);
    blocked = 0;
    jobs_teardown(&worker);
}

static void test_jobs_that_the_queue_has_no_room_for(void **state) {
    (void)state;
    struct worker worker = jobs_setup();
    long_message = calloc(1, LONG_BYTES);
    assert_non_null(long_message);
    assert_true(run_some_jobs(&worker, 3, 0) > 3);
    free(long_message);
    long_message = NULL;
    jobs_teardown(&worker);
}

/* OpenSSL takes NULL, and hands it on: nobody can be told when to resume such a job. */
static void test_a_job_without_a_wait_context(void **state) {
    (void)state;
    struct worker worker = jobs_setup();
    ASYNC_JOB *job = NULL;
    int done = 0;
    job_of = &worker;
    assert_int_equal(ASYNC_start_job(&job, NULL, &done, job_main, NULL, 0), ASYNC_FINISH);
    assert_int_equal(done, 0);
    expect_reason("a job without a wait context");
    jobs_teardown(&worker);
}

static void test_jobs_without_descriptors(void **state) {
    (void)state;
    struct worker worker = jobs_setup();
    struct rlimit before, none;
    ASYNC_JOB *job = NULL;
    ASYNC_WAIT_CTX *wait = ASYNC_WAIT_CTX_new();
    int done = 1;
    job_of = &worker;
    assert_true(sign_and_verify(worker.context, worker.ec, "SHA256"));
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = before;
    none.rlim_cur = 0;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    int ended = ASYNC_start_job(&job, wait, &done, job_main, NULL, 0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(ended, ASYNC_FINISH);
    assert_int_equal(done, 0);
    expect_reason("no eventfd for a paused job: Too many open files");
    ASYNC_WAIT_CTX_free(wait);
    jobs_teardown(&worker);
}

/* A child uses what its parent opened, and runs jobs by a queue of its own; its exit unloads all. */
static void test_children(void **state) {
    (void)state;
    struct worker worker = jobs_setup();
    assert_true(sign_and_verify(worker.context, worker.ec, "SHA256"));
    assert_true(run_jobs(&worker, 0) > 0);
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            (void)alarm(60);
            int done = sign_and_verify(worker.context, worker.ec, "SHA256") && run_jobs(&worker, 0) > 0;
            OSSL_LIB_CTX_free(i == 0 ? NULL : worker.context);
            exit(done ? 0 : 1);
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    assert_true(run_jobs(&worker, 0) > 0);
    jobs_teardown(&worker);
}

/* Raw digests of more bytes than commands take; those of P-521 are another provider's. */
static void test_wide_digests(void **state) {
    (void)state;
    OSSL_LIB_CTX *context = context_new();
    uint8_t digest[80], signature[SIGNATURE_MOST];
    memset(digest, 0xa5, sizeof digest);
    for (size_t width = 0; width <= sizeof digest; width += 8)
        for (int i = 0; i < 4; i++) {
            EVP_PKEY *key = key_new(context, "EC", i % 2 == 0 ? "P-521" : "P-256");
            EVP_PKEY_CTX *made = EVP_PKEY_CTX_new_from_pkey(context, key, i < 2 ? "provider=gecc" : "provider=default");
            EVP_PKEY_CTX *checked =
                EVP_PKEY_CTX_new_from_pkey(context, key, i < 2 ? "provider=default" : "provider=gecc");
            size_t bytes = sizeof signature;
            assert_true(EVP_PKEY_sign_init(made) > 0 && EVP_PKEY_sign(made, signature, &bytes, digest, width) > 0);
            assert_true(EVP_PKEY_verify_init(checked) > 0);
            assert_int_equal(EVP_PKEY_verify(checked, signature, bytes, digest, width), 1);
            digest[0] ^= 1;
            assert_int_equal(EVP_PKEY_verify(checked, signature, bytes, digest, width), width == 0);
            digest[0] ^= 1;
            EVP_PKEY_CTX_free(made);
            EVP_PKEY_CTX_free(checked);
            EVP_PKEY_free(key);
        }
    OSSL_LIB_CTX_free(context);
}

static void test_nonces_without_randomness(void **state) {
    (void)state;
    OSSL_LIB_CTX *context = context_new();
    EVP_PKEY *key = key_new(context, "EC", "secp256k1");
    uint8_t first[SIGNATURE_MOST], second[SIGNATURE_MOST];
    size_t first_bytes = 0, second_bytes = 0;
    unsigned type = 1;
    const OSSL_PARAM params[] = {OSSL_PARAM_uint("nonce-type", &type), OSSL_PARAM_END};
    assert_true(sign(context, key, "SHA512", params, first, &first_bytes) &&
                sign(context, key, "SHA512", params, second, &second_bytes));
    assert_true(first_bytes == second_bytes && memcmp(first, second, first_bytes) == 0);
    assert_true(verify(context, key, "SHA512", "provider=default", first, first_bytes));
    assert_true(sign(context, key, "SHA512", NULL, second, &second_bytes));
    assert_false(first_bytes == second_bytes && memcmp(first, second, first_bytes) == 0);
    assert_false(sign(context, key, "SHA3-256", params, first, &first_bytes));
    expect_reason("nonce-type = 1 with the digest SHA3-256");
    type = 2;
    assert_false(sign(context, key, "SHA512", params, first, &first_bytes));
    EVP_PKEY_free(key);
    OSSL_LIB_CTX_free(context);
}

static void test_refusals_have_reasons(void **state) {
    (void)state;
    OSSL_LIB_CTX *context = context_new();
    EVP_PKEY *ed25519 = key_new(context, "ED25519", NULL), *ec = key_new(context, "EC", "P-256");
    uint8_t signature[SIGNATURE_MOST];
    size_t bytes = 0;
    const OSSL_PARAM prehash[] = {OSSL_PARAM_utf8_string("instance", "Ed25519ph", 0), OSSL_PARAM_END};
    const OSSL_PARAM with_context[] = {OSSL_PARAM_octet_string("context-string", "x", 1), OSSL_PARAM_END};
    const OSSL_PARAM plain[] = {OSSL_PARAM_utf8_string("instance", "Ed25519", 0),
                                OSSL_PARAM_octet_string("context-string", "", 0), OSSL_PARAM_END};
    assert_false(sign(context, ed25519, NULL, prehash, signature, &bytes));
    expect_reason("instance = Ed25519ph");
    assert_false(sign(context, ed25519, NULL, with_context, signature, &bytes));
    expect_reason("context-string");
    assert_true(sign(context, ed25519, NULL, plain, signature, &bytes));
    assert_false(sign(context, ec, "SHAKE128", NULL, signature, &bytes));
    expect_reason("digest SHAKE128");
    assert_true(sign(context, ec, "SHA256", NULL, signature, &bytes));
    signature[0] = 0x31;
    assert_false(verify(context, ec, "SHA256", NULL, signature, bytes));
    expect_reason("strict DER");
    EVP_PKEY_free(ed25519);
    EVP_PKEY_free(ec);
    OSSL_LIB_CTX_free(context);
}

/* A key on Curve25519 has no parameters but its public key; OpenSSL ignores others. */
static void test_parameters_that_mean_nothing(void **state) {
    (void)state;
    OSSL_LIB_CTX *context = context_new();
    static const char *const types[] = {"ED25519", "X25519"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        EVP_PKEY *key = key_new(context, types[i], NULL);
        uint8_t before[32], after[32];
        size_t bytes = sizeof before;
        assert_int_equal(EVP_PKEY_get_raw_private_key(key, before, &bytes), 1);
        assert_int_equal(EVP_PKEY_set_utf8_string_param(key, "point-format", "compressed"), 1);
        assert_int_equal(EVP_PKEY_get_raw_private_key(key, after, &bytes), 1);
        assert_memory_equal(before, after, sizeof before);
        if (i == 0)
            assert_true(sign_and_verify(context, key, NULL));
        EVP_PKEY_free(key);
    }
    OSSL_LIB_CTX_free(context);
}

static size_t derive(EVP_PKEY_CTX *context, uint8_t secret[SIGNATURE_MOST]) {
    size_t bytes = 0;
    assert_int_equal(EVP_PKEY_derive(context, NULL, &bytes), 1);
    assert_true(bytes > 0 && bytes <= SIGNATURE_MOST);
    assert_int_equal(EVP_PKEY_derive(context, secret, &bytes), 1);
    return bytes;
}

/* X9.63's is OpenSSL's, of the same secret. */
static void test_functions_of_secrets(void **state) {
    (void)state;
    static const char *const by[] = {"provider=gecc", "provider=default"};
    OSSL_LIB_CTX *context = context_new();
    EVP_PKEY *keys[] = {key_new(context, "EC", "P-256"), key_new(context, "EC", "P-256")};
    uint8_t secrets[4][SIGNATURE_MOST], plain[SIGNATURE_MOST];
    for (size_t i = 0; i < 4; i++) {
        EVP_PKEY_CTX *derives = EVP_PKEY_CTX_new_from_pkey(context, keys[i / 2], by[i % 2]);
        assert_true(EVP_PKEY_derive_init(derives) > 0);
        assert_true(EVP_PKEY_derive_set_peer(derives, keys[1 - i / 2]) > 0);
        assert_int_equal(derive(derives, plain), 32);
        assert_true(EVP_PKEY_CTX_set_ecdh_cofactor_mode(derives, 1) > 0);
        assert_int_equal(EVP_PKEY_CTX_get_ecdh_cofactor_mode(derives), 1);
        assert_true(EVP_PKEY_CTX_set_ecdh_kdf_type(derives, EVP_PKEY_ECDH_KDF_X9_63) > 0);
        assert_true(EVP_PKEY_CTX_set_ecdh_kdf_md(derives, EVP_sha256()) > 0);
        assert_true(EVP_PKEY_CTX_set_ecdh_kdf_outlen(derives, 48) > 0);
        assert_int_equal(derive(derives, secrets[i]), 48);
        assert_memory_equal(secrets[i], secrets[0], 48);
        assert_memory_not_equal(secrets[i], plain, 32);
        EVP_PKEY_CTX_free(derives);
    }
    EVP_PKEY_free(keys[0]);
    EVP_PKEY_free(keys[1]);
    OSSL_LIB_CTX_free(context);
}

static void set_form(EVP_PKEY *key) {
    assert_int_equal(EVP_PKEY_set_utf8_string_param(key, "point-format", "compressed"), 1);
}

static void set_cofactor(EVP_PKEY *key) { assert_int_equal(EVP_PKEY_set_int_param(key, "use-cofactor-flag", 1), 1); }

/* The first is the provider's business, the second makes the key another provider's; contexts that have the key go on. */
static void test_parameters_of_a_key_in_use(void **state) {
    (void)state;
    static void (*const changes[])(EVP_PKEY *) = {set_form, set_cofactor};
    OSSL_LIB_CTX *context = context_new();
    for (size_t i = 0; i < 2; i++) {
        EVP_PKEY *key = key_new(context, "EC", "P-384"), *peer = key_new(context, "EC", "P-384");
        EVP_PKEY_CTX *signs = EVP_PKEY_CTX_new_from_pkey(context, key, NULL);
        EVP_PKEY_CTX *verifies = EVP_PKEY_CTX_new_from_pkey(context, key, NULL);
        EVP_PKEY_CTX *derives = EVP_PKEY_CTX_new_from_pkey(context, key, NULL);
        EVP_PKEY_CTX *derives_back = EVP_PKEY_CTX_new_from_pkey(context, peer, NULL);
        uint8_t signature[SIGNATURE_MOST], there[SIGNATURE_MOST], back[SIGNATURE_MOST], digest[48] = {1};
        size_t bytes = 0;
        assert_true(EVP_PKEY_sign_init(signs) > 0 && EVP_PKEY_verify_init(verifies) > 0);
        assert_true(EVP_PKEY_derive_init(derives) > 0 && EVP_PKEY_derive_set_peer(derives, peer) > 0);
        assert_true(EVP_PKEY_derive_init(derives_back) > 0 && EVP_PKEY_derive_set_peer(derives_back, key) > 0);
        changes[i](key);
        assert_int_equal(EVP_PKEY_sign(signs, NULL, &bytes, digest, sizeof digest), 1);
        assert_true(bytes > 96 && bytes <= sizeof signature);
        assert_int_equal(EVP_PKEY_sign(signs, signature, &bytes, digest, sizeof digest), 1);
        assert_int_equal(EVP_PKEY_verify(verifies, signature, bytes, digest, sizeof digest), 1);
        digest[0] ^= 1;
        assert_int_equal(EVP_PKEY_verify(verifies, signature, bytes, digest, sizeof digest), 0);
        assert_int_equal(derive(derives, there), 48);
        assert_int_equal(derive(derives_back, back), 48);
        assert_memory_equal(there, back, 48);
        assert_int_equal(EVP_PKEY_set_utf8_string_param(key, "point-format", "none"), 0);
        assert_true(sign_and_verify(context, key, "SHA384"));
        EVP_PKEY_CTX_free(signs);
        EVP_PKEY_CTX_free(verifies);
        EVP_PKEY_CTX_free(derives);
        EVP_PKEY_CTX_free(derives_back);
        EVP_PKEY_free(key);
        EVP_PKEY_free(peer);
    }
    OSSL_LIB_CTX_free(context);
}

static void test_sizes_are_openssls(void **state) {
    static const char *const curves[] = {"P-256",           "P-384",           "P-521",          "secp256k1",
                                         "brainpoolP256r1", "brainpoolP384r1", "brainpoolP512r1"};
    (void)state;
    OSSL_LIB_CTX *context = context_new();
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        EVP_PKEY *own = key_new(context, "EC", curves[i]);
        EVP_PKEY *other = EVP_PKEY_Q_keygen(context, "provider=default", "EC", curves[i]);
        assert_non_null(other);
        assert_int_equal(EVP_PKEY_get_size(own), EVP_PKEY_get_size(other));
        assert_int_equal(EVP_PKEY_get_bits(own), EVP_PKEY_get_bits(other));
        assert_int_equal(EVP_PKEY_get_security_bits(own), EVP_PKEY_get_security_bits(other));
        assert_int_equal(EVP_PKEY_parameters_eq(own, other), 1);
        assert_int_equal(EVP_PKEY_eq(own, other), 0);
        EVP_PKEY_free(own);
        EVP_PKEY_free(other);
    }
    OSSL_LIB_CTX_free(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_contexts),
        cmocka_unit_test(test_threads_share_keys),
        cmocka_unit_test(test_jobs_are_paused),
        cmocka_unit_test(test_children),
        cmocka_unit_test(test_jobs_given_up),
        cmocka_unit_test(test_a_job_without_a_wait_context),
        cmocka_unit_test(test_jobs_without_descriptors),
        cmocka_unit_test(test_jobs_that_the_queue_has_no_room_for),
        cmocka_unit_test(test_wide_digests),
        cmocka_unit_test(test_nonces_without_randomness),
        cmocka_unit_test(test_refusals_have_reasons),
        cmocka_unit_test(test_functions_of_secrets),
        cmocka_unit_test(test_parameters_that_mean_nothing),
        cmocka_unit_test(test_parameters_of_a_key_in_use),
        cmocka_unit_test(test_sizes_are_openssls),
    };
    path = getenv("GECC_PROVIDER");
    if (path == NULL) {
        (void)fprintf(stderr, "not run: the provider is not built\n");
        return 77;
    }
    if (!ASYNC_is_capable()) {
        (void)fprintf(stderr, "not run: OpenSSL has no jobs here\n");
        return 77;
    }
    if (!configuration_write())
        return 1;
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    (void)unlink(configuration);
    return failures;
}
