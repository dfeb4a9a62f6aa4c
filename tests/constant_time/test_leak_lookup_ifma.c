/* A planted leak in the IFMA machine, on the model of its instructions: a permutation of registers becomes an index
 * into memory, as compilers without one might have it.
 *
 * Test: fast */
enum { LIMBS = 5, WORDS = 8 };

#include "limbs/vector/avx512.h"

#define lane64_lookup16(low, high, index) leaky_lookup16(low, high, index)
/* Lane l: entry index[l] < 16 of the table low : high, by its address. */
LANE_FUNCTION lane64 leaky_lookup16(lane64 low, lane64 high, lane64 index) {
    uint64_t table[2 * LANES];
    memcpy(table, &low, sizeof low);
    memcpy(table + LANES, &high, sizeof high);
    for (int lane = 0; lane < LANES; lane++)
        index[lane] = table[index[lane] & 15];
    return index;
}

#include "limbs/ifma/multiply.h"

#include "curve/generated/p256.gen.h"

#include "leaky_programs.h"

#include <cmocka.h>

int main(void) { return leaky_programs(); }
