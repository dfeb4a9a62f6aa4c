/* Sums of multiples of points in small groups, where equal and opposite points meet in every bucket, as a program. */
#ifndef TESTS_SCHEME_MSM_CASES_H
#define TESTS_SCHEME_MSM_CASES_H

#include "scheme_cases.h"

#ifdef TABLES_IN_ONE_PIECE

#define MSM_TESTS

#else

#define MSM_TESTS , cmocka_unit_test(msm)

enum { MSM_TERMS_MOST = 8192 };

static uint8_t msm_scalars[MSM_TERMS_MOST][ROW_BYTES], msm_points[MSM_TERMS_MOST][2 * ROW_BYTES];
static uint8_t msm_sums[MSM_TERMS_MOST][2 * ROW_BYTES], msm_statuses[MSM_TERMS_MOST];
static uint32_t msm_widths[2][MSM_TERMS_MOST];
static uint64_t msm_offsets[2][MSM_TERMS_MOST];
static unsigned msm_expected[MSM_TERMS_MOST]; /* indices of sums */
static size_t msm_groups, msm_terms;

/* What the terms of a group have in common. */
enum alike { NOTHING_ALIKE, SAME_POINT, OPPOSITE_POINTS, SAME_SCALAR, SCALARS_ZERO, ALIKE };

static void msm_start(void) { msm_groups = msm_terms = 0; }

static void msm_term(const struct group *g, struct prng *prng, unsigned k, unsigned d) {
    write_digest(msm_scalars[msm_terms], g, k, prng);
    write_point(msm_points[msm_terms++], g, d);
    msm_expected[msm_groups] = index_add(g, msm_expected[msm_groups], index_mul(g, k, d));
}

static void msm_group_begin(void) {
    msm_expected[msm_groups] = 0;
    msm_offsets[0][msm_groups] = msm_terms * sizeof msm_scalars[0];
    msm_offsets[1][msm_groups] = msm_terms * sizeof msm_points[0];
}

static void msm_group_end(void) {
    for (int i = 0; i < 2; i++) {
        const size_t bytes = i == 0 ? sizeof msm_scalars[0] : sizeof msm_points[0];
        msm_widths[i][msm_groups] = (uint32_t)(msm_terms * bytes - msm_offsets[i][msm_groups]);
    }
    msm_groups++;
}

static void msm_random_group(const struct group *g, struct prng *prng, size_t terms, enum alike alike) {
    const unsigned k = (unsigned)prng_below(prng, g->order), d = 1 + (unsigned)prng_below(prng, g->order - 1);
    msm_group_begin();
    for (size_t i = 0; i < terms; i++) {
        unsigned here = 1 + (unsigned)prng_below(prng, g->order - 1);
        here = alike == SAME_POINT ? d : alike == OPPOSITE_POINTS ? (i % 2 == 0 ? d : g->order - d) : here;
        msm_term(g, prng,
                 alike == SAME_SCALAR    ? k
                 : alike == SCALARS_ZERO ? 0
                                         : (unsigned)prng_below(prng, g->order),
                 here);
    }
    msm_group_end();
}

static void msm_run(const struct group *g) {
    struct arena memory = {NULL, MSM_BYTES, 0};
    uint8_t point[2 * ROW_BYTES];
    assert_int_equal(posix_memalign((void **)&memory.base, 64, MSM_BYTES), 0);
    job_begin(OPERATION_EC_MSM, 0);
    job.in[0] = (gecc_rows){msm_scalars, 0, 0, msm_widths[0], msm_offsets[0]};
    job.in[1] = (gecc_rows){msm_points, 0, 0, msm_widths[1], msm_offsets[1]};
    job.out[0] = gecc_out_packed(msm_sums, sizeof msm_sums[0]);
    job.status = gecc_out_packed(msm_statuses, 1);
    job.count = msm_groups;
    memset(msm_sums, 0xa5, sizeof msm_sums);
    memset(msm_statuses, GECC_ITEM_NOT_PROCESSED, sizeof msm_statuses);
    assert_int_equal(ec_msm(&memory, NULL, &job, 0, msm_groups), GECC_OK);
    free(memory.base);
    for (size_t i = 0; i < msm_groups; i++) {
        const unsigned index = msm_expected[i];
        memset(point, 0, sizeof point);
        if (index != 0)
            write_point(point, g, index);
        if (msm_statuses[i] != (index == 0 ? GECC_ITEM_INFINITY : GECC_ITEM_OK) ||
            memcmp(msm_sums[i], point, sizeof point) != 0)
            fail_msg("order %u: group %zu of %zu, %u bytes of scalars", g->order, i, msm_groups, msm_widths[0][i]);
    }
}

/* Every multiple, and sums of all pairs of them where these are few: a group each. */
static void msm_every_multiple(const struct group *g, struct prng *prng) {
    const size_t multiples = (size_t)g->order * (g->order - 1), pairs = multiples * multiples;
    msm_start();
    for (size_t i = 0; i < multiples && msm_terms < MSM_TERMS_MOST / 4; i++) {
        msm_group_begin();
        msm_term(g, prng, (unsigned)(i % g->order), 1 + (unsigned)(i / g->order));
        msm_group_end();
    }
    for (size_t j = 0; msm_terms + 2 <= MSM_TERMS_MOST && j < pairs && j < MSM_TERMS_MOST / 4; j++) {
        const size_t pair = pairs <= MSM_TERMS_MOST / 4 ? j : (size_t)prng_below(prng, pairs);
        msm_group_begin();
        for (size_t i = pair % multiples, t = 0; t < 2; t++, i = pair / multiples)
            msm_term(g, prng, (unsigned)(i % g->order), 1 + (unsigned)(i / g->order));
        msm_group_end();
    }
    msm_run(g);
}

/* Groups of so many terms, at both sides of where the way to sum them changes. */
static void msm_sizes(const struct group *g, struct prng *prng) {
    static const size_t sizes[] = {0, 1, 2, 15, 16, 17, 33, 63, 64, 65, 130, 300};
    for (int alike = 0; alike < ALIKE; alike++) {
        msm_start();
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            msm_random_group(g, prng, sizes[i], (enum alike)alike);
        msm_run(g);
    }
    msm_start();
    for (size_t i = 0; i < 64; i++) /* as many groups as a batch of tables has, and some */
        msm_random_group(g, prng, (size_t)prng_below(prng, 40), NOTHING_ALIKE);
    msm_run(g);
}

/* Windows are wider where there are more terms. */
static void msm_many(const struct group *g, struct prng *prng) {
    msm_start();
    msm_random_group(g, prng, 2000, NOTHING_ALIKE);
    msm_random_group(g, prng, 3, NOTHING_ALIKE);
    msm_random_group(g, prng, 5000, SAME_POINT);
    msm_run(g);
}

static void msm_group(struct group *g, struct prng *prng) {
    static unsigned turn;
    msm_every_multiple(g, prng);
    msm_sizes(g, prng);
    if (turn++ % (tests_are_long() ? 1 : 8) == 0)
        msm_many(g, prng);
}

static void msm(void **state) {
    (void)state;
    for_each_group(msm_group, "sums of many terms", 3);
}

#endif

#endif
