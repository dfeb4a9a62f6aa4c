/* The mark of a slot's messages, made before they are hashed for nonces and again after they are hashed for challenges.
 * Were a message another one then, by a wrong bit in it or in its address, two signatures would have one nonce, which
 * tells the key. ECDSA and SM2 need none: their equations have the one integer e. */
#ifndef GECC_SCHEME_MESSAGE_MARK_H
#define GECC_SCHEME_MESSAGE_MARK_H

#include <assert.h>

#include "hash/message.h"

static_assert(WORDS >= 2, "an integer holds a fold");

/* As an integer below 2^64. contexts: of the same rows, or without data. */
LANE_FUNCTION struct limbs message_mark(const gecc_rows *messages, const gecc_rows *contexts, size_t row, int rows) {
    uint64_t fold[LANES] = {0};
    uint32_t half[2][LANES];
    lane32 words[WORDS];
    struct segment segment = message_segment(messages, row, rows);
    segment_fold(fold, &segment);
    if (contexts->data) {
        segment = message_segment(contexts, row, rows);
        segment_fold(fold, &segment);
    }
    for (int lane = 0; lane < LANES; lane++) {
        half[0][lane] = (uint32_t)fold[lane];
        half[1][lane] = (uint32_t)(fold[lane] >> 32);
    }
    for (int i = 0; i < WORDS; i++)
        words[i] = i < 2 ? lane32_load(half[i]) : lane32_set(0);
    return limbs_from_words(words);
}

#endif
