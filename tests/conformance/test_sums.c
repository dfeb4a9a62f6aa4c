/* Sums of many multiples of points, gecc_ec_msm: of multiples of G they are the multiple of G that arithmetic modulo
 * the order says, in groups of every size, for every curve, however rows lie in memory, on any number of threads,
 * in the background, in a queue, in a child of fork, and whatever becomes of the rows meanwhile.
 *
 * Test: fast; needs libcrypto; brief */
#include "support/effort.h"
#include "support/generate.h"
#include "support/reference.h"

#include <gecc/queue.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
            if (sizes[i] < 300 || j < repetitions(1, 3))
                sums_add(s, m, sizes[i], (gecc_point_format)((i + j) % 3), flags, choices[j / 3 % 3], choices[j % 3],
                         prng);
}

static void curves(void **state) {
    (void)state;
    struct prng prng = prng_for("sums");
    gecc_context *contexts[] = {context_of(1), context_of(3)};
    struct call call = {.operation = OPERATION_EC_MSM};
    while (call_next_curve(&call)) {
        if (!curve_is_tried(call.curve))
            continue;
        const struct multiples m = multiples_new(contexts[0], call.curve, &prng);
        gecc_options options = GECC_OPTIONS_INIT;
        options.flags = call.curve % 2 != 0 ? GECC_LITTLE_ENDIAN : 0;
        options.point_format = (gecc_point_format)(call.curve % 3);
        struct sums s = sums_new(200, 20000);
        add_sizes(&s, &m, options.flags, &prng);
        sums_expect(&s, contexts[0], call.curve, &options);
        for (size_t i = 0; i < 2; i++)
            sums_check(&s, contexts[i], call.curve, &options);
        sums_free(&s);
        multiples_free(&m);
    }
    for (size_t i = 0; i < 2; i++)
        gecc_close(contexts[i]);
}

/* Groups that threads share, beside thousands that are tiny, exactly 64 groups, one group alone, and more groups of one
 * term than share an inversion. */
static void shapes(void **state) {
    (void)state;
    static const gecc_curve some[] = {GECC_SECP256K1, GECC_BRAINPOOL_P256R1, GECC_P521};
    const size_t many = repetitions(4000, 40000);
    const struct {
        size_t tiny, fewest, most, giant;
    } shape[] = {{300, 0, 4, many}, {64, 0, 1, 0},    {64, 0, 70, 0}, {0, 0, 0, 2 * many + 1},
                 {many, 0, 2, 0},   {10, 0, 2, 3000}, {513, 1, 1, 0}, {1100, 1, 1, 0}};
    struct prng prng = prng_for("shapes of sums");
    gecc_context *contexts[] = {context_of(1), context_of(5)};
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
                    sums_add(&s, &m, shape[i].fewest + (size_t)prng_below(&prng, shape[i].most - shape[i].fewest + 1),
                             GECC_POINT_RAW, 0, anything, anything, &prng);
            }
            sums_expect(&s, contexts[0], some[c], &options);
            for (size_t k = 0; k < 2; k++)
                sums_check(&s, contexts[k], some[c], &options);
            sums_free(&s);
        }
        multiples_free(&m);
    }
    for (size_t i = 0; i < 2; i++)
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

/* Groups of FEW terms, those of the first MANY of the multiples in turn, whose sums are known. */
enum { FEW = 5, MANY = 300 };

struct few {
    gecc_context *context;
    struct multiples m;
    struct sums s;
};

static struct few few_new(unsigned threads) {
    struct prng prng = prng_for("few sums");
    struct few f = {.context = context_of(threads)};
    const gecc_options options = GECC_OPTIONS_INIT;
    f.m = multiples_new(f.context, GECC_P256, &prng);
    f.s = sums_new(MANY, (size_t)MANY * FEW);
    for (size_t i = 0; i < MANY; i++)
        sums_add(&f.s, &f.m, FEW, GECC_POINT_RAW, 0, anything, anything, &prng);
    sums_expect(&f.s, f.context, GECC_P256, &options);
    return f;
}

static void few_free(const struct few *f) {
    sums_free(&f->s);
    multiples_free(&f->m);
    gecc_close(f->context);
}

/* The columns without widths and offsets, since all groups are alike. */
static gecc_rows few_scalars(const struct few *f) { return gecc_rows_packed(f->s.scalars, (size_t)FEW * f->m.length); }
static gecc_rows few_points(const struct few *f) {
    return gecc_rows_packed(f->s.points, (size_t)FEW * 2 * f->m.length);
}

static gecc_result few_sum(const struct few *f, size_t groups, const gecc_options *options) {
    memset(f->s.out, 0xa5, groups * POINT_MOST);
    memset(f->s.status, GECC_ITEM_NOT_PROCESSED, groups);
    return gecc_ec_msm(f->context, f->m.curve, gecc_out_packed(f->s.out, POINT_MOST), gecc_out_packed(f->s.status, 1),
                       few_scalars(f), few_points(f), groups, options);
}

/* Are the first groups' sums right? */
static int few_are_good(const struct few *f, size_t groups) {
    int good = 1;
    for (size_t i = 0; i < groups; i++)
        good &= f->s.status[i] == GECC_ITEM_OK &&
                memcmp(f->s.out + i * POINT_MOST, f->s.wanted + i * POINT_MOST, 1 + 2 * f->m.length) == 0;
    return good;
}

/* Packed rows, in the foreground and in the background. */
static void packed(void **state) {
    (void)state;
    const struct few f = few_new(2);
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_job *job = NULL;
    assert_int_equal(few_sum(&f, MANY, &options), GECC_OK);
    assert_true(few_are_good(&f, MANY));
    options.job = &job;
    assert_int_equal(few_sum(&f, MANY, &options), GECC_OK);
    assert_int_equal(gecc_wait(job), GECC_OK);
    assert_true(few_are_good(&f, MANY));
    few_free(&f);
}

/* Rows that overlap: every group has one term more of the same, and all have the same. */
static void overlapping(void **state) {
    (void)state;
    const struct few f = few_new(2);
    const gecc_options options = GECC_OPTIONS_INIT;
    const struct sums *s = &f.s;
    const size_t length = f.m.length;
    const gecc_out out = gecc_out_packed(s->out, POINT_MOST), status = gecc_out_packed(s->status, 1);
    assert_int_equal(gecc_ec_msm(f.context, GECC_P256, out, status, gecc_rows_same(s->scalars, FEW * length),
                                 gecc_rows_same(s->points, FEW * 2 * length), MANY, &options),
                     GECC_OK);
    for (size_t i = 0; i < MANY; i++)
        assert_memory_equal(s->out + i * POINT_MOST, s->wanted, 65);
    assert_int_equal(gecc_ec_msm(f.context, GECC_P256, out, status, gecc_rows_strided(s->scalars, FEW * length, length),
                                 gecc_rows_strided(s->points, FEW * 2 * length, 2 * length), MANY, &options),
                     GECC_OK);
    for (size_t i = 0; i < MANY; i += FEW)
        assert_memory_equal(s->out + i * POINT_MOST, s->wanted + i / FEW * POINT_MOST, 65);
    few_free(&f);
}

/* A job that is cancelled at once ends long before all of its terms are summed, and says which groups have no sum. */
static void cancelled(void **state) {
    (void)state;
    enum { GROUPS = 2000, TERMS = 1000 };
    const struct few f = few_new(2);
    uint8_t *out = memory_new(GROUPS, 65), *status = memory_new(GROUPS, 1);
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_job *job = NULL;
    options.job = &job;
    assert_int_equal(gecc_ec_msm(f.context, GECC_P256, gecc_out_packed(out, 65), gecc_out_packed(status, 1),
                                 gecc_rows_same(f.s.scalars, TERMS * f.m.length),
                                 gecc_rows_same(f.s.points, (size_t)TERMS * 2 * f.m.length), GROUPS, &options),
                     GECC_OK);
    gecc_cancel(job);
    assert_int_equal(gecc_wait(job), GECC_ERROR_CANCELLED);
    assert_int_equal(status[GROUPS - 1], GECC_ITEM_NOT_PROCESSED);
    for (size_t i = 0; i < GROUPS; i++)
        assert_true(status[i] == GECC_ITEM_OK || status[i] == GECC_ITEM_NOT_PROCESSED);
    free(out);
    free(status);
    few_free(&f);
}

/* Requests of one group each, more than one thread of the queue can take at once. */
static void queued(void **state) {
    (void)state;
    const struct few f = few_new(2);
    const struct sums *s = &f.s;
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    gecc_completion done[MANY];
    gecc_queue *queue;
    parameters.curve = GECC_P256;
    assert_int_equal(gecc_queue_open(f.context, &queue, NULL), GECC_OK);
    for (size_t i = 0; i < MANY; i++) {
        const gecc_out out = gecc_out_packed(s->out + i * POINT_MOST, POINT_MOST);
        const gecc_rows in[] = {gecc_rows_packed(s->scalars + s->offsets[0][i], s->widths[0][i]),
                                gecc_rows_packed(s->points + s->offsets[1][i], s->widths[1][i])};
        assert_int_equal(gecc_queue_submit(queue, gecc_operation_find("ec.msm"), &parameters, &out,
                                           gecc_out_packed(s->status + i, 1), in, 1, NULL, NULL, NULL, NULL),
                         GECC_OK);
    }
    for (size_t taken = 0; taken < MANY;)
        for (size_t here = gecc_queue_take(queue, done, MANY, 60000000), i = 0; i < here; i++, taken++)
            assert_int_equal(done[i].result, GECC_OK);
    assert_true(few_are_good(&f, MANY));
    gecc_queue_close(queue);
    few_free(&f);
}

/* In a child of fork there is no thread for the background: the call itself runs the job, of any size. */
static int sum_in_child(const struct few *f) {
    static const size_t groups[] = {0, 1, 2, MANY};
    gecc_options options = GECC_OPTIONS_INIT;
    int bad = 0;
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++) {
        gecc_job *job = NULL;
        options.job = NULL;
        bad += few_sum(f, groups[i], &options) != GECC_OK || !few_are_good(f, groups[i]);
        options.job = &job;
        bad += few_sum(f, groups[i], &options) != GECC_OK;
        gecc_cancel(job); /* too late */
        bad += gecc_poll(job) != GECC_OK || gecc_wait(job) != GECC_OK || !few_are_good(f, groups[i]);
    }
    return bad;
}

static void forked(void **state) {
    (void)state;
    enum { CHILD_SECONDS = 60 };
    const struct few f = few_new(2);
    const pid_t child = fork();
    if (child == 0) {
        alarm(CHILD_SECONDS);
        _exit(sum_in_child(&f));
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    few_free(&f);
}

/* Widths of groups that another thread changes: from one term to CHANGING_TERMS and back. */
enum { CHANGING = 3000, CHANGING_TERMS = 40 };

struct changing {
    atomic_bool ends;
    uint32_t *widths[2];
    size_t length;
};

static void *change_widths(void *argument) {
    struct changing *c = argument;
    for (uint32_t terms = 1; !atomic_load(&c->ends); terms = 1 + CHANGING_TERMS - terms)
        for (size_t i = 0; i < CHANGING; i++) {
            __atomic_store_n(&c->widths[0][i], (uint32_t)(terms * c->length), __ATOMIC_RELAXED);
            __atomic_store_n(&c->widths[1][i], (uint32_t)(2 * terms * c->length), __ATOMIC_RELAXED);
        }
    return NULL;
}

/* Every group has one of its two sums, or widths that do not go together. */
static void changing(void **state) {
    (void)state;
#ifdef __SANITIZE_THREAD__
    printf("not run in part: widths that change meanwhile are a race\n");
    skip();
#endif
    const struct few f = few_new(2);
    const gecc_options options = GECC_OPTIONS_INIT;
    struct changing c = {.widths = {memory_new(CHANGING, 4), memory_new(CHANGING, 4)}, .length = f.m.length};
    uint64_t *offsets = memory_new(CHANGING, sizeof *offsets);
    uint8_t *out = memory_new(CHANGING, 65), *status = memory_new(CHANGING, 1), sums[2][65];
    pthread_t thread;
    for (size_t i = 0, terms = 1; i < 2; i++, terms = CHANGING_TERMS)
        assert_int_equal(gecc_ec_msm(f.context, GECC_P256, gecc_out_packed(sums[i], 65), gecc_out_packed(status, 1),
                                     gecc_rows_packed(f.s.scalars, terms * c.length),
                                     gecc_rows_packed(f.s.points, 2 * terms * c.length), 1, &options),
                         GECC_OK);
    for (size_t i = 0; i < CHANGING; i++) {
        c.widths[0][i] = (uint32_t)c.length;
        c.widths[1][i] = (uint32_t)(2 * c.length);
    }
    assert_int_equal(pthread_create(&thread, NULL, change_widths, &c), 0);
    for (size_t i = 0; i < repetitions(4, 100); i++) {
        const gecc_rows k = {f.s.scalars, 0, 0, c.widths[0], offsets}, point = {f.s.points, 0, 0, c.widths[1], offsets};
        assert_int_equal(gecc_ec_msm(f.context, GECC_P256, gecc_out_packed(out, 65), gecc_out_packed(status, 1), k,
                                     point, CHANGING, &options),
                         GECC_OK);
        for (size_t j = 0; j < CHANGING; j++)
            assert_true(status[j] == GECC_ITEM_MALFORMED_WIDTH ||
                        (status[j] == GECC_ITEM_OK &&
                         (memcmp(out + j * 65, sums[0], 65) == 0 || memcmp(out + j * 65, sums[1], 65) == 0)));
    }
    atomic_store(&c.ends, true);
    pthread_join(thread, NULL);
    free(c.widths[0]);
    free(c.widths[1]);
    free(offsets);
    free(out);
    free(status);
    few_free(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves), cmocka_unit_test(shapes),      cmocka_unit_test(defects),
        cmocka_unit_test(packed), cmocka_unit_test(overlapping), cmocka_unit_test(cancelled),
        cmocka_unit_test(queued), cmocka_unit_test(forked),      cmocka_unit_test(changing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
