#include "backend/cuda/card/plan.h"

#include "backend/least.h"

static size_t divide_up(size_t a, size_t b) { return a / b + (a % b != 0); }

/* Rows whose workspace and columns fit in `memory`; a block's at least. */
static size_t rows_that_fit(size_t memory, size_t staged, const struct launch_info *info) {
    size_t row = (size_t)info->row_bytes + staged;
    size_t left = memory > info->chunk_bytes ? memory - (size_t)info->chunk_bytes : 0;
    return row == 0 ? SIZE_MAX : most(left / row, info->threads);
}

enum {
    CHUNKS_TO_OVERLAP = 8, /* and no more, if that many fit */
    SHARE_TO_OVERLAP = 4   /* of rows_a_thread: with fewer rows on each thread inversions take what copies would */
};

/* Rows of a chunk: as many on each thread as share an inversion; or, where rows are copied, fewer, so that the first
 * chunk is computed while the next is copied. */
static size_t rows_of_chunk(const struct plan_input *input, const struct launch_info *info) {
    size_t rows_a_thread = info->rows_a_thread;
    if (input->staged != 0 && input->slots > 1)
        rows_a_thread = least(rows_a_thread, most(divide_up(rows_a_thread, SHARE_TO_OVERLAP),
                                                  divide_up(input->count, CHUNKS_TO_OVERLAP * input->resident)));
    return input->resident * rows_a_thread;
}

struct plan gecc_plan(const struct plan_input *input, const struct launch_info *info) {
    size_t wave = rows_of_chunk(input, info);
    struct plan plan = {.slots = 1};
    plan.rows = least(wave, rows_that_fit(input->memory, input->staged, info));
    if (input->count > plan.rows) {
        plan.slots = input->slots;
        plan.rows = least(wave, rows_that_fit(input->memory / input->slots, input->staged, info));
    }
    if (input->staged != 0)
        plan.rows = least(plan.rows, most(input->staging / input->staged, info->threads));
    size_t even = divide_up(input->count, divide_up(input->count, plan.rows));
    plan.rows = least(plan.rows, divide_up(even, info->threads) * info->threads);
    return plan;
}

size_t gecc_plan_halve(size_t rows, const struct launch_info *info) {
    return rows <= info->threads ? 0 : most(rows / 2, info->threads);
}

size_t gecc_plan_workspace(size_t count, const struct launch_info *info) {
    return (size_t)(info->row_bytes * count + info->chunk_bytes);
}
