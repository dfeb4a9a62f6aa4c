/* Signatures of a few certificates and lists, each under a key of its own. Those of many rows go the way of rows. */
#ifndef TOOL_SIGNED_H
#define TOOL_SIGNED_H

#include "keys/certificate.h"
#include "keys/key.h"

/* SM2's ids of signers that nobody named: GM/T 0009 has the first, and OpenSSL 3 signs with the empty one. */
enum { SIGNER_DEFAULT, SIGNER_EMPTY, SIGNER_IDS };
extern const char *const signer_ids[SIGNER_IDS];

struct signed_item {
    const struct certificate *signed_bytes; /* or a list */
    const struct key_file *key;             /* of the issuer, as it may be */
    size_t tags[2];                         /* the caller's own */
    bool valid;
    unsigned signer; /* SM2: the id that it is valid with, if none is given */
};

/* What all items have in common. */
struct signed_rules {
    const char *id; /* SM2: the signers'; NULL: any of signer_ids */
    uint32_t flags; /* GECC_LOW_S, GECC_ACCEPT_* */
};

/* What the key is for, and those of the flags that the scheme has. */
enum scheme signed_scheme_of_key(const struct key_file *key);
uint32_t signed_flags(enum scheme scheme, uint32_t flags);

/* Find which are valid. */
gecc_result signed_verify(gecc_context *context, struct signed_item *items, size_t count,
                          const struct signed_rules *rules);

/* The scheme that a certificate is signed with, and its hash, if the key is for it; SCHEME_OF_CURVE and why not. */
enum scheme signed_scheme(const struct certificate *certificate, const struct key_file *key, gecc_hash *hash,
                          const char **reason);

#endif
