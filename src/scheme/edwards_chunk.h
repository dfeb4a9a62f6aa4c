/* A chunk of rows on its way through a lane program of a curve of Edwards form, and the columns that these work on. */
#ifndef GECC_SCHEME_EDWARDS_CHUNK_H
#define GECC_SCHEME_EDWARDS_CHUNK_H

#include "batch/edwards_multiply.h"
#include "batch/integers.h"
#include "scheme/job.h"

/* A column of points, of which those that were multiples have Z: X / Z, Y / Z. */
struct edwards_columns {
    limb *x, *y;
};

struct edwards_chunk {
    const struct job *job;
    size_t first, count; /* rows of the job */
    struct worker worker;
    const void *tables;
    uint32_t *status;                     /* a gecc_item for each lane */
    uint32_t *a_digits, *r_digits;        /* EDWARDS_DIGITS a slot */
    limb *a, *r, *prefix, *challenge, *s; /* by the names of RFC 8032 */
    struct edwards_columns a_point, r_point;
    limb *z, *scratch; /* of both columns of points, one after the other; for inversions */
    limb *multiples;   /* MULTIPLES_LIMBS for each slot that is worked on at once */
};

enum {
    EDWARDS_DIGITS = SCALAR_WINDOWS, /* of either kind of window at most */
    EDWARDS_ELEMENTS = 5 + 2 * 2 + 2 + 2,
    EDWARDS_MULTIPLES_BYTES = MULTIPLES_LIMBS * (int)sizeof(limb),
    /* A GPU may have a thread for each slot. */
    CHUNK_SLOT_BYTES = (EDWARDS_ELEMENTS * LIMBS * (int)sizeof(limb) + (1 + 2 * EDWARDS_DIGITS) * 4) * LANES +
                       (SLOT_GROUP > 1 ? (int)EDWARDS_MULTIPLES_BYTES : 0),
    EDWARDS_COLUMNS = 15, /* each may lose up to 63 bytes to alignment */
    CHUNK_BYTES = 64 * EDWARDS_COLUMNS + (SLOT_GROUP - 1) * CHUNK_SLOT_BYTES + EDWARDS_MULTIPLES_BYTES
};

static_assert((int)SECRET_WINDOWS <= (int)EDWARDS_DIGITS, "there is room for the digits of G's multiples");

LANE_INLINE struct edwards_chunk edwards_chunk_open(struct arena *arena, const void *tables, const struct job *job,
                                                    size_t first, size_t count) {
    struct edwards_chunk c;
    size_t slots = (count + LANES - 1) / LANES;
    c.job = job;
    c.first = first;
    c.count = count;
    c.worker = worker_of_chunk(slots);
    c.tables = tables;
    c.status = columns32_take(arena, slots, 1);
    c.a_digits = columns32_take(arena, slots, EDWARDS_DIGITS);
    c.r_digits = columns32_take(arena, slots, EDWARDS_DIGITS);
    c.a = column_take(arena, slots);
    c.r = column_take(arena, slots);
    c.prefix = column_take(arena, slots);
    c.challenge = column_take(arena, slots);
    c.s = column_take(arena, slots);
    c.a_point.x = column_take(arena, slots);
    c.a_point.y = column_take(arena, slots);
    c.r_point.x = column_take(arena, slots);
    c.r_point.y = column_take(arena, slots);
    c.z = columns_take(arena, slots, 2);
    c.scratch = columns_take(arena, slots, 2);
    c.multiples = (limb *)arena_take(arena, (c.worker.step < slots ? c.worker.step : slots) * EDWARDS_MULTIPLES_BYTES);
    return c;
}

/* The first row of a slot, and how many of its lanes hold rows. */
LANE_INLINE size_t slot_row(const struct edwards_chunk *c, size_t slot) { return c->first + slot * LANES; }
LANE_INLINE int slot_rows(const struct edwards_chunk *c, size_t slot) { return lanes_filled(c->count, slot); }

LANE_INLINE uint32_t *digits_at(uint32_t *digits, size_t slot) {
    return digits + column_at(slot, EDWARDS_DIGITS, 0) * LANES;
}

/* Publish the statuses: the last thing a program does. */
LANE_FUNCTION void chunk_publish(const struct edwards_chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step)
        status_write(&c->job->status, slot_row(c, i), slot_rows(c, i), column32_load(c->status, i));
}

/* point = k G, its Z to column number `number` of z, for secret scalars k < n; their digits are kept. Withholds what is
 * not on the curve; returns whether anything was not. */
LANE_FUNCTION mask chunk_multiply_base(const struct edwards_chunk *c, uint32_t *all_digits,
                                       struct edwards_columns point, unsigned number) {
    mask any_fault = mask_set(0);
    const size_t end = worker_end(&c->worker);
    worker_wait();
    for (size_t i = c->worker.first; i < end; i += c->worker.step) {
        struct edwards p = base_multiply(SECRET, c->tables, digits_at(all_digits, worker_slot(&c->worker, i)));
        if (i >= c->worker.count)
            continue;
        lane32 status = column32_load(c->status, i);
        if (LANE_RECHECKS) {
            mask sound = edwards_is_sound(&p);
            any_fault = any_fault | (~sound & status_is_ok(status));
            status_require(&status, sound, GECC_ITEM_NOT_PROCESSED);
        }
        limbs_store(point.x, i, p.x);
        limbs_store(point.y, i, p.y);
        limbs_store(c->z, number * c->worker.count + i, p.z);
        column32_store(c->status, i, status);
    }
    return any_fault;
}

/* The digits of u and v for chunk_multiply_add_vartime, public integers below n. */
LANE_INLINE void chunk_recode_pair(const struct edwards_chunk *c, const struct limbs *u, const struct limbs *v,
                                   size_t slot) {
    const unsigned width = public_width(c->tables);
    recode_scalar(u, width, scalar_windows(width), digits_at(c->r_digits, slot));
    recode_scalar(v, POINT_WINDOW, SCALAR_WINDOWS, digits_at(c->a_digits, slot));
}

/* r_point = u G + v P for the digits and the affine points a_point, its Z to the first column of z. A worker without a
 * slot does what the last one's does. */
LANE_FUNCTION void chunk_multiply_add_vartime(const struct edwards_chunk *c) {
    const size_t end = worker_end(&c->worker);
    worker_wait();
    limb *multiples = c->multiples + worker_slot(&c->worker, c->worker.first) * MULTIPLES_LIMBS;
    for (size_t i = c->worker.first; i < end; i += c->worker.step) {
        const size_t slot = worker_slot(&c->worker, i);
        struct edwards p = edwards_from_affine(limbs_load(c->a_point.x, slot), limbs_load(c->a_point.y, slot));
        edwards_multiples_of(multiples, &p);
        p = edwards_multiply_add_vartime(multiples, digits_at(c->a_digits, slot), c->tables,
                                         digits_at(c->r_digits, slot));
        if (i >= c->worker.count)
            continue;
        limbs_store(c->r_point.x, i, p.x);
        limbs_store(c->r_point.y, i, p.y);
        limbs_store(c->z, i, p.z);
    }
}

/* z[i] = its inverse, 0 for 0, of the first `depth` columns. */
LANE_FUNCTION void chunk_invert_z(const struct edwards_chunk *c, size_t depth) {
    batch_inverse_modulo(SHARED_INVERSION, &c->worker, &CURVE.p, depth, c->z, c->scratch);
}

/* Encodings (RFC 8032, 5.1.2): y, and in bit 255 the parity of x. */

LANE_INLINE struct limbs encoding_sign_bit(void) {
    struct limbs_constant c = {{0}};
    c.v[255 / LIMB_BITS] = (limb)1 << 255 % LIMB_BITS;
    return limbs_set(&c);
}

/* The encoding of (x, y). */
LANE_INLINE struct limbs edwards_encode(fe x, fe y) {
    mask carry;
    return limbs_add(fe_decode(y), limbs_select(limbs_is_odd(fe_decode(x)), encoding_sign_bit(), limbs_zero()), &carry);
}

/* That of a slot's point, whose 1 / Z is in column number `number` of z. */
LANE_INLINE struct limbs chunk_encode(const struct edwards_chunk *c, struct edwards_columns point, unsigned number,
                                      size_t slot) {
    fe z = limbs_load(c->z, number * c->worker.count + slot);
    return edwards_encode(fe_mul(limbs_load(point.x, slot), z), fe_mul(limbs_load(point.y, slot), z));
}

/* The same; *sound, where machines look for faults: the point is on the curve, which it is not where X, Y, Z or 1 / Z
 * changed after it was computed. */
LANE_INLINE struct limbs chunk_encode_sound(const struct edwards_chunk *c, struct edwards_columns point,
                                            unsigned number, size_t slot, mask *sound) {
    fe z = limbs_load(c->z, number * c->worker.count + slot);
    fe x = fe_mul(limbs_load(point.x, slot), z), y = fe_mul(limbs_load(point.y, slot), z);
    *sound = LANE_RECHECKS ? edwards_contains(x, y) : mask_set(1);
    return edwards_encode(x, y);
}

/* What an encoding says: y, any integer below 2^255, and the parity of x. */
LANE_INLINE struct limbs encoding_split(struct limbs encoding, mask *odd) {
    mask borrow;
    *odd = lane32_is_odd(limbs_bits(&encoding, 255, 1));
    return limbs_sub(encoding, limbs_select(*odd, encoding_sign_bit(), limbs_zero()), &borrow);
}

#endif
