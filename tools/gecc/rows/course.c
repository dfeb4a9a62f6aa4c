/* Which part of the input goes into which batch, and who reads it. */
#define _GNU_SOURCE /* memrchr */

#include "rows/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    LEAST_ROWS = 4096,       /* of a batch, and */
    LEAST_BYTES = 1 << 20,   /* of the input, for which ranges pay */
    PIECE_BYTES = 256 << 10, /* that are read at once, and looked through while they are in the cache */
    SLACK_BYTES = 1 << 20    /* of a batch's text, for the last record of a range, which has no more to be in one */
};

static bool is_raw(const struct reader *reader) { return reader->dialect == &dialect_raw; }

/* Whether quotation marks may hold line ends, where a record is a line otherwise. */
static bool may_be_quoted(const struct reader *reader) { return strchr(reader->dialect->ends, '"') != NULL; }

/* The end of the last record that ends with a line end in the bytes from .. size - 1 of the file; `from`: there is
 * none that is easily found. */
static uint64_t last_line_end(const struct reader *reader, uint64_t from, uint64_t size) {
    char text[1 << 16];
    const uint64_t start = size - from < sizeof text ? from : size - sizeof text;
    const ssize_t count = pread(reader->input, text, (size_t)(size - start), (off_t)start);
    const char *newline = count > 0 ? memrchr(text, '\n', (size_t)count) : NULL;
    const uint64_t end = newline ? start + (uint64_t)(newline - text) + 1 : from;
    explicit_bzero(text, sizeof text); /* there may be secrets in it */
    return end;
}

void reader_use_ranges(struct reader *reader, size_t rows) {
    struct course *course = &reader->course;
    const size_t lines = count_lines(reader->carry, reader->carry_used), width = reader->layout.row_bytes;
    struct stat status;
    const bool suits = is_raw(reader) ? width <= RECORD_BYTES : strchr(reader->dialect->ends, '\n') && lines;
    if (!suits || rows < LEAST_ROWS || reader->decompression || reader->ended || fstat(reader->input, &status) < 0 ||
        !S_ISREG(status.st_mode))
        return;
    const off_t at = lseek(reader->input, 0, SEEK_CUR);
    if (at < 0 || status.st_size < at + LEAST_BYTES)
        return;
    const uint64_t size = (uint64_t)status.st_size, from = (uint64_t)at - reader->carry_used;
    course->limit = is_raw(reader) ? size - (size - from) % width : last_line_end(reader, from, size);
    if (course->limit - from < LEAST_BYTES)
        return;
    course->next = course->reached = from;
    course->ranges = course->begins = true;
    course->rows = rows;
    course->record_bytes = is_raw(reader) ? (double)width : (double)reader->carry_used / (double)lines;
    reader->carry_used = 0;
}

/* As many bytes as a batch's rows are likely to have, and a few less, as more would not fit. */
static uint64_t range_bytes(const struct reader *reader, const struct batch *batch) {
    const struct course *course = &reader->course;
    const size_t width = reader->layout.row_bytes, rows = course->rows, most = batch->text_capacity - SLACK_BYTES;
    if (is_raw(reader))
        return width * (rows < batch->text_capacity / width ? rows : batch->text_capacity / width);
    const double bytes = 15.0 / 16 * (double)rows * course->record_bytes;
    return bytes < (double)most ? (uint64_t)bytes : most;
}

/* The next range. false: there is none, and the thread that reads goes on where `next` is. */
static bool take_range(struct reader *reader, struct batch *batch) {
    struct course *course = &reader->course;
    const bool given_out = course->ranges && course->next >= course->limit;
    if (given_out || course->turned) {
        course->ranges &= !given_out;
        course->turned = false;
        reader->carry_used = 0;
        reader->ended = reader->skipping = reader->lost = false;
        reader->bytes_read = course->next;
        if (!course->ranges)
            (void)lseek(reader->input, (off_t)course->next, SEEK_SET);
    }
    batch->range = (struct range){.course = course->number, .is_wanted = course->ranges, .begins = course->begins};
    if (!course->ranges)
        return false;
    const uint64_t left = course->limit - course->next, size = range_bytes(reader, batch);
    batch->range.from = course->next;
    batch->range.to = course->next += size < left ? size : left;
    course->begins = is_raw(reader);
    reader->bytes_read = course->next;
    return true;
}

void reader_take(struct reader *reader, struct batch *batch) {
    struct course *course = &reader->course;
    batch_reset(batch);
    pthread_mutex_lock(&course->lock);
    const bool ended = course->ended || atomic_load(reader->stop), ranged = !ended && take_range(reader, batch);
    pthread_mutex_unlock(&course->lock);
    if (!ended && !ranged && !reader_read(reader, batch))
        snprintf(batch->fault, sizeof batch->fault, "%.255s", reader->error);
    batch->is_last = !ranged && (ended || batch->fault[0] || atomic_load(reader->stop) ||
                                 (!batch->text_whole && !batch->long_record));
    batch->bytes_read = reader->bytes_read;
}

/* Add a piece of at most `size` bytes to the text, the first of which is at `from` in the file. false: batch->fault. */
static bool load_piece(const struct reader *reader, struct batch *batch, uint64_t from, size_t size) {
    ssize_t count;
    do
        count = pread(reader->input, batch->text + batch->text_used, size < PIECE_BYTES ? size : PIECE_BYTES,
                      (off_t)(from + batch->text_used));
    while (count < 0 && errno == EINTR);
    if (count <= 0)
        snprintf(batch->fault, sizeof batch->fault, "%.100s: %.120s", reader->name,
                 count < 0 ? strerror(errno) : "it became shorter while it was read");
    else
        batch->text_used += (size_t)count;
    return count > 0;
}

/* The record that goes on past the range, to its end. false: it is too long. */
static bool load_rest(const struct reader *reader, struct batch *batch, uint64_t from) {
    enum { REST_BYTES = 4096 };
    const char *newline = NULL;
    const size_t most = batch->text_used + SLACK_BYTES - REST_BYTES;
    while (!newline && batch->text_used < most) {
        const size_t seen = batch->text_used;
        if (!load_piece(reader, batch, from, REST_BYTES))
            return true;
        newline = memchr(batch->text + seen, '\n', batch->text_used - seen);
        batch->text_whole = newline ? (size_t)(newline - batch->text) + 1 : batch->text_used;
        if (may_be_quoted(reader) && memchr(batch->text + seen, '"', batch->text_whole - seen))
            return false;
    }
    batch->lines++;
    return newline != NULL;
}

/* Lines that begin in the range. That before the first, of which the last byte before the range tells whether there is
 * one, belongs to the batch before. */
static bool load_lines(const struct reader *reader, struct batch *batch) {
    struct range *range = &batch->range;
    const uint64_t from = range->from - !range->begins;
    const size_t size = (size_t)(range->to - from);
    while (batch->text_used < size) {
        const size_t seen = batch->text_used;
        if (!load_piece(reader, batch, from, size - seen))
            return true;
        const size_t count = batch->text_used - seen, lines = count_lines(batch->text + seen, count);
        batch->lines += lines;
        if ((may_be_quoted(reader) && memchr(batch->text + seen, '"', count)) || (!lines && count == PIECE_BYTES))
            return false;
    }
    const char *newline = range->begins ? NULL : memchr(batch->text, '\n', size);
    batch->text_start = newline ? (size_t)(newline - batch->text) + 1 : 0;
    batch->lines -= !range->begins;
    batch->text_whole = size;
    if ((!range->begins && !newline) || batch->text_start == size)
        return false;
    if (batch->text[size - 1] != '\n' && !load_rest(reader, batch, from))
        return false;
    range->to = from + batch->text_whole;
    batch->records = batch->lines;
    return batch->records <= batch->capacity;
}

static bool load_rows(const struct reader *reader, struct batch *batch) {
    const struct range *range = &batch->range;
    const size_t size = (size_t)(range->to - range->from);
    while (batch->text_used < size)
        if (!load_piece(reader, batch, range->from, size - batch->text_used))
            return true;
    batch->text_whole = size;
    batch->records = batch->lines = size / reader->layout.row_bytes;
    return true;
}

void reader_load(const struct reader *reader, struct batch *batch) {
    struct range *range = &batch->range;
    if (!range->is_wanted)
        return;
    (void)posix_fadvise(reader->input, (off_t)range->from, (off_t)(range->to - range->from), POSIX_FADV_WILLNEED);
    range->fits = is_raw(reader) ? load_rows(reader, batch) : load_lines(reader, batch);
    if (batch->fault[0])
        batch->text_start = batch->text_whole = batch->records = batch->lines = 0;
}

/* What was given out after the batches that have been put in order is of no use. */
static void turn(struct course *course, bool ranges) {
    course->ranges = ranges;
    course->turned = course->begins = true;
    course->next = course->reached;
    course->number++;
}

/* Whether the batch is where its course has got to, and to be used. */
static bool keeps_course(struct course *course, const struct batch *batch, bool *turned) {
    const struct range *range = &batch->range;
    if (range->course != course->number || course->ended)
        return false;
    course->ended = batch->fault[0] != 0;
    if (!range->is_wanted || batch->fault[0])
        return true;
    const size_t size = batch->text_whole - batch->text_start;
    const bool in_place = range->fits && range->to - size == course->reached,
               too_many = !range->fits && batch->records > batch->capacity;
    const double record_bytes = batch->records ? (double)size / (double)batch->records : course->record_bytes;
    const bool is_shorter = record_bytes < course->record_bytes;
    if ((in_place || too_many) && is_shorter)
        course->record_bytes = record_bytes;
    if (in_place)
        course->reached = range->to;
    else
        turn(course, too_many && is_shorter); /* else the next range would be the same again */
    *turned = !in_place;
    return in_place;
}

bool reader_order(struct reader *reader, struct batch *batch) {
    bool turned = false;
    pthread_mutex_lock(&reader->course.lock);
    const bool used = keeps_course(&reader->course, batch, &turned);
    pthread_mutex_unlock(&reader->course.lock);
    if (!used) {
        batch->text_start = batch->text_whole = batch->records = batch->lines = 0;
        batch->long_record = false;
        batch->fault[0] = 0;
    }
    const bool tells = reader->dialect->told && columns_told(reader->mapping, UINT32_MAX);
    for (size_t at = batch->text_start, used_bytes; tells && !reader->told && at < batch->text_whole; at += used_bytes)
        reader->told = reader->dialect->told(reader, batch->text + at, batch->text_whole - at, &used_bytes);
    batch->told = reader->told;
    batch->line = reader->line;
    reader->line += batch->lines + batch->long_record;
    return turned;
}
