/* Width of the public windows of G on a CPU. For tests of constant time the tables are small: they hold nothing secret, and
 * under valgrind larger ones take minutes to build. */
#ifndef GECC_BATCH_PUBLIC_WINDOW_H
#define GECC_BATCH_PUBLIC_WINDOW_H

#ifdef GECC_CONSTANT_TIME_TEST
enum { PUBLIC_WINDOW = 7 };
#else
enum { PUBLIC_WINDOW = 13 };
#endif

#endif
