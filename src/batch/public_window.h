/* Widths of the public windows of G on a CPU: those of a table that is made in less time than a few rows take, and those of
 * one that pays for itself after some thousand rows. For tests of constant time the second is small: it holds nothing
 * secret, and under valgrind a larger one takes minutes to make. */
#ifndef GECC_BATCH_PUBLIC_WINDOW_H
#define GECC_BATCH_PUBLIC_WINDOW_H

#ifdef GECC_CONSTANT_TIME_TEST
enum { PUBLIC_WINDOW_FEW = WORDS > 8 ? 5 : 6, PUBLIC_WINDOW_MANY = 7 };
#else
enum { PUBLIC_WINDOW_FEW = WORDS > 8 ? 5 : 6, PUBLIC_WINDOW_MANY = 13 };
#endif

#endif
