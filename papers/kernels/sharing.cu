/* Inversions that are shared in different ways, and additions of points that share them or need none. */
enum { LIMBS = 8, WORDS = 8, BLOCK_THREADS = 512 };

#define BATCH_WINDOWS "batch/gpu_windows.h"
#include "papers/limbs/multiply.h"

/* What the curve says of its prime, alone. */
#define REDUCE_SM2 REDUCE_SM2_PAIRS
#include "curve/generated/sm2.gen.h"
#undef REDUCE_SM2

#include "papers/kernels/scheduler.cuh"
#include "papers/kernels/sharing.h"

#include "papers/kernels/points.cuh"

#define KERNEL_OF_INVERSES(name, sharing)                                                                              \
    KERNEL_OF_PAPERS(inverse_##name, BLOCK_THREADS, struct arena arena = launch_arena(&l);                             \
                     inverse_rows(sharing, &arena, &l.job, l.first, l.count))

KERNEL_OF_INVERSES(each_by_steps, EACH_BY_STEPS)
KERNEL_OF_INVERSES(each_by_fermat, EACH_BY_FERMAT)
KERNEL_OF_INVERSES(of_threads, OF_THREADS)
KERNEL_OF_INVERSES(of_blocks, OF_BLOCKS)
KERNEL_OF_INVERSES(of_schedulers, OF_SCHEDULERS)
KERNEL_OF_INVERSES(one_a_scheduler, ONE_A_SCHEDULER)

#define KERNEL_OF_SUMS(name, affine)                                                                                   \
    KERNEL_OF_PAPERS(padd_##name, BLOCK_THREADS, struct arena arena = launch_arena(&l);                                \
                     add_rows(affine, o.times, &arena, &l.job, l.first, l.count))

KERNEL_OF_SUMS(affine, 1)
KERNEL_OF_SUMS(jacobian, 0)
