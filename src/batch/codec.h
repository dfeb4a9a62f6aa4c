/* The caller's rows to lanes and back: digests, and points of the curve CURVE. What batch/integers.h says of rows and
 * lanes holds here. */
#ifndef GECC_BATCH_CODEC_H
#define GECC_BATCH_CODEC_H

#include "batch/integers.h"
#include "curve/point.h"

/* The leftmost bits of a digest of 20 to 64 bytes, as many as n has (FIPS 186-5, 6.4.1, step 2): an integer below R. */
LANE_INLINE struct limbs digest_read(const gecc_rows *column, size_t row, int rows, lane32 *status) {
    struct lane_words words;
    mask fits = mask_set(1);
    words_clear(&words);
    for (int lane = 0; lane < rows; lane++) {
        size_t width;
        const uint8_t *p = rows_at(column, row + (size_t)lane, &width);
        if (width >= 20 && width <= 64)
            words_read(&words, lane, p, width < CURVE.bytes ? width : CURVE.bytes);
        else
            fits = mask_insert(fits, lane, 0);
    }
    status_require(status, fits, GECC_ITEM_MALFORMED_WIDTH);
    return words_to_limbs(&words);
}

/* Points. */

enum point_encoding { POINT_BAD_WIDTH, POINT_BAD_PREFIX, POINT_FULL, POINT_X_EVEN, POINT_X_ODD };

/* What a row of `width` bytes holds, by its width and first byte; *x: where x starts. */
LANE_INLINE enum point_encoding point_row(const uint8_t *p, size_t width, const uint8_t **x) {
    *x = p + 1;
    if (width == 2 * CURVE.bytes) {
        *x = p;
        return POINT_FULL;
    }
    if (width == 2 * CURVE.bytes + 1)
        return p[0] == 4 ? POINT_FULL : POINT_BAD_PREFIX;
    if (width == CURVE.bytes + 1)
        return p[0] == 2 ? POINT_X_EVEN : p[0] == 3 ? POINT_X_ODD : POINT_BAD_PREFIX;
    return width == 1 && p[0] == 0 ? POINT_BAD_PREFIX : POINT_BAD_WIDTH;
}

/* y of the point whose x^3 + a x + b is `rhs` and whose parity is `odd`, given a root; *exists: whether it is one. */
LANE_INLINE fe point_root(fe root, fe rhs, mask odd, mask *exists) {
    *exists = fe_equal(fe_sqr(root), rhs);
    mask flip = limbs_is_odd(fe_decode(root)) ^ odd;
    return fe_select(flip, fe_neg(root), root);
}

/* y of the point with this x whose parity is `odd`, *exists: whether there is one. */
LANE_FUNCTION fe point_lift_x(fe x, mask odd, mask *exists) {
    fe rhs = curve_rhs(x);
    return point_root(fe_sqrt(rhs), rhs, odd, exists);
}

/* The same of n, one or as many as go in step. */
LANE_INLINE void point_lift_each(fe *y, const fe *x, const mask *odd, mask *exists, int n) {
    fe rhs[POWERS_IN_STEP];
    if (n == 1) {
        y[0] = point_lift_x(x[0], odd[0], exists);
        return;
    }
    for (int k = 0; k < n; k++)
        y[k] = rhs[k] = curve_rhs(x[k]);
    fe_sqrt_in_step(y);
    for (int k = 0; k < n; k++)
        y[k] = point_root(y[k], rhs[k], odd[k], &exists[k]);
}

/* The points of a slot's rows on their way: y, unless it is compressed, and then its parity. */
struct point_rows {
    struct affine point;
    mask compressed, odd;
    lane32 status;
};

LANE_STEP struct point_rows point_rows_read(uint32_t flags, const gecc_rows *column, size_t row, int rows) {
    struct lane_words x, y;
    mask width = mask_set(1), prefix = mask_set(1), compressed = mask_set(0), odd = mask_set(0);
    lane32 here = status_ok();
    words_clear(&x);
    words_clear(&y);
    for (int lane = 0; lane < rows; lane++) {
        size_t bytes;
        const uint8_t *p = rows_at(column, row + (size_t)lane, &bytes), *at;
        enum point_encoding encoding = point_row(p, bytes, &at);
        width = mask_insert(width, lane, encoding != POINT_BAD_WIDTH);
        prefix = mask_insert(prefix, lane, encoding != POINT_BAD_PREFIX);
        if (encoding < POINT_FULL)
            continue;
        words_read(&x, lane, at, CURVE.bytes);
        if (encoding == POINT_FULL)
            words_read(&y, lane, at + CURVE.bytes, CURVE.bytes);
        if ((flags & GECC_LITTLE_ENDIAN) && at == p) {
            words_byteswap(&x, lane, CURVE.bytes);
            words_byteswap(&y, lane, CURVE.bytes);
        }
        compressed = mask_insert(compressed, lane, encoding != POINT_FULL);
        odd = mask_insert(odd, lane, encoding == POINT_X_ODD);
    }
    struct limbs p = limbs_set(&CURVE.p.m), x_integer = words_to_limbs(&x), y_integer = words_to_limbs(&y);
    status_require(&here, width, GECC_ITEM_MALFORMED_WIDTH);
    status_require(&here, prefix, GECC_ITEM_MALFORMED_POINT_ENCODING);
    status_require(&here, limbs_less(x_integer, p) & limbs_less(y_integer, p), GECC_ITEM_MALFORMED_POINT_RANGE);
    struct point_rows r = {{fe_encode(x_integer), fe_encode(y_integer)}, compressed, odd, here};
    return r;
}

/* The compressed ones of n slots, one or as many as go in step. */
LANE_INLINE void point_rows_lift(struct point_rows *r, int n) {
    fe x[POWERS_IN_STEP], y[POWERS_IN_STEP];
    mask odd[POWERS_IN_STEP], exists[POWERS_IN_STEP], any = mask_set(0);
    for (int k = 0; k < n; k++)
        any = any | r[k].compressed;
    if (!mask_any(any))
        return;
    for (int k = 0; k < n; k++) {
        x[k] = r[k].point.x;
        odd[k] = r[k].odd;
    }
    point_lift_each(y, x, odd, exists, n);
    for (int k = 0; k < n; k++)
        r[k].point.y = fe_select(r[k].compressed, y[k], r[k].point.y);
}

/* The points, checked to be on the curve. Lanes that are refused give G. */
LANE_STEP struct affine point_rows_check(const struct point_rows *r, lane32 *status) {
    lane32 here = r->status;
    status_require(&here, affine_on_curve(r->point), GECC_ITEM_MALFORMED_POINT_OFF_CURVE);
    *status = lane32_select(mask_to_lane32(status_is_ok(*status)), here, *status);
    return affine_select(status_is_ok(here), r->point, affine_generator());
}

/* A point of each row, checked to be on the curve. Lanes that are refused read G. */
LANE_FUNCTION struct affine point_read(uint32_t flags, const gecc_rows *column, size_t row, int rows, lane32 *status) {
    struct point_rows r = point_rows_read(flags, column, row, rows);
    point_rows_lift(&r, 1);
    return point_rows_check(&r, status);
}

/* The encoding of the point with these canonical coordinates, which are words, to p; where not ok zeros. */
LANE_INLINE void point_write_words(uint32_t flags, uint8_t *p, gecc_point_format format, struct affine a, int ok) {
    lane32 w[2 * WORDS];
    uint32_t word[2 * WORDS];
    limbs_to_words(w, a.x);
    limbs_to_words(w + WORDS, a.y);
    LANE_UNROLL for (int i = 0; i < 2 * WORDS; i++) word[i] = lane32_extract(w[i], 0);
    if (format == GECC_POINT_COMPRESSED) {
        *p++ = ok ? (uint8_t)(2 + (word[2 * WORDS - 1] & 1)) : 0;
        words_write_row(p, word, WORDS);
        return;
    }
    if (format == GECC_POINT_UNCOMPRESSED)
        *p++ = ok ? 4 : 0;
    if ((flags & GECC_LITTLE_ENDIAN) && format == GECC_POINT_RAW) {
        row_byteswap(word);
        row_byteswap(word + WORDS);
    }
    words_write_row(p, word, 2 * WORDS);
}

/* The same to a row of a column, by way of memory that a GPU's warp shares. */
LANE_INLINE void point_write_row(uint32_t flags, uint8_t *p, size_t stride, gecc_point_format format, struct affine a,
                                 int ok) {
#ifdef LIMBS_THREADS
    size_t width = format == GECC_POINT_COMPRESSED ? 1 + CURVE.bytes
                                                   : (format == GECC_POINT_UNCOMPRESSED) + 2 * (size_t)CURVE.bytes;
    int adjoin = warp_rows_adjoin(p, stride, width);
    point_write_words(flags, adjoin ? warp_row(width) : p, format, a, ok);
    if (adjoin)
        warp_rows_write(p, width);
#else
    (void)stride;
    point_write_words(flags, p, format, a, ok);
#endif
}

/* To be called when all points are written, which may be secret. */
LANE_INLINE void point_rows_wipe(void) {
#ifdef LIMBS_THREADS
    warp_rows_wipe();
#endif
}

/* The point's encoding to each row; zeros where the status is not OK. */
LANE_INLINE void point_write(uint32_t flags, const gecc_out *column, gecc_point_format format, size_t row, int rows,
                             struct affine a, lane32 status) {
    struct lane_words x, y;
    a = affine_select(status_is_ok(status), a, affine_infinity());
    a.x = fe_decode(a.x);
    a.y = fe_decode(a.y);
    if (row_is_words(CURVE.bytes)) {
        point_write_row(flags, out_at(column, row), column->stride, format, a,
                        lane32_extract(status, 0) == GECC_ITEM_OK);
        return;
    }
    words_from_limbs(&x, a.x);
    words_from_limbs(&y, a.y);
    for (int lane = 0; lane < rows; lane++) {
        uint8_t *p = out_at(column, row + (size_t)lane);
        int ok = lane32_extract(status, lane) == GECC_ITEM_OK;
        if (format == GECC_POINT_COMPRESSED)
            *p++ = ok ? (uint8_t)(2 + (y.word[WORDS - 1][lane] & 1)) : 0;
        if (format == GECC_POINT_UNCOMPRESSED)
            *p++ = ok ? 4 : 0;
        if ((flags & GECC_LITTLE_ENDIAN) && format == GECC_POINT_RAW) {
            words_byteswap(&x, lane, CURVE.bytes);
            words_byteswap(&y, lane, CURVE.bytes);
        }
        words_write(p, &x, lane, CURVE.bytes);
        if (format != GECC_POINT_COMPRESSED)
            words_write(p + CURVE.bytes, &y, lane, CURVE.bytes);
    }
}

#endif
