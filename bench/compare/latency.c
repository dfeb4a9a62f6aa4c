/* gecc-compare --latency: the time of a call against the number of its rows. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIFFERENT_ROWS = 4096, ROWS_CHECKED = 16, OTHER_BATCH = 16, EXIT_DIFFERENT = 1, EXIT_TROUBLE = 2 };

/* Of gecc_open's GECC_CPU; "default" is a context's own choice, which may depend on the batch. */
static const char *const codes[] = {"default", "ifma", "portable"};
enum { CODES = sizeof codes / sizeof *codes, OTHERS = 2 };

static const bool is_timed[] = {
#define X(name, text, operation, latency) [name] = latency,
    OPERATIONS(X)
#undef X
};

/* One curve: gecc's codes and the other libraries on its rows. */
struct stage {
    const struct latency_settings *settings;
    struct rows rows; /* `different` rows, repeated up to the greatest batch */
    struct rows few;  /* the same columns, the different rows alone */
    const char *names[CODES];
    void *states[CODES]; /* of the codes that are there */
    size_t code_count;
    const struct library *others[OTHERS];
    void *other_states[OTHERS];
    size_t other_count;
    uint8_t *expected; /* [few.count][RESULT_MAX]: results of the operation at work */
};

static bool is_wanted(const struct latency_settings *settings, gecc_curve curve, enum operation operation) {
    char text[64];
    snprintf(text, sizeof text, "%s %s", gecc_curve_name(curve), operation_names[operation]);
    return is_timed[operation] && library_gecc.offers(curve, operation) &&
           (!settings->filter || strstr(text, settings->filter));
}

static bool is_curve_wanted(const struct latency_settings *settings, gecc_curve curve) {
    bool wanted = false;
    for (int i = 0; i < OPERATIONS_COUNT; i++)
        wanted = wanted || is_wanted(settings, curve, (enum operation)i);
    return wanted;
}

static bool other_open(struct stage *stage, const struct library *other) {
    void *state = other->prepare(&stage->few, 1);
    if (!state)
        return false;
    stage->others[stage->other_count] = other;
    stage->other_states[stage->other_count++] = state;
    return true;
}

static bool stage_open(struct stage *stage, gecc_curve curve) {
    size_t most = stage->settings->most > DIFFERENT_ROWS ? stage->settings->most : DIFFERENT_ROWS;
    if (!rows_make(&stage->rows, curve, DIFFERENT_ROWS, most))
        return false;
    stage->few = stage->rows;
    stage->few.count = DIFFERENT_ROWS;
    stage->expected = malloc(DIFFERENT_ROWS * RESULT_MAX);
    for (size_t i = 0; i < CODES; i++) {
        void *state = gecc_library_prepare(&stage->rows, 1, i == 0 ? NULL : codes[i]);
        if (!state)
            continue;
        stage->names[stage->code_count] = codes[i];
        stage->states[stage->code_count++] = state;
    }
    return stage->expected && stage->code_count > 0 && other_open(stage, &library_openssl) &&
           (curve != GECC_SECP256K1 || other_open(stage, &library_secp256k1));
}

static void stage_close(struct stage *stage) {
    for (size_t i = 0; i < stage->code_count; i++)
        library_gecc.release(stage->states[i]);
    for (size_t i = 0; i < stage->other_count; i++)
        stage->others[i]->release(stage->other_states[i]);
    free(stage->expected);
    rows_free(&stage->rows);
}

/* The results of the different rows, which the other libraries confirm; of recover, the keys that signed. */
static bool expect(struct stage *stage, enum operation operation) {
    struct contender first = {&library_gecc, stage->states[0], DIFFERENT_ROWS, 0};
    bool good = first.side->run(first.state, operation, 0, DIFFERENT_ROWS);
    for (size_t i = 0; good && i < DIFFERENT_ROWS; i++)
        good = first.side->result(first.state, operation, i, stage->expected + i * RESULT_MAX);
    size_t width = result_bytes(operation, stage->few.length);
    for (size_t i = 0; good && operation == RECOVER && i < DIFFERENT_ROWS; i++)
        good = memcmp(stage->expected + i * RESULT_MAX, stage->few.public_key + i * width, width) == 0;
    for (size_t i = 0; good && i < stage->other_count; i++) {
        struct contender other = {stage->others[i], stage->other_states[i], OTHER_BATCH, 0};
        good =
            !other.side->offers(stage->rows.curve, operation) || results_agree(&stage->few, &first, &other, operation);
    }
    return good;
}

/* The results of the first `rows` rows are what is expected. */
static bool are_right(const struct stage *stage, void *state, enum operation operation, size_t rows) {
    size_t width = result_bytes(operation, stage->few.length);
    uint8_t result[RESULT_MAX];
    bool good = true;
    for (size_t i = 0; good && i < rows; i++)
        good = library_gecc.result(state, operation, i, result) &&
               memcmp(result, stage->expected + i % DIFFERENT_ROWS * RESULT_MAX, width) == 0;
    return good;
}

/* Calls of so many rows give what is expected. They are also what warms up. */
static bool is_right(const struct stage *stage, void *state, enum operation operation, size_t batch) {
    size_t rows = batch > ROWS_CHECKED ? batch : ROWS_CHECKED;
    bool good = true;
    for (size_t i = 0; good && i < rows; i += batch)
        good = library_gecc.run(state, operation, i, batch);
    return good && are_right(stage, state, operation, rows);
}

static void print(const struct stage *stage, enum operation operation, const char *code, size_t batch,
                  const struct summary *rate) {
    struct latency_line line = {operation_names[operation], code, stage->rows.curve, batch, *rate};
    print_latency_line(&line, stage->settings->json);
}

static bool run_others(struct stage *stage, enum operation operation) {
    bool good = true;
    for (size_t i = 0; good && i < stage->other_count; i++) {
        struct contender other = {stage->others[i], stage->other_states[i], 1, 0};
        struct summary rate;
        if (!other.side->offers(stage->rows.curve, operation))
            continue;
        good = measure_rates(&rate, &stage->settings->measure, &stage->few, &other, 1, operation);
        if (good)
            print(stage, operation, other.side->name, 1, &rate);
    }
    return good;
}

/* Batches of one size with every code that is still fast enough; `running` says which. */
static bool run_batch(struct stage *stage, enum operation operation, size_t batch, bool *running) {
    struct contender contenders[CODES];
    struct summary rates[CODES];
    size_t which[CODES], count = 0;
    for (size_t i = 0; i < stage->code_count; i++) {
        if (!running[i])
            continue;
        if (!is_right(stage, stage->states[i], operation, batch))
            return false;
        which[count] = i;
        contenders[count++] = (struct contender){&library_gecc, stage->states[i], batch, 0};
    }
    if (!measure_rates(rates, &stage->settings->measure, &stage->rows, contenders, count, operation))
        return false;
    for (size_t i = 0; i < count; i++) {
        print(stage, operation, stage->names[which[i]], batch, &rates[i]);
        running[which[i]] = (double)batch / rates[i].median < stage->settings->limit;
    }
    return true;
}

/* One call of a batch too large to repeat, with gecc's own choice of code. */
static bool run_once(struct stage *stage, enum operation operation, size_t batch) {
    struct measure_settings once = stage->settings->measure;
    struct contender contender = {&library_gecc, stage->states[0], batch, 0};
    struct summary rate;
    once.rounds = 1;
    if (!measure_rates(&rate, &once, &stage->rows, &contender, 1, operation) ||
        !are_right(stage, stage->states[0], operation, batch))
        return false;
    print(stage, operation, stage->names[0], batch, &rate);
    return true;
}

static bool any(const bool *running, size_t count) {
    bool r = false;
    for (size_t i = 0; i < count; i++)
        r |= running[i];
    return r;
}

static int run_operation(struct stage *stage, enum operation operation) {
    bool running[CODES] = {true, true, true};
    bool good = expect(stage, operation) && run_others(stage, operation);
    for (size_t batch = 1; good && batch <= stage->settings->most; batch *= 2) {
        bool repeated = running[0];
        good = !any(running, stage->code_count) || run_batch(stage, operation, batch, running);
        good = good && (repeated || run_once(stage, operation, batch));
    }
    if (!good)
        fprintf(stderr, "gecc-compare: %s, %s: results DIFFER\n", gecc_curve_name(stage->rows.curve),
                operation_names[operation]);
    return good ? 0 : EXIT_DIFFERENT;
}

static int run_curve(const struct latency_settings *settings, gecc_curve curve) {
    struct stage stage = {.settings = settings};
    int worst = 0;
    if (stage_open(&stage, curve)) {
        for (int i = 0; i < OPERATIONS_COUNT; i++) {
            enum operation operation = (enum operation)i;
            int status = is_wanted(settings, curve, operation) ? run_operation(&stage, operation) : 0;
            worst = status > worst ? status : worst;
        }
    } else {
        fprintf(stderr, "gecc-compare: %s: the rows could not be prepared\n", gecc_curve_name(curve));
        worst = EXIT_TROUBLE;
    }
    stage_close(&stage);
    return worst;
}

int latency_run(const struct latency_settings *settings) {
    struct heading heading = {.core = settings->core, .threads = 1, .parallelism = 1, .settings = settings->measure};
    int worst = 0;
    print_latency_heading(&heading, settings->json);
    for (gecc_curve curve = (gecc_curve)1; curve < GECC_CURVE_END; curve++) {
        int status = is_curve_wanted(settings, curve) ? run_curve(settings, curve) : 0;
        worst = status > worst ? status : worst;
    }
    return worst;
}
