/* Every operation through a queue: rows that several threads submit, in requests that are joined with those of other
 * calls, have the outputs and statuses that gecc_run gives them.
 *
 * For each operation, curve, hash and width of modulus there are calls with every set of flags, and others that differ
 * from the one without flags in one thing: the format of points, the nonces' hash, little-endian numbers, an optional
 * column, the room of outputs. Jobs wait until all requests of some such calls and of a few from anywhere are in the
 * queue, so that it has to join them, and may join nothing else.
 *
 * Test: fast; needs libcrypto; threads */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include <gecc/queue.h>

#include "api/context.h"
#include "support/effort.h"
#include "support/generate.h"

enum {
    HALVES = 2,    /* of a task's rows: columns in memory */
    HALF_ROWS = 4, /* of each */
    ROWS = HALVES * HALF_ROWS,
    NEIGHBOURS = 40, /* calls of a wave that follow each other, */
    STRANGERS = 8,   /* and those from anywhere */
    TASKS = NEIGHBOURS + STRANGERS,
    REQUEST_ROWS_MOST = 3,
    REQUESTS_MOST = TASKS * ROWS,
    THREADS = 4, /* that submit */
    MODULUS_WIDTHS = 13,
    SHORT_EXPONENT = 3,
    SHORT_CALLS = 2, /* of each operation, in short tests */
    TIGHT = 65       /* bytes: a room that some outputs do not fit in */
};

/* What may be asked of the operations. */
struct calls {
    struct call *call;
    size_t count, room;
};

/* Rows of a call, each half of them in columns of its own, and what they give without a queue. */
struct task {
    struct call call;
    struct arena arena;
    struct row rows[ROWS];
    struct outcome expected[ROWS];
    struct batch *half[HALVES];
};

struct piece {
    struct task *task;
    int half;
    size_t first, count; /* rows of the half */
    atomic_uint told;
    atomic_int result;
};

/* Tasks whose requests are in the queue together. */
struct wave {
    gecc_queue *queue;
    struct task tasks[TASKS];
    size_t task_count;
    struct piece pieces[REQUESTS_MOST];
    size_t order[REQUESTS_MOST], count; /* of pieces */
    atomic_size_t next, refused;
};

/* The context's backend, whose jobs wait at a gate, and are counted while there is a queue. */
static struct {
    const struct backend *backend;
    struct backend watched;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool is_open, counts;
    size_t submitted; /* requests */
    size_t enough;    /* rows of a job; 0: as many as there are */
    size_t jobs[OPERATION_COUNT], requests[OPERATION_COUNT];
} gate = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static gecc_result run_watched(void *state, const struct job *job, gecc_report *report) {
    pthread_mutex_lock(&gate.mutex);
    gate.jobs[job->operation] += gate.counts;
    while (!gate.is_open)
        pthread_cond_wait(&gate.changed, &gate.mutex);
    pthread_mutex_unlock(&gate.mutex);
    return gate.backend->run(state, job, report);
}

static size_t enough_watched(void *state, const struct job *job) {
    (void)state;
    (void)job;
    return gate.enough;
}

static void watch(gecc_context *context) {
    gate.backend = context->instance.backend;
    gate.watched = *gate.backend;
    gate.watched.run = run_watched;
    gate.watched.enough = enough_watched;
    gate.is_open = true;
    context->instance.backend = &gate.watched;
}

static void gate_set(bool is_open) {
    pthread_mutex_lock(&gate.mutex);
    gate.is_open = is_open;
    gate.submitted = 0;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.mutex);
}

static void note_submitted(void) {
    pthread_mutex_lock(&gate.mutex);
    gate.submitted++;
    pthread_cond_broadcast(&gate.changed);
    pthread_mutex_unlock(&gate.mutex);
}

static void await_submitted(size_t requests) {
    pthread_mutex_lock(&gate.mutex);
    while (gate.submitted < requests)
        pthread_cond_wait(&gate.changed, &gate.mutex);
    pthread_mutex_unlock(&gate.mutex);
}

/* Calls. */

static void add(struct calls *calls, const struct call *call) {
    if (calls->count == calls->room) {
        calls->room = 2 * calls->room + 64;
        calls->call = memory_resize(calls->call, calls->room * sizeof *calls->call);
    }
    calls->call[calls->count++] = *call;
}

static void add_formats(struct calls *calls, struct call call) {
    bool means = input_of_kind(call.operation, GECC_KIND_CIPHERTEXT) >= 0;
    for (int i = 0; i < OUTPUTS; i++)
        means |= kind_of_output(call.operation, i) == GECC_KIND_POINT ||
                 kind_of_output(call.operation, i) == GECC_KIND_CIPHERTEXT;
    for (int format = GECC_POINT_UNCOMPRESSED + 1; means && format <= GECC_POINT_RAW; format++) {
        call.point_format = (gecc_point_format)format;
        add(calls, &call);
    }
}

static void add_nonce_hashes(struct calls *calls, struct call call) {
#define ADD(identifier, ...) call.hash = identifier, add(calls, &call);
    if (input_of_kind(call.operation, GECC_KIND_ENTROPY) >= 0) {
        GECC_NONCE_HASH_LIST(ADD)
    }
#undef ADD
}

static void add_optional_columns(struct calls *calls, const struct call *base) {
    const gecc_operation *operation = operation_of(base->operation);
    const gecc_column *column;
    for (unsigned i = 0; (column = gecc_operation_input(operation, i)) != NULL; i++) {
        struct call call = *base;
        call.other_inputs = UINT32_C(1) << i;
        if (column->is_optional)
            add(calls, &call);
    }
    for (unsigned i = 0; (column = gecc_operation_output(operation, i)) != NULL; i++) {
        struct call call = *base;
        call.left_out = UINT32_C(1) << i;
        if (column->is_optional)
            add(calls, &call);
    }
}

/* The call with each set of flags, and others that differ from it in one thing. */
static void add_all_of(struct calls *calls, struct call call) {
    static const uint32_t others[] = {GECC_LITTLE_ENDIAN, GECC_PREHASH};
    const struct call base = call;
    do
        add(calls, &call);
    while (call_next_flags(&call));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        call.flags = others[i];
        if ((operation_of(call.operation)->flags & others[i]) != 0)
            add(calls, &call);
    }
    add_formats(calls, base);
    add_nonce_hashes(calls, base);
    add_optional_columns(calls, &base);
    call = base;
    call.output_bytes = TIGHT;
    if (operation_is_open(call.operation))
        add(calls, &call);
}

/* Two odd numbers of each width, of which the other begins with zeros, and is the first one of the next width. */
static void add_moduli(struct calls *calls, struct call call) {
    static uint8_t value[MODULUS_WIDTHS][2][MODULUS_BYTES_MOST];
    for (size_t i = 0; i < MODULUS_WIDTHS; i++)
        for (size_t j = 0; j < 2; j++) {
            const size_t bytes = MODULUS_BYTES_MOST - 4 * i;
            memset(value[i][j] + 4 * j, 0xb5, bytes - 4 * j);
            call.modulus = (gecc_modulus){value[i][j], bytes};
            add_all_of(calls, call);
        }
}

/* Keep of the calls from `first` on so many that follow each other. */
static void keep_some(struct calls *calls, size_t first, size_t most, struct prng *prng) {
    const size_t count = calls->count - first, kept = count < most ? count : most;
    const size_t from = first + (size_t)prng_below(prng, count - kept + 1);
    REQUIRE(calls->call != NULL);
    memmove(calls->call + first, calls->call + from, kept * sizeof *calls->call);
    calls->count = first + kept;
}

static void add_operation(struct calls *calls, enum operation operation, struct prng *prng) {
    struct call call = {.operation = operation};
    const size_t first = calls->count;
    switch (operation_of(operation)->selector) {
    case GECC_SELECT_CURVE:
        while (call_next_curve(&call))
            add_all_of(calls, call);
        break;
    case GECC_SELECT_MODULUS:
        add_moduli(calls, call);
        break;
    case GECC_SELECT_HASH:
#define ADD(identifier, ...) call.hash = identifier, add_all_of(calls, call);
        GECC_HASH_LIST(ADD)
#undef ADD
    }
    if (tests_are_short())
        keep_some(calls, first, SHORT_CALLS, prng);
}

/* Rows. */

/* A zero, or a row that is too short, where a generator leaves rows as they are. */
static void spoil_residue(struct row *row, struct prng *prng) {
    if (prng_below(prng, 2))
        memset(row->in[0].data, 0, row->in[0].width);
    else
        row->in[0].width--;
}

static struct row row_new(const struct call *call, bool is_good, struct prng *prng, struct arena *arena) {
    struct row row = row_good(call, prng, arena);
    if (!is_good && call->modulus.value != NULL)
        spoil_residue(&row, prng);
    else if (!is_good)
        row = row_spoiled(call, row, prng, arena);
    return row;
}

/* The first output takes the place of an input in some columns. */
static int any_alias(const struct task *task, struct prng *prng) {
    const int alias = (int)prng_below(prng, 4 * CELLS);
    const bool has = kind_of_output(task->call.operation, 0) != 0 && alias < CELLS && task->rows[0].in[alias].data;
    return has ? alias : ALIAS_NONE;
}

static void task_start(struct task *task, gecc_context *context, const struct call *call, struct prng *prng) {
    const int exponent = input_of_kind(call->operation, GECC_KIND_EXPONENT);
    *task = (struct task){.call = *call};
    for (size_t i = 0; i < ROWS; i++) {
        task->rows[i] = row_new(call, i % 3 != 2, prng, &task->arena);
        if (exponent >= 0 && i >= HALF_ROWS)
            task->rows[i].in[exponent].width = SHORT_EXPONENT;
    }
    for (int half = 0; half < HALVES; half++) {
        const struct row *rows = task->rows + half * HALF_ROWS;
        run_rows(context, call, rows, HALF_ROWS, NULL, task->expected + half * HALF_ROWS);
        task->half[half] = batch_new(call, rows, HALF_ROWS, prng, any_alias(task, prng));
        REQUIRE(batch_prepare(task->half[half], context) == GECC_OK);
    }
}

/* How many rows differ; `good`: of how many operations are OK. */
static size_t task_end(struct task *task, size_t good[OPERATION_COUNT]) {
    struct outcome outcomes[HALF_ROWS];
    char text[160];
    size_t differences = 0;
    for (int half = 0; half < HALVES; half++) {
        batch_outcomes(task->half[half], outcomes);
        batch_free(task->half[half]);
        for (size_t i = 0; i < HALF_ROWS; i++) {
            struct outcome *expected = &task->expected[half * HALF_ROWS + i];
            good[task->call.operation] += expected->status == GECC_ITEM_OK;
            if (!outcome_equal(&outcomes[i], expected)) {
                fprintf(stderr, "%s: row %zu of half %d: status %u, not %u, or another output\n",
                        call_text(&task->call, text), i, half, outcomes[i].status, expected->status);
                differences++;
            }
        }
    }
    arena_free(&task->arena);
    return differences;
}

/* Requests. */

static void told(void *argument, gecc_result result) {
    struct piece *piece = argument;
    atomic_store(&piece->result, (int)result);
    atomic_fetch_add(&piece->told, 1);
}

/* Every third request leaves a completion behind. The last ones are waited for, by each thread one. */
static void request(struct wave *wave, size_t at) {
    struct piece *piece = &wave->pieces[wave->order[at]];
    struct batch_arguments a = batch_arguments(piece->task->half[piece->half], piece->first);
    const gecc_operation *operation = operation_of(piece->task->call.operation);
    gecc_result result;
    if (at >= wave->count - THREADS) {
        result = gecc_queue_run(wave->queue, operation, &a.parameters, a.out, a.status, a.in, piece->count, &a.options);
        told(piece, result);
    } else {
        result = gecc_queue_submit(wave->queue, operation, &a.parameters, a.out, a.status, a.in, piece->count,
                                   &a.options, at % 3 == 0 ? NULL : told, piece, NULL);
        note_submitted();
    }
    atomic_fetch_add(&wave->refused, result != GECC_OK);
}

static void *request_all(void *argument) {
    struct wave *wave = argument;
    for (size_t at; (at = atomic_fetch_add(&wave->next, 1)) < wave->count;)
        request(wave, at);
    return NULL;
}

/* Requests of 1 to 3 rows, in any order. */
static void cut(struct wave *wave, struct prng *prng) {
    wave->count = 0;
    for (size_t i = 0; i < wave->task_count; i++)
        for (int half = 0; half < HALVES; half++)
            for (size_t first = 0, rows; first < HALF_ROWS; first += rows) {
                rows = 1 + (size_t)prng_below(prng, REQUEST_ROWS_MOST);
                rows = rows < HALF_ROWS - first ? rows : HALF_ROWS - first;
                struct piece *piece = &wave->pieces[wave->count++];
                piece->task = &wave->tasks[i];
                piece->half = half;
                piece->first = first;
                piece->count = rows;
                atomic_store(&piece->told, 0);
                gate.requests[piece->task->call.operation]++;
            }
    prng_permutation(prng, wave->order, wave->count);
}

static void submit_wave(struct wave *wave) {
    pthread_t thread[THREADS];
    gate_set(false);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, request_all, wave), 0);
    await_submitted(wave->count - THREADS);
    gate_set(true);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(thread[i], NULL), 0);
    gecc_queue_drain(wave->queue);
    gecc_completion taken;
    while (gecc_queue_take(wave->queue, &taken, 1, 0) == 1)
        told(taken.argument, taken.result);
}

static void run_wave(struct wave *wave, gecc_context *context, struct prng *prng) {
    const gecc_queue_config config = {
        .size = sizeof config, .max_wait_us = 1, .threads = 1 + (unsigned)prng_below(prng, 3)};
    /* No request has as many rows, so that each job but the first ones and the last of a group has two requests. */
    gate.enough = prng_below(prng, 2) ? 0 : REQUEST_ROWS_MOST + 1 + (size_t)prng_below(prng, ROWS);
    atomic_store(&wave->next, 0);
    atomic_store(&wave->refused, 0);
    cut(wave, prng);
    gate.counts = true;
    assert_int_equal(gecc_queue_open(context, &wave->queue, &config), GECC_OK);
    submit_wave(wave);
    gecc_queue_close(wave->queue);
    gate.counts = false;
    assert_int_equal(wave->refused, 0);
    for (size_t i = 0; i < wave->count; i++) {
        assert_int_equal(wave->pieces[i].told, 1);
        assert_int_equal(wave->pieces[i].result, GECC_OK);
    }
}

/* Calls from `first` on, and some from anywhere. Returns how many rows differ. */
static size_t try_calls(struct wave *wave, const struct calls *calls, size_t first, gecc_context *context,
                        struct prng *prng, size_t good[OPERATION_COUNT]) {
    size_t differences = 0;
    wave->task_count = 0;
    for (size_t i = first; i < first + NEIGHBOURS && i < calls->count; i++)
        task_start(&wave->tasks[wave->task_count++], context, &calls->call[i], prng);
    for (size_t i = 0; i < STRANGERS; i++)
        task_start(&wave->tasks[wave->task_count++], context, &calls->call[prng_below(prng, calls->count)], prng);
    run_wave(wave, context, prng);
    for (size_t i = 0; i < wave->task_count; i++)
        differences += task_end(&wave->tasks[i], good);
    return differences;
}

static void every_operation(void **state) {
    (void)state;
    struct calls calls = {NULL, 0, 0};
    struct prng prng = prng_for("operations");
    struct wave *wave = memory_new(1, sizeof *wave);
    gecc_context *context = test_context();
    size_t good[OPERATION_COUNT] = {0}, differences = 0, jobs = 0, requests = 0;
    watch(context);
    for (int operation = 0; operation < OPERATION_COUNT; operation++)
        if (context_offers(context, (enum operation)operation))
            add_operation(&calls, (enum operation)operation, &prng);
    for (size_t first = 0; first < calls.count; first += NEIGHBOURS)
        differences += try_calls(wave, &calls, first, context, &prng, good);
    for (int i = 0; i < OPERATION_COUNT; i++) {
        jobs += gate.jobs[i];
        requests += gate.requests[i];
        if (gate.requests[i] != 0 && (good[i] == 0 || gate.jobs[i] >= gate.requests[i]))
            fail_msg("%s: %zu good rows, %zu jobs of %zu requests", operation_of((enum operation)i)->name, good[i],
                     gate.jobs[i], gate.requests[i]);
    }
    print_message("%zu calls, %zu requests, %zu jobs\n", calls.count, requests, jobs);
    assert_int_equal(differences, 0);
    gecc_close(context);
    free(calls.call);
    free(wave);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_operation)};
    return cmocka_run_group_tests_name("operations", tests, NULL, NULL);
}
