/* Points of any curve y^2 = x^3 + a x + b modulo any p of BITS bits, a and p given at run time, as Giorgi et al. 2009
 * have them (section 3; papers/results.md): Jacobian coordinates, numbers in one of the memories of fios.h,
 * multiplication from the right and by non-adjacent forms. As there, nothing treats infinity or equal points, which
 * random scalars do not meet. The includer sets BITS. */
#ifndef PAPERS_KERNELS_ANY_CURVE_H
#define PAPERS_KERNELS_ANY_CURVE_H

#include "papers/kernels/fios.h"

enum { NUMBER_BYTES = BITS / 8 };

/* What a thread has, in Montgomery form: three points, p, a and what formulas take besides. */
enum number { X1, Y1, Z1, X2, Y2, Z2, X3, Y3, Z3, U, V, W, T, CURVE_A, CURVE_P, NUMBERS };

/* A thread's numbers: in registers, which are given, or digits[] each `step` * FIOS_DIGITS words after the one
 * before. */
struct numbers {
    int in_registers;
    uint32_t (*words)[FIOS_WORDS];
    struct digits digits;
    uint32_t negative_inverse;
};

LANE_INLINE struct digits number_digits(const struct numbers *n, int i) {
    struct digits d = {n->digits.at + (size_t)i * FIOS_DIGITS * n->digits.step, n->digits.step};
    return d;
}

/* r = s. */
LANE_INLINE void number_copy(const struct numbers *n, int r, int s) {
    if (n->in_registers)
        LANE_UNROLL for (int i = 0; i < FIOS_WORDS; i++) n->words[r][i] = n->words[s][i];
    else
        digits_copy(number_digits(n, r), number_digits(n, s));
}

/* r = s t; r is neither. */
LANE_INLINE void number_product(const struct numbers *n, int r, int s, int t) {
    if (n->in_registers)
        words_multiply(n->words[r], n->words[s], n->words[t], n->words[CURVE_P], n->negative_inverse);
    else
        digits_multiply(number_digits(n, r), number_digits(n, s), number_digits(n, t), number_digits(n, CURVE_P),
                        n->negative_inverse);
}

/* r = r s, by T. */
LANE_INLINE void number_multiply(const struct numbers *n, int r, int s) {
    number_product(n, T, r, s);
    number_copy(n, r, T);
}

/* r = r + s; r may be s. */
LANE_INLINE void number_add(const struct numbers *n, int r, int s) {
    if (n->in_registers)
        words_add(n->words[r], n->words[s], n->words[CURVE_P]);
    else
        digits_add(number_digits(n, r), number_digits(n, s), number_digits(n, CURVE_P));
}

/* r = r - s. */
LANE_INLINE void number_subtract(const struct numbers *n, int r, int s) {
    if (n->in_registers)
        words_subtract(n->words[r], n->words[s], n->words[CURVE_P]);
    else
        digits_subtract(number_digits(n, r), number_digits(n, s), number_digits(n, CURVE_P));
}

/* Point P, whose numbers start at p, is P + Q, or P - Q: with S = Y1 Z2^3 and B = X1 Z2^2, H = X2 Z1^2 - B, R = +-Y2 Z1^3 - S,
 *   X = R^2 - H^3 - 2 B H^2, Y = R (B H^2 - X) - S H^3, Z = H Z1 Z2.     12M + 4S */
LANE_INLINE void numbers_add_points(const struct numbers *n, int p, int q, int negative) {
    const int x = p, y = p + 1, z = p + 2;
    number_product(n, U, z, z);
    number_product(n, V, q, U);
    number_multiply(n, U, z);
    number_multiply(n, U, q + 1); /* Y2 Z1^3 */
    if (negative) {
        number_copy(n, T, U);
        number_subtract(n, U, T);
        number_subtract(n, U, T);
    }
    number_product(n, W, q + 2, q + 2);
    number_multiply(n, x, W); /* B */
    number_multiply(n, W, q + 2);
    number_multiply(n, y, W); /* S */
    number_subtract(n, V, x); /* H */
    number_subtract(n, U, y); /* R */
    number_multiply(n, z, q + 2);
    number_multiply(n, z, V);
    number_product(n, W, V, V);
    number_multiply(n, V, W); /* H^3 */
    number_multiply(n, x, W); /* B H^2 */
    number_product(n, W, U, U);
    number_subtract(n, W, V);
    number_subtract(n, W, x);
    number_subtract(n, W, x);
    number_subtract(n, x, W);
    number_multiply(n, x, U);
    number_multiply(n, y, V);
    number_subtract(n, x, y);
    number_copy(n, y, x);
    number_copy(n, x, W);
}

/* P is 2 P: with S = 4 X Y^2 and M = 3 X^2 + a Z^4,
 *   X = M^2 - 2 S, Y = M (S - X) - 8 Y^4, Z = 2 Y Z.     4M + 6S, a's product among them; the paper counts 9 */
LANE_INLINE void numbers_double_point(const struct numbers *n, int p) {
    const int x = p, y = p + 1, z = p + 2;
    number_product(n, U, y, y);
    number_product(n, V, x, U);
    number_add(n, V, V);
    number_add(n, V, V); /* S */
    number_product(n, W, z, z);
    number_multiply(n, z, y);
    number_add(n, z, z);
    number_multiply(n, W, W);
    number_multiply(n, W, CURVE_A);
    number_multiply(n, x, x);
    number_add(n, W, x);
    number_add(n, W, x);
    number_add(n, W, x); /* M */
    number_product(n, x, W, W);
    number_subtract(n, x, V);
    number_subtract(n, x, V);
    number_subtract(n, V, x);
    number_multiply(n, V, W);
    number_multiply(n, U, U);
    number_add(n, U, U);
    number_add(n, U, U);
    number_add(n, U, U);
    number_copy(n, y, V);
    number_subtract(n, y, U);
}

LANE_INLINE void numbers_copy_point(const struct numbers *n, int to, int from) {
    LANE_UNROLL for (int i = 0; i < 3; i++) number_copy(n, to + i, from + i);
}

/* The first point = k times the second, k > 0, which is doubled meanwhile: from the lowest bit on, without a table. */
LANE_INLINE void numbers_multiply_from_right(const struct numbers *n, const uint32_t k[FIOS_WORDS]) {
    int any = 0;
    LANE_LOOP for (int i = 0; i < BITS; i++) {
        if (k[i / 32] >> i % 32 & 1) {
            if (any)
                numbers_add_points(n, X1, X2, 0);
            else
                numbers_copy_point(n, X1, X2);
            any = 1;
        }
        numbers_double_point(n, X2);
    }
}

/* Digits of a non-adjacent form, the lowest first: of `bits` bits, and so many in a word as fit. Below 0 with 2^bits
 * more. */
struct form {
    uint32_t *words;
    int bits;
};

LANE_INLINE int form_digit(struct form f, int i) {
    int each = 32 / f.bits, shift = i % each * f.bits;
    uint32_t digit = f.words[i / each] >> shift << (32 - f.bits);
    return (int32_t)digit >> (32 - f.bits);
}

/* k in the form whose odd digits are below 2^(w - 1) and w - 1 digits at least apart; returns how many digits there
 * are. k is 0 then. f.words are zeros before. */
LANE_INLINE int form_make(struct form f, uint32_t k[FIOS_WORDS + 1], int w) {
    int count = 0, each = 32 / f.bits;
    LANE_LOOP for (int i = 0; i <= BITS; i++) {
        if (k[0] & 1) {
            int32_t digit = (int32_t)(k[0] << (32 - w)) >> (32 - w);
            uint32_t field = f.bits == 32 ? (uint32_t)digit : (uint32_t)digit & (((uint32_t)1 << f.bits) - 1);
            f.words[i / each] |= field << i % each * f.bits;
            count = i + 1;
            /* k - digit: odd digits above 0 are k's own lowest bits */
            uint32_t carry = digit < 0 ? (uint32_t)-digit : 0;
            k[0] -= digit > 0 ? (uint32_t)digit : 0;
            LANE_LOOP for (int j = 0; j <= FIOS_WORDS; j++) {
                k[j] += carry;
                carry = k[j] < carry;
            }
        }
        LANE_LOOP for (int j = 0; j < FIOS_WORDS; j++) k[j] = k[j] >> 1 | k[j + 1] << 31;
        k[FIOS_WORDS] >>= 1;
    }
    return count;
}

/* The first point = k times the second, k > 0, by its form for w = 2 or 3, from the highest digit on. 3 P is the
 * third. */
LANE_INLINE void numbers_multiply_by_form(const struct numbers *n, struct form f, uint32_t k[FIOS_WORDS + 1], int w) {
    int i = form_make(f, k, w) - 1;
    if (w > 2) {
        numbers_copy_point(n, X3, X2);
        numbers_double_point(n, X3);
        numbers_add_points(n, X3, X2, 0);
    }
    numbers_copy_point(n, X1, w > 2 && form_digit(f, i) == 3 ? X3 : X2);
    LANE_LOOP for (i = i - 1; i >= 0; i--) {
        int digit = form_digit(f, i);
        numbers_double_point(n, X1);
        if (digit != 0)
            numbers_add_points(n, X1, digit == 3 || digit == -3 ? X3 : X2, digit < 0);
    }
}

/* What is measured: P + times Q, 2^times P, and k P in two ways. */
enum task { TASK_ADD, TASK_DOUBLE, TASK_FROM_RIGHT, TASK_FORM };

/* Big-endian numbers of a row: x and y of P; a and 1; p; X, Y and Z of Q, or k in place of X; X, Y and Z of the result.
 * All but p and k are in Montgomery form. */
struct point_rows {
    const uint8_t *point, *constants, *modulus, *other;
    uint8_t *out;
};

LANE_INLINE uint32_t word_of(const uint8_t *bytes, int i) {
    const uint8_t *at = bytes + NUMBER_BYTES - 4 * (i + 1);
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

LANE_INLINE void number_read(const struct numbers *n, int to, const uint8_t *bytes) {
    LANE_UNROLL for (int i = 0; i < FIOS_WORDS; i++) {
        uint32_t word = word_of(bytes, i);
        if (n->in_registers) {
            n->words[to][i] = word;
        } else {
            digit_set(number_digits(n, to), 2 * i, word & 0xffff);
            digit_set(number_digits(n, to), 2 * i + 1, word >> 16);
        }
    }
}

LANE_INLINE void number_write(const struct numbers *n, uint8_t *bytes, int from) {
    LANE_UNROLL for (int i = 0; i < FIOS_WORDS; i++) {
        uint32_t word = 0;
        if (n->in_registers)
            word = n->words[from][i];
        else
            word = digit_of(number_digits(n, from), 2 * i) | digit_of(number_digits(n, from), 2 * i + 1) << 16;
        LANE_UNROLL for (int byte = 0; byte < 4; byte++) bytes[NUMBER_BYTES - 4 * (i + 1) + byte] =
            (uint8_t)(word >> (24 - 8 * byte));
    }
}

/* A row. `w`, `bits`: of the form. */
LANE_INLINE void numbers_run(enum task task, const struct numbers *n, const struct point_rows *rows, uint32_t times,
                             int w, int bits) {
    uint32_t k[FIOS_WORDS + 1], form_words[BITS + 1];
    number_read(n, CURVE_A, rows->constants);
    number_read(n, CURVE_P, rows->modulus);
    number_read(n, X1, rows->point);
    number_read(n, Y1, rows->point + NUMBER_BYTES);
    number_read(n, Z1, rows->constants + NUMBER_BYTES);
    if (task == TASK_ADD) {
        LANE_UNROLL for (int i = 0; i < 3; i++) number_read(n, X2 + i, rows->other + i * NUMBER_BYTES);
        LANE_LOOP for (uint32_t i = 0; i < times; i++) numbers_add_points(n, X1, X2, 0);
    } else if (task == TASK_DOUBLE) {
        LANE_LOOP for (uint32_t i = 0; i < times; i++) numbers_double_point(n, X1);
    } else {
        LANE_UNROLL for (int i = 0; i < FIOS_WORDS; i++) k[i] = word_of(rows->other, i);
        k[FIOS_WORDS] = 0;
        numbers_copy_point(n, X2, X1);
        if (task == TASK_FROM_RIGHT) {
            numbers_multiply_from_right(n, k);
        } else {
            const struct form f = {form_words, bits};
            LANE_LOOP for (int i = 0; i <= BITS; i++) form_words[i] = 0;
            numbers_multiply_by_form(n, f, k, w);
        }
    }
    LANE_UNROLL for (int i = 0; i < 3; i++) number_write(n, rows->out + i * NUMBER_BYTES, X1 + i);
}

#endif
