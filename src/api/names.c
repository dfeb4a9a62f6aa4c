#include <gecc/gecc.h>

#include <stdbool.h>

#include "curve/sizes.h"

#define TEXT_OF(x) #x
#define VERSION(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *gecc_version(void) { return VERSION(GECC_VERSION_MAJOR, GECC_VERSION_MINOR, GECC_VERSION_PATCH); }

uint32_t gecc_version_number(void) { return GECC_VERSION_NUMBER; }

const char *gecc_result_text(gecc_result result) {
    switch (result) {
#define TEXT(name, value, text)                                                                                        \
    case name:                                                                                                         \
        return text;
        GECC_RESULT_LIST(TEXT)
#undef TEXT
    }
    return "unknown result";
}

const char *gecc_item_text(uint8_t item) {
    switch (item) {
#define TEXT(name, value, text)                                                                                        \
    case name:                                                                                                         \
        return text;
        GECC_ITEM_LIST(TEXT)
#undef TEXT
    }
    return "unknown status";
}

const char *gecc_curve_name(gecc_curve curve) {
    switch (curve) {
#define TITLE(identifier, number, name, title, ...)                                                                    \
    case identifier:                                                                                                   \
        return title;
        GECC_CURVE_LIST(TITLE)
        GECC_EDWARDS_CURVE_LIST(TITLE)
#undef TITLE
    }
    return NULL;
}

static char lower(char letter) { return letter >= 'A' && letter <= 'Z' ? (char)(letter - 'A' + 'a') : letter; }

static bool names_equal(const char *a, const char *b) {
    while (*a != 0 && lower(*a) == lower(*b))
        a++, b++;
    return *a == *b;
}

gecc_curve gecc_curve_named(const char *name) {
    static const struct {
        const char *name;
        gecc_curve curve;
    } names[] = {
#define NAME(name, curve) {name, curve},
        GECC_CURVE_NAME_LIST(NAME)
#undef NAME
    };
    for (size_t i = 0; name != NULL && i < sizeof names / sizeof names[0]; i++)
        if (names_equal(names[i].name, name))
            return names[i].curve;
    return (gecc_curve)0;
}

size_t gecc_curve_bytes(gecc_curve curve) { return curve_bytes(curve); }

struct hash {
    gecc_hash hash;
    const char *name, *short_name;
    size_t bytes;
};

static const struct hash hashes[] = {
#define HASH(identifier, value, name, title, bytes) {identifier, title, #name, bytes},
    GECC_HASH_LIST(HASH)
#undef HASH
};

static const struct hash *hash_find(gecc_hash hash) {
    for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++)
        if (hashes[i].hash == hash)
            return &hashes[i];
    return NULL;
}

size_t gecc_hash_bytes(gecc_hash hash) {
    const struct hash *found = hash_find(hash);
    return found ? found->bytes : 0;
}

const char *gecc_hash_name(gecc_hash hash) {
    const struct hash *found = hash_find(hash);
    return found ? found->name : NULL;
}

gecc_hash gecc_hash_named(const char *name) {
    for (size_t i = 0; name != NULL && i < sizeof hashes / sizeof hashes[0]; i++)
        if (names_equal(hashes[i].name, name) || names_equal(hashes[i].short_name, name))
            return hashes[i].hash;
    return GECC_HASH_DEFAULT;
}

/* A value of an enum and its name, that of the enumerator from its nth letter on. */
struct named {
    const char *name;
    int value;
};

#define NAMED_FROM(n, identifier) {&(#identifier)[n], (int)(identifier)},

static const struct named items[] = {
#define NAMED(identifier, value, text) NAMED_FROM(sizeof "GECC_ITEM_" - 1, identifier)
    GECC_ITEM_LIST(NAMED)
#undef NAMED
};

static const struct named results[] = {
#define NAMED(identifier, value, text) NAMED_FROM(sizeof "GECC_" - 1, identifier)
    GECC_RESULT_LIST(NAMED)
#undef NAMED
};

static const struct named formats[] = {NAMED_FROM(sizeof "GECC_POINT_" - 1, GECC_POINT_UNCOMPRESSED) NAMED_FROM(
    sizeof "GECC_POINT_" - 1, GECC_POINT_COMPRESSED) NAMED_FROM(sizeof "GECC_POINT_" - 1, GECC_POINT_RAW)};

static const struct named flags[] = {
#define NAMED(identifier, bit, name, text) {name, (int)(identifier)},
    GECC_FLAG_LIST(NAMED)
#undef NAMED
};

static const struct named kinds[] = {
#define NAMED(identifier, value, secrecy, name, text) {name, (int)(identifier)},
    GECC_KIND_LIST(NAMED)
#undef NAMED
};

/* The value of that name among values[count], or none. */
static int value_named(const struct named *values, size_t count, const char *name, int none) {
    for (size_t i = 0; name != NULL && i < count; i++)
        if (names_equal(values[i].name, name))
            return values[i].value;
    return none;
}

/* The name of that value among values[count], or NULL. */
static const char *name_of(const struct named *values, size_t count, int value) {
    for (size_t i = 0; i < count; i++)
        if (values[i].value == value)
            return values[i].name;
    return NULL;
}

#define OF(values) values, sizeof values / sizeof values[0]

const char *gecc_item_name(uint8_t item) { return name_of(OF(items), item); }

int gecc_item_named(const char *name) { return value_named(OF(items), name, -1); }

const char *gecc_result_name(gecc_result result) { return name_of(OF(results), (int)result); }

int gecc_result_named(const char *name) { return value_named(OF(results), name, -1); }

int gecc_point_format_named(const char *name) { return value_named(OF(formats), name, -1); }

uint32_t gecc_flag_named(const char *name) { return (uint32_t)value_named(OF(flags), name, 0); }

gecc_kind gecc_kind_named(const char *name) { return (gecc_kind)value_named(OF(kinds), name, 0); }

size_t gecc_point_bytes(gecc_curve curve, gecc_point_format format) {
    size_t bytes = gecc_curve_bytes(curve);
    if (!curve_is_weierstrass(curve))
        return 0;
    switch (format) {
    case GECC_POINT_UNCOMPRESSED:
        return 1 + 2 * bytes;
    case GECC_POINT_COMPRESSED:
        return 1 + bytes;
    case GECC_POINT_RAW:
        return 2 * bytes;
    }
    return 0;
}

/* A SEQUENCE of two INTEGERs, each of as many bytes as the order's bits and a sign take. */
size_t gecc_der_bytes(gecc_curve curve) {
    size_t integer = 2 + curve_bits(curve) / 8 + 1;
    if (!curve_is_weierstrass(curve))
        return 0;
    return (2 * integer < 128 ? 2 : 3) + 2 * integer;
}
