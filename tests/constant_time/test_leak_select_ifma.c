/* A planted leak in the IFMA machine, on the model of its instructions: a selection that branches.
 *
 * Test: fast */
enum { LIMBS = 5, WORDS = 8 };

#define limbs_select limbs_select_constant_time
#include "limbs/ifma/lanes.h"

#include "limbs/vector/machine.h"
#undef limbs_select

/* m ? a : b, lane by lane; the empty asm keeps compilers from turning the branch into a selection. */
LANE_INLINE struct limbs limbs_select(mask m, struct limbs a, struct limbs b) {
    for (int lane = 0; lane < LANES; lane++)
        if (m >> lane & 1) {
            __asm__ volatile("");
            for (int i = 0; i < LIMBS; i++)
                b.v[i][lane] = a.v[i][lane];
        }
    return b;
}

#include "limbs/ifma/multiply.h"

#include "curve/generated/p256.gen.h"

#include "leaky_programs.h"

#include <cmocka.h>

int main(void) { return leaky_programs(); }
