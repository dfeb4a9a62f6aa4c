/* Cases with known answers, at random places among other rows.
 *
 * A line is a case: operation, curve, flags, hash, format of points written, output_bytes (0: no such option), modulus,
 * status, output, recovery id, label, inputs in the order of the operation's columns, with tabs between them. Status: a
 * name of GECC_ITEM_LIST, or refused (invalid or malformed). Bytes are hexadecimal; "-": none. */
#define _GNU_SOURCE
#include "check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 11, REFUSED = 1 << GECC_ITEM_INVALID | (int)0xffff0000 };

struct known {
    struct call call;
    uint32_t statuses;                        /* the set of those that are right, 1 << gecc_item each */
    struct cell in[INPUTS], out, recovery_id; /* data NULL: none */
    char *label;
    size_t line;
};

struct known_list {
    struct known *list;
    size_t count, capacity;
};

static struct cell hex_read(const char *text, const char *file, size_t line) {
    size_t length = strlen(text);
    struct cell cell = {NULL, (uint32_t)(length / 2)};
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

static bool status_read(const char *text, uint32_t *statuses) {
    static const struct {
        const char *name;
        int item;
    } items[] = {
#define GECC_X(name, value, text) {&#name[sizeof "GECC_ITEM_" - 1], value},
        GECC_ITEM_LIST(GECC_X)
#undef GECC_X
    };
    for (size_t i = 0; i < sizeof items / sizeof *items; i++)
        if (strcmp(text, items[i].name) == 0) {
            *statuses = 1u << items[i].item;
            return true;
        }
    *statuses = (uint32_t)REFUSED;
    return strcmp(text, "refused") == 0;
}

static void modulus_read(struct call *call, const char *text, const char *file, size_t line) {
    struct cell modulus = hex_read(text, file, line);
    if (modulus.width > sizeof call->modulus)
        trouble("%s:%zu: the modulus is too wide", file, line);
    call->modulus_bytes = modulus.width;
    if (modulus.data != NULL)
        memcpy(call->modulus, modulus.data, modulus.width);
    free(modulus.data);
}

/* Inputs that the line ends before are none. */
static void inputs_read(struct known *known, char *text, const char *file, size_t line) {
    for (int i = 0; i < INPUTS; i++) {
        const char *field = strsep(&text, "\t");
        known->in[i] = hex_read(field != NULL ? field : "-", file, line);
        const gecc_column *column = gecc_operation_input(known->call.operation, (size_t)i);
        if (column != NULL && column->is_optional)
            known->call.optional = known->in[i].data != NULL;
        if (call_uses(&known->call, i) != (known->in[i].data != NULL))
            trouble("%s:%zu: %s has other inputs", file, line, known->call.operation->name);
        if (known->in[i].width > CELL_BYTES_MOST)
            trouble("%s:%zu: an input is longer than %d bytes", file, line, (int)CELL_BYTES_MOST);
    }
    if (text != NULL)
        trouble("%s:%zu: more inputs than %d", file, line, INPUTS);
}

static void line_read(struct known *known, char *text, const char *file, size_t line) {
    char *field[FIELDS];
    *known = (struct known){.line = line};
    text[strcspn(text, "\n")] = 0;
    for (int i = 0; i < FIELDS; i++)
        if ((field[i] = strsep(&text, "\t")) == NULL)
            trouble("%s:%zu: %d fields are wanted, and inputs", file, line, FIELDS);
    bool curve = strcmp(field[1], "-") == 0 || curve_read(field[1], &known->call.curve);
    if ((known->call.operation = gecc_operation_find(field[0])) == NULL || !curve ||
        !flags_read(field[2], &known->call.flags) || !hash_read(field[3], &known->call.hash) ||
        !format_read(field[4], &known->call.format) || !status_read(field[7], &known->statuses))
        trouble("%s:%zu: an unknown name", file, line);
    known->call.output_bytes = strtoul(field[5], NULL, 10);
    modulus_read(&known->call, field[6], file, line);
    known->out = hex_read(field[8], file, line);
    known->recovery_id = hex_read(field[9], file, line);
    known->label = strdup(field[10]);
    inputs_read(known, text, file, line);
}

/* All exponents of a call have one width. */
static long exponent_width(const struct known *known) {
    for (int i = 0; i < INPUTS; i++)
        if (call_kind(&known->call, i) == GECC_KIND_EXPONENT)
            return (long)known->in[i].width;
    return 0;
}

/* 0: they can be rows of one call. */
static int call_order(const struct known *x, const struct known *y) {
    const struct call *a = &x->call, *b = &y->call;
    const long differences[] = {strcmp(a->operation->name, b->operation->name),
                                (long)a->curve - (long)b->curve,
                                (long)a->flags - (long)b->flags,
                                (long)a->hash - (long)b->hash,
                                (long)a->format - (long)b->format,
                                (long)a->optional - (long)b->optional,
                                (long)a->output_bytes - (long)b->output_bytes,
                                (long)a->modulus_bytes - (long)b->modulus_bytes,
                                memcmp(a->modulus, b->modulus, sizeof a->modulus),
                                exponent_width(x) - exponent_width(y)};
    for (size_t i = 0; i < sizeof differences / sizeof *differences; i++)
        if (differences[i] != 0)
            return differences[i] < 0 ? -1 : 1;
    return 0;
}

/* The order of the file where calls are equal. */
static int by_call(const void *a, const void *b) {
    const struct known *x = a, *y = b;
    int order = call_order(x, y);
    return order != 0 ? order : x->line < y->line ? -1 : 1;
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
        for (int input = 0; input < INPUTS; input++)
            free(all->list[i].in[input].data);
        free(all->list[i].out.data);
        free(all->list[i].recovery_id.data);
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
    const struct known **staged; /* [rows]; NULL: a row whose answer is not known */
    size_t rows, capacity;
};

static void append_row(struct run *run, const struct known *known) {
    if (run->rows == run->capacity) {
        run->capacity = 2 * run->capacity + 64;
        run->staged = memory_resize(run->staged, run->capacity * sizeof *run->staged);
    }
    if (known == NULL)
        generator_next(run->generator, prng_below(&run->prng, 2) == 0);
    for (int i = 0; i < INPUTS; i++)
        if (call_uses(&run->batch.call, i)) {
            const struct cell *cell = known == NULL ? &run->generator->cells[i] : &known->in[i];
            column_add(&run->batch.in[i], cell->data, cell->width);
        }
    run->staged[run->rows++] = known;
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
        append_row(run, prng_below(&run->prng, 2) == 0 ? &group[order[i++]] : NULL);
    for (uint64_t more = prng_below(&run->prng, 70); more != 0; more--)
        append_row(run, NULL);
    run->batch.count = run->rows;
    free(order);
}

static bool is_expected(const struct known *known, const struct outcome *outcome, size_t row) {
    uint8_t status = outcome->status[row];
    if (status >= 32 || (known->statuses >> status & 1) == 0)
        return false;
    if (status != GECC_ITEM_OK || known->out.data == NULL)
        return true;
    size_t width = outcome->widths[row] != 0 ? outcome->widths[row] : outcome->width;
    if (known->recovery_id.data != NULL && known->recovery_id.data[0] != outcome->second[row])
        return false;
    return width == known->out.width && memcmp(outcome->out + row * outcome->stride, known->out.data, width) == 0;
}

static size_t check(const struct run *run, const struct outcome *outcome) {
    enum { PRINTED_MOST = 3 };
    char text[128];
    size_t wrong = 0;
    if (outcome->result != GECC_OK)
        return run->rows;
    for (size_t row = 0; row < run->rows; row++) {
        const struct known *known = run->staged[row];
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
        enum memory_kind kind;
    } turns[] = {{SCATTERED, PAGEABLE}, {STRIDED, PINNED}, {SCATTERED, DEVICE}};
    size_t wrong = 0;
    for (size_t turn = 0; turn < sizeof turns / sizeof *turns; turn++) {
        struct outcome a, b;
        run->batch.call = group->call;
        run->batch.shape = turns[turn].shape;
        generator_start(run->generator, pool, call_wanted(&run->batch.call), false, &run->prng);
        run->generator->exponent_width = group->in[1].width;
        mix(run, group, count);
        batch_run(&run->batch, memory_kind_exists(turns[turn].kind) ? turns[turn].kind : PAGEABLE, run->contexts->a,
                  &a);
        batch_run(&run->batch, PAGEABLE, run->contexts->b, &b);
        plant(run->settings, &run->batch.call, &a);
        wrong += outcomes_compare(&run->batch, &a, &b) + check(run, &a);
        outcome_free(&a);
        outcome_free(&b);
    }
    return wrong;
}

/* Groups of calls that are printed alike, as those with different moduli are: one line. */
struct line {
    char text[128];
    size_t cases, wrong;
};

static void line_print(const struct line *line, FILE *json) {
    if (line->cases == 0)
        return;
    printf("%-48s %9zu %9zu\n", line->text, line->cases, line->wrong);
    if (json != NULL)
        fprintf(json, "{\"check\":\"cases\",\"call\":\"%s\",\"cases\":%zu,\"wrong\":%zu}\n", line->text, line->cases,
                line->wrong);
}

static size_t run_wanted(struct run *run, struct line *line, const struct pool *pool, const struct known *group,
                         size_t count) {
    char text[128];
    call_text(&group->call, text);
    if (run->settings->filter != NULL && strstr(text, run->settings->filter) == NULL)
        return 0;
    if (strcmp(text, line->text) != 0) {
        line_print(line, run->settings->json_file);
        *line = (struct line){.cases = 0};
        memcpy(line->text, text, sizeof text);
    }
    size_t wrong = run_group(run, pool, group, count);
    line->cases += count;
    line->wrong += wrong;
    return wrong;
}

bool run_cases(const struct settings *settings, const struct contexts *contexts) {
    enum { POOL_COUNT = 256 };
    struct run run = {.settings = settings, .contexts = contexts, .prng = {settings->seed}};
    struct known_list all = file_read(settings->cases);
    struct pool *pools[GECC_CURVE25519 + 1] = {NULL}; /* of operations without a curve: none */
    struct line line = {.cases = 0};
    const bool curve25519 = has_curve25519(contexts->a);
    size_t wrong = 0, left_out = 0;
    run.generator = memory_new(1, sizeof *run.generator);
    printf("%-48s %9s %9s\n", "cases with known answers, among other rows", "cases", "wrong");
    for (size_t first = 0, end; first < all.count; first = end) {
        gecc_curve curve = all.list[first].call.curve;
        for (end = first + 1; end < all.count && call_order(&all.list[first], &all.list[end]) == 0;)
            end++;
        if (curve == GECC_CURVE25519 && !curve25519) {
            left_out += end - first;
            continue;
        }
        if (curve != 0 && pools[curve] == NULL)
            pools[curve] = pool_new(contexts->b, curve, POOL_COUNT, POOL_COUNT, false, &run.prng);
        wrong += run_wanted(&run, &line, pools[curve], &all.list[first], end - first);
    }
    line_print(&line, settings->json_file);
    if (left_out != 0)
        printf("Curve25519: A has no operations on it, which leaves out %zu cases\n", left_out);
    printf("cases: %zu, %zu wrong\n", all.count - left_out, wrong);
    for (int curve = GECC_SECP256K1; curve <= GECC_CURVE25519; curve++)
        if (pools[curve] != NULL)
            pool_free(pools[curve]);
    batch_free(&run.batch);
    file_free(&all);
    free(run.staged);
    free(run.generator);
    return wrong == 0;
}
