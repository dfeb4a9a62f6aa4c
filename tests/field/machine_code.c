/* A machine's arithmetic modulo the two numbers of a curve and its selections, each as a function, whose machine code
 * scripts/check-aarch64 looks at: no branch and no address may depend on a number. MACHINE and CURVE_CONSTANTS name the
 * headers, MACHINE_LIMBS and MACHINE_WORDS the numbers of limbs and words. */
enum { LIMBS = MACHINE_LIMBS, WORDS = MACHINE_WORDS };

#include MACHINE

#include CURVE_CONSTANTS

#include "field/field.h"

#define OPERATIONS(number)                                                                                             \
    void number##_mul(fe *r, const fe *a, const fe *b) { *r = modular_mul(&CURVE.number, *a, *b); }                    \
    void number##_sqr(fe *r, const fe *a) { *r = modular_sqr(&CURVE.number, *a); }                                     \
    void number##_add(fe *r, const fe *a, const fe *b) { *r = modular_add(&CURVE.number, *a, *b); }                    \
    void number##_sub(fe *r, const fe *a, const fe *b) { *r = modular_sub(&CURVE.number, *a, *b); }                    \
    void number##_half(fe *r, const fe *a) { *r = modular_half(&CURVE.number, *a); }                                   \
    void number##_canonical(fe *r, const fe *a) { *r = modular_canonical(&CURVE.number, *a); }                         \
    void number##_reduce_once(fe *r, const fe *a) { *r = modular_reduce_once(&CURVE.number, *a, 0); }                  \
    void number##_is_zero(mask *r, const fe *a) { *r = modular_is_zero(&CURVE.number, *a); }                           \
    void number##_equal(mask *r, const fe *a, const fe *b) { *r = modular_equal(&CURVE.number, *a, *b); }
OPERATIONS(p)
OPERATIONS(n)

void select_one(fe *r, const fe *a, const fe *b, lane32 bit) { *r = fe_select(lane32_is_odd(bit), *a, *b); }
void select_equal(fe *r, const fe *a, const fe *b, lane32 i) { *r = fe_select(lane32_equal(i, 7), *a, *b); }
void less(mask *r, const fe *a, const fe *b) { *r = limbs_less(*a, *b); }
void half(fe *r, const fe *a, mask carry) { *r = limbs_half(*a, carry); }
