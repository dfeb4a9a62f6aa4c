/* Cases with known answers, at random places among other rows.
 *
 * A line is a case: operation, curve, flags, hash, format of points written, status, output, three inputs, label, with
 * tabs between them. Status: ok, invalid, or refused (invalid or malformed). Bytes are hexadecimal; "-": none. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 11, INPUT_COLUMNS = 3 };

enum expectation { EXPECT_OK, EXPECT_INVALID, EXPECT_REFUSED };

struct known {
    struct call call;
    enum expectation status;
    struct cell in[INPUT_COLUMNS], out; /* data NULL: none */
    char *label;
    size_t line;
};

struct known_list {
    struct known *list;
    size_t count, capacity;
};

static struct cell hex_read(const char *text, const char *file, size_t line) {
    size_t length = strlen(text);
    struct cell cell = {NULL, length / 2};
    if (strcmp(text, "-") == 0)
        return (struct cell){NULL, 0};
    if (length % 2 != 0 || strspn(text, "0123456789abcdef") != length)
        trouble("%s:%zu: not hexadecimal: %.20s", file, line, text);
    cell.data = memory_new(cell.width, 1);
    for (size_t i = 0; i < cell.width; i++) {
        char digits[3] = {text[2 * i], text[2 * i + 1], 0};
        cell.data[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return cell;
}

static bool format_read(const char *text, gecc_point_format *format) {
    static const char *const names[] = {"uncompressed", "compressed", "raw"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *format = (gecc_point_format)i;
            return true;
        }
    return false;
}

static bool status_read(const char *text, enum expectation *status) {
    static const char *const names[] = {"ok", "invalid", "refused"};
    for (int i = 0; i < 3; i++)
        if (strcmp(text, names[i]) == 0) {
            *status = (enum expectation)i;
            return true;
        }
    return false;
}

static void line_read(struct known *known, char *text, const char *file, size_t line) {
    char *field[FIELDS];
    *known = (struct known){.line = line};
    text[strcspn(text, "\n")] = 0;
    for (int i = 0; i < FIELDS; i++)
        if ((field[i] = strsep(&text, "\t")) == NULL)
            trouble("%s:%zu: %d fields are wanted", file, line, FIELDS);
    if (!operation_read(field[0], &known->call.operation) || !curve_read(field[1], &known->call.curve) ||
        !flags_read(field[2], &known->call.flags) || !hash_read(field[3], &known->call.hash) ||
        !format_read(field[4], &known->call.format) || !status_read(field[5], &known->status))
        trouble("%s:%zu: an unknown name", file, line);
    known->out = hex_read(field[6], file, line);
    for (int i = 0; i < INPUT_COLUMNS; i++) {
        known->in[i] = hex_read(field[7 + i], file, line);
        if (call_uses(&known->call, i) != (known->in[i].data != NULL))
            trouble("%s:%zu: %s has other inputs", file, line, field[0]);
        if (known->in[i].width > CELL_BYTES_MOST)
            trouble("%s:%zu: an input is longer than %d bytes", file, line, (int)CELL_BYTES_MOST);
    }
    known->label = strdup(field[10]);
}

/* The order of the file where calls are equal. */
static int by_call(const void *a, const void *b) {
    const struct known *x = a, *y = b;
    const long differences[] = {
        (long)x->call.operation - (long)y->call.operation, (long)x->call.curve - (long)y->call.curve,
        (long)x->call.flags - (long)y->call.flags,         (long)x->call.hash - (long)y->call.hash,
        (long)x->call.format - (long)y->call.format,       (long)x->line - (long)y->line};
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i] != 0)
            return differences[i] < 0 ? -1 : 1;
    return 0;
}

static bool same_call(const struct call *a, const struct call *b) {
    return a->operation == b->operation && a->curve == b->curve && a->flags == b->flags && a->hash == b->hash &&
           a->format == b->format;
}

static struct known_list file_read(const char *path) {
    struct known_list all = {.count = 0};
    char *line = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "r");
    if (file == NULL)
        trouble("%s: %s", path, strerror(errno));
    while (getline(&line, &capacity, file) > 0) {
        if (all.count == all.capacity) {
            all.capacity = 2 * all.capacity + 64;
            all.list = memory_resize(all.list, all.capacity * sizeof *all.list);
        }
        line_read(&all.list[all.count], line, path, all.count + 1);
        all.count++;
    }
    free(line);
    fclose(file);
    if (all.count == 0)
        trouble("%s: no cases", path);
    qsort(all.list, all.count, sizeof *all.list, by_call);
    return all;
}

static void file_free(struct known_list *all) {
    for (size_t i = 0; i < all->count; i++) {
        for (int input = 0; input < INPUT_COLUMNS; input++)
            free(all->list[i].in[input].data);
        free(all->list[i].out.data);
        free(all->list[i].label);
    }
    free(all->list);
}

struct run {
    const struct settings *settings;
    const struct contexts *contexts;
    struct prng prng;
    struct batch batch;
    struct generator *generator;
    const struct known **placed; /* [rows]; NULL: a row whose answer is not known */
    size_t rows, capacity;
};

static void place_row(struct run *run, const struct known *known) {
    if (run->rows == run->capacity) {
        run->capacity = 2 * run->capacity + 64;
        run->placed = memory_resize(run->placed, run->capacity * sizeof *run->placed);
    }
    if (known == NULL)
        generator_next(run->generator, prng_below(&run->prng, 2) == 0);
    for (int i = 0; i < INPUT_COLUMNS; i++)
        if (call_uses(&run->batch.call, i)) {
            const struct cell *cell = known == NULL ? &run->generator->cells[i] : &known->in[i];
            column_add(&run->batch.in[i], cell->data, cell->width);
        }
    run->placed[run->rows++] = known;
}

/* Every case once, in a random order, each with as many other rows on average. */
static void mix(struct run *run, const struct known *group, size_t count) {
    size_t *order = memory_new(count, sizeof *order);
    for (size_t i = 0; i < count; i++) {
        size_t j = (size_t)prng_below(&run->prng, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    batch_clear(&run->batch);
    run->rows = 0;
    for (size_t i = 0; i < count;)
        place_row(run, prng_below(&run->prng, 2) == 0 ? &group[order[i++]] : NULL);
    for (uint64_t more = prng_below(&run->prng, 70); more != 0; more--)
        place_row(run, NULL);
    run->batch.count = run->rows;
    free(order);
}

static bool is_expected(const struct known *known, const struct outcome *outcome, size_t row) {
    uint8_t status = outcome->status[row];
    if (known->status == EXPECT_REFUSED)
        return status == GECC_ITEM_INVALID || gecc_item_is_malformed(status);
    if (status != (known->status == EXPECT_OK ? GECC_ITEM_OK : GECC_ITEM_INVALID))
        return false;
    if (status != GECC_ITEM_OK || known->out.data == NULL)
        return true;
    size_t width = outcome->widths[row] != 0 ? outcome->widths[row] : outcome->width;
    return width == known->out.width && memcmp(outcome->out + row * outcome->stride, known->out.data, width) == 0;
}

static size_t check(const struct run *run, const struct outcome *outcome) {
    enum { PRINTED_MOST = 3 };
    char text[128];
    size_t wrong = 0;
    if (outcome->result != GECC_OK)
        return run->rows;
    for (size_t row = 0; row < run->rows; row++) {
        const struct known *known = run->placed[row];
        if (known == NULL || is_expected(known, outcome, row) || wrong++ >= PRINTED_MOST)
            continue;
        printf("WRONG %s, line %zu (%s), row %zu of %zu: %s\n", call_text(&run->batch.call, text), known->line,
               known->label, row, run->rows, gecc_item_text(outcome->status[row]));
        row_print(&run->batch, row);
    }
    return wrong;
}

static size_t run_group(struct run *run, const struct pool *pool, const struct known *group, size_t count) {
    static const struct {
        enum shape shape;
        enum place place;
    } turns[] = {{SCATTERED, PAGEABLE}, {STRIDED, PINNED}, {SCATTERED, DEVICE}};
    size_t wrong = 0;
    for (size_t turn = 0; turn < sizeof turns / sizeof *turns; turn++) {
        struct outcome a, b;
        run->batch.call = group->call;
        run->batch.shape = turns[turn].shape;
        generator_start(run->generator, pool, &run->batch.call, false, &run->prng);
        mix(run, group, count);
        batch_run(&run->batch, place_exists(turns[turn].place) ? turns[turn].place : PAGEABLE, run->contexts->a, &a);
        batch_run(&run->batch, PAGEABLE, run->contexts->b, &b);
        plant(run->settings, &run->batch.call, &a);
        wrong += outcomes_compare(&run->batch, &a, &b) + check(run, &a);
        outcome_free(&a);
        outcome_free(&b);
    }
    return wrong;
}

static size_t run_wanted(struct run *run, const struct pool *pool, const struct known *group, size_t count) {
    char text[128];
    call_text(&group->call, text);
    if (run->settings->filter != NULL && strstr(text, run->settings->filter) == NULL)
        return 0;
    size_t wrong = run_group(run, pool, group, count);
    printf("%-48s %9zu %9zu\n", text, count, wrong);
    if (run->settings->json_file != NULL)
        fprintf(run->settings->json_file, "{\"check\":\"cases\",\"call\":\"%s\",\"cases\":%zu,\"wrong\":%zu}\n", text,
                count, wrong);
    return wrong;
}

bool run_cases(const struct settings *settings, const struct contexts *contexts) {
    enum { POOL_COUNT = 256 };
    struct run run = {.settings = settings, .contexts = contexts, .prng = {settings->seed}};
    struct known_list all = file_read(settings->cases);
    struct pool *pools[GECC_SM2 + 1] = {NULL};
    size_t wrong = 0;
    run.generator = memory_new(1, sizeof *run.generator);
    printf("%-48s %9s %9s\n", "cases with known answers, among other rows", "cases", "wrong");
    for (size_t first = 0, end; first < all.count; first = end) {
        gecc_curve curve = all.list[first].call.curve;
        for (end = first + 1; end < all.count && same_call(&all.list[first].call, &all.list[end].call);)
            end++;
        if (pools[curve] == NULL)
            pools[curve] = pool_new(contexts->b, curve, POOL_COUNT, &run.prng);
        wrong += run_wanted(&run, pools[curve], &all.list[first], end - first);
    }
    printf("cases: %zu, %zu wrong\n", all.count, wrong);
    for (int curve = GECC_SECP256K1; curve <= GECC_SM2; curve++)
        if (pools[curve] != NULL)
            pool_free(pools[curve]);
    batch_free(&run.batch);
    file_free(&all);
    free(run.placed);
    free(run.generator);
    return wrong == 0;
}
