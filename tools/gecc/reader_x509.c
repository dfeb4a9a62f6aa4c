/* Certificates one after another, in PEM with whatever text between them, or in DER. */
#define _GNU_SOURCE /* memmem, mempcpy, strdup */

#include "base64.h"
#include "certificate.h"
#include "hex.h"
#include "json_grammar.h"
#include "library.h"
#include "reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SUBJECT_BYTES = 4096, MOST_SERIAL_BYTES = 40, LONGEST_CHARACTER = 6 /* as it is written */ };

static const char begin[] = "-----BEGIN ", end_mark[] = "\n-----END ", begin_mark[] = "\n-----BEGIN ";

static bool starts_with(const char *text, size_t size, const char *start) {
    return size >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

/* A character of a string: in JSON between its quotation marks, else in CSV between those. */
static char *put_character(char *out, const char *text, size_t length, bool json) {
    if (json && (*text == '"' || *text == '\\'))
        *out++ = '\\';
    else if (json && (unsigned char)*text < 0x20)
        return out + sprintf(out, "\\u%04x", (unsigned)*text);
    else if (*text == '"')
        *out++ = '"';
    return mempcpy(out, text, length);
}

/* At most `room` bytes, which are more than LONGEST_CHARACTER and the dots take. */
static char *put_subject(char *out, size_t room, const char *subject, bool json) {
    const char *limit = out + room - LONGEST_CHARACTER - 3;
    size_t left = subject ? strlen(subject) : 0;
    while (left && out < limit) {
        size_t length = utf8_character(subject, left);
        out = length ? put_character(out, subject, length, json) : mempcpy(out, "\xef\xbf\xbd", 3);
        subject += length ? length : 1;
        left -= length ? length : 1;
    }
    return left ? mempcpy(out, "...", 3) : out;
}

/* What is kept of a certificate: its number and, where it could be read, its subject and serial number. The subject gets no
 * more room than a batch has for it (batch.c), twice what the certificate has. */
static void keep(const struct reader *reader, struct batch *batch, struct row *row, const struct certificate *known) {
    char *start = (char *)batch->bytes + batch->bytes_used, *out = start;
    bool json = reader->format == FORMAT_JSONL;
    out += sprintf(out, json ? "\"number\":%llu" : "%llu,", (unsigned long long)reader->certificates);
    size_t room = known ? 2 * known->tbs.size : 0;
    char *subject = known ? certificate_subject(known) : NULL;
    if (known) {
        size_t digits = known->serial.size < MOST_SERIAL_BYTES ? known->serial.size : MOST_SERIAL_BYTES;
        out = stpcpy(out, json ? ",\"subject\":\"" : "\"");
        out = put_subject(out, room < MOST_SUBJECT_BYTES ? room : MOST_SUBJECT_BYTES, subject, json);
        out = stpcpy(out, json ? "\",\"serial\":\"" : "\",");
        out = hex_encode(out, known->serial.bytes, digits);
        if (json)
            *out++ = '"';
    } else if (!json) {
        *out++ = ',';
    }
    free(subject);
    struct span span = batch_take(batch, (size_t)(out - start));
    batch->keep[(size_t)(row - batch->rows) * KEEP_MAX] = (struct piece){span.offset, span.length, PIECE_MADE, 0, 0};
    row->keep_count = 1;
}

/* Put the cells of a certificate in the batch, and the row in its group; NULL, or why the row is refused. */
static const char *take_cells(const struct reader *reader, struct batch *batch, struct row *row,
                              const struct certificate *certificate) {
    const struct key_file *issuer = &reader->options->public_key;
    struct group group = {
        .curve = issuer->curve, .der = true, .form = COLUMN_BIT(PUB) | COLUMN_BIT(MSG) | COLUMN_BIT(SIG)};
    size_t i = (size_t)(row - batch->rows);
    if (!certificate_algorithm(certificate, &group.hash))
        return "signed with another algorithm than ECDSA with SHA-2 and SM2 with SM3";
    if ((group.hash == GECC_SM3) != (issuer->curve == GECC_SM2))
        return group.hash == GECC_SM3 ? "signed with SM2, and the issuer's key is for ECDSA"
                                      : "signed with ECDSA, and the issuer's key is for SM2";
    const struct certificate_part *parts[] = {&certificate->tbs, &certificate->signature};
    const enum column columns[] = {COLUMN_MSG, COLUMN_SIG};
    for (size_t c = 0; c < 2; c++)
        batch->cells[columns[c]][i] =
            (struct span){(uint32_t)(parts[c]->bytes - batch->bytes), (uint32_t)parts[c]->size};
    batch->cells[COLUMN_PUB][i] = batch_take(batch, issuer->count / 2);
    memcpy(batch->bytes + batch->cells[COLUMN_PUB][i].offset, reader->key, issuer->count / 2);
    row_join(batch, row, &group);
    return NULL;
}

/* A row of bytes that lie in the batch. */
static void take_der(struct reader *reader, struct batch *batch, struct row *row, struct span der) {
    struct certificate certificate;
    const char *reason = certificate_read(&certificate, batch->bytes + der.offset, der.length);
    keep(reader, batch, row, reason ? NULL : &certificate);
    if (reason)
        row_break(row, COLUMN_COUNT, reason);
    else if ((reason = take_cells(reader, batch, row, &certificate)) != NULL)
        row_refuse(row, COLUMN_COUNT, reason);
}

static void take_broken(struct reader *reader, struct batch *batch, struct row *row, const char *reason) {
    keep(reader, batch, row, NULL);
    row_break(row, COLUMN_COUNT, reason);
}

static struct row *add_row(struct reader *reader, struct batch *batch) {
    reader->certificates++;
    return batch_add(batch, reader->line);
}

/* The bytes of base64 in lines. */
static bool decode_lines(struct batch *batch, struct span *out, const char *text, size_t size) {
    char *digits = (char *)batch->bytes + batch->bytes_used;
    size_t length = 0, count = 0;
    for (size_t i = 0; i < size; i++)
        if (text[i] != '\n' && text[i] != '\r' && text[i] != ' ' && text[i] != '\t')
            digits[length++] = text[i];
    bool good =
        base64_decode((uint8_t *)digits, &count, digits, length, false); /* in place: it writes behind what it reads */
    *out = batch_take(batch, count);
    return good && count;
}

/* Whether the line begins a certificate: that of RFC 7468, or an older label. */
static bool begins_certificate(const char *line, size_t length) {
    static const char *const labels[] = {"CERTIFICATE-----", "X509 CERTIFICATE-----"};
    for (size_t i = 0; i < 2; i++)
        if (starts_with(line, length, begin) &&
            starts_with(line + sizeof begin - 1, length - (sizeof begin - 1), labels[i]))
            return true;
    return false;
}

/* A block from its first line, which ends at text[first], up to the five dashes that end it: another may follow on the
 * same line, where files were put together. */
static enum step take_block(struct reader *reader, struct batch *batch, const char *text, size_t size, size_t first,
                            bool last, size_t *used) {
    struct span der;
    const char *body = text + first, *limit = text + size;
    const char *next = memmem(body, (size_t)(limit - body), begin_mark, sizeof begin_mark - 1);
    if (next)
        limit = next + 1;
    const char *end = memmem(body, (size_t)(limit - body), end_mark, sizeof end_mark - 1);
    const char *label = end ? end + sizeof end_mark - 1 : limit;
    const char *dashes = memmem(label, (size_t)(limit - label), "-----", 5);
    if (!dashes && !next && !last)
        return STEP_MORE;
    *used = (size_t)((dashes ? dashes + 5 : limit) - text);
    struct row *row = add_row(reader, batch);
    if (!dashes)
        take_broken(reader, batch, row, "a certificate that does not end");
    else if (!decode_lines(batch, &der, body, (size_t)(end - body)))
        take_broken(reader, batch, row, "a certificate that is not base64");
    else
        take_der(reader, batch, row, der);
    return STEP_DONE;
}

static void count_lines(struct reader *reader, const char *text, size_t size) {
    for (const char *end = text + size; (text = memchr(text, '\n', (size_t)(end - text))) != NULL; text++)
        reader->line++;
}

/* The next block, or a line before it. A last line waits for what follows, so that an input without a certificate is
 * refused where it ends. */
static enum step take_pem(struct reader *reader, struct batch *batch, const char *text, size_t size, bool last,
                          size_t *used) {
    const char *newline = memchr(text, '\n', size);
    size_t length = newline ? (size_t)(newline - text) : size;
    enum step step = STEP_DONE;
    if (!last && (!newline || (length + 1 == size && reader->certificates == 0)))
        return STEP_MORE;
    *used = newline ? length + 1 : length;
    if (begins_certificate(text, length))
        step = take_block(reader, batch, text, size, length, last, used);
    else if (*used == size && reader->certificates == 0)
        take_broken(reader, batch, add_row(reader, batch), "no certificate in PEM or DER");
    if (step == STEP_DONE)
        count_lines(reader, text, *used);
    return step;
}

static enum step take_binary(struct reader *reader, struct batch *batch, const char *text, size_t size, bool last,
                             size_t *used) {
    size_t length = certificate_size((const uint8_t *)text, size);
    if (!last && (size < CERTIFICATE_HEAD_BYTES || (length > size && length < RECORD_BYTES)))
        return STEP_MORE;
    reader->line = reader->certificates + 1;
    struct row *row = add_row(reader, batch);
    *used = size;
    if (length == 0 || length > size) {
        take_broken(reader, batch, row, length ? "a certificate that does not end" : "what follows is no certificate");
        reader->lost = true;
        return STEP_DONE;
    }
    *used = length;
    struct span der = batch_take(batch, length);
    memcpy(batch->bytes + der.offset, text, length);
    take_der(reader, batch, row, der);
    return STEP_DONE;
}

static enum step take(struct reader *reader, struct batch *batch, const char *text, size_t size, bool last,
                      size_t *used) {
    *used = size;
    if (reader->lost)
        return STEP_DONE;
    if (size < 2 && !last)
        return STEP_MORE;
    /* A digit of text is no length. */
    if (reader->certificates == 0 && reader->line == 1)
        reader->binary = size >= 2 && text[0] == 0x30 && (unsigned char)text[1] >= 0x80;
    return (reader->binary ? take_binary : take_pem)(reader, batch, text, size, last, used);
}

static const struct dialect dialect_x509 = {take};

bool x509_open(struct reader *reader) {
    if (certificates_can_be_read())
        return records_open(reader, &dialect_x509, "number,subject,serial", 3);
    snprintf(reader->error, sizeof reader->error,
             "reading certificates needs OpenSSL's " LIBCRYPTO " (Debian: libssl3)");
    return false;
}
