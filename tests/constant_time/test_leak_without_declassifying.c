/* Not a leak, but shown as one: without LANE_DECLASSIFY the statuses of secret rows are secret, and decide what is
 * written. So the annotation is what keeps the other tests quiet, and each of its uses needs the argument it has in
 * docs/constant-time.md.
 *
 * Test: fast */
enum { LIMBS = 4, WORDS = 8 };

#include "limbs/attributes.h"
#undef LANE_DECLASSIFY
#define LANE_DECLASSIFY(value) ((void)0)

#include "limbs/portable/multiply.h"

#include "curve/generated/p256.gen.h"

#include "leaky_programs.h"

#include <cmocka.h>

int main(void) { return leaky_programs(); }
