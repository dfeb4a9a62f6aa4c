/* Rows of Ed25519 and X25519: well formed, at boundaries, and special. All numbers are little-endian. */
#include "put.h"

enum { BYTES = 32, CONTEXT_MOST = 255 };

static void put_context(struct generator *g, int input, size_t i) {
    if (wanted_uses(&g->wanted, input))
        put(g, input, g->pool->v + BYTES * i, pool_context_width(i));
}

/* The seed or private key of entry i, or any, as all bytes are one. */
static void put_secret(struct generator *g, size_t i) {
    if (g->in_turn || one_in(g, 2))
        put(g, 0, g->pool->keys + BYTES * i, BYTES);
    else
        put_random(g, 0, BYTES);
}

/* The seed, the message and the context of entry i; or its key, its message, its signature and its context. */
static void put_entry(struct generator *g, size_t i) {
    const struct pool *pool = g->pool;
    const uint8_t *message = pool->messages + pool->message_stride * i;
    if (wanted_is(&g->wanted, "ed25519.sign")) {
        put_secret(g, i);
        put(g, 1, message, pool->message_widths[i]);
        if (!g->same_width && one_in(g, 2))
            put_random(g, 1, any_message_width(g->prng, 300));
        put_context(g, 2, i);
        return;
    }
    const unsigned way = pool_way((g->wanted.flags & GECC_PREHASH) != 0, g->wanted.optional);
    put(g, 0, pool->points + 2 * BYTES * i, BYTES);
    put(g, 1, message, pool->message_widths[i]);
    put(g, 2, pool->ed25519_signatures[way] + 2 * BYTES * i, 2 * BYTES);
    put_context(g, 3, i);
}

void curve25519_good(struct generator *g) {
    const size_t i = pick(g);
    if (wanted_is(&g->wanted, "ed25519.sign") || wanted_is(&g->wanted, "ed25519.verify")) {
        put_entry(g, i);
        return;
    }
    put_secret(g, i);
    if (wanted_is(&g->wanted, "x25519")) {
        put(g, 1, g->pool->points + 2 * BYTES * pick(g) + BYTES, BYTES);
        if (!g->in_turn && one_in(g, 2))
            put_random(g, 1, BYTES);
    }
}

static void reversed(uint8_t *to, const uint8_t *from) {
    for (size_t i = 0; i < BYTES; i++)
        to[i] = from[BYTES - 1 - i];
}

/* A number close to 0, n or p, or that and 2^255. */
static void boundary(struct generator *g, uint8_t *number) {
    static const uint8_t zero[BYTES];
    const uint8_t *const near[] = {zero, g->pool->n, g->pool->p};
    uint8_t big_endian[BYTES];
    number_add_small(big_endian, near[below(g, 3)], (int)below(g, 43) - 21, BYTES);
    big_endian[0] ^= (uint8_t)(one_in(g, 2) << 7);
    reversed(number, big_endian);
}

bool curve25519_boundary(struct generator *g, int input, gecc_kind kind) {
    switch (kind) {
    case GECC_KIND_ED25519_SIGNATURE:
        boundary(g, g->memory[input] + (one_in(g, 2) ? BYTES : 0));
        return true;
    case GECC_KIND_SEED:
    case GECC_KIND_ED25519_PUBLIC_KEY:
    case GECC_KIND_X25519_PRIVATE_KEY:
    case GECC_KIND_X25519_PUBLIC_KEY:
        boundary(g, g->memory[input]);
        return true;
    case GECC_KIND_CONTEXT:
        if (!g->same_width) {
            g->cells[input].width = CONTEXT_MOST - 1 + below(g, 4);
            prng_bytes(g->prng, g->memory[input], g->cells[input].width);
        }
        return true;
    default:
        return false;
    }
}

/* y of the points of order 8 with 2 y^2 even or odd; their signs give four of them. The others have y = 1, -1 and 0. */
static const uint8_t eighth[2][BYTES] = {
    {0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
     0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05},
    {0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
     0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a}};

/* One of the encodings of points of small order, canonical or not, from number `first` on; from 2 on they also are
 * numbers u of small order. */
static void small_order(struct generator *g, uint8_t *encoding, unsigned first) {
    uint8_t big_endian[BYTES];
    const unsigned which = first + (unsigned)below(g, 7 - first);
    if (which < 2) {
        memcpy(encoding, eighth[which], BYTES);
    } else if (which < 4) {
        memset(encoding, 0, BYTES);
        encoding[0] = (uint8_t)(which - 2);
    } else {
        number_add_small(big_endian, g->pool->p, (int)which - 5, BYTES);
        reversed(encoding, big_endian);
    }
    encoding[BYTES - 1] ^= (uint8_t)(one_in(g, 2) << 7);
}

/* S + n, -A, -R; keys and R of small order, with S = 0. */
static void special_verify(struct generator *g) {
    uint8_t s[BYTES], *signature = g->memory[2];
    put_entry(g, pick(g));
    switch (below(g, 6)) {
    case 0:
        reversed(s, signature + BYTES);
        number_add(s, s, g->pool->n, BYTES);
        reversed(signature + BYTES, s);
        return;
    case 1:
        g->memory[0][BYTES - 1] ^= 0x80;
        return;
    case 2:
        signature[BYTES - 1] ^= 0x80;
        return;
    case 3:
        small_order(g, g->memory[0], 0);
        return;
    case 4:
        small_order(g, signature, 0);
        return;
    default:
        small_order(g, g->memory[0], 0);
        small_order(g, signature, 0);
        memset(signature + BYTES, 0, BYTES);
    }
}

/* u of small order: 0, 1, p - 1, those of the points of order 8, and numbers that are the same modulo p. */
static void special_exchange(struct generator *g) {
    static const uint8_t eighth_u[2][BYTES] = {
        {0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3, 0xfa, 0xf1, 0x9f, 0xc4, 0x6a,
         0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32, 0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0x00},
        {0x5f, 0x9c, 0x95, 0xbc, 0xa3, 0x50, 0x8c, 0x24, 0xb1, 0xd0, 0xb1, 0x55, 0x9c, 0x83, 0xef, 0x5b,
         0x04, 0x44, 0x5c, 0xc4, 0x58, 0x1c, 0x8e, 0x86, 0xd8, 0x22, 0x4e, 0xdd, 0xd0, 0x9f, 0x11, 0x57}};
    curve25519_good(g);
    if (one_in(g, 2))
        memcpy(g->memory[1], eighth_u[below(g, 2)], BYTES);
    else
        small_order(g, g->memory[1], 2);
}

bool curve25519_special(struct generator *g) {
    if (wanted_is(&g->wanted, "ed25519.verify"))
        special_verify(g);
    else if (wanted_is(&g->wanted, "x25519"))
        special_exchange(g);
    else
        return false;
    return true;
}
