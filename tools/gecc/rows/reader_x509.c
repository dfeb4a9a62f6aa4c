/* Certificates one after another, in PEM with whatever text between them, or in DER. */
#define _GNU_SOURCE /* memmem, mempcpy, strdup */

#include "text/base64.h"
#include "keys/certificate.h"
#include "text/hex.h"
#include "text/json_grammar.h"
#include "files/library.h"
#include "rows/reader.h"

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
    char text[MOST_SUBJECT_BYTES + CERTIFICATE_TEXT_BYTES], *out = text;
    bool json = reader->format == FORMAT_JSONL;
    out += sprintf(out, json ? "\"number\":%llu" : "%llu,", (unsigned long long)batch->number);
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
    struct span span;
    if (batch_take(batch, (size_t)(out - text), &span))
        return;
    memcpy(batch->bytes + span.offset, text, span.length);
    batch->keep[(size_t)(row - batch->rows) * KEEP_MAX] = (struct piece){span.offset, span.length, PIECE_MADE, 0, 0};
    row->keep_count = 1;
}

/* What the issuer signs with. */
static enum scheme scheme_of_issuer(const struct key_file *issuer) {
    if (issuer->curve == GECC_CURVE25519)
        return issuer->scheme;
    return issuer->curve == GECC_SM2 ? SCHEME_SM2 : SCHEME_ECDSA;
}

static const char *other_scheme(enum scheme scheme) {
    return scheme == SCHEME_ED25519 ? "signed with Ed25519, and the issuer's key is for another scheme"
           : scheme == SCHEME_SM2   ? "signed with SM2, and the issuer's key is for another scheme"
                                    : "signed with ECDSA, and the issuer's key is for another scheme";
}

/* Put the cells of a certificate in the batch, and the row in its group; NULL, or why the row is refused. */
static const char *take_cells(const struct reader *reader, struct batch *batch, struct row *row,
                              const struct certificate *certificate) {
    const struct key_file *issuer = &reader->options->public_key;
    struct group group = {.curve = issuer->curve, .form = COLUMN_BIT(PUB) | COLUMN_BIT(MSG) | COLUMN_BIT(SIG)};
    size_t i = (size_t)(row - batch->rows);
    const enum scheme scheme = certificate_scheme(certificate, &group.hash);
    if (scheme == SCHEME_OF_CURVE)
        return "signed with another algorithm than ECDSA with SHA-2, SM2 with SM3 and Ed25519";
    if (scheme != scheme_of_issuer(issuer))
        return other_scheme(scheme);
    group.der = scheme != SCHEME_ED25519;
    const struct certificate_part *parts[] = {&certificate->tbs, &certificate->signature};
    const enum column columns[] = {COLUMN_MSG, COLUMN_SIG};
    for (size_t c = 0; c < 2; c++)
        batch->cells[columns[c]][i] =
            (struct span){(uint32_t)(parts[c]->bytes - batch->bytes), (uint32_t)parts[c]->size};
    const char *reason = batch_take(batch, issuer->count / 2, &batch->cells[COLUMN_PUB][i]);
    if (reason)
        return reason;
    memcpy(batch->bytes + batch->cells[COLUMN_PUB][i].offset, reader->key, issuer->count / 2);
    row_join(batch, row, &group);
    return NULL;
}

/* A row of bytes that lie in the batch. */
static void take_der(const struct reader *reader, struct batch *batch, struct row *row, struct span der) {
    struct certificate certificate;
    const char *reason = certificate_read(&certificate, batch->bytes + der.offset, der.length);
    keep(reader, batch, row, reason ? NULL : &certificate);
    if (reason)
        row_break(row, COLUMN_COUNT, reason);
    else if ((reason = take_cells(reader, batch, row, &certificate)) != NULL)
        row_refuse(row, COLUMN_COUNT, reason);
}

static void take_broken(const struct reader *reader, struct batch *batch, struct row *row, const char *reason) {
    keep(reader, batch, row, NULL);
    row_break(row, COLUMN_COUNT, reason);
}

static struct row *add_row(struct batch *batch) {
    batch->number++;
    return batch_add(batch, batch->line);
}

/* The bytes of base64 in lines. NULL, or why there are none. */
static const char *decode_lines(struct batch *batch, struct span *out, const char *text, size_t size) {
    char *digits = (char *)batch->bytes + batch->bytes_used;
    size_t length = 0, count = 0;
    if (size > batch_room(batch))
        return batch_is_full;
    for (size_t i = 0; i < size; i++)
        if (text[i] != '\n' && text[i] != '\r' && text[i] != ' ' && text[i] != '\t')
            digits[length++] = text[i];
    bool good =
        base64_decode((uint8_t *)digits, &count, digits, length, false); /* in place: it writes behind what it reads */
    const char *reason = batch_take(batch, count, out);
    return reason || (good && count) ? reason : "a certificate that is not base64";
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

static size_t count_lines(const char *text, size_t size) {
    size_t lines = 0;
    for (const char *end = text + size; (text = memchr(text, '\n', (size_t)(end - text))) != NULL; text++)
        lines++;
    return lines;
}

/* A certificate in PEM, from text[start] to before text[end]. */
struct block {
    size_t start, body, body_end, end;
    bool ended; /* by a line that says so */
};

/* The first line that begins a certificate; false: none does that is known to be whole. */
static bool find_begin(const char *text, size_t size, bool last, struct block *block) {
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(text + at, '\n', size - at);
        size_t length = newline ? (size_t)(newline - text) - at : size - at;
        if (!newline && !last)
            return false;
        block->start = at;
        block->body = at + length;
        if (begins_certificate(text + at, length))
            return true;
        at += length + 1;
    }
    return false;
}

/* The first certificate of a text. It goes up to the five dashes that end it, as another may follow on the same line where
 * files were put together, or up to a line that begins something else. false: there is none that is whole. */
static bool find_block(const char *text, size_t size, bool last, struct block *block) {
    if (!find_begin(text, size, last, block))
        return false;
    const char *body = text + block->body, *limit = text + size;
    const char *next = memmem(body, (size_t)(limit - body), begin_mark, sizeof begin_mark - 1);
    if (next)
        limit = next + 1;
    const char *end = memmem(body, (size_t)(limit - body), end_mark, sizeof end_mark - 1);
    const char *label = end ? end + sizeof end_mark - 1 : limit;
    const char *dashes = memmem(label, (size_t)(limit - label), "-----", 5);
    block->ended = dashes != NULL;
    block->body_end = (size_t)((end ? end : limit) - text);
    block->end = (size_t)((dashes ? dashes + 5 : limit) - text);
    return dashes || next || last;
}

static void add_record(struct split *split, const char *text, size_t size, size_t records) {
    split->lines += count_lines(text + split->bytes, size);
    split->bytes += size;
    split->records += records;
}

/* A certificate takes the text before it along. What follows the last one goes alone, as does an input that has none, which
 * is a row that says so. */
static void cut_pem(const struct reader *reader, const char *text, size_t size, bool last, struct split *split) {
    struct block block;
    while (split->records < split->most && split->bytes < size) {
        if (find_block(text + split->bytes, size - split->bytes, last, &block))
            add_record(split, text, block.end, 1);
        else if (last)
            add_record(split, text, size - split->bytes, reader->records + split->records == 0);
        else
            break;
    }
}

static size_t take_pem(const struct reader *reader, struct batch *batch, const char *text, size_t size) {
    struct block block;
    struct span der;
    if (!find_block(text, size, batch->text_ends, &block)) {
        if (batch->number == 0)
            take_broken(reader, batch, add_row(batch), "no certificate in PEM or DER");
        return size;
    }
    batch->line += count_lines(text, block.start);
    struct row *row = add_row(batch);
    const char *reason = "a certificate that does not end";
    if (block.ended)
        reason = decode_lines(batch, &der, text + block.body, block.body_end - block.body);
    if (reason)
        take_broken(reader, batch, row, reason);
    else
        take_der(reader, batch, row, der);
    batch->line += count_lines(text + block.start, block.end - block.start);
    return block.end;
}

/* The certificate's bytes in DER: all that is left where it is none, as nobody knows where the next begins. 0: more is
 * needed to tell. */
static size_t binary_size(const char *text, size_t size, bool last, bool *lost) {
    size_t length = certificate_size((const uint8_t *)text, size);
    if (!last && (size < CERTIFICATE_HEAD_BYTES || (length > size && length < RECORD_BYTES)))
        return 0;
    *lost = length == 0 || length > size;
    return *lost ? size : length;
}

static void cut_binary(const struct reader *reader, const char *text, size_t size, bool last, struct split *split) {
    size_t length;
    (void)reader;
    while (split->records < split->most && split->bytes < size && !split->lost &&
           (length = binary_size(text + split->bytes, size - split->bytes, last, &split->lost)) != 0) {
        split->bytes += length;
        split->records++;
        split->lines++;
    }
}

static size_t take_binary(const struct reader *reader, struct batch *batch, const char *text, size_t size) {
    bool lost;
    size_t length = binary_size(text, size, true, &lost);
    struct row *row = add_row(batch);
    batch->line++;
    if (lost) {
        bool begun = certificate_size((const uint8_t *)text, size) != 0;
        take_broken(reader, batch, row, begun ? "a certificate that does not end" : "what follows is no certificate");
        return size;
    }
    struct span der;
    const char *reason = batch_take(batch, length, &der);
    if (reason) {
        take_broken(reader, batch, row, reason);
        return length;
    }
    memcpy(batch->bytes + der.offset, text, length);
    take_der(reader, batch, row, der);
    return length;
}

static const struct dialect dialect_pem = {cut_pem, take_pem, ""}, dialect_der = {cut_binary, take_binary, ""};

/* A digit of text is followed by no such length. */
static bool is_der(const char *text, size_t size) {
    return size >= 2 && text[0] == 0x30 && (unsigned char)text[1] >= 0x80;
}

bool x509_open(struct reader *reader) {
    if (certificates_can_be_read())
        return records_open(reader, is_der(reader->carry, reader->carry_used) ? &dialect_der : &dialect_pem,
                            "number,subject,serial", 3);
    snprintf(reader->error, sizeof reader->error,
             "reading certificates needs OpenSSL's " LIBCRYPTO " (Debian: libssl3)");
    return false;
}
