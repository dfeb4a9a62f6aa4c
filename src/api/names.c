#include <gecc/gecc.h>

#include "curve/generated/curves.gen.h"

struct curve_facts {
    const char *name;
    size_t bytes; /* of a field element, and of a scalar */
};

/* NULL: no curve. */
static const struct curve_facts *curve_find(gecc_curve curve) {
#define FACTS(curve, name, title, bytes) [curve] = {title, bytes},
    static const struct curve_facts facts[GECC_CURVE_END] = {CURVES(FACTS)};
#undef FACTS
    return (size_t)curve < GECC_CURVE_END && facts[curve].name != NULL ? &facts[curve] : NULL;
}

#define TEXT_OF(x) #x
#define VERSION(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *gecc_version(void) { return VERSION(GECC_VERSION_MAJOR, GECC_VERSION_MINOR, GECC_VERSION_PATCH); }

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
    const struct curve_facts *facts = curve_find(curve);
    return facts == NULL ? NULL : facts->name;
}

size_t gecc_curve_bytes(gecc_curve curve) {
    const struct curve_facts *facts = curve_find(curve);
    return facts == NULL ? 0 : facts->bytes;
}

size_t gecc_hash_bytes(gecc_hash hash) {
    switch (hash) {
    case GECC_HASH_DEFAULT:
        return 0;
    case GECC_SHA256:
    case GECC_SM3:
    case GECC_KECCAK256:
        return 32;
    case GECC_SHA384:
        return 48;
    case GECC_SHA512:
        return 64;
    }
    return 0;
}

size_t gecc_point_bytes(gecc_curve curve, gecc_point_format format) {
    size_t bytes = gecc_curve_bytes(curve);
    if (bytes == 0)
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

/* A SEQUENCE of two INTEGERs, each with a leading zero: 2 + 2 * (2 + 1 + L). */
size_t gecc_der_bytes(gecc_curve curve) {
    size_t bytes = gecc_curve_bytes(curve);
    return bytes == 0 ? 0 : 8 + 2 * bytes;
}
