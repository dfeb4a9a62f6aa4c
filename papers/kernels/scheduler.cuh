/* One inversion by one thread for all warps of a scheduler: gECC, section 3.2. Comes before sharing.h. */
#ifndef PAPERS_KERNELS_SCHEDULER_CUH
#define PAPERS_KERNELS_SCHEDULER_CUH

#include "batch/share.h"

/* sharing.h has no other then. */
#define SHARING_OWN_SCHEDULER_INVERSE

LANE_INLINE struct limbs lane_load(enum node node, unsigned lane) {
    return limbs_load(warp_memory() + node * WARP_LANES * LIMBS, lane);
}

LANE_INLINE void lane_store(enum node node, unsigned lane, struct limbs a) {
    limbs_store(warp_memory() + node * WARP_LANES * LIMBS, lane, a);
}

/* The nodes of my warp's lanes become their inverses, by my lane alone. */
LANE_INLINE void lanes_invert(const struct modulus *m) {
    mask exists;
    struct limbs product = limbs_set(&m->one);
    LANE_LOOP for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        lane_store(NODE_BEFORE, lane, product);
        product = modular_mul(m, product, lane_load(NODE, lane));
    }
    struct limbs inverse = modular_quotient(m, limbs_set(&m->r_squared), product, &exists);
    LANE_LOOP for (unsigned lane = WARP_LANES; lane-- > 0;) {
        struct limbs a = lane_load(NODE, lane);
        lane_store(NODE, lane, modular_mul(m, inverse, lane_load(NODE_BEFORE, lane)));
        inverse = modular_mul(m, inverse, a);
    }
}

/* 1 / a, of which one thread of each scheduler computes one for all of its warps. */
LANE_INLINE struct limbs scheduler_inverse(const struct modulus *m, struct limbs a) {
    struct team team = block_team(SCHEDULER_INVERSION);
    __syncwarp();
    node_store(thread_warp(), NODE, a);
    nodes_multiply_up(&team, m);
    __syncwarp();
    if (team_warp(&team) == 0 && thread_lane() == 0)
        lanes_invert(m);
    __syncwarp();
    nodes_divide_down(&team, m);
    team_wait(&team);
    a = node_load(thread_warp(), NODE);
    __syncwarp();
    return a;
}

#endif
