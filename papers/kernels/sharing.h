/* What an inversion costs, and where sharing one pays: gECC, sections 2.2, 3.1 and 3.2. */
#ifndef PAPERS_KERNELS_SHARING_H
#define PAPERS_KERNELS_SHARING_H

#include "papers/kernels/rapid.h"

/* How a column is inverted: each row for itself, by division steps or by Fermat's theorem; or by Montgomery's trick
 * over the rows of a thread, whose product is inverted by the thread, by the block's first warp for all warps, by the
 * first warp of each scheduler for those, or by one thread for each scheduler, as section 3.2 has it. */
enum sharing { EACH_BY_STEPS, EACH_BY_FERMAT, OF_THREADS, OF_BLOCKS, OF_SCHEDULERS, ONE_A_SCHEDULER };

#ifndef SHARING_OWN_SCHEDULER_INVERSE
/* 1 / a, where a worker has no fellows. */
LANE_INLINE struct limbs scheduler_inverse(const struct modulus *m, struct limbs a) {
    mask exists;
    return modular_inverse(m, a, &exists);
}
#endif

/* The inverse of a thread's product. */
LANE_INLINE fe shared_inverse(enum sharing sharing, fe product) {
    mask exists;
    if (sharing == ONE_A_SCHEDULER)
        return scheduler_inverse(&CURVE.p, product);
    enum inversion inversion = sharing == OF_THREADS  ? OWN_INVERSION
                               : sharing == OF_BLOCKS ? SHARED_INVERSION
                                                      : SCHEDULER_INVERSION;
    return worker_quotient(inversion, &CURVE.p, limbs_set(&CURVE.p.r_squared), product, &exists);
}

/* A column of elements becomes their inverses, 0 for 0. */
LANE_INLINE void column_invert(enum sharing sharing, const struct worker *w, limb *values, limb *prefix) {
    if (sharing == EACH_BY_STEPS || sharing == EACH_BY_FERMAT) {
        LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step) {
            fe a = limbs_load(values, i);
            limbs_store(values, i, sharing == EACH_BY_STEPS ? fe_inverse(a) : modular_fermat(&CURVE.p, a));
        }
        return;
    }
    fe inverse = shared_inverse(sharing, batch_multiply_up(w, &CURVE.p, 1, values, prefix));
    if (w->first < w->count)
        batch_divide_down(w, &CURVE.p, 1, values, prefix, inverse);
}

/* out = 1 / in modulo p, 0 for 0: rows of CURVE.bytes, any integers. */
LANE_INLINE void inverse_rows(enum sharing sharing, struct arena *arena, const struct job *job, size_t first,
                              size_t count) {
    const struct worker w = worker_of_chunk(count);
    limb *prefix = column_take(arena, count), *values = column_take(arena, count);
    lane32 status = status_ok();
    for (size_t i = w.first; i < w.count; i += w.step)
        limbs_store(values, i, fe_encode(integer_read(job->flags, &job->in[0], first + i, 1, CURVE.bytes, &status)));
    column_invert(sharing, &w, values, prefix);
    for (size_t i = w.first; i < w.count; i += w.step)
        integer_write(job->flags, &job->out[0], first + i, 1, CURVE.bytes, fe_decode(limbs_load(values, i)));
}

/* out = G + times P, by additions: of affine points by batches, or of one in Jacobian coordinates for each row. */
LANE_INLINE gecc_result add_rows(int affine, uint32_t times, struct arena *arena, const struct job *job, size_t first,
                                 size_t count) {
    struct papers p = papers_open(arena, job, first, count);
    const struct worker *w = &p.c.worker;
    chunk_read_points(&p.c, &job->in[0], p.c.points, 1);
    for (size_t i = w->first; i < w->count; i += w->step)
        affine_store(p.c.m.points, i, affine_generator());
    LANE_LOOP for (uint32_t n = 0; n < times && affine; n++) batch_add_pairs(OWN_INVERSION, &p);
    LANE_LOOP for (size_t i = w->first; i < w->count && !affine; i += w->step) {
        struct affine a = affine_load(p.c.points, i);
        struct jacobian r = jacobian_from_affine(affine_generator());
        LANE_LOOP for (uint32_t n = 0; n < times; n++) jacobian_add_affine(&r, &a);
        jacobian_keep(&p, p.c.m.points, i, &r);
    }
    if (!affine)
        batch_normalise(w, p.c.m.points, p.z, p.prefix);
    chunk_write_points(&p.c);
    return GECC_OK;
}

#endif
