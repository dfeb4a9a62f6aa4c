#define _GNU_SOURCE /* fmemopen, strncasecmp */

#include "rows/missing_columns.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_SHOWN = 8 /* names */ };

/* What people call them. */
static const struct {
    enum column column;
    const char *name;
} synonyms[] = {{COLUMN_DIGEST, "hash"},
                {COLUMN_DIGEST, "message_hash"},
                {COLUMN_DIGEST, "msg_hash"},
                {COLUMN_DIGEST, "sha256"},
                {COLUMN_SIG, "signature"},
                {COLUMN_MSG, "message"},
                {COLUMN_MSG, "data"},
                {COLUMN_PUB, "public_key"},
                {COLUMN_PUB, "publickey"},
                {COLUMN_PUB, "pubkey"},
                {COLUMN_PUB, "key"},
                {COLUMN_PRIV, "private_key"},
                {COLUMN_PRIV, "privatekey"},
                {COLUMN_PRIV, "secret"},
                {COLUMN_PRIV, "key"},
                {COLUMN_RECID, "recovery_id"},
                {COLUMN_RECID, "v"},
                {COLUMN_SCALAR, "k"},
                {COLUMN_PEER, "peer_public_key"},
                {COLUMN_MODULUS, "m"},
                {COLUMN_MODULUS, "n"}};

static void say_found(FILE *message, const struct reader *reader, const char *text, const struct csv_field *fields) {
    for (size_t f = 0; f < reader->field_count && f < MOST_SHOWN; f++)
        fprintf(message, "%s`%.*s`", f ? ", " : "", (int)(fields[f].end - fields[f].start), text + fields[f].start);
    if (reader->field_count > MOST_SHOWN)
        fprintf(message, " and %zu more", reader->field_count - MOST_SHOWN);
}

static void say_form(FILE *message, const struct reader *reader, uint32_t form) {
    const char *separator = "";
    for (unsigned c = 0; c < COLUMN_COUNT; c++) {
        if (!(form & 1u << c))
            continue;
        fprintf(message, "%s`%s`", separator, c == COLUMN_GROUP ? reader->options->group_by : column_names[c]);
        separator = ", ";
    }
}

/* A column that is missing and is there under another name. */
static bool may_mean(const struct reader *reader, const char *name, size_t length, enum column column) {
    if (column_named(name, length) == column) /* It was not meant: column_gives_way. */
        return false;
    for (size_t s = 0; s < sizeof synonyms / sizeof *synonyms; s++)
        if (synonyms[s].column == column && strlen(synonyms[s].name) == length &&
            strncasecmp(synonyms[s].name, name, length) == 0)
            return mapping_has(reader->mapping, column);
    return false;
}

static void say_suggestion(FILE *message, const struct reader *reader, const char *text,
                           const struct csv_field *fields) {
    uint32_t there = 0;
    const char *before = "; say --map ";
    for (size_t f = 0; f < reader->field_count; f++)
        there |= reader->field_columns[f] < COLUMN_COUNT ? 1u << reader->field_columns[f] : 0;
    for (size_t f = 0; f < reader->field_count; f++) {
        const char *name = text + fields[f].start;
        size_t length = fields[f].end - fields[f].start;
        for (unsigned c = 0; c < COLUMN_COUNT; c++) {
            if ((there & 1u << c) || !may_mean(reader, name, length, (enum column)c))
                continue;
            fprintf(message, "%s%s=%.*s", before, column_names[c], (int)length, name);
            before = ",";
            there |= 1u << c;
            break;
        }
    }
}

/* Tables of one column whose name has in it what other programs put between fields. */
static void say_separator(FILE *message, const struct reader *reader, const char *text,
                          const struct csv_field *fields) {
    static const struct {
        char separator;
        const char *name, *argument;
    } separators[] = {{';', "`;`", "';'"}, {'\t', "tabs", "'\\t'"}, {'|', "`|`", "'|'"}};
    for (size_t s = 0; reader->field_count == 1 && s < sizeof separators / sizeof *separators; s++)
        if (memchr(text + fields->start, separators[s].separator, fields->end - fields->start))
            fprintf(message, "; %s are no commas, which are between fields: tr %s , < FILE | gecc ...",
                    separators[s].name, separators[s].argument);
}

void missing_columns_say(char *out, size_t size, const struct reader *reader, const char *text,
                         const struct csv_field *fields) {
    const struct mapping *mapping = reader->mapping;
    FILE *message = fmemopen(out, size, "w");
    if (!message) {
        snprintf(out, size, "columns are missing");
        return;
    }
    fprintf(message, "%.80s: columns are missing: there are ", reader->name);
    say_found(message, reader, text, fields);
    fprintf(message, "; wanted are ");
    const char *separator = "";
    for (size_t f = 0; f < MAX_FORMS && mapping->forms[f]; f++) {
        if (mapping->accepts && !mapping->accepts(reader->options, mapping->forms[f]))
            continue;
        fprintf(message, "%s", separator);
        say_form(message, reader, mapping->forms[f]);
        separator = "; or ";
    }
    say_suggestion(message, reader, text, fields);
    say_separator(message, reader, text, fields);
    fclose(message);
    out[size - 1] = 0;
}
