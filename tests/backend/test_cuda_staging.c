/* Rows of the host on their way to a GPU and back, by several threads: every layout of rows, enough of them for many
 * pieces.
 *
 * Test: fast */
#define _GNU_SOURCE
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/cuda_samples.h"

enum { MESSAGES = 20000, WIDTH = 40, SLOT = 56, DIGEST = 32, DIGEST_STRIDE = 37, THREADS = 6 };

/* How the messages lie. */
enum layout { PACKED, SPACED, SAME, ANYWHERE, RAGGED, RAGGED_APART, RAGGED_BACKWARDS, RAGGED_SLOTS, LAYOUTS };

struct messages {
    uint8_t bytes[MESSAGES * SLOT];
    uint32_t widths[MESSAGES];
    uint64_t offsets[MESSAGES];
};

/* Widths 0 to SLOT - 1; offsets one behind the other, `gap` apart. */
static void lay_out(struct messages *m, struct prng *prng, size_t gap) {
    uint64_t at = 0;
    for (size_t i = 0; i < MESSAGES; i++) {
        m->widths[i] = (uint32_t)(prng_next(prng) % (SLOT - gap));
        m->offsets[i] = at;
        at += m->widths[i] + gap;
    }
}

static gecc_rows rows_in(struct messages *m, struct prng *prng, enum layout layout) {
    lay_out(m, prng, layout == RAGGED_APART ? 1 : 0);
    switch (layout) {
    case PACKED:
        return gecc_rows_packed(m->bytes, WIDTH);
    case SPACED:
        return gecc_rows_strided(m->bytes, WIDTH, SLOT);
    case SAME:
        return gecc_rows_same(m->bytes, WIDTH);
    case ANYWHERE:
        for (size_t i = 0; i < MESSAGES; i++)
            m->offsets[i] = prng_next(prng) % (sizeof m->bytes - WIDTH);
        return (gecc_rows){m->bytes, 0, WIDTH, NULL, m->offsets};
    case RAGGED_BACKWARDS:
        for (size_t i = 0; i < MESSAGES; i++)
            m->offsets[i] = (MESSAGES - 1 - i) * SLOT;
        return (gecc_rows){m->bytes, 0, 0, m->widths, m->offsets};
    case RAGGED_SLOTS:
        return (gecc_rows){m->bytes, SLOT, 0, m->widths, NULL};
    default:
        return (gecc_rows){m->bytes, 0, 0, m->widths, m->offsets};
    }
}

struct digests {
    uint8_t bytes[MESSAGES * DIGEST_STRIDE], status[MESSAGES * 3];
};

/* stride: of the digests; statuses are `apart` bytes apart. */
static struct digests *digests_of(gecc_context *context, gecc_rows messages, size_t stride, size_t apart) {
    struct digests *digests = malloc(sizeof *digests);
    memset(digests, UNTOUCHED, sizeof *digests);
    assert_int_equal(gecc_digest(context, GECC_SHA256, (gecc_out){digests->bytes, stride, NULL},
                                 gecc_out_packed(digests->status, apart), messages, MESSAGES, NULL),
                     GECC_OK);
    return digests;
}

static gecc_context *open_with(size_t staging_bytes) {
    struct fake_settings settings = fake_settings_good();
    gecc_config config = GECC_CONFIG_INIT;
    gecc_context *context;
    settings.multiprocessors = 1000;
    fake_driver_start(&settings);
    config.threads = THREADS;
    config.staging_bytes = staging_bytes;
    assert_int_equal(context_on_with(&context, &fake_cuda, &config), GECC_OK);
    return context;
}

static unsigned threads_of_process(void) {
    DIR *folder = opendir("/proc/self/task");
    unsigned count = 0;
    while (readdir(folder) != NULL)
        count++;
    closedir(folder);
    return count - 2; /* "." and ".." */
}

static void test_every_layout(void **state) {
    (void)state;
    struct messages *messages = malloc(sizeof *messages);
    struct prng prng = {11};
    gecc_context *context = open_with(0), *cpu;
    assert_int_equal(context_on(&cpu, &gecc_backend_cpu), GECC_OK);
    prng_bytes(&prng, messages->bytes, sizeof messages->bytes);
    const unsigned before = threads_of_process();
    for (enum layout layout = PACKED; layout < LAYOUTS; layout++)
        for (unsigned apart = 0; apart < 2; apart++) {
            const size_t stride = apart ? DIGEST_STRIDE : DIGEST, statuses = apart ? 3 : 1;
            const gecc_rows rows = rows_in(messages, &prng, layout);
            struct digests *a = digests_of(context, rows, stride, statuses);
            struct digests *b = digests_of(cpu, rows, stride, statuses);
            assert_memory_equal(a, b, sizeof *a);
            free(a);
            free(b);
        }
    assert_true(threads_of_process() >= before + THREADS - 1);
    gecc_close(context);
    gecc_close(cpu);
    free(messages);
    assert_int_equal(fake_driver_held(), 0);
}

/* Pinned memory is as little as the caller allows, whatever the rows; and as each memory has at least. */
static void test_bound(void **state) {
    (void)state;
    enum { GRAINS = 8 * (64 << 10) };
    static const size_t bounds[] = {64 << 10, 1 << 20, 2 << 20};
    struct messages *messages = malloc(sizeof *messages);
    struct prng prng = {12};
    gecc_context *cpu;
    assert_int_equal(context_on(&cpu, &gecc_backend_cpu), GECC_OK);
    prng_bytes(&prng, messages->bytes, sizeof messages->bytes);
    for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
        gecc_context *context = open_with(bounds[i]);
        for (enum layout layout = PACKED; layout < LAYOUTS; layout++) {
            const gecc_rows rows = rows_in(messages, &prng, layout);
            struct digests *a = digests_of(context, rows, DIGEST, 1), *b = digests_of(cpu, rows, DIGEST, 1);
            assert_memory_equal(a, b, sizeof *a);
            free(a);
            free(b);
        }
        assert_true(fake_driver_pinned_most() <= bounds[i] + GRAINS);
        gecc_close(context);
    }
    gecc_close(cpu);
    free(messages);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_layout),
        cmocka_unit_test(test_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
