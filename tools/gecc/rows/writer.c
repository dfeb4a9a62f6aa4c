#define _GNU_SOURCE /* mempcpy */

#include "rows/writer.h"
#include "rows/convert.h"
#include "rows/result_text.h"
#include "text/base64.h"
#include "text/json_text.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROW_BYTES = 64 }; /* what a row has besides what it had before and its results, mostly */

static_assert((int)BUFFER_LEAST >= (int)REASON_BYTES, "more than all results and a reason take");

/* Write text to the target. */
static bool write_text(struct writer *writer, const char *text, size_t length) {
    if (!writer->failed && !target_write(&writer->target, text, length)) {
        writer->failed = true;
        writer->error = errno;
    }
    writer->written += length;
    return !writer->failed;
}

static char *put(char *out, const char *text) { return stpcpy(out, text); }

const char *writer_open(struct writer *writer, const struct mapping *mapping, const struct options *options,
                        const struct reader *reader) {
    *writer = (struct writer){.reader = reader, .mapping = mapping};
    for (size_t i = 0; i < RESULT_NAMES; i++)
        result_name(writer->names[i], mapping, options, i);
    return target_open(&writer->target, options->output, mapping->secret, reader->input);
}

static const char set_begins[] = "{\"keys\":[\n", set_ends[] = "\n]}\n", between_keys[] = ",\n";

bool writer_header(struct writer *writer) {
    char names[RESULT_NAMES * (RESULT_NAME_BYTES + 1)], *out = names;
    if (writer->reader->output == FORMAT_JWKS)
        return write_text(writer, set_begins, sizeof set_begins - 1);
    if (writer->reader->output != FORMAT_CSV)
        return true;
    for (size_t i = 0; i < RESULT_NAMES && writer->names[i][0]; i++) {
        if (i >= FIRST_RESULT && writer->reader->stands[i - FIRST_RESULT])
            continue;
        if (i || writer->reader->kept_fields)
            *out++ = ',';
        out = put(out, writer->names[i]);
    }
    *out++ = '\n';
    return write_text(writer, writer->reader->header, writer->reader->header_length) &&
           write_text(writer, names, (size_t)(out - names));
}

enum verdict row_verdict(const struct row *row, uint8_t status) {
    if (row->refusal.text)
        return row->refusal.verdict;
    if (gecc_item_is_malformed(status))
        return VERDICT_MALFORMED;
    if (status == GECC_ITEM_OK || status == GECC_ITEM_INFINITY)
        return VERDICT_GOOD;
    return status == GECC_ITEM_INVALID ? VERDICT_INVALID : VERDICT_UNPROCESSED;
}

const char *verdict_text(const struct mapping *mapping, enum verdict verdict) {
    static const char *const texts[VERDICT_COUNT] = {"ok", "invalid", "malformed", "no_key", "unprocessed"};
    return verdict == VERDICT_GOOD && mapping->judges ? "valid" : texts[verdict];
}

static bool has_reason(const struct mapping *mapping, const struct row *row, enum verdict verdict) {
    return verdict != VERDICT_GOOD && (verdict != VERDICT_INVALID || mapping->invalid_reason || row->refusal.text);
}

/* "pub: 32 bytes, a point has 33, 64 or 65; ", of the first column to which that applies. */
static char *put_width(char *out, const struct batch *batch, const struct row *row) {
    const struct group *group = &batch->groups[row->group];
    const size_t i = (size_t)(row - batch->rows), length = gecc_curve_bytes(group->curve);
    if (batch->options->scheme == SCHEME_BIP340 || group->curve == GECC_CURVE25519)
        return out;
    for (unsigned c = 0; c < COLUMN_COUNT; c++) {
        size_t width = (group->form & 1u << c) ? batch->cells[c][i].length : 0;
        bool right = width == 1 + length || width == 2 * length || width == 1 + 2 * length;
        if (batch->kinds[c] == KIND_POINT && width && !right)
            return out + sprintf(out, "%s: %zu bytes, a point has %zu, %zu or %zu; ", column_names[c], width,
                                 1 + length, 2 * length, 1 + 2 * length);
        if (c == COLUMN_MSG && !width && (group->form & COLUMN_BIT(MSG)) &&
            batch->mapping->results[0].kind == RESULT_BYTES)
            return put(out, "msg: no bytes, and one or more are encrypted; ");
        if (c == COLUMN_CIPHERTEXT && width)
            return out + sprintf(out, "ciphertext: %zu bytes, fewer than C1, C3 and a byte of text have; ", width);
        if (c == COLUMN_DIGEST && width && (width < 20 || width > MAX_DIGEST_BYTES))
            return out + sprintf(out, "digest: %zu bytes, a digest has 20 to %d; ", width, MAX_DIGEST_BYTES);
    }
    return out;
}

/* ", whose `pub` is ...": what was found where another was told. */
static char *put_found(char *out, const struct batch *batch, const struct row *row, uint8_t status) {
    out = put(put(put(out, ", whose `"), batch->mapping->results[0].name), "` is ");
    return result_put(out, batch, row, 0, status);
}

/* What is known of a signature of other bytes than are read. */
static char *put_signature(char *out, const struct batch *batch, const struct row *row) {
    const struct group *group = &batch->groups[row->group];
    const struct span sig =
        batch->cells[COLUMN_SIG] ? batch->cells[COLUMN_SIG][row - batch->rows] : (struct span){0, 0};
    const size_t raw = 2 * gecc_curve_bytes(group->curve) + batch->options->sighash_byte;
    if (!(group->form & COLUMN_BIT(SIG)) || sig.length == raw)
        return out;
    out += sprintf(out, "sig: %u bytes", sig.length);
    if (group->curve == GECC_SM2 && sig.length == 2 * raw)
        return put(out, ", r || s and the public key, as FISCO-BCOS has them: the first 64 are the signature; ");
    if (group->curve == GECC_SECP256K1 && sig.length == raw + 1 && !batch->options->sighash_byte)
        return put(out,
                   ", r || s || v, as Ethereum has them: the first 64 are the signature, and with v it is for recover "
                   "--address; ");
    return out + sprintf(out, ", one that is no DER has %zu on %s; ", raw, gecc_curve_name(group->curve));
}

/* "pub: no value". */
char *reason_put(char *out, const struct batch *batch, const struct row *row, enum verdict verdict, uint8_t status) {
    const struct mapping *mapping = batch->mapping;
    const struct refusal *refusal = &row->refusal;
    if (refusal->text) {
        if (refusal->column < COLUMN_COUNT) {
            out = put(out, column_names[refusal->column]);
            out = put(out, ": ");
        }
        out = put(put(out, refusal->of_holder ? "key binding: " : ""), refusal->text);
        return refusal->differs ? put_found(out, batch, row, status) : out;
    }
    if (status == GECC_ITEM_MALFORMED_WIDTH)
        out = put_width(out, batch, row);
    if (status == GECC_ITEM_MALFORMED_WIDTH || status == GECC_ITEM_MALFORMED_SIGNATURE_ENCODING)
        out = put_signature(out, batch, row);
    return put(out, verdict == VERDICT_INVALID ? mapping->invalid_reason : gecc_item_text(status));
}

static const char *piece_text(const struct batch *batch, const struct piece *piece) {
    const bool made = piece->kind == PIECE_MADE || piece->kind == PIECE_RESULT;
    return (made ? (const char *)batch->bytes : batch->text) + piece->offset;
}

/* A piece of a JSON object, without the comma after it. */
static void copy_member(const struct writer *writer, struct batch *batch, const struct piece *piece) {
    struct buffer *output = &batch->output;
    char name[RESULT_NAME_BYTES];
    const char *text = piece_text(batch, piece);
    if (piece->kind == PIECE_UNREADABLE) {
        buffer_put(output, "\"unreadable\":\"", 14);
        json_put_text(output, text, piece->length, false);
        buffer_put(output, "\"", 1);
        return;
    }
    if (piece->kind == PIECE_TOKEN) {
        buffer_put(output, "\"token\":\"", 9);
        buffer_put(output, text, piece->length);
        buffer_put(output, "\"", 1);
        return;
    }
    if (piece->kind == PIECE_RESULT) {
        buffer_advance(output,
                       put(put(put(buffer_room(output), "\""), writer->names[FIRST_RESULT + piece->result]), "\":\""));
        json_put_text(output, text, piece->length, false);
        buffer_put(output, "\"", 1);
        return;
    }
    if (piece->kind == PIECE_RENAMED) {
        kept_name(name, writer->mapping, batch->options, piece->result, piece->number);
        buffer_advance(output, put(put(put(buffer_room(output), "\""), name), "\":"));
    }
    buffer_put(output, text, piece->length);
}

/* What is kept of a row of CSV. */
static void copy_fields(const struct writer *writer, struct batch *batch, const struct row *row, uint8_t status) {
    struct buffer *output = &batch->output;
    const struct piece *keep = row_pieces(batch, row);
    size_t padding = row->keep_count || !writer->reader->kept_fields ? row->padding : writer->reader->kept_fields - 1;
    for (size_t k = 0; k < row->keep_count; k++) {
        const char *text = piece_text(batch, &keep[k]);
        if (k)
            buffer_put(output, ",", 1);
        if (keep[k].kind == PIECE_UNREADABLE)
            csv_put_quoted(output, text, keep[k].length);
        else if (keep[k].kind == PIECE_RESULT)
            csv_put_field(output, text, keep[k].length);
        else if (keep[k].kind == PIECE_COMPARED)
            buffer_advance(output, result_put(buffer_room(output), batch, row, keep[k].result, status));
        else
            buffer_put(output, text, keep[k].length);
    }
    for (size_t f = 0; f < padding; f++)
        buffer_put(output, ",", 1);
}

/* A result; a token is as long as its claims, a ciphertext or plaintext of any length. */
static char *put_result(char *out, struct batch *batch, const struct row *row, size_t r, uint8_t status) {
    const enum result_kind kind = batch->mapping->results[r].kind;
    if (kind == RESULT_BYTES && row->slot != SLOT_NONE) {
        buffer_advance(&batch->output, out);
        const bool fits = buffer_reserve(&batch->output, BUFFER_LEAST + 2 * (size_t)batch->result_widths[r][row->slot]);
        out = buffer_room(&batch->output);
        return fits ? result_put(out, batch, row, r, status) : out;
    }
    if (kind != RESULT_TOKEN || row->slot == SLOT_NONE)
        return result_put(out, batch, row, r, status);
    const struct span message = batch->cells[COLUMN_MSG][row - batch->rows];
    const uint32_t width = batch->result_widths[r][row->slot];
    if (!width)
        return out;
    buffer_advance(&batch->output, out);
    buffer_put(&batch->output, (const char *)batch->bytes + message.offset, message.length);
    buffer_put(&batch->output, ".", 1);
    return base64_encode(buffer_room(&batch->output), batch->result[r] + row->slot * result_stride(RESULT_TOKEN), width,
                         true);
}

static void write_csv(const struct writer *writer, struct batch *batch, const struct row *row, enum verdict verdict,
                      uint8_t status) {
    struct buffer *output = &batch->output;
    if (writer->reader->format == FORMAT_JSONL)
        convert_to_fields(writer->reader, batch, row, status);
    else
        copy_fields(writer, batch, row, status);
    char *out = buffer_room(output);
    if (writer->reader->kept_fields)
        *out++ = ',';
    out = put(out, verdict_text(batch->mapping, verdict));
    *out++ = ',';
    if (has_reason(batch->mapping, row, verdict)) {
        *out++ = '"';
        out = reason_put(out, batch, row, verdict, status);
        *out++ = '"';
    }
    *out++ = ',';
    if (verdict == VERDICT_MALFORMED)
        out = number_put(out, row->line);
    for (size_t r = 0; r < MAX_RESULTS && batch->mapping->results[r].name; r++) {
        if (writer->reader->stands[r])
            continue;
        *out++ = ',';
        out = put_result(out, batch, row, r, status);
    }
    *out++ = '\n';
    buffer_advance(output, out);
}

/* "name": */
static char *put_member(char *out, const char *name) { return put(put(put(out, "\""), name), "\":"); }

static void write_json(const struct writer *writer, struct batch *batch, const struct row *row, enum verdict verdict,
                       uint8_t status) {
    struct buffer *output = &batch->output;
    const struct piece *keep = row_pieces(batch, row);
    const bool fields = writer->reader->format == FORMAT_CSV;
    buffer_put(output, "{", 1);
    const uint32_t stands = fields ? convert_to_members(writer->reader, batch, row) : row->stands;
    for (size_t k = 0; k < row->keep_count && !fields; k++) {
        copy_member(writer, batch, &keep[k]);
        buffer_put(output, ",", 1);
    }
    char *out = put_member(buffer_room(output), writer->names[0]);
    *out++ = '"';
    out = put(out, verdict_text(batch->mapping, verdict));
    if (has_reason(batch->mapping, row, verdict)) {
        out = put(put_member(put(out, "\","), writer->names[1]), "\"");
        out = reason_put(out, batch, row, verdict, status);
    }
    *out++ = '"';
    if (verdict == VERDICT_MALFORMED)
        out = number_put(put_member(put(out, ","), writer->names[2]), row->line);
    for (size_t r = 0; verdict == VERDICT_GOOD && r < MAX_RESULTS && batch->mapping->results[r].name; r++) {
        bool number = batch->mapping->results[r].kind == RESULT_RECID;
        if ((number && !batch->result_widths[r][row->slot]) || (stands & 1u << (FIRST_RESULT + r)) ||
            batch->mapping->results[r].kind == RESULT_KEPT)
            continue;
        out = put_member(put(out, ","), writer->names[FIRST_RESULT + r]);
        if (!number)
            *out++ = '"';
        out = put_result(out, batch, row, r, status);
        if (!number)
            *out++ = '"';
    }
    out = put(out, "}\n");
    buffer_advance(output, out);
}

/* The key alone, in a set behind a comma. A row without one is refused: there is no place that says so. */
static void write_key(const struct writer *writer, struct batch *batch, const struct row *row, enum verdict verdict,
                      uint8_t status) {
    char text[2 * JWK_BYTES], *out = text;
    const bool in_set = writer->reader->output == FORMAT_JWKS;
    if (in_set)
        out = put(out, between_keys);
    const char *key = out;
    if (verdict == VERDICT_GOOD)
        out = result_put(out, batch, row, 0, status);
    if (out != key) {
        out = put(out, in_set ? "" : "\n");
        buffer_put(&batch->output, text, (size_t)(out - text));
    } else if (!batch->refusal[0]) {
        *reason_put(text, batch, row, verdict, status) = 0;
        snprintf(batch->refusal, sizeof batch->refusal, "line %llu has no key, and --only ok would leave it out: %.90s",
                 (unsigned long long)row->line, text);
    }
}

/* The status byte and the results at their widths on this curve, zeros where there is none. */
static void write_raw(const struct writer *writer, struct batch *batch, uint32_t slot, uint8_t status) {
    struct buffer *output = &batch->output;
    char *out = buffer_room(output);
    *out++ = (char)status;
    for (size_t r = 0; r < MAX_RESULTS && batch->mapping->results[r].name; r++) {
        size_t width = writer->reader->layout.result_bytes[r];
        memset(out, 0, width);
        if (slot != SLOT_NONE) {
            const uint8_t *bytes = batch->result[r] + slot * result_stride(batch->mapping->results[r].kind);
            memcpy(out, bytes, batch->result_widths[r][slot]);
        }
        out += width;
    }
    buffer_advance(output, out);
}

uint8_t raw_status(const struct row *row, uint8_t status) {
    return !row->refusal.text ? status : row->refusal.differs ? GECC_ITEM_INVALID : GECC_ITEM_MALFORMED_WIDTH;
}

void writer_format(const struct writer *writer, struct batch *batch) {
    size_t row_bytes = ROW_BYTES;
    for (size_t r = 0; r < MAX_RESULTS; r++)
        row_bytes += 2 * result_stride(batch->mapping->results[r].kind);
    buffer_clear(&batch->output);
    buffer_reserve(&batch->output, batch->text_whole + batch->count * row_bytes);
    memset(batch->verdicts, 0, sizeof batch->verdicts);
    for (size_t i = 0; i < batch->count; i++) {
        static const struct row plain;
        const struct row *row = batch->laid ? &plain : &batch->rows[i];
        const uint32_t slot = batch->laid ? (uint32_t)i : row->slot;
        uint8_t status = slot == SLOT_NONE ? (uint8_t)GECC_ITEM_NOT_PROCESSED : batch->status[slot];
        enum verdict verdict = row_verdict(row, status);
        batch->verdicts[verdict]++;
        if (batch->options->only && !(batch->options->only & 1u << verdict))
            continue;
        if (writer->reader->output == FORMAT_CSV)
            write_csv(writer, batch, row, verdict, status);
        else if (writer->reader->output == FORMAT_JSONL)
            write_json(writer, batch, row, verdict, status);
        else if (is_jwk(writer->reader->output))
            write_key(writer, batch, row, verdict, status);
        else
            write_raw(writer, batch, slot, raw_status(row, status));
    }
}

bool writer_write(struct writer *writer, const struct batch *batch) {
    if (batch->refusal[0] && !writer->failed) {
        writer->failed = true;
        snprintf(writer->refusal, sizeof writer->refusal, "%s", batch->refusal);
    }
    if (batch->output.failed && !writer->failed) {
        writer->failed = true;
        writer->error = ENOMEM;
    }
    for (int v = 0; v < VERDICT_COUNT; v++)
        writer->counts[v] += batch->verdicts[v];
    const bool first_key = batch->output.used && writer->written + 1 == sizeof set_begins;
    const size_t skipped = writer->reader->output == FORMAT_JWKS && first_key ? sizeof between_keys - 1 : 0;
    if (!write_text(writer, batch->output.bytes + skipped, batch->output.used - skipped))
        return false;
    writer->whole_bytes = writer->written;
    writer->whole_rows = 0;
    for (int v = 0; v < VERDICT_COUNT; v++)
        writer->whole_rows += writer->counts[v];
    return true;
}

/* A file that lacks rows ends with a row. */
static void drop_partial_row(const struct writer *writer) {
    if (writer->target.path && writer->failed)
        (void)!ftruncate(writer->target.descriptor, (off_t)writer->whole_bytes);
}

static void fail(struct writer *writer) {
    if (writer->failed)
        return;
    writer->failed = true;
    writer->error = errno;
}

bool writer_close(struct writer *writer, bool whole) {
    if (whole && writer->reader->output == FORMAT_JWKS)
        write_text(writer, set_ends, sizeof set_ends - 1);
    drop_partial_row(writer);
    writer->target.whole_rows = writer->mapping->sums ? UINT64_MAX : writer->whole_rows;
    if (writer->target.descriptor >= 0 && close(writer->target.descriptor) < 0)
        fail(writer);
    if (whole && !writer->failed && !target_finish(&writer->target))
        fail(writer);
    return !writer->failed;
}
