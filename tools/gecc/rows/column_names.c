/* Which column of a command a column of the input is. */
#define _GNU_SOURCE /* memmem */

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
                                                [COLUMN_ENTROPY] = "entropy",
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
                                                [COLUMN_CTX_HEX] = "ed25519_ctx_hex",
                                                [COLUMN_MSG_TEXT] = "msg_text",
                                                [COLUMN_ADDRESS] = "address",
                                                [COLUMN_TOKEN] = "token",
                                                [COLUMN_CERTIFICATE] = "certificate",
                                                [COLUMN_EVENT] = "event",
                                                [COLUMN_CLAIMS] = "claims",
                                                [COLUMN_TYPED_DATA] = "typed_data",
                                                [COLUMN_CIPHERTEXT] = "ciphertext",
                                                [COLUMN_GROUP] = "group"};

/* What their cells are. */
static const enum kind column_kinds[COLUMN_COUNT] = {[COLUMN_CURVE] = KIND_CURVE,
                                                     [COLUMN_PUB] = KIND_POINT,
                                                     [COLUMN_PRIV] = KIND_SCALAR,
                                                     [COLUMN_DIGEST] = KIND_BYTES,
                                                     [COLUMN_SIG] = KIND_SIG,
                                                     [COLUMN_RECID] = KIND_RECID,
                                                     [COLUMN_NONCE] = KIND_SCALAR,
                                                     [COLUMN_AUX] = KIND_BYTES,
                                                     [COLUMN_ENTROPY] = KIND_BYTES,
                                                     [COLUMN_SCALAR] = KIND_SCALAR,
                                                     [COLUMN_POINT] = KIND_POINT,
                                                     [COLUMN_U] = KIND_SCALAR,
                                                     [COLUMN_V] = KIND_SCALAR, /* beside `recid` Ethereum's */
                                                     [COLUMN_A] = KIND_POINT,  /* with a modulus a number */
                                                     [COLUMN_B] = KIND_POINT,
                                                     [COLUMN_PEER] = KIND_POINT,
                                                     [COLUMN_MSG] = KIND_MESSAGE,
                                                     [COLUMN_HASH] = KIND_HASH,
                                                     [COLUMN_MODULUS] = KIND_MODULUS,
                                                     [COLUMN_ID] = KIND_TEXT,
                                                     [COLUMN_ID_HEX] = KIND_TEXT_HEX,
                                                     [COLUMN_CTX] = KIND_TEXT,
                                                     [COLUMN_CTX_HEX] = KIND_TEXT_HEX,
                                                     [COLUMN_MSG_TEXT] = KIND_TEXT,
                                                     [COLUMN_ADDRESS] = KIND_ADDRESS,
                                                     [COLUMN_TOKEN] = KIND_DOCUMENT,
                                                     [COLUMN_CERTIFICATE] = KIND_DOCUMENT,
                                                     [COLUMN_EVENT] = KIND_DOCUMENT,
                                                     [COLUMN_CLAIMS] = KIND_DOCUMENT,
                                                     [COLUMN_TYPED_DATA] = KIND_TYPED,
                                                     [COLUMN_CIPHERTEXT] = KIND_BYTES,
                                                     [COLUMN_GROUP] = KIND_NAME};

uint32_t mapping_columns(const struct mapping *mapping) {
    uint32_t columns = mapping->optional | mapping->made;
    for (size_t f = 0; f < MAX_FORMS; f++)
        columns |= mapping->forms[f];
    return columns;
}

enum kind column_kind(const struct mapping *mapping, const struct options *options, enum column column) {
    if (!mapping_has(mapping, column))
        return KIND_NONE;
    if (column == COLUMN_V && mapping_has(mapping, COLUMN_RECID))
        return KIND_RECID;
    if (!mapping->modular || column == COLUMN_MODULUS)
        return column_kinds[column];
    return column == COLUMN_B && options->modular_operation == MOD_POWER ? KIND_EXPONENT : KIND_OPERAND;
}

enum column column_of_input(const gecc_column *input, uint32_t form) {
    const enum column named = column_named(input->name, strlen(input->name));
    switch (input->kind) {
    case GECC_KIND_DIGEST:
    case GECC_KIND_DIGEST32:
    case GECC_KIND_SM2_DIGEST:
        return COLUMN_DIGEST;
    case GECC_KIND_PLAINTEXT:
        return COLUMN_MSG;
    case GECC_KIND_SM2_ID:
        return COLUMN_ID;
    case GECC_KIND_CONTEXT:
        return COLUMN_CTX;
    case GECC_KIND_EXPONENT:
        return COLUMN_B;
    default: /* a point or the other side's key may be called `pub` */
        return (named == COLUMN_POINT || named == COLUMN_PEER) && !(form & 1u << named) ? COLUMN_PUB : named;
    }
}

/* Other names of columns. */
static const struct {
    const char *other, *name;
} others[] = {
#define NAMES(other, name) {#other, #name},
    GECC_COLUMN_NAME_LIST(NAMES)
#undef NAMES
};

enum { OTHERS = sizeof others / sizeof *others };

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

enum column column_named(const char *name, size_t length) {
    for (int c = 0; c < COLUMN_COUNT; c++)
        if (equal(column_names[c], name, length))
            return (enum column)c;
    for (size_t i = 0; i < OTHERS; i++)
        if (equal(others[i].other, name, length))
            return column_named(others[i].name, strlen(others[i].name));
    return COLUMN_COUNT;
}

/* Whether the mapping reads a column of the input as this one. */
static bool is_read(const struct mapping *mapping, enum column column) {
    return mapping_has(mapping, column) && column != COLUMN_EVENT && column != COLUMN_GROUP &&
           (!mapping->open || column == mapping->document || (mapping->beside & 1u << column));
}

static enum column own_name(const struct mapping *mapping, const char *name, size_t length) {
    const enum column column = column_named(name, length);
    return column == COLUMN_COUNT || !is_read(mapping, column) ? COLUMN_COUNT : column;
}

enum column column_find(const struct mapping *mapping, const struct options *options, const char *name, size_t length) {
    struct renaming part;
    enum column column = own_name(mapping, name, length);
    if (mapping_has(mapping, COLUMN_GROUP) && options->group_by && equal(options->group_by, name, length))
        return COLUMN_GROUP;
    for (const char *at = options->map; next_renaming(&at, &part);) {
        if (name && part.name && part.name_length == length && memcmp(part.name, name, length) == 0)
            return own_name(mapping, part.column, part.column_length);
        if (column != COLUMN_COUNT && column_named(part.column, part.column_length) == column)
            column = COLUMN_COUNT;
    }
    return column;
}

bool column_gives_way(const struct options *options, enum column column, const char *name, size_t length) {
    struct renaming part;
    if (column != COLUMN_MSG || equal(column_names[column], name, length) || (options->required & COLUMN_BIT(MSG)))
        return false;
    for (const char *at = options->map; next_renaming(&at, &part);)
        if (column_named(part.column, part.column_length) == column)
            return false;
    return true;
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

bool required_is_right(const struct mapping *mapping, const struct options *options, char *error, size_t size) {
    for (unsigned c = 0; c < COLUMN_COUNT; c++)
        if ((options->required & 1u << c) && !mapping_has(mapping, (enum column)c)) {
            snprintf(error, size, "--require: '%s' is no column of this command", column_names[c]);
            return false;
        }
    return true;
}

uint32_t columns_meant(const struct mapping *mapping, uint32_t columns) {
    if (columns & (COLUMN_BIT(MSG_TEXT) | COLUMN_BIT(TYPED_DATA)))
        columns |= COLUMN_BIT(MSG);
    if ((columns & COLUMN_BIT(V)) && mapping_has(mapping, COLUMN_RECID))
        columns |= COLUMN_BIT(RECID);
    return columns;
}

bool mapping_keeps_keys(const struct mapping *mapping) {
    const uint32_t keys = COLUMN_BIT(PRIV) | COLUMN_BIT(SCALAR);
    return mapping->secret && (mapping->modular || (mapping_columns(mapping) & keys));
}

bool column_is_dropped(const struct mapping *mapping, const char *name, size_t length) {
    static const enum column secrets[] = {COLUMN_PRIV, COLUMN_NONCE, COLUMN_ENTROPY};
    const enum column column = mapping_keeps_keys(mapping) ? COLUMN_COUNT : column_named(name, length);
    for (size_t i = 0; i < sizeof secrets / sizeof *secrets; i++)
        if (column == secrets[i])
            return true;
    return false;
}

bool may_hold_secret(const char *text, size_t size) {
    /* Names of columns, what PEM says, and letters of either that JSON writes by their numbers. */
    static const char *const signs[] = {"priv",   "seed",   "nonce",  "entropy", "PRIVATE KEY",
                                        "\\u002", "\\u004", "\\u005", "\\u006",  "\\u007"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (memmem(text, size, signs[i], strlen(signs[i])))
            return true;
    return false;
}

/* What columns were called before. */
static const struct {
    const char *name;
    enum column column;
} former[] = {{"id", COLUMN_ID}, {"id_hex", COLUMN_ID_HEX}};

enum { FORMER = sizeof former / sizeof *former };

_Static_assert(COLUMN_COUNT + FORMER <= UNREAD_MESSAGE, "each has a bit of 64");

unsigned unread_find(const struct mapping *mapping, const struct options *options, const char *name, size_t length) {
    const bool may_be_sm2 = !options->curve || options->curve == GECC_SM2;
    if (!name || column_is_dropped(mapping, name, length))
        return UNREAD_NONE;
    for (unsigned c = 0; c < COLUMN_COUNT; c++)
        if (c != COLUMN_GROUP && equal(column_names[c], name, length))
            return c;
    for (unsigned f = 0; f < FORMER; f++)
        if (may_be_sm2 && mapping_has(mapping, former[f].column) && equal(former[f].name, name, length))
            return COLUMN_COUNT + f;
    return UNREAD_NONE;
}

void unread_say(char *out, size_t size, const struct mapping *mapping, unsigned unread) {
    if (unread == UNREAD_MESSAGE) {
        snprintf(out, size, "the column `message` is not read beside `digest`, unless --map says msg=message");
    } else if (unread >= COLUMN_COUNT) {
        const char *name = former[unread - COLUMN_COUNT].name,
                   *now = column_names[former[unread - COLUMN_COUNT].column];
        snprintf(out, size, "the column `%s` is not read: SM2's id is in `%s`, or say --map %s=%s", name, now, now,
                 name);
    } else {
        snprintf(out, size, "the column `%s` is not read: %s", column_names[unread],
                 mapping->overruled & 1u << unread       ? "`priv` is there, or --map names another"
                 : is_read(mapping, (enum column)unread) ? "--map names another"
                                                         : "it is one of other commands");
    }
}
