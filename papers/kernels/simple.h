/* A multiplication of points without any technique but the field's arithmetic, as Zheng et al. have it (section 4.2:
 * papers/results.md): a thread for each row, Jacobian coordinates, bit after bit, branches on bits, and Fermat's
 * theorem. The paper says no more of it. CURVE has whatever arithmetic the includer has given it. */
#ifndef PAPERS_KERNELS_SIMPLE_H
#define PAPERS_KERNELS_SIMPLE_H

#include "papers/kernels/rapid.h"

/* m.points = k P for the scalars of p->bits and P of c.points: doubles and adds, from the highest bit on.
 * 32 WORDS (4M + 4S), 8M + 3S for each 1, and an inversion; a warp adds where one of its lanes does */
LANE_INLINE void simple_multiply(const struct papers *p) {
    const struct worker *w = &p->c.worker;
    LANE_LOOP for (size_t i = w->first; i < w->count; i += w->step) {
        struct affine q = affine_load(p->c.points, i);
        struct jacobian r = jacobian_infinity();
        r.x = fe_zero(); /* jacobian_add_affine_vartime */
        LANE_LOOP for (unsigned bit = SCALAR_BITS; bit-- > 0;) {
            jacobian_double(&r);
            if (bit_at(p, i, bit))
                jacobian_add_affine_vartime(&r, &q);
        }
        jacobian_keep(p, p->c.m.points, i, &r);
    }
    points_normalise(FERMAT_INVERSIONS, p, p->c.m.points);
}

/* out = k P, as ec_mul. */
LANE_INLINE gecc_result simple_mul(struct arena *arena, const struct job *job, size_t first, size_t count) {
    struct papers p = papers_open(arena, job, first, count);
    const struct worker *w = &p.c.worker;
    for (size_t i = w->first; i < w->count; i += w->step) {
        lane32 status = status_ok();
        bits_store(&p, i, scalar_read(job->flags, &job->in[0], slot_row(&p.c, i), slot_rows(&p.c, i), &status));
        column32_store(p.c.status, i, status);
    }
    chunk_read_points(&p.c, &job->in[1], p.c.points, 0);
    simple_multiply(&p);
    chunk_write_points(&p.c);
    return GECC_OK;
}

#endif
