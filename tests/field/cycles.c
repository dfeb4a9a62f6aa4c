/* Core cycles of field operations and point formulas, for one machine and one curve: scripts/field-cycles compiles this
 * for each and prints the table. No test; numbers are for docs/performance.md.
 *
 * The builder defines MACHINE (a header), CURVE_CONSTANTS (a header), MACHINE_LIMBS, MACHINE_WORDS and NAME. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { LIMBS = MACHINE_LIMBS, WORDS = MACHINE_WORDS };

#include MACHINE
#include CURVE_CONSTANTS

#ifdef CURVE_IS_EDWARDS
#include "curve/edwards.h"
#else
#include "curve/point.h"
#endif

#include "../../bench/compare/compare.h"

enum { STEPS = 2000, TRIES = 400 };

/* K independent values, each the argument of its next operation: 1 shows how long one takes, more how many overlap. */
#define CHAINS(name, K, type, step)                                                                                    \
    static __attribute__((noinline)) void name##_##K(type *values, fe y) {                                             \
        type x[K];                                                                                                     \
        (void)y;                                                                                                       \
        for (int k = 0; k < K; k++)                                                                                    \
            x[k] = values[k];                                                                                          \
        for (int i = 0; i < STEPS; i++)                                                                                \
            LANE_UNROLL for (int k = 0; k < K; k++) step;                                                              \
        for (int k = 0; k < K; k++)                                                                                    \
            values[k] = x[k];                                                                                          \
    }

#define FIELD_OPERATION(name, step) CHAINS(name, 1, fe, step) CHAINS(name, 2, fe, step) CHAINS(name, 4, fe, step)

FIELD_OPERATION(multiply, x[k] = fe_mul(x[k], y))
FIELD_OPERATION(square, x[k] = fe_sqr(x[k]))
FIELD_OPERATION(add, x[k] = fe_add(x[k], y))
FIELD_OPERATION(subtract, x[k] = fe_sub(x[k], y))
FIELD_OPERATION(multiply_subtract, x[k] = fe_mul_sub(x[k], y, x[k]))

/* Formulas run on any coordinates: their time does not depend on them. */
#ifdef CURVE_IS_EDWARDS
static __attribute__((noinline)) void double_point(fe *values, fe y) {
    struct edwards p = {values[0], values[1], values[2], y};
    for (int i = 0; i < STEPS; i++)
        edwards_double(&p);
    values[0] = p.x;
}
static __attribute__((noinline)) void add_entry(fe *values, fe y) {
    struct edwards p = {values[0], values[1], values[2], y};
    struct edwards_entry q = {values[1], values[2], values[3]};
    for (int i = 0; i < STEPS; i++)
        edwards_add_entry(&p, &q);
    values[0] = p.x;
}
#else
static __attribute__((noinline)) void double_point(fe *values, fe y) {
    struct jacobian p = {values[0], values[1], y};
    for (int i = 0; i < STEPS; i++)
        jacobian_double(&p);
    values[0] = p.x;
}
static __attribute__((noinline)) void add_jacobian(fe *values, fe y) {
    struct jacobian p = {values[0], values[1], y};
    struct affine q = {values[2], values[3]};
    for (int i = 0; i < STEPS; i++)
        jacobian_add_affine(&p, &q);
    values[0] = p.x;
}
static __attribute__((noinline)) void add_xyzz(fe *values, fe y) {
    struct xyzz p = {values[0], values[1], y, y};
    struct affine q = {values[2], values[3]};
    for (int i = 0; i < STEPS; i++)
        xyzz_add_affine(&p, &q);
    values[0] = p.x;
}
#endif

static double seconds_of(void (*run)(fe *, fe), fe *values, fe y) {
    struct timespec start, end;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
    run(values, y);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end);
    return (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
}

/* Cycles of one operation on a value of all lanes: the least of many tries, which others disturb the least. */
static double cycles(void (*run)(fe *, fe), int chains, double clock) {
    fe values[4], y = fe_add(fe_one(), fe_one());
    for (int k = 0; k < 4; k++)
        values[k] = y = fe_add(fe_mul(y, y), fe_one());
    double best = 1;
    for (int i = 0; i < TRIES; i++) {
        double seconds = seconds_of(run, values, y);
        best = seconds < best ? seconds : best;
    }
    return best * clock / (STEPS * chains);
}

static void print(const char *what, void (*one)(fe *, fe), void (*two)(fe *, fe), void (*four)(fe *, fe)) {
    double clock = machine_clock(), alone = cycles(one, 1, clock), pair = cycles(two, 2, clock);
    double four_each = cycles(four, 4, clock), best = alone < pair ? alone : pair;
    best = four_each < best ? four_each : best;
    printf("%-22s  %-20s  %8.1f  %8.1f  %8.1f  %12.2f\n", NAME, what, alone, pair, four_each, best / LANES);
}

static void print_formula(const char *what, void (*run)(fe *, fe)) {
    double each = cycles(run, 1, machine_clock());
    printf("%-22s  %-20s  %8.1f  %8s  %8s  %12.2f\n", NAME, what, each, "", "", each / LANES);
}

int main(void) {
    machine_pin(-1);
    print("multiplication", multiply_1, multiply_2, multiply_4);
    print("squaring", square_1, square_2, square_4);
    print("addition", add_1, add_2, add_4);
    print("subtraction", subtract_1, subtract_2, subtract_4);
    print("a b - c", multiply_subtract_1, multiply_subtract_2, multiply_subtract_4);
#ifdef CURVE_IS_EDWARDS
    print_formula("extended doubling", double_point);
    print_formula("extended + entry", add_entry);
#else
    print_formula("Jacobian doubling", double_point);
    print_formula("Jacobian + affine", add_jacobian);
    print_formula("XYZZ + affine", add_xyzz);
#endif
    return 0;
}
