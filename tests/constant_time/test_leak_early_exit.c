/* A planted leak: the check that a key or nonce is less than n stops at the first limb that differs.
 *
 * Test: fast */
enum { LIMBS = 4, WORDS = 8 };

#define limbs_less limbs_less_constant_time
#include "limbs/portable/machine.h"
#undef limbs_less

/* a < b. */
LANE_INLINE mask limbs_less(struct limbs a, struct limbs b) {
    for (int i = LIMBS - 1; i >= 0; i--)
        if (a.v[i] != b.v[i])
            return mask_set(a.v[i] < b.v[i]);
    return 0;
}

#include "limbs/portable/multiply.h"

#include "curve/generated/p256.gen.h"

#include "leaky_programs.h"

#include <cmocka.h>

int main(void) { return leaky_programs(); }
