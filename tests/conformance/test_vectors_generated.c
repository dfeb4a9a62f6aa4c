/* The cases that tests/known_answers/generate.py makes from a seed.
 *
 * Test: fast; needs jansson libcrypto; brief; no threads; no sanitizers */
#include "vector_cases.h"

int main(void) { return vector_cases(VECTORS_GENERATED); }
