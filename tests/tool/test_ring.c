/* The ring that batches go round in: each item is in every stage once, in order where the stage asks for it, whatever
 * threads do, and no more are under way than there are.
 *
 * Test: fast; threads; the tool's reader */
#include "rows/ring.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ITEMS = 7, STAGES = 5, NUMBERS = 3000 };

struct item {
    uint64_t number;
    unsigned stages; /* that it has been through */
};

struct flow {
    struct item items[ITEMS];
    uint64_t count; /* numbers to be given out */
    uint64_t next[STAGES], begun, written[NUMBERS];
    atomic_ullong written_count;
    atomic_uint in[STAGES], under_way, most_under_way;
    atomic_bool stop, begins_last;
    uint64_t stops_at; /* the item that fails in the third stage */
    uint64_t reopens_at;
    bool reopened, waits; /* waits: the first stage says that there is no more when the later one has reopened */
};

/* cmocka's own are for the thread that it called. */
static void require(bool condition, const char *what) {
    if (condition)
        return;
    fprintf(stderr, "%s\n", what);
    abort();
}

static void raise_to(atomic_uint *most, unsigned value) {
    unsigned seen = atomic_load(most);
    while (seen < value && !atomic_compare_exchange_weak(most, &seen, value))
        continue;
}

/* Threads come in each other's way. */
static void dawdle(uint64_t number, unsigned stage) {
    for (uint64_t i = 0; i < (number * 7 + stage * 13) % 5; i++)
        sched_yield();
}

static void pass(struct item *item, unsigned stage) {
    require(item->stages == stage, "a stage too early, or twice");
    dawdle(item->number, stage);
    item->stages++;
}

/* One at a time, and in order. */
static void pass_in_turn(struct flow *flow, struct item *item, unsigned stage) {
    require(atomic_fetch_add(&flow->in[stage], 1) == 0, "two threads in a stage");
    require(item->number == flow->next[stage]++, "not in order");
    pass(item, stage);
    atomic_fetch_sub(&flow->in[stage], 1);
}

static enum ring_answer first(void *owner, void *of) {
    struct flow *flow = owner;
    struct item *item = of;
    raise_to(&flow->most_under_way, atomic_fetch_add(&flow->under_way, 1) + 1);
    item->stages = 0;
    item->number = flow->next[0];
    pass_in_turn(flow, item, 0);
    atomic_store(&flow->begins_last, flow->next[0] == flow->count);
    while (flow->waits && flow->next[0] == flow->count && atomic_load(&flow->written_count) <= flow->reopens_at)
        sched_yield();
    return flow->next[0] >= flow->count || atomic_load(&flow->stop) ? RING_LAST : RING_ON;
}

static enum ring_answer any(void *owner, void *item) {
    (void)owner;
    pass(item, 1);
    return RING_ON;
}

static void begin(void *owner, void *of) {
    struct flow *flow = owner;
    const struct item *item = of;
    require(item->number == flow->begun++, "not begun in order");
}

static enum ring_answer call(void *owner, void *of) {
    struct flow *flow = owner;
    const struct item *item = of;
    pass(of, 2);
    if (item->number == flow->stops_at)
        atomic_store(&flow->stop, true);
    return RING_ON;
}

static enum ring_answer in_turn(void *owner, void *of) {
    struct flow *flow = owner;
    const struct item *item = of;
    pass_in_turn(flow, of, 3);
    if (flow->reopened || item->number != flow->reopens_at)
        return RING_ON;
    while (flow->waits && !atomic_load(&flow->begins_last))
        sched_yield();
    flow->reopened = true;
    return RING_REOPEN;
}

static enum ring_answer last(void *owner, void *of) {
    struct flow *flow = owner;
    const struct item *item = of;
    pass_in_turn(flow, of, 4);
    flow->written[flow->written_count] = item->number;
    atomic_fetch_add(&flow->written_count, 1);
    atomic_fetch_sub(&flow->under_way, 1);
    return RING_ON;
}

static const struct ring_stage stages[STAGES] = {
    {first, RING_IN_TURN, false, NULL},   {any, RING_ANY, false, NULL},      {call, RING_BEGUN, true, begin},
    {in_turn, RING_IN_TURN, false, NULL}, {last, RING_IN_TURN, false, NULL},
};

static void run(struct flow *flow, size_t items, size_t workers, size_t callers) {
    struct ring ring = {.owner = flow,
                        .stages = stages,
                        .stage_count = STAGES,
                        .item_count = items,
                        .workers = workers,
                        .callers = callers};
    for (size_t i = 0; i < items; i++)
        ring.items[i] = &flow->items[i];
    assert_true(ring_run(&ring));
    assert_int_equal(atomic_load(&flow->under_way), 0);
    assert_in_range(atomic_load(&flow->most_under_way), 1, items);
    assert_int_equal(flow->written_count, flow->next[0]);
    assert_int_equal(flow->begun, flow->next[0]);
    for (uint64_t i = 0; i < flow->written_count; i++)
        assert_int_equal(flow->written[i], i);
}

static struct flow new_flow(uint64_t count) {
    return (struct flow){.count = count, .stops_at = UINT64_MAX, .reopens_at = UINT64_MAX};
}

static void test_all_items_in_order(void **state) {
    (void)state;
    static struct flow flow;
    for (size_t items = 1; items <= ITEMS; items += 2)
        for (size_t workers = 1; workers <= 4; workers++) {
            flow = new_flow(NUMBERS / 10);
            run(&flow, items, workers, 1 + workers % 3);
            assert_int_equal(flow.written_count, flow.count);
        }
    flow = new_flow(NUMBERS);
    run(&flow, ITEMS, 5, 3);
    assert_int_equal(flow.written_count, NUMBERS);
}

static void test_one_item(void **state) {
    (void)state;
    static struct flow flow;
    flow = new_flow(1);
    run(&flow, ITEMS, 2, 2);
    assert_int_equal(flow.written_count, 1);
}

/* An item fails: those before it and it are written, and few behind it are begun. */
static void test_a_failure_in_the_middle(void **state) {
    (void)state;
    static struct flow flow;
    flow = new_flow(NUMBERS);
    flow.stops_at = NUMBERS / 2;
    run(&flow, ITEMS, 4, 2);
    assert_in_range(flow.written_count, NUMBERS / 2 + 1, NUMBERS / 2 + 1 + ITEMS);
}

/* A later stage has more to do for the first one, which has said that there is no more, or is about to. */
static void test_more_after_the_last_one(void **state) {
    (void)state;
    static struct flow flow;
    for (uint64_t at = 0; at < 2 * ITEMS; at++) {
        flow = new_flow(2 * ITEMS);
        flow.reopens_at = at;
        run(&flow, ITEMS, 3, 2);
        assert_true(flow.reopened);
        assert_in_range(flow.written_count, flow.count, flow.count + 1);
        if (at + 1 == flow.count) /* it was the last one */
            assert_int_equal(flow.written_count, flow.count + 1);
    }
    flow = new_flow(2 * ITEMS);
    flow.reopens_at = flow.count - 3;
    flow.waits = true;
    run(&flow, ITEMS, 3, 1);
    assert_int_equal(flow.written_count, flow.count + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_items_in_order), cmocka_unit_test(test_one_item),
                                       cmocka_unit_test(test_a_failure_in_the_middle),
                                       cmocka_unit_test(test_more_after_the_last_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
