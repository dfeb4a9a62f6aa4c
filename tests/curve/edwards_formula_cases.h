/* The group law of curve/edwards.h on all pairs of points of small groups, cofactor 8 included. */
#ifndef TESTS_CURVE_EDWARDS_FORMULA_CASES_H
#define TESTS_CURVE_EDWARDS_FORMULA_CASES_H

#include "small_edwards_group.h"

/* The numbers of LANES pairs from pair `first` on, over and over. */
static void pair_numbers(unsigned first, unsigned a[LANES], unsigned b[LANES]) {
    const unsigned order = small_group.order;
    for (unsigned lane = 0; lane < LANES; lane++) {
        a[lane] = (first + lane) / order % order;
        b[lane] = (first + lane) % order;
    }
}

static struct edwards_entry affine_entry(struct edwards a) {
    fe inverse = fe_inverse(a.z);
    return edwards_entry_of(fe_mul(a.x, inverse), fe_mul(a.y, inverse));
}

static void try_pairs(void) {
    const unsigned order = small_group.order;
    unsigned a[LANES], b[LANES], sum[LANES], difference[LANES], twice[LANES], eightfold[LANES];
    for (unsigned first = 0; first < order * order; first += LANES) {
        pair_numbers(first, a, b);
        for (int lane = 0; lane < LANES; lane++) {
            sum[lane] = (a[lane] + b[lane]) % order;
            difference[lane] = (a[lane] + order - b[lane]) % order;
            twice[lane] = 2 * a[lane] % order;
            eightfold[lane] = 8 * a[lane] % order;
        }
        struct edwards p = small_point(a, 1 + first % (small_group.p - 1)), q = small_point(b, 1 + first % 7), r = p;
        struct edwards_projective_entry projective = edwards_projective_entry_of(&q);
        struct edwards_entry entry = affine_entry(q);
        edwards_add(&r, &projective);
        expect_element("a + b", sum, r);
        r = p;
        edwards_add_entry(&r, &entry);
        expect_element("a + b, b affine", sum, r);
        r = p;
        entry = edwards_entry_negate_if(mask_set(1), entry);
        edwards_add_entry(&r, &entry);
        expect_element("a - b", difference, r);
        r = p;
        entry = edwards_entry_neutral();
        edwards_add_entry(&r, &entry);
        expect_element("a + 0", a, r);
        r = p;
        edwards_double(&r);
        expect_element("2 a", twice, r);
        r = p;
        edwards_double_times(&r, 3);
        expect_element("8 a", eightfold, r);
        mask neutral = edwards_is_neutral(&r);
        for (int lane = 0; lane < LANES; lane++)
            assert_int_equal(mask_lane(neutral, lane) != 0, eightfold[lane] == 0);
    }
}

static void formulas(void **state) {
    (void)state;
    assert_true(small_groups_each(try_pairs) > 5);
}

/* Every y of the field with either parity. */
static void try_lifts(void) {
    for (unsigned y = 0; y < small_group.p; y++)
        for (unsigned odd = 0; odd < 2; odd++) {
            mask exists;
            unsigned found = 0;
            struct limbs x = fe_decode(edwards_lift_y(small_fe(y), mask_set((int)odd), &exists));
            unsigned got = (unsigned)limbs_extract(x, 0, 0);
            for (unsigned at = 0; at < small_group.p; at++)
                found |= (unsigned)(small_group.number[at][y] != POINTS_MOST);
            assert_int_equal(mask_lane(exists, 0) != 0, found);
            if (found)
                assert_true(small_group.number[got][y] != POINTS_MOST && (got == 0 || got % 2 == odd));
        }
}

static void lifts(void **state) {
    (void)state;
    assert_true(small_groups_each(try_lifts) > 5);
}

/* A point that is not on the curve, or whose T is wrong, is not sound. */
static void try_unsound(void) {
    for (unsigned j = 0; j < small_group.order; j++) {
        unsigned number[LANES];
        for (int lane = 0; lane < LANES; lane++)
            number[lane] = j;
        struct edwards p = small_point(number, 3), moved = p, wrong = p, nowhere = p;
        moved.y = fe_add(p.y, fe_one());
        moved.t = fe_mul(fe_mul(moved.x, moved.y), fe_inverse(moved.z));
        wrong.t = fe_add(p.t, fe_one());
        nowhere.z = fe_zero();
        unsigned y = (unsigned)limbs_extract(fe_decode(fe_mul(moved.y, fe_inverse(moved.z))), 0, 0);
        int still = small_group.number[small_group.element[j].x][y] != POINTS_MOST;
        assert_false(mask_any(~edwards_is_sound(&p)));
        assert_int_equal(!mask_any(~edwards_is_sound(&moved)), still);
        assert_false(mask_any(edwards_is_sound(&wrong)));
        assert_false(mask_any(edwards_is_sound(&nowhere)));
    }
}

static void unsound(void **state) {
    (void)state;
    assert_true(small_groups_each(try_unsound) > 5);
}

/* Runs them all; the result is main's. */
static int edwards_formula_cases(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(formulas), cmocka_unit_test(lifts), cmocka_unit_test(unsound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
