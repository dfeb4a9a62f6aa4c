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

/* y of the point with this x whose parity is `odd`, *exists: whether there is one. */
LANE_FUNCTION fe point_lift_x(fe x, mask odd, mask *exists) {
    fe rhs = curve_rhs(x);
    fe y = fe_sqrt(rhs);
    *exists = fe_equal(fe_sqr(y), rhs);
    mask flip = limbs_is_odd(fe_decode(y)) ^ odd;
    return fe_select(flip, fe_neg(y), y);
}

/* A point of each row, checked to be on the curve. Lanes that are refused read G. */
LANE_FUNCTION struct affine point_read(uint32_t flags, const gecc_rows *column, size_t row, int rows, lane32 *status) {
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
    struct affine a = {fe_encode(x_integer), fe_encode(y_integer)};
    if (mask_any(compressed)) {
        mask exists;
        fe lifted = point_lift_x(a.x, odd, &exists);
        a.y = fe_select(compressed, lifted, a.y);
    }
    status_require(&here, affine_on_curve(a), GECC_ITEM_MALFORMED_POINT_OFF_CURVE);
    *status = lane32_select(mask_to_lane32(status_is_ok(*status)), here, *status);
    return affine_select(status_is_ok(here), a, affine_generator());
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
