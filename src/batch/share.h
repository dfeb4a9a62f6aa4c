/* One inversion for what many workers have. */
#ifndef GECC_BATCH_SHARE_H
#define GECC_BATCH_SHARE_H

#include "field/modular.h"

/* Does a worker invert for itself, or one of a GPU's block for all? */
enum inversion { OWN_INVERSION, SHARED_INVERSION };

#ifdef __CUDACC__

#include "limbs/ptx_block.h"

/* A column in shared memory: my lane's residue of node `node`. Node w is a warp's; node block_warps() + w, what the products
 * have overwritten that went to another. */
LANE_INLINE struct limbs node_load(unsigned node) {
    return limbs_load((const limb *)block_memory, node * WARP_LANES + thread_lane());
}

LANE_INLINE void node_store(unsigned node, struct limbs a) {
    limbs_store((limb *)block_memory, node * WARP_LANES + thread_lane(), a);
}

/* Does my warp join its product with that of the warp `distance` further on? */
LANE_INLINE int warp_joins(unsigned distance) {
    return thread_warp() % (2 * distance) == 0 && thread_warp() + distance < block_warps();
}

/* Node 0 = the product of all warps' nodes, lane by lane. */
LANE_INLINE void nodes_multiply_up(const struct modulus *m) {
    LANE_LOOP for (unsigned distance = 1; distance < block_warps(); distance *= 2) {
        __syncthreads();
        if (warp_joins(distance)) {
            struct limbs a = node_load(thread_warp());
            node_store(block_warps() + thread_warp() + distance, a);
            node_store(thread_warp(), modular_mul(m, a, node_load(thread_warp() + distance)));
        }
    }
}

/* The way back: from the quotient of node 0 to those of all. */
LANE_INLINE void nodes_divide_down(const struct modulus *m) {
    unsigned distance = 1;
    while (distance < block_warps())
        distance *= 2;
    LANE_LOOP for (distance /= 2; distance > 0; distance /= 2) {
        __syncthreads();
        if (warp_joins(distance)) {
            unsigned other = thread_warp() + distance;
            struct limbs quotient = node_load(thread_warp());
            struct limbs a = node_load(block_warps() + other), b = node_load(other);
            node_store(thread_warp(), modular_mul(m, quotient, b));
            node_store(other, modular_mul(m, quotient, a));
        }
    }
}

/* modular_quotient of what my lane has in each warp: the products go up a tree of the block's warps, in a few steps, and
 * the first warp inverts for all. */
LANE_INLINE struct limbs block_quotient(const struct modulus *m, struct limbs s, struct limbs a, mask *exists) {
    __syncthreads();
    node_store(thread_warp(), a);
    nodes_multiply_up(m);
    __syncthreads();
    if (thread_warp() == 0)
        node_store(0, modular_quotient(m, s, node_load(0), exists));
    nodes_divide_down(m);
    __syncthreads();
    a = node_load(thread_warp());
    __syncthreads();
    node_store(thread_warp(), limbs_zero());
    node_store(block_warps() + thread_warp(), limbs_zero());
    __syncthreads(); /* the nodes lie in what other warps will use */
    *exists = ~limbs_is_zero(a);
    return a;
}

#endif

/* modular_quotient for each worker. To share an inversion all workers call it, those that have nothing to divide by with
 * a = 1; and where a result does not exist, others may not either. */
LANE_INLINE struct limbs worker_quotient(enum inversion inversion, const struct modulus *m, struct limbs s,
                                         struct limbs a, mask *exists) {
#ifdef __CUDACC__
    if (inversion == SHARED_INVERSION && block_warps() > 1)
        return block_quotient(m, s, a, exists);
#endif
    (void)inversion;
    return modular_quotient(m, s, a, exists);
}

#endif
