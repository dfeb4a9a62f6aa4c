/* All of vectors.jsonl: each case alone (in short tests, some), and at random places among valid, invalid and malformed
 * rows. */
#include "support/effort.h"
#include "support/generate.h"
#include "support/vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { VECTOR_COUNT = 7816, GREATEST_BATCH = 600, SHORT_PART = 7 };

struct suite {
    const char *folder;
    struct vectors vectors;
    gecc_context *context;
    struct pool *pools[5];
    struct prng prng;
};

static int start(void **state) {
    struct suite *suite = memory_new(1, sizeof *suite);
    *state = suite;
    suite->folder = data_folder("GECC_VECTORS");
    if (suite->folder) {
        suite->prng = prng_for("vectors");
        suite->vectors = vectors_read(suite->folder);
        suite->context = test_context();
        for (int curve = GECC_SECP256K1; curve <= GECC_SM2; curve++) {
            suite->pools[curve] = pool_new((gecc_curve)curve, &suite->prng);
        }
    }
    return 0;
}

static int stop(void **state) {
    struct suite *suite = *state;
    if (suite->folder) {
        gecc_close(suite->context);
        vectors_free(&suite->vectors);
        for (int curve = GECC_SECP256K1; curve <= GECC_SM2; curve++) {
            pool_free(suite->pools[curve]);
        }
    }
    free(suite);
    return 0;
}

static struct suite *suite_or_skip(void **state) {
    struct suite *suite = *state;
    if (!suite->folder) {
        skip();
    }
    return suite;
}

static int takes_public_scalars(const struct call *call) {
    return call->operation == EC_MUL || call->operation == EC_MUL_BASE;
}

static size_t run_alone(struct suite *suite, const struct vector *vector, uint32_t more_flags) {
    struct call call = vector->call;
    struct outcome outcome;
    call.flags |= more_flags;
    run_rows(suite->context, &call, &vector->row, 1, NULL, &outcome);
    return (size_t)outcome_mismatch(&call, &vector->row, &vector->expected, &outcome, vector->label);
}

static void each_vector_alone(void **state) {
    struct suite *suite = suite_or_skip(state);
    size_t run = 0, mismatches = 0, step = tests_are_short() ? SHORT_PART : 1;
    for (size_t i = 0; i < suite->vectors.count; i += step) {
        const struct vector *vector = &suite->vectors.list[i];
        mismatches += run_alone(suite, vector, 0);
        mismatches += takes_public_scalars(&vector->call) ? run_alone(suite, vector, GECC_PUBLIC_SCALARS) : 0;
        run++;
    }
    assert_int_equal(mismatches, 0);
    assert_int_equal(run, (VECTOR_COUNT + step - 1) / step);
}

/* A batch that holds the vectors at list[i], i among the `fresh` ones of the group, and random neighbours. */
struct mixture {
    const struct vector *group;
    size_t group_count;
    size_t *order, placed;
    struct row rows[GREATEST_BATCH];
    const struct vector *vectors[GREATEST_BATCH]; /* NULL: a spoiled row, whose expectation is computed */
};

static size_t mix(struct suite *suite, struct mixture *mixture, const struct call *call, struct arena *arena) {
    struct prng *prng = &suite->prng;
    size_t count = 1 + (size_t)prng_below(prng, GREATEST_BATCH);
    for (size_t i = 0; i < count; i++) {
        uint64_t kind = prng_below(prng, 4);
        if (kind < 2 && mixture->placed < mixture->group_count) {
            mixture->vectors[i] = &mixture->group[mixture->order[mixture->placed++]];
        } else if (kind < 3) {
            mixture->vectors[i] = &mixture->group[prng_below(prng, mixture->group_count)];
        } else {
            mixture->vectors[i] = NULL;
            mixture->rows[i] = mixture->group[prng_below(prng, mixture->group_count)].row;
            mixture->rows[i] = row_spoiled(suite->pools[call->curve], call, mixture->rows[i], prng, arena);
            continue;
        }
        mixture->rows[i] = mixture->vectors[i]->row;
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
        } else if (prng_below(&suite->prng, 8) == 0) {
            struct expectation expected;
            reference_row(call, &mixture->rows[i], &expected);
            mismatches += (size_t)outcome_mismatch(call, &mixture->rows[i], &expected, &outcomes[i], "a neighbour");
        }
    }
    arena_free(&arena);
    return mismatches;
}

static size_t run_group(struct suite *suite, const struct vector *group, size_t count, uint32_t more_flags) {
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
    struct suite *suite = suite_or_skip(state);
    const struct vectors *vectors = &suite->vectors;
    size_t run = 0, mismatches = 0;
    for (size_t first = 0, end; first < vectors->count; first = end) {
        const struct call *call = &vectors->list[first].call;
        for (end = first + 1; end < vectors->count && call_equal(call, &vectors->list[end].call);) {
            end++;
        }
        mismatches += run_group(suite, &vectors->list[first], end - first, 0);
        if (takes_public_scalars(call)) {
            mismatches += run_group(suite, &vectors->list[first], end - first, GECC_PUBLIC_SCALARS);
        }
        run += end - first;
    }
    assert_int_equal(mismatches, 0);
    assert_int_equal(run, VECTOR_COUNT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_vector_alone),
        cmocka_unit_test(each_vector_among_others),
    };
    int failed = cmocka_run_group_tests_name("vectors", tests, start, stop);
    return failed || getenv("GECC_VECTORS") ? failed : 77;
}
