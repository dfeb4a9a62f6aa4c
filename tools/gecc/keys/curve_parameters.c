#include "keys/curve_parameters.h"
#include "keys/curve_parameters.gen.h"
#include "text/hex.h"

#include <string.h>

const char explicit_of_no_curve[] = "explicit parameters that are not exactly those of a curve that gecc has: prime, "
                                    "a, b, generator, order, cofactor 1";

enum {
    UNCOMPRESSED = 4,
    MOST_NUMBER_BYTES = 1 + GECC_CURVE_BYTES_MOST,
    MOST_POINT_BYTES = 1 + 2 * GECC_CURVE_BYTES_MOST
};

/* In hexadecimal digits, of which p, the order, a and b have as many. */
static const struct parameters {
    const char *p, *order, *a, *b, *generator;
} all[GECC_CURVE_END] = {
#define FIELD_AND_ORDER(curve, value, identifier, name, bits, hash, prime, n) [curve].p = (prime), [curve].order = (n),
    GECC_CURVE_LIST(FIELD_AND_ORDER)
#undef FIELD_AND_ORDER
#define OTHERS(curve, first, second, point) [curve].a = (first), [curve].b = (second), [curve].generator = (point),
        CURVE_PARAMETERS_LIST(OTHERS)
#undef OTHERS
};

/* Whether the bytes, big-endian, are the number; zeros may stand before either. */
static bool is_number(struct der bytes, const char *digits) {
    uint8_t number[MOST_NUMBER_BYTES];
    const size_t size = strlen(digits) / 2;
    hex_decode(number, digits, 2 * size);
    while (der_left(&bytes) > size && *bytes.at == 0)
        bytes.at++;
    const size_t missing = size - (der_left(&bytes) < size ? der_left(&bytes) : size);
    bool is = der_left(&bytes) <= size;
    for (size_t i = 0; i < missing; i++)
        is &= number[i] == 0;
    return is && memcmp(number + missing, bytes.at, size - missing) == 0;
}

/* The same of an INTEGER, which is not negative and has no zeros before it that it need not have. */
static bool is_integer(struct der bytes, const char *digits) {
    const bool padded = der_left(&bytes) > 1 && bytes.at[0] == 0 && bytes.at[1] < 0x80;
    return der_left(&bytes) != 0 && *bytes.at < 0x80 && !padded && is_number(bytes, digits);
}

/* As it stands, or compressed: x, and whether y is odd. */
static bool is_generator(struct der point, const char *digits) {
    uint8_t bytes[MOST_POINT_BYTES];
    const size_t size = strlen(digits) / 2, length = (size - 1) / 2;
    hex_decode(bytes, digits, 2 * size);
    if (der_left(&point) == 1 + length) {
        bytes[0] = 2 | (bytes[size - 1] & 1);
        return memcmp(point.at, bytes, 1 + length) == 0;
    }
    return der_left(&point) == size && *point.at == UNCOMPRESSED && memcmp(point.at, bytes, size) == 0;
}

/* The numbers of a SpecifiedECDomain; b's seed is not kept, as it does not change the curve. */
struct domain {
    struct der p, a, b, generator, order, cofactor; /* cofactor.at NULL: there is none */
};

static bool read_domain(struct domain *domain, struct der in) {
    static const uint8_t prime_field[] = {0x2a, 0x86, 0x48, 0xce, 0x3d, 0x01, 0x01};
    struct der version, field, kind, curve, skipped;
    if (!der_take(&in, DER_INTEGER, &version, NULL) || !der_take(&in, DER_SEQUENCE, &field, NULL) ||
        !der_take(&in, DER_SEQUENCE, &curve, NULL) || !der_take(&in, DER_OCTET_STRING, &domain->generator, NULL) ||
        !der_take(&in, DER_INTEGER, &domain->order, NULL))
        return false;
    if (der_is(&in, DER_INTEGER) && !der_take(&in, DER_INTEGER, &domain->cofactor, NULL))
        return false;
    if (!der_take(&field, DER_OBJECT_IDENTIFIER, &kind, NULL) || der_left(&kind) != sizeof prime_field ||
        memcmp(kind.at, prime_field, sizeof prime_field) != 0 || !der_take(&field, DER_INTEGER, &domain->p, NULL) ||
        !der_take(&curve, DER_OCTET_STRING, &domain->a, NULL) || !der_take(&curve, DER_OCTET_STRING, &domain->b, NULL))
        return false;
    if (der_is(&curve, DER_BIT_STRING) && !der_take(&curve, DER_BIT_STRING, &skipped, NULL))
        return false;
    return der_left(&version) == 1 && *version.at >= 1 && *version.at <= 3 &&
           der_left(&in) + der_left(&field) + der_left(&curve) == 0;
}

static bool is_curve(const struct domain *domain, const struct parameters *known) {
    return known->p && is_integer(domain->p, known->p) && is_number(domain->a, known->a) &&
           is_number(domain->b, known->b) && is_integer(domain->order, known->order) &&
           is_generator(domain->generator, known->generator) &&
           (!domain->cofactor.at || is_integer(domain->cofactor, "01"));
}

const char *explicit_curve(gecc_curve *curve, struct der spki) {
    static const uint8_t ec_public_key[] = {0x2a, 0x86, 0x48, 0xce, 0x3d, 0x02, 0x01};
    struct der fields, algorithm, kind, parameters;
    struct domain domain = {.cofactor = {NULL, NULL}};
    *curve = (gecc_curve)0;
    if (!der_take(&spki, DER_SEQUENCE, &fields, NULL) || !der_take(&fields, DER_SEQUENCE, &algorithm, NULL) ||
        !der_take(&algorithm, DER_OBJECT_IDENTIFIER, &kind, NULL) || der_left(&kind) != sizeof ec_public_key ||
        memcmp(kind.at, ec_public_key, sizeof ec_public_key) != 0 || !der_is(&algorithm, DER_SEQUENCE))
        return NULL;
    const bool whole = der_take(&algorithm, DER_SEQUENCE, &parameters, NULL) && der_left(&algorithm) == 0;
    if (whole && read_domain(&domain, parameters))
        for (size_t c = 1; c < GECC_CURVE_END && !*curve; c++)
            if (is_curve(&domain, &all[c]))
                *curve = (gecc_curve)c;
    return *curve ? NULL : explicit_of_no_curve;
}
