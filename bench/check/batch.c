/* Rows to memory, one call of the library, and back. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

/* What outputs hold before a call, and the gaps between them after it. */
enum { GUARD = 0xa5, GAP = 3 };

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
    for (int i = 0; i < INPUTS; i++)
        column_clear(&batch->in[i]);
}

void batch_free(struct batch *batch) {
    for (int i = 0; i < INPUTS; i++)
        column_free(&batch->in[i]);
}

struct placed {
    struct call call;
    enum place place;
    size_t count, width, stride;
    gecc_rows in[INPUTS];
    gecc_out out;
    uint8_t *status, *recovery_id;
};

static void *copy_to(enum place place, const void *from, size_t bytes) {
    void *to = place_new(place, bytes);
    if (to == NULL || !place_write(place, to, from, bytes))
        trouble("not enough %s memory", place_name(place));
    return to;
}

static void place_strided(gecc_rows *rows, const struct column *column, enum place place) {
    size_t stride = column->widest + GAP;
    uint8_t *strided = memory_new(column->count, stride);
    for (size_t i = 0; i < column->count; i++)
        memcpy(strided + i * stride, column->data + column->offsets[i], column->widths[i]);
    rows->data = copy_to(place, strided, column->count * stride);
    rows->stride = stride;
    free(strided);
}

static void place_column(gecc_rows *rows, const struct column *column, enum shape shape, bool one_width,
                         enum place place) {
    *rows = (gecc_rows){.stride = column->widest, .width = column->widest};
    if (one_width || (shape == PACKED && column->same_width)) {
        rows->data = copy_to(place, column->data, column->bytes);
        return;
    }
    if (shape == STRIDED && column->widest <= 256) {
        place_strided(rows, column, place);
    } else {
        rows->data = copy_to(place, column->data, column->bytes);
        rows->offsets = copy_to(place, column->offsets, column->count * sizeof *column->offsets);
    }
    rows->widths = copy_to(place, column->widths, column->count * sizeof *column->widths);
}

static void place_outputs(struct placed *placed, enum shape shape) {
    size_t count = placed->count;
    placed->width = call_out_bytes(&placed->call);
    placed->stride = placed->width + (shape == PACKED ? 0 : GAP);
    uint8_t *guard = memory_new(count, placed->stride + sizeof(uint32_t));
    memset(guard, GUARD, count * (placed->stride + sizeof(uint32_t)));
    placed->out = gecc_out_packed(copy_to(placed->place, guard, count * placed->stride), placed->stride);
    if (call_out_kind(&placed->call) == GECC_KIND_SIGNATURE && placed->call.flags & GECC_DER)
        placed->out.widths = copy_to(placed->place, guard, count * sizeof(uint32_t));
    placed->status = copy_to(placed->place, guard, count);
    placed->recovery_id = copy_to(placed->place, guard, count);
    free(guard);
}

struct placed *placed_new(const struct batch *batch, enum place place) {
    struct placed *placed = memory_new(1, sizeof *placed);
    placed->call = batch->call;
    placed->place = place;
    placed->count = batch->count;
    for (int i = 0; i < INPUTS; i++) {
        bool one_width = call_kind(&batch->call, i) == GECC_KIND_EXPONENT;
        if (call_uses(&batch->call, i))
            place_column(&placed->in[i], &batch->in[i], batch->shape, one_width, place);
    }
    place_outputs(placed, batch->shape);
    return placed;
}

void placed_free(struct placed *placed) {
    for (int i = 0; i < INPUTS; i++) {
        place_free(placed->place, (void *)placed->in[i].data);
        place_free(placed->place, (void *)placed->in[i].widths);
        place_free(placed->place, (void *)placed->in[i].offsets);
    }
    place_free(placed->place, placed->out.data);
    place_free(placed->place, placed->out.widths);
    place_free(placed->place, placed->status);
    place_free(placed->place, placed->recovery_id);
    free(placed);
}

const struct call *placed_call(const struct placed *placed) { return &placed->call; }

gecc_result placed_run(struct placed *placed, gecc_context *context, gecc_report *report) {
    return placed_run_first(placed, context, placed->count, report);
}

gecc_result placed_run_first(struct placed *placed, gecc_context *context, size_t n, gecc_report *report) {
    const gecc_parameters parameters = call_parameters(&placed->call);
    const gecc_out outputs[] = {placed->out, gecc_out_packed(placed->recovery_id, 1)};
    gecc_options options = call_options(&placed->call);
    options.report = report;
    *report = (gecc_report)GECC_REPORT_INIT;
    return gecc_run(context, placed->call.operation, &parameters, outputs, gecc_out_packed(placed->status, 1),
                    placed->in, n, &options);
}

static void read_back(const struct placed *placed, void *to, const void *from, size_t bytes) {
    if (!place_read(placed->place, to, from, bytes))
        trouble("%s memory cannot be read", place_name(placed->place));
}

void placed_read(const struct placed *placed, struct outcome *outcome) {
    size_t count = placed->count;
    outcome->count = count;
    outcome->width = placed->width;
    outcome->stride = placed->stride;
    outcome->out = memory_new(count, placed->stride);
    outcome->status = memory_new(count, 1);
    outcome->recovery_id = memory_new(count, 1);
    outcome->widths = memory_new(count, sizeof *outcome->widths);
    read_back(placed, outcome->out, placed->out.data, count * placed->stride);
    read_back(placed, outcome->status, placed->status, count);
    read_back(placed, outcome->recovery_id, placed->recovery_id, count);
    if (placed->out.widths != NULL)
        read_back(placed, outcome->widths, placed->out.widths, count * sizeof *outcome->widths);
}

void batch_run(const struct batch *batch, enum place place, gecc_context *context, struct outcome *outcome) {
    struct placed *placed = placed_new(batch, place);
    *outcome = (struct outcome){.count = 0};
    outcome->result = placed_run(placed, context, &outcome->report);
    placed_read(placed, outcome);
    placed_free(placed);
}

void outcome_free(struct outcome *outcome) {
    free(outcome->out);
    free(outcome->status);
    free(outcome->recovery_id);
    free(outcome->widths);
    *outcome = (struct outcome){.count = 0};
}
