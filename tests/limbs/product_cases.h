/* Products of limbs on a vector machine, lane by lane, against integers of 128 bits: random ones, the greatest, powers
 * of two and their neighbours, and what a limb has not, bits from 52 up, not read; in all modes of doubles. */
#ifndef TESTS_LIMBS_PRODUCT_CASES_H
#define TESTS_LIMBS_PRODUCT_CASES_H

#include "support/prng.h"

enum { PRODUCTS = 400000 };

__extension__ typedef unsigned __int128 wide;

static uint64_t draw_limb(struct prng *prng) {
    const uint64_t power = (uint64_t)1 << prng_below(prng, LIMB_BITS + 1);
    switch (prng_below(prng, 6)) {
    case 0:
        return power - 1;
    case 1:
        return power;
    case 2:
        return power + 1;
    case 3: /* the greatest, and those just below it */
        return ((uint64_t)1 << LIMB_BITS) - 1 - prng_below(prng, 3);
    case 4:
        return prng_next(prng);
    default:
        return prng_next(prng) >> (64 - LIMB_BITS);
    }
}

static lane64 draw_limbs(struct prng *prng) {
    lane64 r = lane64_set(0);
    for (int lane = 0; lane < LANES; lane++)
        r = lane64_insert(r, lane, draw_limb(prng));
    return r;
}

static wide product_of(lane64 a, lane64 b, int lane) {
    const uint64_t low = ((uint64_t)1 << LIMB_BITS) - 1;
    return (wide)(lane64_extract(a, lane) & low) * (lane64_extract(b, lane) & low);
}

/* Each of the four roundings of doubles, denormal numbers taken as zeros or not, and every exception a signal: all of
 * it is of no consequence. */
static void set_modes(unsigned control, int which) {
    const unsigned exceptions = 0x1f80, roundings = 0x6000, zeros = 0x8040;
    const unsigned rounding = (unsigned)which % 4 << 13, denormal = which / 4 % 2 ? zeros : 0;
    _mm_setcsr((control & ~(exceptions | roundings | zeros)) | rounding | denormal);
}

static void products(void **state) {
    struct prng prng = prng_for("products");
    const unsigned control = _mm_getcsr();
    (void)state;
    for (int i = 0; i < PRODUCTS; i++) {
        set_modes(control, i);
        lane64 a = draw_limbs(&prng), b = draw_limbs(&prng), first = draw_limbs(&prng), second = draw_limbs(&prng);
        lane64 low = first, high = second;
        lane64_add_product(&low, &high, a, b);
        low = low - lane64_set(PRODUCT_LOW_EXCESS);
        high = high - lane64_set(PRODUCT_HIGH_EXCESS);
        lane64 low_alone = lane64_add_product_low(first, a, b), high_alone = lane64_add_product_high(second, a, b);
        lane64 low_of = lane64_product_low(a, b);
        for (int lane = 0; lane < LANES; lane++) {
            const wide product = product_of(a, b, lane);
            const uint64_t below = (uint64_t)product & (((uint64_t)1 << LIMB_BITS) - 1);
            const uint64_t above = (uint64_t)(product >> LIMB_BITS);
            assert_true(lane64_extract(low, lane) == lane64_extract(first, lane) + below);
            assert_true(lane64_extract(high, lane) == lane64_extract(second, lane) + above);
            assert_true(lane64_extract(low_alone, lane) == lane64_extract(low, lane));
            assert_true(lane64_extract(high_alone, lane) == lane64_extract(high, lane));
            assert_true(lane64_extract(low_of, lane) == below);
        }
    }
    _mm_setcsr(control);
}

static int product_cases(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(products)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
