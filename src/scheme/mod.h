/* Lane programs of arithmetic modulo job->modulus. Everything but the modulus and the widths is secret. */
#ifndef GECC_SCHEME_MOD_H
#define GECC_SCHEME_MOD_H

#include "batch/integers.h"
#include "batch/share.h"
#include "field/modulus.h"
#include "scheme/job.h"

enum { POWER_WINDOW = 4 };

/* The job's modulus, with constants for Montgomery's reduction, and the reduction that is best for it. An inversion
 * needs no representations. */
LANE_INLINE struct modulus job_modulus(const struct job *job) {
    struct lane_words words;
    for (int lane = 0; lane < LANES; lane++)
        words_read(&words, lane, job->modulus + JOB_MODULUS_BYTES - job->modulus_bytes, job->modulus_bytes);
    int is_bare = job->operation == OPERATION_MOD_INVERSE;
    struct modulus m = is_bare ? modulus_bare(words_to_limbs(&words)) : modulus_derive(words_to_limbs(&words));
    m.reduction = modulus_reduction(job->modulus + JOB_MODULUS_BYTES - job->modulus_bytes, job->modulus_bytes);
    return m;
}

/* The modulus of a chunk of the job. What stands for tables is NULL, and the modulus is made here, in less time than a
 * hundred rows take; or it is the job's modulus, which threads of a GPU share. */
LANE_INLINE struct modulus chunk_modulus(const void *tables, const struct job *job) {
    return tables ? *(const struct modulus *)tables : job_modulus(job);
}

/* a mod m for any a below R: a (R mod m) / R. */
LANE_INLINE struct limbs residue_reduce(const struct modulus *m, struct limbs a) {
    return modular_mul(m, a, limbs_set(&m->one));
}

/* R mod m where the mask is set, else 0. */
LANE_INLINE struct limbs residue_carry(const struct modulus *m, mask carry) {
    return limbs_select(carry, limbs_set(&m->one), limbs_zero());
}

/* a + b, a - b and a * b mod m for any a and b below R.     1M, 1M, 2M */
LANE_INLINE struct limbs residue_add(const struct modulus *m, struct limbs a, struct limbs b) {
    mask carry;
    struct limbs sum = residue_reduce(m, limbs_add(a, b, &carry));
    return modular_add(m, sum, residue_carry(m, carry));
}

LANE_INLINE struct limbs residue_sub(const struct modulus *m, struct limbs a, struct limbs b) {
    mask borrow;
    struct limbs difference = residue_reduce(m, limbs_sub(a, b, &borrow));
    return modular_sub(m, difference, residue_carry(m, borrow));
}

LANE_INLINE struct limbs residue_mul(const struct modulus *m, struct limbs a, struct limbs b) {
    return modular_mul(m, a, modular_encode(m, b));
}

/* Byte `at` of each lane's exponent, and 0 where the row has another width than the column. */
LANE_INLINE lane32 exponent_byte(const gecc_rows *column, size_t row, int rows, size_t at) {
    lane32 r = lane32_set(0);
    for (int lane = 0; lane < rows; lane++) {
        size_t width;
        const uint8_t *p = rows_at(column, row + (size_t)lane, &width);
        if (width == column->width)
            r = lane32_insert(r, lane, p[at]);
    }
    return r;
}

LANE_INLINE mask exponent_fits(const gecc_rows *column, size_t row, int rows) {
    mask fits = mask_set(1);
    for (int lane = 0; lane < rows; lane++) {
        size_t width;
        rows_at(column, row + (size_t)lane, &width);
        fits = mask_insert(fits, lane, width == column->width);
    }
    return fits;
}

/* r^16 * table[digit]; every entry is read. */
LANE_FUNCTION struct limbs power_step(const struct modulus *modulus, const struct limbs table[1 << POWER_WINDOW],
                                      struct limbs r, lane32 digit) {
    const struct modulus m = modulus_reduced(modulus, REDUCE_MONTGOMERY);
    struct limbs entry = table[0];
    for (int i = 0; i < POWER_WINDOW; i++)
        r = modular_sqr(&m, r);
    for (uint32_t i = 1; i < 1 << POWER_WINDOW; i++)
        entry = limbs_select(lane32_equal(digit, lane32_set(i)), table[i], entry);
    return modular_mul(&m, r, entry);
}

/* a^exponent mod m for any a below R: fixed windows of 4 bits.     8S + 2M a byte, and 17M */
LANE_INLINE struct limbs residue_power(uint32_t flags, const struct modulus *m, struct limbs a,
                                       const gecc_rows *exponent, size_t row, int rows) {
    struct limbs table[1 << POWER_WINDOW], r;
    table[0] = limbs_set(&m->one);
    table[1] = modular_encode(m, a);
    for (int i = 2; i < 1 << POWER_WINDOW; i++)
        table[i] = modular_mul(m, table[i - 1], table[1]);
    r = table[0];
    for (size_t at = 0; at < exponent->width; at++) {
        size_t from = (flags & GECC_LITTLE_ENDIAN) ? exponent->width - 1 - at : at;
        lane32 byte = exponent_byte(exponent, row, rows, from);
        r = power_step(m, table, r, byte >> POWER_WINDOW);
        r = power_step(m, table, r, byte & lane32_set((1 << POWER_WINDOW) - 1));
    }
    return modular_decode(m, r);
}

/* The results of a slot and their statuses; zeros where the status is not OK. */
LANE_INLINE void residue_write(const struct job *job, size_t row, int rows, struct limbs a, lane32 status) {
    a = limbs_select(status_is_ok(status), a, limbs_zero());
    integer_write(job->flags, &job->out[0], row, rows, job->modulus_bytes, a);
    status_write(&job->status, row, rows, status);
}

/* The result of a row of each lane. The operation is a constant. */
LANE_INLINE struct limbs mod_result(enum operation operation, const struct modulus *m, const struct job *job,
                                    size_t row, int rows, lane32 *status) {
    struct limbs a = integer_read(job->flags, &job->in[0], row, rows, job->modulus_bytes, status);
    if (operation == OPERATION_MOD_SQUARE)
        return residue_mul(m, a, a);
    if (operation == OPERATION_MOD_POWER) {
        status_require(status, exponent_fits(&job->in[1], row, rows), GECC_ITEM_MALFORMED_WIDTH);
        return residue_power(job->flags, m, a, &job->in[1], row, rows);
    }
    struct limbs b = integer_read(job->flags, &job->in[1], row, rows, job->modulus_bytes, status);
    if (operation == OPERATION_MOD_ADD)
        return residue_add(m, a, b);
    return operation == OPERATION_MOD_SUB ? residue_sub(m, a, b) : residue_mul(m, a, b);
}

LANE_INLINE gecc_result mod_rows(enum operation operation, const void *tables, const struct job *job, size_t first,
                                 size_t count) {
    const struct modulus given = chunk_modulus(tables, job), m = modulus_reduced(&given, REDUCE_MONTGOMERY);
    const struct worker w = worker_of_chunk((count + LANES - 1) / LANES);
    for (size_t slot = w.first; slot < w.count; slot += w.step) {
        size_t row = first + slot * LANES;
        int rows = lanes_filled(count, slot);
        lane32 status = status_ok();
        struct limbs r = mod_result(operation, &m, job, row, rows, &status);
        residue_write(job, row, rows, modular_canonical(&m, r), status);
    }
    return GECC_OK;
}

LANE_FUNCTION gecc_result mod_add(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                  size_t count) {
    return (void)arena, mod_rows(OPERATION_MOD_ADD, tables, job, first, count);
}

LANE_FUNCTION gecc_result mod_sub(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                  size_t count) {
    return (void)arena, mod_rows(OPERATION_MOD_SUB, tables, job, first, count);
}

LANE_FUNCTION gecc_result mod_mul(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                  size_t count) {
    return (void)arena, mod_rows(OPERATION_MOD_MUL, tables, job, first, count);
}

LANE_FUNCTION gecc_result mod_square(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                     size_t count) {
    return (void)arena, mod_rows(OPERATION_MOD_SQUARE, tables, job, first, count);
}

LANE_FUNCTION gecc_result mod_power(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                    size_t count) {
    return (void)arena, mod_rows(OPERATION_MOD_POWER, tables, job, first, count);
}

enum {
    MOD_SLOT_BYTES = LIMBS * (int)sizeof(limb) * LANES, /* of mod_inverse, the only one with a column */
    MOD_CHUNK_BYTES = 64 + (SLOT_GROUP - 1) * MOD_SLOT_BYTES
};

/* Slot i will be read next. */
LANE_INLINE void mod_prefetch(const struct job *job, size_t first, size_t i) {
    size_t width;
    bytes_prefetch(rows_at(&job->in[0], first + i * LANES, &width));
}

/* Rows are taken as they are, for a product x y / R of integers that are no representations is a product all the same:
 * with P[0] = 1, P[k] = a[k] P[k - 1] / R and the quotient I = 1 / P[count], a[k] has the inverse I P[k - 1] / R, and
 * a[k] I / R is the quotient for the entries before.     3M */

/* prefix[k] = P[k - 1] for my slots, 0 where that times a[k] is 0; such a[k] are left out. Returns the product of
 * all. */
LANE_INLINE struct limbs mod_multiply_up(const struct modulus *m, const struct worker *w, const struct job *job,
                                         size_t first, size_t count, limb *prefix) {
    struct limbs product = limbs_one();
    for (size_t i = w->first; i < w->count; i += w->step) {
        lane32 status = status_ok();
        int rows = lanes_filled(count, i);
        struct limbs a = integer_read(job->flags, &job->in[0], first + i * LANES, rows, job->modulus_bytes, &status);
        if (w->count - i > w->step)
            mod_prefetch(job, first, i + w->step);
        struct limbs next = modular_mul(m, a, product);
        mask zero = modular_is_zero(m, next);
        limbs_store(prefix, i, limbs_select(zero, limbs_zero(), product));
        product = limbs_select(zero, product, next);
    }
    return product;
}

/* The inverse of a alone, 0 where it has none: 1 / R by a / R. */
LANE_INLINE struct limbs residue_inverse(const struct modulus *m, struct limbs a) {
    mask exists;
    struct limbs s = modular_canonical(m, modular_mul(m, limbs_one(), limbs_one()));
    return modular_quotient(m, s, modular_mul(m, a, limbs_one()), &exists);
}

/* The way back: writes the inverses, given 1 / P[count]; or each alone, if one of a composite modulus has none. */
LANE_INLINE void mod_divide_down(const struct modulus *m, const struct worker *w, const struct job *job, size_t first,
                                 size_t count, const limb *prefix, struct limbs quotient, int alone) {
    if (w->first >= w->count)
        return;
    for (size_t i = worker_last(w);; i -= w->step) {
        lane32 status = status_ok();
        int rows = lanes_filled(count, i);
        struct limbs a = integer_read(job->flags, &job->in[0], first + i * LANES, rows, job->modulus_bytes, &status);
        struct limbs before = limbs_load(prefix, i), r;
        if (i != w->first)
            mod_prefetch(job, first, i - w->step);
        if (alone) {
            r = residue_inverse(m, a);
        } else {
            r = modular_mul(m, quotient, before);
            quotient = limbs_select(limbs_is_zero(before), quotient, modular_mul(m, a, quotient));
        }
        r = modular_canonical(m, r);
        status_require(&status, ~limbs_is_zero(r), GECC_ITEM_INVALID);
        residue_write(job, first + i * LANES, rows, r, status);
        if (i == w->first)
            break;
    }
}

/* `reduction`: that of the modulus, a constant. */
LANE_INLINE void mod_inverse_rows(const struct modulus *modulus, enum reduction reduction, struct arena *arena,
                                  const struct job *job, size_t first, size_t count) {
    const struct modulus m = modulus_reduced(modulus, reduction);
    const struct worker w = worker_of_chunk((count + LANES - 1) / LANES);
    limb *prefix = column_take(arena, w.count);
    mask exists;
    struct limbs product = mod_multiply_up(&m, &w, job, first, count, prefix);
    struct limbs quotient = worker_quotient(SHARED_INVERSION, &m, limbs_one(), product, &exists);
    LANE_DECLASSIFY(exists);
    mod_divide_down(&m, &w, job, first, count, prefix, quotient, mask_any(~exists));
}

LANE_FUNCTION gecc_result mod_inverse(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                      size_t count) {
    const struct modulus m = chunk_modulus(tables, job);
    if (WORDS == 8 && m.reduction == REDUCE_PSEUDO_MERSENNE)
        mod_inverse_rows(&m, REDUCE_PSEUDO_MERSENNE, arena, job, first, count);
    else if (WORDS == 8 && m.reduction == REDUCE_P256)
        mod_inverse_rows(&m, REDUCE_P256, arena, job, first, count);
    else if (WORDS == 8 && m.reduction == REDUCE_SM2)
        mod_inverse_rows(&m, REDUCE_SM2, arena, job, first, count);
    else if (WORDS == 12 && m.reduction == REDUCE_P384)
        mod_inverse_rows(&m, REDUCE_P384, arena, job, first, count);
    else
        mod_inverse_rows(&m, REDUCE_MONTGOMERY, arena, job, first, count);
    return GECC_OK;
}

#endif
