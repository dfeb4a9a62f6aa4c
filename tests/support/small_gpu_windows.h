/* As batch/gpu_windows.h, but with small public tables. */
#ifndef GECC_TESTS_SUPPORT_SMALL_GPU_WINDOWS_H
#define GECC_TESTS_SUPPORT_SMALL_GPU_WINDOWS_H

enum {
    SECRET_WINDOW = WORDS > 8 ? 9 : 8,
    SECRET_EISENSTEIN = 0,
    SECRET_ODD = 1,
    PUBLIC_WINDOW = 12,
    BASE_SUMS = 1,
    BLOCK_SUMS = 0,
    AFFINE_SLOTS = 4
};

#endif
