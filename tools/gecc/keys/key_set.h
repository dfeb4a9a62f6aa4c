/* Keys of which a document names one. */
#ifndef TOOL_KEY_SET_H
#define TOOL_KEY_SET_H

#include "keys/key.h"

enum { THUMBPRINT_CHARACTERS = 43, SEVERAL_FIT = 2 };

#define X25519_HAS_NO_SIGNATURES "its key is of X25519, which has no signatures"
#define KEY_OF_NO_CURVE "its key is none of a curve that gecc has"

/* One key of a set. */
struct set_key {
    struct key_file key;                        /* a public one; count 0: none that can be used */
    const char *refusal;                        /* why it cannot; NULL: it can */
    char *kid;                                  /* its name in a JWK, zero behind it; NULL: it has none */
    char thumbprint[THUMBPRINT_CHARACTERS + 1]; /* RFC 7638; empty: there is none */
};

struct key_set {
    struct set_key *keys;
    size_t count, capacity;
    struct key_name *names; /* key_set_seal */
    size_t name_count;
    const struct set_key *first[GECC_CURVE25519 + 1]; /* that can be used on a curve */
    unsigned fits[GECC_CURVE25519 + 1];               /* how many different ones can, SEVERAL_FIT at most */
};

/* A key of the set under one of its names. */
struct key_name {
    const char *text;
    size_t length;
    const struct set_key *key;
};

/* For checks of keys, on the CPU in one thread. NULL: there is none. */
gecc_context *key_context_open(void);

/* Are they one and the same? */
bool same_key(const struct key_file *a, const struct key_file *b);

/* A key more, all zeros; valid until the next one is added. NULL: no memory. */
struct set_key *key_set_add(struct key_set *set);

/* No more keys: their points are checked, thumbprints and names are made. NULL, or why not. */
const char *key_set_seal(struct key_set *set);

/* NULL, or why the first key is not the private one of the second. */
const char *key_pair_check(const struct key_file *private_key, const struct key_file *public_key);

/* The keys that have that name, be it their `kid` or thumbprint: names[0 .. *count - 1], one after another. */
const struct key_name *key_set_find(const struct key_set *set, const char *name, size_t length, size_t *count);

void key_set_free(struct key_set *set);

#endif
