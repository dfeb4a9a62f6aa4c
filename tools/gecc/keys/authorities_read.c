#define _DEFAULT_SOURCE /* reallocarray */

#include "keys/authorities.h"
#include "keys/der.h"
#include "keys/key_file.h"
#include "keys/pem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char no_memory[] = "not enough memory";

/* A copy of its own of bytes that go away; NULL: there is no memory. */
static uint8_t *copy_of(const uint8_t *bytes, size_t size) {
    uint8_t *copy = malloc(size + 1);
    return copy ? memcpy(copy, bytes, size) : NULL;
}

const char *authorities_add(struct authorities *set, const uint8_t *bytes, size_t size, bool is_trusted) {
    struct certificate certificate;
    struct certificate_terms terms;
    const char *reason = certificate_read(&certificate, bytes, size);
    if (!reason)
        reason = certificate_terms_read(&terms, &certificate);
    /* Where nobody trusts it, it has to say that it is an authority's. */
    if (reason || (!is_trusted && !(terms.is_ca && certificate.extensions.size)))
        return reason;
    if (!is_trusted && size > AUTHORITY_BYTES_MOST) {
        set->too_long++;
        return NULL;
    }
    if (set->count == set->capacity) {
        const size_t capacity = 2 * set->capacity + 16;
        struct authority *all = reallocarray(set->all, capacity, sizeof *all);
        if (!all)
            return no_memory;
        set->all = all;
        set->capacity = capacity;
    }
    struct authority *one = &set->all[set->count];
    *one = (struct authority){
        .bytes = copy_of(bytes, size), .size = size, .number = set->added, .is_trusted = is_trusted, .allowance = -1};
    if (!one->bytes)
        return no_memory;
    certificate_read(&one->certificate, one->bytes, size);
    certificate_terms_read(&one->terms, &one->certificate);
    one->name = certificate_name(one->certificate.subject);
    set->count++;
    set->added++;
    set->gathered += !is_trusted;
    return NULL;
}

/* SEQUENCE OF OBJECT IDENTIFIER with the tag, which may be missing. `all`: one of them is anyExtendedKeyUsage. */
static bool take_uses(struct der *in, uint8_t tag, bool *is_there, bool *all) {
    static const uint8_t any[] = {0x55, 0x1d, 0x25, 0};
    struct der uses, use;
    *is_there = der_is(in, tag);
    *all = false;
    if (*is_there && !der_take(in, tag, &uses, NULL))
        return false;
    while (*is_there && der_left(&uses)) {
        if (!der_take(&uses, DER_OBJECT_IDENTIFIER, &use, NULL))
            return false;
        *all |= der_left(&use) == sizeof any && memcmp(use.at, any, sizeof any) == 0;
    }
    return true;
}

/* OpenSSL's CertAux: uses for which a certificate is trusted, if they are not all, and for which it is not; the rest
 * says names only. false: it is none. */
static bool read_trust(const uint8_t *bytes, size_t size, bool *is_limited) {
    struct der in = {bytes, bytes + size}, fields;
    bool trusts, rejects, all, none;
    if (!der_take(&in, DER_SEQUENCE, &fields, NULL) || der_left(&in) ||
        !take_uses(&fields, DER_SEQUENCE, &trusts, &all) || !take_uses(&fields, DER_CONSTRUCTED_0, &rejects, &none))
        return false;
    *is_limited = rejects || (trusts && !all);
    return true;
}

static const char *add_trusted(struct authorities *set, const uint8_t *bytes, size_t size) {
    return authorities_add(set, bytes, size, true);
}

/* OpenSSL's own has its trust behind the certificate. */
static const char *add_with_trust(struct authorities *set, const uint8_t *bytes, size_t size) {
    const size_t first = der_sequence_size(bytes, size);
    bool is_limited = false;
    if (first && first < size && !read_trust(bytes + first, size - first, &is_limited))
        return "bytes behind the certificate that are not OpenSSL's trust";
    const char *reason = authorities_add(set, bytes, first && first < size ? first : size, true);
    if (!reason)
        set->all[set->count - 1].is_limited = is_limited;
    return reason;
}

static const char *add_list(struct authorities *set, const uint8_t *bytes, size_t size) {
    struct revocations one = {.bytes = copy_of(bytes, size), .refusal = "no CA that vouches for others has signed it"};
    struct revocations *all = reallocarray(set->lists, set->list_count + 1, sizeof *all);
    if (all)
        set->lists = all;
    const char *reason = all && one.bytes ? certificate_list_read(&one.list, one.bytes, size) : no_memory;
    if (!reason)
        reason = certificate_list_terms_read(&one.terms, &one.serials, &one.count, &one.list);
    if (!reason && one.terms.unknown_critical)
        reason = "a list of revoked certificates for some of them, of changes or of other issuers', or with another "
                 "critical extension that is not looked at";
    if (reason) {
        free(one.bytes);
        free(one.serials);
        return reason;
    }
    set->lists[set->list_count++] = one;
    return NULL;
}

typedef const char *add_one(struct authorities *set, const uint8_t *bytes, size_t size);

/* Each element of DER, which stand one after another. */
static const char *decode_der(struct authorities *set, const uint8_t *bytes, size_t size, add_one *take) {
    const char *reason = NULL;
    for (size_t at = 0, length; at < size && !reason; at += length) {
        length = der_sequence_size(bytes + at, size - at);
        reason = length == 0 || length > size - at ? "DER that is broken, or of another kind"
                                                   : take(set, bytes + at, length);
    }
    return reason;
}

/* Each block of PEM, which have all to be of these labels. */
static const char *decode_pem(struct authorities *set, const char *text, size_t size, add_one *take,
                              const char *const labels[], const char *other) {
    enum { TRUSTED = 2 };
    struct pem_block block;
    const char *at = text, *reason = NULL;
    while (!reason && pem_next(&block, &at, text + size)) {
        size_t label = 0, length = 0;
        while (labels[label] && !pem_label_is(&block, labels[label]))
            label++;
        if (!labels[label] || !block.ended)
            return block.ended ? other : "PEM that does not end as it begins";
        uint8_t *der = malloc(block.body_size + 1);
        reason = !der ? no_memory : pem_decode(der, &length, &block) ? NULL : "PEM that is not base64";
        if (!reason)
            reason = label == TRUSTED ? add_with_trust(set, der, length) : take(set, der, length);
        free(der);
    }
    return reason;
}

/* A file of DER has more than 127 bytes, which its second byte says; text has none there that could. */
static bool begins_der(const uint8_t *bytes, size_t size) {
    return size > 1 && bytes[1] > 0x80 && der_sequence_size(bytes, size);
}

static const char *decode(struct authorities *set, const uint8_t *bytes, size_t size, add_one *take,
                          const char *const labels[], const char *other) {
    const char *text = (const char *)bytes;
    if (begins_der(bytes, size))
        return decode_der(set, bytes, size, take);
    return decode_pem(set, text, size, take, labels, other);
}

const char *authorities_decode(struct authorities *set, const uint8_t *bytes, size_t size) {
    static const char *const labels[] = {"CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE", NULL};
    const char *reason = decode(set, bytes, size, add_trusted, labels,
                                "PEM of something else than a certificate; keys without one name no issuer");
    return reason || set->count ? reason : "no certificate in PEM or DER";
}

const char *authorities_decode_lists(struct authorities *set, const uint8_t *bytes, size_t size) {
    static const char *const labels[] = {"X509 CRL", NULL};
    const char *reason = decode(set, bytes, size, add_list, labels, "PEM of something else than an X509 CRL");
    set->wants_lists = true;
    return reason || set->list_count ? reason : "no list of revoked certificates (CRL) in PEM or DER";
}

static bool read_file(struct authorities *set, const char *path,
                      const char *(*read)(struct authorities *, const uint8_t *, size_t), char *error, size_t size) {
    uint8_t *bytes = malloc(KEY_SET_BYTES);
    struct stat status;
    size_t used = 0;
    const char *reason = bytes ? key_file_bytes(path, bytes, KEY_SET_BYTES, &used, &status) : no_memory;
    if (!reason && !certificates_can_be_read())
        reason = "reading certificates needs OpenSSL's libcrypto (Debian: libssl3)";
    if (!reason)
        reason = read(set, bytes, used);
    free(bytes);
    const size_t count = read == authorities_decode ? set->count : set->list_count;
    if (reason && count)
        snprintf(error, size, "%.120s: number %zu: %s", path, count + 1, reason);
    else if (reason)
        snprintf(error, size, "%.120s: %s", path, reason);
    return !reason;
}

bool authorities_read(struct authorities *set, const char *path, char *error, size_t size) {
    return read_file(set, path, authorities_decode, error, size);
}

bool authorities_read_lists(struct authorities *set, const char *path, char *error, size_t size) {
    return read_file(set, path, authorities_decode_lists, error, size);
}

void authorities_free(struct authorities *set) {
    for (size_t i = 0; i < set->count; i++) {
        free(set->all[i].bytes);
        free(set->all[i].name);
        free(set->all[i].lists);
    }
    for (size_t i = 0; i < set->list_count; i++) {
        free(set->lists[i].bytes);
        free(set->lists[i].serials);
    }
    free(set->all);
    free(set->lists);
    *set = (struct authorities){.all = NULL};
}
