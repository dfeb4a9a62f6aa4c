/* Rows of papers/kernels/any_curve.h on the CPU, by width: a task with P, constants, modulus and other numbers. */
#ifndef PAPERS_PROGRAM_ANY_CURVE_EXPECTS_H
#define PAPERS_PROGRAM_ANY_CURVE_EXPECTS_H

#include <stddef.h>
#include <stdint.h>

typedef void any_curve_expect(int task, uint32_t times, int w, const uint8_t *const rows[4], uint8_t *out);
any_curve_expect any_curve_expect_160, any_curve_expect_192, any_curve_expect_224, any_curve_expect_256,
    any_curve_expect_384;

#endif
