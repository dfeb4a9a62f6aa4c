/* Widths of the windows of G's tables for a GPU, and one XYZZ accumulator a scalar (BASE_SUMS 1), but for public scalars on
 * P-384, where additions take longest beside what affine sums wait for in memory (BLOCK_SUMS). Public tables take gigabytes
 * where the device has them, since gathers from its memory cost little beside arithmetic. Measured: docs/performance.md. */
#ifndef GECC_BATCH_GPU_WINDOWS_H
#define GECC_BATCH_GPU_WINDOWS_H

/* The public windows of this device: the host picks one of PUBLIC_WIDTHS when it builds the tables, by the memory that there
 * is, and writes it here. */
#define PUBLIC_WINDOWS_VARY
struct public_windows {
    uint32_t width, count;
};
#ifdef __CUDACC__
extern "C" {
__constant__ struct public_windows gecc_public_windows = {PUBLIC_WIDTH_LEAST, 0};
}
#endif

/* SECRET_EISENSTEIN: with an endomorphism secret windows are digits of eisenstein.h; SECRET_ODD: they are odd digits.
 * BLOCK_SUMS: affine sums of a public scalar whose inversions a block of threads shares; 0: none. */
enum {
    SECRET_WINDOW = WORDS > 8 ? 9 : 8,
    SECRET_EISENSTEIN = 0,
    SECRET_ODD = 1,
    BASE_SUMS = 1,
    BLOCK_SUMS = WORDS > 8 ? 4 : 0,
    AFFINE_SLOTS = 4
};

#endif
