/* A planted leak in the IFMA machine, on the model of its instructions: a permutation of registers becomes an index
 * into memory, as compilers without one might have it.
 *
 * Test: fast */
enum { LIMBS = 5, WORDS = 8 };

#include "limbs/ifma/products.h"

#define lane64_lookup(table, index) leaky_lookup(table, index)
/* Lane l: entry index[l] mod LOOKUP_ENTRIES of the table, by its address. */
LANE_FUNCTION lane64 leaky_lookup(const uint64_t *table, lane64 index) {
    for (int lane = 0; lane < LANES; lane++)
        index[lane] = table[index[lane] % LOOKUP_ENTRIES];
    return index;
}

#include "limbs/ifma/multiply.h"

#include "curve/generated/p256.gen.h"

#include "leaky_programs.h"

#include <cmocka.h>

int main(void) { return leaky_programs(); }
