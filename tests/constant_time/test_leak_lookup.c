/* A planted leak: the table is searched for an entry, and the search stops where it is found.
 *
 * Test: fast */
enum { LIMBS = 4, WORDS = 8 };

#include "limbs/portable/multiply.h"

#define lane32_equal(a, b) leaky_equal(a, b)
/* a = b, as a branch. */
LANE_INLINE mask leaky_equal(lane32 a, lane32 b) {
    if (a == b) {
        __asm__ volatile("");
        return mask_set(1);
    }
    return mask_set(0);
}

#include "curve/generated/p256.gen.h"

#include "leaky_programs.h"

#include <cmocka.h>

int main(void) { return leaky_programs(); }
