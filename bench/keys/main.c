/* gecc-keys: verifications of few signers' signatures: key by key, with keys that repeat found by the library, and with
 * keys that are prepared and named by number.
 *
 * usage: gecc-keys [CURVE [KEYS [ROWS [THREADS [RUNS]]]]]     (P-256, 1 key, 65536 rows, one thread, 7 runs)
 *
 * Signatures are ECDSA's, on SM2 SM2's, on Curve25519 Ed25519's, of messages as long as a digest.
 *
 * Signers by turns of a generator, so that rows of one are apart; a row in seven is spoiled. The four ways alternate;
 * medians, with lowest and highest, and rows a second beside the first way. Tables are made within each run but for the
 * last way. The verdicts of all are compared. On a GPU, which GECC_BACKEND=cuda asks for, rows are in pinned memory,
 * and the last column says what its kernels alone would do, with the time in which tables are made. Where it was built
 * with OpenSSL, that verifies the first OPENSSL_ROWS rows in each run, on one thread, by keys that it has parsed
 * before. */
#include <gecc/gecc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "openssl.h"
#include "program.h"
#include "summary.h"

enum { LENGTH = GECC_CURVE_BYTES_MOST, POINT = 1 + 2 * LENGTH, DIGEST = 32, RUNS_MOST = 99, NO_TABLES = 1 };
enum { OPENSSL_ROWS = 2048 };

enum way { PLAIN, REPEATS, PREPARE, PREPARED, WAYS };

static const char *const way_names[WAYS] = {"without tables", "by itself", "by number, prepared in the run",
                                            "by number, prepared before"};

struct bench {
    gecc_context *context, *plain;
    gecc_curve curve;
    size_t length, keys, count;
    uint8_t (*key_points)[POINT], *key_statuses;
    size_t point, signature; /* bytes of a point, of a signature */
    uint8_t *points, (*digests)[DIGEST], *signatures, (*numbers)[4], *statuses, *expected;
    gecc_keys_config config;
    gecc_keys *prepared;
};

static void random_bytes(uint8_t *bytes, size_t count, uint64_t *state) {
    for (size_t i = 0; i < count; i++)
        bytes[i] = (uint8_t)program_random(state);
}

/* Memory that a GPU reads fastest; main frees it. */
static void *rows_memory(struct bench *b, size_t count, size_t size) {
    void *memory = NULL;
    program_require(gecc_memory_allocate(b->context, &memory, count * size) == GECC_OK, "memory");
    memset(memory, 0, count * size);
    return memory;
}

static gecc_rows rows_of(const void *data, size_t width, size_t stride) {
    return gecc_rows_strided(data, width, stride);
}

static gecc_result make_keys(struct bench *b, gecc_rows secrets) {
    const gecc_out keys = gecc_out_packed(b->key_points, POINT), status = gecc_out_packed(b->key_statuses, 1);
    return b->curve == GECC_CURVE25519 ? gecc_ed25519_public_key(b->context, keys, status, secrets, b->keys, NULL)
                                       : gecc_ec_public_key(b->context, b->curve, keys, status, secrets, b->keys, NULL);
}

static gecc_result sign(struct bench *b, gecc_rows keys) {
    const gecc_rows digests = gecc_rows_packed(b->digests, DIGEST), none = gecc_rows_none();
    const gecc_out signatures = gecc_out_packed(b->signatures, b->signature), status = gecc_out_packed(b->statuses, 1);
    if (b->curve == GECC_CURVE25519)
        return gecc_ed25519_sign(b->context, signatures, status, keys, digests, none, b->count, NULL);
    if (b->curve == GECC_SM2)
        return gecc_sm2_sign(b->context, signatures, status, keys, digests, none, b->count, NULL);
    return gecc_ecdsa_sign(b->context, b->curve, signatures, gecc_out_none(), status, keys, digests, none, b->count,
                           NULL);
}

/* Keys, and for each row a signer, a digest and a signature. */
static void make_rows(struct bench *b) {
    uint8_t(*secrets)[LENGTH] = program_memory(b->keys, LENGTH), (*signers)[LENGTH] = program_memory(b->count, LENGTH);
    uint64_t state = 1;
    for (size_t k = 0; k < b->keys; k++) {
        random_bytes(secrets[k], b->length, &state);
        secrets[k][0] &= b->length == 66 ? 0 : 0x7f;
    }
    program_require(make_keys(b, rows_of(secrets, b->length, LENGTH)) == GECC_OK, "public keys");
    for (size_t i = 0; i < b->count; i++) {
        uint32_t k = (uint32_t)(program_random(&state) % b->keys);
        for (int j = 0; j < 4; j++)
            b->numbers[i][j] = (uint8_t)(k >> (8 * j));
        memcpy(b->points + i * b->point, b->key_points[k], b->point);
        memcpy(signers[i], secrets[k], LENGTH);
        random_bytes(b->digests[i], DIGEST, &state);
    }
    program_require(sign(b, rows_of(signers, b->length, LENGTH)) == GECC_OK, "signatures");
    for (size_t i = 0; i < b->count; i += 7)
        b->signatures[i * b->signature + program_random(&state) % b->signature] ^= 1;
    free(secrets);
    free(signers);
}

static gecc_context *open_context(unsigned threads, size_t key_table_bytes) {
    gecc_config config = GECC_CONFIG_INIT;
    gecc_context *context;
    config.threads = threads;
    config.key_table_bytes = key_table_bytes;
    program_require(gecc_open(&context, &config) == GECC_OK, "context");
    return context;
}

static gecc_keys *open_keys(struct bench *b) {
    gecc_keys *keys;
    program_require(gecc_keys_open(b->context, &keys, b->curve, gecc_out_packed(b->key_statuses, 1),
                                   rows_of(b->key_points, b->point, POINT), b->keys, &b->config) == GECC_OK,
                    "keys");
    return keys;
}

static gecc_result verify_points(const struct bench *b, gecc_context *context, const gecc_options *options) {
    gecc_rows keys = gecc_rows_packed(b->points, b->point), digests = gecc_rows_packed(b->digests, DIGEST);
    gecc_rows signatures = gecc_rows_packed(b->signatures, b->signature);
    gecc_out status = gecc_out_packed(b->statuses, 1);
    if (b->curve == GECC_CURVE25519)
        return gecc_ed25519_verify(context, status, keys, digests, signatures, gecc_rows_none(), b->count, options);
    return b->curve == GECC_SM2
               ? gecc_sm2_verify(context, status, keys, digests, signatures, b->count, options)
               : gecc_ecdsa_verify(context, b->curve, status, keys, digests, signatures, b->count, options);
}

static gecc_result verify_numbers(const struct bench *b, gecc_keys *keys, const gecc_options *options) {
    gecc_rows numbers = gecc_rows_packed(b->numbers, 4), digests = gecc_rows_packed(b->digests, DIGEST);
    gecc_rows signatures = gecc_rows_packed(b->signatures, b->signature);
    gecc_out status = gecc_out_packed(b->statuses, 1);
    if (b->curve == GECC_CURVE25519)
        return gecc_ed25519_verify_keys(b->context, keys, status, numbers, digests, signatures, gecc_rows_none(),
                                        b->count, options);
    return b->curve == GECC_SM2
               ? gecc_sm2_verify_keys(b->context, keys, status, numbers, digests, signatures, b->count, options)
               : gecc_ecdsa_verify_keys(b->context, keys, status, numbers, digests, signatures, b->count, options);
}

/* Rows a second: by the clock, and by what the GPU measured, 0 without one. */
struct rate {
    double clock, kernel;
};

static struct rate run(struct bench *b, enum way way, gecc_report *report) {
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_result result;
    double start = program_now(), tables = 0;
    options.report = report;
    if (way == PLAIN) {
        result = verify_points(b, b->plain, &options);
    } else if (way == REPEATS) {
        result = verify_points(b, b->context, &options);
    } else {
        gecc_keys *keys = way == PREPARE ? open_keys(b) : b->prepared;
        tables = way == PREPARE ? program_now() - start : 0;
        result = verify_numbers(b, keys, &options);
        if (way == PREPARE)
            gecc_keys_close(keys);
    }
    double seconds = program_now() - start;
    program_require(result == GECC_OK, way_names[way]);
    if (way == PLAIN)
        memcpy(b->expected, b->statuses, b->count);
    program_require(memcmp(b->expected, b->statuses, b->count) == 0, "verdicts differ");
    return (struct rate){(double)b->count / seconds,
                         report->kernel_seconds == 0 ? 0 : (double)b->count / (report->kernel_seconds + tables)};
}

/* OpenSSL's rows a second, 0 without it. */
static double run_openssl(const struct bench *b) {
    uint8_t verdict[OPENSSL_ROWS];
    struct openssl_rows rows = {.curve = b->curve,
                                .keys = b->keys,
                                .count = b->count < OPENSSL_ROWS ? b->count : OPENSSL_ROWS,
                                .length = b->length,
                                .stride = POINT,
                                .digest_bytes = DIGEST,
                                .points = b->key_points[0],
                                .numbers = b->numbers[0],
                                .digests = b->digests[0],
                                .signatures = b->signatures,
                                .verdict = verdict};
    for (size_t i = 0; i < rows.count; i++)
        verdict[i] = b->expected[i] == GECC_ITEM_OK;
    return openssl_rate(&rows);
}

static void print_line(const char *name, const struct summary *summary, double plain) {
    printf("%-32s %10.0f a second  (%.0f to %.0f)  %5.2f", name, summary->median, summary->low, summary->high,
           summary->median / plain);
}

static void measure(struct bench *b, size_t runs) {
    static double rates[WAYS][RUNS_MOST], kernels[WAYS][RUNS_MOST], openssl[RUNS_MOST];
    gecc_report reports[WAYS];
    gecc_keys_info info = {.size = sizeof info};
    for (enum way way = PLAIN; way < WAYS; way++)
        reports[way] = (gecc_report)GECC_REPORT_INIT;
    for (size_t i = 0; i < runs; i++) {
        for (enum way way = PLAIN; way < WAYS; way++) {
            struct rate rate = run(b, way, &reports[way]);
            rates[way][i] = rate.clock;
            kernels[way][i] = rate.kernel;
        }
        openssl[i] = run_openssl(b);
    }
    gecc_keys_describe(b->prepared, &info);
    printf("%s, %zu keys, %zu rows; %s (%s); median of %zu\n", gecc_curve_name(b->curve), b->keys, b->count,
           reports[PLAIN].backend, reports[PLAIN].detail, runs);
    printf("prepared: windows of %u bits, %.1f MB; by itself: %zu keys, %zu rows\n", info.window,
           (double)info.memory / 1e6, reports[REPEATS].prepared_keys, reports[REPEATS].prepared_rows);
    const double plain = summary_of(rates[PLAIN], runs).median;
    for (enum way way = PLAIN; way < WAYS; way++) {
        struct summary summary = summary_of(rates[way], runs), kernel = summary_of(kernels[way], runs);
        print_line(way_names[way], &summary, plain);
        if (kernel.median != 0)
            printf("   kernels %10.0f", kernel.median);
        putchar('\n');
    }
    struct summary summary = summary_of(openssl, runs);
    if (summary.median != 0) {
        print_line("OpenSSL, one thread, parsed keys", &summary, plain);
        putchar('\n');
    }
}

static gecc_curve curve_of(const char *name) { return gecc_curve_named(name); }

static size_t number(int count, char **arguments, int index, size_t otherwise) {
    return index < count ? strtoul(arguments[index], NULL, 10) : otherwise;
}

int main(int count, char **arguments) {
    struct bench b = {.curve = curve_of(count > 1 ? arguments[1] : "P-256"),
                      .keys = number(count, arguments, 2, 1),
                      .count = number(count, arguments, 3, 65536),
                      .config = GECC_KEYS_CONFIG_INIT};
    unsigned threads = (unsigned)number(count, arguments, 4, 1);
    size_t runs = number(count, arguments, 5, 7);
    program_require(b.curve != 0 && b.keys != 0 && b.count != 0 && runs != 0 && runs <= RUNS_MOST,
                    "usage: gecc-keys [CURVE [KEYS [ROWS [THREADS [RUNS]]]]]");
    b.length = gecc_curve_bytes(b.curve);
    b.point = b.curve == GECC_CURVE25519 ? b.length : 1 + 2 * b.length;
    b.signature = 2 * b.length;
    b.context = open_context(threads, 0);
    b.plain = open_context(threads, NO_TABLES);
    b.key_points = program_memory(b.keys, POINT);
    b.key_statuses = program_memory(b.keys, 1);
    b.points = rows_memory(&b, b.count, b.point);
    b.digests = rows_memory(&b, b.count, DIGEST);
    b.signatures = rows_memory(&b, b.count, b.signature);
    b.numbers = rows_memory(&b, b.count, 4);
    b.statuses = rows_memory(&b, b.count, 1);
    b.expected = program_memory(b.count, 1);
    b.config.rows = b.count / b.keys;
    make_rows(&b);
    b.prepared = open_keys(&b);
    measure(&b, runs);
    gecc_keys_close(b.prepared);
    void *const columns[] = {b.points, b.digests, b.signatures, b.numbers, b.statuses};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        gecc_memory_free(b.context, columns[i]);
    gecc_close(b.plain);
    gecc_close(b.context);
    return fflush(stdout) == 0 ? 0 : 2;
}
