/* ANY_CURVE_EXPECT: a row of any_curve.h of BITS bits by words of 32 bits, which kernels whose numbers lie in memory do
 * not use. */
#include "any_curve_expects.h"

#include "papers/kernels/any_curve.h"

void ANY_CURVE_EXPECT(int task, uint32_t times, int w, const uint8_t *const rows[4], uint8_t *out) {
    uint32_t words[NUMBERS][FIOS_WORDS];
    const struct point_rows row = {rows[0], rows[1], rows[2], rows[3], out};
    const struct numbers n = {1, words, {NULL, 1}, fios_negative_inverse(word_of(row.modulus, 0))};
    numbers_run((enum task)task, &n, &row, times, w, 32);
}
