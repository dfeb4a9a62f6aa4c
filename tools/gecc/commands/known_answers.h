/* Known answers, from the standards that define the operations. Hexadecimal. */
#ifndef TOOL_KNOWN_ANSWERS_H
#define TOOL_KNOWN_ANSWERS_H

#include <gecc/gecc.h>

#include <stddef.h>

enum { KNOWN_CURVES = GECC_CURVE_END - 1 };

struct known_multiples {
    gecc_curve curve;
    const char *one, *two, *three; /* G, 2 * G, 3 * G */
    const char *order_less_1;
};

struct known_digest {
    gecc_hash hash;
    const char *message, *digest;
};

struct known_signature {
    const char *source;
    gecc_curve curve;
    gecc_hash hash;
    const char *private_key, *digest, *nonce, *signature;
    int recovery_id; /* -1: none */
};

struct known_e {
    const char *public_key, *id, *message, *e;
};

struct known_residue {
    const char *name, *modulus, *a, *b, *r;
};

extern const struct known_multiples known_multiples[KNOWN_CURVES];
extern const struct known_digest known_digests[5];
extern const struct known_signature known_signatures[KNOWN_CURVES];
extern const struct known_e known_e;
extern const struct known_residue known_residues[6];

#endif
