/* Rows to memory in many shapes, one call of the library, and back. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "fake_cuda/driver.h"
#include "operation.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GUARD_BYTES = 32, GUARD = 0xa5, IGNORED_NUMBER = 0x5eed };

enum { PARTS = 3 };

/* The narrowest windows of tables of keys, and how many widths are tried: no wide ones, as there may be many keys. */
enum { KEY_WINDOW = 4, KEY_WINDOWS = 3 };

/* Memory between two pages that nobody may touch: against the one behind it, or the one before it. */
struct pages {
    uint8_t *mapped;
    size_t bytes;
};

struct column_memory {
    struct pages pages[PARTS]; /* of memory, widths and offsets, which are read-only once they are filled */
    uint8_t *memory;
    size_t bytes;
    uint32_t *widths;
    uint64_t *offsets;
    gecc_rows rows;
    void *device[PARTS]; /* copies of rows, widths and offsets that rows.data, .widths and .offsets are in */
};

struct guarded {
    uint8_t *memory;
    uint8_t *start;
    size_t stride, width, count, bytes;
    uint8_t *device; /* what the call sees instead of memory; NULL: it sees that */
};

/* The keys of the rows, which differ, as gecc_keys_open takes them. */
struct key_list {
    struct cell *cells;
    size_t count;
    unsigned window; /* of the tables */
    gecc_keys *keys; /* NULL: not yet */
};

struct batch {
    struct call call;
    size_t count;
    struct key_list keys;
    struct arena numbers; /* of the rows' keys */
    struct column_memory in[CELLS];
    struct guarded out[OUTPUTS], widths[OUTPUTS], status;
    int gives_widths[OUTPUTS];
    int alias;
    gecc_report report;
};

static uint64_t choose(struct prng *shape, uint64_t bound) { return shape ? prng_below(shape, bound) : 0; }

static void *pages_new(struct pages *pages, size_t bytes, int at_start) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), inner = (bytes / page + 1) * page;
    pages->bytes = page + inner + page;
    pages->mapped = mmap(NULL, pages->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(pages->mapped != MAP_FAILED);
    REQUIRE(mprotect(pages->mapped, page, PROT_NONE) == 0);
    REQUIRE(mprotect(pages->mapped + page + inner, page, PROT_NONE) == 0);
    return pages->mapped + page + (at_start ? 0 : inner - bytes);
}

/* Inputs are not written. */
static void pages_seal(const struct pages *pages) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    if (pages->mapped) {
        REQUIRE(mprotect(pages->mapped + page, pages->bytes - 2 * page, PROT_READ) == 0);
    }
}

static void pages_free(const struct pages *pages) {
    if (pages->mapped) {
        REQUIRE(munmap(pages->mapped, pages->bytes) == 0);
    }
}

static struct guarded guarded_new(size_t count, size_t width, size_t gap, size_t misalignment) {
    size_t stride = width + gap, bytes = GUARD_BYTES + misalignment + count * stride + GUARD_BYTES;
    struct guarded guarded = {.stride = stride, .width = width, .count = count, .bytes = bytes};
    guarded.memory = memory_new(1, bytes);
    memset(guarded.memory, GUARD, bytes);
    guarded.start = guarded.memory + GUARD_BYTES + misalignment;
    return guarded;
}

/* Where the call finds the first row. */
static uint8_t *guarded_start(const struct guarded *guarded) {
    return guarded->device ? guarded->device + (guarded->start - guarded->memory) : guarded->start;
}

static int is_guard(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != GUARD) {
            return 0;
        }
    }
    return 1;
}

/* Nothing was written before, after and between the rows, which are fetched first. */
static void guarded_check(const struct guarded *guarded) {
    if (guarded->device) {
        fake_device_read(guarded->memory, guarded->device, guarded->bytes);
    }
    REQUIRE(is_guard(guarded->memory, GUARD_BYTES));
    REQUIRE(is_guard(guarded->start + guarded->count * guarded->stride, GUARD_BYTES));
    for (size_t i = 0; i < guarded->count; i++) {
        REQUIRE(is_guard(guarded->start + i * guarded->stride + guarded->width, guarded->stride - guarded->width));
    }
}

static int same_cells(const struct row *rows, size_t count, int cell) {
    for (size_t i = 1; i < count; i++) {
        if (memcmp(rows[i].in[cell].data, rows[0].in[cell].data, rows[0].in[cell].width) != 0) {
            return 0;
        }
    }
    return 1;
}

/* Rows at random places in a random order, the memory exactly as long as needed. */
static void place_scattered(struct column_memory *column, const struct row *rows, size_t count, int cell,
                            struct prng *shape) {
    size_t *order = memory_new(count, sizeof *order);
    prng_permutation(shape, order, count);
    column->offsets = pages_new(&column->pages[2], count * sizeof *column->offsets, choose(shape, 2) != 0);
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++) {
        column->offsets[order[i]] = end + choose(shape, 4);
        end = column->offsets[order[i]] + rows[order[i]].in[cell].width;
    }
    column->bytes = end;
    column->memory = pages_new(&column->pages[0], end, choose(shape, 2) != 0);
    for (size_t i = 0; i < count; i++) {
        memcpy(column->memory + column->offsets[i], rows[i].in[cell].data, rows[i].in[cell].width);
    }
    column->rows = (gecc_rows){column->memory, IGNORED_NUMBER, 0, NULL, column->offsets};
    free(order);
}

/* Rows `stride` apart, the last one at the very end of the memory. */
static void place_strided(struct column_memory *column, const struct row *rows, size_t count, int cell, size_t stride,
                          size_t misalignment, int at_start) {
    size_t bytes = misalignment + (count ? (count - 1) * stride + rows[count - 1].in[cell].width : 0);
    column->bytes = bytes;
    column->memory = pages_new(&column->pages[0], bytes, at_start);
    memset(column->memory, GUARD, bytes);
    for (size_t i = 0; i < count; i++) {
        memcpy(column->memory + misalignment + i * stride, rows[i].in[cell].data, rows[i].in[cell].width);
    }
    column->rows = (gecc_rows){column->memory + misalignment, stride, 0, NULL, NULL};
}

/* A column may have this width. One whose rows all have another is an error of the call, not of its rows. */
static int width_is_right(const struct call *call, int cell, size_t width) {
    gecc_widths widths = call_input_widths(call, cell);
    int listed = widths.count == 0;
    for (size_t i = 0; i < widths.count; i++) {
        listed |= width == widths.width[i];
    }
    return listed && width >= widths.least && width <= widths.most;
}

static void place_column(struct column_memory *column, const struct call *call, const struct row *rows, size_t count,
                         int cell, struct prng *shape) {
    int one_width = kind_of_input(call->operation, cell) == GECC_KIND_EXPONENT;
    size_t widest = 0, equal = 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t width = rows[i].in[cell].width;
        widest = width > widest ? width : widest;
        equal &= width == rows[0].in[cell].width;
    }
    REQUIRE(equal || !one_width);
    if (choose(shape, 2)) {
        place_scattered(column, rows, count, cell, shape);
    } else if (equal && count && choose(shape, 2) && same_cells(rows, count, cell)) {
        place_strided(column, rows, 1, cell, 0, choose(shape, 8), choose(shape, 2) != 0);
    } else {
        place_strided(column, rows, count, cell, widest + choose(shape, 20), choose(shape, 8), choose(shape, 2) != 0);
    }
    if (one_width || (equal && count && width_is_right(call, cell, widest) && choose(shape, 2))) {
        column->rows.width = count ? widest : 1;
        return;
    }
    column->widths = pages_new(&column->pages[1], count * sizeof *column->widths, choose(shape, 2) != 0);
    for (size_t i = 0; i < count; i++) {
        column->widths[i] = rows[i].in[cell].width;
    }
    column->rows.widths = column->widths;
    column->rows.width = IGNORED_NUMBER;
}

/* An input column and the first output in one memory: the same address and stride. */
static void place_aliased(struct batch *batch, const struct row *rows, int cell, size_t out_width) {
    struct column_memory *column = &batch->in[cell];
    size_t widest = out_width;
    column->widths = pages_new(&column->pages[1], batch->count * sizeof *column->widths, 0);
    for (size_t i = 0; i < batch->count; i++) {
        column->widths[i] = rows[i].in[cell].width;
        widest = column->widths[i] > widest ? column->widths[i] : widest;
    }
    batch->out[0] = guarded_new(batch->count, widest, 3, 1);
    for (size_t i = 0; i < batch->count; i++) {
        memcpy(batch->out[0].start + i * batch->out[0].stride, rows[i].in[cell].data, column->widths[i]);
    }
    column->rows = (gecc_rows){batch->out[0].start, batch->out[0].stride, IGNORED_NUMBER, column->widths, NULL};
    if (kind_of_input(batch->call.operation, cell) == GECC_KIND_EXPONENT) {
        column->rows.width = column->widths[0];
        column->rows.widths = NULL;
    }
}

static uint32_t number_of_key(struct key_list *keys, struct cell cell) {
    size_t i = 0;
    while (i < keys->count &&
           (keys->cells[i].width != cell.width || memcmp(keys->cells[i].data, cell.data, cell.width) != 0)) {
        i++;
    }
    keys->cells[i] = cell;
    keys->count += i == keys->count;
    return (uint32_t)i;
}

static uint32_t number_read(const uint8_t *bytes) {
    return bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static struct cell number_write(struct arena *arena, uint64_t number) {
    uint8_t bytes[4];
    number = number < UINT32_MAX ? number : UINT32_MAX;
    for (int i = 0; i < 4; i++) {
        bytes[i] = (uint8_t)(number >> 8 * i);
    }
    return arena_copy(arena, bytes, sizeof bytes);
}

/* The rows with numbers in the place of keys, of which the batch gets a list. */
static struct row *rows_by_number(struct batch *batch, const struct row *rows, int cell) {
    struct row *numbered = memory_new(batch->count, sizeof *numbered);
    batch->keys.cells = memory_new(batch->count, sizeof *batch->keys.cells);
    for (size_t i = 0; i < batch->count; i++) {
        numbered[i] = rows[i];
        if (cell_is_key(rows[i].in[cell])) {
            numbered[i].in[cell] = number_write(&batch->numbers, number_of_key(&batch->keys, rows[i].in[cell]));
        }
    }
    for (size_t i = 0; i < batch->count; i++) {
        if (rows[i].in[cell].width == 4) {
            uint64_t beyond = number_read(rows[i].in[cell].data);
            numbered[i].in[cell] = number_write(&batch->numbers, batch->keys.count + beyond);
        }
    }
    return numbered;
}

static gecc_result keys_open(struct batch *batch, gecc_context *context) {
    struct key_list *list = &batch->keys;
    gecc_keys_config config = GECC_KEYS_CONFIG_INIT;
    uint32_t *widths = memory_new(list->count, sizeof *widths);
    uint64_t *offsets = memory_new(list->count, sizeof *offsets);
    uint8_t *status = memory_new(list->count, 1), *memory;
    size_t bytes = 0;
    for (size_t i = 0; i < list->count; i++) {
        widths[i] = list->cells[i].width;
        offsets[i] = bytes;
        bytes += widths[i];
    }
    memory = memory_new(1, bytes + 1);
    for (size_t i = 0; i < list->count; i++) {
        memcpy(memory + offsets[i], list->cells[i].data, widths[i]);
    }
    config.window = list->window;
    const gecc_rows rows = {memory, IGNORED_NUMBER, IGNORED_NUMBER, widths, offsets};
    gecc_result result =
        gecc_keys_open(context, &list->keys, batch->call.curve, gecc_out_packed(status, 1), rows, list->count, &config);
    free(memory);
    free(status);
    free(offsets);
    free(widths);
    return result;
}

struct batch *batch_new(const struct call *call, const struct row *rows, size_t count, struct prng *shape, int alias) {
    struct batch *batch = memory_new(1, sizeof *batch);
    int key_column = input_of_kind(call->operation, GECC_KIND_KEY_NUMBER);
    struct row *numbered = NULL;
    batch->call = *call;
    batch->count = count;
    batch->alias = alias;
    if (key_column >= 0) {
        rows = numbered = rows_by_number(batch, rows, key_column);
        batch->keys.window = KEY_WINDOW + (unsigned)choose(shape, KEY_WINDOWS);
    }
    for (int cell = 0; cell < CELLS; cell++) {
        int used = kind_of_input(call->operation, cell) != 0;
        if (cell == alias) {
            place_aliased(batch, rows, cell, call_output_widths(call, 0).most);
        } else if (count ? rows[0].in[cell].data != NULL : used) {
            place_column(&batch->in[cell], call, rows, count, cell, shape);
        }
        for (int part = 0; part < PARTS; part++) {
            pages_seal(&batch->in[cell].pages[part]);
        }
    }
    for (int i = 0; i < OUTPUTS && kind_of_output(call->operation, i); i++) {
        gecc_widths widths = call_output_widths(call, i);
        if (call->left_out >> i & 1) {
            continue;
        }
        if (i != 0 || alias == ALIAS_NONE) {
            batch->out[i] = guarded_new(count, widths.most, choose(shape, 20), choose(shape, 8));
        }
        batch->widths[i] = guarded_new(count, sizeof(uint32_t), 0, 0);
        batch->gives_widths[i] = widths.count == 0 || choose(shape, 2) == 0;
    }
    batch->status = guarded_new(count, 1, choose(shape, 2) * choose(shape, 20), choose(shape, 8));
    free(numbered);
    return batch;
}

static void *device_copy(const void *bytes, size_t count) {
    void *copy = fake_device_new(count ? count : 1);
    if (count)
        fake_device_write(copy, bytes, count);
    return copy;
}

static void column_to_device(struct column_memory *column, size_t count, struct prng *prng) {
    gecc_rows *rows = &column->rows;
    size_t first = (size_t)((const uint8_t *)rows->data - column->memory);
    column->device[0] = device_copy(column->memory, column->bytes);
    /* Rows without bytes may begin where the memory ends, which on the device is nobody's address. */
    rows->data = (const uint8_t *)column->device[0] + (first < column->bytes ? first : 0);
    if (rows->widths && prng_below(prng, 2)) {
        rows->widths = column->device[1] = device_copy(rows->widths, count * sizeof *rows->widths);
    }
    if (rows->offsets && prng_below(prng, 2)) {
        rows->offsets = column->device[2] = device_copy(rows->offsets, count * sizeof *rows->offsets);
    }
}

static void guarded_to_device(struct guarded *guarded, struct prng *prng) {
    if (guarded->memory && prng_below(prng, 2)) {
        guarded->device = device_copy(guarded->memory, guarded->bytes);
    }
}

void batch_to_device(struct batch *batch, struct prng *prng) {
    for (int i = 0; i < OUTPUTS; i++) {
        guarded_to_device(&batch->out[i], prng);
        guarded_to_device(&batch->widths[i], prng);
    }
    guarded_to_device(&batch->status, prng);
    for (int i = 0; i < CELLS; i++) {
        if (i == batch->alias) {
            batch->in[i].rows.data = guarded_start(&batch->out[0]);
        } else if (batch->in[i].rows.data && prng_below(prng, 2)) {
            column_to_device(&batch->in[i], batch->count, prng);
        }
    }
}

gecc_result batch_prepare(struct batch *batch, gecc_context *context) {
    return batch->keys.cells && !batch->keys.keys ? keys_open(batch, context) : GECC_OK;
}

static gecc_rows rows_from(gecc_rows rows, size_t first) {
    if (rows.widths) {
        rows.widths += first;
    }
    if (rows.offsets) {
        rows.offsets += first;
    } else if (rows.data) {
        rows.data = (const uint8_t *)rows.data + first * rows.stride;
    }
    return rows;
}

static gecc_out out_from(const struct guarded *rows, const struct guarded *widths, size_t first) {
    gecc_out out = gecc_out_none();
    if (rows->memory) {
        out = gecc_out_packed(guarded_start(rows) + first * rows->stride, rows->stride);
    }
    if (widths) {
        out.widths = (uint32_t *)(void *)guarded_start(widths) + first;
    }
    return out;
}

struct batch_arguments batch_arguments(const struct batch *batch, size_t first) {
    struct batch_arguments arguments = {.parameters = call_parameters(&batch->call),
                                        .options = call_options(&batch->call),
                                        .status = out_from(&batch->status, NULL, first)};
    arguments.parameters.keys = batch->keys.keys;
    for (int i = 0; i < CELLS; i++) {
        arguments.in[i] = rows_from(batch->in[i].rows, first);
    }
    for (int i = 0; i < OUTPUTS; i++) {
        arguments.out[i] = out_from(&batch->out[i], batch->gives_widths[i] ? &batch->widths[i] : NULL, first);
    }
    return arguments;
}

gecc_result batch_call(struct batch *batch, gecc_context *context, gecc_job **job) {
    gecc_result result = batch_prepare(batch, context);
    if (result != GECC_OK) {
        return result;
    }
    struct batch_arguments arguments = batch_arguments(batch, 0);
    batch->report = (gecc_report)GECC_REPORT_INIT;
    arguments.options.report = &batch->report;
    arguments.options.job = job;
    return gecc_run(context, operation_of(batch->call.operation), &arguments.parameters, arguments.out,
                    arguments.status, arguments.in, batch->count, &arguments.options);
}

const gecc_report *batch_report(const struct batch *batch) { return &batch->report; }

/* What was written of a row: of one that has a result as many bytes as that has. */
static struct value value_of(const struct batch *batch, int column, size_t row, uint8_t status) {
    size_t most = call_output_widths(&batch->call, column).most;
    struct value value = {.width = status == GECC_ITEM_OK ? (uint32_t)most : 0};
    REQUIRE(most <= OUTCOME_BYTES);
    if (batch->gives_widths[column]) {
        memcpy(&value.width, batch->widths[column].start + row * sizeof(uint32_t), sizeof(uint32_t));
        REQUIRE(value.width <= most);
    }
    memcpy(value.bytes, batch->out[column].start + row * batch->out[column].stride,
           status == GECC_ITEM_OK ? value.width : most);
    return value;
}

void batch_outcomes(const struct batch *batch, struct outcome *outcomes) {
    guarded_check(&batch->status);
    for (size_t i = 0; i < batch->count; i++) {
        outcomes[i] = (struct outcome){.status = batch->status.start[i * batch->status.stride]};
    }
    for (int column = 0; column < OUTPUTS && kind_of_output(batch->call.operation, column); column++) {
        if (batch->call.left_out >> column & 1) {
            continue;
        }
        guarded_check(&batch->out[column]);
        guarded_check(&batch->widths[column]);
        for (size_t i = 0; i < batch->count; i++) {
            outcomes[i].out[column] = value_of(batch, column, i, outcomes[i].status);
        }
    }
}

static void guarded_free(struct guarded *guarded) {
    if (guarded->device) {
        fake_device_free(guarded->device);
    }
    free(guarded->memory);
}

void batch_free(struct batch *batch) {
    for (int cell = 0; cell < CELLS; cell++) {
        for (int part = 0; part < PARTS; part++) {
            if (batch->in[cell].device[part]) {
                fake_device_free(batch->in[cell].device[part]);
            }
            pages_free(&batch->in[cell].pages[part]);
        }
    }
    for (int i = 0; i < OUTPUTS; i++) {
        guarded_free(&batch->out[i]);
        guarded_free(&batch->widths[i]);
    }
    guarded_free(&batch->status);
    gecc_keys_close(batch->keys.keys);
    free(batch->keys.cells);
    arena_free(&batch->numbers);
    free(batch);
}
