/* One bad row never touches its neighbours: exceptional rows planted in a batch of good ones, at many places. Every
 * other row stays the same to the bit; the planted row has its status, and zeros unless that is OK.
 *
 * Test: fast; needs libcrypto; columns; no sanitizers; no threads */
#include "support/effort.h"
#include "support/exceptional.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 71, MIXED_BATCHES = 4, SHORT_PART = 5 };

/* Ends of vectors of 8 lanes, of groups of 32 and of 64; the last row. */
static const size_t places[] = {0, 1, 7, 8, 9, 31, 32, 63, 64, ROWS - 1};

#define PLACES (sizeof places / sizeof *places)

static struct suite {
    gecc_context *context;
    struct prng prng;
} * suite;

/* Good rows, what came of them, and what may be planted. */
struct field {
    const struct call *call;
    struct row rows[ROWS];
    struct outcome outcomes[ROWS];
    struct exceptional exceptional[EXCEPTIONAL_ROWS];
    struct expectation expected[EXCEPTIONAL_ROWS];
    size_t exceptional_count;
    struct arena arena;
};

static int start(void **state) {
    (void)state;
    suite = memory_new(1, sizeof *suite);
    suite->context = test_context();
    suite->prng = prng_for("poisoning");
    return 0;
}

static int stop(void **state) {
    (void)state;
    gecc_close(suite->context);
    free(suite);
    return 0;
}

static struct row good_row(const struct call *call, struct arena *arena) {
    struct row row;
    struct expectation expected;
    do {
        row = row_good(call, &suite->prng, arena);
        reference_row(call, &row, &expected);
    } while (expected.statuses != STATUS(OK));
    return row;
}

static struct field *field_new(const struct call *call) {
    struct field *field = memory_new(1, sizeof *field);
    field->call = call;
    for (size_t i = 0; i < ROWS; i++) {
        field->rows[i] = good_row(call, &field->arena);
    }
    run_rows(suite->context, call, field->rows, ROWS, NULL, field->outcomes);
    for (size_t i = 0; i < ROWS; i++) {
        assert_int_equal(field->outcomes[i].status, GECC_ITEM_OK);
    }
    field->exceptional_count = exceptional_rows(call, &suite->prng, &field->arena, field->exceptional);
    for (size_t i = 0; i < field->exceptional_count; i++) {
        const struct exceptional *exceptional = &field->exceptional[i];
        reference_row(call, &exceptional->row, &field->expected[i]);
        if (!(field->expected[i].statuses & exceptional->statuses)) {
            fprintf(stderr, "the reference says %08x of: %s\n", field->expected[i].statuses, exceptional->name);
        }
        REQUIRE(field->expected[i].statuses & exceptional->statuses);
        field->expected[i].statuses &= exceptional->statuses;
    }
    return field;
}

static void field_free(struct field *field) {
    arena_free(&field->arena);
    free(field);
}

/* planted[i]: the index of the exceptional row at place i, or -1. */
static size_t run_planted(struct field *field, const int planted[ROWS]) {
    struct row rows[ROWS];
    struct outcome outcomes[ROWS];
    size_t mismatches = 0;
    char label[120];
    for (size_t i = 0; i < ROWS; i++) {
        rows[i] = planted[i] < 0 ? field->rows[i] : field->exceptional[planted[i]].row;
    }
    run_rows(suite->context, field->call, rows, ROWS, &suite->prng, outcomes);
    for (size_t i = 0; i < ROWS; i++) {
        if (planted[i] >= 0) {
            snprintf(label, sizeof label, "%s, planted at %zu", field->exceptional[planted[i]].name, i);
            mismatches +=
                (size_t)outcome_mismatch(field->call, &rows[i], &field->expected[planted[i]], &outcomes[i], label);
        } else if (!outcome_equal(&field->outcomes[i], &outcomes[i])) {
            fprintf(stderr, "POISONED: %s, row %zu\n", call_text(field->call, (char[160]){0}), i);
            mismatches++;
        }
    }
    return mismatches;
}

static void plant_nothing(int planted[ROWS]) {
    for (size_t i = 0; i < ROWS; i++) {
        planted[i] = -1;
    }
}

static size_t plant_alone(struct field *field, int which) {
    size_t mismatches = 0, first = prng_below(&suite->prng, PLACES);
    int planted[ROWS];
    for (size_t i = 0; i < (tests_are_long() ? PLACES : 1); i++) {
        plant_nothing(planted);
        planted[places[(first + i) % PLACES]] = which;
        mismatches += run_planted(field, planted);
    }
    return mismatches;
}

static size_t plant_everywhere(struct field *field, int which) {
    int planted[ROWS];
    plant_nothing(planted);
    for (size_t i = 0; i < PLACES; i++) {
        planted[places[i]] = which;
    }
    planted[prng_below(&suite->prng, ROWS)] = which;
    return run_planted(field, planted);
}

static size_t plant_mixture(struct field *field, uint64_t one_in) {
    int planted[ROWS];
    plant_nothing(planted);
    for (size_t i = 0; i < ROWS; i++) {
        if (prng_below(&suite->prng, one_in) == 0) {
            planted[i] = (int)prng_below(&suite->prng, field->exceptional_count);
        }
    }
    return run_planted(field, planted);
}

/* Groups of terms have tests of their own (test_sums.c). */
static void plant_all(const struct call *call) {
    if (!context_offers(suite->context, call->operation) || kind_of_input(call->operation, 0) == GECC_KIND_SCALARS) {
        return;
    }
    struct field *field = field_new(call);
    size_t mismatches = 0;
    int step = tests_are_short() ? SHORT_PART : 1;
    for (int which = (int)prng_below(&suite->prng, (uint64_t)step); which < (int)field->exceptional_count;
         which += step) {
        mismatches += plant_alone(field, which);
        mismatches += plant_everywhere(field, which);
    }
    for (uint64_t i = 0; i < MIXED_BATCHES; i++) {
        mismatches += plant_mixture(field, i + 1);
    }
    field_free(field);
    assert_int_equal(mismatches, 0);
}

/* Of curves whose formulas are the same, one of 256 bits stands for the others unless tests may take long. */
static int is_planted_on(const struct call *call) {
    uint32_t one = UINT32_C(1) << call->curve, others = operation_of(call->operation)->curves & ~one;
    uint32_t usual = 1 << GECC_SECP256K1 | 1 << GECC_P256 | 1 << GECC_BRAINPOOL_P256R1;
    return others == 0 || one & usual || tests_are_long();
}

/* On each curve without flags and, unless tests may take long, with some of the flags that the operation has. */
static void plant_on_every_curve(void **state) {
    const enum operation *operation = *state;
    struct call call = {.operation = *operation};
    const uint64_t one_in = tests_are_long() ? 1 : tests_are_short() ? SHORT_PART : 2;
    while (call_next_curve(&call)) {
        do {
            call.point_format = (gecc_point_format)prng_below(&suite->prng, 3);
            if (is_planted_on(&call) && (call.flags == 0 || prng_below(&suite->prng, one_in) == 0)) {
                plant_all(&call);
            }
        } while (call_next_flags(&call));
    }
}

int main(void) {
    enum operation operations[OPERATION_COUNT];
    struct CMUnitTest tests[OPERATION_COUNT];
    size_t count = 0;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        const gecc_operation *operation = operation_of((enum operation)i);
        if (operation->curves != 0) {
            operations[i] = (enum operation)i;
            tests[count++] = (struct CMUnitTest){
                .name = operation->name, .test_func = plant_on_every_curve, .initial_state = &operations[i]};
        }
    }
    return _cmocka_run_group_tests("poisoning", tests, count, start, stop);
}
