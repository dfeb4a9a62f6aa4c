/* The cases that the tests of every language read: bindings/cases, whose README says how lines are read.
 *
 * Test: fast; columns */
#define _POSIX_C_SOURCE 200809L
#include "support/folders.h"
#include "support/operation.h"

#include <ctype.h>
#include <gecc/languages.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS_MOST = 64, LINE_BYTES = 1 << 16, CASE_BYTES = 1 << 18, WORDS_MOST = 16, RESULT_BYTES = 256 };

/* A case of one column a cell; data NULL: there is none. */
struct cell_text {
    uint8_t *data;
    size_t width;
};

struct known {
    size_t line;
    const gecc_operation *operation;
    gecc_parameters parameters;
    gecc_options options;
    uint8_t modulus[GECC_CURVE_BYTES_MOST];
    int input[CELLS]; /* the place of each column that it is given */
    size_t inputs, rows, used;
    struct cell_text cell[ROWS_MOST][CELLS], result[ROWS_MOST][OUTPUTS];
    int status[ROWS_MOST]; /* -1: the row says none */
    gecc_result error;     /* GECC_OK: it is not refused */
    char word[32];
    uint8_t bytes[CASE_BYTES];
};

static struct cell_text cell_of(struct known *k, const char *digits) {
    struct cell_text cell = {k->bytes + k->used, strcmp(digits, "-") == 0 ? 0 : strlen(digits) / 2};
    if (strcmp(digits, ".") == 0)
        return (struct cell_text){NULL, 0};
    assert_true(k->used + cell.width < sizeof k->bytes);
    for (size_t i = 0; i < cell.width; i++)
        assert_int_equal(sscanf(digits + 2 * i, "%2hhx", &cell.data[i]), 1);
    k->used += cell.width;
    return cell;
}

static int place_of(const gecc_operation *operation, const char *name) {
    const gecc_column *column;
    for (size_t i = 0; (column = gecc_operation_input(operation, i)) != NULL; i++)
        if (strcmp(column->name, name) == 0)
            return (int)i;
    fail_msg("%s has no column %s", operation->name, name);
    return -1;
}

static void read_row(struct known *k, char *const *words, size_t count) {
    const size_t row = k->rows++, colon = k->inputs;
    assert_true(k->rows <= ROWS_MOST);
    for (size_t i = 0; i < k->inputs; i++)
        k->cell[row][i] = cell_of(k, words[i]);
    k->status[row] = colon < count ? gecc_item_named(words[colon + 1]) : -1;
    for (size_t i = colon + 2; i < count; i++)
        k->result[row][i - colon - 2] = cell_of(k, words[i]);
}

static void read_line(struct known *k, const char *key, char *const *words, size_t count) {
    if (strcmp(key, "curve") == 0) {
        k->parameters.curve = gecc_curve_named(words[0]);
    } else if (strcmp(key, "hash") == 0) {
        k->parameters.hash = gecc_hash_named(words[0]);
    } else if (strcmp(key, "modulus") == 0) {
        const struct cell_text modulus = cell_of(k, words[0]);
        k->parameters.modulus = (gecc_modulus){modulus.data, modulus.width};
    } else if (strcmp(key, "nonce_hash") == 0) {
        k->options.nonce_hash = gecc_hash_named(words[0]);
    } else if (strcmp(key, "point_format") == 0) {
        k->options.point_format = (gecc_point_format)gecc_point_format_named(words[0]);
    } else if (strcmp(key, "output_bytes") == 0) {
        k->options.output_bytes = strtoul(words[0], NULL, 10);
    } else if (strcmp(key, "row") == 0) {
        read_row(k, words, count);
    } else if (strcmp(key, "error") == 0) {
        k->error = (gecc_result)gecc_result_named(words[0]);
        snprintf(k->word, sizeof k->word, "%s", words[1]);
    } else if (strcmp(key, "flags") == 0) {
        for (size_t i = 0; i < count; i++) {
            assert_true(gecc_flag_named(words[i]) != 0);
            k->options.flags |= gecc_flag_named(words[i]);
        }
    } else if (strcmp(key, "inputs") == 0) {
        for (k->inputs = 0; k->inputs < count; k->inputs++)
            k->input[k->inputs] = place_of(k->operation, words[k->inputs]);
    } else {
        assert_string_equal(key, "outputs"); /* the results of rows are in the operation's order */
    }
}

/* Columns with a width a row; exponents, and of calls that are refused columns whose rows have one, with that one. */
struct columns {
    gecc_rows in[CELLS];
    uint64_t offsets[CELLS][ROWS_MOST];
    uint32_t widths[CELLS][ROWS_MOST];
};

static void lay(struct columns *columns, const struct known *k) {
    memset(columns, 0, sizeof *columns);
    for (size_t i = 0; i < k->inputs; i++) {
        gecc_rows *rows = &columns->in[k->input[i]];
        bool even = true;
        for (size_t row = 0; row < k->rows; row++) {
            even &= k->cell[row][i].width == k->cell[0][i].width;
            columns->offsets[i][row] = k->cell[row][i].data ? (uint64_t)(k->cell[row][i].data - k->bytes) : 0;
            columns->widths[i][row] = (uint32_t)k->cell[row][i].width;
        }
        *rows = (gecc_rows){k->bytes, 0, k->cell[0][i].width, columns->widths[i], columns->offsets[i]};
        const bool is_exponent = gecc_operation_input(k->operation, (size_t)k->input[i])->kind == GECC_KIND_EXPONENT;
        if (is_exponent || (k->error != GECC_OK && even && rows->width != 0))
            rows->widths = NULL;
        else
            rows->width = 0;
    }
}

static bool has_word(const char *text, const char *word) {
    for (const size_t length = strlen(word); *text; text++) {
        size_t i = 0;
        while (i < length && text[i] && tolower((unsigned char)text[i]) == tolower((unsigned char)word[i]))
            i++;
        if (i == length)
            return true;
    }
    return false;
}

static void check_case(gecc_context *context, const struct known *k) {
    static struct columns columns;
    static uint8_t results[OUTPUTS][ROWS_MOST][RESULT_BYTES], status[ROWS_MOST];
    static uint32_t widths[OUTPUTS][ROWS_MOST];
    gecc_out out[OUTPUTS];
    lay(&columns, k);
    memset(results, 0xee, sizeof results);
    for (size_t o = 0; o < OUTPUTS; o++)
        out[o] = (gecc_out){results[o], RESULT_BYTES, widths[o]};
    const gecc_result result = gecc_run(context, k->operation, &k->parameters, out, gecc_out_packed(status, 1),
                                        columns.in, k->rows, &k->options);
    if (result == GECC_ERROR_UNSUPPORTED && gecc_operation_input(k->operation, 0)->kind == GECC_KIND_SCALARS)
        return; /* no GPU has a program for sums */
    if (result != k->error)
        fail_msg("line %zu: %s: %s", k->line, gecc_result_text(result), gecc_error_text());
    if (k->error != GECC_OK) {
        if (!has_word(gecc_error_text(), k->word))
            fail_msg("line %zu: no %s in: %s", k->line, k->word, gecc_error_text());
        return;
    }
    for (size_t row = 0; row < k->rows; row++) {
        if (status[row] != k->status[row])
            fail_msg("line %zu, row %zu: %s", k->line, row, gecc_item_name(status[row]));
        for (size_t o = 0; gecc_operation_output(k->operation, o) != NULL; o++) {
            const struct cell_text *expected = &k->result[row][o];
            assert_int_equal(widths[o][row], k->status[row] == GECC_ITEM_OK ? expected->width : 0);
            if (k->status[row] == GECC_ITEM_OK)
                assert_memory_equal(results[o][row], expected->data, expected->width);
        }
    }
}

/* Columns of different numbers of rows cannot be said in C, which has one count: such a case is left out. */
static bool can_be_said(const struct known *k) {
    bool said = true;
    for (size_t row = 0; row < k->rows; row++)
        for (size_t i = 0; i < k->inputs; i++)
            said &= k->cell[row][i].data != NULL;
    return said;
}

static size_t check_file(gecc_context *context, const char *name) {
    char path[PATH_BYTES];
    FILE *file = fopen(repository_path(path, name), "r");
    char *line = memory_new(LINE_BYTES, 1);
    struct known *k = memory_new(1, sizeof *k);
    size_t cases = 0, number = 0;
    assert_non_null(file);
    for (bool more = true; more;) {
        char *words[WORDS_MOST], *at;
        size_t count = 0;
        more = fgets(line, LINE_BYTES, file) != NULL;
        number++;
        for (char *word = more && line[0] != '#' ? strtok_r(line, " \n", &at) : NULL; word;
             word = strtok_r(NULL, " \n", &at)) {
            assert_true(count < WORDS_MOST);
            words[count++] = word;
        }
        const bool begins = count && strcmp(words[0], "case") == 0;
        if ((begins || !more) && k->operation && can_be_said(k)) {
            check_case(context, k);
            cases++;
        }
        if (begins) {
            memset(k, 0, sizeof *k);
            k->line = number;
            k->parameters = (gecc_parameters)GECC_PARAMETERS_INIT;
            k->options = (gecc_options)GECC_OPTIONS_INIT;
            k->operation = gecc_operation_find(words[1]);
            assert_non_null(k->operation);
        } else if (count) {
            read_line(k, words[0], words + 1, count - 1);
        }
    }
    fclose(file);
    free(line);
    free(k);
    return cases;
}

static void known_answers(void **state) {
    gecc_context *context = test_context();
    (void)state;
    assert_true(check_file(context, "bindings/cases/known_answers.txt") > 200);
    gecc_close(context);
}

static void misuse(void **state) {
    gecc_context *context = test_context();
    (void)state;
    assert_true(check_file(context, "bindings/cases/misuse.txt") > 10);
    gecc_close(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_answers), cmocka_unit_test(misuse)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
