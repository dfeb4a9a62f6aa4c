/* What the library does to its process: arenas that no core dump and no child gets, threads that take no signals.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/memory.h"
#include "backend/pool.h"

/* The flags of the mapping that holds the address, as /proc/self/smaps has them. */
static void mapping_flags(const void *address, char *flags, size_t size) {
    FILE *maps = fopen("/proc/self/smaps", "r");
    char line[512];
    uintptr_t from, to;
    bool here = false;
    assert_non_null(maps);
    flags[0] = 0;
    while (fgets(line, sizeof line, maps) != NULL) {
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
            here = from <= (uintptr_t)address && (uintptr_t)address < to;
        else if (here && strncmp(line, "VmFlags:", 8) == 0)
            (void)snprintf(flags, size, "%.200s", line + 8);
    }
    (void)fclose(maps);
}

static void test_arenas_stay_in_the_process(void **state) {
    (void)state;
    char flags[256];
    struct arena_cache cache;
    gecc_arena_cache_open(&cache, SIZE_MAX);
    struct arena *arena = gecc_arena_take(&cache, 1 << 20);
    assert_non_null(arena);
    mapping_flags(arena->base, flags, sizeof flags);
    assert_non_null(strstr(flags, " dd ")); /* MADV_DONTDUMP */
    assert_non_null(strstr(flags, " wf ")); /* MADV_WIPEONFORK */
    gecc_arena_give(&cache, arena);
    gecc_arena_cache_close(&cache);
}

/* The signals that a thread of this process blocks. */
static uint64_t blocked_by(const char *thread) {
    char path[64], line[256];
    uint64_t blocked = 0;
    (void)snprintf(path, sizeof path, "/proc/self/task/%.20s/status", thread);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) != NULL)
        (void)sscanf(line, "SigBlk: %" SCNx64, &blocked);
    (void)fclose(file);
    return blocked;
}

static void test_threads_take_no_signals(void **state) {
    (void)state;
    enum { THREADS = 4 };
#ifdef __SANITIZE_THREAD__
    skip(); /* the sanitizer has a thread of its own */
#endif
    /* Not SIGKILL and SIGSTOP, nor the two that libc keeps for itself. */
    const uint64_t all = ~(UINT64_C(1) << 8 | UINT64_C(1) << 18 | UINT64_C(3) << 31);
    struct pool *pool;
    unsigned others = 0;
    char self[24];
    (void)snprintf(self, sizeof self, "%d", (int)getpid());
    assert_int_equal(gecc_pool_open(&pool, THREADS), GECC_OK);
    assert_int_not_equal(blocked_by(self) & all, all);
    (void)usleep(100000); /* while it starts, a thread blocks them in any case */
    DIR *threads = opendir("/proc/self/task");
    assert_non_null(threads);
    for (const struct dirent *entry; (entry = readdir(threads)) != NULL;)
        if (entry->d_name[0] != '.' && strcmp(entry->d_name, self) != 0) {
            assert_int_equal(blocked_by(entry->d_name) & all, all);
            others++;
        }
    (void)closedir(threads);
    assert_int_equal(others, THREADS - 1);
    gecc_pool_close(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_arenas_stay_in_the_process),
        cmocka_unit_test(test_threads_take_no_signals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
