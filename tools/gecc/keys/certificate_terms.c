#define _GNU_SOURCE /* timegm */

#include "keys/certificate_terms.h"
#include "keys/der.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct der within(struct certificate_part part) {
    return (struct der){part.bytes, part.size ? part.bytes + part.size : part.bytes};
}

static struct certificate_part part(struct der der) { return (struct certificate_part){der.at, der_left(&der)}; }

/* The number that `count` digits are, whose value is no less than zero; -1: they are none. */
static int take_digits(struct der *in, size_t count) {
    int number = 0;
    for (size_t i = 0; i < count; i++, in->at++) {
        if (*in->at < '0' || *in->at > '9')
            return -1;
        number = 10 * number + *in->at - '0';
    }
    return number;
}

/* RFC 5280, 4.1.2.5: YYMMDDHHMMSSZ, of years from 1950 on, or YYYYMMDDHHMMSSZ. */
static bool take_time(struct der *in, int64_t *seconds) {
    enum { TWO_DIGITS = 13, FOUR_DIGITS = 15 };
    struct der text;
    const bool is_short = der_is(in, DER_UTC_TIME);
    if (!der_take(in, is_short ? DER_UTC_TIME : DER_GENERALIZED_TIME, &text, NULL) ||
        der_left(&text) != (is_short ? TWO_DIGITS : FOUR_DIGITS) || text.end[-1] != 'Z')
        return false;
    const int year = take_digits(&text, is_short ? 2 : 4), month = take_digits(&text, 2), day = take_digits(&text, 2),
              hour = take_digits(&text, 2), minute = take_digits(&text, 2), second = take_digits(&text, 2);
    if (year < 0 || month < 1 || day < 1 || hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 ||
        second > 59)
        return false;
    const int century = !is_short ? 0 : year < 50 ? 2000 : 1900;
    struct tm tm = {.tm_year = century + year - 1900,
                    .tm_mon = month - 1,
                    .tm_mday = day,
                    .tm_hour = hour,
                    .tm_min = minute,
                    .tm_sec = second};
    *seconds = timegm(&tm);
    return tm.tm_mon == month - 1 && tm.tm_mday == day; /* there is such a day */
}

/* BOOLEAN, false where it is missing. Returns whether it could be read. */
static bool take_boolean(struct der *in, bool *value) {
    struct der byte;
    *value = false;
    if (!der_is(in, DER_BOOLEAN))
        return true;
    if (!der_take(in, DER_BOOLEAN, &byte, NULL) || der_left(&byte) != 1)
        return false;
    *value = *byte.at == 0xff;
    return *value || *byte.at == 0;
}

static bool read_basic_constraints(struct der value, struct certificate_terms *terms) {
    struct der fields, number;
    if (!der_take(&value, DER_SEQUENCE, &fields, NULL) || !take_boolean(&fields, &terms->is_ca))
        return false;
    if (!der_is(&fields, DER_INTEGER))
        return der_left(&fields) + der_left(&value) == 0;
    if (!der_take_integer(&fields, DER_INTEGER, &number) || *number.at >= 0x80)
        return false;
    /* More than two bytes are more than a chain can have. */
    terms->path_length = 0;
    for (; number.at < number.end; number.at++)
        terms->path_length = terms->path_length > USHRT_MAX ? PATH_UNLIMITED : terms->path_length << 8 | *number.at;
    return der_left(&fields) + der_left(&value) == 0;
}

static bool read_key_usage(struct der value, struct certificate_terms *terms) {
    enum { KEY_CERT_SIGN = 0x04, CRL_SIGN = 0x02 };
    struct der bits;
    if (!der_take(&value, DER_BIT_STRING, &bits, NULL) || der_left(&value) || der_left(&bits) == 0 || *bits.at > 7)
        return false;
    /* Some bit has to be set, and the last ones that do not count are zeros. */
    const uint8_t first = der_left(&bits) > 1 ? bits.at[1] : 0, last = bits.end[-1];
    if (der_left(&bits) < 2 || (last & ((1u << *bits.at) - 1)) != 0 || (first == 0 && last == 0))
        return false;
    terms->signs_certificates = first & KEY_CERT_SIGN;
    terms->signs_lists = first & CRL_SIGN;
    return true;
}

/* The first directoryName of GeneralNames, if one of them is. false: they cannot be read. */
static bool read_issuer_names(struct der names, struct certificate_terms *terms) {
    struct der name, skipped, whole;
    if (!der_left(&names))
        return false;
    while (der_left(&names)) {
        const uint8_t tag = *names.at;
        if (tag < DER_PRIMITIVE_0 || !der_take(&names, tag, &name, NULL))
            return false;
        if (tag != DER_CONSTRUCTED_4)
            continue;
        if (!der_take(&name, DER_SEQUENCE, &skipped, &whole) || der_left(&name))
            return false;
        if (!terms->issuer_issuer.size)
            terms->issuer_issuer = part(whole);
    }
    return true;
}

static bool read_issuer_key(struct der value, struct certificate_terms *terms) {
    struct der fields, inner;
    if (!der_take(&value, DER_SEQUENCE, &fields, NULL) || der_left(&value))
        return false;
    if (der_take(&fields, DER_PRIMITIVE_0, &inner, NULL))
        terms->issuer_key_id = part(inner);
    if (der_take(&fields, DER_CONSTRUCTED_1, &inner, NULL) && !read_issuer_names(inner, terms))
        return false;
    if (der_is(&fields, DER_PRIMITIVE_2)) {
        if (!der_take_integer(&fields, DER_PRIMITIVE_2, &inner))
            return false;
        terms->issuer_serial = part(inner);
    }
    return !der_left(&fields);
}

/* The last bytes of identifiers below 2.5.29, id-ce. */
enum {
    KEY_ID = 14,
    KEY_USAGE = 15,
    SUBJECT_NAMES = 17,
    ISSUER_NAMES = 18,
    BASIC_CONSTRAINTS = 19,
    LIST_NUMBER = 20,
    REASON = 21,
    INVALIDITY_DATE = 24,
    CHANGES = 27,
    PART = 28,
    ENTRY_ISSUER = 29,
    NAME_CONSTRAINTS = 30,
    LIST_POINTS = 31,
    POLICIES = 32,
    ISSUER_KEY = 35,
    USES = 37,
    IDENTIFIERS = 64
};

/* Extensions that may be critical though nothing is read of them: they say names, uses and policies, which nobody asks
 * for here, and where lists are. */
static const uint8_t passed_of_certificates[] = {SUBJECT_NAMES, ISSUER_NAMES, LIST_POINTS, POLICIES, USES, 0},
                     passed_of_lists[] = {ISSUER_NAMES, LIST_NUMBER, 0},
                     passed_of_entries[] = {REASON, INVALIDITY_DATE, 0};

/* Those that have to be critical, and change what a list says where they are not: it is of changes, or of some
 * certificates only, or an entry is of another issuer's. */
static bool binds_always(const uint8_t *passed, unsigned number) {
    return passed == passed_of_lists     ? number == CHANGES || number == PART
           : passed == passed_of_entries ? number == ENTRY_ISSUER
                                         : false;
}

static bool read_extension(unsigned identifier, struct der value, struct certificate_terms *terms) {
    struct der id, skipped;
    switch (identifier) {
    case BASIC_CONSTRAINTS:
        return read_basic_constraints(value, terms);
    case KEY_USAGE:
        return read_key_usage(value, terms);
    case ISSUER_KEY:
        return read_issuer_key(value, terms);
    case KEY_ID:
        if (!der_take(&value, DER_OCTET_STRING, &id, NULL) || der_left(&value))
            return false;
        terms->key_id = part(id);
        return true;
    case NAME_CONSTRAINTS: /* which have to be critical, and bind where they are not */
        terms->unknown_critical = true;
        return true;
    default: /* a SEQUENCE whose items are not looked at */
        return der_take(&value, DER_SEQUENCE, &skipped, NULL) && !der_left(&value);
    }
}

/* SEQUENCE OF Extension, which may be missing. `passed` ends with 0; those of entries have nothing else that is read. */
static bool read_extensions(struct certificate_part extensions, struct certificate_terms *terms,
                            const uint8_t *passed) {
    struct der in = within(extensions), all, one, identifier, value;
    uint64_t seen = 0;
    bool critical;
    if (!extensions.bytes)
        return true;
    if (!der_take(&in, DER_SEQUENCE, &all, NULL) || der_left(&in) || !der_left(&all))
        return false;
    while (der_left(&all)) {
        if (!der_take(&all, DER_SEQUENCE, &one, NULL) || !der_take(&one, DER_OBJECT_IDENTIFIER, &identifier, NULL) ||
            !der_left(&identifier) || identifier.end[-1] >= 0x80 || !take_boolean(&one, &critical) ||
            !der_take(&one, DER_OCTET_STRING, &value, NULL) || der_left(&one))
            return false;
        const bool of_ce = der_left(&identifier) == 3 && identifier.at[0] == 0x55 && identifier.at[1] == 0x1d;
        const unsigned number = of_ce && identifier.at[2] < IDENTIFIERS ? identifier.at[2] : 0;
        const bool may_pass = number && strchr((const char *)passed, (int)number),
                   is_read = number == ISSUER_KEY
                                 ? passed != passed_of_entries
                                 : passed == passed_of_certificates &&
                                       (may_pass || number == BASIC_CONSTRAINTS || number == KEY_USAGE ||
                                        number == KEY_ID || number == NAME_CONSTRAINTS);
        if (number && seen >> number & 1)
            return false;
        seen |= (uint64_t)1 << number;
        if (is_read && !read_extension(number, value, terms))
            return false;
        terms->unknown_critical |= binds_always(passed, number) || (critical && !is_read && !may_pass);
    }
    return true;
}

const char *certificate_terms_read(struct certificate_terms *terms, const struct certificate *certificate) {
    enum { VERSION_1, VERSION_3 = 2 };
    struct der dates = within(certificate->dates), version = within(certificate->version), number = {NULL, NULL};
    *terms = (struct certificate_terms){.path_length = PATH_UNLIMITED,
                                        .signs_certificates = true,
                                        .signs_lists = true,
                                        .self_issued = same_part(certificate->issuer, certificate->subject)};
    const bool has_version = certificate->version.bytes != NULL;
    if (has_version && (!der_take(&version, DER_INTEGER, &number, NULL) || der_left(&version) ||
                        der_left(&number) != 1 || *number.at > VERSION_3))
        return "a version that is none of 1, 2 and 3";
    if (!take_time(&dates, &terms->begins) || !take_time(&dates, &terms->ends) || der_left(&dates))
        return "dates that cannot be read";
    if (certificate->extensions.bytes && (!has_version || *number.at != VERSION_3))
        return "extensions, and it is not of version 3";
    if (!read_extensions(certificate->extensions, terms, passed_of_certificates))
        return "extensions that cannot be read";
    if (!has_version || *number.at == VERSION_1)
        terms->is_ca = terms->self_issued;
    return NULL;
}

static int compare_serials(const void *a, const void *b) {
    const struct certificate_part *x = a, *y = b;
    const int order = memcmp(x->bytes, y->bytes, x->size < y->size ? x->size : y->size);
    return order ? order : (x->size > y->size) - (x->size < y->size);
}

/* An entry of revokedCertificates. */
static bool take_entry(struct der *in, struct certificate_part *serial, struct certificate_terms *terms) {
    struct der entry, number, extensions = {NULL, NULL}, skipped;
    int64_t date;
    if (!der_take(in, DER_SEQUENCE, &entry, NULL) || !der_take_integer(&entry, DER_INTEGER, &number) ||
        !take_time(&entry, &date))
        return false;
    *serial = part(number);
    if (der_left(&entry) && !der_take(&entry, DER_SEQUENCE, &skipped, &extensions))
        return false;
    return !der_left(&entry) && read_extensions(part(extensions), terms, passed_of_entries);
}

static bool take_entries(struct certificate_terms *terms, struct certificate_part **serials, size_t *count,
                         struct der in) {
    size_t capacity = 0;
    while (der_left(&in)) {
        if (*count == capacity) {
            capacity = 2 * capacity + 16;
            struct certificate_part *more = realloc(*serials, capacity * sizeof *more);
            if (!more)
                return false;
            *serials = more;
        }
        if (!take_entry(&in, &(*serials)[*count], terms))
            return false;
        ++*count;
    }
    return true;
}

const char *certificate_list_terms_read(struct certificate_terms *terms, struct certificate_part **serials,
                                        size_t *count, const struct certificate *list) {
    struct der dates = within(list->dates);
    *terms = (struct certificate_terms){.ends = INT64_MAX};
    *serials = NULL;
    *count = 0;
    /* Where it is not written it is 1, which has no extensions; only 2 is written, as 1. */
    if (list->version.bytes ? list->version.size != 1 || *list->version.bytes != 1 : list->extensions.bytes != NULL)
        return "a version that is none of 1 and 2, or extensions in version 1";
    if (!take_time(&dates, &terms->begins) || (der_left(&dates) && !take_time(&dates, &terms->ends)))
        return "dates that cannot be read";
    if (!read_extensions(list->extensions, terms, passed_of_lists))
        return "extensions that cannot be read";
    if (!take_entries(terms, serials, count, within(list->revoked)))
        return "entries that cannot be read";
    if (*count)
        qsort(*serials, *count, sizeof **serials, compare_serials);
    return NULL;
}

bool is_revoked(struct certificate_part serial, const struct certificate_part *serials, size_t count) {
    return count && bsearch(&serial, serials, count, sizeof *serials, compare_serials) != NULL;
}
