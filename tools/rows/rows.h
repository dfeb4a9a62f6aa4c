/* Rows of every operation, on the public headers alone: good ones from a pool of keys, special and malformed ones. */
#ifndef TOOLS_ROWS_ROWS_H
#define TOOLS_ROWS_ROWS_H

#include "cell.h"

#include <gecc/gecc.h>

#include <stdbool.h>
#include <string.h>

enum {
    INPUTS = 6, /* the most of an operation */
    LENGTH_MOST = GECC_CURVE_BYTES_MOST,
    TERMS_MOST = 5,
    CELL_BYTES_MOST = 9000, /* an SM2 id has at most 8191, and wider ones are refused */
    MODULUS_BYTES_MOST = 64
};

/* What rows are for. */
struct wanted {
    const gecc_operation *operation;
    gecc_curve curve; /* 0: of an operation without one */
    uint32_t flags;
    bool optional; /* inputs that may be left out are there */
    gecc_modulus modulus;
    gecc_point_format format; /* of C1 of ciphertexts */
};

/* Is it that operation? */
bool wanted_is(const struct wanted *wanted, const char *operation);
/* What the rows of an input are; 0: there is none. */
gecc_kind wanted_kind(const struct wanted *wanted, int input);
bool wanted_uses(const struct wanted *wanted, int input);

/* Numbers of a curve, and rows made ahead by a context that is trusted, the CPU's. */
enum { POOL_MOST = 16384, TEXT_MOST = 100, CIPHERTEXT_MOST = 97 + TEXT_MOST };

struct pool {
    gecc_curve curve;
    size_t length, count;
    uint8_t p[LENGTH_MOST], n[LENGTH_MOST], half_n[LENGTH_MOST];
    uint8_t *keys, *points;     /* d, and x || y of d G; the first `signers`, again and again */
    uint8_t *digests;           /* [count][64], of digest_widths[i] bytes; of 32 where i is even */
    uint32_t *digest_widths;    /* [count] */
    size_t message_stride;      /* on secp256k1 and Curve25519: */
    uint8_t *messages;          /* [count][message_stride], of message_widths[i] bytes, likewise */
    uint32_t *message_widths;   /* [count] */
    uint8_t *signatures, *ids;  /* ECDSA's r || s of digest i by key i, and recovery ids */
    uint8_t *sm2_signatures;    /* on SM2, of the first 32 bytes of the digest */
    uint8_t *sm2_ciphertexts;   /* on SM2, [count][CIPHERTEXT_MOST], C1 || C3 || C2 to key i, C1 uncompressed, */
    uint32_t *sm2_text_widths;  /* [count], C2 of so many bytes, 32 where i is even */
    uint8_t *bip340_signatures; /* on secp256k1, of the message; [count][64] */
    uint8_t *v, *vd, *rd, *xd;  /* random v; v d, r d, x(d G) d mod n; NULL where it is plain */
    size_t wide_count;          /* signatures whose R has x >= n */
    uint8_t *wide_keys, *wide_signatures; /* of the digest 5a 5a ..., 32 bytes */
    uint8_t *ed25519_signatures[4];       /* of the message, by pool_way */
};

/* On Curve25519 there are seeds, which are X25519's private keys too, in `keys`; Ed25519's public key || X25519's in
 * `points`; contexts of pool_context_width(i) bytes in `v`, constants, messages and signatures. */
static inline size_t pool_context_width(size_t i) { return i % 2 == 0 ? 16 : i % 33; }
static inline unsigned pool_way(bool prehash, bool has_context) {
    return (unsigned)prehash + 2 * (unsigned)has_context;
}

static inline const uint8_t *pool_key(const struct pool *pool, size_t i) { return pool->keys + i * pool->length; }
static inline const uint8_t *pool_point(const struct pool *pool, size_t i) {
    return pool->points + 2 * i * pool->length;
}
/* x || y, [2 length], in the format; its width is returned. */
uint32_t point_encode(const struct pool *pool, uint8_t *to, const uint8_t *raw, gecc_point_format format);

/* p, of gecc_curve_bytes. */
void curve_prime(uint8_t *p, gecc_curve curve);

/* signers: how many keys there are, not 0. plain: all digests have 32 bytes and are the messages, too, and there is
 * nothing but rows that have a result. curve 0: for operations without one. */
struct pool *pool_new(gecc_context *trusted, gecc_curve curve, size_t count, size_t signers, bool plain,
                      struct prng *prng);
void pool_free(struct pool *pool);
/* Has the context operations on Curve25519? */
bool has_curve25519(gecc_context *context);

struct generator {
    const struct pool *pool; /* NULL: for operations without a curve */
    struct wanted wanted;
    struct prng *prng;
    bool same_width; /* rows of a column have one width, DER signatures excepted */
    bool in_turn;    /* take the pool's entries one after the other */
    size_t turn;
    gecc_point_format format;
    size_t exponent_width, message_width;
    size_t terms; /* of the row, if it is a group: at most TERMS_MOST */
    struct cell cells[INPUTS];
    uint8_t memory[INPUTS][CELL_BYTES_MOST];
};

void generator_start(struct generator *generator, const struct pool *pool, struct wanted wanted, bool same_width,
                     struct prng *prng);
/* The next row, in generator->cells. exceptional: a boundary value, a malformed row or a special case; otherwise one
 * that is well formed, now and then with a bit changed. */
void generator_next(struct generator *generator, bool exceptional);

/* The next row, which has a result. */
void generator_good(struct generator *generator);
/* A special case of the operation as the next row; false: it has none. */
bool generator_special(struct generator *generator);
/* A defect, or what is close to one, in a column of the row that is in generator->cells; data is NULL where the row has
 * none. */
void generator_spoil(struct generator *generator);

/* A number below `bound`, and whether it is 0. */
static inline uint64_t below(struct generator *g, uint64_t bound) { return prng_below(g->prng, bound); }
static inline bool one_in(struct generator *g, uint64_t bound) { return below(g, bound) == 0; }
/* An entry of the pool whose digest has a width that the batch takes. */
static inline size_t pick(struct generator *g) {
    const size_t i = g->in_turn ? g->turn++ % g->pool->count : (size_t)below(g, g->pool->count);
    return g->same_width && !g->in_turn ? i & ~(size_t)1 : i;
}
/* The row's cell of a column. */
static inline void put(struct generator *g, int input, const uint8_t *data, size_t width) {
    memcpy(g->memory[input], data, width);
    g->cells[input].width = (uint32_t)width;
}

/* Of operations on Curve25519: a well formed row; a boundary value in a column, and a special case: false where there
 * are none. */
void curve25519_good(struct generator *g);
bool curve25519_boundary(struct generator *g, int input, gecc_kind kind);
bool curve25519_special(struct generator *g);

#endif
