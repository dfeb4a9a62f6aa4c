/* What the public functions refuse or cannot show of the lane programs: rows of a wrong width, results over operands,
 * how much of the arena is used.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "backend/cpu/machines.h"

enum { BYTES = 20, ROWS = 70, ARENA_BYTES = 1 << 17 };

struct fixture {
    struct job job;
    uint8_t a[ROWS][BYTES], b[ROWS][BYTES], out[ROWS][BYTES], status[ROWS];
    uint32_t widths[ROWS];
    _Alignas(64) uint8_t memory[ARENA_BYTES];
};

/* Modulo m = 3 * 5 * 17 * 257 = 65535, a[i] = 2 i + 2 and b[i] = i + 1, mostly without a common factor. */
static void start(struct fixture *f, enum operation operation) {
    memset(f, 0, sizeof *f);
    f->job.operation = operation;
    f->job.modulus_bytes = BYTES;
    f->job.modulus[JOB_MODULUS_BYTES - 1] = f->job.modulus[JOB_MODULUS_BYTES - 2] = 0xff;
    f->job.in[0] = gecc_rows_packed(f->a, BYTES);
    f->job.in[1] = gecc_rows_packed(f->b, BYTES);
    f->job.out[0] = gecc_out_packed(f->out, BYTES);
    f->job.status = gecc_out_packed(f->status, 1);
    f->job.count = ROWS;
    for (size_t i = 0; i < ROWS; i++) {
        f->a[i][BYTES - 1] = (uint8_t)(2 * i + 2);
        f->b[i][BYTES - 1] = (uint8_t)(i + 1);
        f->widths[i] = BYTES;
    }
    memset(f->out, 0xaa, sizeof f->out);
}

static const struct cpu_machine *machine;

static void run(struct fixture *f) {
    const struct program_set *set = machine->modulus(BYTES);
    struct arena arena = {f->memory, ARENA_BYTES, 0};
    assert_true(set->chunk >= ROWS && set->arena_bytes <= ARENA_BYTES);
    assert_int_equal(set->run[f->job.operation](&arena, NULL, &f->job, 0, ROWS), GECC_OK);
    assert_true(arena.used <= set->arena_bytes);
}

static unsigned result(const struct fixture *f, size_t row) {
    for (size_t i = 0; i < BYTES - 2; i++)
        assert_int_equal(f->out[row][i], 0);
    return (unsigned)f->out[row][BYTES - 2] << 8 | f->out[row][BYTES - 1];
}

static unsigned power(unsigned a, unsigned exponent) {
    unsigned long long r = 1;
    while (exponent-- > 0)
        r = r * a % 65535;
    return (unsigned)r;
}

/* What row i gives; 65535 where there is no result. */
static unsigned expected(enum operation operation, unsigned i) {
    unsigned a = 2 * i + 2, b = i + 1;
    switch (operation) {
    case OPERATION_MOD_ADD:
        return a + b;
    case OPERATION_MOD_SUB:
        return a - b;
    case OPERATION_MOD_MUL:
        return a * b;
    case OPERATION_MOD_SQUARE:
        return a * a;
    case OPERATION_MOD_POWER:
        return power(a, b);
    default:
        for (unsigned r = 1; r < 65535; r++)
            if (a * r % 65535 == 1)
                return r;
        return 65535;
    }
}

static void expect_row(const struct fixture *f, size_t row) {
    unsigned value = expected(f->job.operation, (unsigned)row);
    assert_int_equal(f->status[row], value == 65535 ? GECC_ITEM_INVALID : GECC_ITEM_OK);
    assert_int_equal(result(f, row), value == 65535 ? 0 : value);
}

/* Every third row of one of the columns is a byte short. */
static void rows_of_a_wrong_width(void **state) {
    static struct fixture f;
    (void)state;
    for (int operation = OPERATION_MOD_ADD; operation <= OPERATION_MOD_POWER; operation++) {
        int binary = operation != OPERATION_MOD_SQUARE && operation != OPERATION_MOD_INVERSE;
        for (int column = 0; column <= binary; column++) {
            start(&f, (enum operation)operation);
            f.job.in[column].widths = f.widths;
            for (size_t i = 0; i < ROWS; i += 3)
                f.widths[i] = BYTES - 1;
            run(&f);
            for (size_t i = 0; i < ROWS; i++) {
                if (i % 3) {
                    expect_row(&f, i);
                } else {
                    assert_int_equal(f.status[i], GECC_ITEM_MALFORMED_WIDTH);
                    assert_int_equal(result(&f, i), 0);
                }
            }
        }
    }
}

/* The result takes the place of an operand. */
static void results_over_operands(void **state) {
    static struct fixture f;
    (void)state;
    for (int operation = OPERATION_MOD_ADD; operation <= OPERATION_MOD_POWER; operation++) {
        for (int column = 0; column < 2; column++) {
            start(&f, (enum operation)operation);
            f.job.out[0] = gecc_out_packed(column ? f.b : f.a, BYTES);
            run(&f);
            memcpy(f.out, column ? f.b : f.a, sizeof f.out);
            for (size_t i = 0; i < ROWS; i++)
                expect_row(&f, i);
        }
    }
}

static void one_set_for_each_width(void **state) {
    (void)state;
    for (size_t bytes = 16; bytes <= 64; bytes += 4) {
        const struct program_set *set = machine->modulus(bytes);
        for (int operation = 0; operation < OPERATION_COUNT; operation++) {
            int offered = operation >= OPERATION_MOD_ADD && operation <= OPERATION_MOD_POWER;
            assert_int_equal(set->run[operation] != NULL, offered);
        }
    }
    assert_null(machine->modulus(0));
    assert_null(machine->modulus(68));
}

/* Whatever this build and this processor have. */
static int run_on(const char *name) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_a_wrong_width),
        cmocka_unit_test(results_over_operands),
        cmocka_unit_test(one_set_for_each_width),
    };
    char reason[100];
    machine = gecc_machine_choose(name, reason, sizeof reason);
    if (machine == NULL) {
        printf("%s: not tested, %s\n", name, reason);
        return 0;
    }
    return _cmocka_run_group_tests(machine->name, tests, sizeof tests / sizeof tests[0], NULL, NULL);
}

int main(void) { return run_on("portable-c") + run_on("portable-adx") + run_on("portable-aarch64") + run_on("ifma"); }
