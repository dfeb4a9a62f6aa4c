/* Rows for every operation: well formed, malformed, and special cases. */
#include "put.h"

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

void put_random(generator *g, int input, size_t width) {
    prng_bytes(g->prng, g->memory[input], width);
    g->cells[input].width = width;
}

uint32_t point_encode(const struct pool *pool, uint8_t *to, const uint8_t *raw, gecc_point_format format) {
    const size_t length = pool->length;
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
    return (uint32_t)gecc_point_bytes(pool->curve, format);
}

void put_point(generator *g, int input, const uint8_t *raw) {
    gecc_point_format format = g->same_width ? g->format : (gecc_point_format)below(g, 3);
    g->cells[input].width = point_encode(g->pool, g->memory[input], raw, format);
}

void put_signature(generator *g, int input, const uint8_t *raw) {
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

void put_digest(generator *g, int input, size_t i) {
    const bool any_width = wanted_kind(&g->wanted, input) == GECC_KIND_DIGEST;
    put(g, input, g->pool->digests + 64 * i, any_width ? g->pool->digest_widths[i] : 32);
}

void put_signed(generator *g, int first, size_t i) {
    size_t length = g->pool->length;
    uint8_t raw[2 * LENGTH_MOST], id = g->pool->ids[i];
    memcpy(raw, (wanted_is(&g->wanted, "sm2.verify") ? g->pool->sm2_signatures : g->pool->signatures) + 2 * length * i,
           2 * length);
    bool high = memcmp(raw + length, g->pool->half_n, length) > 0;
    if (g->wanted.flags & GECC_LOW_S && high) {
        negate(g, raw + length, raw + length);
        id ^= 1;
    }
    put_digest(g, first, i);
    put_signature(g, first + 1, raw);
    if (wanted_is(&g->wanted, "ecdsa.recover"))
        put(g, first + 2, &id, 1);
}

void put_schnorr(generator *g, size_t i) {
    put(g, 0, point(g, i), g->pool->length);
    put(g, 1, g->pool->messages + g->pool->message_stride * i, g->pool->message_widths[i]);
    put(g, 2, g->pool->bip340_signatures + 64 * i, 64);
    if ((g->wanted.flags & GECC_SIGHASH_BYTE) != 0 && !g->same_width && one_in(g, 2)) {
        g->memory[2][64] = (uint8_t)(1 + below(g, 255));
        g->cells[2].width = 65;
    }
}

/* v for a recovery id, in one of Ethereum's ways, where rows may differ of more bytes than it needs. */
static size_t put_v(generator *g, uint8_t *to, uint8_t id) {
    static const uint8_t added[] = {0, 27, 37};
    const size_t most = g->same_width ? 1 : 1 + (size_t)below(g, 32), which = (size_t)below(g, 4);
    const uint8_t parity = id & 1;
    if (which < 3) {
        const size_t width = one_in(g, 4) ? most : 1;
        memset(to, 0, width);
        to[width - 1] = parity + added[which];
        return width;
    }
    prng_bytes(g->prng, to, most); /* 35 or more, odd where the parity is even */
    if (most == 1)
        to[0] = (to[0] & 0x7f) | 0x40;
    else
        to[0] |= 1;
    to[most - 1] = (uint8_t)((to[most - 1] & 0xfe) | (parity ^ 1));
    return most;
}

uint32_t any_message_width(struct prng *prng, uint32_t bound) {
    static const uint16_t edges[] = {0,   1,   55,  56,  57,  63,  64,  65,  111, 112, 113,
                                     119, 120, 127, 128, 129, 135, 136, 137, 255, 256, 272};
    if (prng_below(prng, 3) == 0)
        return edges[prng_below(prng, sizeof edges / sizeof *edges)];
    return (uint32_t)prng_below(prng, bound);
}

static size_t message_width(generator *g) {
    return g->same_width ? g->message_width : any_message_width(g->prng, one_in(g, 200) ? 5000 : 300);
}

/* The 32 bytes; where rows may differ without leading zeros, but with one byte at least, now and then as they are. */
static void put_stripped(generator *g, int input, const uint8_t *number) {
    size_t zeros = 0;
    while (!g->same_width && zeros < 31 && number[zeros] == 0 && !one_in(g, 8))
        zeros++;
    put(g, input, number + zeros, 32 - zeros);
}

/* Digest and signature of entry i, which is r || s || v or three numbers; or a message with the signature. */
static void put_ethereum(generator *g, size_t i) {
    uint8_t raw[64], v[32], id = g->pool->ids[i];
    memcpy(raw, g->pool->signatures + 64 * i, 64);
    if (g->wanted.flags & GECC_LOW_S && memcmp(raw + 32, g->pool->half_n, 32) > 0) {
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
    put_stripped(g, 1, raw);
    put_stripped(g, 2, raw + 32);
    put(g, 3, v, width);
}

/* As many points as there are scalars, in one format. */
static void put_points(generator *g, int input) {
    const gecc_point_format format = g->same_width ? g->format : (gecc_point_format)below(g, 3);
    size_t width = 0;
    for (size_t i = 0; i < g->terms; i++)
        width += point_encode(g->pool, g->memory[input] + width, point(g, pick(g)), format);
    g->cells[input].width = width;
}

/* Of the pool's ciphertext i, in the format that is wanted. */
static void put_ciphertext(generator *g, int input, size_t i) {
    const uint8_t *raw = g->pool->sm2_ciphertexts + CIPHERTEXT_MOST * i, *c3 = raw + 65, *c2 = c3 + 32;
    const size_t width = g->pool->sm2_text_widths[i];
    uint8_t *to = g->memory[input];
    size_t used;
    if ((g->wanted.flags & GECC_DER) != 0) {
        used = 3; /* of texts up to TEXT_MOST bytes the SEQUENCE has 128 to 255, or fewer */
        used += der_integer(to + used, raw + 1, 32);
        used += der_integer(to + used, raw + 33, 32);
        to[used++] = 4;
        to[used++] = 32;
        memcpy(to + used, c3, 32);
        used += 32;
        to[used++] = 4;
        to[used++] = (uint8_t)width;
        memcpy(to + used, c2, width);
        used += width;
        const size_t head = used - 3 >= 128 ? 3 : 2;
        memmove(to + head, to + 3, used - 3);
        to[0] = 0x30;
        to[1] = 0x81;
        to[head - 1] = (uint8_t)(used - 3);
        g->cells[input].width = (uint32_t)(used - 3 + head);
        return;
    }
    const bool last = (g->wanted.flags & GECC_C1C2C3) != 0;
    used = point_encode(g->pool, to, raw + 1, g->wanted.format);
    memcpy(to + used + (last ? width : 0), c3, 32);
    memcpy(to + used + (last ? 0 : 32), c2, width);
    g->cells[input].width = (uint32_t)(used + 32 + width);
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
    case GECC_KIND_SCALARS:
        g->terms = g->same_width ? 1 : (size_t)below(g, TERMS_MOST + 1);
        put_random(g, input, g->terms * g->pool->length);
        break;
    case GECC_KIND_POINTS:
        put_points(g, input);
        break;
    case GECC_KIND_DIGEST:
    case GECC_KIND_SM2_DIGEST:
        put_digest(g, input, pick(g));
        prng_bytes(g->prng, g->memory[input], 16);
        break;
    case GECC_KIND_SM2_ID:
        put_random(g, input, g->same_width ? 16 : (size_t)below(g, one_in(g, 100) ? 8192 : 64));
        break;
    case GECC_KIND_MESSAGE:
        put_random(g, input, message_width(g));
        break;
    case GECC_KIND_PLAINTEXT:
        put_random(g, input, g->same_width ? TEXT_MOST : 1 + (size_t)below(g, one_in(g, 8) ? 300 : TEXT_MOST));
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
        put_random(g, input, g->wanted.modulus.bytes);
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
    } else if (wanted_is(&g->wanted, "sm2.decrypt")) {
        size_t i = pick(g);
        put(g, 0, key(g, i), g->pool->length);
        put_ciphertext(g, 1, i);
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
        } else if (kind == GECC_KIND_SCALARS || (kind == GECC_KIND_POINTS && width == 2 * length * g->terms)) {
            for (size_t at = 0; at + length <= width; at += length)
                reverse(g->memory[i] + at, length);
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
    if (one_in(g, 2) && generator_special(g))
        return;
    generator_spoil(g);
}

void generator_next(generator *g, bool exceptional) {
    choose_row(g, exceptional);
    if ((g->wanted.flags & GECC_LITTLE_ENDIAN) != 0)
        make_little_endian(g);
}
