/* As small_gpu_windows.h, but without odd digits: those are for orders of which docs/constant-time.md proves that equal
 * points never meet, and in small groups they do. */
#ifndef GECC_TESTS_SUPPORT_SMALL_GROUP_WINDOWS_H
#define GECC_TESTS_SUPPORT_SMALL_GROUP_WINDOWS_H

#define TABLES_IN_ONE_PIECE

enum {
    SECRET_WINDOW = 8,
    SECRET_EISENSTEIN = 0,
    SECRET_ODD = 0,
    PUBLIC_WINDOW = 12,
    BASE_SUMS = 1,
    BLOCK_SUMS = 4,
    AFFINE_SLOTS = 4
};

struct public_windows {
    uint32_t width, count;
};

/* A constant here; on a GPU the host sets it. */
LANE_CONSTANT struct public_windows gecc_public_windows = {PUBLIC_WINDOW,
                                                           (CURVE_BITS + PUBLIC_WINDOW - 1) / PUBLIC_WINDOW};

#endif
