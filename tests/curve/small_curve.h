/* CURVE as a variable, to put small groups in its place. The includer has included a generated header with CURVE
 * renamed to FIELD_CURVE, which keeps p, a and how residues are reduced; telling the compiler so folds what the library
 * folds. */
#ifndef TESTS_CURVE_SMALL_CURVE_H
#define TESTS_CURVE_SMALL_CURVE_H

#ifdef __CUDACC__
static __constant__ struct curve small_curve;
#else
static struct curve small_curve;
#endif

LANE_INLINE const struct curve *small_curve_of_field(void) {
    if (small_curve.p.reduction != FIELD_CURVE.p.reduction || small_curve.n.reduction != REDUCE_MONTGOMERY ||
        small_curve.a_form != FIELD_CURVE.a_form || small_curve.has_glv != FIELD_CURVE.has_glv ||
        small_curve.bytes != FIELD_CURVE.bytes)
        __builtin_unreachable();
    return &small_curve;
}

#define CURVE (*small_curve_of_field())

#endif
