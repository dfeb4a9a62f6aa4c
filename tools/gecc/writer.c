#define _GNU_SOURCE /* explicit_bzero, mempcpy */

#include "writer.h"
#include "hex.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 20, RESULT_TEXT_BYTES = 2048 /* more than all results and a reason take */ };

static bool flush(struct writer *writer) {
    for (size_t done = 0; !writer->failed && done < writer->used;) {
        ssize_t count = write(writer->descriptor, writer->buffer + done, writer->used - done);
        if (count < 0 && errno != EINTR) {
            writer->failed = true;
            writer->error = errno;
        }
        if (count > 0)
            done += (size_t)count;
    }
    writer->used = 0;
    return !writer->failed;
}

/* Room for RESULT_TEXT_BYTES more. */
static char *room(struct writer *writer) {
    if (BUFFER_BYTES - writer->used < RESULT_TEXT_BYTES)
        flush(writer);
    return writer->buffer + writer->used;
}

static void advance(struct writer *writer, const char *end) { writer->used = (size_t)(end - writer->buffer); }

static char *put(char *out, const char *text) { return stpcpy(out, text); }

/* Text of any length. */
static void copy(struct writer *writer, const char *text, size_t length) {
    while (length) {
        size_t part = BUFFER_BYTES - writer->used < length ? BUFFER_BYTES - writer->used : length;
        memcpy(writer->buffer + writer->used, text, part);
        writer->used += part;
        text += part;
        length -= part;
        if (writer->used == BUFFER_BYTES)
            flush(writer);
    }
}

bool same_file(int a, const char *path) {
    struct stat sa, sb;
    return fstat(a, &sa) == 0 && stat(path, &sb) == 0 && S_ISREG(sa.st_mode) && sa.st_dev == sb.st_dev &&
           sa.st_ino == sb.st_ino;
}

const char *writer_open(struct writer *writer, const struct mapping *mapping, const struct options *options,
                        const struct reader *reader) {
    const char *path = options->output;
    *writer =
        (struct writer){.descriptor = STDOUT_FILENO, .name = "standard output", .reader = reader, .mapping = mapping};
    if (path && strcmp(path, "-") != 0) {
        writer->name = path;
        if (same_file(reader->descriptor, path))
            return "is the input";
        writer->descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mapping->secret ? 0600 : 0666);
        if (writer->descriptor < 0)
            return strerror(errno);
    }
    writer->buffer = malloc(BUFFER_BYTES);
    return writer->buffer ? NULL : gecc_result_text(GECC_ERROR_MEMORY);
}

bool writer_header(struct writer *writer) {
    if (writer->reader->format != FORMAT_CSV)
        return true;
    copy(writer, writer->reader->header, writer->reader->header_length);
    char *out = room(writer);
    out = put(out, writer->reader->header_length ? ",status,reason" : "status,reason");
    for (size_t r = 0; r < MAX_RESULTS && writer->mapping->results[r].name; r++) {
        *out++ = ',';
        out = put(out, writer->mapping->results[r].name);
    }
    *out++ = '\n';
    advance(writer, out);
    return !writer->failed;
}

/* What came of a row: a gecc_item, or a refusal of the reader. */
static enum verdict verdict_of(const struct row *row, uint8_t status) {
    if (row->refusal.text || gecc_item_is_malformed(status))
        return VERDICT_MALFORMED;
    if (status == GECC_ITEM_OK || status == GECC_ITEM_INFINITY)
        return VERDICT_GOOD;
    return status == GECC_ITEM_INVALID ? VERDICT_INVALID : VERDICT_UNPROCESSED;
}

static const char *verdict_text(const struct mapping *mapping, enum verdict verdict) {
    static const char *const texts[VERDICT_COUNT] = {"ok", "invalid", "malformed", "unprocessed"};
    return verdict == VERDICT_GOOD && mapping->judges ? "valid" : texts[verdict];
}

static char *put_number(char *out, uint64_t value) {
    char digits[20];
    size_t count = 0;
    do
        digits[count++] = (char)('0' + value % 10);
    while (value /= 10);
    while (count)
        *out++ = digits[--count];
    return out;
}

static bool has_reason(const struct mapping *mapping, enum verdict verdict) {
    return verdict != VERDICT_GOOD && (verdict != VERDICT_INVALID || mapping->invalid_reason);
}

/* "line 7: pub: no value"; no character of it needs an escape between quotation marks. */
static char *put_reason(char *out, const struct mapping *mapping, const struct row *row, enum verdict verdict,
                        uint8_t status) {
    const struct refusal *refusal = &row->refusal;
    if (refusal->text) {
        if (refusal->broken) {
            out = put(out, "line ");
            out = put_number(out, row->line);
            out = put(out, ": ");
        }
        if (refusal->column < COLUMN_COUNT) {
            out = put(out, column_names[refusal->column]);
            out = put(out, ": ");
        }
        return put(out, refusal->text);
    }
    return put(out, verdict == VERDICT_INVALID ? mapping->invalid_reason : gecc_item_text(status));
}

static char *put_result(char *out, const struct batch *batch, const struct row *row, size_t r, uint8_t status) {
    enum result_kind kind = batch->mapping->results[r].kind;
    if (row->slot == SLOT_NONE)
        return out;
    if (status == GECC_ITEM_INFINITY && kind == RESULT_POINT)
        return put(out, "00");
    const uint8_t *bytes = batch->result[r] + row->slot * result_stride(kind);
    uint32_t width = batch->result_widths[r][row->slot];
    if (kind == RESULT_RECID)
        return width ? put_number(out, bytes[0]) : out;
    if (kind == RESULT_ADDRESS)
        return (char *)mempcpy(out, bytes, width);
    return hex_encode(out, bytes, width);
}

static void write_csv(struct writer *writer, const struct batch *batch, const struct row *row, enum verdict verdict,
                      uint8_t status) {
    const struct span *keep = &batch->keep[(size_t)(row - batch->rows) * KEEP_MAX];
    for (size_t k = 0; k < row->keep_count; k++) {
        if (k)
            copy(writer, ",", 1);
        copy(writer, batch->text + keep[k].offset, keep[k].length);
    }
    if (!row->keep_count)
        for (size_t f = 1; f < writer->reader->kept_fields; f++)
            copy(writer, ",", 1);
    char *out = room(writer);
    if (writer->reader->kept_fields)
        *out++ = ',';
    out = put(out, verdict_text(batch->mapping, verdict));
    *out++ = ',';
    if (has_reason(batch->mapping, verdict)) {
        *out++ = '"';
        out = put_reason(out, batch->mapping, row, verdict, status);
        *out++ = '"';
    }
    for (size_t r = 0; r < MAX_RESULTS && batch->mapping->results[r].name; r++) {
        *out++ = ',';
        out = put_result(out, batch, row, r, status);
    }
    *out++ = '\n';
    advance(writer, out);
}

static void write_json(struct writer *writer, const struct batch *batch, const struct row *row, enum verdict verdict,
                       uint8_t status) {
    const struct span *keep = &batch->keep[(size_t)(row - batch->rows) * KEEP_MAX];
    copy(writer, "{", 1);
    for (size_t k = 0; k < row->keep_count; k++) {
        copy(writer, batch->text + keep[k].offset, keep[k].length);
        copy(writer, ",", 1);
    }
    char *out = put(room(writer), "\"status\":\"");
    out = put(out, verdict_text(batch->mapping, verdict));
    if (has_reason(batch->mapping, verdict)) {
        out = put(out, "\",\"reason\":\"");
        out = put_reason(out, batch->mapping, row, verdict, status);
    }
    *out++ = '"';
    for (size_t r = 0; verdict == VERDICT_GOOD && r < MAX_RESULTS && batch->mapping->results[r].name; r++) {
        bool number = batch->mapping->results[r].kind == RESULT_RECID;
        if (number && !batch->result_widths[r][row->slot])
            continue;
        out = put(put(put(out, ",\""), batch->mapping->results[r].name), number ? "\":" : "\":\"");
        out = put_result(out, batch, row, r, status);
        if (!number)
            *out++ = '"';
    }
    out = put(out, "}\n");
    advance(writer, out);
}

/* The status byte and the results at their widths on this curve, zeros where there is none. */
static void write_raw(struct writer *writer, const struct batch *batch, const struct row *row, uint8_t status) {
    char *out = room(writer);
    *out++ = (char)(row->refusal.text ? GECC_ITEM_MALFORMED_WIDTH : status);
    for (size_t r = 0; r < MAX_RESULTS && batch->mapping->results[r].name; r++) {
        size_t width = writer->reader->layout.result_bytes[r];
        memset(out, 0, width);
        if (row->slot != SLOT_NONE) {
            const uint8_t *bytes = batch->result[r] + row->slot * result_stride(batch->mapping->results[r].kind);
            memcpy(out, bytes, batch->result_widths[r][row->slot]);
        }
        out += width;
    }
    advance(writer, out);
}

bool writer_batch(struct writer *writer, const struct batch *batch) {
    for (size_t i = 0; i < batch->count && !writer->failed; i++) {
        const struct row *row = &batch->rows[i];
        uint8_t status = row->slot == SLOT_NONE ? (uint8_t)GECC_ITEM_NOT_PROCESSED : batch->status[row->slot];
        enum verdict verdict = verdict_of(row, status);
        writer->counts[verdict]++;
        if (writer->reader->format == FORMAT_CSV)
            write_csv(writer, batch, row, verdict, status);
        else if (writer->reader->format == FORMAT_JSONL)
            write_json(writer, batch, row, verdict, status);
        else
            write_raw(writer, batch, row, status);
    }
    return flush(writer);
}

bool writer_close(struct writer *writer) {
    if (writer->buffer) {
        flush(writer);
        explicit_bzero(writer->buffer, BUFFER_BYTES);
        free(writer->buffer);
    }
    if (writer->descriptor >= 0 && close(writer->descriptor) < 0 && !writer->failed) {
        writer->failed = true;
        writer->error = errno;
    }
    return !writer->failed;
}
