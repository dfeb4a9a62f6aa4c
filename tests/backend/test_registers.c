/* Where the compiler may use what every processor of the architecture has.
 *
 * Test: fast */
#include "registers_cases.h"

int main(void) { return registers_cases(); }
