/* registers_wipe leaves nothing in registers, and takes nothing from the compiler that it still needs, whatever
 * instruction sets that may use. */
#ifndef TESTS_BACKEND_REGISTERS_CASES_H
#define TESTS_BACKEND_REGISTERS_CASES_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "backend/registers.h"

/* As many values as there are vector registers at most, and what they are made from, which no compiler knows. */
typedef uint64_t vector __attribute__((vector_size(64)));
enum { VALUES = 32 };
static volatile uint64_t source = 0x0123456789abcdef;

/* Values that are needed again after the wipe: a compiler keeps some of them in registers that it was not told to
 * save. */
static void test_values_survive(void **state) {
    (void)state;
    vector value[VALUES], again[VALUES];
    for (unsigned i = 0; i < VALUES; i++)
        value[i] = (vector){0} + source * (2 * i + 1);
#define KEEP(i) vector v##i = value[i] ^ source;
/* Octal numbers. */
#define EIGHT(X, n) X(0##n##0) X(0##n##1) X(0##n##2) X(0##n##3) X(0##n##4) X(0##n##5) X(0##n##6) X(0##n##7)
#define EACH(X) EIGHT(X, 0) EIGHT(X, 1) EIGHT(X, 2) EIGHT(X, 3)
    EACH(KEEP)
    registers_wipe();
#define GIVE(i) again[i] = v##i ^ source;
    EACH(GIVE)
    assert_memory_equal(value, again, sizeof value);
}

#ifdef __AVX512F__

/* What the vector registers and masks hold that compilers without AVX-512 do not know. */
static void test_nothing_stays(void **state) {
    (void)state;
    static vector high[16];
    static uint16_t masks[8];
    memset(high, 0xff, sizeof high);
    memset(masks, 0xff, sizeof masks);
    __asm__ volatile(".irp r, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
                     "vpternlogd $0xff, %%zmm\\r, %%zmm\\r, %%zmm\\r\n\t"
                     ".endr\n\t"
                     ".irp r, 0,1,2,3,4,5,6,7\n\t"
                     "kxnorw %%k\\r, %%k\\r, %%k\\r\n\t"
                     ".endr"
                     :
                     :
                     : AVX512_REGISTERS);
    registers_wipe();
    __asm__ volatile(".irp r, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31\n\t"
                     "vmovdqu64 %%zmm\\r, (\\r - 16) * 64(%0)\n\t"
                     ".endr\n\t"
                     ".irp r, 0,1,2,3,4,5,6,7\n\t"
                     "kmovw %%k\\r, \\r * 2(%1)\n\t"
                     ".endr"
                     :
                     : "r"(high), "r"(masks)
                     : "memory");
    for (size_t i = 0; i < sizeof high; i++)
        assert_int_equal(((const uint8_t *)high)[i], 0);
    for (size_t i = 0; i < sizeof masks / sizeof masks[0]; i++)
        assert_int_equal(masks[i], 0);
}

#endif

static int registers_cases(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_survive),
#ifdef __AVX512F__
        cmocka_unit_test(test_nothing_stays),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
