/* The names that people and other tools write for curves, hashes and formats. Case never matters. */
#ifndef TOOL_NAMES_H
#define TOOL_NAMES_H

#include <gecc/gecc.h>

#include <stdbool.h>

enum format {
    FORMAT_UNKNOWN,
    FORMAT_CSV,
    FORMAT_JSONL,
    FORMAT_RAW,
    FORMAT_JWK, /* of output: a JSON Web Key on each line */
    FORMAT_JWKS /* and a set of them */
};
enum signature_format { SIGNATURE_UNKNOWN, SIGNATURE_RAW, SIGNATURE_DER };
enum verdict { VERDICT_GOOD, VERDICT_INVALID, VERDICT_MALFORMED, VERDICT_NO_KEY, VERDICT_UNPROCESSED, VERDICT_COUNT };
enum encoding { ENCODING_HEX, ENCODING_BASE64, ENCODING_BASE64URL };
enum scheme { SCHEME_OF_CURVE, SCHEME_ECDSA, SCHEME_SM2, SCHEME_BIP340, SCHEME_ED25519, SCHEME_X25519 };
enum modular_operation { MOD_UNKNOWN, MOD_ADD, MOD_SUB, MOD_MUL, MOD_SQUARE, MOD_INVERSE, MOD_POWER };

static inline bool is_jwk(enum format format) { return format == FORMAT_JWK || format == FORMAT_JWKS; }

struct name {
    const char *text;
    int value;
};

/* Lists end with text NULL; the first name of a value is the one to print. */
extern const struct name names_of_curves[], names_of_hashes[], names_of_formats[], names_of_signature_formats[],
    names_of_point_formats[], names_of_modular_operations[], names_of_backends[], names_of_schemes[],
    names_of_verdicts[], names_of_encodings[], names_of_rules[], names_of_ciphertext_formats[];

/* The value that `length` characters name, or -1. */
int name_find(const struct name *names, const char *text, size_t length);
/* The name to print for a value; "?" where there is none. */
const char *name_of(const struct name *names, int value);

/* What a list with commas may take: that of curves is the longest. */
#define TITLE(curve, value, name, title, ...) title ", "
enum { NAMES_LIST_BYTES = sizeof(GECC_CURVE_LIST(TITLE) GECC_EDWARDS_CURVE_LIST(TITLE)) };
#undef TITLE

/* The names to print of all values, with commas between them. */
void names_list(char *out, size_t size, const struct name *names);

#endif
