/* The published cases of the package cryptography-vectors (CAVP, RFC 6979).
 *
 * Test: fast; needs jansson libcrypto; no threads; no sanitizers */
#include "vector_cases.h"

int main(void) { return vector_cases(VECTORS_PUBLISHED); }
