/* Operations on prepared keys in small groups: sets of all keys of the group, or of its first ones where windows are
 * wide, made by the passes that backends run; then rows whose keys have numbers, which must have the results of rows
 * with points. */
#ifndef TESTS_SCHEME_KEYS_CASES_H
#define TESTS_SCHEME_KEYS_CASES_H

#include "scheme/keys.h"

#include "scheme_cases.h"

/* Sets of a group: their windows differ. A set has at most so many rows of tables, but one key at least. */
enum { KEY_SETS = 4, KEY_TABLE_ROWS = 1 << 16 };

static struct key_set key_sets[KEY_SETS];
static uint8_t points_of_keys[2 * ROWS][2 * ROW_BYTES], key_statuses[KEY_SETS][2 * ROWS], key_numbers[ROWS][4];

/* A pass, in pieces of ROWS rows; not recorded. */
static void run_key_pass(lane_program *program, size_t rows) {
    for (size_t first = 0; first < rows; first += ROWS) {
        arena.used = 0;
        assert_int_equal(program(&arena, tables, &job, first, rows - first < ROWS ? rows - first : ROWS), GECC_OK);
    }
}

/* Keys d G for d = 1 .. order - 1. */
static void key_set_make(const struct group *g, struct key_set *set, uint8_t *status, unsigned width) {
    const size_t row_bytes = ROW_LIMBS * sizeof(limb);
    set->width = width;
    set->windows = (CURVE_BITS + width - 1) / width;
    set->status = status;
    set->count = (uint32_t)repetitions(KEY_TABLE_ROWS, KEY_TABLE_ROWS) / key_entries(set) + 1;
    set->count = set->count < g->order - 1 ? set->count : g->order - 1;
    assert_true(set->count <= 2 * ROWS);
    free(set->rows);
    assert_int_equal(posix_memalign(&set->rows, 64, set->count * key_entries(set) * row_bytes + 64), 0);
    memset(set->rows, 0xa5, set->count * key_entries(set) * row_bytes);
    for (unsigned i = 0; i < set->count; i++)
        write_point(points_of_keys[i], g, i + 1);
    job_begin(OPERATION_ECDSA_VERIFY_KEYS, 0);
    job.in[0] = gecc_rows_packed(points_of_keys, 2 * ROW_BYTES);
    job.status = gecc_out_packed(status, 1);
    job.keys = *set;
    run_key_pass(keys_bases, set->count);
    run_key_pass(keys_normalise, (size_t)set->count * set->windows);
    for (uint32_t have = 1; have < 1u << (width - 1); have *= 2) {
        job.keys.have = have;
        run_key_pass(keys_extend, (size_t)set->count * set->windows * have);
    }
    for (unsigned i = 0; i < set->count; i++)
        assert_int_equal(status[i], GECC_ITEM_OK);
}

/* Every entry of the tables is the multiple that it should be, infinity among them. */
static void expect_key_tables(const struct group *g, const struct key_set *set) {
    for (unsigned k = 0; k < set->count; k++) {
        unsigned base = k + 1;
        for (uint32_t window = 0; window < set->windows; window++) {
            for (uint32_t j = 0; j < window_entries(set); j++) {
                unsigned index = (unsigned)((uint64_t)base * j % g->order);
                uint32_t row = k * key_entries(set) + window * window_entries(set) + j;
                struct indices same;
                for (size_t l = 0; l < LANES; l++)
                    same.lane[l] = index;
                mask holds = affine_are_elements(g, entry_load((const limb *)set->rows, lane32_set(row)), same);
                if (!mask_lane(holds, 0))
                    fail_msg("order %u, key %u, windows of %u bits: entry %u of window %u", g->order, k + 1, set->width,
                             j, window);
            }
            base = (unsigned)(((uint64_t)base << set->width) % g->order);
        }
    }
}

/* Narrow windows for every group, and wider ones by turns. */
static void key_sets_of_group(const struct group *g) {
    static unsigned turn;
    const unsigned widest = tests_are_long() ? KEY_WINDOW_MOST : tests_are_short() ? KEY_WINDOW_LEAST + 3 : 10;
    for (unsigned i = 0; i < KEY_SETS; i++) {
        unsigned width = i < 3 ? KEY_WINDOW_LEAST + i : KEY_WINDOW_LEAST + 3 + turn++ % (widest - KEY_WINDOW_LEAST - 2);
        key_set_make(g, &key_sets[i], key_statuses[i], width);
        expect_key_tables(g, &key_sets[i]);
    }
}

/* Run the job as that operation on each set, its column of points replaced by numbers of the rows' keys: expect
 * checks a row. Those whose keys a set does not have read MALFORMED_KEY_NUMBER. */
static void run_by_keys(const struct group *g, enum operation operation, lane_program *program, int column,
                        size_t count, void (*expect)(const struct group *g, size_t i)) {
    const enum operation plain = job.operation;
    const gecc_rows kept = job.in[column];
    for (size_t i = 0; i < count; i++)
        for (int byte = 0; byte < 4; byte++)
            key_numbers[i][byte] = (uint8_t)((signings[i].d - 1) >> 8 * byte);
    job.operation = operation;
    job.in[column] = gecc_rows_packed(key_numbers, 4);
    for (unsigned set = 0; set < KEY_SETS; set++) {
        job.keys = key_sets[set];
        arena.used = 0;
        memset(statuses, GECC_ITEM_NOT_PROCESSED, sizeof statuses);
        assert_int_equal(program(&arena, tables, &job, 0, count), GECC_OK);
        for (size_t i = 0; i < count; i++)
            if (signings[i].d <= key_sets[set].count)
                expect(g, i);
            else
                expect_row(statuses[i] == GECC_ITEM_MALFORMED_KEY_NUMBER, "key number", g, signings[i]);
    }
    job.operation = plain;
    job.in[column] = kept;
    job.keys = (struct key_set){0};
}

#endif
