/* All cases of a source: each alone (of many, some), and at random places among valid, invalid and malformed rows. */
#ifndef TESTS_CONFORMANCE_VECTOR_CASES_H
#define TESTS_CONFORMANCE_VECTOR_CASES_H

#include "support/effort.h"
#include "support/generate.h"
#include "support/vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { GREATEST_BATCH = 600, ALONE_MOST = 4000, ALONE_MOST_SHORT = 1100 };

struct suite {
    struct vectors vectors;
    gecc_context *context;
    struct prng prng;
};

static void suite_start(struct suite *suite) {
    suite->prng = prng_for("vectors");
    suite->context = test_context();
}

static void suite_stop(struct suite *suite) {
    gecc_close(suite->context);
    vectors_free(&suite->vectors);
}

/* A flag that changes how the call computes, but not what. */
static uint32_t other_way(const struct call *call) {
    switch (call->operation) {
    case OPERATION_EC_MUL_BASE:
    case OPERATION_EC_MUL:
    case OPERATION_EC_MUL_ADD:
        return GECC_PUBLIC_SCALARS;
    case OPERATION_ECDSA_SIGN:
    case OPERATION_ECDSA_SIGN_NONCE:
    case OPERATION_SM2_SIGN:
    case OPERATION_SM2_SIGN_NONCE:
    case OPERATION_SCHNORR_SIGN:
    case OPERATION_ED25519_SIGN:
        return GECC_VERIFY_SIGNATURES;
    default:
        return 0;
    }
}

static size_t run_alone(struct suite *suite, const struct vector *vector, uint32_t more_flags) {
    struct call call = vector->call;
    struct outcome outcome;
    if (!context_offers(suite->context, call.operation)) {
        return 0;
    }
    call.flags |= more_flags;
    run_rows(suite->context, &call, &vector->row, 1, NULL, &outcome);
    return (size_t)outcome_mismatch(&call, &vector->row, &vector->expected, &outcome, vector->label);
}

static void each_vector_alone(void **state) {
    struct suite *suite = *state;
    size_t most = tests_are_short() ? ALONE_MOST_SHORT : ALONE_MOST;
    size_t run = 0, mismatches = 0, step = suite->vectors.count / most + 1;
    for (size_t i = (size_t)prng_below(&suite->prng, step); i < suite->vectors.count; i += step) {
        const struct vector *vector = &suite->vectors.list[i];
        mismatches += run_alone(suite, vector, 0);
        mismatches += other_way(&vector->call) ? run_alone(suite, vector, other_way(&vector->call)) : 0;
        run++;
    }
    assert_int_equal(mismatches, 0);
    assert_in_range(run, suite->vectors.count / step, most + 1);
}

/* A batch that holds the vectors at list[i], i among the `fresh` ones of the group, and random neighbours. */
struct mixture {
    const struct vector *group;
    size_t group_count;
    size_t *order, placed;
    struct row rows[GREATEST_BATCH];
    const struct vector *vectors[GREATEST_BATCH]; /* NULL: a spoiled row, whose expectation is computed */
};

/* It has a curve, and columns of widths that are right. */
static int can_be_spoiled(const struct vector *vector) {
    return vector->call.curve && vector->expected.statuses & (STATUS(OK) | STATUS(INVALID));
}

static size_t mix(struct suite *suite, struct mixture *mixture, const struct call *call, struct arena *arena) {
    struct prng *prng = &suite->prng;
    const size_t most = mixture->group_count < GREATEST_BATCH / 4 ? 2 * mixture->group_count + 16 : GREATEST_BATCH;
    size_t count = 1 + (size_t)prng_below(prng, most);
    for (size_t i = 0; i < count; i++) {
        uint64_t kind = prng_below(prng, 8);
        const struct vector *any = &mixture->group[prng_below(prng, mixture->group_count)];
        if (kind < 6 && mixture->placed < mixture->group_count) {
            any = &mixture->group[mixture->order[mixture->placed++]];
        } else if (kind == 7 && can_be_spoiled(any)) {
            mixture->vectors[i] = NULL;
            mixture->rows[i] = row_spoiled(call, any->row, prng, arena);
            continue;
        }
        mixture->vectors[i] = any;
        mixture->rows[i] = any->row;
    }
    return count;
}

static size_t run_mixture(struct suite *suite, struct mixture *mixture, const struct call *call) {
    struct arena arena = {0};
    struct outcome outcomes[GREATEST_BATCH];
    size_t count = mix(suite, mixture, call, &arena), mismatches = 0;
    run_rows(suite->context, call, mixture->rows, count, &suite->prng, outcomes);
    for (size_t i = 0; i < count; i++) {
        if (mixture->vectors[i]) {
            mismatches += (size_t)outcome_mismatch(call, &mixture->rows[i], &mixture->vectors[i]->expected,
                                                   &outcomes[i], mixture->vectors[i]->label);
        } else if (call->curve != GECC_CURVE25519 && prng_below(&suite->prng, 8) == 0) {
            /* what is computed for Ed25519 is of one rule, without contexts */
            struct expectation expected;
            reference_row(call, &mixture->rows[i], &expected);
            mismatches += (size_t)outcome_mismatch(call, &mixture->rows[i], &expected, &outcomes[i], "a neighbour");
        }
    }
    arena_free(&arena);
    return mismatches;
}

static size_t run_group(struct suite *suite, const struct vector *group, size_t count, uint32_t more_flags) {
    if (!context_offers(suite->context, group->call.operation)) {
        return 0;
    }
    struct mixture *mixture = memory_new(1, sizeof *mixture);
    struct call call = group->call;
    size_t mismatches = 0;
    call.flags |= more_flags;
    mixture->group = group;
    mixture->group_count = count;
    mixture->order = memory_new(count, sizeof *mixture->order);
    prng_permutation(&suite->prng, mixture->order, count);
    while (mixture->placed < count) {
        mismatches += run_mixture(suite, mixture, &call);
    }
    free(mixture->order);
    free(mixture);
    return mismatches;
}

static void each_vector_among_others(void **state) {
    struct suite *suite = *state;
    const struct vectors *vectors = &suite->vectors;
    size_t run = 0, mismatches = 0;
    for (size_t first = 0, end; first < vectors->count; first = end) {
        const struct vector *group = &vectors->list[first];
        for (end = first + 1; end < vectors->count && vectors_share_call(group, &vectors->list[end]);) {
            end++;
        }
        mismatches += run_group(suite, group, end - first, 0);
        mismatches += other_way(&group->call) ? run_group(suite, group, end - first, other_way(&group->call)) : 0;
        run += end - first;
    }
    assert_int_equal(mismatches, 0);
    assert_int_equal(run, vectors->count);
}

/* Runs them on the cases of a source; the result is main's. */
static int vector_cases(enum vectors_source source) {
    struct suite suite = {.context = NULL};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(each_vector_alone, &suite),
        cmocka_unit_test_prestate(each_vector_among_others, &suite),
    };
    if (!vectors_read(&suite.vectors, source)) {
        return NOT_RUN;
    }
    suite_start(&suite);
    int failed = cmocka_run_group_tests_name("vectors", tests, NULL, NULL);
    suite_stop(&suite);
    return failed;
}

#endif
