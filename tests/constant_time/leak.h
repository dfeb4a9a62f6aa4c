/* Planted leaks: code that memcheck must report, or the tests of this folder mean nothing. */
#ifndef TESTS_CONSTANT_TIME_LEAK_H
#define TESTS_CONSTANT_TIME_LEAK_H

#include "secret.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* How many errors memcheck reports while `leaky` runs: in a child, so that they are none of this process. */
static inline unsigned leaks_of(void (*leaky)(void)) {
    int channel[2];
    unsigned count = 0;
    assert_int_equal(pipe(channel), 0);
    (void)fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        unsigned before = leaks();
        leaky();
        count = leaks() - before;
        _exit(write(channel[1], &count, sizeof count) != sizeof count);
    }
    assert_int_equal(close(channel[1]), 0);
    assert_int_equal(read(channel[0], &count, sizeof count), sizeof count);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(close(channel[0]), 0);
    return count;
}

static inline void expect_leak(const char *what, void (*leaky)(void)) {
    fprintf(stderr, "%s: memcheck must report errors now\n", what);
    assert_int_not_equal(leaks_of(leaky), 0);
}

#endif
