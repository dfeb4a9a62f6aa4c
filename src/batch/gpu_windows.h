/* Widths of the windows of G's tables for a GPU: hundreds of MiB of public multiples, since gathers from its memory cost
 * little beside arithmetic; and one XYZZ accumulator a scalar (BASE_SUMS 1), but for public scalars on P-384, where
 * additions take longest beside what affine sums wait for in memory (BLOCK_SUMS). Measured: docs/performance.md. */
#ifndef GECC_BATCH_GPU_WINDOWS_H
#define GECC_BATCH_GPU_WINDOWS_H

/* GPUs of data centres have tens of GiB: 1.0 to 1.6 GB of them for a curve are 8 % fewer additions to k G than 0.3 to 0.4 GB. */
#if defined(__CUDA_ARCH__) &&                                                                                          \
    (__CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000 || __CUDA_ARCH__ == 1030)
enum { PUBLIC_WINDOW = WORDS > 8 ? 20 : 22 };
#else
enum { PUBLIC_WINDOW = WORDS > 8 ? 18 : 20 };
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
