/* A planted leak: a selection that branches.
 *
 * Test: fast */
enum { LIMBS = 4, WORDS = 8 };

#define limbs_select limbs_select_constant_time
#include "limbs/portable/machine.h"
#undef limbs_select

/* m ? a : b; the empty asm keeps compilers from turning the branch into a selection. */
LANE_INLINE struct limbs limbs_select(mask m, struct limbs a, struct limbs b) {
    if (m != 0) {
        __asm__ volatile("");
        return a;
    }
    return b;
}

#include "limbs/portable/multiply.h"

#include "curve/generated/p256.gen.h"

#include "leaky_programs.h"

#include <cmocka.h>

int main(void) { return leaky_programs(); }
