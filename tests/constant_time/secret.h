/* Secrets for valgrind: undefined memory, of which memcheck reports every branch and every address that depends on
 * it. */
#ifndef TESTS_CONSTANT_TIME_SECRET_H
#define TESTS_CONSTANT_TIME_SECRET_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <valgrind/memcheck.h>
#include <valgrind/valgrind.h>

enum { EXIT_SKIPPED = 77 };

static inline void secret(void *data, size_t bytes) { (void)VALGRIND_MAKE_MEM_UNDEFINED(data, bytes); }
/* From here on the value is used as anybody may use it. */
static inline void revealed(void *data, size_t bytes) { (void)VALGRIND_MAKE_MEM_DEFINED(data, bytes); }

/* Errors that memcheck has reported in this process. */
static inline unsigned leaks(void) { return VALGRIND_COUNT_ERRORS; }

/* Without memcheck nothing would be tested. */
static inline int without_memcheck(void) {
    if (RUNNING_ON_VALGRIND)
        return 0;
    puts("not run: not under valgrind");
    return 1;
}

#endif
