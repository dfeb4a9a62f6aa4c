/* Lane programs of X25519 (RFC 7748). CURVE is Curve25519: u = (1 + y) / (1 - y). Numbers are little-endian. */
#ifndef GECC_SCHEME_X25519_H
#define GECC_SCHEME_X25519_H

#include "scheme/edwards_chunk.h"

/* Bits 0, 1, 2 and 255 cleared and bit 254 set: a multiple of 8 between 2^254 and 2^255, whatever k is. */
LANE_INLINE struct limbs scalar_clamp(struct limbs k) {
    lane32 w[WORDS];
    limbs_to_words(w, k);
    w[WORDS - 1] = w[WORDS - 1] & lane32_set(~UINT32_C(7));
    w[0] = (w[0] & lane32_set(0x7fffffff)) | lane32_set(0x40000000);
    return limbs_from_words(w);
}

/* Points of the Montgomery curve by their u alone: u = X / Z. */
struct ladder {
    fe x2, z2, x3, z3;
};

/* (x2, z2) = 2 (x2, z2), (x3, z3) = (x2, z2) + (x3, z3), whose difference is u (RFC 7748, section 5):
 *   A = x2 + z2, B = x2 - z2, E = A^2 - B^2, D A = (x3 - z3) A, C B = (x3 + z3) B;
 *   x3 = (D A + C B)^2, z3 = u (D A - C B)^2, x2 = A^2 B^2, z2 = E (B^2 + E (A + 2) / 4).     5M + 4S, and that of E */
LANE_STEP void ladder_step(struct ladder *l, const fe *u) {
    fe a = fe_add(l->x2, l->z2), b = fe_sub(l->x2, l->z2);
    fe da = fe_mul(fe_sub(l->x3, l->z3), a), cb = fe_mul(fe_add(l->x3, l->z3), b);
    fe aa = fe_sqr(a), bb = fe_sqr(b), e = fe_sub(aa, bb);
    l->x3 = fe_sqr(fe_add(da, cb));
    l->z3 = fe_mul(*u, fe_sqr(fe_sub(da, cb)));
    l->x2 = fe_mul(aa, bb);
    l->z2 = fe_mul(e, fe_add(bb, fe_mul_ladder(e)));
}

LANE_INLINE void ladder_swap_if(mask m, struct ladder *l) {
    struct ladder a = *l;
    l->x2 = fe_select(m, a.x3, a.x2);
    l->z2 = fe_select(m, a.z3, a.z2);
    l->x3 = fe_select(m, a.x2, a.x3);
    l->z3 = fe_select(m, a.z2, a.z3);
}

/* k u for a clamped k: X and Z, 0 for a u of small order. Constant time. */
LANE_FUNCTION struct ladder ladder_multiply(const struct limbs *k, const fe *u) {
    struct ladder l = {fe_one(), fe_zero(), *u, fe_one()};
    mask before = mask_set(0);
    LANE_LOOP for (unsigned i = 255; i-- > 0;) {
        mask bit = lane32_is_odd(limbs_bits(k, i, 1));
        worker_keep_pace();
        ladder_swap_if(bit ^ before, &l);
        ladder_step(&l, u);
        before = bit;
    }
    ladder_swap_if(before, &l);
    return l;
}

/* The u coordinate of each row, any 32 bytes: bit 255 is ignored, and numbers are taken modulo p. */
LANE_INLINE fe u_read(const gecc_rows *column, size_t row, int rows, lane32 *status) {
    mask odd;
    return fe_encode(encoding_split(integer_read(GECC_LITTLE_ENDIAN, column, row, rows, CURVE.bytes, status), &odd));
}

/* X and Z of each slot are in r_point.x and z: X / Z to out[0], INVALID where that is 0. */
LANE_INLINE void chunk_write_u(const struct edwards_chunk *c) {
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        struct limbs u = fe_decode(fe_mul(limbs_load(c->r_point.x, i), limbs_load(c->z, i)));
        status_require(&status, ~limbs_is_zero(u), GECC_ITEM_INVALID);
        u = limbs_select(status_is_ok(status), u, limbs_zero());
        integer_write(GECC_LITTLE_ENDIAN, &c->job->out[0], slot_row(c, i), slot_rows(c, i), CURVE.bytes, u);
        column32_store(c->status, i, status);
    }
    chunk_publish(c);
}

/* out[0] = X25519(in[0], in[1]). */
LANE_FUNCTION gecc_result x25519(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                 size_t count) {
    struct edwards_chunk c = edwards_chunk_open(arena, tables, job, first, count);
    const size_t end = worker_end(&c.worker);
    for (size_t i = c.worker.first; i < end; i += c.worker.step) {
        const size_t slot = worker_slot(&c.worker, i), row = slot_row(&c, slot);
        const int rows = slot_rows(&c, slot);
        lane32 status = status_ok();
        struct limbs k = integer_read(GECC_LITTLE_ENDIAN, &job->in[0], row, rows, CURVE.bytes, &status);
        fe u = u_read(&job->in[1], row, rows, &status);
        k = scalar_clamp(k);
        struct ladder l = ladder_multiply(&k, &u);
        if (i >= c.worker.count)
            continue;
        limbs_store(c.r_point.x, i, l.x2);
        limbs_store(c.z, i, l.z2);
        column32_store(c.status, i, status);
    }
    chunk_invert_z(&c, 1);
    chunk_write_u(&c);
    return GECC_OK;
}

/* out[0] = X25519(in[0], 9), by way of the Edwards curve, whose G has u = 9: u = (Z + Y) / (Z - Y), which is finite,
 * since no clamped k is a multiple of n. */
LANE_FUNCTION gecc_result x25519_public_key(struct arena *arena, const void *tables, const struct job *job,
                                            size_t first, size_t count) {
    struct edwards_chunk c = edwards_chunk_open(arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = status_ok();
        struct limbs k =
            integer_read(GECC_LITTLE_ENDIAN, &job->in[0], slot_row(&c, i), slot_rows(&c, i), CURVE.bytes, &status);
        k = scalar_decode(scalar_encode(scalar_clamp(k)));
        base_recode(SECRET, c.tables, &k, digits_at(c.a_digits, i));
        column32_store(c.status, i, status);
    }
    mask fault = chunk_multiply_base(&c, c.a_digits, c.r_point, 0);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        fe y = limbs_load(c.r_point.y, i), z = limbs_load(c.z, i);
        limbs_store(c.r_point.x, i, fe_add(z, y));
        limbs_store(c.z, i, fe_sub(z, y));
    }
    chunk_invert_z(&c, 1);
    LANE_DECLASSIFY(fault);
    chunk_write_u(&c);
    return mask_any(fault) ? GECC_ERROR_FAULT : GECC_OK;
}

#endif
