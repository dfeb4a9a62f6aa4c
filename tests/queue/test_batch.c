/* Batches of requests: the bytes that they keep of each request, and that none is left when they have run.
 *
 * Test: fast */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "backend/memory.h"
#include "queue/batch.h"
#include "queue/scripted.h"

enum { ROOM = 1 << 16, BYTES_MOST = 1 << 30 };

struct fixture {
    struct scripted scripted;
    gecc_context context;
    struct arena *arena;
    struct batch *batch;
    uint8_t hash[8][HASH_BYTES], status[8];
    uint64_t numbers;
};

static int start(void **state) {
    static struct fixture fixture;
    fixture = (struct fixture){.numbers = 0};
    scripted_start(&fixture.scripted, 0);
    fixture.scripted.is_open = true;
    fixture.context = scripted_context(&fixture.scripted);
    fixture.arena = gecc_arena_take(NULL, BATCH_HEAD + ROOM);
    fixture.batch = gecc_batch_new(fixture.arena);
    *state = &fixture;
    return 0;
}

static int stop(void **state) {
    struct fixture *f = *state;
    gecc_arena_give(NULL, gecc_batch_end(f->batch));
    return 0;
}

static struct call take(struct fixture *f, gecc_rows in, size_t count, uint8_t *status) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    const gecc_out out = gecc_out_packed(f->hash, HASH_BYTES);
    struct call call;
    parameters.hash = GECC_SHA256;
    assert_int_equal(gecc_call_take(&call, &f->context, gecc_operation_entry(gecc_operation_find("digest")),
                                    &parameters, &out, gecc_out_packed(status, 1), &in, count, NULL),
                     GECC_OK);
    return call;
}

static struct request measure(struct fixture *f, const struct call *call) {
    struct request request = {.status = call->job.status, .number = ++f->numbers};
    memcpy(request.out, call->job.out, sizeof request.out);
    assert_true(gecc_request_measure(&request, call, BYTES_MOST));
    return request;
}

static struct request *add_call(struct fixture *f, const struct request *request, const struct call *call) {
    struct request *own = gecc_batch_add(f->batch, request, call);
    gecc_request_copy(own, request, call);
    assert_true(gecc_batch_leave(f->batch));
    return own;
}

static struct request *add(struct fixture *f, gecc_rows in, size_t count) {
    const struct call call = take(f, in, count, f->status);
    const struct request request = measure(f, &call);
    return add_call(f, &request, &call);
}

/* Widths that change after they were measured: no more than the measured bytes are copied or read. */
static void test_widths_that_change(void **state) {
    struct fixture *f = *state;
    uint8_t message[4][64];
    uint32_t widths[4] = {1, 1, 1, 1};
    const gecc_rows in = {.data = message, .stride = 64, .widths = widths};
    memset(message, 0x5c, sizeof message);
    const struct call call = take(f, in, 4, f->status);
    const struct request request = measure(f, &call);
    for (unsigned i = 0; i < 4; i++)
        widths[i] = 64;
    const size_t before = f->arena->used;
    const struct request *own = add_call(f, &request, &call);
    size_t sum = 0;
    for (unsigned i = 0; i < 4; i++)
        sum += own->in[0].widths[i];
    assert_int_equal(sum, 4);
    assert_int_equal(own->in[0].bytes, 4);
    gecc_batch_run(f->batch);
    assert_true(f->arena->used - before <= request.bytes);
    assert_int_equal(f->hash[0][4], 0x5c);
    assert_int_equal(f->hash[0][5], 0);
    assert_int_equal(f->hash[1][1], 0);
}

/* A request takes what its rows take, not more. */
static void test_many_small_rows(void **state) {
    struct fixture *f = *state;
    enum { MANY = 100000 };
    struct call call = take(f, gecc_rows_same("abcd", 4), 1, f->status);
    struct request request = {.number = 1};
    call.job.count = MANY;
    assert_true(gecc_request_measure(&request, &call, (size_t)MANY * 128));
    assert_false(gecc_request_measure(&request, &call, (size_t)MANY * 8));
    call.job.count = (size_t)REQUEST_ROWS_MOST + 1;
    assert_false(gecc_request_measure(&request, &call, PTRDIFF_MAX / 2));
    call.job.count = 3;
    call.job.in[0].width = SIZE_MAX / 2;
    assert_false(gecc_request_measure(&request, &call, PTRDIFF_MAX / 2));
}

/* As many requests as fit leave room for the columns of their job. */
static void test_room_for_columns(void **state) {
    struct fixture *f = *state;
    const struct call call = take(f, gecc_rows_same("abcd", 4), 8, f->status);
    unsigned requests = 0;
    for (struct request request; request = measure(f, &call), gecc_batch_fits(f->batch, &request); requests++)
        (void)add_call(f, &request, &call);
    assert_in_range(requests, ROOM / 2048, ROOM / 512);
    gecc_batch_run(f->batch);
    assert_true(f->arena->used <= f->arena->bytes);
    assert_int_equal(f->status[7], GECC_ITEM_OK);
}

/* A batch that is taken waits for requests that are being copied, and these cannot be cancelled. */
static void test_copying(void **state) {
    struct fixture *f = *state;
    const struct call call = take(f, gecc_rows_same("abcd", 4), 1, f->status);
    const struct request first = measure(f, &call), second = measure(f, &call), third = measure(f, &call);
    struct request *own[] = {gecc_batch_add(f->batch, &first, &call), gecc_batch_add(f->batch, &second, &call),
                             gecc_batch_add(f->batch, &third, &call)};
    assert_false(gecc_batch_cancel(f->batch, first.number));
    gecc_request_copy(own[0], &first, &call);
    assert_true(gecc_batch_leave(f->batch));
    assert_true(gecc_batch_is_copying(f->batch));
    gecc_request_copy(own[2], &third, &call);
    assert_false(gecc_batch_leave(f->batch));
    assert_false(gecc_batch_leave_taken(f->batch));
    assert_true(gecc_batch_is_copying(f->batch));
    gecc_request_copy(own[1], &second, &call);
    assert_false(gecc_batch_leave(f->batch));
    assert_true(gecc_batch_leave_taken(f->batch));
    assert_false(gecc_batch_is_copying(f->batch));
    gecc_batch_run(f->batch);
    assert_int_equal(own[1]->result, GECC_OK);
}

/* The keys of a job are those of the request that saw the most, whichever came last. */
static void test_newest_keys(void **state) {
    struct fixture *f = *state;
    static const size_t counts[] = {3, 5, 4};
    for (unsigned i = 0; i < 3; i++) {
        struct call call = take(f, gecc_rows_same("abcd", 4), 1, f->status);
        const struct request request = measure(f, &call);
        call.job.keys.count = counts[i];
        (void)add_call(f, &request, &call);
    }
    assert_int_equal(f->batch->call.job.keys.count, 5);
}

/* Before anybody is told, copies and columns are gone, those of a cancelled request before it runs; then all is. */
static void test_what_is_left(void **state) {
    struct fixture *f = *state;
    static const char secret[] = "a secret that is 32 bytes long..";
    const struct request *first = add(f, gecc_rows_same(secret, 32), 3);
    (void)add(f, gecc_rows_same(secret, 32), 3);
    const struct request *third = add(f, gecc_rows_same(secret, 32), 2);
    assert_false(gecc_batch_cancel(f->batch, first->number - 1));
    assert_false(gecc_batch_cancel(f->batch, third->number + 1));
    assert_true(gecc_batch_cancel(f->batch, third->number));
    assert_false(gecc_batch_cancel(f->batch, third->number));
    assert_true(gecc_is_zero(third->in[0].data, 64));
    assert_non_null(memmem(f->arena->base, f->arena->bytes, secret, 32));
    gecc_batch_run(f->batch);
    assert_null(memmem(f->arena->base, f->arena->bytes, secret, 31));
    assert_int_equal(first->result, GECC_OK);
    assert_int_equal(third->result, GECC_ERROR_CANCELLED);
    assert_ptr_equal(gecc_batch_end(f->batch), f->arena);
    assert_true(gecc_is_zero(f->arena->base, f->arena->bytes));
    f->batch = gecc_batch_new(f->arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_widths_that_change, start, stop),
        cmocka_unit_test_setup_teardown(test_many_small_rows, start, stop),
        cmocka_unit_test_setup_teardown(test_room_for_columns, start, stop),
        cmocka_unit_test_setup_teardown(test_copying, start, stop),
        cmocka_unit_test_setup_teardown(test_newest_keys, start, stop),
        cmocka_unit_test_setup_teardown(test_what_is_left, start, stop),
    };
    return cmocka_run_group_tests_name("batch", tests, NULL, NULL);
}
