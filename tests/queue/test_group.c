/* Groups are found while they have batches, take turns, and are gone afterwards, however many there were.
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
#include "queue/group.h"
#include "queue/scripted.h"

enum { GROUPS = 5000, ENOUGH = 4 };

static struct scripted scripted;
static gecc_context context;
static struct groups groups;
static struct batch batches[3 * GROUPS];

static int start(void **state) {
    (void)state;
    scripted_start(&scripted, ENOUGH);
    context = scripted_context(&scripted);
    gecc_groups_open(&groups);
    memset(batches, 0, sizeof batches);
    return 0;
}

/* A call of the modulus with that number. */
static struct call call_of(uint32_t number) {
    struct call call = {.context = &context, .job = {.modulus_bytes = 16}};
    call.job.operation = (enum operation)(gecc_operation_entry(gecc_operation_find("mod.mul")) - gecc_operation_table);
    memcpy(call.job.modulus + JOB_MODULUS_BYTES - sizeof number, &number, sizeof number);
    return call;
}

static void add(uint32_t number, struct batch *batch) {
    struct call call = call_of(number);
    call.job.in[0].data = batch; /* any address */
    struct group *group = gecc_group_find(&groups, &call);
    if (group != NULL)
        gecc_group_append(&groups, group, &call, batch);
    else
        assert_true(gecc_group_begin(&groups, &call, batch));
    group = gecc_group_find(&groups, &call);
    assert_non_null(group);
    assert_ptr_equal(group->last, batch);
    assert_ptr_equal(scripted.asked, batch); /* the columns of earlier calls may be gone */
}

static void check_empty(void) {
    for (uint32_t i = 0; i < GROUPS; i++) {
        struct call call = call_of(i);
        call.job.in[0].data = &call;
        assert_null(gecc_group_find(&groups, &call));
    }
    for (size_t i = 0; i < GROUP_BUCKETS; i++)
        assert_null(groups.bucket[i]);
    assert_null(groups.first);
    assert_ptr_equal(groups.last, &groups.first);
    assert_null(groups.oldest);
    assert_ptr_equal(groups.newest, &groups.oldest);
    assert_int_equal(groups.full, 0);
}

/* Two batches of each: the first ones go first, in the order in which their groups came. */
static void test_turns(void **state) {
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < GROUPS; i++)
            add(i, &batches[2 * i]);
        for (uint32_t i = 0; i < GROUPS; i++)
            add(GROUPS - 1 - i, &batches[2 * (GROUPS - 1 - i) + 1]);
        assert_int_equal(groups.full, GROUPS);
        for (uint32_t i = 0; i < GROUPS; i++) {
            assert_ptr_equal(groups.oldest, &batches[2 * i]);
            assert_ptr_equal(gecc_groups_take(&groups), &batches[2 * i]);
        }
        assert_int_equal(groups.full, 0);
        for (uint32_t i = 0; i < GROUPS; i++)
            assert_ptr_equal(gecc_groups_take(&groups), &batches[2 * i + 1]);
        check_empty();
        memset(batches, 0, sizeof batches);
    }
}

/* A group that comes later does not pass one that waits. */
static void test_new_groups_are_last(void **state) {
    (void)state;
    add(0, &batches[0]);
    add(0, &batches[1]);
    add(1, &batches[2]);
    assert_ptr_equal(gecc_groups_take(&groups), &batches[0]);
    add(2, &batches[3]);
    assert_ptr_equal(gecc_groups_take(&groups), &batches[2]);
    assert_ptr_equal(gecc_groups_take(&groups), &batches[1]);
    assert_ptr_equal(gecc_groups_take(&groups), &batches[3]);
    check_empty();
}

/* As many rows as are enough fill a group, until some are cancelled. */
static void test_full(void **state) {
    (void)state;
    struct request request[2] = {{.number = 5, .count = 1, .is_copied = true},
                                 {.number = 7, .count = ENOUGH - 1, .is_copied = true}};
    request[0].next = &request[1];
    batches[1] = (struct batch){.first = request, .rows = ENOUGH, .newest = 7};
    add(0, &batches[0]);
    assert_int_equal(groups.full, 0);
    add(1, &batches[1]);
    assert_int_equal(groups.full, 1);
    assert_false(gecc_groups_cancel(&groups, 6));
    assert_false(gecc_groups_cancel(&groups, 8));
    assert_true(gecc_groups_cancel(&groups, 5));
    assert_int_equal(groups.full, 0);
    assert_int_equal(request[0].result, GECC_ERROR_CANCELLED);
    assert_ptr_equal(gecc_groups_take(&groups), &batches[0]);
    assert_ptr_equal(gecc_groups_take(&groups), &batches[1]);
    check_empty();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_turns, start),
        cmocka_unit_test_setup(test_new_groups_are_last, start),
        cmocka_unit_test_setup(test_full, start),
    };
    return cmocka_run_group_tests_name("group", tests, NULL, NULL);
}
