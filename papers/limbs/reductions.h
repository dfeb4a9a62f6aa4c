/* The reductions of the papers, as a translation unit brings them to the GPU's machine: OWN_REDUCTIONS. */
#ifndef PAPERS_LIMBS_REDUCTIONS_H
#define PAPERS_LIMBS_REDUCTIONS_H

#define REDUCE_APART ((enum reduction)REDUCE_OWN)           /* any odd m, after a product that is kept in two parts */
#define REDUCE_SM2_PAIRS ((enum reduction)(REDUCE_OWN + 1)) /* SM2's prime, likewise, two limbs at a time */
#define REDUCE_ROWS ((enum reduction)(REDUCE_OWN + 2))      /* any odd m, by rows of lower and of upper halves */
#define REDUCE_TWO_PASS ((enum reduction)(REDUCE_OWN + 3))  /* any odd m, by halves of limbs */
#define REDUCE_ROWS_SM2 ((enum reduction)REDUCE_OWN_PLAIN)  /* SM2's prime, by rows and the reduction of Solinas */

#include "papers/limbs/apart.h"
#include "papers/limbs/rows.h"
#include "papers/limbs/solinas.h"
#include "papers/limbs/two_pass.h"

/* Those modulo SM2's prime are for eight limbs. */
LANE_INLINE int reduction_is_own(enum reduction reduction) {
    return LIMBS == 8 ? reduction >= REDUCE_OWN
                      : reduction == REDUCE_APART || reduction == REDUCE_ROWS || reduction == REDUCE_TWO_PASS;
}

LANE_INLINE void own_product(const struct modulus *m, limb t[2 * LIMBS], const limb *a, const limb *b) {
    if (reduces_by_rows(m->reduction))
        rows_product(t, a, b);
    else if (m->reduction == REDUCE_TWO_PASS)
        two_pass_product(t, a, b);
    else
        limbs_product(t, a, b);
}

LANE_INLINE void own_square(const struct modulus *m, limb t[2 * LIMBS], const limb *a) {
    if (reduces_by_rows(m->reduction))
        rows_square(t, a);
    else if (m->reduction == REDUCE_TWO_PASS)
        two_pass_square(t, a);
    else
        limbs_square(t, a);
}

LANE_INLINE struct limbs own_reduce(const struct modulus *m, limb t[2 * LIMBS]) {
    if (LIMBS == 8 && m->reduction == REDUCE_SM2_PAIRS)
        return montgomery_reduce_sm2_pairs(m, t, t, 0);
    if (m->reduction == REDUCE_ROWS)
        return rows_reduce(m, t);
    if (LIMBS == 8 && m->reduction == REDUCE_ROWS_SM2)
        return solinas_reduce_sm2(m, t);
    if (m->reduction == REDUCE_TWO_PASS)
        return two_pass_reduce(m, t);
    return montgomery_reduce(m, t);
}

LANE_INLINE struct limbs own_mul(const struct modulus *m, struct limbs a, struct limbs b) {
    if (reduces_apart(m->reduction))
        return modular_mul_apart(m, a, b);
    limb t[2 * LIMBS];
    own_product(m, t, a.v, b.v);
    return own_reduce(m, t);
}

#endif
