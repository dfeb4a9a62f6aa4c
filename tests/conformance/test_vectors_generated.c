/* The cases that tests/known_answers/generate.py makes from a seed. */
#include "vector_cases.h"

int main(void) { return vector_cases(VECTORS_GENERATED); }
