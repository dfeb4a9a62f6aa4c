/* One inversion for the numbers of many workers. */
#ifndef GECC_BATCH_SHARE_H
#define GECC_BATCH_SHARE_H

#include "field/modular.h"

/* Does a worker invert for itself, or one of a GPU's block for all, or one of the warps that share a scheduler for
 * those? */
enum inversion { OWN_INVERSION, SHARED_INVERSION, SCHEDULER_INVERSION };

#ifdef LIMBS_THREADS

#include "limbs/ptx/block.h"

/* Shared memory of each warp holds two columns of residues: its lanes' own, and residues that products have
 * overwritten. */
enum node { NODE, NODE_BEFORE };

LANE_INLINE struct limbs node_load(unsigned warp, enum node node) {
    return limbs_load(warp_memory_of(warp) + node * WARP_LANES * LIMBS, thread_lane());
}

LANE_INLINE void node_store(unsigned warp, enum node node, struct limbs a) {
    limbs_store(warp_memory_of(warp) + node * WARP_LANES * LIMBS, thread_lane(), a);
}

/* The warps that share an inversion: every `step`th of the block. */
struct team {
    unsigned step, warps;
};

LANE_INLINE struct team block_team(enum inversion inversion) {
    struct team team = {1, block_warps()};
    if (inversion == SCHEDULER_INVERSION) {
        team.step = SCHEDULERS;
        team.warps /= SCHEDULERS;
    }
    return team;
}

LANE_INLINE void team_wait(const struct team *team) {
    if (team->step == 1)
        __syncthreads();
    else
        scheduler_wait();
}

LANE_INLINE unsigned team_warp(const struct team *team) { return thread_warp() / team->step; }

/* Does my warp join its product with that of the warp `distance` further on? */
LANE_INLINE int warp_joins(const struct team *team, unsigned distance) {
    return team_warp(team) % (2 * distance) == 0 && team_warp(team) + distance < team->warps;
}

/* The first warp's node = the product of all warps' nodes, lane by lane. */
LANE_INLINE void nodes_multiply_up(const struct team *team, const struct modulus *m) {
    LANE_LOOP for (unsigned distance = 1; distance < team->warps; distance *= 2) {
        team_wait(team);
        if (warp_joins(team, distance)) {
            unsigned other = thread_warp() + distance * team->step;
            struct limbs a = node_load(thread_warp(), NODE);
            node_store(other, NODE_BEFORE, a);
            node_store(thread_warp(), NODE, modular_mul(m, a, node_load(other, NODE)));
        }
    }
}

/* The way back: from the quotient of the first warp's node to those of all. */
LANE_INLINE void nodes_divide_down(const struct team *team, const struct modulus *m) {
    unsigned distance = 1;
    while (distance < team->warps)
        distance *= 2;
    LANE_LOOP for (distance /= 2; distance > 0; distance /= 2) {
        team_wait(team);
        if (warp_joins(team, distance)) {
            unsigned other = thread_warp() + distance * team->step;
            struct limbs quotient = node_load(thread_warp(), NODE);
            struct limbs a = node_load(other, NODE_BEFORE), b = node_load(other, NODE);
            node_store(thread_warp(), NODE, modular_mul(m, quotient, b));
            node_store(other, NODE, modular_mul(m, quotient, a));
        }
    }
}

/* modular_quotient of my lane's number in each warp: the products go up a tree of the team's warps, in a few steps, and
 * its first warp inverts for all. */
LANE_INLINE struct limbs team_quotient(const struct team *team, const struct modulus *m, struct limbs s, struct limbs a,
                                       mask *exists) {
    __syncwarp();
    node_store(thread_warp(), NODE, a);
    nodes_multiply_up(team, m);
    if (team_warp(team) == 0)
        node_store(thread_warp(), NODE, modular_quotient(m, s, node_load(thread_warp(), NODE), exists));
    nodes_divide_down(team, m);
    team_wait(team);
    a = node_load(thread_warp(), NODE);
    node_store(thread_warp(), NODE, limbs_zero());
    node_store(thread_warp(), NODE_BEFORE, limbs_zero());
    __syncwarp();
    *exists = ~limbs_is_zero(a);
    return a;
}

#endif

/* modular_quotient for each worker. To share an inversion all workers call it, workers that have nothing to divide by
 * with a = 1; and where a result does not exist, others may not either. */
LANE_INLINE struct limbs worker_quotient(enum inversion inversion, const struct modulus *m, struct limbs s,
                                         struct limbs a, mask *exists) {
#ifdef LIMBS_THREADS
    struct team team = block_team(inversion);
    if (inversion != OWN_INVERSION && team.warps > 1)
        return team_quotient(&team, m, s, a, exists);
#endif
    (void)inversion;
    return modular_quotient(m, s, a, exists);
}

#endif
