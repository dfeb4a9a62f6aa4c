/* Certificates one after another, in PEM with whatever text between them, or in DER. */
#define _GNU_SOURCE /* mempcpy, stpcpy */

#include "text/base64.h"
#include "text/csv.h"
#include "keys/certificate.h"
#include "text/hex.h"
#include "text/json_grammar.h"
#include "files/library.h"
#include "rows/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SUBJECT_BYTES = 4096, LONGEST_CHARACTER = 6 /* as it is written */ };

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

/* What is kept of a certificate: its number and, where it could be read, its subject and serial number. */
static void keep(const struct reader *reader, struct batch *batch, struct row *row, const struct certificate *known) {
    char text[MOST_SUBJECT_BYTES + CERTIFICATE_TEXT_BYTES], *out = text;
    bool json = reader->format == FORMAT_JSONL;
    out += sprintf(out, json ? "\"number\":%llu" : "%llu,", (unsigned long long)batch->number);
    if (known) {
        /* No more room than a batch has for it: see bytes_needed. */
        size_t room = 2 * known->tbs.size < MOST_SUBJECT_BYTES ? 2 * known->tbs.size : MOST_SUBJECT_BYTES;
        char *subject = certificate_subject(known);
        out = stpcpy(out, json ? ",\"subject\":\"" : "\"");
        out = put_subject(out, room, subject, json);
        out = stpcpy(out, json ? "\",\"serial\":\"" : "\",");
        out += certificate_serial(out, known);
        if (json)
            *out++ = '"';
        free(subject);
    } else if (!json) {
        *out++ = ',';
    }
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
    const char *reason;
    const enum scheme scheme = certificate_scheme(certificate, &group.hash, &reason);
    if (scheme == SCHEME_OF_CURVE)
        return reason;
    if (scheme != scheme_of_issuer(issuer))
        return other_scheme(scheme);
    group.der = scheme != SCHEME_ED25519;
    const struct certificate_part *parts[] = {&certificate->tbs, &certificate->signature};
    const enum column columns[] = {COLUMN_MSG, COLUMN_SIG};
    for (size_t c = 0; c < 2; c++)
        batch->cells[columns[c]][i] =
            (struct span){(uint32_t)(parts[c]->bytes - batch->bytes), (uint32_t)parts[c]->size};
    reason = batch_take(batch, issuer->count / 2, &batch->cells[COLUMN_PUB][i]);
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

static size_t count_lines(const char *text, size_t size) {
    size_t lines = 0;
    for (const char *end = text + size; (text = memchr(text, '\n', (size_t)(end - text))) != NULL; text++)
        lines++;
    return lines;
}

/* A line of PEM that begins or ends something, wherever it stands: files that are put together may have several on a
 * line. */
struct marker {
    size_t start, end; /* with its dashes, at most five on either side */
    size_t label, label_end;
    bool begins;
    bool right; /* it has five on both */
};

enum { DASHES = 5, MOST_LABEL_BYTES = 64 };

static size_t count_dashes(const char *text, size_t size) {
    size_t count = 0;
    while (count < size && text[count] == '-')
        count++;
    return count;
}

/* The marker whose dashes are at text[at], `dashes` of them. SCAN_BROKEN: there is none; SCAN_MORE: more text is needed
 * to tell. */
static enum scan read_marker(const char *text, size_t size, bool last, size_t at, size_t dashes,
                             struct marker *marker) {
    static const char begin[] = "BEGIN ", end[] = "END ";
    size_t word = at + dashes;
    if (size - word < sizeof begin - 1 && !last)
        return SCAN_MORE;
    marker->begins = starts_with(text + word, size - word, begin);
    if (!marker->begins && !starts_with(text + word, size - word, end))
        return SCAN_BROKEN;
    marker->start = word - (dashes < DASHES ? dashes : DASHES);
    marker->label = marker->label_end = word + (marker->begins ? sizeof begin : sizeof end) - 1;
    while (marker->label_end < size && marker->label_end - marker->label < MOST_LABEL_BYTES &&
           !strchr("-\r\n", text[marker->label_end]))
        marker->label_end++;
    size_t left = size - marker->label_end,
           closing = count_dashes(text + marker->label_end, left < DASHES ? left : DASHES);
    if (closing == left && closing < DASHES && !last)
        return SCAN_MORE;
    marker->end = marker->label_end + closing;
    marker->right = dashes >= DASHES && closing == DASHES;
    return dashes >= DASHES || closing ? SCAN_RECORD : SCAN_BROKEN;
}

/* The first marker of text[from .. size). */
static enum scan find_marker(const char *text, size_t size, bool last, size_t from, struct marker *marker) {
    const char *dash;
    while ((dash = memchr(text + from, '-', size - from)) != NULL) {
        size_t at = (size_t)(dash - text), dashes = count_dashes(dash, size - at);
        enum scan scan = read_marker(text, size, last, at, dashes, marker);
        if (scan != SCAN_BROKEN)
            return scan;
        from = at + dashes;
    }
    return last ? SCAN_BROKEN : SCAN_MORE;
}

enum label { LABEL_CERTIFICATE, LABEL_TRUSTED, LABEL_PASSED, LABEL_OTHER };

/* The labels of RFC 7468, an older one, and OpenSSL's own; keys and parameters stand beside certificates, and are
 * none. */
static enum label label_of(const char *text, const struct marker *marker) {
    static const struct {
        const char *text;
        enum label label;
        bool ending;
    } labels[] = {{"CERTIFICATE", LABEL_CERTIFICATE, false},
                  {"X509 CERTIFICATE", LABEL_CERTIFICATE, false},
                  {"TRUSTED CERTIFICATE", LABEL_TRUSTED, false},
                  {"KEY", LABEL_PASSED, true},
                  {"PARAMETERS", LABEL_PASSED, true}};
    size_t length = marker->label_end - marker->label;
    for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
        size_t least = strlen(labels[i].text);
        bool fits = labels[i].ending ? length >= least : length == least;
        if (fits && memcmp(text + marker->label_end - least, labels[i].text, least) == 0)
            return labels[i].label;
    }
    return LABEL_OTHER;
}

/* Something in PEM, from text[start] to before text[end]. */
struct block {
    size_t start, body, body_end, end;
    bool trusted;
    const char *refusal; /* why it is no certificate; NULL: it may be one */
};

/* The first thing in a text that is to be a row. It goes up to the dashes that end it, or to what begins something
 * else. false: there is none that is whole. */
static bool find_block(const char *text, size_t size, bool last, struct block *block) {
    struct marker begin, end;
    size_t from = 0;
    do {
        if (find_marker(text, size, last, from, &begin) != SCAN_RECORD)
            return false;
        from = begin.end;
    } while (!begin.begins || label_of(text, &begin) == LABEL_PASSED);
    enum scan scan = find_marker(text, size, last, begin.end, &end);
    if (scan == SCAN_MORE)
        return false;
    bool ended = scan == SCAN_RECORD && !end.begins;
    size_t length = begin.label_end - begin.label;
    bool alike = ended && end.label_end - end.label == length && !memcmp(text + begin.label, text + end.label, length);
    enum label label = label_of(text, &begin);
    block->start = begin.start;
    block->body = begin.end;
    block->body_end = scan == SCAN_RECORD ? end.start : size;
    block->end = ended ? end.end : block->body_end;
    block->trusted = label == LABEL_TRUSTED;
    block->refusal = !begin.right           ? "a certificate begins with five dashes, BEGIN CERTIFICATE and five dashes"
                     : label == LABEL_OTHER ? "PEM of something else than a certificate"
                     : !ended || !end.right ? "a certificate that does not end"
                     : !alike               ? "a certificate that ends with another label than it begins with"
                                            : NULL;
    return true;
}

static void add_record(struct split *split, const char *text, size_t size, size_t records) {
    split->lines += count_lines(text + split->bytes, size);
    split->bytes += size;
    split->records += records;
}

static bool is_blank(const char *text, size_t size) { return skip_blank(text, size) == size; }

/* A certificate takes the text before it along. What follows the last one goes alone, as does an input that has none,
 * which is a row that says so, unless it is empty. */
static void cut_pem(const struct reader *reader, const char *text, size_t size, bool last, struct split *split) {
    struct block block;
    while (split->records < split->most && split->bytes < size) {
        if (find_block(text + split->bytes, size - split->bytes, last, &block))
            add_record(split, text, block.end, 1);
        else if (last)
            add_record(split, text, size - split->bytes,
                       reader->records + split->records == 0 && !is_blank(text + split->bytes, size - split->bytes));
        else
            break;
    }
}

/* OpenSSL's TRUSTED CERTIFICATE is a certificate with a SEQUENCE behind it that says for what it is trusted. */
static void drop_trust(const struct batch *batch, struct span *der) {
    const uint8_t *bytes = batch->bytes + der->offset;
    size_t size = certificate_size(bytes, der->length);
    if (size && size < der->length && certificate_size(bytes + size, der->length - size) == der->length - size)
        der->length = (uint32_t)size;
}

static size_t take_pem(const struct reader *reader, struct batch *batch, const char *text, size_t size) {
    struct block block;
    struct span der;
    if (!find_block(text, size, batch->text_ends, &block)) {
        if (batch->number == 0 && !is_blank(text, size))
            take_broken(reader, batch, add_row(batch), "no certificate in PEM or DER");
        return size;
    }
    batch->line += count_lines(text, block.start);
    struct row *row = add_row(batch);
    const char *reason = block.refusal;
    if (!reason)
        reason = decode_lines(batch, &der, text + block.body, block.body_end - block.body);
    if (reason) {
        take_broken(reader, batch, row, reason);
    } else {
        if (block.trusted)
            drop_trust(batch, &der);
        take_der(reader, batch, row, der);
    }
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

static const struct dialect dialect_pem = {cut_pem, take_pem, NULL, ""},
                            dialect_der = {cut_binary, take_binary, NULL, ""};

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
