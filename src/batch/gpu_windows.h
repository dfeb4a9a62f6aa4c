/* Widths of the windows of G's tables for a GPU, and one XYZZ accumulator a scalar (BASE_SUMS 1), but for public
 * scalars on P-384, where additions take longest beside what affine sums wait for in memory (BLOCK_SUMS). Public tables
 * take gigabytes where the device has them, since gathers from its memory cost little beside arithmetic. Measured:
 * docs/performance.md. */
#ifndef GECC_BATCH_GPU_WINDOWS_H
#define GECC_BATCH_GPU_WINDOWS_H

/* Public windows are as wide as this device has memory for: the host picks from PUBLIC_WIDTHS when it builds the
 * tables, and says so in gecc_public_windows. */
#define TABLES_IN_ONE_PIECE

#ifdef CURVE_IS_EDWARDS
enum { PUBLIC_WIDTH_MOST = 20, PUBLIC_WIDTH_STEP = 4 };
#else
enum { PUBLIC_WIDTH_MOST = WORDS > 12 ? 22 : WORDS > 8 ? 24 : 26, PUBLIC_WIDTH_STEP = 2 };
#endif
enum { PUBLIC_WIDTHS = 4 };

struct public_windows {
    uint32_t width, count;
};

extern "C" {
__constant__ struct public_windows gecc_public_windows;
}

/* SECRET_EISENSTEIN: with an endomorphism secret windows are digits of eisenstein.h; SECRET_ODD: on a curve of
 * Weierstrass form they are odd digits. BLOCK_SUMS: affine sums of a public scalar whose inversions a block of threads
 * shares; 0: none. */
enum {
    SECRET_WINDOW = WORDS > 8 ? 9 : 8,
    SECRET_EISENSTEIN = 0,
    SECRET_ODD = 1,
    BASE_SUMS = 1,
    BLOCK_SUMS = WORDS > 8 ? 4 : 0,
    AFFINE_SLOTS = 4
};

#endif
