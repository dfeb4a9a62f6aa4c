/* Every signature of Bitcoin's block 413567, row by row: 5,815 verify; 824 do not, as multisig scripts try keys in turn. */
#define _DEFAULT_SOURCE
#include "support/operation.h"
#include "support/vectors.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { VALID = 5815, INVALID = 824, ROWS = VALID + INVALID, COLUMNS = 7 };

struct block {
    struct row rows[ROWS];
    int valid[ROWS];
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
    REQUIRE(block->count < ROWS);
    for (int i = 0; i < 3; i++) {
        block->rows[block->count].in[i] = hex_cell(&block->arena, field[i]);
    }
    REQUIRE(strcmp(field[3], "valid") == 0 || strcmp(field[3], "invalid") == 0);
    block->valid[block->count++] = strcmp(field[3], "valid") == 0;
}

static void read_block(struct block *block, const char *folder) {
    char path[1024], *line = NULL;
    size_t capacity = 0;
    snprintf(path, sizeof path, "%s/bitcoin-block-413567.csv", folder);
    FILE *file = fopen(path, "r");
    REQUIRE(file && getline(&line, &capacity, file) > 0);
    while (getline(&line, &capacity, file) > 0) {
        read_line(block, line);
    }
    free(line);
    fclose(file);
}

static void block_413567(void **state) {
    (void)state;
    const char *folder = data_folder("GECC_DATA");
    if (!folder) {
        skip();
    }
    struct block *block = memory_new(1, sizeof *block);
    struct outcome *outcomes = memory_new(ROWS, sizeof *outcomes);
    struct call call = {.operation = ECDSA_VERIFY, .curve = GECC_SECP256K1, .flags = GECC_DER};
    gecc_context *context = test_context();
    struct prng prng = prng_for("bitcoin");
    size_t found[2] = {0, 0}, mismatches = 0;
    read_block(block, folder);
    assert_int_equal(block->count, ROWS);
    run_rows(context, &call, block->rows, ROWS, &prng, outcomes);
    for (size_t i = 0; i < ROWS; i++) {
        struct expectation expected = {.statuses = block->valid[i] ? STATUS(OK) : STATUS(INVALID)};
        mismatches += (size_t)outcome_mismatch(&call, &block->rows[i], &expected, &outcomes[i], "block 413567");
        found[outcomes[i].status == GECC_ITEM_OK]++;
    }
    gecc_close(context);
    arena_free(&block->arena);
    free(block);
    free(outcomes);
    assert_int_equal(mismatches, 0);
    assert_int_equal(found[1], VALID);
    assert_int_equal(found[0], INVALID);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(block_413567)};
    int failed = cmocka_run_group_tests_name("bitcoin", tests, NULL, NULL);
    return failed || getenv("GECC_DATA") ? failed : 77;
}
