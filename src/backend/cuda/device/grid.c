#include "backend/cuda/device/grid.h"

#include "backend/least.h"

static size_t divide_up(size_t a, size_t b) { return a / b + (a % b != 0); }

enum { WARPS_SIDE_BY_SIDE = 128 }; /* threads, a warp for each scheduler of a multiprocessor */

struct grid gecc_grid_of(size_t count, size_t resident, const struct launch_info *info) {
    size_t threads = least(count, most(resident, divide_up(count, info->rows_a_thread)));
    size_t whole_blocks = most(resident / info->threads, 1);
    struct grid grid = {0, info->threads};
    for (unsigned fewer = WARPS_SIDE_BY_SIDE; fewer < info->threads && grid.threads == info->threads; fewer *= 2)
        if (divide_up(threads, fewer) <= whole_blocks)
            grid.threads = fewer;
    grid.blocks = (unsigned)divide_up(threads, grid.threads);
    return grid;
}
