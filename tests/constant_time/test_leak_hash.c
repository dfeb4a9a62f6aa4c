/* A planted leak: SHA-256 takes longer for blocks that begin with an odd word.
 *
 * Test: fast */
enum { LIMBS = 4, WORDS = 8 };

#include "limbs/portable/multiply.h"

#include "curve/generated/secp256k1.gen.h"

#define sha256_compress sha256_compress_constant_time
#include "hash/sha256.h"
#undef sha256_compress

LANE_INLINE void sha256_compress(lane32 state[8], const lane32 block[16]) {
    if (block[0] & 1)
        __asm__ volatile("");
    sha256_compress_constant_time(state, block);
}

#include "leaky_schnorr.h"

#include <cmocka.h>

int main(void) { return leaky_schnorr(); }
