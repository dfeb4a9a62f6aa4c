/* Width of the public windows of G on a CPU in the table for many rows, which pays for itself after some thousand. For
 * tests of constant time it is small: it holds nothing secret, and under valgrind a larger one takes minutes to
 * make. */
#ifndef GECC_BATCH_PUBLIC_WINDOW_H
#define GECC_BATCH_PUBLIC_WINDOW_H

#ifdef GECC_CONSTANT_TIME_TEST
enum { PUBLIC_WINDOW_MANY = 7 };
#else
enum { PUBLIC_WINDOW_MANY = 13 };
#endif

#endif
