/* What `gecc senders` reads: lines of hexadecimal digits, CSV with a column `raw`, JSON-RPC's objects, blocks of RLP. */
#define _DEFAULT_SOURCE /* getline */

#include "text/csv.h"
#include "ethereum/senders.h"

#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

enum { PILE_BYTES = 64 << 20, MAX_FIELDS = 256 };

static bool fail(struct source *source, const char *text) {
    snprintf(source->error, sizeof source->error, "%.80s: %.70s", source->name, text);
    return false;
}

/* Whether all that was there to read could be read. */
static bool read_well(struct source *source) {
    return !ferror(source->file) || fail(source, source->input_file.failure);
}

static bool is_blank(int c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

/* The first byte, or that behind a byte-order mark of UTF-8. */
static int after_mark(FILE *file) {
    static const unsigned char mark[3] = {0xef, 0xbb, 0xbf};
    size_t count = 0;
    int c = getc(file);
    while (count < sizeof mark && c == mark[count]) {
        count++;
        c = getc(file);
    }
    if (count == 0 || count == sizeof mark)
        return c;
    ungetc(c, file);
    while (--count)
        ungetc(mark[count], file);
    return mark[0];
}

bool source_open(struct source *source, const char *path, bool allow_empty) {
    bool standard = path == NULL || strcmp(path, "-") == 0;
    *source = (struct source){.name = standard ? "standard input" : path, .column = -1};
    source->file = input_file_open(&source->input_file, path);
    if (source->file == NULL)
        return fail(source, source->input_file.failure);
    int first = after_mark(source->file);
    while (is_blank(first)) {
        source->line += first == '\n';
        first = getc(source->file);
    }
    if (first == EOF && !ferror(source->file) && !allow_empty)
        return fail(source, EMPTY_INPUT);
    source->input = first == '{' || first == '[' ? INPUT_JSON : first >= 0xc0 ? INPUT_BLOCKS : INPUT_HEX;
    ungetc(first, source->file);
    return read_well(source);
}

void source_close(struct source *source) {
    if (source->file != NULL)
        fclose(source->file);
    json_decref(source->values);
    free(source->text);
}

static bool is_full(const struct pile *pile) { return pile->count >= pile->room || pile->raw.used >= PILE_BYTES; }

/* Is it a list whose first item is one too? A transaction begins with a number. */
static bool is_block(const uint8_t *data, size_t width) {
    if (width == 0 || data[0] < 0xc0)
        return false;
    size_t head = data[0] <= 0xf7 ? 1 : 2u + data[0] - 0xf8u;
    return head < width && data[head] >= 0xc0;
}

/* The bytes from `start` on are a transaction, or a block. What begins like a block and is none reads as a transaction that is
 * none, at the byte where it goes wrong. */
static bool add_bytes(struct source *source, struct pile *pile, size_t start, uint64_t line) {
    const struct complaint none = {NULL, NULL};
    size_t width = pile->raw.used - start, count = 0;
    const uint8_t *data = pile->raw.data + start;
    if (pile->raw.failed)
        return fail(source, "not enough memory");
    if (!is_block(data, width) || gecc_ethereum_block_transactions(NULL, NULL, 0, &count, data, width) != GECC_OK)
        return pile_add(pile, start, line, none) || fail(source, "not enough memory");
    uint64_t *offsets = malloc((count + 1) * sizeof *offsets);
    uint32_t *widths = malloc((count + 1) * sizeof *widths);
    bool added =
        offsets && widths && gecc_ethereum_block_transactions(offsets, widths, count, &count, data, width) == GECC_OK;
    for (size_t i = 0; added && i < count; i++) {
        added = pile_add(pile, start, line, none);
        if (added) {
            pile->offsets[pile->count - 1] = start + offsets[i];
            pile->widths[pile->count - 1] = widths[i];
        }
    }
    free(offsets);
    free(widths);
    return added || fail(source, "not enough memory");
}

static bool add_hex(struct source *source, struct pile *pile, const char *text, size_t length, uint64_t line) {
    size_t start = pile->raw.used;
    if (bytes_put_hex(&pile->raw, text, length))
        return add_bytes(source, pile, start, line);
    pile->raw.used = start;
    return pile_add(pile, start, line, (struct complaint){"not hexadecimal digits, two a byte", NULL}) ||
           fail(source, "not enough memory");
}

/* The next line, without its end; NULL: there is none. */
static const char *next_line(struct source *source, size_t *length) {
    ssize_t count = getline(&source->text, &source->text_room, source->file);
    if (count < 0)
        return NULL;
    source->line++;
    while (count > 0 && is_blank(source->text[count - 1]))
        count--;
    size_t skipped = 0;
    while (skipped < (size_t)count && is_blank(source->text[skipped]))
        skipped++;
    *length = (size_t)count - skipped;
    return source->text + skipped;
}

/* Which field of the header is `raw`; -1: it is a transaction, -2: none is. */
static int find_column(const char *text, size_t length) {
    struct csv_field fields[MAX_FIELDS];
    struct csv_record record;
    if (length > 1 && text[0] == '0' && (text[1] | 32) == 'x')
        return -1;
    if (strspn(text, "0123456789abcdefABCDEF") >= length)
        return -1;
    if (csv_scan(text, length, true, fields, MAX_FIELDS, &record) != SCAN_RECORD)
        return -2;
    for (size_t i = 0; i < record.fields && i < MAX_FIELDS; i++)
        if (fields[i].end - fields[i].start == 3 && memcmp(text + fields[i].start, "raw", 3) == 0)
            return (int)i;
    return -2;
}

static bool add_field(struct source *source, struct pile *pile, const char *text, size_t length) {
    struct csv_field fields[MAX_FIELDS];
    struct csv_record record;
    bool found = csv_scan(text, length, true, fields, MAX_FIELDS, &record) == SCAN_RECORD &&
                 record.fields > (size_t)source->column;
    if (!found)
        return pile_add(pile, pile->raw.used, source->line, (struct complaint){"there is no field `raw`", NULL}) ||
               fail(source, "not enough memory");
    const struct csv_field *field = &fields[source->column];
    return add_hex(source, pile, text + field->start, field->end - field->start, source->line);
}

static bool fill_hex(struct source *source, struct pile *pile) {
    const char *text;
    size_t length;
    while (!is_full(pile) && (text = next_line(source, &length)) != NULL) {
        if (length == 0)
            continue;
        if (!source->begun) {
            source->begun = true;
            source->column = find_column(text, length);
            if (source->column == -2)
                return fail(source, "neither a transaction nor a header with a column `raw`");
            if (source->column >= 0)
                continue;
        }
        if (source->column >= 0 ? !add_field(source, pile, text, length)
                                : !add_hex(source, pile, text, length, source->line))
            return false;
    }
    return true;
}

/* Blocks one after the other, each a list that says how long it is. */
static bool fill_blocks(struct source *source, struct pile *pile) {
    uint8_t head[9];
    while (!is_full(pile)) {
        size_t start = pile->raw.used, more, width = 0;
        int first = getc(source->file);
        if (first == EOF)
            break;
        head[0] = (uint8_t)first;
        if (first < 0xc0)
            return fail(source, "what follows is no list of RLP");
        more = first <= 0xf7 ? 0 : (size_t)first - 0xf7;
        if (fread(head + 1, 1, more, source->file) != more)
            return fail(source, "it ends within a block");
        width = first <= 0xf7 ? (size_t)first - 0xc0 : 0;
        for (size_t i = 1; i <= more; i++)
            width = width << 8 | head[i];
        if (width > (size_t)1 << 31)
            return fail(source, "a block of more than 2 GiB");
        bytes_put(&pile->raw, head, 1 + more);
        for (size_t done = 0, now; done < width; done += now) {
            uint8_t part[4096];
            now = width - done < sizeof part ? width - done : sizeof part;
            if (fread(part, 1, now, source->file) != now)
                return fail(source, "it ends within a block");
            bytes_put(&pile->raw, part, now);
        }
        source->line++;
        if (!add_bytes(source, pile, start, source->line))
            return false;
    }
    return true;
}

/* An object: a transaction, {"raw": "0x.."}. */
static bool add_object(struct source *source, struct pile *pile, const json_t *object) {
    const json_t *raw = json_object_get(object, "raw");
    struct complaint complaint = {NULL, NULL};
    size_t start = pile->raw.used;
    if (json_is_string(object))
        raw = object;
    if (json_is_string(raw))
        return add_hex(source, pile, json_string_value(raw), json_string_length(raw), source->line);
    if (json_is_object(object))
        complaint.text = ethereum_json_encode(&pile->raw, object, &complaint.member);
    else
        complaint.text = "neither an object nor a string";
    if (pile->raw.failed)
        return fail(source, "not enough memory");
    return pile_add(pile, start, source->line, complaint) || fail(source, "not enough memory");
}

/* A transaction; or many: an array, a block, an answer that has one of these. */
static bool take_value(struct source *source, struct pile *pile, json_t *value) {
    const json_t *inner;
    while (json_is_object(value)) {
        if ((inner = json_object_get(value, "result")) == NULL &&
            ((inner = json_object_get(value, "transactions")) == NULL || !json_is_array(inner)))
            break;
        json_t *kept = json_incref((json_t *)inner);
        json_decref(value);
        value = kept;
    }
    if (!json_is_array(value)) {
        bool added = add_object(source, pile, value);
        json_decref(value);
        return added;
    }
    source->values = value;
    source->next = 0;
    return true;
}

/* Those of an array that are still to come. Blocks within arrays are taken apart. */
static bool add_values(struct source *source, struct pile *pile) {
    while (source->values && !is_full(pile)) {
        if (source->next == json_array_size(source->values)) {
            json_decref(source->values);
            source->values = NULL;
            break;
        }
        json_t *item = json_array_get(source->values, source->next++), *within;
        within = json_object_get(item, "transactions");
        if (json_is_array(within)) {
            json_t *rest = json_array();
            bool copied = rest && json_array_extend(rest, within) == 0;
            for (; copied && source->next < json_array_size(source->values); source->next++)
                copied = json_array_append(rest, json_array_get(source->values, source->next)) == 0;
            json_decref(source->values);
            source->values = rest;
            source->next = 0;
            if (!copied)
                return fail(source, "not enough memory");
        } else if (!add_object(source, pile, item)) {
            return false;
        }
    }
    return true;
}

/* All that is left of the input, after the line that the text has. */
static bool read_whole(struct source *source, size_t used) {
    struct bytes all = {0};
    uint8_t part[1 << 14];
    size_t count;
    bytes_put(&all, source->text, used);
    while ((count = fread(part, 1, sizeof part, source->file)) != 0)
        bytes_put(&all, part, count);
    free(source->text);
    source->text = (char *)all.data;
    source->text_used = all.used;
    source->text_at = 0;
    source->whole = true;
    return !all.failed || fail(source, "not enough memory");
}

/* A value of the text; NULL: there is none left, or source->error. */
static json_t *next_of_whole(struct source *source) {
    json_error_t error;
    while (source->text_at < source->text_used && is_blank(source->text[source->text_at]))
        source->text_at++;
    if (source->text_at == source->text_used)
        return NULL;
    json_t *value =
        json_loadb(source->text + source->text_at, source->text_used - source->text_at, JSON_DISABLE_EOF_CHECK, &error);
    if (value == NULL)
        snprintf(source->error, sizeof source->error, "%.60s: byte %zu: %.60s", source->name,
                 source->text_at + (size_t)error.position, error.text);
    else
        source->text_at += (size_t)error.position;
    return value;
}

/* A value of the next line. One that is none is a row of its own, but for the first: then the text is taken as a whole. */
static json_t *next_of_lines(struct source *source, struct pile *pile) {
    size_t length;
    const char *text;
    while ((text = next_line(source, &length)) != NULL) {
        if (length == 0)
            continue;
        json_t *value = json_loadb(text, length, 0, NULL);
        bool first = !source->begun;
        source->begun = true;
        if (value)
            return value;
        if (first)
            return read_whole(source, (size_t)(text - source->text) + length) ? next_of_whole(source) : NULL;
        if (!pile_add(pile, pile->raw.used, source->line, (struct complaint){"not a JSON object", NULL})) {
            fail(source, "not enough memory");
            return NULL;
        }
        if (is_full(pile))
            return NULL;
    }
    return NULL;
}

static bool fill_json(struct source *source, struct pile *pile) {
    while (!is_full(pile)) {
        if (source->values) {
            if (!add_values(source, pile))
                return false;
            continue;
        }
        json_t *value = source->whole ? next_of_whole(source) : next_of_lines(source, pile);
        if (value == NULL)
            break;
        if (!take_value(source, pile, value))
            return false;
    }
    return source->error[0] == 0;
}

static bool fill(struct source *source, struct pile *pile) {
    switch (source->input) {
    case INPUT_HEX:
        return fill_hex(source, pile);
    case INPUT_JSON:
        return fill_json(source, pile);
    case INPUT_BLOCKS:
        break;
    }
    return fill_blocks(source, pile);
}

bool source_fill(struct source *source, struct pile *pile) {
    bool filled = fill(source, pile);
    return read_well(source) && filled;
}
