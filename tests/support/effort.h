/* How much the tests try. With GECC_LONG_TESTS as much as they can; with GECC_SHORT_TESTS, for builds under sanitizers,
 * which take ten times as long, every path still, on fewer numbers. */
#ifndef TESTS_SUPPORT_EFFORT_H
#define TESTS_SUPPORT_EFFORT_H

#include <gecc/context.h>
#include <stddef.h>
#include <stdlib.h>

static inline int tests_are_long(void) { return getenv("GECC_LONG_TESTS") != NULL; }
static inline int tests_are_short(void) { return !tests_are_long() && getenv("GECC_SHORT_TESTS") != NULL; }

/* How often a random case is tried: `fast` times, a tenth as often in short tests, `slow` times in long ones. */
static inline size_t repetitions(size_t fast, size_t slow) {
    return tests_are_long() ? slow : tests_are_short() ? fast / 10 + 1 : fast;
}

/* Short tests leave out curves that differ from one of these in their constants and the number of limbs alone;
 * known_answers/write.py leaves out the same. */
static inline int curve_is_tried(gecc_curve curve) {
    return curve == GECC_SECP256K1 || curve == GECC_SM2 || curve == GECC_P521 || curve == GECC_BRAINPOOL_P256R1 ||
           curve == GECC_CURVE25519 || !tests_are_short();
}

#endif
