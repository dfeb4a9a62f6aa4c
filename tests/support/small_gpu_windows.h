/* As batch/gpu_windows.h, but with small public tables. */
#ifndef GECC_TESTS_SUPPORT_SMALL_GPU_WINDOWS_H
#define GECC_TESTS_SUPPORT_SMALL_GPU_WINDOWS_H

#define TABLES_IN_ONE_PIECE

enum {
    SECRET_WINDOW = WORDS > 8 ? 9 : 8,
    SECRET_EISENSTEIN = 0,
    SECRET_ODD = 1,
    PUBLIC_WINDOW = 12,
    BASE_SUMS = 1,
    BLOCK_SUMS = 0,
    AFFINE_SLOTS = 4
};

struct public_windows {
    uint32_t width, count;
};

/* A constant here; on a GPU the host sets it. */
LANE_CONSTANT struct public_windows gecc_public_windows = {PUBLIC_WINDOW,
                                                           (CURVE_BITS + PUBLIC_WINDOW - 1) / PUBLIC_WINDOW};

#endif
