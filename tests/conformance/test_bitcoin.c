/* Signatures of Bitcoin's block 413567, row by row; some do not verify, as multisig scripts try keys in turn: the part
 * of them in examples/data, and all of them where GECC_DATA has the file.
 *
 * Test: fast */
#define _DEFAULT_SOURCE
#include "support/folders.h"
#include "support/operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS_MOST = 6639, COLUMNS = 7 };

struct block {
    struct row rows[ROWS_MOST];
    int valid[ROWS_MOST];
    size_t count;
    struct arena arena;
};

/* pub,digest,sig,expected,tx,input,kind */
static void read_line(struct block *block, char *line) {
    char *field[COLUMNS];
    for (size_t i = 0; i < COLUMNS; i++) {
        field[i] = strsep(&line, ",\r\n");
        REQUIRE(field[i]);
    }
    REQUIRE(block->count < ROWS_MOST);
    for (int i = 0; i < 3; i++) {
        block->rows[block->count].in[i] = hex_cell(&block->arena, field[i]);
    }
    REQUIRE(strcmp(field[3], "valid") == 0 || strcmp(field[3], "invalid") == 0);
    block->valid[block->count++] = strcmp(field[3], "valid") == 0;
}

static void read_block(struct block *block, const char *path) {
    char *line = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
    }
    REQUIRE(file && getline(&line, &capacity, file) > 0);
    while (getline(&line, &capacity, file) > 0) {
        read_line(block, line);
    }
    free(line);
    fclose(file);
}

static void check_block(const char *path, size_t valid, size_t invalid) {
    struct block *block = memory_new(1, sizeof *block);
    struct outcome *outcomes = memory_new(ROWS_MOST, sizeof *outcomes);
    struct call call = {.operation = OPERATION_ECDSA_VERIFY, .curve = GECC_SECP256K1, .flags = GECC_DER};
    gecc_context *context = test_context();
    struct prng prng = prng_for("bitcoin");
    size_t found[2] = {0, 0}, mismatches = 0;
    read_block(block, path);
    assert_int_equal(block->count, valid + invalid);
    run_rows(context, &call, block->rows, block->count, &prng, outcomes);
    for (size_t i = 0; i < block->count; i++) {
        struct expectation expected = {.statuses = block->valid[i] ? STATUS(OK) : STATUS(INVALID)};
        mismatches += (size_t)outcome_mismatch(&call, &block->rows[i], &expected, &outcomes[i], "block 413567");
        found[outcomes[i].status == GECC_ITEM_OK]++;
    }
    gecc_close(context);
    arena_free(&block->arena);
    free(block);
    free(outcomes);
    assert_int_equal(mismatches, 0);
    assert_int_equal(found[1], valid);
    assert_int_equal(found[0], invalid);
}

static void part_of_the_block(void **state) {
    char path[PATH_BYTES];
    (void)state;
    check_block(repository_path(path, "examples/data/bitcoin-block-413567-part.csv"), 268, 37);
}

static void the_whole_block(void **state) {
    char path[PATH_BYTES];
    const char *folder = data_folder("GECC_DATA");
    (void)state;
    if (!folder) {
        skip();
    }
    (void)snprintf(path, sizeof path, "%s/bitcoin-block-413567.csv", folder);
    check_block(path, 5815, 824);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(part_of_the_block), cmocka_unit_test(the_whole_block)};
    return cmocka_run_group_tests_name("bitcoin", tests, NULL, NULL);
}
