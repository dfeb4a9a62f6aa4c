/* Keys as the provider has them. A key on a curve that gecc has is some bytes; of any other key (P-224, explicit
 * parameters, ...) the provider holds one of another provider, which then does all that is asked of it. */
#ifndef PROVIDER_KEY_H
#define PROVIDER_KEY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "engine.h"

struct key_type {
    const char *name;      /* OpenSSL's */
    gecc_curve curve;      /* the only one; 0: any of Weierstrass form but SM2's */
    const char *digest;    /* that signatures are made with where nobody names one; NULL: none */
    const char *signature; /* the operations that such keys are for; NULL: none */
    const char *exchange;
    enum engine_operation public_key;
};

extern const struct key_type key_ec, key_sm2, key_ed25519, key_x25519;

#define KEY_PUBLIC_MOST (1 + 2 * GECC_CURVE_BYTES_MOST)

struct key {
    struct provider *provider;
    const struct key_type *type;
    atomic_uint references;
    gecc_curve curve; /* 0: no key yet, or it is `other` alone */
    bool has_public;
    uint8_t public_key[KEY_PUBLIC_MOST]; /* 04 || x || y, or 32 bytes on Curve25519 */
    uint8_t *private_key;                /* L bytes on OpenSSL's secure heap; NULL: there is none */
    const char *point_format;            /* how it is to be written; OpenSSL's name, or NULL */
    int leaves_out_public;               /* when it is written */
    pthread_mutex_t lock;                /* of `other` where there is a curve: */
    EVP_PKEY *other;                     /* the same key of another provider; NULL: nobody has asked for it yet */
};

struct key *key_new(struct provider *provider, const struct key_type *type);
struct key *key_share(struct key *key);
void key_free(struct key *key);
/* A key with the parts of this one that the selection (OSSL_KEYMGMT_SELECT_...) names. */
struct key *key_copy(struct key *key, int selection);

/* Is it nothing but `other`? */
static inline bool key_is_foreign(const struct key *key) { return key->curve == 0 && key->other != NULL; }
/* The key of another provider that is this key; NULL, and an error is raised: there is none. */
EVP_PKEY *key_other(struct key *key);
/* From now on the key is `other` alone, with these parameters. 0: `other` refuses them, and the key is as before. */
int key_become_foreign(struct key *key, const OSSL_PARAM params[]);

/* What OpenSSL calls the curve. */
const char *key_group_name(gecc_curve curve);
/* The curve of that name, if keys of this type can be on it, else 0. */
gecc_curve key_curve_named(const struct key_type *type, const char *name);

/* The width of a public key on the curve. */
size_t key_public_bytes(gecc_curve curve);
/* Take the encoding of a point, or 32 bytes on Curve25519. 0: it is none; `private_key` stays. */
int key_set_public(struct key *key, const uint8_t *encoding, size_t bytes);
/* public_key = that of the private key. The row's status. */
gecc_item key_compute_public(const struct key *key, uint8_t public_key[KEY_PUBLIC_MOST]);
/* A private key at random, and its public key. */
int key_generate(struct key *key);

/* The key as OpenSSL's parameters, for OSSL_PARAM_free; NULL, and an error is raised. */
OSSL_PARAM *key_to_params(struct key *key, int selection);
/* How a key of Weierstrass form is to be written. 0, and nothing is taken: only another provider can hold it. */
int key_take_form(struct key *key, const OSSL_PARAM params[]);
/* Take the parts that the selection names from parameters. */
int key_from_params(struct key *key, int selection, const OSSL_PARAM params[]);

#endif
