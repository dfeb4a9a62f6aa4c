/* The kernels of programs.h on SM2: names are an operation and a way, by the paper's words for what is left out. The
 * includer has included the machine and the curve's constants. */
#ifndef PAPERS_KERNELS_POINTS_CUH
#define PAPERS_KERNELS_POINTS_CUH

#include "papers/kernels/kernel.cuh"
#include "papers/kernels/programs.h"

/* What kernels do: multiply G or any point, add two points, sign, verify. */
enum task { TASK_FPMUL, TASK_UPMUL, TASK_ADD, TASK_SIGN, TASK_VERIFY };

LANE_INLINE struct arena launch_arena(const struct launch *l) {
    struct arena arena = {(uint8_t *)l->workspace, l->workspace_bytes, 0};
    return arena;
}

/* `ways` is a constant, which folds. */
LANE_INLINE void points_task(enum task task, const struct ways ways, const struct launch *l) {
    struct arena arena = launch_arena(l);
    const limb *powers = (const limb *)l->tables;
    gecc_result result;
    if (task == TASK_FPMUL)
        result = papers_mul_base(&ways, &arena, powers, &l->job, l->first, l->count);
    else if (task == TASK_UPMUL)
        result = papers_mul(&ways, &arena, &l->job, l->first, l->count);
    else if (task == TASK_ADD)
        result = papers_add(&arena, &l->job, l->first, l->count);
    else if (task == TASK_SIGN)
        result = papers_sign(&ways, &arena, powers, &l->job, l->first, l->count);
    else
        result = papers_verify(&ways, &arena, powers, &l->job, l->first, l->count);
    if (result != GECC_OK)
        *l->faults = 1;
}

#define KERNEL_OF_POINTS(name, task, ...)                                                                              \
    KERNEL_OF_PAPERS(name, BLOCK_THREADS, const struct ways ways = __VA_ARGS__; points_task(task, ways, &l))

KERNEL_OF_PAPERS(powers, BLOCK_THREADS, struct worker w = worker_of_chunk(SCALAR_BITS);
                 powers_fill(&w, (limb *)l.tables))

extern "C" {
__device__ struct papers_sizes gecc_papers_sizes = {PAPERS_SLOT_BYTES, PAPERS_BYTES, BLOCK_THREADS,
                                                    SCALAR_BITS *ROW_LIMBS * sizeof(limb)};
}

#endif
