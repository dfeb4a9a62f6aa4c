/* Hashes of whole messages: in every lane a message of its own width. Public data: timing depends on the widths.
 *
 * A message is the concatenation of whole words that are the same number for all lanes, its head, if there are any, and
 * up to MESSAGE_SEGMENTS segments. Lanes whose message has ended are selected out. */
#ifndef GECC_HASH_MESSAGE_H
#define GECC_HASH_MESSAGE_H

/* Include the machine's lanes (limbs/lanes_*.h) first. */

#include <string.h>

#include "batch/rows.h"
#include "hash/compress.h"
#include "hash/keccak.h"

enum { MESSAGE_SEGMENTS = 4, MESSAGE_WORDS_MAX = 34 };

/* A piece of each lane's message: width[lane] bytes at data[lane]. No alignment is needed. */
struct segment {
    const uint8_t *data[LANES];
    size_t width[LANES];
};

/* The rows of a column that start at `row`, one a lane; lanes past the last have nothing. */
LANE_INLINE struct segment message_segment(const gecc_rows *column, size_t row, int rows) {
    struct segment message;
    for (int lane = 0; lane < LANES; lane++) {
        message.data[lane] = NULL;
        message.width[lane] = 0;
        if (lane < rows)
            message.data[lane] = rows_at(column, row + (size_t)lane, &message.width[lane]);
    }
    return message;
}

enum { FOLD_PARTS = 4, FOLD_BYTES = 8 * FOLD_PARTS };

LANE_INLINE uint64_t rotate64(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

LANE_INLINE void fold_block(uint64_t part[FOLD_PARTS], const uint8_t *block) {
    for (int j = 0; j < FOLD_PARTS; j++) {
        uint64_t word;
        memcpy(&word, block + 8 * j, sizeof word);
        part[j] = rotate64(part[j], 7) + word;
    }
}

/* fold[lane] = 64 bits of what it was and of the lane's bytes, by which rows that are read twice are known again:
 * another bit, width or address makes another one. It is no hash: somebody who chooses the bytes finds two with one
 * fold. */
LANE_FUNCTION void segment_fold(uint64_t fold[LANES], const struct segment *segment) {
    for (int lane = 0; lane < LANES; lane++) {
        uint64_t part[FOLD_PARTS] = {fold[lane], segment->width[lane]};
        uint8_t last[FOLD_BYTES] = {0};
        const uint8_t *at = segment->data[lane];
        size_t left = segment->width[lane];
        for (; left >= FOLD_BYTES; left -= FOLD_BYTES, at += FOLD_BYTES)
            fold_block(part, at);
        if (left != 0)
            memcpy(last, at, left);
        fold_block(part, last);
        fold[lane] = part[0] ^ rotate64(part[1], 16) ^ rotate64(part[2], 32) ^ rotate64(part[3], 48);
    }
}

/* The messages of all lanes, and how many bytes and blocks (padding included) they have. `before`: bytes that have been
 * hashed before, in whole blocks. */
struct message {
    const lane32 *head; /* big-endian, less than a block of them */
    int head_words;
    struct segment segments[MESSAGE_SEGMENTS];
    int count;
    size_t before;
    size_t bytes[LANES];
    size_t blocks[LANES];
    size_t blocks_max;
};

/* One block of each lane: word[i][lane], big-endian. */
struct message_block {
    uint32_t word[MESSAGE_WORDS_MAX][LANES];
};

/* 32-bit words of a block: the rate of Keccak-256 is 136 bytes. */
LANE_INLINE int message_block_words(gecc_hash kind) { return kind == GECC_KECCAK256 ? 34 : hash_block_words(kind); }

LANE_INLINE size_t message_block_bytes(gecc_hash kind) { return 4 * (size_t)message_block_words(kind); }

/* The fewest bytes of padding: the mark, and the length where the hash has one. */
LANE_INLINE size_t message_padding_bytes(gecc_hash kind) {
    return kind == GECC_KECCAK256 ? 1 : hash_is_wide(kind) ? 17 : 9;
}

LANE_INLINE uint32_t load32_big_endian(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

LANE_INLINE void store32_big_endian(uint8_t *p, uint32_t x) {
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

LANE_INLINE size_t message_head_bytes(const struct message *message) { return 4 * (size_t)message->head_words; }

/* Where the lane's bytes from `position` on are, if one segment has a whole block of them; else NULL. */
LANE_INLINE const uint8_t *message_find(gecc_hash kind, const struct message *message, int lane, size_t position) {
    const size_t block_bytes = message_block_bytes(kind);
    size_t start = message_head_bytes(message);
    for (int s = 0; s < message->count; s++) {
        const size_t width = message->segments[s].width[lane];
        if (start <= position && position + block_bytes <= start + width)
            return message->segments[s].data[lane] + (position - start);
        start += width;
    }
    return NULL;
}

/* bytes = the lane's block at `position`, put together from its segments and the padding, with zeros for the head. */
LANE_INLINE void message_assemble(gecc_hash kind, uint8_t *bytes, const struct message *message, int lane,
                                  size_t position) {
    const size_t block_bytes = message_block_bytes(kind), end = position + block_bytes;
    const size_t total = message->bytes[lane];
    size_t start = message_head_bytes(message);
    memset(bytes, 0, block_bytes);
    for (int s = 0; s < message->count; s++) {
        const size_t width = message->segments[s].width[lane];
        const size_t from = start < position ? position : start, to = start + width < end ? start + width : end;
        if (from < to)
            memcpy(bytes + (from - position), message->segments[s].data[lane] + (from - start), to - from);
        start += width;
    }
    if (position <= total && total < end)
        bytes[total - position] = kind == GECC_KECCAK256 ? 0x01 : 0x80;
    if (end != message->blocks[lane] * block_bytes)
        return;
    if (kind == GECC_KECCAK256) {
        bytes[block_bytes - 1] |= 0x80;
    } else {
        const uint64_t hashed = (uint64_t)total + message->before;
        store32_big_endian(bytes + block_bytes - 8, (uint32_t)(hashed >> 29));
        store32_big_endian(bytes + block_bytes - 4, (uint32_t)(hashed << 3));
    }
}

/* Block number `index` of each lane's padded message, or its last where it has fewer; all ones where it has that
 * many. */
LANE_INLINE lane32 message_read(gecc_hash kind, struct message_block *block, const struct message *message,
                                size_t index) {
    uint32_t present[LANES];
    uint8_t assembled[4 * MESSAGE_WORDS_MAX];
    for (int lane = 0; lane < LANES; lane++) {
        const size_t last = message->blocks[lane] - 1,
                     position = (index < last ? index : last) * message_block_bytes(kind);
        const uint8_t *bytes = message_find(kind, message, lane, position);
        if (!bytes) {
            message_assemble(kind, assembled, message, lane, position);
            bytes = assembled;
        }
        LANE_UNROLL
        for (int i = 0; i < message_block_words(kind); i++)
            block->word[i][lane] = load32_big_endian(bytes + 4 * i);
        present[lane] = index <= last ? ~(uint32_t)0 : 0;
    }
    if (index == 0)
        for (int i = 0; i < message->head_words; i++)
            lane32_store(block->word[i], message->head[i]);
    return lane32_load(present);
}

/* Fill in the fields that follow from the segments, and from the bytes hashed before. Each lane's message is shorter
 * than 2^61 bytes. */
LANE_INLINE void message_measure(gecc_hash kind, struct message *message, size_t before) {
    const size_t block_bytes = message_block_bytes(kind);
    VERIFY(before % block_bytes == 0);
    message->before = before;
    message->blocks_max = 0;
    for (int lane = 0; lane < LANES; lane++) {
        size_t bytes = message_head_bytes(message);
        for (int s = 0; s < message->count; s++)
            bytes += message->segments[s].width[lane];
        const size_t blocks = (bytes + message_padding_bytes(kind) + block_bytes - 1) / block_bytes;
        message->bytes[lane] = bytes;
        message->blocks[lane] = blocks;
        if (message->blocks_max < blocks)
            message->blocks_max = blocks;
    }
}

/* words = hash of each lane's message, for the hashes of compress.h, from the chaining value that they hold: the
 * initial value, or that after what was hashed before. */
LANE_INLINE void message_chain(gecc_hash kind, lane32 *words, const struct message *message) {
    struct message_block block;
    lane32 input[BLOCK_WORDS_MAX], next[CHAIN_WORDS_MAX];
    for (size_t b = 0; b < message->blocks_max; b++) {
        lane32 present = message_read(kind, &block, message, b);
        LANE_UNROLL
        for (int i = 0; i < hash_block_words(kind); i++)
            input[i] = lane32_load(block.word[i]);
        LANE_UNROLL
        for (int i = 0; i < hash_chain_words(kind); i++)
            next[i] = words[i];
        hash_compress(kind, next, input);
        LANE_UNROLL
        for (int i = 0; i < hash_chain_words(kind); i++)
            words[i] = lane32_select(present, next[i], words[i]);
    }
}

/* The bytes of each 32-bit word in reverse. */
LANE_INLINE lane32 lane32_reverse_bytes(lane32 x) {
    return (lane32_rotate_left(x, 8) & lane32_set(0x00ff00ff)) | (lane32_rotate_left(x, 24) & lane32_set(0xff00ff00));
}

/* words = Keccak-256 of each lane's message. Keccak is little-endian. */
LANE_INLINE void message_sponge(lane32 *words, const struct message *message) {
    struct message_block block;
    lane64 state[25], next[25];
    LANE_UNROLL
    for (int i = 0; i < 25; i++)
        state[i] = lane64_set(0);
    for (size_t b = 0; b < message->blocks_max; b++) {
        lane32 present = message_read(GECC_KECCAK256, &block, message, b);
        lane64 present64 = lane64_join(present, present);
        LANE_UNROLL
        for (int i = 0; i < 25; i++)
            next[i] = state[i];
        LANE_UNROLL
        for (int i = 0; i < 17; i++) {
            lane32 low = lane32_reverse_bytes(lane32_load(block.word[2 * i]));
            lane32 high = lane32_reverse_bytes(lane32_load(block.word[2 * i + 1]));
            next[i] ^= lane64_join(high, low);
        }
        keccak_permute(next);
        LANE_UNROLL
        for (int i = 0; i < 25; i++)
            state[i] = lane64_select(present64, next[i], state[i]);
    }
    LANE_UNROLL
    for (int i = 0; i < 4; i++) {
        words[2 * i] = lane32_reverse_bytes(lane64_low(state[i]));
        words[2 * i + 1] = lane32_reverse_bytes(lane64_high(state[i]));
    }
}

/* 32-bit words of a digest, of any hash but GECC_HASH_DEFAULT. */
LANE_INLINE int message_digest_words(gecc_hash kind) { return kind == GECC_KECCAK256 ? 8 : hash_digest_words(kind); }

/* words = the digest of each lane's message, of which head, segments and count are given; `kind` as for
 * hash_message. */
LANE_INLINE void message_hash(gecc_hash kind, lane32 *words, struct message *message) {
    VERIFY(message->count <= MESSAGE_SEGMENTS && message->head_words < message_block_words(kind));
    message_measure(kind, message, 0);
    if (kind == GECC_KECCAK256) {
        message_sponge(words, message);
    } else {
        hash_initial(kind, words);
        message_chain(kind, words, message);
    }
}

/* digest[lane] = hash of the lane's message, the concatenation of its `count` segments (at most MESSAGE_SEGMENTS).
 * digest[lane]: gecc_hash_bytes(kind) bytes, written when all messages have been read. kind is a constant, any hash but
 * GECC_HASH_DEFAULT. */
LANE_INLINE void hash_message(gecc_hash kind, uint8_t *const *digest, const struct segment *segments, int count) {
    struct message message;
    lane32 words[CHAIN_WORDS_MAX];
    uint32_t word[LANES];
    const int digest_words = message_digest_words(kind);
    message.head = NULL;
    message.head_words = 0;
    message.count = count;
    for (int s = 0; s < count; s++)
        message.segments[s] = segments[s];
    message_hash(kind, words, &message);
    LANE_UNROLL
    for (int i = 0; i < digest_words; i++) {
        lane32_store(word, words[i]);
        for (int lane = 0; lane < LANES; lane++)
            store32_big_endian(digest[lane] + 4 * i, word[lane]);
    }
}

#endif
