/* Rows for every operation: well formed, malformed, and special cases. */
#include "generator.h"
#include "number.h"

typedef struct generator generator;

static const gecc_column *column_of(const struct wanted *wanted, int input) {
    return gecc_operation_input(wanted->operation, (size_t)input);
}

bool wanted_is(const struct wanted *wanted, const char *operation) {
    return strcmp(wanted->operation->name, operation) == 0;
}

gecc_kind wanted_kind(const struct wanted *wanted, int input) {
    const gecc_column *column = column_of(wanted, input);
    return column == NULL ? (gecc_kind)0 : column->kind;
}

bool wanted_uses(const struct wanted *wanted, int input) {
    const gecc_column *column = column_of(wanted, input);
    return column != NULL && (!column->is_optional || wanted->optional);
}

static void put_random(generator *g, int input, size_t width) {
    prng_bytes(g->prng, g->memory[input], width);
    g->cells[input].width = width;
}

static void put_small(generator *g, int input, size_t width, uint8_t value) {
    memset(g->memory[input], 0, width);
    g->memory[input][width - 1] = value;
    g->cells[input].width = width;
}

/* x || y in the format of the batch, or in any if its rows may differ. */
static void put_point(generator *g, int input, const uint8_t *raw) {
    gecc_point_format format = g->same_width ? g->format : (gecc_point_format)below(g, 3);
    size_t length = g->pool->length;
    uint8_t *to = g->memory[input];
    g->cells[input].width = gecc_point_bytes(g->pool->curve, format);
    switch (format) {
    case GECC_POINT_RAW:
        memcpy(to, raw, 2 * length);
        break;
    case GECC_POINT_COMPRESSED:
        to[0] = 2 | (raw[2 * length - 1] & 1);
        memcpy(to + 1, raw, length);
        break;
    default:
        to[0] = 4;
        memcpy(to + 1, raw, 2 * length);
    }
}

static void put_negative(generator *g, int input, const uint8_t *raw) {
    size_t length = g->pool->length;
    uint8_t negative[2 * LENGTH_MOST];
    memcpy(negative, raw, length);
    number_sub(negative + length, g->pool->p, raw + length, length);
    put_point(g, input, negative);
}

/* r || s, as the call wants it. */
static void put_signature(generator *g, int input, const uint8_t *raw) {
    size_t length = g->pool->length, sighash = (g->wanted.flags & GECC_SIGHASH_BYTE) != 0;
    uint8_t *to = g->memory[input];
    if ((g->wanted.flags & GECC_DER) == 0) {
        put(g, input, raw, 2 * length);
        to[2 * length] = 1;
        g->cells[input].width += sighash;
        return;
    }
    size_t width = der_signature(to, raw, length);
    to[width] = 1;
    g->cells[input].width = width + sighash;
}

static const uint8_t *key(const generator *g, size_t i) { return g->pool->keys + i * g->pool->length; }
static const uint8_t *point(const generator *g, size_t i) { return g->pool->points + 2 * i * g->pool->length; }
static const uint8_t *entry(const generator *g, const uint8_t *numbers, size_t i) {
    return numbers + i * g->pool->length;
}

static void put_digest(generator *g, int input, size_t i) {
    const bool any_width = wanted_kind(&g->wanted, input) == GECC_KIND_DIGEST;
    put(g, input, g->pool->digests + 64 * i, any_width ? g->pool->digest_widths[i] : 32);
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

static void negate(const generator *g, uint8_t *r, const uint8_t *a) { number_sub(r, g->pool->n, a, g->pool->length); }

/* The columns from `first` on: digest, signature, recovery id, of entry i. */
static void put_signed(generator *g, int first, size_t i) {
    size_t length = g->pool->length;
    uint8_t raw[2 * LENGTH_MOST], id = g->pool->ids[i];
    memcpy(raw, (wanted_is(&g->wanted, "sm2.verify") ? g->pool->sm2_signatures : g->pool->signatures) + 2 * length * i,
           2 * length);
    bool high = memcmp(raw + length, g->pool->half_n, length) > 0;
    if (g->wanted.flags & GECC_LOW_S && high && !one_in(g, 4)) {
        negate(g, raw + length, raw + length);
        id ^= 1;
    }
    put_digest(g, first, i);
    put_signature(g, first + 1, raw);
    if (wanted_is(&g->wanted, "ecdsa.recover"))
        put(g, first + 2, &id, 1);
}

/* Key, message and signature of entry i; with a sighash byte now and then, where the call has any. */
static void put_schnorr(generator *g, size_t i) {
    put(g, 0, point(g, i), g->pool->length);
    put(g, 1, g->pool->digests + 64 * i, g->pool->digest_widths[i]);
    put(g, 2, g->pool->bip340_signatures + 64 * i, 64);
    if ((g->wanted.flags & GECC_SIGHASH_BYTE) != 0 && !g->same_width && one_in(g, 2)) {
        g->memory[2][64] = (uint8_t)below(g, 4);
        g->cells[2].width = 65;
    }
}

/* v for a recovery id, in one of Ethereum's ways, where rows may differ of a width of its own. */
static size_t put_v(generator *g, uint8_t *to, uint8_t id) {
    static const uint8_t added[] = {0, 27, 37};
    size_t width = g->same_width || one_in(g, 2) ? 1 : 1 + (size_t)below(g, 32);
    memset(to, 0, width);
    to[width - 1] = (uint8_t)((id & 1) + added[below(g, 3)]);
    if (width > 1 && one_in(g, 2)) {
        to[0] |= (uint8_t)below(g, 256);
        to[width - 1] = (uint8_t)(to[width - 1] & 0xfe) | (to[0] != 0 ? (id & 1) ^ 1 : id & 1);
    }
    return width;
}

static size_t message_width(generator *g) {
    static const uint16_t edges[] = {0,   1,   55,  56,  57,  63,  64,  65,  111, 112, 113,
                                     119, 120, 127, 128, 129, 135, 136, 137, 255, 256, 272};
    if (g->same_width)
        return g->message_width;
    if (one_in(g, 3))
        return edges[below(g, sizeof edges / sizeof *edges)];
    return (size_t)(one_in(g, 200) ? below(g, 5000) : below(g, 300));
}

/* Digest and signature of entry i, which is r || s || v or three numbers; or a message with the signature. */
static void put_ethereum(generator *g, size_t i) {
    uint8_t raw[64], v[32], id = g->pool->ids[i];
    memcpy(raw, g->pool->signatures + 64 * i, 64);
    if (g->wanted.flags & GECC_LOW_S && memcmp(raw + 32, g->pool->half_n, 32) > 0 && !one_in(g, 4)) {
        negate(g, raw + 32, raw + 32);
        id ^= 1;
    }
    size_t width = put_v(g, v, id);
    if (wanted_kind(&g->wanted, 0) == GECC_KIND_MESSAGE)
        put_random(g, 0, message_width(g)); /* nearly every digest and signature have a key */
    else
        put(g, 0, g->pool->digests + 64 * i, 32);
    if (wanted_kind(&g->wanted, 1) == GECC_KIND_ETHEREUM_SIGNATURE) {
        put(g, 1, raw, 64);
        memcpy(g->memory[1] + 64, v, width);
        g->cells[1].width = 64 + width;
        return;
    }
    put(g, 1, raw, 32);
    put(g, 2, raw + 32, 32);
    put(g, 3, v, width);
}

static void put_any(generator *g, int input, gecc_kind kind) {
    size_t i;
    switch (kind) {
    case GECC_KIND_POINT:
        put_point(g, input, point(g, pick(g)));
        break;
    case GECC_KIND_PRIVATE_KEY:
    case GECC_KIND_NONCE:
        i = pick(g);
        put(g, input, g->pool->v == NULL || one_in(g, 2) ? key(g, i) : entry(g, g->pool->v, i), g->pool->length);
        break;
    case GECC_KIND_SCALAR:
        put_random(g, input, g->pool->length);
        break;
    case GECC_KIND_DIGEST:
    case GECC_KIND_SM2_DIGEST:
        put_digest(g, input, pick(g));
        prng_bytes(g->prng, g->memory[input], 16);
        break;
    case GECC_KIND_SM2_ID:
        put_random(g, input, g->same_width ? 16 : (size_t)below(g, one_in(g, 500) ? 8192 : 64));
        break;
    case GECC_KIND_MESSAGE:
        put_random(g, input, message_width(g));
        break;
    case GECC_KIND_X_ONLY_POINT:
        put(g, input, point(g, pick(g)), g->pool->length);
        break;
    case GECC_KIND_MERKLE_ROOT:
        put_random(g, input, g->same_width || !one_in(g, 3) ? 32 : 0);
        break;
    case GECC_KIND_ENTROPY:
    case GECC_KIND_AUXILIARY:
        put_random(g, input, 32);
        break;
    case GECC_KIND_RESIDUE:
        put_random(g, input, g->wanted.modulus_bytes);
        break;
    case GECC_KIND_EXPONENT:
        put_random(g, input, g->exponent_width);
        break;
    default:
        break;
    }
}

void generator_good(generator *g) {
    if (g->wanted.curve == GECC_CURVE25519) {
        curve25519_good(g);
    } else if (wanted_is(&g->wanted, "ecdsa.verify") || wanted_is(&g->wanted, "sm2.verify")) {
        size_t i = pick(g);
        put_point(g, 0, point(g, i));
        put_signed(g, 1, i);
    } else if (wanted_is(&g->wanted, "ecdsa.recover")) {
        put_signed(g, 0, pick(g));
    } else if (wanted_is(&g->wanted, "schnorr.verify")) {
        put_schnorr(g, pick(g));
    } else if (strncmp(g->wanted.operation->name, "ethereum.recover", 16) == 0) {
        put_ethereum(g, pick(g));
    } else {
        for (int input = 0; input < INPUTS; input++)
            if (wanted_uses(&g->wanted, input))
                put_any(g, input, wanted_kind(&g->wanted, input));
    }
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

static bool put_special(generator *g) {
    if (g->wanted.curve == GECC_CURVE25519)
        return curve25519_special(g);
    for (size_t i = 0; i < sizeof specials / sizeof *specials; i++)
        if (wanted_is(&g->wanted, specials[i].operation)) {
            specials[i].put(g);
            return true;
        }
    return false;
}

/* 0, 1, 2, all ones, or close to `modulus`, its half or `other`; NULL: there is none. */
static void boundary(generator *g, uint8_t *number, size_t width, const uint8_t *modulus, const uint8_t *other) {
    static const uint8_t zero[LENGTH_MOST]; /* no modulus is longer than a curve's */
    int offset = (int)below(g, 5) - 2;
    switch (below(g, 5)) {
    case 0:
        memset(number, 0xff, width);
        break;
    case 1:
        number_add_small(number, other != NULL ? other : modulus, offset, width);
        break;
    case 2:
        number_add_small(number, zero, (int)below(g, 3), width);
        break;
    case 3:
        memset(number, 0, width);
        number[below(g, width)] = (uint8_t)(1u << below(g, 8));
        break;
    default:
        number_add_small(number, modulus, offset, width);
    }
}

/* One number of a row, replaced. */
static void put_boundary(generator *g, int input, gecc_kind kind) {
    const struct pool *pool = g->pool;
    uint8_t raw[2 * LENGTH_MOST], *data = g->memory[input];
    struct cell *cell = &g->cells[input];
    if (curve25519_boundary(g, input, kind))
        return;
    switch (kind) {
    case GECC_KIND_POINT: {
        size_t prefix = cell->width % pool->length, numbers = (cell->width - prefix) / pool->length;
        boundary(g, data + prefix + pool->length * below(g, numbers), pool->length, pool->p, pool->n);
        break;
    }
    case GECC_KIND_SIGNATURE:
        memcpy(raw, pool->signatures, 2 * pool->length);
        boundary(g, raw + pool->length * below(g, 2), pool->length, pool->n, one_in(g, 2) ? pool->half_n : pool->p);
        put_signature(g, input, raw);
        break;
    case GECC_KIND_X_ONLY_POINT:
        boundary(g, data, pool->length, pool->p, pool->n);
        break;
    case GECC_KIND_ETHEREUM_SIGNATURE:
        if (cell->width == 65 && one_in(g, 2))
            data[64] = (uint8_t)below(g, one_in(g, 2) ? 40 : 256);
        else
            boundary(g, data + 32 * below(g, 2), 32, pool->n, one_in(g, 2) ? pool->half_n : pool->p);
        break;
    case GECC_KIND_ETHEREUM_NUMBER:
        if (input == 3)
            data[cell->width - 1] = (uint8_t)below(g, one_in(g, 2) ? 40 : 256);
        else
            boundary(g, data, cell->width, pool->n + 32 - cell->width, NULL);
        break;
    case GECC_KIND_DIGEST32:
        boundary(g, data, cell->width, pool->n + 32 - cell->width, NULL);
        break;
    case GECC_KIND_BIP340_SIGNATURE:
        boundary(g, data + pool->length * below(g, 2), pool->length, pool->n, pool->p);
        break;
    case GECC_KIND_PRIVATE_KEY:
    case GECC_KIND_NONCE:
    case GECC_KIND_SCALAR:
        boundary(g, data, pool->length, pool->n, one_in(g, 2) ? pool->half_n : pool->p);
        break;
    case GECC_KIND_DIGEST:
    case GECC_KIND_SM2_DIGEST:
        if (cell->width >= pool->length) {
            boundary(g, data, pool->length, pool->n, NULL);
            break;
        }
        memset(data, one_in(g, 2) ? 0xff : 0, cell->width);
        break;
    case GECC_KIND_RESIDUE:
        boundary(g, data, g->wanted.modulus_bytes, g->wanted.modulus, NULL);
        break;
    case GECC_KIND_EXPONENT:
        put_small(g, input, cell->width, (uint8_t)below(g, 3));
        break;
    case GECC_KIND_SM2_ID:
        if (!g->same_width)
            put_random(g, input, 8190 + (size_t)below(g, 4));
        break;
    default:
        put_random(g, input, cell->width);
    }
}

static void change_width(generator *g, int input) {
    static const int changes[] = {-3, -2, -1, 1, 2, 3};
    uint32_t *width = &g->cells[input].width;
    if (one_in(g, 5)) {
        *width = (uint32_t)below(g, 4);
        return;
    }
    int change = changes[below(g, 6)];
    if (change < 0 && *width < 3)
        return;
    if (change > 0)
        prng_bytes(g->prng, g->memory[input] + *width, 3);
    *width = (uint32_t)((int)*width + change);
}

static void flip_bit(generator *g, int input) {
    size_t width = g->cells[input].width;
    if (width != 0)
        g->memory[input][below(g, width)] ^= (uint8_t)(1u << below(g, 8));
}

/* Any of the first bytes, which hold the structure of an encoding. */
static void change_head(generator *g, int input) {
    size_t width = g->cells[input].width;
    if (width != 0)
        g->memory[input][below(g, width < 6 ? width : 6)] = (uint8_t)below(g, one_in(g, 2) ? 9 : 256);
}

static int any_input(generator *g) {
    int inputs[INPUTS], count = 0;
    for (int i = 0; i < INPUTS; i++)
        if (wanted_uses(&g->wanted, i))
            inputs[count++] = i;
    return inputs[below(g, (uint64_t)count)];
}

static void spoil(generator *g) {
    int input = any_input(g);
    gecc_kind kind = wanted_kind(&g->wanted, input);
    bool width_is_fixed = g->same_width || kind == GECC_KIND_EXPONENT;
    switch (below(g, 8)) {
    case 0:
        if (!width_is_fixed)
            change_width(g, input);
        break;
    case 1:
        flip_bit(g, input);
        break;
    case 2:
        change_head(g, input);
        break;
    case 3:
        put_random(g, input, g->cells[input].width);
        break;
    default:
        put_boundary(g, input, kind);
    }
}

void generator_start(generator *g, const struct pool *pool, struct wanted wanted, bool same_width, struct prng *prng) {
    g->pool = pool;
    g->wanted = wanted;
    g->prng = prng;
    g->same_width = same_width;
    g->in_turn = false;
    g->turn = 0;
    g->format = (gecc_point_format)below(g, 3);
    g->exponent_width = 1 + (size_t)below(g, 64);
    g->message_width = (size_t)below(g, 300);
    for (int i = 0; i < INPUTS; i++)
        g->cells[i] = (struct cell){g->memory[i], 0};
}

static void reverse(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count / 2; i++) {
        uint8_t first = bytes[i];
        bytes[i] = bytes[count - 1 - i];
        bytes[count - 1 - i] = first;
    }
}

/* The row's numbers as GECC_LITTLE_ENDIAN has them. */
static void make_little_endian(generator *g) {
    for (int i = 0; i < INPUTS; i++) {
        size_t length = g->pool == NULL ? 0 : g->pool->length, width = g->cells[i].width;
        gecc_kind kind = wanted_kind(&g->wanted, i);
        bool point = kind == GECC_KIND_POINT, der = (g->wanted.flags & GECC_DER) != 0;
        if (kind == GECC_KIND_PRIVATE_KEY || kind == GECC_KIND_NONCE || kind == GECC_KIND_SCALAR ||
            kind == GECC_KIND_RESIDUE || kind == GECC_KIND_EXPONENT) {
            reverse(g->memory[i], width);
        } else if ((point || (kind == GECC_KIND_SIGNATURE && !der)) && width == 2 * length) {
            reverse(g->memory[i], length);
            reverse(g->memory[i] + length, length);
        }
    }
}

static void choose_row(generator *g, bool exceptional) {
    generator_good(g);
    if (!exceptional && one_in(g, 8))
        flip_bit(g, any_input(g));
    if (!exceptional)
        return;
    if (one_in(g, 2) && put_special(g))
        return;
    spoil(g);
}

void generator_next(generator *g, bool exceptional) {
    choose_row(g, exceptional);
    if ((g->wanted.flags & GECC_LITTLE_ENDIAN) != 0)
        make_little_endian(g);
}
