/* The caller's rows to lanes and back: integers and statuses. Byte-level code is scalar, a row at a time; checks on
 * numbers are lane code.
 *
 * `rows` below is how many lanes of a slot hold a row; the others read zero and are never written. */
#ifndef GECC_BATCH_INTEGERS_H
#define GECC_BATCH_INTEGERS_H

#include "batch/batch.h"
#include "batch/rows.h"
#include "limbs/bytes.h"

/* How many lanes of a slot hold one of `count` rows. */
LANE_INLINE int lanes_filled(size_t count, size_t slot) {
    size_t left = count - slot * LANES;
    return left < LANES ? (int)left : LANES;
}

/* A status for each lane: OK until the first check that fails. */
LANE_INLINE lane32 status_ok(void) { return lane32_set(GECC_ITEM_OK); }

/* Where the status is still OK and `passed` is false, it becomes `otherwise`. */
LANE_INLINE void status_require(lane32 *status, mask passed, gecc_item otherwise) {
    mask fails = ~passed & lane32_equal(*status, status_ok());
    *status = lane32_select(mask_to_lane32(fails), lane32_set((uint32_t)otherwise), *status);
}

LANE_INLINE mask status_is_ok(lane32 status) { return lane32_equal(status, status_ok()); }

/* Publish the statuses of a slot: the last thing that is done for its rows. One with a wrong bit above the byte that is
 * written, which is no status, reads NOT_PROCESSED; the call does not fail for it. */
LANE_INLINE void status_write(const gecc_out *column, size_t row, int rows, lane32 status) {
    LANE_DECLASSIFY(status);
    for (int lane = 0; lane < rows; lane++) {
        uint32_t item = lane32_extract(status, lane);
        *out_at(column, row + (size_t)lane) = (uint8_t)(item > UINT8_MAX ? (uint32_t)GECC_ITEM_NOT_PROCESSED : item);
    }
}

/* WORDS big-endian words of each lane. */
struct lane_words {
    uint32_t word[WORDS][LANES];
};

LANE_INLINE struct limbs words_to_limbs(const struct lane_words *words) {
    lane32 w[WORDS];
    for (int i = 0; i < WORDS; i++)
        w[i] = lane32_load(words->word[i]);
    return limbs_from_words(w);
}

LANE_INLINE void words_from_limbs(struct lane_words *words, struct limbs a) {
    lane32 w[WORDS];
    limbs_to_words(w, a);
    for (int i = 0; i < WORDS; i++)
        lane32_store(words->word[i], w[i]);
}

LANE_INLINE void words_clear(struct lane_words *words) {
    for (int i = 0; i < WORDS; i++)
        lane32_store(words->word[i], lane32_set(0));
}

/* One lane = the integer of `bytes` big-endian bytes, bytes <= 4 WORDS. */
LANE_INLINE void words_read(struct lane_words *words, int lane, const uint8_t *p, size_t bytes) {
    if (ALIGNED_ROWS && bytes == 4 * WORDS) {
        uint32_t row[WORDS];
        words_read_row(row, p, WORDS);
        LANE_UNROLL for (int i = 0; i < WORDS; i++) words->word[i][lane] = row[i];
        return;
    }
    for (int i = WORDS - 1; i >= 0; i--) {
        uint32_t x = 0;
        if (bytes >= 4) {
            x = word_read(p + bytes - 4);
            bytes -= 4;
        } else {
            for (size_t j = 0; j < bytes; j++)
                x |= (uint32_t)p[j] << 8 * (bytes - 1 - j);
            bytes = 0;
        }
        words->word[i][lane] = x;
    }
}

/* The last `bytes` bytes of one lane's integer, big-endian. */
LANE_INLINE void words_write(uint8_t *p, const struct lane_words *words, int lane, size_t bytes) {
    if (ALIGNED_ROWS && bytes == 4 * WORDS) {
        uint32_t row[WORDS];
        LANE_UNROLL for (int i = 0; i < WORDS; i++) row[i] = words->word[i][lane];
        words_write_row(p, row, WORDS);
        return;
    }
    for (int i = WORDS - 1; bytes > 0; i--) {
        uint32_t x = words->word[i][lane];
        if (bytes >= 4) {
            word_write(p + bytes - 4, x);
            bytes -= 4;
        } else {
            for (; bytes > 0; x >>= 8)
                p[--bytes] = (uint8_t)x;
        }
    }
}

/* Byte i of one lane's integer, from the lowest: where it stands. */
LANE_INLINE uint32_t *words_byte(struct lane_words *words, int lane, size_t i, unsigned *shift) {
    *shift = 8 * (unsigned)(i % 4);
    return &words->word[WORDS - 1 - i / 4][lane];
}

/* words_byteswap where that is not whole words. */
LANE_FUNCTION void words_byteswap_unaligned(struct lane_words *words, int lane, size_t bytes) {
    for (size_t low = 0, high = bytes - 1; low < high; low++, high--) {
        unsigned low_shift, high_shift;
        uint32_t *a = words_byte(words, lane, low, &low_shift), *b = words_byte(words, lane, high, &high_shift);
        uint32_t differ = (*a >> low_shift ^ *b >> high_shift) & 0xff;
        *a ^= differ << low_shift;
        *b ^= differ << high_shift;
    }
}

/* The `bytes` bytes of one lane's integer the other way round, from and to the caller's order. */
LANE_FUNCTION void words_byteswap(struct lane_words *words, int lane, size_t bytes) {
    if (bytes % 4 != 0) {
        words_byteswap_unaligned(words, lane, bytes);
        return;
    }
    int low = 0, high = (int)(bytes / 4) - 1;
    for (; low <= high; low++, high--) {
        uint32_t *a = &words->word[WORDS - 1 - low][lane], *b = &words->word[WORDS - 1 - high][lane], x = *a;
        *a = word_byteswap(*b);
        *b = word_byteswap(x);
    }
}

/* The same for words of a row. */
LANE_INLINE void row_byteswap(uint32_t *word) {
    LANE_UNROLL for (int i = 0; i < WORDS / 2; i++) {
        uint32_t x = word[i];
        word[i] = word_byteswap(word[WORDS - 1 - i]);
        word[WORDS - 1 - i] = word_byteswap(x);
    }
    if (WORDS % 2 != 0)
        word[WORDS / 2] = word_byteswap(word[WORDS / 2]);
}

/* Is a row of so many bytes one lane's words, which then stay in registers? */
LANE_INLINE int row_is_words(size_t bytes) { return LANES == 1 && ALIGNED_ROWS && bytes == 4 * WORDS; }

/* An integer of exactly `bytes` bytes from each row, in the order that GECC_LITTLE_ENDIAN among the flags says; lanes
 * of another width read 0 and are refused. */
LANE_INLINE struct limbs integer_read(uint32_t flags, const gecc_rows *column, size_t row, int rows, size_t bytes,
                                      lane32 *status) {
    struct lane_words words;
    mask fits = mask_set(1);
    if (row_is_words(bytes)) {
        size_t width;
        const uint8_t *p = rows_at(column, row, &width);
        uint32_t word[WORDS] = {0};
        lane32 w[WORDS];
        if (width == bytes)
            words_read_row(word, p, WORDS);
        if (flags & GECC_LITTLE_ENDIAN)
            row_byteswap(word);
        status_require(status, mask_set(width == bytes), GECC_ITEM_MALFORMED_WIDTH);
        LANE_UNROLL for (int i = 0; i < WORDS; i++) w[i] = lane32_set(word[i]);
        return limbs_from_words(w);
    }
    words_clear(&words);
    for (int lane = 0; lane < rows; lane++) {
        size_t width;
        const uint8_t *p = rows_at(column, row + (size_t)lane, &width);
        if (width == bytes)
            words_read(&words, lane, p, bytes);
        else
            fits = mask_insert(fits, lane, 0);
        if (flags & GECC_LITTLE_ENDIAN)
            words_byteswap(&words, lane, bytes);
    }
    status_require(status, fits, GECC_ITEM_MALFORMED_WIDTH);
    return words_to_limbs(&words);
}

LANE_INLINE void integer_write(uint32_t flags, const gecc_out *column, size_t row, int rows, size_t bytes,
                               struct limbs a) {
    struct lane_words words;
    if (row_is_words(bytes)) {
        lane32 w[WORDS];
        uint32_t word[WORDS];
        limbs_to_words(w, a);
        LANE_UNROLL for (int i = 0; i < WORDS; i++) word[i] = lane32_extract(w[i], 0);
        if (flags & GECC_LITTLE_ENDIAN)
            row_byteswap(word);
        words_write_row(out_at(column, row), word, WORDS);
        return;
    }
    words_from_limbs(&words, a);
    for (int lane = 0; lane < rows; lane++) {
        if (flags & GECC_LITTLE_ENDIAN)
            words_byteswap(&words, lane, bytes);
        words_write(out_at(column, row + (size_t)lane), &words, lane, bytes);
    }
}

#endif
