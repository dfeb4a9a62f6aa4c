/* The published cases of vectors.jsonl in the folder GECC_VECTORS (Wycheproof, CAVP, RFC 6979, Botan, GM/T 0003.5).
 *
 * Test: fast; needs jansson libcrypto; no threads */
#include "vector_cases.h"

int main(void) { return vector_cases(VECTORS_GIVEN); }
