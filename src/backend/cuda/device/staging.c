#include "backend/cuda/device/staging.h"

#include "backend/cuda/device/copy.h"
#include "backend/registers.h"
#include "backend/least.h"
#include "scheme/operation.h"

/* Rows of a packer that a thread takes at a time. */
enum { MADE_ROWS = 4096 };

/* A chunk whose rows are copied, so many of them at a time. */
struct copying {
    const struct routes *routes;
    const struct chunk *chunk;
    const struct slot *slot;
    size_t rows_a_piece;
};

static void *bytes_at(void *memory, size_t at) { return (uint8_t *)memory + at; }

/* The chunk, which has `bytes` bytes, in pieces. */
static struct copying copying_of(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                                 size_t bytes) {
    struct copying copying = {routes, chunk, slot, chunk->count};
    if (bytes > PIECE_BYTES)
        copying.rows_a_piece = (size_t)((double)PIECE_BYTES / (double)bytes * (double)chunk->count) + 1;
    if (routes->packer != NULL)
        copying.rows_a_piece = least(copying.rows_a_piece, MADE_ROWS);
    return copying;
}

/* Have piece(copying, i) run for all of them. */
static void copy_pieces(struct copying *copying, struct pool *pool, void (*piece)(void *copying, size_t index)) {
    const size_t rows = copying->rows_a_piece;
    gecc_pool_for(pool, (copying->chunk->count + rows - 1) / rows, piece, copying);
}

/* The rows of a piece, counted from the chunk's first. */
static size_t piece_first(const struct copying *copying, size_t index, size_t *end) {
    const size_t first = index * copying->rows_a_piece;
    *end = first + least(copying->rows_a_piece, copying->chunk->count - first);
    return first;
}

/* After a piece: its rows are in memory, and no secret of theirs in registers. */
static void piece_finish(const struct copying *copying) {
    copies_finish();
    if (job_has_secrets(copying->routes->job))
        registers_wipe();
}

/* Rows first .. end - 1 of the chunk, of one width, to where they are one after the other. */
static void pack_rows(const gecc_rows *rows, const struct copying *copying, size_t first, size_t end, uint8_t *to) {
    const size_t skipped = copying->chunk->first;
    if (is_one_row(rows)) {
        if (first == 0)
            memcpy(to, rows->data, rows->width);
    } else if (rows->offsets == NULL && rows->stride == rows->width) {
        copy_streaming(to + first * rows->width, row_start(rows, skipped + first), (end - first) * rows->width);
    } else {
        for (size_t i = first; i < end; i++)
            memcpy(to + i * rows->width, row_start(rows, skipped + i), rows->width);
    }
}

/* The widths of the rows of a piece, and where each row will be. A row that is wider than when the piece's size was
 * found has what room is left. */
static void place_rows(const struct copying *copying, unsigned column, size_t first, size_t end) {
    const struct chunk *chunk = copying->chunk;
    const volatile uint32_t *given = copying->routes->job->in[column].widths + chunk->first;
    uint32_t *widths = bytes_at(copying->slot->in_host, chunk->in_widths_at[column]);
    uint64_t *offsets = bytes_at(copying->slot->in_host, chunk->in_offsets_at[column]);
    const size_t most = copying->routes->in[column].copied;
    size_t at = offsets[first], left = (end < chunk->count ? offsets[end] : chunk->in_bytes[column]) - at;
    for (size_t i = first; i < end; i++) {
        const uint32_t width = given[i];
        size_t bytes = least(width, most);
        widths[i] = width;
        if (bytes > left)
            widths[i] = (uint32_t)(bytes = left);
        if (i != first)
            offsets[i] = at;
        at += bytes;
        left -= bytes;
    }
}

/* Rows first .. end - 1 of the chunk, of widths of their own, to the places of the piece: rows that follow each other in the caller's memory are copied together. */
static void pack_varying_rows(const gecc_rows *rows, const struct copying *copying, unsigned column, size_t first,
                              size_t end) {
    const struct chunk *chunk = copying->chunk;
    void *staging = copying->slot->in_host;
    const uint32_t *widths = bytes_at(staging, chunk->in_widths_at[column]);
    const uint64_t *offsets = bytes_at(staging, chunk->in_offsets_at[column]);
    uint8_t *to = bytes_at(staging, chunk->in_at[column]);
    const size_t most = copying->routes->in[column].copied;
    place_rows(copying, column, first, end);
    for (size_t i = first; i < end;) {
        const uint8_t *from = row_start(rows, chunk->first + i), *next = from;
        uint8_t *run = to + offsets[i];
        size_t bytes = 0;
        while (next == from + bytes) {
            bytes += least(widths[i], most);
            if (++i == end || bytes > PIECE_BYTES)
                break;
            next = row_start(rows, chunk->first + i);
        }
        if (bytes != 0)
            copy_streaming(run, from, bytes);
    }
}

static void pack_piece(void *argument, size_t index) {
    const struct copying *copying = argument;
    const struct routes *routes = copying->routes;
    void *staging = copying->slot->in_host;
    size_t end, first = piece_first(copying, index, &end);
    for (unsigned i = 0; i < JOB_INPUTS; i++) {
        const gecc_rows *rows = &routes->job->in[i];
        if (routes->in[i].route != ROUTE_STAGED)
            continue;
        uint8_t *to = bytes_at(staging, copying->chunk->in_at[i]);
        if (i == 0 && routes->packer != NULL)
            routes->packer->pack(routes->packer, routes->job, copying->chunk->first + first,
                                 copying->chunk->first + end, to + first * rows->width);
        else if (rows->widths != NULL)
            pack_varying_rows(rows, copying, i, first, end);
        else if (rows->width != 0)
            pack_rows(rows, copying, first, end, to);
    }
    piece_finish(copying);
}

/* Where the rows of each piece of a staged column will be: the offset of its first row. */
static void place_pieces(const struct copying *copying, unsigned column) {
    const struct chunk *chunk = copying->chunk;
    const uint32_t *widths = copying->routes->job->in[column].widths + chunk->first;
    uint64_t *offsets = bytes_at(copying->slot->in_host, chunk->in_offsets_at[column]);
    const size_t most = copying->routes->in[column].copied;
    size_t at = 0;
    for (size_t first = 0, end; first < chunk->count; first = end) {
        end = first + least(copying->rows_a_piece, chunk->count - first);
        offsets[first] = at;
        at = least(at + gecc_chunk_add_widths(widths + first, end - first, most), chunk->in_bytes[column]);
    }
}

/* What comes before the pieces of a column: where the rows of each piece will be; of rows in device memory, widths and
 * offsets. */
static void pack_layout(const struct copying *copying, unsigned column) {
    const struct chunk *chunk = copying->chunk;
    const gecc_rows *rows = &copying->routes->job->in[column];
    const struct input *in = &copying->routes->in[column];
    void *staging = copying->slot->in_host;
    if (in->route == ROUTE_STAGED && rows->widths != NULL) {
        place_pieces(copying, column);
    } else if (in->route == ROUTE_DEVICE) {
        if (in->widths_staged)
            memcpy(bytes_at(staging, chunk->in_widths_at[column]), rows->widths + chunk->first,
                   chunk->count * sizeof(uint32_t));
        if (in->offsets_staged)
            memcpy(bytes_at(staging, chunk->in_offsets_at[column]), rows->offsets + chunk->first,
                   chunk->count * sizeof(uint64_t));
    }
}

void gecc_staging_pack(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                       struct pool *pool) {
    struct copying copying = copying_of(routes, chunk, slot, chunk->sizes.in_staged);
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        pack_layout(&copying, i);
    copy_pieces(&copying, pool, pack_piece);
}

/* Rows first .. end - 1 of an output that have a result. */
static void publish_rows(const struct copying *copying, unsigned column, size_t first, size_t end) {
    const struct chunk *chunk = copying->chunk;
    const gecc_out *out = &copying->routes->job->out[column];
    const uint8_t *status = bytes_at(copying->slot->out_host, chunk->status_at);
    const uint8_t *from = bytes_at(copying->slot->out_host, chunk->out_at[column]);
    uint8_t *to = out_start(out, chunk->first);
    const size_t width = copying->routes->job->out_width[column];
    if (out->stride == width && memchr(status + first, GECC_ITEM_NOT_PROCESSED, end - first) == NULL) {
        copy_streaming(to + first * width, from + first * width, (end - first) * width);
        return;
    }
    for (size_t i = first; i < end; i++)
        if (status[i] != GECC_ITEM_NOT_PROCESSED)
            memcpy(to + i * out->stride, from + i * width, width);
}

/* Their widths. Those of plain rows follow from the statuses. */
static void publish_widths(const struct copying *copying, unsigned column, size_t first, size_t end) {
    const struct chunk *chunk = copying->chunk;
    const struct output *to = &copying->routes->out[column];
    const uint8_t *status = bytes_at(copying->slot->out_host, chunk->status_at);
    uint32_t *widths = bytes_at(copying->slot->out_host, chunk->out_widths_at[column]);
    const uint32_t width = (uint32_t)copying->routes->job->out_width[column];
    if (to->plain)
        for (size_t i = first; i < end; i++)
            widths[i] = status[i] == GECC_ITEM_OK ? width : 0;
    if (!to->widths_on_device)
        for (size_t i = first; i < end; i++)
            if (status[i] != GECC_ITEM_NOT_PROCESSED)
                copying->routes->job->out[column].widths[chunk->first + i] = widths[i];
}

static void publish_statuses(void *argument, size_t index) {
    const struct copying *copying = argument;
    size_t end, first = piece_first(copying, index, &end);
    const struct chunk *chunk = copying->chunk;
    const gecc_out *column = &copying->routes->job->status;
    const uint8_t *from = bytes_at(copying->slot->out_host, chunk->status_at);
    uint8_t *to = out_start(column, chunk->first);
    if (copying->routes->packer != NULL)
        for (size_t i = first; i < end; i++) /* of these the job is not the last word */
            to[i * column->stride] = from[i] == GECC_ITEM_MALFORMED_KEY_NUMBER ? GECC_ITEM_NOT_PROCESSED : from[i];
    else if (column->stride == 1)
        memcpy(to + first, from + first, end - first);
    else
        for (size_t i = first; i < end; i++)
            to[i * column->stride] = from[i];
}

static void publish_piece(void *argument, size_t index) {
    const struct copying *copying = argument;
    const struct routes *routes = copying->routes;
    size_t end, first = piece_first(copying, index, &end);
    for (unsigned i = 0; i < JOB_OUTPUTS; i++) {
        if (routes->out[i].route == ROUTE_STAGED)
            publish_rows(copying, i, first, end);
        if (routes->out[i].widths_staged)
            publish_widths(copying, i, first, end);
    }
    piece_finish(copying);
}

void gecc_staging_publish(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                          struct pool *pool) {
    struct copying copying = copying_of(routes, chunk, slot, chunk->sizes.out_staged);
    copy_pieces(&copying, pool, publish_piece);
}

void gecc_staging_publish_statuses(const struct routes *routes, const struct chunk *chunk, const struct slot *slot,
                                   struct pool *pool) {
    struct copying copying = copying_of(routes, chunk, slot, chunk->sizes.out_staged);
    copy_pieces(&copying, pool, publish_statuses);
}
