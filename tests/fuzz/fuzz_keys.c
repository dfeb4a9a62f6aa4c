/* Keys and certificates in whatever form: bytes that are refused have a reason, bytes that are taken a key of their
 * curve's width, and the certificate among them lies in them. Of certificates together, those that are trusted and
 * others, no one is anybody's issuer whom no chain leads to. The first byte chooses which kind of key is wanted,
 * whether there is a password, `word`, and how many certificates are trusted. */
#include "keys/authorities.h"
#include "keys/der.h"
#include "keys/key_file.h"
#include "keys/ssh_key.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition)
        abort();
}

static void check_key(const uint8_t *data, size_t size, const struct password *password, bool is_private) {
    struct key_file key = {0};
    const char *reason = key_decode(&key, NULL, data, size, password, is_private);
    if (reason) {
        require(key.count == 0);
        return;
    }
    const size_t bytes = gecc_curve_bytes(key.curve);
    const bool of_25519 = key.curve == GECC_CURVE25519;
    require(key.count == 2 * (is_private || of_25519 ? bytes : 1 + 2 * bytes));
    for (size_t i = 0; i < key.count; i++)
        require(memchr("0123456789abcdef", key.digits[i], 16) != NULL);
    require(of_25519 == (key.scheme != SCHEME_OF_CURVE) && (!is_private || key.found_private));
}

/* A private key of OpenSSH without its PEM, so that nothing is behind its bytes. */
static void check_openssh(const uint8_t *data, size_t size) {
    struct key_file public_key = {0}, private_key = {0};
    if (ssh_private_key_decode(&public_key, &private_key, data, size) || !public_key.count)
        return;
    const size_t bytes = gecc_curve_bytes(public_key.curve);
    const bool of_25519 = public_key.curve == GECC_CURVE25519;
    require(private_key.curve == public_key.curve && private_key.count == 2 * bytes && private_key.found_private);
    require(public_key.count == 2 * (of_25519 ? bytes : 1 + 2 * bytes));
}

static void check_set(const uint8_t *data, size_t size) {
    struct key_set set = {.keys = NULL};
    size_t count;
    bool found_private;
    if (!key_set_decode(&set, &found_private, data, size)) {
        require(set.count != 0);
        for (size_t i = 0; i < set.name_count; i++) {
            const struct key_name *found = key_set_find(&set, set.names[i].text, set.names[i].length, &count);
            require(count != 0 && found <= &set.names[i] && &set.names[i] < found + count);
        }
        for (size_t i = 0; i < set.count; i++)
            require((set.keys[i].refusal != NULL) || set.keys[i].key.count != 0);
    }
    key_set_free(&set);
}

static void check_choice(const struct authorities *set, const struct certificate *certificate,
                         const struct certificate_terms *terms) {
    struct choice_of_issuers choice;
    authorities_choose(&choice, set, certificate, terms);
    require(choice.count <= CANDIDATES_MOST && (choice.count != 0 || choice.reason != NULL));
    for (size_t i = 0; i < choice.count; i++) {
        const struct authority *one = choice.found[i];
        require(one->reason == NULL && one->key.count != 0 && one->terms.is_ca && one->terms.signs_certificates);
        require(same_part(one->certificate.subject, certificate->issuer) && !terms->unknown_critical);
        require(terms->begins <= set->at && set->at <= terms->ends);
        for (size_t l = 0; l < one->list_count; l++) {
            const struct revocations *list = &set->lists[one->lists[l]];
            require(!is_revoked(certificate->serial, list->serials, list->count));
        }
    }
}

/* Elements of DER one after another: the first ones are trusted, some of the others are lists. */
static void check_authorities(const uint8_t *data, size_t size, size_t trusted) {
    struct authorities set = {.has_at = true, .at = 1700000000, .depth = 3};
    for (size_t at = 0, length, count = 0; at < size; at += length, count++) {
        length = der_sequence_size(data + at, size - at);
        if (length == 0 || length > size - at)
            break;
        if (count < trusted)
            (void)authorities_decode(&set, data + at, length);
        else if (authorities_decode_lists(&set, data + at, length))
            (void)authorities_gather(&set, data + at, length);
    }
    if (!set.count || authorities_seal(&set)) {
        authorities_free(&set);
        return;
    }
    for (size_t i = 0; i < set.count; i++) {
        const struct authority *one = &set.all[i];
        require((one->reason == NULL) == (one->allowance >= 0));
        require(one->tried_count == 64 || one->signers >> one->tried_count == 0);
        require(one->reason || one->is_trusted || one->signers != 0);
        require(i == 0 || one->size != one[-1].size || memcmp(one->bytes, one[-1].bytes, one->size) != 0);
    }
    for (size_t at = 0, length; at < size; at += length) {
        struct certificate certificate;
        struct certificate_terms terms;
        length = der_sequence_size(data + at, size - at);
        if (length == 0 || length > size - at)
            break;
        if (!certificate_read(&certificate, data + at, length) && !certificate_terms_read(&terms, &certificate))
            check_choice(&set, &certificate, &terms);
    }
    authorities_free(&set);
}

static void check_certificate(const uint8_t *data, size_t size) {
    struct certificate certificate;
    char serial[SERIAL_CHARACTERS];
    gecc_hash hash;
    const char *reason;
    if (certificate_read(&certificate, data, size) != NULL)
        return;
    const struct certificate_part *parts[] = {&certificate.tbs,    &certificate.algorithm, &certificate.signature,
                                              &certificate.serial, &certificate.subject,   &certificate.issuer,
                                              &certificate.dates,  &certificate.key};
    struct certificate_terms terms;
    struct certificate again;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        require(parts[i]->bytes >= data && parts[i]->bytes + parts[i]->size <= data + size);
    if (!certificate_terms_read(&terms, &certificate)) {
        const struct certificate_part *ids[] = {&terms.key_id, &terms.issuer_key_id, &terms.issuer_serial,
                                                &terms.issuer_issuer};
        for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
            require(!ids[i]->size || (ids[i]->bytes >= data && ids[i]->bytes + ids[i]->size <= data + size));
        require(terms.path_length >= 0);
    }
    require(certificate_read_tbs(&again, certificate.tbs.bytes, certificate.tbs.size) &&
            same_part(again.algorithm, certificate.algorithm) && same_part(again.key, certificate.key));
    require(certificate_serial(serial, &certificate) <= sizeof serial);
    (void)certificate_scheme(&certificate, &hash, &reason);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    const struct password password = {4, "word"};
    check_key(data + 1, size - 1, data[0] & 2 ? &password : NULL, data[0] & 1);
    check_certificate(data + 1, size - 1);
    check_set(data + 1, size - 1);
    check_openssh(data + 1, size - 1);
    if (certificates_can_be_read())
        check_authorities(data + 1, size - 1, data[0] / 4 % 4);
    return 0;
}
