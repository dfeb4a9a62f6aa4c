/* Sums of many multiples of points, gecc_ec_msm: of multiples of G they are the multiple of G that arithmetic modulo
 * the order says, in groups of every size, for every curve, however rows lie in memory, on any number of threads.
 *
 * Test: fast; needs libcrypto */
#include "support/effort.h"
#include "support/generate.h"
#include "support/reference.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { LENGTH = GECC_CURVE_BYTES_MOST, POINT_MOST = 1 + 2 * LENGTH, POOL = 4096 };

/* Multiples d G, in raw form, their d, and other numbers of L bytes. */
struct multiples {
    gecc_curve curve;
    size_t length;
    uint8_t (*d)[LENGTH], (*raw)[2 * LENGTH], (*k)[LENGTH];
};

/* A call: groups of terms, which point to the multiples. */
struct sums {
    size_t groups, terms;
    uint32_t *widths[2];
    uint64_t *offsets[2];
    uint8_t *scalars, *points, *wanted, *out, *status;
    size_t scalar_bytes, point_bytes;
    BIGNUM **sum; /* of k d over each group */
    uint8_t *expected_status;
};

static gecc_context *context_of(unsigned threads) {
    gecc_config config = GECC_CONFIG_INIT;
    config.threads = threads;
    config.backend = "cpu";
    gecc_context *context;
    assert_int_equal(gecc_open(&context, &config), GECC_OK);
    return context;
}

/* The last multiples are one point and its negative, in turn, and the last numbers 0, n, n - 1 and all ones. */
static struct multiples multiples_new(gecc_context *context, gecc_curve curve, struct prng *prng) {
    struct multiples m = {curve, gecc_curve_bytes(curve), memory_new(POOL, LENGTH), memory_new(POOL, 2 * LENGTH),
                          memory_new(POOL, LENGTH)};
    const struct reference_curve *reference = reference_curve(curve);
    BIGNUM *number = BN_new();
    uint8_t *status = memory_new(POOL, 1);
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = GECC_PUBLIC_SCALARS;
    options.point_format = GECC_POINT_RAW;
    for (size_t i = 0; i < POOL; i++) {
        prng_bytes(prng, m.d[i], m.length);
        prng_bytes(prng, m.k[i], m.length);
        if (i + 64 >= POOL) {
            BN_bin2bn(m.d[1], (int)m.length, number);
            REQUIRE(BN_nnmod(number, number, reference->n, reference_bn()));
            REQUIRE(i % 2 == 0 || BN_sub(number, reference->n, number));
            BN_bn2binpad(number, m.d[i], (int)m.length);
            BN_copy(number, reference->n);
            REQUIRE(BN_sub_word(number, i % 3));
            BN_bn2binpad(number, m.k[i], (int)m.length);
        }
        if (i % 50 == 7)
            memset(m.k[i], i % 100 == 7 ? 0 : 0xff, m.length);
    }
    const gecc_rows d = gecc_rows_strided(m.d, m.length, LENGTH);
    assert_int_equal(gecc_ec_mul_base(context, curve, gecc_out_packed(m.raw, 2 * LENGTH), gecc_out_packed(status, 1), d,
                                      POOL, &options),
                     GECC_OK);
    for (size_t i = 0; i < POOL; i++)
        assert_int_equal(status[i], GECC_ITEM_OK);
    free(status);
    BN_free(number);
    return m;
}

static void multiples_free(const struct multiples *m) {
    free(m->d);
    free(m->raw);
    free(m->k);
}

static struct sums sums_new(size_t groups, size_t terms) {
    struct sums s = {.groups = 0};
    for (int i = 0; i < 2; i++) {
        s.widths[i] = memory_new(groups, sizeof *s.widths[i]);
        s.offsets[i] = memory_new(groups, sizeof *s.offsets[i]);
    }
    s.scalars = memory_new(terms + 1, LENGTH);
    s.points = memory_new(terms + 1, POINT_MOST);
    s.wanted = memory_new(groups, POINT_MOST);
    s.out = memory_new(groups, POINT_MOST);
    s.status = memory_new(groups, 1);
    s.expected_status = memory_new(groups, 1);
    s.sum = memory_new(groups, sizeof *s.sum);
    return s;
}

static void sums_free(const struct sums *s) {
    for (size_t i = 0; i < s->groups; i++)
        BN_free(s->sum[i]);
    for (int i = 0; i < 2; i++) {
        free(s->widths[i]);
        free(s->offsets[i]);
    }
    free(s->scalars);
    free(s->points);
    free(s->wanted);
    free(s->out);
    free(s->status);
    free(s->expected_status);
    free(s->sum);
}

static void reverse_bytes(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count / 2; i++) {
        const uint8_t byte = bytes[i];
        bytes[i] = bytes[count - 1 - i];
        bytes[count - 1 - i] = byte;
    }
}

/* Where a term's numbers are in the pool. */
typedef size_t choice(size_t term, struct prng *prng);
static size_t anything(size_t term, struct prng *prng) { return (void)term, (size_t)prng_below(prng, POOL); }
static size_t one(size_t term, struct prng *prng) { return (void)term, (void)prng, 3; }
static size_t alike(size_t term, struct prng *prng) { return (void)prng, POOL - 1 - term % 64; }

/* A group of so many terms more, whose points have that format. */
static void sums_add(struct sums *s, const struct multiples *m, size_t terms, gecc_point_format format, uint32_t flags,
                     choice *scalar, choice *multiple, struct prng *prng) {
    const size_t at = s->groups++, width = gecc_point_bytes(m->curve, format);
    const struct reference_curve *reference = reference_curve(m->curve);
    const int little = (flags & GECC_LITTLE_ENDIAN) != 0;
    BIGNUM *k = BN_new(), *d = BN_new();
    s->sum[at] = BN_new();
    s->offsets[0][at] = s->scalar_bytes;
    s->offsets[1][at] = s->point_bytes;
    for (size_t i = 0; i < terms; i++) {
        const size_t from = scalar(i, prng), p = multiple(i, prng);
        uint8_t *to = s->scalars + s->scalar_bytes, *point = s->points + s->point_bytes;
        memcpy(to, m->k[from], m->length);
        BN_bin2bn(to, (int)m->length, k);
        BN_bin2bn(m->d[p], (int)m->length, d);
        REQUIRE(BN_mod_mul(k, k, d, reference->n, reference_bn()) &&
                BN_mod_add(s->sum[at], s->sum[at], k, reference->n, reference_bn()));
        point_encode(pool_of(m->curve), point, m->raw[p], format);
        if (little)
            reverse_bytes(to, m->length);
        if (little && format == GECC_POINT_RAW) {
            reverse_bytes(point, m->length);
            reverse_bytes(point + m->length, m->length);
        }
        s->scalar_bytes += m->length;
        s->point_bytes += width;
    }
    s->widths[0][at] = (uint32_t)(s->scalar_bytes - s->offsets[0][at]);
    s->widths[1][at] = (uint32_t)(s->point_bytes - s->offsets[1][at]);
    s->terms += terms;
    s->expected_status[at] = BN_is_zero(s->sum[at]) ? GECC_ITEM_INFINITY : GECC_ITEM_OK;
    BN_free(k);
    BN_free(d);
}

/* What the sums are: multiples of G. */
static void sums_expect(const struct sums *s, gecc_context *context, gecc_curve curve, const gecc_options *options) {
    uint8_t *k = memory_new(s->groups, LENGTH), *status = memory_new(s->groups, 1);
    const size_t length = gecc_curve_bytes(curve);
    gecc_options base = *options;
    base.flags |= GECC_PUBLIC_SCALARS;
    for (size_t i = 0; i < s->groups; i++) {
        BN_bn2binpad(s->sum[i], k + i * LENGTH, (int)length);
        if (options->flags & GECC_LITTLE_ENDIAN)
            reverse_bytes(k + i * LENGTH, length);
    }
    assert_int_equal(gecc_ec_mul_base(context, curve, gecc_out_packed(s->wanted, POINT_MOST),
                                      gecc_out_packed(status, 1), gecc_rows_strided(k, length, LENGTH), s->groups,
                                      &base),
                     GECC_OK);
    free(k);
    free(status);
}

static void sums_check(const struct sums *s, gecc_context *context, gecc_curve curve, const gecc_options *options) {
    const gecc_rows k = {s->scalars, 0, 0, s->widths[0], s->offsets[0]},
                    points = {s->points, 0, 0, s->widths[1], s->offsets[1]};
    static const uint8_t zeros[POINT_MOST];
    const size_t width = gecc_point_bytes(curve, options->point_format);
    memset(s->out, 0xa5, s->groups * POINT_MOST);
    assert_int_equal(gecc_ec_msm(context, curve, gecc_out_packed(s->out, POINT_MOST), gecc_out_packed(s->status, 1), k,
                                 points, s->groups, options),
                     GECC_OK);
    for (size_t i = 0; i < s->groups; i++) {
        const uint8_t *wanted = s->expected_status[i] == GECC_ITEM_OK ? s->wanted + i * POINT_MOST : zeros;
        if (s->status[i] != s->expected_status[i] || memcmp(s->out + i * POINT_MOST, wanted, width) != 0)
            fail_msg("%s, group %zu of %zu, %zu terms: status %u where %u was expected", gecc_curve_name(curve), i,
                     s->groups, s->widths[0][i] / gecc_curve_bytes(curve), s->status[i], s->expected_status[i]);
    }
}

/* Groups of sizes at which something changes, of every kind of terms, in every format. */
static void add_sizes(struct sums *s, const struct multiples *m, uint32_t flags, struct prng *prng) {
    static const size_t sizes[] = {0, 1, 2, 3, 15, 16, 17, 31, 33, 63, 64, 65, 127, 300, 1025, 2049};
    static choice *const choices[] = {anything, one, alike};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (size_t j = 0; j < 9; j++)
            if (sizes[i] < 300 || j < 3)
                sums_add(s, m, sizes[i], (gecc_point_format)((i + j) % 3), flags, choices[j / 3 % 3], choices[j % 3],
                         prng);
}

static void curves(void **state) {
    (void)state;
    struct prng prng = prng_for("sums");
    gecc_context *contexts[] = {context_of(1), context_of(2), context_of(3)};
    struct call call = {.operation = OPERATION_EC_MSM};
    while (call_next_curve(&call)) {
        const struct multiples m = multiples_new(contexts[0], call.curve, &prng);
        for (uint32_t flags = 0; flags <= 1; flags++) {
            gecc_options options = GECC_OPTIONS_INIT;
            options.flags = flags != 0 ? GECC_LITTLE_ENDIAN : 0;
            options.point_format = (gecc_point_format)(call.curve % 3);
            struct sums s = sums_new(200, 20000);
            add_sizes(&s, &m, options.flags, &prng);
            sums_expect(&s, contexts[0], call.curve, &options);
            for (size_t i = 0; i < 3; i++)
                sums_check(&s, contexts[i], call.curve, &options);
            sums_free(&s);
        }
        multiples_free(&m);
    }
    for (size_t i = 0; i < 3; i++)
        gecc_close(contexts[i]);
}

/* Groups that threads share, beside thousands that are tiny, exactly 64 groups, and one group alone. */
static void shapes(void **state) {
    (void)state;
    static const gecc_curve some[] = {GECC_SECP256K1, GECC_BRAINPOOL_P256R1, GECC_P521};
    static const struct {
        size_t tiny, most, giant;
    } shape[] = {{3000, 4, 40000}, {64, 1, 0}, {64, 70, 0}, {0, 0, 70001}, {40000, 2, 0}, {10, 2, 3000}};
    struct prng prng = prng_for("shapes of sums");
    gecc_context *contexts[] = {context_of(1), context_of(2), context_of(5)};
    gecc_options options = GECC_OPTIONS_INIT;
    options.point_format = GECC_POINT_COMPRESSED;
    for (size_t c = 0; c < (tests_are_long() ? 3 : 2); c++) {
        const struct multiples m = multiples_new(contexts[0], some[c], &prng);
        for (size_t i = 0; i < sizeof shape / sizeof shape[0]; i++) {
            struct sums s = sums_new(shape[i].tiny + 1, shape[i].tiny * shape[i].most + shape[i].giant);
            for (size_t j = 0; j <= shape[i].tiny; j++) {
                if (j == shape[i].tiny / 2 && shape[i].giant != 0)
                    sums_add(&s, &m, shape[i].giant, GECC_POINT_RAW, 0, anything, i == 3 ? alike : anything, &prng);
                else if (j < shape[i].tiny)
                    sums_add(&s, &m, (size_t)prng_below(&prng, shape[i].most + 1), GECC_POINT_RAW, 0, anything,
                             anything, &prng);
            }
            sums_expect(&s, contexts[0], some[c], &options);
            for (size_t k = 0; k < 3; k++)
                sums_check(&s, contexts[k], some[c], &options);
            sums_free(&s);
        }
        multiples_free(&m);
    }
    for (size_t i = 0; i < 3; i++)
        gecc_close(contexts[i]);
}

/* A group with a bad term has the status of the first one, of any size; its neighbours have their sums. */
static void defects(void **state) {
    (void)state;
    static const size_t sizes[] = {1, 3, 64, 200, 5000};
    struct prng prng = prng_for("defects of sums");
    gecc_context *context = context_of(3);
    const gecc_options options = GECC_OPTIONS_INIT;
    const struct multiples m = multiples_new(context, GECC_P256, &prng);
    struct sums s = sums_new(200, 200000);
    for (size_t i = 0; i < 100; i++) {
        const size_t terms = sizes[i / 2 % 5], bad = (size_t)prng_below(&prng, terms);
        sums_add(&s, &m, terms, i % 2 != 0 ? GECC_POINT_UNCOMPRESSED : GECC_POINT_RAW, 0, anything, anything, &prng);
        if (i % 4 < 2)
            continue;
        uint8_t *points = s.points + s.offsets[1][i];
        const size_t width = i % 2 != 0 ? 65 : 64;
        switch (i % 3) {
        case 0:
            points[bad * width + width - 1] ^= 1;
            s.expected_status[i] = GECC_ITEM_MALFORMED_POINT_OFF_CURVE;
            break;
        case 1:
            memset(points + bad * width + width - 64, 0xff, 32);
            s.expected_status[i] = GECC_ITEM_MALFORMED_POINT_RANGE;
            if (bad + 1 < terms) /* a later one does not count */
                points[(terms - 1) * width + width - 1] ^= 1;
            break;
        default:
            s.widths[i / 3 % 2][i] -= 2; /* which makes no other encoding of it */
            s.expected_status[i] = GECC_ITEM_MALFORMED_WIDTH;
        }
    }
    sums_expect(&s, context, GECC_P256, &options);
    sums_check(&s, context, GECC_P256, &options);
    sums_free(&s);
    multiples_free(&m);
    gecc_close(context);
}

/* In the background, and cancelled. */
static void jobs(void **state) {
    (void)state;
    struct prng prng = prng_for("jobs of sums");
    gecc_context *context = context_of(2);
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_job *job = NULL;
    const struct multiples m = multiples_new(context, GECC_P256, &prng);
    struct sums s = sums_new(2, 30000);
    sums_add(&s, &m, 20000, GECC_POINT_RAW, 0, anything, anything, &prng);
    sums_add(&s, &m, 5, GECC_POINT_RAW, 0, anything, anything, &prng);
    sums_expect(&s, context, GECC_P256, &options);
    const gecc_rows k = {s.scalars, 0, 0, s.widths[0], s.offsets[0]},
                    points = {s.points, 0, 0, s.widths[1], s.offsets[1]};
    options.job = &job;
    for (int cancelled = 0; cancelled < 2; cancelled++) {
        assert_int_equal(gecc_ec_msm(context, GECC_P256, gecc_out_packed(s.out, POINT_MOST),
                                     gecc_out_packed(s.status, 1), k, points, 2, &options),
                         GECC_OK);
        if (cancelled)
            gecc_cancel(job);
        const gecc_result result = gecc_wait(job);
        assert_true(result == GECC_OK || (cancelled && result == GECC_ERROR_CANCELLED));
        for (size_t i = 0; i < 2; i++) {
            if (result == GECC_OK || s.status[i] == GECC_ITEM_OK)
                assert_memory_equal(s.out + i * POINT_MOST, s.wanted + i * POINT_MOST, 65);
            else
                assert_int_equal(s.status[i], GECC_ITEM_NOT_PROCESSED);
        }
    }
    sums_free(&s);
    multiples_free(&m);
    gecc_close(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(curves), cmocka_unit_test(shapes), cmocka_unit_test(defects),
                                       cmocka_unit_test(jobs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
