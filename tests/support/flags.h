/* Sets of flags that an operation may be called with. */
#ifndef TESTS_SUPPORT_FLAGS_H
#define TESTS_SUPPORT_FLAGS_H

#include <gecc/gecc.h>

static inline int is_at_most_one(uint32_t flags) { return (flags & (flags - 1)) == 0; }

/* The next set of flags that mean something to the operation and go together on the curve, of those from none on; none:
 * that was the last. Without GECC_PREHASH and GECC_LITTLE_ENDIAN, which have tests of their own. */
static inline uint32_t next_flags(const gecc_operation *operation, gecc_curve curve, uint32_t flags) {
    const uint32_t rules = GECC_ACCEPT_REF10 | GECC_ACCEPT_STRICT | GECC_ACCEPT_ZIP215;
    uint32_t all = operation->flags & ~(uint32_t)(GECC_PREHASH | GECC_LITTLE_ENDIAN);
    if (curve != GECC_SECP256K1)
        all &= ~(uint32_t)GECC_ANY_S; /* other curves have no low s to be kept from */
    do {
        flags = (flags - all) & all; /* the next subset */
    } while (!is_at_most_one(flags & (GECC_LOW_S | GECC_ANY_S)) || !is_at_most_one(flags & rules) ||
             !is_at_most_one(flags & (GECC_DER | GECC_C1C2C3)));
    return flags;
}

#endif
