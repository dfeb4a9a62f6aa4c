/* A planted leak: d and k, whose sign the parity of a point decides, are negated by a branch.
 *
 * Test: fast */
enum { LIMBS = 4, WORDS = 8 };

#include "limbs/portable/multiply.h"

#include "curve/generated/secp256k1.gen.h"

#define scalar_neg scalar_neg_constant_time
#include "field/field.h"
#undef scalar_neg

/* -a; of 0, and of what is in the lowest bit odd, by another way. */
LANE_INLINE scalar scalar_neg(scalar a) {
    if (a.v[0] & 1) {
        __asm__ volatile("");
        return scalar_sub(limbs_zero(), a);
    }
    return scalar_neg_constant_time(a);
}

#include "leaky_schnorr.h"

#include <cmocka.h>

int main(void) { return leaky_schnorr(); }
