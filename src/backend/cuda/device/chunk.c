#include "backend/cuda/device/chunk.h"

#include "backend/least.h"

enum { ALIGNMENT = 256 };

static size_t align(size_t bytes) { return (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1); }

size_t gecc_chunk_add_widths(const uint32_t *widths, size_t count, size_t most) {
    size_t sum = 0;
    uint32_t any = 0;
    for (size_t i = 0; i < count; i++) {
        any |= widths[i];
        sum += widths[i];
    }
    if (any <= most)
        return sum;
    sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += least(widths[i], most);
    return sum;
}

/* Bytes that travel of the chunk's rows of a staged column. */
static size_t input_bytes(const struct routes *routes, const struct chunk *chunk, unsigned column) {
    const gecc_rows *rows = &routes->job->in[column];
    if (rows->widths == NULL)
        return is_one_row(rows) ? rows->width : chunk->count * rows->width;
    return gecc_chunk_add_widths(rows->widths + chunk->first, chunk->count, routes->in[column].copied);
}

/* Set in_bytes. Returns those of columns whose rows have widths of their own. */
static size_t measure_inputs(const struct routes *routes, struct chunk *chunk) {
    size_t varying = 0;
    for (unsigned i = 0; i < JOB_INPUTS; i++) {
        const enum route route = routes->in[i].route;
        if (route != ROUTE_STAGED && route != ROUTE_DIRECT)
            continue;
        chunk->in_bytes[i] = input_bytes(routes, chunk, i);
        varying += routes->job->in[i].widths != NULL ? chunk->in_bytes[i] : 0;
    }
    return varying;
}

/* Set count: at most `rows`, that have no more than `staging` bytes, at least 1; and in_bytes. */
static void count_rows(const struct routes *routes, struct chunk *chunk, size_t rows, size_t staging) {
    const size_t row = routes->in_row > routes->out_row ? routes->in_row : routes->out_row;
    chunk->count = least(rows, staging / row > 1 ? staging / row : 1);
    while (measure_inputs(routes, chunk) > staging - least(staging, chunk->count * row) && chunk->count > 1)
        chunk->count /= 2;
}

/* Give `bytes` bytes a place, behind what has one. */
static size_t place(size_t *used, size_t bytes) {
    size_t at = *used;
    *used += align(bytes);
    return at;
}

static void place_staged_input(const struct routes *routes, struct chunk *chunk, unsigned column, size_t *used) {
    const struct input *in = &routes->in[column];
    if (in->route == ROUTE_STAGED)
        chunk->in_at[column] = place(used, chunk->in_bytes[column]);
    if (in->widths_staged)
        chunk->in_widths_at[column] = place(used, chunk->count * sizeof(uint32_t));
    if (in->offsets_staged)
        chunk->in_offsets_at[column] = place(used, chunk->count * sizeof(uint64_t));
}

static void place_inputs(const struct routes *routes, struct chunk *chunk) {
    size_t used = 0;
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        if (routes->in[i].route != ROUTE_NONE)
            place_staged_input(routes, chunk, i, &used);
    chunk->sizes.in_staged = used;
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        if (routes->in[i].route == ROUTE_DIRECT)
            chunk->in_at[i] = place(&used, chunk->in_bytes[i]);
    chunk->sizes.in = used;
}

static void place_outputs(const struct routes *routes, struct chunk *chunk) {
    const struct job *job = routes->job;
    size_t used = 0;
    chunk->faults_at = place(&used, sizeof(uint32_t));
    chunk->status_at = place(&used, chunk->count);
    chunk->zeroed = used;
    for (unsigned i = 0; i < JOB_OUTPUTS; i++) {
        if (routes->out[i].route == ROUTE_STAGED)
            chunk->out_at[i] = place(&used, chunk->count * job->out_width[i]);
        if (routes->out[i].widths_staged)
            chunk->out_widths_at[i] = place(&used, chunk->count * sizeof(uint32_t));
    }
    chunk->sizes.out_staged = used;
    for (unsigned i = 0; i < JOB_OUTPUTS; i++)
        if (routes->out[i].route == ROUTE_DIRECT)
            chunk->out_at[i] = place(&used, chunk->count * job->out_width[i]);
    chunk->sizes.out = used;
}

void gecc_chunk_measure(const struct routes *routes, struct chunk *chunk, size_t first, size_t rows, size_t staging) {
    *chunk = (struct chunk){.first = first};
    count_rows(routes, chunk, least(rows, routes->job->count - first), staging);
    place_inputs(routes, chunk);
    place_outputs(routes, chunk);
}

static void *address(CUdeviceptr memory, size_t at) { return (void *)(uintptr_t)(memory + at); }

static gecc_rows bind_input(const struct routes *routes, const struct chunk *chunk, unsigned column,
                            CUdeviceptr memory) {
    const struct input *in = &routes->in[column];
    gecc_rows rows = routes->job->in[column];
    if (in->route == ROUTE_NONE)
        return rows;
    bool one_row = is_one_row(&rows), varies = rows.widths != NULL;
    if (in->widths_on_device)
        rows.widths += chunk->first;
    else if (varies)
        rows.widths = address(memory, chunk->in_widths_at[column]);
    if (in->route == ROUTE_DEVICE) {
        if (in->offsets_on_device)
            rows.offsets += chunk->first;
        else if (rows.offsets != NULL)
            rows.offsets = address(memory, chunk->in_offsets_at[column]);
        else
            rows.data = (const uint8_t *)rows.data + chunk->first * rows.stride;
        return rows;
    }
    rows.data = address(memory, chunk->in_at[column]);
    rows.offsets = varies ? address(memory, chunk->in_offsets_at[column]) : NULL;
    rows.stride = one_row || varies ? 0 : rows.width;
    return rows;
}

static gecc_out bind_output(const struct routes *routes, const struct chunk *chunk, unsigned column,
                            CUdeviceptr memory) {
    const struct output *to = &routes->out[column];
    gecc_out out = routes->job->out[column];
    if (to->route == ROUTE_NONE)
        return out;
    if (to->plain)
        out.widths = NULL;
    else if (to->widths_on_device)
        out.widths += chunk->first;
    else if (out.widths != NULL)
        out.widths = address(memory, chunk->out_widths_at[column]);
    if (to->route == ROUTE_DEVICE) {
        out.data = (uint8_t *)out.data + chunk->first * out.stride;
    } else {
        out.data = address(memory, chunk->out_at[column]);
        out.stride = routes->job->out_width[column];
    }
    return out;
}

void gecc_chunk_bind(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                     struct launch *launch) {
    launch->job = *routes->job;
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        launch->job.in[i] = bind_input(routes, chunk, i, slot->in);
    for (unsigned i = 0; i < JOB_OUTPUTS; i++)
        launch->job.out[i] = bind_output(routes, chunk, i, slot->out);
    launch->job.status = gecc_out_packed(address(slot->out, chunk->status_at), 1);
    launch->job.count = chunk->count;
    launch->first = 0;
    launch->count = chunk->count;
    launch->faults = address(slot->out, chunk->faults_at);
}
