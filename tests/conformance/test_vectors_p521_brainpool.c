/* The published cases of p521_brainpool.jsonl in the folder GECC_VECTORS (Wycheproof, CAVP, RFC 6979, ACVP, Botan).
 *
 * Test: fast; needs jansson libcrypto; no threads */
#include "vector_cases.h"

int main(void) { return vector_cases(VECTORS_P521_BRAINPOOL); }
