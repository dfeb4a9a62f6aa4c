/* Signing, verifying and recovering in small groups, called as lane programs: every key, digest, nonce and signature
 * where the group is small enough, random ones else, against the equations on indices. */
#ifndef TESTS_SCHEME_SCHEME_CASES_H
#define TESTS_SCHEME_SCHEME_CASES_H

#include "../curve/small_group.h"

#include "backend/cpu/machine.h"
#include "scheme/ecdsa.h"
#ifndef TABLES_IN_ONE_PIECE /* a GPU has no such program */
#include "scheme/msm.h"
#endif
#include "support/base_tables.h"

#include "record.h"

enum {
    ROWS = 512,
    ROW_BYTES = (CURVE_BITS + 7) / 8,
    DIGEST_BYTES = ROW_BYTES < 64 ? ROW_BYTES : 64,
    ARENA_BYTES = ROWS / LANES * CHUNK_SLOT_BYTES + CHUNK_BYTES + TEST_TABLES_SCRATCH
};

static struct arena arena;
static void *tables;

/* A job and its columns. Integers are ROW_BYTES wide, points and signatures twice that. */
static struct job job;
static uint8_t keys[ROWS][ROW_BYTES], digests[ROWS][ROW_BYTES], nonces[ROWS][ROW_BYTES];
static uint8_t points[ROWS][2 * ROW_BYTES], signatures[ROWS][2 * ROW_BYTES], recovered[ROWS][2 * ROW_BYTES];
static uint8_t recovery_ids[ROWS], statuses[ROWS];

/* What a row was made of: the key d (Q = d G), the digest modulo the order, a nonce, a signature. */
struct signing {
    unsigned d, e, k, r, s;
};
static struct signing signings[ROWS];

enum { WITH_D = 1, WITH_E = 2, WITH_K = 4, WITH_R = 8, WITH_S = 16 };

/* What a test tries on a group: rows with all combinations of these parameters, e from 0 and the others from 1 up to
 * order - 1. `rows` checks those in `signings`. */
struct plan {
    unsigned parameters;
    void (*rows)(const struct group *g, struct prng *prng, size_t count);
};

static void memory_take(void) {
    arena = (struct arena){NULL, ARENA_BYTES, 0};
    assert_int_equal(posix_memalign((void **)&arena.base, 64, ARENA_BYTES), 0);
    assert_int_equal(posix_memalign(&tables, 64, TEST_TABLES_BYTES), 0);
}

static void memory_give(void) {
    free(arena.base);
    free(tables);
}

static gecc_result run(lane_program *program, size_t count) {
    arena.used = 0;
    memset(statuses, GECC_ITEM_NOT_PROCESSED, sizeof statuses);
    gecc_result result = program(&arena, tables, &job, 0, count);
    record_job(&job, count);
    return result;
}

static void expect_row(int holds, const char *what, const struct group *g, struct signing row) {
    if (!holds) {
        fprintf(stderr, "%s: order %u, b = %lu: d = %u, e = %u, k = %u, r = %u, s = %u, flags %x\n", what, g->order,
                mpz_get_ui(g->b), row.d, row.e, row.k, row.r, row.s, job.flags);
        fail();
    }
}

/* Big-endian bytes of an integer and back. */
static void write_integer(uint8_t row[ROW_BYTES], const mpz_t integer) {
    size_t bytes = (mpz_sizeinbase(integer, 2) + 7) / 8;
    memset(row, 0, ROW_BYTES);
    if (mpz_sgn(integer) != 0)
        mpz_export(row + ROW_BYTES - bytes, NULL, 1, 1, 1, 0, integer);
}

static void write_index(uint8_t row[ROW_BYTES], unsigned i) {
    memset(row, 0, ROW_BYTES);
    row[ROW_BYTES - 1] = (uint8_t)i;
    row[ROW_BYTES - 2] = (uint8_t)(i >> 8);
}

/* The integer of a row, which must be less than 2^16. */
static unsigned read_index(const uint8_t row[ROW_BYTES]) {
    for (int i = 0; i < ROW_BYTES - 2; i++)
        assert_int_equal(row[i], 0);
    return (unsigned)row[ROW_BYTES - 2] << 8 | row[ROW_BYTES - 1];
}

static void write_point(uint8_t row[2 * ROW_BYTES], const struct group *g, unsigned i) {
    write_integer(row, g->x[i]);
    write_integer(row + ROW_BYTES, g->y[i]);
}

/* Any integer of DIGEST_BYTES bytes that is e modulo the order. */
static void write_digest(uint8_t row[ROW_BYTES], const struct group *g, unsigned e, struct prng *prng) {
    mpz_t integer;
    mpz_init(integer);
    integer_random(integer, prng);
    mpz_fdiv_r_2exp(integer, integer, 8 * DIGEST_BYTES);
    unsigned residue = (unsigned)mpz_fdiv_ui(integer, g->order);
    mpz_sub_ui(integer, integer, residue);
    mpz_add_ui(integer, integer, e);
    if (mpz_sizeinbase(integer, 2) > 8 * DIGEST_BYTES)
        mpz_set_ui(integer, e);
    write_integer(row, integer);
    mpz_clear(integer);
}

static void job_begin(enum operation operation, uint32_t flags) {
    memset(&job, 0, sizeof job);
    job.operation = operation;
    job.flags = flags;
    job.hash = GECC_SHA256;
    job.point_format = GECC_POINT_RAW;
    job.status = gecc_out_packed(statuses, 1);
    job.count = ROWS;
}

static unsigned parameter_from(unsigned parameter) { return parameter == WITH_E ? 0 : 1; }

/* Combination `number` of the parameters; *combinations: how many there are. */
static struct signing combine(const struct group *g, const struct plan *plan, size_t number, size_t *combinations) {
    struct signing row;
    unsigned *value[] = {&row.d, &row.e, &row.k, &row.r, &row.s};
    memset(&row, 0, sizeof row);
    *combinations = 1;
    for (unsigned i = 0; i < sizeof value / sizeof value[0]; i++) {
        unsigned from = parameter_from(1u << i), range = g->order - from;
        if (!(plan->parameters >> i & 1))
            continue;
        *value[i] = from + (unsigned)(number / *combinations % range);
        *combinations *= range;
    }
    return row;
}

/* All combinations, or, where they are more than `most`, so many random ones. */
static void try_plan(const struct group *g, struct prng *prng, const struct plan *plan, size_t most) {
    size_t all;
    (void)combine(g, plan, 0, &all);
    size_t tried = all < most ? all : most;
    for (size_t at = 0; at < tried; at += ROWS) {
        size_t count = tried - at < ROWS ? tried - at : ROWS;
        for (size_t i = 0; i < count; i++)
            signings[i] = combine(g, plan, tried == all ? at + i : (size_t)prng_below(prng, all), &all);
        plan->rows(g, prng, count);
    }
}

static void tables_of_group(void) {
    arena.used = 0;
    test_tables_fill(tables, &arena);
    record_curve(&small_curve);
}

/* The digests, which have at most 64 bytes. */
static gecc_rows message_digests(void) {
    return gecc_rows_strided(digests[0] + ROW_BYTES - DIGEST_BYTES, DIGEST_BYTES, ROW_BYTES);
}

/* Keys, digests and nonces of the rows, for signing. */
static void set_signing_columns(const struct group *g, struct prng *prng, size_t count) {
    for (size_t i = 0; i < count; i++) {
        write_index(keys[i], signings[i].d);
        write_digest(digests[i], g, signings[i].e, prng);
        write_index(nonces[i], signings[i].k);
    }
    job.in[0] = gecc_rows_packed(keys, ROW_BYTES);
    job.in[1] = message_digests();
    job.in[2] = gecc_rows_packed(nonces, ROW_BYTES);
    job.out[0] = gecc_out_packed(signatures, 2 * ROW_BYTES);
    memset(signatures, 0xa5, sizeof signatures);
}

static void set_verifying_columns(const struct group *g, struct prng *prng, size_t count) {
    for (size_t i = 0; i < count; i++) {
        write_point(points[i], g, signings[i].d);
        write_digest(digests[i], g, signings[i].e, prng);
        write_index(signatures[i], signings[i].r);
        write_index(signatures[i] + ROW_BYTES, signings[i].s);
    }
    job.in[0] = gecc_rows_packed(points, 2 * ROW_BYTES);
    job.in[1] = message_digests();
    job.in[2] = gecc_rows_packed(signatures, 2 * ROW_BYTES);
}

/* The signature is (r, s), or zeros where there is none. */
static void expect_signature(const struct group *g, size_t i, unsigned r, unsigned s) {
    signings[i].r = read_index(signatures[i]);
    signings[i].s = read_index(signatures[i] + ROW_BYTES);
    expect_row(signings[i].r == r && signings[i].s == s, "signature", g, signings[i]);
}

/* r and s out of range: 0, n, and more. */
static void expect_signature_ranges(const struct group *g, struct prng *prng, enum operation operation,
                                    lane_program *verify) {
    const unsigned out[] = {0, g->order, g->order + 1, 0xffff};
    job_begin(operation, 0);
    for (size_t i = 0; i < 8; i++)
        signings[i] = (struct signing){1, 1, 1, i < 4 ? out[i] : 1, i < 4 ? 1 : out[i - 4]};
    set_verifying_columns(g, prng, 8);
    assert_int_equal(run(verify, 8), GECC_OK);
    for (size_t i = 0; i < 8; i++)
        expect_row(statuses[i] == GECC_ITEM_MALFORMED_SIGNATURE_RANGE, "range", g, signings[i]);
}

/* Is d no private key? On SM2 n - 1 is none. */
static int key_is_refused(const struct group *g, unsigned d) {
#ifdef CURVE_HAS_SM2
    return d == g->order - 1;
#else
    return (void)g, (void)d, 0;
#endif
}

/* Malformed keys and nonces: 0, n and more. */
static void expect_scalar_ranges(const struct group *g, struct prng *prng, enum operation operation,
                                 lane_program *sign) {
    const unsigned out[] = {0, g->order, g->order + 1, 0xffff};
    job_begin(operation, 0);
    for (size_t i = 0; i < 8; i++)
        signings[i] = (struct signing){i < 4 ? out[i] : 1, 1, i < 4 ? 1 : out[i - 4], 0, 0};
    set_signing_columns(g, prng, 8);
    assert_int_equal(run(sign, 8), GECC_OK);
    for (size_t i = 0; i < 8; i++) {
        expect_row(statuses[i] == GECC_ITEM_MALFORMED_SCALAR, "scalar range", g, signings[i]);
        expect_signature(g, i, 0, 0);
    }
}

/* Run the tests over the groups of the curve called `name`. */
static int run_over_groups(const char *name, const struct CMUnitTest *tests, size_t count) {
    groups_read(name);
    record_open(name);
    memory_take();
    int failures = _cmocka_run_group_tests(name, tests, count, NULL, NULL);
    memory_give();
    record_close();
    return failures;
}

#endif
