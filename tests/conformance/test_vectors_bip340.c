/* The published cases of bip340.jsonl in the folder GECC_VECTORS (BIP-340, BIP-341, and the signatures and tweaks of a
 * block of Bitcoin).
 *
 * Test: fast; needs jansson libcrypto; no threads */
#include "vector_cases.h"

int main(void) { return vector_cases(VECTORS_BIP340); }
