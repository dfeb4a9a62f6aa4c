/* Tables that a warp of limbs/ptx/machine.h scans at once, on the tensor cores. Each lane's index makes a row of a
 * matrix: a one among zeros. The table's bytes are the other matrix, and the rows of the product are the entries that
 * the lanes want. The index is in values alone, in no address and no branch, and every lane of the warp takes part.
 * Entries have one integer or two; a table of more is several tables.
 *
 * mma.m16n8k32 multiplies 16 rows and 8 columns of 32 bytes: 32 entries, so a table has a multiple of that. Of a
 * product a lane has two columns in two rows; columns are assigned so that these are bytes of one word. Which piece of
 * a matrix is in which lane: PTX ISA, "Matrix Fragments for mma.m16n8k32". */
#ifndef GECC_LIMBS_PTX_SCAN_H
#define GECC_LIMBS_PTX_SCAN_H

#include "limbs/ptx/machine.h"

#define LIMBS_OWN_SCAN

enum {
    SCAN_ENTRIES = 32,                   /* of one product */
    SCAN_PARTS = LIMBS % 4 == 0 ? 1 : 2, /* of whose integers an entry has a multiple: four lanes share its words */
    SCAN_LANES = 32,                     /* that take part */
    SCAN_WORDS = LIMBS / 2 /* of a pair, that each of the four lanes has which share a row of the products */
};

/* The same of an entry of so many integers. */
LANE_INLINE unsigned scan_words(int integers) { return (unsigned)integers * LIMBS / 4; }

/* Where byte `byte` of limb `word` of entry `entry` stands, in bytes; of the entry each lane has `words`. Lane l loads
 * 16 bytes at once: of two products, which have a lower and an upper half of a word, column l / 4 of entries 8 (l mod
 * 4) to 8 (l mod 4) + 7. */
LANE_INLINE size_t scan_byte_at(unsigned words, unsigned entry, unsigned word, unsigned byte) {
    unsigned column = word / words * 2 + byte % 2, lane = column * 4 + entry % SCAN_ENTRIES / 8;
    size_t load = entry / SCAN_ENTRIES * words + word % words;
    return (load * SCAN_LANES + lane) * 16 + byte / 2 * 8 + entry % 8;
}

/* The table of integers 2 pair and 2 pair + 1 of entries of `parts` integers, and how many integers it has. */
struct scan_table {
    size_t at;
    int integers;
};

LANE_INLINE struct scan_table scan_table(int parts, unsigned entries, int pair) {
    struct scan_table r = {(size_t)pair * entries * 2 * LIMBS, parts - 2 * pair < 2 ? 1 : 2};
    return r;
}

/* Limb j < parts LIMBS of entry `entry` of a table. */
LANE_INLINE void limbs_scan_store(limb *table, int parts, unsigned entries, unsigned entry, unsigned j, limb value) {
    struct scan_table t = scan_table(parts, entries, (int)j / (2 * LIMBS));
    for (unsigned byte = 0; byte < 4; byte++)
        ((uint8_t *)(table + t.at))[scan_byte_at(scan_words(t.integers), entry, j % (2 * LIMBS), byte)] =
            (uint8_t)(value >> 8 * byte);
}

#ifdef __CUDACC__

#include "limbs/ptx/block.h"

/* d += a b for matrices of bytes. */
LANE_INLINE void bytes_multiply(uint32_t d[4], const uint32_t a[4], uint32_t b0, uint32_t b1) {
#if __CUDA_ARCH__ >= 800
    __asm__("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 "
            "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
            : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    /* the same by quarters: eight rows and half of the columns each */
    LANE_UNROLL for (int i = 0; i < 4;
                     i++) __asm__("mma.sync.aligned.m8n8k16.row.col.s32.u8.u8.s32 {%0, %1}, {%2}, {%3}, {%0, %1};" :
                                  "+r"(d[i % 2 * 2]), "+r"(d[i % 2 * 2 + 1]) : "r"(a[i]), "r"(i < 2 ? b0 : b1));
#endif
}

/* Eight bytes of a lane's row: a one at index mod 8. */
LANE_INLINE void scan_one(uint32_t one[2], lane32 index) {
    uint32_t bit = 1u << index % 4 * 8, upper = mask_from_bit(index >> 2 & 1);
    one[0] = bit & ~upper;
    one[1] = bit & upper;
}

/* The words of an entry that the products with the lower and the upper halves of words have in one row. */
LANE_INLINE void scan_words_store(limb *row, uint32_t halves[SCAN_WORDS][2][4], int words, int at) {
    LANE_UNROLL for (int word = 0; word < words; word++) {
        uint32_t low = halves[word][0][at] | halves[word][0][at + 1] << 8;
        uint32_t high = halves[word][1][at] | halves[word][1][at + 1] << 8;
        row[word] = low | high << 16;
    }
}

/* The entries of lanes `first` to `first` + 15, to shared memory. */
LANE_INLINE void scan_half_warp(limb *rows, const limb *table, int integers, unsigned entries, lane32 index,
                                unsigned first) {
    const unsigned lane = thread_lane(), part = lane % 4;
    const int words = (int)scan_words(integers);
    uint32_t sums[SCAN_WORDS][2][4], one[2][2];
    lane32 own[2]; /* of rows lane / 4 and lane / 4 + 8 */
    LANE_UNROLL for (int i = 0; i < 2; i++) {
        own[i] = __shfl_sync(~0u, index, (int)(first + lane / 4) + 8 * i);
        scan_one(one[i], own[i]);
    }
    LANE_UNROLL for (int i = 0; i < words * 8; i++) sums[i / 8][i / 4 % 2][i % 4] = 0;
    const uint4 *at = (const uint4 *)table + lane;
    LANE_UNROLL for (unsigned entry = 0; entry < entries; entry += SCAN_ENTRIES) {
        uint32_t a[4];
        LANE_UNROLL for (int i = 0; i < 2; i++) {
            mask here = lane32_equal(own[i] / 8, entry / 8 + part);
            a[i] = one[i][0] & here;
            a[i + 2] = one[i][1] & here;
        }
        LANE_UNROLL for (int word = 0; word < words; word++, at += SCAN_LANES) {
            uint4 b = *at;
            bytes_multiply(sums[word][0], a, b.x, b.y);
            bytes_multiply(sums[word][1], a, b.z, b.w);
        }
    }
    LANE_UNROLL for (int i = 0; i < 2; i++)
        scan_words_store(rows + (first + lane / 4 + 8 * i) * SHARED_WORDS + part * words, sums, words, 2 * i);
}

/* Lane l: entry index[l] of a table of one integer or two, zeros where the index is `entries` or more. */
LANE_INLINE void scan_integers(struct limbs *result, int integers, const limb *table, unsigned entries, lane32 index) {
    limb *rows = warp_memory(), *row = rows + thread_lane() * SHARED_WORDS, zeros[PIECE_LIMBS] = {0};
    __syncwarp();
    LANE_UNROLL for (unsigned first = 0; first < SCAN_LANES; first += 16)
        scan_half_warp(rows, table, integers, entries, index, first);
    __syncwarp();
    LANE_UNROLL for (int i = 0; i < integers * LIMBS; i += PIECE_LIMBS) {
        piece_load(result[i / LIMBS].v + i % LIMBS, row + i);
        piece_store(row + i, zeros);
    }
}

#else

/* The same of one lane, without tensor cores. */
LANE_INLINE void scan_integers(struct limbs *result, int integers, const limb *table, unsigned entries, lane32 index) {
    for (int i = 0; i < integers; i++)
        result[i] = limbs_zero();
    for (unsigned entry = 0; entry < entries; entry++)
        for (unsigned i = 0; i < 4 * (unsigned)integers * LIMBS; i++) {
            limb byte = ((const uint8_t *)table)[scan_byte_at(scan_words(integers), entry, i / 4, i % 4)];
            result[i / 4 / LIMBS].v[i / 4 % LIMBS] |= (byte << i % 4 * 8) & lane32_equal(index, entry);
        }
}

#endif

/* The same of a table of more integers an entry, a multiple of SCAN_PARTS. */
LANE_INLINE void limbs_scan(struct limbs *result, int parts, const limb *table, unsigned entries, lane32 index) {
    LANE_UNROLL for (int pair = 0; 2 * pair < parts; pair++) {
        struct scan_table t = scan_table(parts, entries, pair);
        scan_integers(result + 2 * pair, t.integers, table + t.at, entries, index);
    }
}

#endif
