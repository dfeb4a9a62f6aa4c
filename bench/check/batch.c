/* Rows to memory, one call of the library, and back. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { GAP = 3, MEMORY_KINDS = MIXED }; /* bytes between rows; kinds of memory */

void column_clear(struct column *column) {
    column->count = column->bytes = column->widest = 0;
    column->same_width = true;
}

void column_free(struct column *column) {
    free(column->data);
    free(column->offsets);
    free(column->widths);
    *column = (struct column){.data = NULL};
}

void column_add(struct column *column, const uint8_t *data, size_t width) {
    if (column->count == column->rows_capacity) {
        column->rows_capacity = 2 * column->rows_capacity + 64;
        column->offsets = memory_resize(column->offsets, column->rows_capacity * sizeof *column->offsets);
        column->widths = memory_resize(column->widths, column->rows_capacity * sizeof *column->widths);
    }
    if (column->bytes + width > column->bytes_capacity) {
        column->bytes_capacity = 2 * column->bytes_capacity + width + 4096;
        column->data = memory_resize(column->data, column->bytes_capacity);
    }
    if (column->count == 0)
        column->same_width = true;
    else
        column->same_width = column->same_width && column->widths[0] == width;
    if (width != 0)
        memcpy(column->data + column->bytes, data, width);
    column->offsets[column->count] = column->bytes;
    column->widths[column->count++] = (uint32_t)width;
    column->bytes += width;
    column->widest = width > column->widest ? width : column->widest;
}

void batch_clear(struct batch *batch) {
    batch->count = 0;
    batch->varied = false;
    for (int i = 0; i < INPUTS; i++)
        column_clear(&batch->in[i]);
}

void batch_free(struct batch *batch) {
    for (int i = 0; i < INPUTS; i++)
        column_free(&batch->in[i]);
}

struct staged {
    struct call call;
    unsigned kind;
    size_t count, width, stride, second_width;
    gecc_rows in[INPUTS];
    gecc_out out;
    uint8_t *status, *second;
};

/* The kind of memory of a column: of inputs by their number, and of the others behind them. */
enum { OUT_PLACE = INPUTS, STATUS_PLACE, SECOND_PLACE };

static enum memory_kind kind_at(const struct staged *staged, unsigned place) {
    if (staged->kind != MIXED)
        return (enum memory_kind)staged->kind;
    const enum memory_kind kind = (enum memory_kind)((staged->count + place) % MEMORY_KINDS);
    return memory_kind_exists(kind) ? kind : PAGEABLE;
}

static void *copy_to(enum memory_kind kind, const void *from, size_t bytes) {
    void *to = memory_allocate(kind, bytes);
    if (to == NULL || !memory_write(kind, to, from, bytes))
        trouble("not enough %s memory", memory_kind_name(kind));
    return to;
}

static void stage_strided(gecc_rows *rows, const struct column *column, enum memory_kind kind) {
    size_t stride = column->widest + GAP;
    uint8_t *strided = memory_new(column->count, stride);
    for (size_t i = 0; i < column->count; i++)
        if (column->widths[i] != 0) /* a column of empty rows alone has no data */
            memcpy(strided + i * stride, column->data + column->offsets[i], column->widths[i]);
    rows->data = copy_to(kind, strided, column->count * stride);
    rows->stride = stride;
    free(strided);
}

static void stage_column(gecc_rows *rows, const struct column *column, enum shape shape, bool has_width,
                         enum memory_kind kind) {
    *rows = (gecc_rows){.stride = column->widest, .width = column->widest};
    const bool has_gaps = (shape == SPACED || shape == STRIDED) && column->widest <= 256;
    if (has_gaps)
        stage_strided(rows, column, kind);
    else
        rows->data = copy_to(kind, column->data, column->bytes);
    if (has_width)
        return;
    if (!has_gaps)
        rows->offsets = copy_to(kind, column->offsets, column->count * sizeof *column->offsets);
    rows->widths = copy_to(kind, column->widths, column->count * sizeof *column->widths);
}

static void stage_outputs(struct staged *staged, enum shape shape) {
    size_t count = staged->count;
    const enum memory_kind kind = kind_at(staged, OUT_PLACE);
    staged->width = call_out_bytes(&staged->call);
    staged->stride = staged->width + (shape == PACKED ? 0 : GAP);
    uint8_t *guard = memory_new(count, staged->stride + sizeof(uint32_t));
    memset(guard, GUARD, count * (staged->stride + sizeof(uint32_t)));
    staged->out = gecc_out_packed(copy_to(kind, guard, count * staged->stride), staged->stride);
    if (call_has_widths(&staged->call))
        staged->out.widths = copy_to(kind, guard, count * sizeof(uint32_t));
    staged->status = copy_to(kind_at(staged, STATUS_PLACE), guard, count);
    free(guard);
    guard = memory_new(count, staged->second_width = call_second_bytes(&staged->call));
    memset(guard, GUARD, count * staged->second_width);
    staged->second = copy_to(kind_at(staged, SECOND_PLACE), guard, count * staged->second_width);
    free(guard);
}

struct staged *staged_new(const struct batch *batch, unsigned kind) {
    struct staged *staged = memory_new(1, sizeof *staged);
    staged->call = batch->call;
    staged->kind = kind;
    staged->count = batch->count;
    for (int i = 0; i < INPUTS; i++) {
        const struct column *column = &batch->in[i];
        const bool is_exponent = call_kind(&batch->call, i) == GECC_KIND_EXPONENT; /* has no widths */
        const bool has_width = batch->shape <= SPACED && !batch->varied && column->same_width &&
                               call_takes_width(&batch->call, i, column->widest);
        if (call_uses(&batch->call, i))
            stage_column(&staged->in[i], column, batch->shape, is_exponent || has_width, kind_at(staged, (unsigned)i));
    }
    stage_outputs(staged, batch->shape);
    return staged;
}

void staged_free(struct staged *staged) {
    for (int i = 0; i < INPUTS; i++) {
        const enum memory_kind kind = kind_at(staged, (unsigned)i);
        memory_release(kind, (void *)staged->in[i].data);
        memory_release(kind, (void *)staged->in[i].widths);
        memory_release(kind, (void *)staged->in[i].offsets);
    }
    memory_release(kind_at(staged, OUT_PLACE), staged->out.data);
    memory_release(kind_at(staged, OUT_PLACE), staged->out.widths);
    memory_release(kind_at(staged, STATUS_PLACE), staged->status);
    memory_release(kind_at(staged, SECOND_PLACE), staged->second);
    free(staged);
}

const struct call *staged_call(const struct staged *staged) { return &staged->call; }

gecc_result staged_run(struct staged *staged, gecc_context *context, gecc_report *report) {
    return staged_run_first(staged, context, staged->count, report);
}

gecc_result staged_run_first(struct staged *staged, gecc_context *context, size_t n, gecc_report *report) {
    const gecc_parameters parameters = call_parameters(&staged->call);
    const gecc_out outputs[] = {staged->out, gecc_out_packed(staged->second, staged->second_width), gecc_out_none()};
    gecc_options options = call_options(&staged->call);
    options.report = report;
    *report = (gecc_report)GECC_REPORT_INIT;
    return gecc_run(context, staged->call.operation, &parameters, outputs, gecc_out_packed(staged->status, 1),
                    staged->in, n, &options);
}

static void read_back(const struct staged *staged, unsigned place, void *to, const void *from, size_t bytes) {
    const enum memory_kind kind = kind_at(staged, place);
    if (!memory_read(kind, to, from, bytes))
        trouble("%s memory cannot be read", memory_kind_name(kind));
}

void staged_read(const struct staged *staged, struct outcome *outcome) {
    size_t count = staged->count;
    outcome->count = count;
    outcome->width = staged->width;
    outcome->stride = staged->stride;
    outcome->out = memory_new(count, staged->stride);
    outcome->status = memory_new(count, 1);
    outcome->second_width = staged->second_width;
    outcome->second = memory_new(count, staged->second_width);
    outcome->widths = memory_new(count, sizeof *outcome->widths);
    read_back(staged, OUT_PLACE, outcome->out, staged->out.data, count * staged->stride);
    read_back(staged, STATUS_PLACE, outcome->status, staged->status, count);
    read_back(staged, SECOND_PLACE, outcome->second, staged->second, count * staged->second_width);
    if (staged->out.widths != NULL)
        read_back(staged, OUT_PLACE, outcome->widths, staged->out.widths, count * sizeof *outcome->widths);
}

void batch_run(const struct batch *batch, unsigned kind, gecc_context *context, struct outcome *outcome) {
    struct staged *staged = staged_new(batch, kind);
    *outcome = (struct outcome){.count = 0};
    outcome->result = staged_run(staged, context, &outcome->report);
    staged_read(staged, outcome);
    staged_free(staged);
}

void outcome_free(struct outcome *outcome) {
    free(outcome->out);
    free(outcome->status);
    free(outcome->second);
    free(outcome->widths);
    *outcome = (struct outcome){.count = 0};
}
