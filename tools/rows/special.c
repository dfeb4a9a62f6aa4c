/* Special cases of rows: equal and opposite points, sums that are infinity, results that are zero. */
#include "put.h"

static void put_negative(generator *g, int input, const uint8_t *raw) {
    size_t length = g->pool->length;
    uint8_t negative[2 * LENGTH_MOST];
    memcpy(negative, raw, length);
    number_sub(negative + length, g->pool->p, raw + length, length);
    put_point(g, input, negative);
}

enum { DIGEST_BYTES_MOST = 64 };

/* A number of L bytes as a digest; not where digests have 32 bytes and numbers do not, or numbers are longer than
 * digests. */
static bool put_number_digest(generator *g, int input, const uint8_t *number) {
    if ((g->same_width && g->pool->length != 32) || g->pool->length > DIGEST_BYTES_MOST)
        return false;
    put(g, input, number, g->pool->length);
    return true;
}

/* b = a, b = -a. */
static void special_add(generator *g) {
    size_t i = pick(g);
    put_point(g, 0, point(g, i));
    if (one_in(g, 2))
        put_point(g, 1, point(g, i));
    else
        put_negative(g, 1, point(g, i));
}

/* u G + v P with u G = +-v P, u = 0, v = 0, both. */
static void special_mul_add(generator *g) {
    size_t i = pick(g), length = g->pool->length;
    uint64_t choice = below(g, 6);
    put(g, 0, entry(g, g->pool->vd, i), length);
    put(g, 1, entry(g, g->pool->v, i), length);
    put_point(g, 2, point(g, i));
    if (choice < 2)
        negate(g, g->memory[0], g->memory[0]);
    if (choice == 2 || choice == 3)
        put_small(g, 0, length, 0);
    if (choice == 3 || choice == 4)
        put_small(g, 1, length, 0);
}

/* R = infinity (e = -r d), u G = v Q (e = r d), x of R not less than n, the other s. */
static void special_verify(generator *g) {
    size_t i = pick(g), length = g->pool->length;
    uint8_t number[2 * LENGTH_MOST];
    uint64_t choice = below(g, 4);
    const uint8_t *signature = g->pool->signatures + 2 * length * i;
    put_point(g, 0, point(g, i));
    put_signed(g, 1, i);
    if (choice < 2) {
        memcpy(number, entry(g, g->pool->rd, i), length);
        if (choice == 0)
            negate(g, number, number);
        put_number_digest(g, 1, number);
    } else if (choice == 2) {
        memcpy(number, signature, 2 * length);
        negate(g, number + length, number + length);
        put_signature(g, 2, number);
    } else if (g->pool->wide_count != 0) {
        size_t wide = (size_t)below(g, g->pool->wide_count);
        put_point(g, 0, g->pool->wide_keys + 2 * length * wide);
        memset(g->memory[1], 0x5a, 32);
        g->cells[1].width = 32;
        put_signature(g, 2, g->pool->wide_signatures + 2 * length * wide);
    }
}

/* s R = +-e G; a small r, whose x may be r + n; another recovery id. */
static void special_recover(generator *g) {
    size_t i = pick(g), length = g->pool->length;
    uint8_t number[2 * LENGTH_MOST], id = (uint8_t)below(g, 6);
    uint64_t choice = below(g, 4);
    put_signed(g, 0, i);
    if (choice < 2) {
        memcpy(number, entry(g, g->pool->vd, i), length);
        if (choice == 0)
            negate(g, number, number);
        if (!put_number_digest(g, 0, number))
            return;
        memcpy(number, point(g, i), length);
        memcpy(number + length, entry(g, g->pool->v, i), length);
        id = point(g, i)[2 * length - 1] & 1;
        put_signature(g, 1, number);
    } else if (choice == 2) {
        memset(number, 0, length);
        number[length - 1] = (uint8_t)below(g, 256);
        memcpy(number + length, entry(g, g->pool->v, i), length);
        put_signature(g, 1, number);
    }
    put(g, 2, &id, 1);
}

/* s = 0: e = -r d, where r is the key's own x. */
static void special_sign_nonce(generator *g) {
    size_t i = pick(g), length = g->pool->length;
    uint8_t number[LENGTH_MOST];
    negate(g, number, entry(g, g->pool->xd, i));
    if (!put_number_digest(g, 1, number))
        return;
    put(g, 0, key(g, i), length);
    put(g, 2, key(g, i), length);
}

/* With k = d: r = 0 (e = -x), r + k = n (e = -x - k), s = 0 (r = 1: e = 1 - x). */
static void special_sm2_sign_nonce(generator *g) {
    size_t i = pick(g), length = g->pool->length;
    uint8_t x[LENGTH_MOST], e[LENGTH_MOST], one[LENGTH_MOST] = {0};
    const uint8_t *n = g->pool->n;
    uint64_t choice = below(g, 3);
    one[length - 1] = 1;
    memcpy(x, point(g, i), length);
    number_reduce(x, n, length);
    negate(g, e, x);
    if (choice == 1)
        number_sub_modulo(e, e, key(g, i), n, length);
    else if (choice == 2)
        number_sub_modulo(e, one, x, n, length);
    put(g, 0, key(g, i), length);
    put(g, 1, e, length);
    put(g, 2, key(g, i), length);
}

/* r + s = n; s G = +-t P, where t = r + s. */
static void special_sm2_verify(generator *g) {
    size_t i = pick(g), length = g->pool->length;
    uint8_t raw[2 * LENGTH_MOST];
    const uint8_t *n = g->pool->n;
    uint64_t choice = below(g, 3);
    memcpy(raw, g->pool->sm2_signatures + 2 * length * i, 2 * length);
    if (choice == 0) {
        negate(g, raw + length, raw);
    } else {
        memcpy(raw + length, entry(g, g->pool->vd, i), length);
        if (choice == 1)
            negate(g, raw + length, raw + length);
        number_sub_modulo(raw, entry(g, g->pool->v, i), raw + length, n, length);
    }
    put_point(g, 0, point(g, i));
    put_digest(g, 1, i);
    put_signature(g, 2, raw);
}

/* s or r replaced by n - s, the nonce v, the key's x; another key. */
static void special_schnorr_verify(generator *g) {
    size_t i = pick(g), length = g->pool->length;
    uint64_t choice = below(g, 4);
    put_schnorr(g, i);
    if (choice == 0)
        negate(g, g->memory[2] + length, g->memory[2] + length);
    else if (choice == 1)
        memcpy(g->memory[2] + length, entry(g, g->pool->v, i), length);
    else if (choice == 2)
        memcpy(g->memory[2], point(g, i), length);
    else
        put(g, 0, point(g, pick(g)), length);
}

/* What makes special cases of an operation's rows. */
static const struct {
    const char *operation;
    void (*put)(generator *g);
} specials[] = {{"ec.add", special_add},
                {"ec.mul_add", special_mul_add},
                {"ecdsa.verify", special_verify},
                {"ecdsa.recover", special_recover},
                {"ecdsa.sign_with_dangerous_nonce", special_sign_nonce},
                {"sm2.sign_with_dangerous_nonce", special_sm2_sign_nonce},
                {"sm2.verify", special_sm2_verify},
                {"schnorr.verify", special_schnorr_verify}};

bool generator_special(struct generator *g) {
    if (g->wanted.curve == GECC_CURVE25519)
        return curve25519_special(g);
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (wanted_is(&g->wanted, specials[i].operation)) {
            specials[i].put(g);
            return true;
        }
    return false;
}
