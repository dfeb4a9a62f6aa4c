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
};

enum {
    EDWARDS_DIGITS = SCALAR_WINDOWS, /* of either kind of window at most */
    EDWARDS_ELEMENTS = 5 + 2 * 2 + 2 + 2,
    EDWARDS_SLOT_BYTES = (EDWARDS_ELEMENTS * LIMBS * (int)sizeof(limb) + (1 + 2 * EDWARDS_DIGITS) * 4) * LANES,
    EDWARDS_COLUMNS = 14, /* each may lose up to 63 bytes to alignment */
    EDWARDS_CHUNK_BYTES = 64 * EDWARDS_COLUMNS + (SLOT_GROUP - 1) * EDWARDS_SLOT_BYTES
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

/* The tables of multiples of G that the program was given. */
LANE_INLINE const limb *chunk_secret_table(const struct edwards_chunk *c) {
    return (const limb *)((const struct base_tables *)c->tables)->secret;
}
LANE_INLINE const limb *chunk_public_table(const struct edwards_chunk *c) {
    return (const limb *)((const struct base_tables *)c->tables)->public_rows;
}
LANE_INLINE unsigned chunk_public_width(const struct edwards_chunk *c) {
    return ((const struct base_tables *)c->tables)->public_width;
}
LANE_INLINE unsigned chunk_public_windows(const struct edwards_chunk *c) {
    return ((const struct base_tables *)c->tables)->public_windows;
}

/* point = k G, its Z to column number `number` of z, for secret scalars k < n; their digits are kept. Withholds what is not on
 * the curve; returns whether anything was not. */
LANE_FUNCTION mask chunk_multiply_base(const struct edwards_chunk *c, uint32_t *all_digits,
                                       struct edwards_columns point, unsigned number) {
    mask any_fault = mask_set(0);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        struct edwards p = edwards_multiply_base(chunk_secret_table(c), digits_at(all_digits, i));
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

/* z[i] = its inverse, 0 for 0, of the first `depth` columns. */
LANE_FUNCTION void chunk_invert_z(const struct edwards_chunk *c, size_t depth) {
    batch_inverse_modulo(SHARED_INVERSION, &c->worker, &CURVE.p, depth, c->z, c->scratch);
}

/* Do the digits that a multiple of G was made from belong to k? */
LANE_FUNCTION mask chunk_digits_match(uint32_t *all_digits, size_t slot, struct limbs k) {
    uint32_t again[SECRET_WINDOWS * SLOT_GROUP * LANES];
    const uint32_t *digits = digits_at(all_digits, slot);
    lane32 differ = lane32_set(0);
    edwards_base_recode(&k, again);
    for (unsigned i = 0; i < SECRET_WINDOWS; i++)
        differ = differ | (digit_load(digits, i) ^ digit_load(again, i));
    return lane32_equal(differ, lane32_set(0));
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

/* The same; *sound, where machines look for faults: the point is on the curve, which it is not where X, Y, Z or 1 / Z changed
 * after it was computed. */
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
