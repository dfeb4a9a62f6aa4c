/* Certificates one after another, in PEM with whatever text between them, or in DER; or in a column `certificate`. */
#include "text/base64.h"
#include "text/csv.h"
#include "keys/certificate.h"
#include "text/hex.h"
#include "text/json_grammar.h"
#include "files/library.h"
#include "rows/issuers.h"
#include "rows/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool starts_with(const char *text, size_t size, const char *start) {
    return size >= strlen(start) && memcmp(text, start, strlen(start)) == 0;
}

/* Keep what could be read of a certificate: its subject and serial number. Returns whether the subject is a name. */
static bool keep_names(struct batch *batch, struct row *row, const struct certificate *certificate) {
    char text[SERIAL_CHARACTERS];
    char *const subject = certificate_name(certificate->subject);
    certificate_keep_name(batch, row, CERTIFICATE_SUBJECT, subject, certificate->tbs.size);
    free(subject);
    document_keep(batch, row, CERTIFICATE_SERIAL, text, certificate_serial(text, certificate));
    return subject != NULL;
}

/* Put the cells of a certificate in the batch, and the row in its group, or refuse it in the name of a column. */
static void take_cells(struct batch *batch, struct row *row, const struct certificate *certificate,
                       enum column column) {
    const struct key_file *issuer = &batch->options->public_key;
    if (batch->options->authorities) {
        const struct authority *chosen = issuer_choose(batch, row, certificate, column);
        if (!chosen)
            return;
        issuer = &chosen->key;
    }
    struct group group = {.curve = issuer->curve, .form = COLUMN_BIT(PUB) | COLUMN_BIT(MSG) | COLUMN_BIT(SIG)};
    size_t i = (size_t)(row - batch->rows);
    const char *reason;
    const enum scheme scheme = signed_scheme(certificate, issuer, &group.hash, &reason);
    if (scheme == SCHEME_OF_CURVE) {
        row_refuse(row, column, reason);
        return;
    }
    group.der = scheme != SCHEME_ED25519;
    const struct certificate_part *parts[] = {&certificate->tbs, &certificate->signature};
    const enum column columns[] = {COLUMN_MSG, COLUMN_SIG};
    for (size_t c = 0; c < 2; c++)
        batch->cells[columns[c]][i] =
            (struct span){(uint32_t)(parts[c]->bytes - batch->bytes), (uint32_t)parts[c]->size};
    reason = document_key(batch, COLUMN_PUB, i, issuer);
    if (reason)
        row_refuse(row, column, reason);
    else
        row_join(batch, row, &group);
}

/* Put the row of bytes that lie in the batch in its group, or refuse it in the name of a column. NULL, or why they are
 * no certificate. */
static const char *take_der(struct batch *batch, struct row *row, struct span der, enum column column) {
    struct certificate certificate;
    const char *reason = certificate_read(&certificate, batch->bytes + der.offset, der.length);
    if (reason)
        return reason;
    if (batch->gathered) {
        reason = authorities_gather(batch->gathered, batch->bytes + der.offset, der.length);
        if (reason)
            snprintf(batch->fault, sizeof batch->fault, "%s", reason);
        return NULL;
    }
    const bool has_name = keep_names(batch, row, &certificate);
    take_cells(batch, row, &certificate, column);
    if (!has_name && batch->options->authorities)
        row_refuse(row, column, "a subject that is no name");
    if (row->refusal.text && batch->options->authorities)
        issuer_forget(batch, row);
    return NULL;
}

/* The row of the next of certificates that stand one after another, with its number. */
static struct row *add_row(const struct reader *reader, struct batch *batch) {
    char text[32];
    struct span span;
    struct row *row = batch_add(batch, batch->line);
    int size =
        sprintf(text, reader->output == FORMAT_JSONL ? "\"number\":%llu" : "%llu", (unsigned long long)++batch->number);
    if (!batch_take(batch, (size_t)size, &span)) {
        memcpy(batch->bytes + span.offset, text, span.length);
        *row_pieces(batch, row) = (struct piece){span.offset, span.length, PIECE_MADE, 0, 0};
        row->keep_count = 1;
    }
    return row;
}

/* No reason: it is a certificate. */
static void settle(const struct reader *reader, struct row *row, const char *reason) {
    if (!reason)
        return;
    row->padding = (uint32_t)reader->made_fields;
    row_break(row, COLUMN_COUNT, reason);
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

static const char *take_block(struct batch *batch, struct row *row, const char *text, const struct block *block,
                              enum column column) {
    struct span der;
    const char *reason = block->refusal;
    if (!reason)
        reason = decode_lines(batch, &der, text + block->body, block->body_end - block->body);
    if (reason)
        return reason;
    if (block->trusted)
        drop_trust(batch, &der);
    return take_der(batch, row, der, column);
}

static size_t take_pem(const struct reader *reader, struct batch *batch, const char *text, size_t size) {
    struct block block;
    if (!find_block(text, size, batch->text_ends, &block)) {
        if (batch->number == 0 && !is_blank(text, size))
            settle(reader, add_row(reader, batch), "no certificate in PEM or DER");
        return size;
    }
    batch->line += count_lines(text, block.start);
    struct row *row = add_row(reader, batch);
    settle(reader, row, take_block(batch, row, text, &block, COLUMN_COUNT));
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
    struct row *row = add_row(reader, batch);
    batch->line++;
    if (lost) {
        bool begun = certificate_size((const uint8_t *)text, size) != 0;
        settle(reader, row, begun ? "a certificate that does not end" : "what follows is no certificate");
        return size;
    }
    struct span der;
    const char *reason = batch_take(batch, length, &der);
    if (!reason) {
        memcpy(batch->bytes + der.offset, text, length);
        reason = take_der(batch, row, der, COLUMN_COUNT);
    }
    settle(reader, row, reason);
    return length;
}

/* A cell is one certificate. */
static const char *open_cell(struct batch *batch, struct row *row, const struct cell *cell) {
    const char *text = cell->text, *const first = text + skip_blank(text, cell->length);
    size_t size = cell->length;
    struct block block, next;
    struct span der;
    if (find_block(text, size, true, &block)) {
        if (find_block(text + block.end, size - block.end, true, &next))
            return "more than one certificate";
        return take_block(batch, row, text, &block, COLUMN_CERTIFICATE);
    }
    /* The first digit of DER is 3 in hexadecimal, M in base64. */
    if (first < text + size && *first == 'M') {
        const char *reason = decode_lines(batch, &der, text, size);
        return reason ? reason : take_der(batch, row, der, COLUMN_CERTIFICATE);
    }
    hex_skip_prefix(&text, &size);
    const char *reason = batch_take(batch, size / 2, &der);
    if (reason)
        return reason;
    if (size % 2 || !hex_decode(batch->bytes + der.offset, text, size))
        return "neither PEM nor DER in hexadecimal or base64";
    return take_der(batch, row, der, COLUMN_CERTIFICATE);
}

void certificate_open(struct batch *batch, struct row *row, const struct cell *cells) {
    const struct cell *cell = &cells[COLUMN_CERTIFICATE];
    const char *reason = open_cell(batch, row, cell);
    if (reason)
        row_refuse(row, COLUMN_CERTIFICATE, reason);
}

static const struct dialect dialect_pem = {cut_pem, take_pem, NULL, ""},
                            dialect_der = {cut_binary, take_binary, NULL, ""};

/* A digit of text is followed by no such length. */
bool is_der(const char *text, size_t size) { return size >= 2 && text[0] == 0x30 && (unsigned char)text[1] >= 0x80; }

bool x509_can_be_read(struct reader *reader) {
    if (certificates_can_be_read())
        return true;
    snprintf(reader->error, sizeof reader->error,
             "reading certificates needs OpenSSL's " LIBCRYPTO " (Debian: libssl3)");
    return false;
}

bool x509_open(struct reader *reader) {
    return x509_can_be_read(reader) &&
           records_open(reader, is_der(reader->carry, reader->carry_used) ? &dialect_der : &dialect_pem, "number");
}
