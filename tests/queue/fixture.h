/* A queue of the scripted backend, and rows for it. */
#ifndef TESTS_QUEUE_FIXTURE_H
#define TESTS_QUEUE_FIXTURE_H

#include <stdlib.h>

#include "queue/scripted.h"

enum { REQUESTS = 40 };

/* A row, and what became of it. */
struct submitted {
    uint8_t message[ROW_BYTES], hash[HASH_BYTES], status;
    gecc_result result;
    atomic_uint told;
    uint64_t number;
};

struct fixture {
    struct scripted scripted;
    gecc_context context;
    gecc_queue *queue;
    struct submitted row[REQUESTS];
};

static inline struct fixture *start(const gecc_queue_config *config, size_t enough) {
    struct fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    scripted_start(&f->scripted, enough);
    f->context = scripted_context(&f->scripted);
    assert_int_equal(gecc_queue_open_by(&f->context, &f->queue, config, test_clock), GECC_OK);
    for (unsigned i = 0; i < REQUESTS; i++) {
        memset(f->row[i].hash, 0xee, HASH_BYTES);
        f->row[i].result = GECC_PENDING;
        for (unsigned j = 0; j < ROW_BYTES; j++)
            f->row[i].message[j] = (uint8_t)(16 * i + j + 1);
    }
    return f;
}

static inline void stop(struct fixture *f) {
    permit_all(&f->scripted);
    gecc_queue_close(f->queue);
    free(f);
}

static const gecc_queue_config one_thread = {.size = sizeof one_thread, .threads = 1};
static const gecc_queue_config two_threads = {.size = sizeof two_threads, .threads = 2};

static inline void told(void *argument, gecc_result result) {
    struct submitted *row = argument;
    row->result = result;
    atomic_fetch_add(&row->told, 1);
}

static inline gecc_parameters of(gecc_hash hash) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.hash = hash;
    return parameters;
}

static inline gecc_result submit_by(struct fixture *f, unsigned i, gecc_hash hash, gecc_queue_done done) {
    struct submitted *row = &f->row[i];
    const gecc_parameters parameters = of(hash);
    const gecc_out out = gecc_out_packed(row->hash, gecc_hash_bytes(hash));
    const gecc_rows in = gecc_rows_packed(row->message, ROW_BYTES);
    row->status = 0xee;
    return gecc_queue_submit(f->queue, gecc_operation_find("digest"), &parameters, &out,
                             gecc_out_packed(&row->status, 1), &in, 1, NULL, done, row, &row->number);
}

static inline void submit(struct fixture *f, unsigned first, unsigned count, gecc_hash hash) {
    for (unsigned i = first; i < first + count; i++)
        assert_int_equal(submit_by(f, i, hash, told), GECC_OK);
}

static inline gecc_result run(struct fixture *f, unsigned i, gecc_hash hash) {
    struct submitted *row = &f->row[i];
    const gecc_parameters parameters = of(hash);
    const gecc_out out = gecc_out_packed(row->hash, gecc_hash_bytes(hash));
    const gecc_rows in = gecc_rows_packed(row->message, ROW_BYTES);
    return gecc_queue_run(f->queue, gecc_operation_find("digest"), &parameters, &out, gecc_out_packed(&row->status, 1),
                          &in, 1, NULL);
}

/* The row has its own result, and was told once. */
static inline void check_done(const struct submitted *row, gecc_hash hash) {
    assert_int_equal(row->status, GECC_ITEM_OK);
    assert_int_equal(row->result, GECC_OK);
    assert_int_equal(row->told, 1);
    assert_int_equal(row->hash[0], hash);
    assert_memory_equal(row->hash + 1, row->message, ROW_BYTES);
}

#endif
