/* Test: needs libcrypto */
#include "generate.h"

#include "curve/sizes.h"
#include "curve25519.h"

#include <string.h>

static BIGNUM *random_scalar(const struct reference_curve *curve, struct prng *prng) {
    uint8_t bytes[GECC_CURVE_BYTES_MOST + 16];
    prng_bytes(prng, bytes, curve->length + 16);
    BIGNUM *value = BN_bin2bn(bytes, (int)curve->length + 16, NULL);
    REQUIRE(value && BN_nnmod(value, value, curve->n, reference_bn()));
    if (BN_is_zero(value)) {
        BN_one(value);
    }
    return value;
}

struct pool *pool_new(gecc_curve curve, struct prng *prng) {
    struct pool *pool = memory_new(1, sizeof *pool);
    if (!curve_is_weierstrass(curve)) {
        return pool;
    }
    pool->curve = reference_curve(curve);
    EC_POINT *point = EC_POINT_new(pool->curve->group);
    for (int i = 0; i < POOL_KEYS; i++) {
        pool->d[i] = random_scalar(pool->curve, prng);
        REQUIRE(EC_POINT_mul(pool->curve->group, point, pool->d[i], NULL, NULL, reference_bn()));
        REQUIRE(reference_point_encode(pool->curve, GECC_POINT_RAW, point, pool->raw[i]));
    }
    EC_POINT_free(point);
    return pool;
}

void pool_free(struct pool *pool) {
    for (int i = 0; i < POOL_KEYS; i++) {
        BN_free(pool->d[i]);
    }
    free(pool);
}

struct cell pool_point(const struct pool *pool, size_t index, gecc_point_format format, struct arena *arena) {
    size_t length = pool->curve->length;
    uint8_t bytes[1 + 2 * GECC_CURVE_BYTES_MOST] = {4};
    memcpy(bytes + 1, pool->raw[index], 2 * length);
    if (format == GECC_POINT_RAW) {
        return arena_copy(arena, bytes + 1, 2 * length);
    }
    if (format == GECC_POINT_COMPRESSED) {
        bytes[0] = 2 | (bytes[2 * length] & 1);
        return arena_copy(arena, bytes, 1 + length);
    }
    return arena_copy(arena, bytes, 1 + 2 * length);
}

static struct cell x_only(const struct pool *pool, size_t index, struct arena *arena) {
    return arena_copy(arena, pool->raw[index], pool->curve->length);
}

struct cell number_cell(const struct pool *pool, const BIGNUM *number, struct arena *arena) {
    uint8_t bytes[GECC_CURVE_BYTES_MOST];
    REQUIRE(BN_bn2binpad(number, bytes, (int)pool->curve->length) > 0);
    return arena_copy(arena, bytes, pool->curve->length);
}

struct cell boundary_cell(const struct pool *pool, enum boundary boundary, struct arena *arena) {
    const struct reference_curve *curve = pool->curve;
    static const int offset[BOUNDARIES] = {0, 1, 2, -1, 0, 1, 0, 1, -1, 0, 1, 0};
    const BIGNUM *base[BOUNDARIES] = {NULL,          NULL,          NULL,     curve->n, curve->n, curve->n,
                                      curve->half_n, curve->half_n, curve->p, curve->p, curve->p, NULL};
    if (boundary == BOUNDARY_ALL_ONES) {
        uint8_t ones[GECC_CURVE_BYTES_MOST];
        memset(ones, 0xff, sizeof ones);
        return arena_copy(arena, ones, curve->length);
    }
    BIGNUM *number = base[boundary] ? BN_dup(base[boundary]) : BN_new();
    REQUIRE(offset[boundary] < 0 ? BN_sub_word(number, 1) : BN_add_word(number, (BN_ULONG)offset[boundary]));
    struct cell cell = number_cell(pool, number, arena);
    BN_free(number);
    return cell;
}

static struct cell random_cell(size_t width, struct prng *prng, struct arena *arena) {
    uint8_t *bytes = arena_new(arena, width);
    prng_bytes(prng, bytes, width);
    return (struct cell){bytes, (uint32_t)width};
}

static gecc_point_format random_format(struct prng *prng) { return (gecc_point_format)prng_below(prng, 3); }

static struct cell good_point(const struct pool *pool, struct prng *prng, struct arena *arena) {
    return pool_point(pool, (size_t)prng_below(prng, POOL_KEYS), random_format(prng), arena);
}

/* Any integer of L bytes; short ones and boundaries now and then. */
static struct cell good_scalar(const struct pool *pool, struct prng *prng, struct arena *arena) {
    if (prng_below(prng, 4) == 0) {
        return boundary_cell(pool, (enum boundary)prng_below(prng, BOUNDARIES), arena);
    }
    struct cell cell = random_cell(pool->curve->length, prng, arena);
    if (prng_below(prng, 8) == 0) {
        memset(cell.data, 0, (size_t)prng_below(prng, cell.width));
    }
    return cell;
}

static struct cell good_digest(const struct call *call, struct prng *prng, struct arena *arena) {
    static const uint8_t usual[] = {20, 28, 32, 48, 64};
    int any_width = input_of_kind(call->operation, GECC_KIND_DIGEST) >= 0;
    size_t width = any_width ? (prng_below(prng, 4) ? usual[prng_below(prng, 5)] : 20 + prng_below(prng, 45)) : 32;
    struct cell cell = random_cell(width, prng, arena);
    uint64_t edge = prng_below(prng, 16);
    if (edge < 2) {
        memset(cell.data, edge ? 0xff : 0, width);
    }
    return cell;
}

/* s with r from the nonce's point, under key d: ECDSA's or SM2's equation. */
static void sign_with_pool(const struct pool *pool, const struct call *call, size_t key, size_t nonce,
                           struct cell digest, BIGNUM *r, BIGNUM *s) {
    const BIGNUM *n = pool->curve->n, *d = pool->d[key], *k = pool->d[nonce];
    BN_CTX *bn = reference_bn();
    BIGNUM *e = BN_new(), *t = BN_new();
    reference_digest_number(pool->curve, digest, e);
    BN_bin2bn(pool->raw[nonce], (int)pool->curve->length, r);
    if (call->operation == OPERATION_SM2_VERIFY) {
        REQUIRE(BN_mod_add(r, r, e, n, bn) && BN_mod_mul(t, r, d, n, bn) && BN_mod_sub(s, k, t, n, bn));
        REQUIRE(BN_copy(t, d) && BN_add_word(t, 1) && BN_mod_inverse(t, t, n, bn));
    } else {
        REQUIRE(BN_nnmod(r, r, n, bn) && BN_mod_mul(s, r, d, n, bn) && BN_mod_add(s, s, e, n, bn));
        REQUIRE(BN_mod_inverse(t, k, n, bn));
    }
    REQUIRE(BN_mod_mul(s, s, t, n, bn));
    BN_free(e);
    BN_free(t);
}

static struct cell signature_cell(const struct pool *pool, uint32_t flags, const BIGNUM *r, const BIGNUM *s,
                                  struct arena *arena) {
    uint8_t bytes[2 * GECC_CURVE_BYTES_MOST + 16];
    return arena_copy(arena, bytes, reference_signature_encode(pool->curve, flags, r, s, bytes));
}

/* A signature of digest by a key of the pool; gives the key's index and the recovery id. */
static struct cell good_signature(const struct pool *pool, const struct call *call, struct cell digest, size_t *key,
                                  uint8_t *recovery_id, struct prng *prng, struct arena *arena) {
    *key = (size_t)prng_below(prng, POOL_KEYS);
    size_t nonce = (size_t)prng_below(prng, POOL_KEYS);
    BIGNUM *r = BN_new(), *s = BN_new(), *x = BN_bin2bn(pool->raw[nonce], (int)pool->curve->length, NULL);
    sign_with_pool(pool, call, *key, nonce, digest, r, s);
    *recovery_id =
        (uint8_t)((pool->raw[nonce][2 * pool->curve->length - 1] & 1) | (BN_cmp(x, pool->curve->n) >= 0) << 1);
    if ((call->flags & GECC_LOW_S) && BN_cmp(s, pool->curve->half_n) > 0) {
        REQUIRE(BN_sub(s, pool->curve->n, s));
        *recovery_id ^= 1;
    }
    struct cell cell = signature_cell(pool, call->flags, r, s, arena);
    BN_free(r);
    BN_free(s);
    BN_free(x);
    return cell;
}

/* A v of each kind that stands for the parity; of more bytes than it needs, now and then. */
static struct cell good_v(uint8_t parity, struct prng *prng, struct arena *arena) {
    struct cell v = random_cell(1 + (size_t)prng_below(prng, 32), prng, arena);
    uint64_t kind = prng_below(prng, 4);
    if (kind == 0) {
        v.data[0] |= v.width > 1;
        v.data[v.width - 1] = (uint8_t)((v.data[v.width - 1] & (v.width == 1 ? 0x7e : 0xfe)) | (parity ^ 1));
        v.data[v.width - 1] |= v.width == 1 ? 64 : 0;
        return v;
    }
    v.width = prng_below(prng, 4) ? 1 : v.width;
    memset(v.data, 0, v.width);
    v.data[v.width - 1] = (uint8_t)(parity + (kind == 1 ? 27 : kind == 2 ? 37 : 0));
    return v;
}

/* The number without leading zeros, but with one byte at least; as it is, now and then. */
static struct cell stripped(struct cell number, struct prng *prng) {
    while (number.width > 1 && number.data[0] == 0 && prng_below(prng, 8)) {
        number.data++;
        number.width--;
    }
    return number;
}

/* A digest's or a message's signature as Ethereum writes it, in one column or in three. */
static void good_ethereum_row(const struct pool *pool, const struct call *call, struct row *row, struct prng *prng,
                              struct arena *arena) {
    const size_t length = pool->curve->length;
    size_t key;
    uint8_t parity;
    uint8_t hash[32];
    struct cell digest = row->in[0];
    if (call->operation == OPERATION_ETHEREUM_RECOVER_MESSAGE) {
        reference_keccak256(digest.data, digest.width, hash);
        digest = (struct cell){hash, sizeof hash};
    }
    struct cell made = good_signature(pool, call, digest, &key, &parity, prng, arena);
    struct cell v = good_v(parity & 1, prng, arena);
    if (call->operation == OPERATION_ETHEREUM_RECOVER_COLUMNS) {
        row->in[1] = stripped((struct cell){made.data, (uint32_t)length}, prng);
        row->in[2] = stripped((struct cell){made.data + length, (uint32_t)length}, prng);
        row->in[3] = v;
    } else {
        row->in[1] = random_cell(2 * length + v.width, prng, arena);
        memcpy(row->in[1].data, made.data, 2 * length);
        memcpy(row->in[1].data + 2 * length, v.data, v.width);
    }
}

/* s = k + e d with R = k G and P = d G of even y's: a BIP-340 signature of the message by a key of the pool, sometimes
 * with a sighash byte where the flags allow one. */
static struct cell good_bip340_signature(const struct pool *pool, const struct call *call, struct cell message,
                                         size_t key, struct prng *prng, struct arena *arena) {
    const struct reference_curve *curve = pool->curve;
    size_t nonce = (size_t)prng_below(prng, POOL_KEYS);
    BIGNUM *e = BN_new(), *k = BN_dup(pool->d[nonce]);
    uint8_t bytes[65];
    reference_challenge(curve, pool->raw[nonce], pool->raw[key], message, e);
    REQUIRE(BN_mod_mul(e, e, pool->d[key], curve->n, reference_bn()));
    if (pool->raw[key][63] & 1) {
        REQUIRE(BN_mod_sub(e, curve->n, e, curve->n, reference_bn()));
    }
    if (pool->raw[nonce][63] & 1) {
        REQUIRE(BN_sub(k, curve->n, k));
    }
    REQUIRE(BN_mod_add(e, e, k, curve->n, reference_bn()));
    memcpy(bytes, pool->raw[nonce], 32);
    REQUIRE(BN_bn2binpad(e, bytes + 32, 32) > 0);
    bytes[64] = (uint8_t)(1 + prng_below(prng, 255));
    BN_free(e);
    BN_free(k);
    return arena_copy(arena, bytes, call->flags & GECC_SIGHASH_BYTE && prng_below(prng, 2) ? 65 : 64);
}

/* Rows of a column: of 32 bytes, or empty. */
static struct cell good_merkle_root(struct prng *prng, struct arena *arena) {
    return random_cell(prng_below(prng, 3) ? 32 : 0, prng, arena);
}

static struct cell good_message(struct prng *prng, struct arena *arena) {
    return random_cell(prng_below(prng, 3) ? (size_t)prng_below(prng, 300) : 32, prng, arena);
}

static struct cell good_cell(const struct pool *pool, const struct call *call, gecc_kind kind, struct prng *prng,
                             struct arena *arena) {
    switch (kind) {
    case GECC_KIND_POINT:
        return good_point(pool, prng, arena);
    case GECC_KIND_PRIVATE_KEY:
    case GECC_KIND_NONCE:
        return number_cell(pool, pool->d[prng_below(prng, POOL_KEYS)], arena);
    case GECC_KIND_SCALAR:
        return good_scalar(pool, prng, arena);
    case GECC_KIND_DIGEST:
    case GECC_KIND_SM2_DIGEST:
    case GECC_KIND_DIGEST32:
        return good_digest(call, prng, arena);
    case GECC_KIND_SM2_ID:
        return random_cell((size_t)prng_below(prng, prng_below(prng, 8) ? 64 : 8192), prng, arena);
    case GECC_KIND_MESSAGE:
        return good_message(prng, arena);
    case GECC_KIND_X_ONLY_POINT:
        return x_only(pool, (size_t)prng_below(prng, POOL_KEYS), arena);
    case GECC_KIND_MERKLE_ROOT:
        return good_merkle_root(prng, arena);
    case GECC_KIND_RESIDUE:
        return random_cell(call->modulus.bytes, prng, arena);
    case GECC_KIND_EXPONENT:
        return random_cell(5, prng, arena);
    default:
        return (struct cell){NULL, 0};
    }
}

/* -P in the encoding of P. */
static struct cell negative(const struct pool *pool, struct cell point, struct arena *arena) {
    const struct reference_curve *curve = pool->curve;
    EC_POINT *decoded = EC_POINT_new(curve->group);
    REQUIRE(reference_point(curve, point, decoded) == 0);
    REQUIRE(EC_POINT_invert(curve->group, decoded, reference_bn()));
    gecc_point_format format = point.width == 2 * curve->length   ? GECC_POINT_RAW
                               : point.width == 1 + curve->length ? GECC_POINT_COMPRESSED
                                                                  : GECC_POINT_UNCOMPRESSED;
    uint8_t bytes[1 + 2 * GECC_CURVE_BYTES_MOST];
    struct cell cell = arena_copy(arena, bytes, reference_point_encode(curve, format, decoded, bytes));
    EC_POINT_free(decoded);
    return cell;
}

/* The row of the operation on points; an x alone stands for either point that has it, in any encoding, now and then. */
static struct row row_good_by_key(const struct pool *pool, const struct call *call, struct prng *prng,
                                  struct arena *arena) {
    int column = input_of_kind(call->operation, GECC_KIND_KEY_NUMBER);
    struct call plain = *call;
    plain.operation = operation_on_points(call->operation);
    struct row row = row_good(pool, &plain, prng, arena);
    for (size_t i = 0; i < POOL_KEYS && kind_of_input(plain.operation, column) == GECC_KIND_X_ONLY_POINT; i++) {
        if (memcmp(pool->raw[i], row.in[column].data, 32) == 0 && prng_below(prng, 2)) {
            struct cell point = pool_point(pool, i, random_format(prng), arena);
            row.in[column] = prng_below(prng, 2) ? negative(pool, point, arena) : point;
            break;
        }
    }
    return row;
}

struct row row_good(const struct pool *pool, const struct call *call, struct prng *prng, struct arena *arena) {
    struct row row = {{{NULL, 0}}};
    if (call->curve == GECC_CURVE25519) {
        return curve25519_row(call, prng, arena);
    }
    if (input_of_kind(call->operation, GECC_KIND_KEY_NUMBER) >= 0) {
        return row_good_by_key(pool, call, prng, arena);
    }
    for (int i = 0; i < CELLS; i++) {
        row.in[i] = good_cell(pool, call, kind_of_input(call->operation, i), prng, arena);
    }
    size_t key;
    uint8_t recovery_id;
    if (call->operation == OPERATION_ECDSA_VERIFY || call->operation == OPERATION_SM2_VERIFY) {
        row.in[2] = good_signature(pool, call, row.in[1], &key, &recovery_id, prng, arena);
        row.in[0] = pool_point(pool, key, random_format(prng), arena);
    } else if (call->operation == OPERATION_ECDSA_RECOVER) {
        row.in[1] = good_signature(pool, call, row.in[0], &key, &recovery_id, prng, arena);
        row.in[2] = arena_copy(arena, &recovery_id, 1);
    } else if (call->operation == OPERATION_SCHNORR_VERIFY) {
        key = (size_t)prng_below(prng, POOL_KEYS);
        row.in[0] = x_only(pool, key, arena);
        row.in[2] = good_bip340_signature(pool, call, row.in[1], key, prng, arena);
    } else if (strncmp(operation_of(call->operation)->name, "ethereum.recover", 16) == 0) {
        good_ethereum_row(pool, call, &row, prng, arena);
    } else if (call->operation == OPERATION_EC_ADD && prng_below(prng, 6) == 0) {
        row.in[1] = prng_below(prng, 2) ? row.in[0] : negative(pool, row.in[0], arena);
    } else if (call->operation == OPERATION_EC_MUL_ADD && prng_below(prng, 6) == 0) {
        row.in[1] = row.in[0];
    }
    return row;
}

static struct cell flip_bit(struct cell cell, struct prng *prng, struct arena *arena) {
    struct cell copy = arena_copy(arena, cell.data, cell.width);
    if (cell.width) {
        uint64_t bit = prng_below(prng, 8 * (uint64_t)cell.width);
        copy.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    return copy;
}

static struct cell change_byte(struct cell cell, struct prng *prng, struct arena *arena) {
    struct cell copy = arena_copy(arena, cell.data, cell.width);
    if (cell.width) {
        /* The first bytes carry the structure: change them more often. */
        uint64_t at = prng_below(prng, prng_below(prng, 2) && cell.width > 6 ? 6 : cell.width);
        copy.data[at] = (uint8_t)prng_next(prng);
    }
    return copy;
}

/* Longer or shorter by a few bytes, or empty. */
static struct cell change_width(struct cell cell, struct prng *prng, struct arena *arena) {
    uint64_t kind = prng_below(prng, 5);
    size_t change = 1 + (size_t)prng_below(prng, 3);
    if (kind == 0) {
        return (struct cell){cell.data, 0};
    }
    if (kind < 3) {
        return (struct cell){cell.data, cell.width > change ? cell.width - (uint32_t)change : 0};
    }
    struct cell longer = random_cell(cell.width + change, prng, arena);
    memcpy(longer.data, cell.data, cell.width);
    return longer;
}

/* x or y replaced by a boundary value, or the prefix by another. A row too short for a coordinate, such as the one byte
 * of infinity, has a prefix at most. */
static struct cell spoil_point(const struct pool *pool, struct cell cell, struct prng *prng, struct arena *arena) {
    size_t length = pool->curve->length, prefix = cell.width % length;
    struct cell copy = arena_copy(arena, cell.data, cell.width);
    uint8_t *bytes = copy.data;
    switch (prng_below(prng, cell.width < length ? 3 : 5)) {
    case 0:
        return good_point(pool, prng, arena);
    case 1:
        memset(bytes, 0, copy.width);
        return copy;
    case 2:
        if (prefix) {
            bytes[0] = (uint8_t)prng_below(prng, 9);
        }
        return copy;
    default: {
        struct cell value = boundary_cell(pool, (enum boundary)prng_below(prng, BOUNDARIES), arena);
        size_t at = prefix + (size_t)prng_below(prng, (cell.width - prefix) / length) * length;
        memcpy(bytes + at, value.data, length);
        return copy;
    }
    }
}

/* No number of the set, next to the last one or far from it, or another key, or a bad one. */
static struct cell spoil_key(const struct pool *pool, const struct call *call, struct cell cell, struct prng *prng,
                             struct arena *arena) {
    uint64_t kind = prng_below(prng, 6);
    if (kind < 2) {
        cell = random_cell(4, prng, arena);
        memset(cell.data, 0, kind ? 4 : (size_t)prng_below(prng, 5));
        return cell;
    }
    if (kind == 2) {
        return random_cell(prng_below(prng, 2) ? 3 : 5, prng, arena);
    }
    return call->curve == GECC_CURVE25519 ? random_cell(cell.width, prng, arena) : spoil_point(pool, cell, prng, arena);
}

/* r or s replaced by a boundary value or the other, s by n - s. */
static struct cell spoil_signature(const struct pool *pool, uint32_t flags, struct cell cell, struct prng *prng,
                                   struct arena *arena) {
    BIGNUM *r = BN_new(), *s = BN_new();
    if (reference_signature(pool->curve, flags & ~(uint32_t)GECC_LOW_S, cell, r, s) == 0) {
        struct cell value = boundary_cell(pool, (enum boundary)prng_below(prng, BOUNDARIES), arena);
        uint64_t kind = prng_below(prng, 8);
        if (kind == 0) {
            BN_swap(r, s);
        } else if (kind < 3) {
            REQUIRE(BN_sub(s, pool->curve->n, s));
        } else {
            BN_bin2bn(value.data, (int)value.width, kind & 1 ? r : s);
        }
        cell = signature_cell(pool, flags, r, s, arena);
    }
    BN_free(r);
    BN_free(s);
    return cell;
}

/* r or s replaced by a boundary value, or s by n - s; or the sighash byte by 0. */
static struct cell spoil_bip340_signature(const struct pool *pool, struct cell cell, struct prng *prng,
                                          struct arena *arena) {
    struct cell copy = arena_copy(arena, cell.data, cell.width);
    struct cell value = boundary_cell(pool, (enum boundary)prng_below(prng, BOUNDARIES), arena);
    uint64_t kind = prng_below(prng, 6);
    if (cell.width < 64) {
        return copy;
    }
    if (kind == 0 && cell.width > 64) {
        copy.data[64] = 0;
    } else if (kind < 2) {
        BIGNUM *s = BN_bin2bn(cell.data + 32, 32, NULL);
        REQUIRE(BN_nnmod(s, s, pool->curve->n, reference_bn()) && BN_sub(s, pool->curve->n, s));
        REQUIRE(BN_bn2binpad(s, copy.data + 32, 32) > 0);
        BN_free(s);
    } else {
        memcpy(copy.data + (kind & 1 ? 32 : 0), value.data, 32);
    }
    return copy;
}

/* r or s replaced by a boundary value, s by n - s, or v by another of one byte. */
static struct cell spoil_ethereum_signature(const struct pool *pool, struct cell cell, struct prng *prng,
                                            struct arena *arena) {
    if (cell.width < 65) {
        return arena_copy(arena, cell.data, cell.width);
    }
    if (prng_below(prng, 3)) {
        struct cell numbers = spoil_bip340_signature(pool, (struct cell){cell.data, 64}, prng, arena);
        cell = arena_copy(arena, cell.data, cell.width);
        memcpy(cell.data, numbers.data, 64);
        return cell;
    }
    cell = arena_copy(arena, cell.data, 65);
    cell.data[64] = (uint8_t)prng_below(prng, prng_below(prng, 2) ? 40 : 256);
    return cell;
}

static struct cell spoil(const struct pool *pool, const struct call *call, gecc_kind kind, struct cell cell,
                         struct prng *prng, struct arena *arena) {
    switch (kind) {
    case GECC_KIND_POINT:
        return spoil_point(pool, cell, prng, arena);
    case GECC_KIND_KEY_NUMBER:
        return spoil_key(pool, call, cell, prng, arena);
    case GECC_KIND_PRIVATE_KEY:
    case GECC_KIND_NONCE:
    case GECC_KIND_SCALAR:
    case GECC_KIND_PUBLIC_SCALAR:
        return boundary_cell(pool, (enum boundary)prng_below(prng, BOUNDARIES), arena);
    case GECC_KIND_DIGEST:
    case GECC_KIND_SM2_DIGEST:
        return random_cell(prng_below(prng, 2) ? cell.width : (size_t)prng_below(prng, 70), prng, arena);
    case GECC_KIND_SIGNATURE:
        return call->flags & GECC_DER && prng_below(prng, 2) ? change_byte(cell, prng, arena)
                                                             : spoil_signature(pool, call->flags, cell, prng, arena);
    case GECC_KIND_DIGEST32:
        return random_cell(prng_below(prng, 2) ? 32 : (size_t)prng_below(prng, 70), prng, arena);
    case GECC_KIND_ETHEREUM_SIGNATURE:
        return spoil_ethereum_signature(pool, cell, prng, arena);
    case GECC_KIND_ETHEREUM_NUMBER:
        return prng_below(prng, 2) ? boundary_cell(pool, (enum boundary)prng_below(prng, BOUNDARIES), arena)
                                   : random_cell(1 + (size_t)prng_below(prng, 2), prng, arena);
    case GECC_KIND_BIP340_SIGNATURE:
        return spoil_bip340_signature(pool, cell, prng, arena);
    case GECC_KIND_X_ONLY_POINT:
        return prng_below(prng, 2) ? boundary_cell(pool, (enum boundary)prng_below(prng, BOUNDARIES), arena)
                                   : random_cell(32, prng, arena);
    case GECC_KIND_MERKLE_ROOT:
        return random_cell((size_t)prng_below(prng, 34), prng, arena);
    case GECC_KIND_RECOVERY_ID:
        return random_cell(1, prng, arena);
    case GECC_KIND_SM2_ID:
        return random_cell(8190 + (size_t)prng_below(prng, 4), prng, arena);
    default:
        return random_cell(cell.width, prng, arena);
    }
}

struct row row_spoiled(const struct pool *pool, const struct call *call, struct row row, struct prng *prng,
                       struct arena *arena) {
    int columns = 1;
    while (kind_of_input(call->operation, columns)) {
        columns++;
    }
    int at = (int)prng_below(prng, (uint64_t)columns);
    if (!row.in[at].data || operation_of(call->operation)->selector == GECC_SELECT_MODULUS) {
        return row;
    }
    uint64_t kind = prng_below(prng, 8);
    if (kind == 0) {
        row.in[at] = change_width(row.in[at], prng, arena);
    } else if (kind < 3) {
        row.in[at] = flip_bit(row.in[at], prng, arena);
    } else {
        row.in[at] = spoil(pool, call, kind_of_input(call->operation, at), row.in[at], prng, arena);
    }
    return row;
}
