/* Lists of names, and the search through one. */
#define _DEFAULT_SOURCE /* strncasecmp */

#include "text/names.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const struct name names_of_curves[] = {
#define NAME(text, curve) {text, curve},
    GECC_CURVE_NAME_LIST(NAME)
#undef NAME
        {NULL, 0}};

const struct name names_of_hashes[] = {
#define NAMES(identifier, value, name, title, ...) {#name, identifier}, {title, identifier},
    GECC_HASH_LIST(NAMES)
#undef NAMES
        {NULL, 0}};

const struct name names_of_formats[] = {
    {"csv", FORMAT_CSV}, {"jsonl", FORMAT_JSONL}, {"ndjson", FORMAT_JSONL}, {"raw", FORMAT_RAW}, {NULL, 0}};

const struct name names_of_signature_formats[] = {{"raw", SIGNATURE_RAW}, {"der", SIGNATURE_DER}, {NULL, 0}};

const struct name names_of_schemes[] = {
    {"ecdsa", SCHEME_ECDSA},    {"sm2", SCHEME_SM2},         {"bip340", SCHEME_BIP340}, {"BIP-340", SCHEME_BIP340},
    {"schnorr", SCHEME_BIP340}, {"ed25519", SCHEME_ED25519}, {"x25519", SCHEME_X25519}, {NULL, 0}};

const struct name names_of_rules[] = {{"rfc8032", 0},
                                      {"ref10", GECC_ACCEPT_REF10},
                                      {"strict", GECC_ACCEPT_STRICT},
                                      {"zip215", GECC_ACCEPT_ZIP215},
                                      {NULL, 0}};

const struct name names_of_point_formats[] = {{"uncompressed", GECC_POINT_UNCOMPRESSED},
                                              {"compressed", GECC_POINT_COMPRESSED},
                                              {"raw", GECC_POINT_RAW},
                                              {NULL, 0}};

const struct name names_of_ciphertext_formats[] = {
    {"c1c3c2", 0}, {"c1c2c3", GECC_C1C2C3}, {"der", GECC_DER}, {NULL, 0}};

const struct name names_of_modular_operations[] = {
    {"add", MOD_ADD},         {"sub", MOD_SUB},     {"mul", MOD_MUL}, {"square", MOD_SQUARE},
    {"inverse", MOD_INVERSE}, {"power", MOD_POWER}, {NULL, 0}};

const struct name names_of_backends[] = {{"auto", 0}, {"cpu", 1}, {"cuda", 2}, {NULL, 0}};

const struct name names_of_encodings[] = {
    {"hex", ENCODING_HEX}, {"base64", ENCODING_BASE64}, {"base64url", ENCODING_BASE64URL}, {NULL, 0}};

const struct name names_of_verdicts[] = {{"valid", VERDICT_GOOD},
                                         {"ok", VERDICT_GOOD},
                                         {"invalid", VERDICT_INVALID},
                                         {"malformed", VERDICT_MALFORMED},
                                         {"no_key", VERDICT_NO_KEY},
                                         {"unprocessed", VERDICT_UNPROCESSED},
                                         {NULL, 0}};

int name_find(const struct name *names, const char *text, size_t length) {
    for (; names->text; names++)
        if (strlen(names->text) == length && strncasecmp(names->text, text, length) == 0)
            return names->value;
    return -1;
}

const char *name_of(const struct name *names, int value) {
    for (; names->text; names++)
        if (names->value == value)
            return names->text;
    return "?";
}

void names_list(char *out, size_t size, const struct name *names) {
    const struct name *first = names;
    out[0] = 0;
    for (size_t used = 0; names->text && used < size; names++)
        if (name_of(first, names->value) == names->text)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", names->text);
}
