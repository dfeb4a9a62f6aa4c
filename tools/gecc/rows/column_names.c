/* Which column of a command a column of the input is. */
#include "rows/decode.h"

#include <stdio.h>
#include <string.h>

const char *const column_names[COLUMN_COUNT] = {[COLUMN_CURVE] = "curve",
                                                [COLUMN_PUB] = "pub",
                                                [COLUMN_PRIV] = "priv",
                                                [COLUMN_DIGEST] = "digest",
                                                [COLUMN_SIG] = "sig",
                                                [COLUMN_RECID] = "recid",
                                                [COLUMN_NONCE] = "nonce",
                                                [COLUMN_AUX] = "aux",
                                                [COLUMN_SCALAR] = "scalar",
                                                [COLUMN_POINT] = "point",
                                                [COLUMN_U] = "u",
                                                [COLUMN_V] = "v",
                                                [COLUMN_A] = "a",
                                                [COLUMN_B] = "b",
                                                [COLUMN_PEER] = "peer",
                                                [COLUMN_MSG] = "msg",
                                                [COLUMN_HASH] = "hash",
                                                [COLUMN_MODULUS] = "modulus",
                                                [COLUMN_ID] = "sm2_id",
                                                [COLUMN_ID_HEX] = "sm2_id_hex",
                                                [COLUMN_CTX] = "ed25519_ctx",
                                                [COLUMN_CTX_HEX] = "ed25519_ctx_hex"};

/* A part COLUMN=NAME of --map. */
struct renaming {
    const char *column, *name;
    size_t column_length, name_length;
};

static bool equal(const char *name, const char *text, size_t length) {
    return text && length && name[0] == text[0] && strlen(name) == length && memcmp(name, text, length) == 0;
}

/* The next part, and *at after it; false: there is none. A part without a name has the name NULL. */
static bool next_renaming(const char **at, struct renaming *part) {
    if (!*at || !**at)
        return false;
    size_t length = strcspn(*at, ","), column = strcspn(*at, "=,");
    *part = (struct renaming){*at, NULL, column, 0};
    if (column + 1 < length) {
        part->name = *at + column + 1;
        part->name_length = length - column - 1;
    }
    *at += length + ((*at)[length] == ',');
    return true;
}

static enum column own_name(const struct mapping *mapping, const char *name, size_t length) {
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (mapping->kinds[c] != KIND_NONE && equal(column_names[c], name, length))
            return (enum column)c;
    return COLUMN_COUNT;
}

enum column column_find(const struct mapping *mapping, const struct options *options, const char *name, size_t length) {
    struct renaming part;
    enum column column = own_name(mapping, name, length);
    for (const char *at = options->map; next_renaming(&at, &part);) {
        if (name && part.name && part.name_length == length && memcmp(part.name, name, length) == 0)
            return own_name(mapping, part.column, part.column_length);
        if (column != COLUMN_COUNT && equal(column_names[column], part.column, part.column_length))
            column = COLUMN_COUNT;
    }
    return column;
}

bool map_is_right(const struct mapping *mapping, const struct options *options, char *error, size_t size) {
    struct renaming part;
    uint32_t seen = 0;
    for (const char *at = options->map; next_renaming(&at, &part);) {
        enum column column = own_name(mapping, part.column, part.column_length);
        const char *why = column == COLUMN_COUNT ? "no column of this command"
                          : !part.name           ? "not followed by = and a name"
                          : seen & 1u << column  ? "there twice"
                                                 : NULL;
        if (why) {
            snprintf(error, size, "--map: '%.*s' is %s", (int)(part.column_length < 60 ? part.column_length : 60),
                     part.column, why);
            return false;
        }
        seen |= 1u << column;
    }
    return true;
}

bool column_is_dropped(const struct mapping *mapping, const char *name, size_t length) {
    return !mapping->secret && equal(column_names[COLUMN_PRIV], name, length);
}
