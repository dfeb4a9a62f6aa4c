/* The published cases of the package cryptography-vectors (CAVP, RFC 6979). */
#include "vector_cases.h"

int main(void) { return vector_cases(VECTORS_PUBLISHED); }
