/* Modular arithmetic of every width against GMP: moduli of all kinds, boundary operands, rows without an inverse.
 *
 * Test: fast; needs gmp; no threads */
#include "support/effort.h"
#include "support/operation.h"

#include <gmp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { GREATEST_BYTES = 64, GREATEST_EXPONENT = 64, ROWS = 90 };

enum modulus_kind {
    MODULUS_RANDOM,
    MODULUS_TOP_BIT_SET,
    MODULUS_PRIME,
    MODULUS_COMPOSITE,
    MODULUS_3,
    MODULUS_5,
    MODULUS_7,
    MODULUS_ALL_ONES,
    MODULUS_POWER_OF_2_PLUS_1,
    MODULUS_LEADING_ZEROS,
    MODULUS_WORDS_OF_ZEROS,
    MODULUS_OF_A_CURVE,
    MODULUS_KINDS
};

struct suite {
    gecc_context *context;
    struct prng prng;
};

/* One modulus, its factors if it was made of some, and numbers at hand. */
struct field {
    size_t bytes;
    uint8_t text[GREATEST_BYTES];
    mpz_t modulus, factor, a, b, result;
};

static int start(void **state) {
    struct suite *suite = memory_new(1, sizeof *suite);
    suite->context = test_context();
    suite->prng = prng_for("mod");
    *state = suite;
    return 0;
}

static int stop(void **state) {
    struct suite *suite = *state;
    gecc_close(suite->context);
    free(suite);
    return 0;
}

static void to_bytes(uint8_t *out, size_t bytes, const mpz_t value) {
    size_t width = (mpz_sizeinbase(value, 2) + 7) / 8;
    memset(out, 0, bytes);
    REQUIRE(width <= bytes);
    mpz_export(out + bytes - width, NULL, 1, 1, 1, 0, value);
}

static void from_bytes(mpz_t value, const uint8_t *in, size_t bytes) { mpz_import(value, bytes, 1, 1, 1, 0, in); }

static void random_number(mpz_t value, struct prng *prng, size_t bytes) {
    uint8_t text[GREATEST_BYTES];
    prng_bytes(prng, text, bytes);
    from_bytes(value, text, bytes);
}

/* A prime of 8 * bytes bits at most. */
static void random_prime(mpz_t value, struct prng *prng, size_t bytes) {
    do {
        random_number(value, prng, bytes);
        mpz_nextprime(value, value);
    } while (mpz_sizeinbase(value, 2) > 8 * bytes || mpz_even_p(value));
}

/* The prime of a curve of this size, if there is one. */
static void curve_prime(mpz_t value, struct prng *prng, size_t bytes) {
    static const char *const primes[] = {
        "fffffffffffffffffffffffffffffffffffffffffffffffffffffffefffffc2f", /* secp256k1 */
        "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", /* P-256 */
        "fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff", /* SM2 */
    };
    if (bytes == 32)
        mpz_set_str(value, primes[prng_below(prng, 3)], 16);
    if (bytes == 48)
        mpz_set_str(value,
                    "fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffeffffffff0000000000000000ffffffff",
                    16);
}

static void choose_modulus(struct field *field, enum modulus_kind kind, struct prng *prng) {
    mpz_set_ui(field->factor, 1);
    random_number(field->modulus, prng, field->bytes);
    switch (kind) {
    case MODULUS_TOP_BIT_SET:
        mpz_setbit(field->modulus, 8 * field->bytes - 1);
        break;
    case MODULUS_PRIME:
        random_prime(field->modulus, prng, field->bytes);
        break;
    case MODULUS_COMPOSITE:
        random_prime(field->factor, prng, field->bytes / 2);
        random_prime(field->modulus, prng, field->bytes / 2);
        mpz_mul(field->modulus, field->modulus, field->factor);
        break;
    case MODULUS_3:
    case MODULUS_5:
    case MODULUS_7:
        mpz_set_ui(field->modulus, 3 + 2 * (unsigned)(kind - MODULUS_3));
        break;
    case MODULUS_ALL_ONES:
        mpz_set_ui(field->modulus, 1);
        mpz_mul_2exp(field->modulus, field->modulus, 8 * field->bytes);
        mpz_sub_ui(field->modulus, field->modulus, 1);
        break;
    case MODULUS_POWER_OF_2_PLUS_1:
        mpz_set_ui(field->modulus, 1);
        mpz_mul_2exp(field->modulus, field->modulus, 1 + prng_below(prng, 8 * field->bytes - 1));
        break;
    case MODULUS_LEADING_ZEROS:
        random_number(field->modulus, prng, 1 + prng_below(prng, field->bytes - 1));
        break;
    case MODULUS_WORDS_OF_ZEROS:
        mpz_fdiv_r_2exp(field->modulus, field->modulus, 32);
        mpz_setbit(field->modulus, 8 * field->bytes - 1);
        break;
    case MODULUS_OF_A_CURVE:
        curve_prime(field->modulus, prng, field->bytes);
        break;
    default:
        break;
    }
    mpz_setbit(field->modulus, 0);
    if (mpz_cmp_ui(field->modulus, 3) < 0) {
        mpz_set_ui(field->modulus, 3);
    }
    to_bytes(field->text, field->bytes, field->modulus);
}

/* 0, 1, m - 1, m, m + 1, all ones, a multiple of m's factor, or random, in `bytes` bytes. */
static struct cell operand(struct field *field, struct prng *prng, struct arena *arena) {
    uint8_t *bytes = arena_new(arena, field->bytes);
    uint64_t kind = prng_below(prng, 12);
    mpz_set(field->a, field->modulus);
    if (kind < 2) {
        mpz_set_ui(field->a, kind);
    } else if (kind == 2) {
        mpz_sub_ui(field->a, field->a, 1);
    } else if (kind == 4) {
        mpz_add_ui(field->a, field->a, 1);
    } else if (kind == 5) {
        random_number(field->a, prng, field->bytes);
        mpz_mul(field->a, field->a, field->factor);
        mpz_mod(field->a, field->a, field->modulus);
    } else if (kind > 6) {
        random_number(field->a, prng, field->bytes);
    }
    int fits = mpz_sizeinbase(field->a, 2) <= 8 * field->bytes;
    if (kind == 6 || !fits) {
        memset(bytes, 0xff, field->bytes);
    } else {
        to_bytes(bytes, field->bytes, field->a);
    }
    return (struct cell){bytes, (uint32_t)field->bytes};
}

/* 0, 1, 2, all ones or random. */
static struct cell exponent(struct prng *prng, size_t width, struct arena *arena) {
    uint8_t *bytes = arena_new(arena, width);
    uint64_t kind = prng_below(prng, 8);
    if (kind < 3) {
        bytes[width - 1] = (uint8_t)kind;
    } else if (kind == 3) {
        memset(bytes, 0xff, width);
    } else {
        prng_bytes(prng, bytes, width);
    }
    return (struct cell){bytes, (uint32_t)width};
}

static void expect(struct field *field, enum operation operation, const struct row *row, struct expectation *expected) {
    memset(expected, 0, sizeof *expected);
    expected->statuses = STATUS(OK);
    expected->out[0].width = (uint32_t)field->bytes;
    from_bytes(field->a, row->in[0].data, row->in[0].width);
    if (row->in[1].data) {
        from_bytes(field->b, row->in[1].data, row->in[1].width);
    }
    switch (operation) {
    case OPERATION_MOD_ADD:
        mpz_add(field->result, field->a, field->b);
        break;
    case OPERATION_MOD_SUB:
        mpz_sub(field->result, field->a, field->b);
        break;
    case OPERATION_MOD_MUL:
        mpz_mul(field->result, field->a, field->b);
        break;
    case OPERATION_MOD_SQUARE:
        mpz_mul(field->result, field->a, field->a);
        break;
    case OPERATION_MOD_POWER:
        mpz_powm(field->result, field->a, field->b, field->modulus);
        break;
    default:
        if (!mpz_invert(field->result, field->a, field->modulus)) {
            expected->statuses = STATUS(INVALID);
            mpz_set_ui(field->result, 0);
        }
    }
    mpz_mod(field->result, field->result, field->modulus);
    to_bytes(expected->out[0].bytes, field->bytes, field->result);
}

static size_t run_operation(struct suite *suite, struct field *field, enum operation operation, const char *label) {
    struct call call = {.operation = operation, .modulus = {field->text, field->bytes}};
    struct arena arena = {0};
    struct row rows[ROWS] = {0};
    struct outcome outcomes[ROWS];
    size_t mismatches = 0, count = 1 + (size_t)prng_below(&suite->prng, ROWS);
    size_t exponent_width = 1 + (size_t)prng_below(&suite->prng, GREATEST_EXPONENT);
    for (size_t i = 0; i < count; i++) {
        rows[i].in[0] = operand(field, &suite->prng, &arena);
        if (kind_of_input(operation, 1) == GECC_KIND_RESIDUE) {
            rows[i].in[1] = operand(field, &suite->prng, &arena);
        } else if (operation == OPERATION_MOD_POWER) {
            rows[i].in[1] = exponent(&suite->prng, exponent_width, &arena);
        }
    }
    run_rows(suite->context, &call, rows, count, &suite->prng, outcomes);
    for (size_t i = 0; i < count; i++) {
        struct expectation expected;
        expect(field, operation, &rows[i], &expected);
        mismatches += (size_t)outcome_mismatch(&call, &rows[i], &expected, &outcomes[i], label);
    }
    arena_free(&arena);
    if (mismatches) {
        hex_print(stderr, "    modulus ", field->text, field->bytes);
    }
    return mismatches;
}

static size_t run_modulus(struct suite *suite, size_t bytes, enum modulus_kind kind) {
    struct field field = {.bytes = bytes};
    char label[64];
    size_t mismatches = 0;
    mpz_inits(field.modulus, field.factor, field.a, field.b, field.result, NULL);
    choose_modulus(&field, kind, &suite->prng);
    snprintf(label, sizeof label, "%zu bits, modulus of kind %d", 8 * bytes, (int)kind);
    for (int operation = OPERATION_MOD_ADD; operation <= OPERATION_MOD_POWER; operation++) {
        mismatches += run_operation(suite, &field, (enum operation)operation, label);
    }
    mpz_clears(field.modulus, field.factor, field.a, field.b, field.result, NULL);
    return mismatches;
}

static void every_width_and_modulus(void **state) {
    struct suite *suite = *state;
    size_t mismatches = 0;
    for (size_t repetition = repetitions(2, 40); repetition > 0; repetition--) {
        for (size_t bytes = 16; bytes <= GREATEST_BYTES; bytes += 4) {
            for (int kind = 0; kind < MODULUS_KINDS; kind++) {
                mismatches += run_modulus(suite, bytes, (enum modulus_kind)kind);
            }
        }
    }
    assert_int_equal(mismatches, 0);
}

/* One row without an inverse at each place of a batch: its neighbours keep theirs. */
static void inverse_beside_rows_without(void **state) {
    struct suite *suite = *state;
    static uint8_t modulus[32] = {[0] = 0xff, [31] = 0x0f}; /* a multiple of 3 and 5 */
    struct call call = {.operation = OPERATION_MOD_INVERSE, .modulus = {modulus, sizeof modulus}};
    struct arena arena = {0};
    struct row rows[ROWS] = {0};
    struct outcome before[ROWS], after[ROWS];
    uint8_t value[32] = {0};
    for (size_t i = 0; i < ROWS; i++) {
        value[31] = (uint8_t)(1 << i % 8);
        value[30] = 0;
        rows[i].in[0] = arena_copy(&arena, value, sizeof value);
    }
    run_rows(suite->context, &call, rows, ROWS, NULL, before);
    static uint8_t without[3][32] = {{0}, {[31] = 3}, {[31] = 5}};
    for (size_t place = 0; place < ROWS; place++) {
        struct cell kept = rows[place].in[0];
        rows[place].in[0] = (struct cell){without[place % 3], 32};
        run_rows(suite->context, &call, rows, ROWS, &suite->prng, after);
        for (size_t i = 0; i < ROWS; i++) {
            assert_int_equal(before[i].status, GECC_ITEM_OK);
            assert_true(i == place ? after[i].status == GECC_ITEM_INVALID : outcome_equal(&before[i], &after[i]));
        }
        rows[place].in[0] = kept;
    }
    arena_free(&arena);
}

static gecc_result call_with_modulus(struct suite *suite, const uint8_t *value, size_t bytes) {
    uint8_t in[80] = {0}, out[80], status = 0;
    gecc_modulus modulus = {value, bytes};
    gecc_rows rows = gecc_rows_packed(in, bytes ? bytes : 1);
    return gecc_mod_add(suite->context, modulus, gecc_out_packed(out, sizeof out), gecc_out_packed(&status, 1), rows,
                        rows, 1, NULL);
}

/* Even, less than 3, too narrow, too wide, not a multiple of 4 bytes, missing. */
static void moduli_refused(void **state) {
    struct suite *suite = *state;
    uint8_t value[80];
    memset(value, 0xff, sizeof value);
    assert_int_equal(call_with_modulus(suite, value, 32), GECC_OK);
    for (size_t bytes = 0; bytes <= 68; bytes++) {
        int right = bytes >= 16 && bytes <= 64 && bytes % 4 == 0;
        assert_int_equal(call_with_modulus(suite, value, bytes), right ? GECC_OK : GECC_ERROR_ARGUMENT);
    }
    assert_int_equal(call_with_modulus(suite, NULL, 32), GECC_ERROR_ARGUMENT);
    value[31] = 0xfe;
    assert_int_equal(call_with_modulus(suite, value, 32), GECC_ERROR_ARGUMENT);
    memset(value, 0, sizeof value);
    for (uint8_t small = 0; small <= 4; small++) {
        value[15] = small;
        assert_int_equal(call_with_modulus(suite, value, 16), small == 3 ? GECC_OK : GECC_ERROR_ARGUMENT);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_and_modulus),
        cmocka_unit_test(inverse_beside_rows_without),
        cmocka_unit_test(moduli_refused),
    };
    return cmocka_run_group_tests_name("mod", tests, start, stop);
}
