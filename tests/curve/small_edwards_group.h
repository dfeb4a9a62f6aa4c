/* Curves of twisted Edwards form over small prime fields, in the place of CURVE, so that tests can try every point,
 * those of small order among them. The includer has included a machine, with limbs and words for 256 bits. */
#ifndef TESTS_CURVE_SMALL_EDWARDS_GROUP_H
#define TESTS_CURVE_SMALL_EDWARDS_GROUP_H

#include "curve/curve.h"

#define CURVE_BITS 255

static struct edwards_curve small_curve;

/* What every small curve has in common, for the compiler to fold. */
LANE_INLINE const struct edwards_curve *small_edwards_curve(void) {
    if (small_curve.p.reduction != REDUCE_MONTGOMERY || small_curve.n.reduction != REDUCE_MONTGOMERY ||
        small_curve.bytes != 32)
        __builtin_unreachable();
    return &small_curve;
}

#define CURVE (*small_edwards_curve())

#include "../limbs/integers.h"

#include "curve/edwards.h"
#include "field/modulus.h"

enum { FIELD_MOST = 110, POINTS_MOST = 140 };

/* All points of a curve, which are a cyclic group of order 8 n, n an odd prime; G is element 8. */
struct edwards_group {
    unsigned p, d, order, n;
    struct {
        unsigned x, y;
    } element[POINTS_MOST];                  /* j times a point that makes all of them; element 0 is neutral */
    unsigned number[FIELD_MOST][FIELD_MOST]; /* of a point by x and y, POINTS_MOST: it is none */
};

static struct edwards_group small_group;

static unsigned small_power(unsigned a, unsigned e, unsigned p) {
    unsigned r = 1;
    while (e-- > 0)
        r = r * a % p;
    return r;
}

static int small_on_curve(const struct edwards_group *g, unsigned x, unsigned y) {
    unsigned xx = x * x % g->p, yy = y * y % g->p;
    return (yy + g->p - xx) % g->p == (1 + g->d * (xx * yy % g->p)) % g->p;
}

/* (x3, y3) = ((x1 y2 + y1 x2) / (1 + d x1 x2 y1 y2), (y1 y2 + x1 x2) / (1 - d x1 x2 y1 y2)). */
static void small_add(const struct edwards_group *g, unsigned *x3, unsigned *y3, unsigned x1, unsigned y1, unsigned x2,
                      unsigned y2) {
    unsigned p = g->p, product = g->d * (x1 * x2 % p) % p * (y1 * y2 % p) % p;
    *x3 = (x1 * y2 + y1 * x2) % p * small_power((1 + product) % p, p - 2, p) % p;
    *y3 = (y1 * y2 + x1 * x2) % p * small_power((1 + p - product) % p, p - 2, p) % p;
}

/* The multiples of (x, y) from 0 on; returns how many there are. */
static unsigned small_multiples(struct edwards_group *g, unsigned x, unsigned y) {
    unsigned count = 0, at_x = 0, at_y = 1;
    do {
        g->element[count].x = at_x;
        g->element[count].y = at_y;
        count++;
        small_add(g, &at_x, &at_y, at_x, at_y, x, y);
    } while (at_x != 0 || at_y != 1);
    return count;
}

static unsigned small_count(const struct edwards_group *g) {
    unsigned count = 0;
    for (unsigned x = 0; x < g->p; x++)
        for (unsigned y = 0; y < g->p; y++)
            count += (unsigned)small_on_curve(g, x, y);
    return count;
}

static int small_is_prime(unsigned n) {
    for (unsigned i = 2; i * i <= n; i++)
        if (n % i == 0)
            return 0;
    return n > 1;
}

static fe small_fe(unsigned x) {
    struct limbs_constant c = {{x}};
    return fe_encode(limbs_set(&c));
}

static struct limbs_constant small_constant(unsigned x) {
    return limbs_to_constant(modular_canonical(&CURVE.p, small_fe(x)));
}

/* The chain of a^e, e > 1. */
static struct power_chain small_chain(unsigned e) {
    struct power_chain chain = {0};
    int bit = 31;
    while (bit > 0 && !(e >> bit))
        bit--;
    for (uint8_t from = 0; bit-- > 0; from = 1)
        chain.step[chain.steps++] = (struct power_step){from, 1, e >> bit & 1 ? 0 : POWER_ALONE, 1};
    return chain;
}

/* CURVE = the curve. */
static void small_curve_set(const struct edwards_group *g) {
    struct limbs_constant p = {{g->p}}, n = {{g->n}};
    small_curve = (struct edwards_curve){.bytes = 32};
    small_curve.p = modulus_derive(limbs_set(&p));
    small_curve.n = modulus_derive(limbs_set(&n));
    small_curve.d = small_constant(g->d);
    small_curve.twice_d = small_constant(2 * g->d % g->p);
    small_curve.gx = small_constant(g->element[8 % g->order].x);
    small_curve.gy = small_constant(g->element[8 % g->order].y);
    small_curve.sqrt_minus_one = small_constant(small_power(2, (g->p - 1) / 4, g->p));
    small_curve.sqrt = small_chain((g->p - 5) / 8);
}

/* The group of d, if it is of that kind. */
static int small_group_make(unsigned p, unsigned d) {
    struct edwards_group *g = &small_group;
    g->p = p;
    g->d = d;
    if (small_power(d, (p - 1) / 2, p) != p - 1)
        return 0;
    g->order = small_count(g);
    g->n = g->order / 8;
    if (g->order % 8 != 0 || g->n % 2 == 0 || !small_is_prime(g->n) || g->order > POINTS_MOST)
        return 0;
    int found = 0;
    for (unsigned x = 0; x < p && !found; x++)
        for (unsigned y = 0; y < p && !found; y++)
            found = small_on_curve(g, x, y) && small_multiples(g, x, y) == g->order;
    assert_true(found);
    for (unsigned x = 0; x < p; x++)
        for (unsigned y = 0; y < p; y++)
            g->number[x][y] = POINTS_MOST;
    for (unsigned j = 0; j < g->order; j++)
        g->number[g->element[j].x][g->element[j].y] = j;
    small_curve_set(g);
    return 1;
}

/* What each lane's element is, with a Z of its own. */
static struct edwards small_point(const unsigned number[LANES], unsigned z) {
    struct limbs x = limbs_zero(), y = limbs_zero();
    for (int lane = 0; lane < LANES; lane++) {
        struct limbs_constant cx = {{small_group.element[number[lane]].x}},
                              cy = {{small_group.element[number[lane]].y}};
        limbs_insert(&x, lane, cx);
        limbs_insert(&y, lane, cy);
    }
    struct edwards r = edwards_from_affine(fe_encode(x), fe_encode(y));
    fe scale = small_fe(z);
    r.x = fe_mul(r.x, scale);
    r.y = fe_mul(r.y, scale);
    r.t = fe_mul(r.t, scale);
    r.z = fe_mul(r.z, scale);
    return r;
}

/* Each lane of the point is the element that is expected there, and T is right. */
static void expect_element(const char *what, const unsigned number[LANES], struct edwards got) {
    fe inverse = fe_inverse(got.z);
    struct limbs x = fe_decode(fe_mul(got.x, inverse)), y = fe_decode(fe_mul(got.y, inverse));
    mask sound = edwards_is_sound(&got);
    for (int lane = 0; lane < LANES; lane++) {
        unsigned expected_x = small_group.element[number[lane]].x, expected_y = small_group.element[number[lane]].y;
        unsigned got_x = (unsigned)limbs_extract(x, 0, lane), got_y = (unsigned)limbs_extract(y, 0, lane);
        if (got_x != expected_x || got_y != expected_y || !mask_lane(sound, lane))
            fail_msg("%s: p = %u, d = %u: element %u is (%u, %u), not (%u, %u), T %s", what, small_group.p,
                     small_group.d, number[lane], expected_x, expected_y, got_x, got_y,
                     mask_lane(sound, lane) ? "right" : "wrong");
    }
}

/* Calls test for each curve over each of the fields. Returns how many there were. */
static unsigned small_groups_each(void (*test)(void)) {
    static const unsigned primes[] = {29, 37, 61, 101, 109};
    unsigned count = 0;
    for (size_t i = 0; i < sizeof primes / sizeof primes[0]; i++) {
        unsigned of_prime = 0, most = primes[i] < 60 ? 8 : 1;
        for (unsigned d = 2; d < primes[i] && of_prime < most; d++)
            if (small_group_make(primes[i], d)) {
                test();
                of_prime++;
            }
        count += of_prime;
    }
    return count;
}

#endif
