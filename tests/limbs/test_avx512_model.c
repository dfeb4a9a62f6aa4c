/* The models of limbs/vector/avx512.h and limbs/ifma/products.h, by which memcheck sees machines of eight lanes, against
 * the instructions: every function, on random lanes and edges.
 *
 * Test: fast; IFMA */
#include "limbs/ifma/products.h"

#include "vector_supported.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "support/prng.h"

/* The functions of both; their lanes are the same types. */
#define LANES MODEL_LANES
#define lane32_set model_lane32_set
#define lane64_set model_lane64_set
#define lane32_load model_lane32_load
#define lane32_store model_lane32_store
#define lane64_load model_lane64_load
#define lane64_load_aligned model_lane64_load_aligned
#define lane64_store_aligned model_lane64_store_aligned
#define lane64_add_product model_lane64_add_product
#define lane64_add_product_low model_lane64_add_product_low
#define lane64_add_product_high model_lane64_add_product_high
#define lane64_shift_right_signed model_lane64_shift_right_signed
#define lane64_product_signed model_lane64_product_signed
#define lane32_blend model_lane32_blend
#define lane64_blend model_lane64_blend
#define LOOKUP_ENTRIES MODEL_LOOKUP_ENTRIES
#define lane64_lookup model_lane64_lookup
#define lane64_transpose model_lane64_transpose
#define lane32_equal model_lane32_equal
#define lane32_test model_lane32_test
#define lane64_test model_lane64_test
#define lane64_is_zero model_lane64_is_zero
#define lane64_is_negative model_lane64_is_negative
#define mask_to_bits model_mask_to_bits
#define mask_from_bits model_mask_from_bits
#define mask_to_lane32 model_mask_to_lane32
#define lane64_from_lane32 model_lane64_from_lane32
#define lane64_from_lane32_signed model_lane64_from_lane32_signed
#define lane64_low model_lane64_low
#include "support/avx512_model/limbs/ifma/products.h"
#undef LANES
#undef lane32_set
#undef lane64_set
#undef lane32_load
#undef lane32_store
#undef lane64_load
#undef lane64_load_aligned
#undef lane64_store_aligned
#undef lane64_add_product
#undef lane64_add_product_low
#undef lane64_add_product_high
#undef lane64_shift_right_signed
#undef lane64_product_signed
#undef lane32_blend
#undef lane64_blend
#undef LOOKUP_ENTRIES
#undef lane64_lookup
#undef lane64_transpose
#undef lane32_equal
#undef lane32_test
#undef lane64_test
#undef lane64_is_zero
#undef lane64_is_negative
#undef mask_to_bits
#undef mask_from_bits
#undef mask_to_lane32
#undef lane64_from_lane32
#undef lane64_from_lane32_signed
#undef lane64_low

_Static_assert((int)LANES == (int)MODEL_LANES, "the model has as many lanes");
_Static_assert((int)LOOKUP_ENTRIES == (int)MODEL_LOOKUP_ENTRIES, "the model looks up as many entries");

enum { CASES = 200000 };

static uint64_t draw_word(struct prng *prng) {
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     UINT32_MAX,
                                     (uint64_t)1 << 31,
                                     (uint64_t)1 << 32,
                                     (uint64_t)1 << 51,
                                     ((uint64_t)1 << 52) - 1,
                                     (uint64_t)1 << 52,
                                     (uint64_t)INT64_MAX,
                                     (uint64_t)1 << 63,
                                     UINT64_MAX};
    uint64_t choice = prng_below(prng, 4);
    if (choice == 0)
        return edges[prng_below(prng, sizeof edges / sizeof edges[0])];
    if (choice == 1)
        return (uint64_t)1 << prng_below(prng, 64);
    return prng_next(prng);
}

static lane64 draw64(struct prng *prng) {
    lane64 r = {0};
    for (int l = 0; l < LANES; l++)
        r[l] = draw_word(prng);
    return r;
}

static lane32 draw32(struct prng *prng) {
    lane32 r = {0};
    for (int l = 0; l < LANES; l++)
        r[l] = (uint32_t)(draw_word(prng) >> 32 * prng_below(prng, 2));
    return r;
}

static void expect64(lane64 got, lane64 model) { assert_memory_equal(&got, &model, sizeof got); }
static void expect32(lane32 got, lane32 model) { assert_memory_equal(&got, &model, sizeof got); }

static void products(void **state) {
    struct prng prng = prng_for("products");
    (void)state;
    for (int i = 0; i < CASES; i++) {
        lane64 sum = draw64(&prng), a = draw64(&prng), b = draw64(&prng);
        expect64(lane64_add_product_low(sum, a, b), model_lane64_add_product_low(sum, a, b));
        expect64(lane64_add_product_high(sum, a, b), model_lane64_add_product_high(sum, a, b));
        expect64(lane64_product_signed(a, b), model_lane64_product_signed(a, b));
    }
}

static void selections(void **state) {
    struct prng prng = prng_for("selections");
    (void)state;
    for (int i = 0; i < CASES; i++) {
        mask m = (mask)(i < 256 ? (unsigned)i : prng_below(&prng, 256));
        lane32 a = draw32(&prng), b = draw32(&prng);
        lane64 c = draw64(&prng), d = draw64(&prng), index = draw64(&prng) & 15;
        expect32(mask_to_lane32(m), model_mask_to_lane32(m));
        expect32(lane32_blend(m, a, b), model_lane32_blend(m, a, b));
        expect64(lane64_blend(m, c, d), model_lane64_blend(m, c, d));
        uint64_t table[LOOKUP_ENTRIES];
        for (int k = 0; k < LOOKUP_ENTRIES; k++)
            table[k] = draw_word(&prng);
        expect64(lane64_lookup(table, index), model_lane64_lookup(table, index));
        /* bits of the index from 16 up are not read */
        expect64(lane64_lookup(table, index + 16 * d), model_lane64_lookup(table, index + 16 * d));
    }
}

static void comparisons(void **state) {
    struct prng prng = prng_for("comparisons");
    (void)state;
    for (int i = 0; i < CASES; i++) {
        mask m = (mask)prng_below(&prng, 256);
        lane32 a = draw32(&prng), b = lane32_blend(m, draw32(&prng), a);
        lane64 c = draw64(&prng), d = lane64_blend(m, draw64(&prng), ~c);
        assert_int_equal(lane32_equal(a, b), model_lane32_equal(a, b));
        assert_int_equal(lane32_test(a, b), model_lane32_test(a, b));
        assert_int_equal(lane32_test(a, ~b), model_lane32_test(a, ~b));
        assert_int_equal(lane64_test(c, d), model_lane64_test(c, d));
        assert_int_equal(lane64_is_zero(c & d), model_lane64_is_zero(c & d));
        assert_int_equal(lane64_is_negative(c), model_lane64_is_negative(c));
    }
}

static void widths(void **state) {
    struct prng prng = prng_for("widths");
    (void)state;
    for (int i = 0; i < CASES; i++) {
        lane32 a = draw32(&prng);
        lane64 b = draw64(&prng);
        expect64(lane64_from_lane32(a), model_lane64_from_lane32(a));
        expect64(lane64_from_lane32_signed(a), model_lane64_from_lane32_signed(a));
        expect32(lane64_low(b), model_lane64_low(b));
        expect32(lane32_set(a[0]), model_lane32_set(a[0]));
        expect64(lane64_set(b[0]), model_lane64_set(b[0]));
    }
}

static void memory(void **state) {
    _Alignas(64) uint64_t words[3 * LANES], copy[3 * LANES];
    struct prng prng = prng_for("memory");
    (void)state;
    for (unsigned i = 0; i < CASES; i++) {
        unsigned at = i % (2 * LANES);
        const uint32_t *halves = (const uint32_t *)words + at;
        for (int k = 0; k < 3 * LANES; k++)
            words[k] = draw_word(&prng);
        expect64(lane64_load(words + at), model_lane64_load(words + at));
        expect64(lane64_load_aligned(words + LANES), model_lane64_load_aligned(words + LANES));
        expect32(lane32_load(halves), model_lane32_load(halves));
        memcpy(copy, words, sizeof copy);
        lane64_store_aligned(words + LANES, lane64_load(words + at));
        model_lane64_store_aligned(copy + LANES, lane64_load(copy + at));
        assert_memory_equal(words, copy, sizeof copy);
        lane32_store((uint32_t *)words + at, lane32_load((const uint32_t *)words + 4 * LANES));
        model_lane32_store((uint32_t *)copy + at, lane32_load((const uint32_t *)copy + 4 * LANES));
        assert_memory_equal(words, copy, sizeof copy);
    }
}

static void transposition(void **state) {
    struct prng prng = prng_for("transposition");
    (void)state;
    for (int i = 0; i < CASES / 10; i++) {
        lane64 rows[8], model[8];
        for (int k = 0; k < 8; k++)
            rows[k] = model[k] = draw64(&prng);
        lane64_transpose(rows);
        model_lane64_transpose(model);
        assert_memory_equal(rows, model, sizeof rows);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products), cmocka_unit_test(selections), cmocka_unit_test(comparisons),
        cmocka_unit_test(widths),   cmocka_unit_test(memory),     cmocka_unit_test(transposition),
    };
    return ifma_supported() ? cmocka_run_group_tests(tests, NULL, NULL) : vector_skip();
}
