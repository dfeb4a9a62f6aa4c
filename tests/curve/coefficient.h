/* The coefficient a of a curve as an integer. Include a curve's constants first. */
#ifndef TESTS_CURVE_COEFFICIENT_H
#define TESTS_CURVE_COEFFICIENT_H

#include "../limbs/integers.h"
#include "field/modular.h"

static inline void curve_coefficient_a(mpz_t a, const struct curve *curve) {
    integer_from_limbs(a, modular_decode(&curve->p, limbs_set(&curve->a)));
}

#endif
