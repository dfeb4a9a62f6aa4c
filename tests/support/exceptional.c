/* Test: needs libcrypto */
#include "exceptional.h"

#include <string.h>

/* Keys of the pool that rows are made of. */
enum { KEYS = 32 };

struct list {
    const struct pool *pool;
    const struct reference_curve *curve;
    BIGNUM *d[KEYS];
    const struct call *call;
    struct prng *prng;
    struct arena *arena;
    struct exceptional *rows;
    size_t count;
};

static struct exceptional *add(struct list *list, const char *name, uint32_t statuses) {
    REQUIRE(list->count < EXCEPTIONAL_ROWS);
    struct exceptional *row = &list->rows[list->count++];
    struct expectation expected;
    int tries = 0;
    do {
        REQUIRE(tries++ < 100);
        *row = (struct exceptional){name, row_good(list->call, list->prng, list->arena), statuses};
        reference_row(list->call, &row->row, &expected);
    } while (expected.statuses != STATUS(OK));
    return row;
}

/* What another key or C1 decrypts to has another C3. */
static void add_cell(struct list *list, const char *name, int at, struct cell cell, uint32_t statuses) {
    if (list->call->operation == OPERATION_SM2_DECRYPT && (statuses & STATUS(OK)) != 0)
        statuses |= STATUS(INVALID);
    add(list, name, statuses)->row.in[at] = cell;
}

static struct cell filled(struct list *list, size_t width, uint8_t value) {
    uint8_t *bytes = arena_new(list->arena, width);
    memset(bytes, value, width);
    return (struct cell){bytes, (uint32_t)width};
}

static struct cell boundary(struct list *list, enum boundary which) {
    return boundary_cell(list->call->curve, which, list->arena);
}

static size_t length_of(const struct list *list) { return list->pool->length; }

static struct cell number(struct list *list, const BIGNUM *value) {
    uint8_t bytes[LENGTH_MOST];
    REQUIRE(BN_bn2binpad(value, bytes, (int)length_of(list)) > 0);
    return arena_copy(list->arena, bytes, length_of(list));
}

static struct cell point(struct list *list, size_t index, gecc_point_format format) {
    return point_cell(list->call->curve, index, format, list->arena);
}

/* A point with one coordinate replaced. */
static struct cell point_with(struct list *list, gecc_point_format format, size_t coordinate, enum boundary value) {
    struct cell cell = point(list, 0, format);
    size_t prefix = format != GECC_POINT_RAW;
    memcpy(cell.data + prefix + coordinate * length_of(list), boundary(list, value).data, length_of(list));
    return cell;
}

static struct cell point_with_prefix(struct list *list, gecc_point_format format, uint8_t prefix) {
    struct cell cell = point(list, 0, format);
    cell.data[0] = prefix;
    return cell;
}

static struct cell off_curve(struct list *list, gecc_point_format format) {
    struct cell cell = point(list, 1, format);
    cell.data[cell.width - 1] ^= 1;
    return cell;
}

/* 02 || x where x^3 + a x + b is no square. */
static struct cell no_square_root(struct list *list) {
    struct cell cell = point(list, 2, GECC_POINT_COMPRESSED);
    EC_POINT *decoded = EC_POINT_new(list->curve->group);
    while (reference_point(list->curve, cell, decoded) == 0) {
        cell.data[cell.width - 1]++;
    }
    EC_POINT_free(decoded);
    return cell;
}

static void add_points(struct list *list, int at) {
    size_t length = length_of(list);
    uint32_t range = STATUS(MALFORMED_POINT_RANGE), encoding = STATUS(MALFORMED_POINT_ENCODING);
    uint32_t off = STATUS(MALFORMED_POINT_OFF_CURVE), width = STATUS(MALFORMED_WIDTH);
    const gecc_point_format full = GECC_POINT_UNCOMPRESSED, half = GECC_POINT_COMPRESSED, raw = GECC_POINT_RAW;
    add_cell(list, "point off the curve", at, off_curve(list, full), off);
    add_cell(list, "raw point off the curve", at, off_curve(list, raw), off);
    add_cell(list, "raw (0, 0)", at, filled(list, 2 * length, 0), off);
    add_cell(list, "compressed point without a root", at, no_square_root(list), off);
    add_cell(list, "x = p", at, point_with(list, full, 0, BOUNDARY_P), range);
    add_cell(list, "y = p", at, point_with(list, raw, 1, BOUNDARY_P), range);
    add_cell(list, "x all ones", at, point_with(list, raw, 0, BOUNDARY_ALL_ONES), range);
    add_cell(list, "y = p + 1", at, point_with(list, full, 1, BOUNDARY_P_PLUS_1), range);
    add_cell(list, "compressed x = p", at, point_with(list, half, 0, BOUNDARY_P), range);
    add_cell(list, "compressed x all ones", at, point_with(list, half, 0, BOUNDARY_ALL_ONES), range);
    add_cell(list, "prefix 0", at, point_with_prefix(list, full, 0), encoding);
    add_cell(list, "prefix 2, uncompressed", at, point_with_prefix(list, full, 2), encoding);
    add_cell(list, "prefix 5", at, point_with_prefix(list, full, 5), encoding);
    add_cell(list, "prefix 6, hybrid", at, point_with_prefix(list, full, 6), encoding);
    add_cell(list, "prefix 7, hybrid", at, point_with_prefix(list, full, 7), encoding);
    add_cell(list, "prefix 4, compressed", at, point_with_prefix(list, half, 4), encoding);
    add_cell(list, "all zeros", at, filled(list, 1 + 2 * length, 0), encoding);
    add_cell(list, "empty point", at, filled(list, 0, 0), width);
    add_cell(list, "point at infinity", at, filled(list, 1, 0), width | encoding);
    add_cell(list, "x alone", at, filled(list, length, 1), width);
    add_cell(list, "a byte too few", at, (struct cell){point(list, 0, full).data, (uint32_t)(2 * length - 1)}, width);
    add_cell(list, "a byte too many", at, filled(list, 2 * length + 2, 4), width);
}

static void add_private_keys(struct list *list, int at) {
    int sm2_key = list->call->curve == GECC_SM2 && kind_of_input(list->call->operation, at) == GECC_KIND_PRIVATE_KEY;
    uint32_t range = STATUS(MALFORMED_SCALAR), width = STATUS(MALFORMED_WIDTH);
    add_cell(list, "scalar 0", at, boundary(list, BOUNDARY_0), range);
    add_cell(list, "scalar n", at, boundary(list, BOUNDARY_N), range);
    add_cell(list, "scalar n + 1", at, boundary(list, BOUNDARY_N_PLUS_1), range);
    add_cell(list, "scalar all ones", at, boundary(list, BOUNDARY_ALL_ONES), range);
    add_cell(list, "scalar 1", at, boundary(list, BOUNDARY_1), STATUS(OK));
    add_cell(list, "scalar n - 1", at, boundary(list, BOUNDARY_N_LESS_1), sm2_key ? range : STATUS(OK));
    add_cell(list, "scalar too narrow", at, filled(list, length_of(list) - 1, 1), width);
    add_cell(list, "scalar too wide", at, filled(list, length_of(list) + 1, 0), width);
}

/* The other scalar of a sum is nothing special, nor is the point, which might be that scalar times +-G. */
static void add_scalar(struct list *list, const char *name, int at, struct cell cell, uint32_t statuses) {
    struct exceptional *row = add(list, name, statuses);
    if (list->call->operation == OPERATION_EC_MUL_ADD) {
        row->row.in[1 - at] = number(list, list->d[14]);
        row->row.in[2] = point(list, 13, GECC_POINT_UNCOMPRESSED);
    }
    row->row.in[at] = cell;
}

static void add_scalars(struct list *list, int at) {
    int sum = list->call->operation == OPERATION_EC_MUL_ADD;
    add_scalar(list, "k = 0", at, boundary(list, BOUNDARY_0), sum ? STATUS(OK) : STATUS(INFINITY));
    add_scalar(list, "k = n", at, boundary(list, BOUNDARY_N), sum ? STATUS(OK) : STATUS(INFINITY));
    add_scalar(list, "k = 1", at, boundary(list, BOUNDARY_1), STATUS(OK));
    add_scalar(list, "k = n - 1", at, boundary(list, BOUNDARY_N_LESS_1), STATUS(OK));
    add_scalar(list, "k = n + 1", at, boundary(list, BOUNDARY_N_PLUS_1), STATUS(OK));
    add_scalar(list, "k all ones", at, boundary(list, BOUNDARY_ALL_ONES), STATUS(OK));
    add_scalar(list, "k too narrow", at, filled(list, length_of(list) - 1, 1), STATUS(MALFORMED_WIDTH));
    add_scalar(list, "k too wide", at, filled(list, length_of(list) + 1, 0), STATUS(MALFORMED_WIDTH));
    add_scalar(list, "k empty", at, filled(list, 0, 0), STATUS(MALFORMED_WIDTH));
}

static void add_digests(struct list *list, int at) {
    enum operation operation = list->call->operation;
    int sm2 = kind_of_input(operation, at) == GECC_KIND_SM2_DIGEST;
    add_cell(list, "digest too narrow", at, filled(list, sm2 ? 31 : 19, 7), STATUS(MALFORMED_WIDTH));
    add_cell(list, "digest too wide", at, filled(list, sm2 ? 33 : 65, 7), STATUS(MALFORMED_WIDTH));
    add_cell(list, "digest empty", at, filled(list, 0, 7), STATUS(MALFORMED_WIDTH));
    if (operation != OPERATION_ECDSA_VERIFY && operation != OPERATION_SM2_VERIFY) {
        add_cell(list, "digest 0", at, filled(list, 32, 0), STATUS(OK));
        add_cell(list, "digest all ones", at, filled(list, 32, 0xff), STATUS(OK));
    }
}

static struct cell signature(struct list *list, const BIGNUM *r, const BIGNUM *s) {
    uint8_t bytes[2 * GECC_CURVE_BYTES_MOST + 16];
    uint32_t width = reference_signature_encode(list->curve, list->call->flags, r, s, bytes);
    return arena_copy(list->arena, bytes, width);
}

/* A good row whose r or s is replaced. */
static void add_signature_with(struct list *list, const char *name, int at, int replace_s, enum boundary value,
                               uint32_t statuses) {
    struct exceptional *row = add(list, name, statuses);
    BIGNUM *r = BN_new(), *s = BN_new();
    struct cell number = boundary(list, value);
    REQUIRE(reference_signature(list->curve, list->call->flags, row->row.in[at], r, s) == 0);
    BN_bin2bn(number.data, (int)number.width, replace_s ? s : r);
    row->row.in[at] = signature(list, r, s);
    BN_free(r);
    BN_free(s);
}

/* `name`: the good signature with a byte inserted, dropped or changed. */
static void add_der(struct list *list, const char *name, int at, size_t place, int inserted, int dropped, int change) {
    struct exceptional *row = add(list, name, STATUS(MALFORMED_SIGNATURE_ENCODING));
    struct cell good = row->row.in[at];
    struct cell bad = filled(list, good.width + (size_t)inserted - (size_t)dropped, 0);
    place = place < good.width ? place : good.width;
    memcpy(bad.data, good.data, place);
    memcpy(bad.data + place + inserted, good.data + place + dropped, good.width - place - (size_t)dropped);
    if (change) {
        bad.data[place] = (uint8_t)(bad.data[place] + change);
    }
    row->row.in[at] = bad;
}

static void add_der_encodings(struct list *list, int at) {
    add_der(list, "DER: another tag", at, 0, 0, 0, 1);
    add_der(list, "DER: length too great", at, 1, 0, 0, 1);
    add_der(list, "DER: length too small", at, 1, 0, 0, -1);
    add_der(list, "DER: r is no integer", at, 2, 0, 0, 1);
    add_der(list, "DER: a byte too many", at, SIZE_MAX, 1, 0, 0);
    add_der(list, "DER: a byte too few", at, 0, 0, 1, 0);
    add_cell(list, "DER: empty", at, filled(list, 0, 0),
             STATUS(MALFORMED_SIGNATURE_ENCODING) | STATUS(MALFORMED_WIDTH));
    add_cell(list, "DER: too wide", at, filled(list, gecc_der_bytes(list->call->curve) + 1, 0x30),
             STATUS(MALFORMED_SIGNATURE_ENCODING) | STATUS(MALFORMED_WIDTH));
}

static void add_signatures(struct list *list, int at) {
    uint32_t range = STATUS(MALFORMED_SIGNATURE_RANGE);
    uint32_t high = list->call->flags & GECC_LOW_S ? range | STATUS(MALFORMED_HIGH_S) : range;
    add_signature_with(list, "r = 0", at, 0, BOUNDARY_0, range);
    add_signature_with(list, "r = n", at, 0, BOUNDARY_N, range);
    add_signature_with(list, "r all ones", at, 0, BOUNDARY_ALL_ONES, range);
    add_signature_with(list, "s = 0", at, 1, BOUNDARY_0, range);
    add_signature_with(list, "s = n", at, 1, BOUNDARY_N, high);
    add_signature_with(list, "s all ones", at, 1, BOUNDARY_ALL_ONES, high);
    if (list->call->flags & GECC_LOW_S) {
        add_signature_with(list, "s = n / 2 + 1", at, 1, BOUNDARY_HALF_N_PLUS_1, STATUS(MALFORMED_HIGH_S));
        add_signature_with(list, "s = n - 1", at, 1, BOUNDARY_N_LESS_1, STATUS(MALFORMED_HIGH_S));
    }
    if (list->call->flags & GECC_DER) {
        add_der_encodings(list, at);
    } else {
        size_t width = 2 * length_of(list) + ((list->call->flags & GECC_SIGHASH_BYTE) != 0);
        add_cell(list, "signature empty", at, filled(list, 0, 0), STATUS(MALFORMED_WIDTH));
        add_cell(list, "signature too narrow", at, filled(list, width - 1, 1), STATUS(MALFORMED_WIDTH));
        add_cell(list, "signature too wide", at, filled(list, width + 1, 1), STATUS(MALFORMED_WIDTH));
    }
}

static void add_recovery_ids(struct list *list, int at) {
    add_cell(list, "recovery id 4", at, filled(list, 1, 4), STATUS(MALFORMED_RECOVERY_ID));
    add_cell(list, "recovery id 255", at, filled(list, 1, 255), STATUS(MALFORMED_RECOVERY_ID));
    add_cell(list, "recovery id 2: r + n is not less than p", at, filled(list, 1, 2), STATUS(INVALID));
    add_cell(list, "recovery id empty", at, filled(list, 0, 0), STATUS(MALFORMED_WIDTH));
    add_cell(list, "recovery id of two bytes", at, filled(list, 2, 0), STATUS(MALFORMED_WIDTH));
}

/* A good row whose r (place 0) or s (32) is replaced. */
static void add_bip340_with(struct list *list, const char *name, int at, size_t place, enum boundary value,
                            uint32_t statuses) {
    struct exceptional *row = add(list, name, statuses);
    struct cell cell = arena_copy(list->arena, row->row.in[at].data, row->row.in[at].width);
    memcpy(cell.data + place, boundary(list, value).data, 32);
    row->row.in[at] = cell;
}

static void add_bip340_signatures(struct list *list, int at) {
    uint32_t range = STATUS(MALFORMED_SIGNATURE_RANGE), width = STATUS(MALFORMED_WIDTH), invalid = STATUS(INVALID);
    add_bip340_with(list, "r = 0", at, 0, BOUNDARY_0, invalid);
    add_bip340_with(list, "r = n", at, 0, BOUNDARY_N, invalid);
    add_bip340_with(list, "r = p - 1", at, 0, BOUNDARY_P_LESS_1, invalid);
    add_bip340_with(list, "r = p", at, 0, BOUNDARY_P, range);
    add_bip340_with(list, "r all ones", at, 0, BOUNDARY_ALL_ONES, range);
    add_bip340_with(list, "s = 0", at, 32, BOUNDARY_0, invalid);
    add_bip340_with(list, "s = 1", at, 32, BOUNDARY_1, invalid);
    add_bip340_with(list, "s = n - 1", at, 32, BOUNDARY_N_LESS_1, invalid);
    add_bip340_with(list, "s = n", at, 32, BOUNDARY_N, range);
    add_bip340_with(list, "s = p", at, 32, BOUNDARY_P, range);
    add_bip340_with(list, "s all ones", at, 32, BOUNDARY_ALL_ONES, range);
    add_cell(list, "signature empty", at, filled(list, 0, 0), width);
    add_cell(list, "signature too narrow", at, filled(list, 63, 1), width);
    add_cell(list, "signature too wide", at, filled(list, 66, 1), width);
    if (list->call->flags & GECC_SIGHASH_BYTE) {
        struct exceptional *row = add(list, "sighash byte 0", STATUS(MALFORMED_SIGNATURE_ENCODING));
        struct cell cell = filled(list, 65, 0);
        memcpy(cell.data, row->row.in[at].data, 64);
        row->row.in[at] = cell;
    } else {
        add_cell(list, "a sighash byte", at, filled(list, 65, 1), width);
    }
}

/* A good row with another v. */
static void add_v(struct list *list, const char *name, int at, size_t width, uint8_t first, uint8_t last,
                  uint32_t statuses) {
    struct exceptional *row = add(list, name, statuses);
    struct cell v = filled(list, width, 0);
    v.data[0] = first;
    v.data[width - 1] = last;
    if (kind_of_input(list->call->operation, at) == GECC_KIND_ETHEREUM_SIGNATURE) {
        struct cell cell = filled(list, 64 + width, 0);
        memcpy(cell.data, row->row.in[at].data, 64);
        memcpy(cell.data + 64, v.data, width);
        v = cell;
    }
    row->row.in[at] = v;
}

/* v of every kind. Where it is one that R's may have, both of them give an address. */
static void add_vs(struct list *list, int at) {
    static const uint8_t none[] = {2, 3, 26, 29, 34}, some[] = {0, 1, 27, 28, 35, 36, 37, 255};
    uint32_t malformed = STATUS(MALFORMED_RECOVERY_ID);
    for (size_t i = 0; i < sizeof none; i++) {
        add_v(list, "a v that stands for nothing", at, 1, none[i], none[i], malformed);
        add_v(list, "the same of 32 bytes", at, 32, 0, none[i], malformed);
    }
    for (size_t i = 0; i < sizeof some; i++) {
        add_v(list, "a v", at, 1, some[i], some[i], STATUS(OK));
        add_v(list, "the same of two bytes", at, 2, 0, some[i], STATUS(OK));
    }
    add_v(list, "v = 256", at, 2, 1, 0, STATUS(OK));
    add_v(list, "v = 258", at, 2, 1, 2, STATUS(OK));
    add_v(list, "v of 32 bytes", at, 32, 255, 3, STATUS(OK));
}

static void add_ethereum_signatures(struct list *list, int at) {
    uint32_t range = STATUS(MALFORMED_SIGNATURE_RANGE);
    uint32_t high = list->call->flags & GECC_LOW_S ? range | STATUS(MALFORMED_HIGH_S) : range;
    add_bip340_with(list, "r = 0", at, 0, BOUNDARY_0, range);
    add_bip340_with(list, "r = n", at, 0, BOUNDARY_N, range);
    add_bip340_with(list, "r = p", at, 0, BOUNDARY_P, range);
    add_bip340_with(list, "s = 0", at, 32, BOUNDARY_0, range);
    add_bip340_with(list, "s = n", at, 32, BOUNDARY_N, high);
    add_bip340_with(list, "s all ones", at, 32, BOUNDARY_ALL_ONES, high);
    if (list->call->flags & GECC_LOW_S) {
        add_bip340_with(list, "s = n / 2 + 1", at, 32, BOUNDARY_HALF_N_PLUS_1, STATUS(MALFORMED_HIGH_S));
    }
    add_cell(list, "signature empty", at, filled(list, 0, 0), STATUS(MALFORMED_WIDTH));
    add_cell(list, "signature without v", at, filled(list, 64, 1), STATUS(MALFORMED_WIDTH));
    add_cell(list, "signature too wide", at, filled(list, 97, 1), STATUS(MALFORMED_WIDTH));
    add_vs(list, at);
}

/* r, s or v. */
static void add_ethereum_numbers(struct list *list, int at) {
    uint32_t range = STATUS(MALFORMED_SIGNATURE_RANGE);
    add_cell(list, "number empty", at, filled(list, 0, 0), STATUS(MALFORMED_WIDTH));
    add_cell(list, "number of 33 bytes", at, filled(list, 33, 0), STATUS(MALFORMED_WIDTH));
    if (at == 3) {
        add_vs(list, at);
        return;
    }
    add_cell(list, "r or s = 0", at, filled(list, 1, 0), range);
    add_cell(list, "r or s = 0 of 32 bytes", at, filled(list, 32, 0), range);
    add_cell(list, "r or s = n", at, boundary(list, BOUNDARY_N),
             at == 2 && list->call->flags & GECC_LOW_S ? range | STATUS(MALFORMED_HIGH_S) : range);
}

static void add_x_only_points(struct list *list, int at) {
    uint32_t range = STATUS(MALFORMED_POINT_RANGE), off = STATUS(MALFORMED_POINT_OFF_CURVE);
    struct cell rootless = no_square_root(list);
    add_cell(list, "x without a point", at, (struct cell){rootless.data + 1, rootless.width - 1}, off);
    add_cell(list, "x = 0", at, boundary(list, BOUNDARY_0), off);
    add_cell(list, "x = p", at, boundary(list, BOUNDARY_P), range);
    add_cell(list, "x = p + 1", at, boundary(list, BOUNDARY_P_PLUS_1), range);
    add_cell(list, "x all ones", at, boundary(list, BOUNDARY_ALL_ONES), range);
    add_cell(list, "compressed point", at, point(list, 0, GECC_POINT_COMPRESSED), STATUS(MALFORMED_WIDTH));
    add_cell(list, "x too narrow", at, filled(list, 31, 1), STATUS(MALFORMED_WIDTH));
    add_cell(list, "x empty", at, filled(list, 0, 1), STATUS(MALFORMED_WIDTH));
}

static void add_messages(struct list *list, int at) {
    static const size_t widths[] = {0, 1, 31, 32, 33, 55, 56, 63, 64, 65, 128};
    for (size_t i = 0; list->call->operation == OPERATION_SCHNORR_SIGN && i < sizeof widths / sizeof widths[0]; i++) {
        add_cell(list, "message of another width", at, filled(list, widths[i], 0x2d), STATUS(OK));
    }
}

static void add_column(struct list *list, int at) {
    switch (kind_of_input(list->call->operation, at)) {
    case GECC_KIND_POINT:
        add_points(list, at);
        break;
    case GECC_KIND_PRIVATE_KEY:
    case GECC_KIND_NONCE:
        add_private_keys(list, at);
        break;
    case GECC_KIND_SCALAR:
        add_scalars(list, at);
        break;
    case GECC_KIND_DIGEST:
    case GECC_KIND_SM2_DIGEST:
        add_digests(list, at);
        break;
    case GECC_KIND_SIGNATURE:
        add_signatures(list, at);
        break;
    case GECC_KIND_RECOVERY_ID:
        add_recovery_ids(list, at);
        break;
    case GECC_KIND_X_ONLY_POINT:
        add_x_only_points(list, at);
        break;
    case GECC_KIND_DIGEST32:
        add_cell(list, "digest of 20 bytes", at, filled(list, 20, 1), STATUS(MALFORMED_WIDTH));
        add_cell(list, "digest of 33 bytes", at, filled(list, 33, 1), STATUS(MALFORMED_WIDTH));
        add_cell(list, "digest empty", at, filled(list, 0, 1), STATUS(MALFORMED_WIDTH));
        add_cell(list, "digest 0", at, filled(list, 32, 0), STATUS(OK));
        add_cell(list, "digest all ones", at, filled(list, 32, 0xff), STATUS(OK));
        break;
    case GECC_KIND_ETHEREUM_SIGNATURE:
        add_ethereum_signatures(list, at);
        break;
    case GECC_KIND_ETHEREUM_NUMBER:
        add_ethereum_numbers(list, at);
        break;
    case GECC_KIND_BIP340_SIGNATURE:
        add_bip340_signatures(list, at);
        break;
    case GECC_KIND_MESSAGE:
        add_messages(list, at);
        break;
    case GECC_KIND_MERKLE_ROOT:
        add_cell(list, "no merkle root", at, filled(list, 0, 0), STATUS(OK));
        add_cell(list, "merkle root of zeros", at, filled(list, 32, 0), STATUS(OK));
        add_cell(list, "merkle root too narrow", at, filled(list, 31, 1), STATUS(MALFORMED_WIDTH));
        add_cell(list, "merkle root too wide", at, filled(list, 33, 1), STATUS(MALFORMED_WIDTH));
        break;
    case GECC_KIND_SM2_ID:
        add_cell(list, "id too wide", at, filled(list, 8192, 1), STATUS(MALFORMED_WIDTH));
        add_cell(list, "id empty", at, filled(list, 0, 1), STATUS(OK));
        break;
    default:
        break;
    }
}

/* +-G in the encoding of the pool's points. */
static struct cell generator(struct list *list, int negative) {
    const struct reference_curve *curve = list->curve;
    EC_POINT *g = EC_POINT_dup(EC_GROUP_get0_generator(curve->group), curve->group);
    uint8_t bytes[1 + 2 * GECC_CURVE_BYTES_MOST];
    REQUIRE(!negative || EC_POINT_invert(curve->group, g, reference_bn()));
    uint32_t width = reference_point_encode(curve, GECC_POINT_UNCOMPRESSED, g, bytes);
    EC_POINT_free(g);
    return arena_copy(list->arena, bytes, width);
}

static struct cell negated_point(struct list *list, size_t index) {
    struct cell cell = point(list, index, GECC_POINT_COMPRESSED);
    cell.data[0] ^= 1;
    return cell;
}

static void add_sums(struct list *list) {
    const gecc_point_format raw = GECC_POINT_RAW, full = GECC_POINT_UNCOMPRESSED;
    struct exceptional *row = add(list, "P + P", STATUS(OK));
    row->row.in[0] = point(list, 3, raw);
    row->row.in[1] = point(list, 3, full);
    row = add(list, "P + -P", STATUS(INFINITY));
    row->row.in[0] = point(list, 4, full);
    row->row.in[1] = negated_point(list, 4);
    row = add(list, "G + G", STATUS(OK));
    row->row.in[0] = row->row.in[1] = generator(list, 0);
    row = add(list, "G + -G", STATUS(INFINITY));
    row->row.in[0] = generator(list, 0);
    row->row.in[1] = generator(list, 1);
}

/* u * G + v * Q where the two parts are equal, opposite or missing. */
static void add_mul_add(struct list *list) {
    BIGNUM *product = BN_new(), *minus = BN_new();
    REQUIRE(BN_mod_mul(product, list->d[6], list->d[5], list->curve->n, reference_bn()));
    REQUIRE(BN_sub(minus, list->curve->n, product));
    struct cell v = number(list, list->d[6]), zero = boundary(list, BOUNDARY_0), order = boundary(list, BOUNDARY_N);
    BIGNUM *minus_v = BN_new();
    REQUIRE(BN_sub(minus_v, list->curve->n, list->d[6]));
    struct cell q = point(list, 5, GECC_POINT_RAW), g = generator(list, 0), minus_g = generator(list, 1);
    const struct {
        const char *name;
        struct cell u, v, point;
        uint32_t statuses;
    } rows[] = {
        {"u G = v Q", number(list, product), v, q, STATUS(OK)},
        {"u G = -v Q", number(list, minus), v, q, STATUS(INFINITY)},
        {"Q = G, u = v", v, v, g, STATUS(OK)},
        {"Q = G, u = -v", number(list, minus_v), v, g, STATUS(INFINITY)},
        {"Q = -G, u = v", v, v, minus_g, STATUS(INFINITY)},
        {"Q = -G, u = -v", number(list, minus_v), v, minus_g, STATUS(OK)},
        {"u = v = 0", zero, zero, q, STATUS(INFINITY)},
        {"u = v = n", order, order, q, STATUS(INFINITY)},
        {"u = 0, v = n", zero, order, g, STATUS(INFINITY)},
        {"u = 0", zero, v, q, STATUS(OK)},
        {"v = 0", v, zero, q, STATUS(OK)},
        {"Q = G, u = v = 1", boundary(list, BOUNDARY_1), boundary(list, BOUNDARY_1), g, STATUS(OK)},
        {"Q = -G, u = v = 1", boundary(list, BOUNDARY_1), boundary(list, BOUNDARY_1), minus_g, STATUS(INFINITY)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        add(list, rows[i].name, rows[i].statuses)->row = (struct row){{rows[i].u, rows[i].v, rows[i].point, {0}}};
    }
    BN_free(product);
    BN_free(minus);
    BN_free(minus_v);
}

/* r of the nonce d[nonce], for ECDSA. */
static void nonce_r(struct list *list, size_t nonce, BIGNUM *r) {
    BN_bin2bn(pool_point(list->pool, nonce), (int)length_of(list), r);
    REQUIRE(BN_nnmod(r, r, list->curve->n, reference_bn()));
}

/* A signature by the private key 1 or n - 1, valid under G or -G. */
static void add_generator_key(struct list *list, const char *name, enum boundary key) {
    struct call sign = {
        .operation = OPERATION_ECDSA_SIGN_NONCE, .curve = list->call->curve, .flags = list->call->flags};
    struct cell digest = filled(list, 32, 0x3c);
    struct row row = {{boundary(list, key), digest, number(list, list->d[15]), {0}}};
    struct expectation made;
    reference_row(&sign, &row, &made);
    REQUIRE(made.statuses == STATUS(OK));
    struct cell signature = arena_copy(list->arena, made.out[0].bytes, made.out[0].width);
    add(list, name, STATUS(OK))->row =
        (struct row){{generator(list, key == BOUNDARY_N_LESS_1), digest, signature, {0}}};
}

/* d G, as x || y. */
static struct cell public_key(struct list *list, const BIGNUM *d) {
    const struct reference_curve *curve = list->curve;
    uint8_t bytes[2 * GECC_CURVE_BYTES_MOST];
    EC_POINT *q = EC_POINT_new(curve->group);
    REQUIRE(EC_POINT_mul(curve->group, q, d, NULL, NULL, reference_bn()));
    uint32_t width = reference_point_encode(curve, GECC_POINT_RAW, q, bytes);
    EC_POINT_free(q);
    return arena_copy(list->arena, bytes, width);
}

/* e = -r d: no signature with this r verifies, as e G + r Q is infinity; signing gives s = 0. s = e / k: with R = k G
 * no key is recovered, for s R = e G. */
static void add_ecdsa(struct list *list) {
    const BIGNUM *n = list->curve->n;
    BN_CTX *bn = reference_bn();
    struct cell digest = filled(list, 32, 0x35); /* less than each order */
    BIGNUM *e = BN_bin2bn(digest.data, 32, NULL), *r = BN_new(), *d = BN_new(), *s = BN_new();
    nonce_r(list, 8, r);
    REQUIRE(BN_mod_inverse(d, r, n, bn) && BN_mod_mul(d, d, e, n, bn) && BN_sub(d, n, d));
    REQUIRE(BN_mod_inverse(s, list->d[8], n, bn) && BN_mod_mul(s, s, e, n, bn));
    if (list->call->operation == OPERATION_ECDSA_SIGN_NONCE) {
        add(list, "s = 0", STATUS(INVALID))->row =
            (struct row){{number(list, d), digest, number(list, list->d[8]), {0}}};
    } else if (list->call->operation == OPERATION_ECDSA_VERIFY) {
        add(list, "e G + r Q is infinity", STATUS(INVALID))->row =
            (struct row){{public_key(list, d), digest, signature(list, r, BN_value_one()), {0}}};
        add_generator_key(list, "Q = G", BOUNDARY_1);
        add_generator_key(list, "Q = -G", BOUNDARY_N_LESS_1);
        add_cell(list, "digest 0", 1, filled(list, 32, 0), STATUS(OK) | STATUS(INVALID));
    } else if (list->call->operation == OPERATION_ECDSA_RECOVER) {
        uint8_t id = pool_point(list->pool, 8)[2 * length_of(list) - 1] & 1;
        if ((list->call->flags & GECC_LOW_S) && BN_cmp(s, list->curve->half_n) > 0) {
            REQUIRE(BN_sub(s, n, s)); /* of -R */
            id ^= 1;
        }
        add(list, "s R = e G", STATUS(INVALID))->row =
            (struct row){{digest, signature(list, r, s), arena_copy(list->arena, &id, 1), {0}}};
    }
    BN_free(e);
    BN_free(r);
    BN_free(d);
    BN_free(s);
}

/* s R = e G, of which the key is infinity: e = d[8], s = 1. */
static void add_ethereum(struct list *list) {
    struct cell joined = filled(list, 65, 0), e = number(list, list->d[8]);
    BIGNUM *r = BN_new();
    nonce_r(list, 8, r);
    memcpy(joined.data, number(list, r).data, 32);
    joined.data[63] = 1;
    joined.data[64] = pool_point(list->pool, 8)[63] & 1;
    add(list, "s R = e G", STATUS(INVALID))->row =
        list->call->operation == OPERATION_ETHEREUM_RECOVER
            ? (struct row){{e, joined}}
            : (struct row){{e, {joined.data, 32}, {joined.data + 32, 32}, {joined.data + 64, 1}}};
    BN_free(r);
}

/* R with n <= x < p, so that r = x - n: recovery ids 2 and 3, and the verification that must try r + n. */
static void add_large_x(struct list *list) {
    const struct reference_curve *curve = list->curve;
    BIGNUM *x = BN_dup(curve->n), *r = BN_new();
    struct cell compressed = filled(list, 1 + curve->length, 2);
    EC_POINT *decoded = EC_POINT_new(curve->group);
    do {
        REQUIRE(BN_add_word(x, 1) && BN_bn2binpad(x, compressed.data + 1, (int)curve->length) > 0);
    } while (reference_point(curve, compressed, decoded) != 0);
    REQUIRE(BN_sub(r, x, curve->n));
    struct cell made = signature(list, r, list->d[13]), digest = filled(list, 32, 0x5a);
    if (list->call->flags & GECC_LOW_S) {
        made = signature(list, r, BN_value_one());
    }
    for (uint8_t id = 2; id <= 3; id++) {
        struct row recovery = {{digest, made, arena_copy(list->arena, &id, 1), {0}}};
        struct call call = {.operation = OPERATION_ECDSA_RECOVER,
                            .curve = curve->id,
                            .flags = list->call->flags,
                            .point_format = GECC_POINT_RAW};
        struct expectation expected;
        reference_row(&call, &recovery, &expected);
        REQUIRE(expected.statuses == STATUS(OK));
        struct cell key = arena_copy(list->arena, expected.out[0].bytes, expected.out[0].width);
        int verify = list->call->operation == OPERATION_ECDSA_VERIFY;
        add(list, "x of R is not less than n", STATUS(OK))->row =
            verify ? (struct row){{key, digest, made, {0}}} : recovery;
    }
    EC_POINT_free(decoded);
    BN_free(x);
    BN_free(r);
}

/* Nonces for which r = 0, r + k = n or s = 0: e = -x1, -k - x1, k / d - x1. */
static void add_sm2_signing(struct list *list) {
    const BIGNUM *n = list->curve->n, *k = list->d[10], *d = list->d[9];
    BN_CTX *bn = reference_bn();
    BIGNUM *x = BN_bin2bn(pool_point(list->pool, 10), 32, NULL), *e[3] = {BN_new(), BN_new(), BN_new()};
    static const char *const names[3] = {"r = 0", "r + k = n", "s = 0"};
    REQUIRE(BN_mod_sub(e[1], e[0], k, n, bn) && BN_mod_inverse(e[2], d, n, bn) && BN_mod_mul(e[2], e[2], k, n, bn));
    for (int i = 0; i < 3; i++) {
        REQUIRE(BN_mod_sub(e[i], e[i], x, n, bn));
        add(list, names[i], STATUS(INVALID))->row =
            (struct row){{number(list, d), number(list, e[i]), number(list, k), {0}}};
        BN_free(e[i]);
    }
    BN_free(x);
}

/* r + s = n; and s G + t P infinity: s = -t d. */
static void add_sm2_verifying(struct list *list) {
    const BIGNUM *n = list->curve->n, *t = list->d[12];
    BN_CTX *bn = reference_bn();
    BIGNUM *r = BN_new(), *s = BN_new();
    REQUIRE(BN_sub(s, n, t));
    add(list, "r + s = n", STATUS(INVALID))->row.in[2] = signature(list, t, s);
    REQUIRE(BN_mod_mul(s, t, list->d[11], n, bn) && BN_sub(s, n, s) && BN_mod_sub(r, t, s, n, bn));
    struct exceptional *row = add(list, "s G + t P is infinity", STATUS(INVALID));
    row->row.in[0] = point(list, 11, GECC_POINT_COMPRESSED);
    row->row.in[2] = signature(list, r, s);
    BN_free(r);
    BN_free(s);
}

/* (r, s) under the x of d G: the signature whose s the caller makes of e, d and k, which have even y's. */
struct schnorr {
    struct cell message;
    BIGNUM *d, *k, *e, *s;
};

/* d = pool's or n - d, so that y is even, and the same for k, whose x is r. */
static struct schnorr schnorr_new(struct list *list, size_t key, size_t nonce) {
    struct schnorr c = {filled(list, 32, 0x4b), BN_dup(list->d[key]), BN_dup(list->d[nonce]), BN_new(), BN_new()};
    REQUIRE(!(pool_point(list->pool, key)[63] & 1) || BN_sub(c.d, list->curve->n, c.d));
    REQUIRE(!(pool_point(list->pool, nonce)[63] & 1) || BN_sub(c.k, list->curve->n, c.k));
    reference_challenge(list->curve, pool_point(list->pool, nonce), pool_point(list->pool, key), c.message, c.e);
    return c;
}

static void schnorr_add(struct list *list, const char *name, struct schnorr *c, size_t key, size_t nonce,
                        uint32_t statuses) {
    struct cell signature = filled(list, 64, 0);
    memcpy(signature.data, pool_point(list->pool, nonce), 32);
    REQUIRE(BN_nnmod(c->s, c->s, list->curve->n, reference_bn()));
    REQUIRE(BN_bn2binpad(c->s, signature.data + 32, 32) > 0);
    struct cell x = arena_copy(list->arena, pool_point(list->pool, key), 32);
    add(list, name, statuses)->row = (struct row){{x, c->message, signature}};
    BN_free(c->d);
    BN_free(c->k);
    BN_free(c->e);
    BN_free(c->s);
}

/* s G - e P = R with an odd y; infinity; s G = -e P, a doubling; s = 0, which says that R = -e P; and a signature that
 * holds. */
static void add_schnorr_verifying(struct list *list) {
    const BIGNUM *n = list->curve->n;
    BN_CTX *bn = reference_bn();
    struct schnorr c = schnorr_new(list, 20, 21);
    REQUIRE(BN_mod_mul(c.s, c.e, c.d, n, bn) && BN_mod_add(c.s, c.s, c.k, n, bn));
    schnorr_add(list, "s = k + e d", &c, 20, 21, STATUS(OK));
    c = schnorr_new(list, 20, 22);
    REQUIRE(BN_mod_mul(c.s, c.e, c.d, n, bn) && BN_mod_sub(c.s, c.s, c.k, n, bn));
    schnorr_add(list, "y of R is odd", &c, 20, 22, STATUS(INVALID));
    c = schnorr_new(list, 23, 21);
    REQUIRE(BN_mod_mul(c.s, c.e, c.d, n, bn));
    schnorr_add(list, "s G - e P is infinity", &c, 23, 21, STATUS(INVALID));
    c = schnorr_new(list, 24, 21);
    REQUIRE(BN_mod_mul(c.s, c.e, c.d, n, bn) && BN_sub(c.s, n, c.s));
    schnorr_add(list, "s G = -e P", &c, 24, 21, STATUS(INVALID));
    c = schnorr_new(list, 25, 21);
    REQUIRE(BN_mod_mul(c.s, c.e, c.d, n, bn) && BN_mod_add(c.s, c.s, c.k, n, bn));
    c.message = filled(list, 32, 0x4c);
    schnorr_add(list, "another message", &c, 25, 21, STATUS(INVALID));
}

/* Encodings that keys may have and points of the operation on them may not. */
static int is_only_for_keys(const struct list *list, const struct exceptional *row, int column) {
    size_t width = row->row.in[column].width, length = gecc_curve_bytes(list->call->curve);
    return row->statuses == STATUS(MALFORMED_WIDTH) && list->call->curve == GECC_SECP256K1 &&
           (width == length || width == 1 + length);
}

/* Those of the operation on points, and numbers that are none. */
static void add_by_keys(struct list *list) {
    int column = input_of_kind(list->call->operation, GECC_KIND_KEY_NUMBER);
    struct call plain = *list->call;
    plain.operation = operation_on_points(plain.operation);
    size_t count = exceptional_rows(&plain, list->prng, list->arena, list->rows);
    for (size_t i = 0; i < count; i++) {
        if (!is_only_for_keys(list, &list->rows[i], column)) {
            list->rows[list->count++] = list->rows[i];
        }
    }
    add_cell(list, "the number after the last", column, filled(list, 4, 0), STATUS(MALFORMED_KEY_NUMBER));
    add_cell(list, "the greatest number", column, filled(list, 4, 0xff), STATUS(MALFORMED_KEY_NUMBER));
    add_cell(list, "a number too narrow", column, filled(list, 3, 0), STATUS(MALFORMED_WIDTH));
    add_cell(list, "a number too wide", column, filled(list, 5, 0), STATUS(MALFORMED_WIDTH));
}

/* Numbers of 32 bytes, the lowest first: 0, 1, -1 and what is congruent to them modulo 2^255 - 19, n, all ones, and
 * some order-8 u. `statuses`: what any of them may read. */
static void add_numbers25519(struct list *list, int at, uint32_t statuses) {
    static const uint8_t low[] = {0, 1, 2, 9, 0xec, 0xed, 0xee, 0xff};
    static const uint8_t order[32] = {0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c,       0xf7,
                                      0xa2, 0xde, 0xf9, 0xde, 0x14, 0,    0,    0,    0,    [31] = 0x10};
    static const uint8_t order_8[32] = {0xe0, 0xeb, 0x7a, 0x7c, 0x3b, 0x41, 0xb8, 0xae, 0x16, 0x56, 0xe3,
                                        0xfa, 0xf1, 0x9f, 0xc4, 0x6a, 0xda, 0x09, 0x8d, 0xeb, 0x9c, 0x32,
                                        0xb1, 0xfd, 0x86, 0x62, 0x05, 0x16, 0x5f, 0x49, 0xb8, 0};
    for (size_t i = 0; i < 2 * sizeof low; i++) {
        struct cell cell = filled(list, 32, low[i / 2] < 16 ? 0 : 0xff);
        cell.data[0] = low[i / 2];
        cell.data[31] = (uint8_t)((cell.data[31] & 0x7f) | (i % 2 ? 0x80 : 0));
        add_cell(list, "a number about 0 or 2^255 - 19", at, cell, statuses);
    }
    add_cell(list, "n", at, arena_copy(list->arena, order, 32), statuses);
    add_cell(list, "u of order 8", at, arena_copy(list->arena, order_8, 32), statuses);
    add_cell(list, "too narrow", at, filled(list, 31, 1), STATUS(MALFORMED_WIDTH));
    add_cell(list, "too wide", at, filled(list, 33, 1), STATUS(MALFORMED_WIDTH));
    add_cell(list, "empty", at, filled(list, 0, 1), STATUS(MALFORMED_WIDTH));
}

/* S with n added, halves that are zeros or ones, and widths. */
static void add_signatures25519(struct list *list, int at) {
    const uint32_t refused = STATUS(INVALID) | STATUS_ANY_MALFORMED;
    for (int half = 0; half < 2; half++)
        for (int ones = 0; ones < 2; ones++) {
            struct exceptional *row = add(list, "half of a signature", refused);
            memset(row->row.in[at].data + 32 * half, ones ? 0xff : 0, 32);
        }
    add_cell(list, "a signature of zeros", at, filled(list, 64, 0), refused);
    add_cell(list, "too narrow", at, filled(list, 63, 1), STATUS(MALFORMED_WIDTH));
    add_cell(list, "too wide", at, filled(list, 65, 1), STATUS(MALFORMED_WIDTH));
}

static void add_curve25519(struct list *list) {
    static const size_t widths[] = {0, 1, 63, 64, 111, 112, 127, 128, 129, 239, 240};
    for (int at = 0; kind_of_input(list->call->operation, at); at++)
        switch (kind_of_input(list->call->operation, at)) {
        case GECC_KIND_MESSAGE:
            for (size_t i = 0; list->call->operation == OPERATION_ED25519_SIGN && i < sizeof widths / sizeof *widths;
                 i++)
                add_cell(list, "message of another width", at, filled(list, widths[i], 0x2d), STATUS(OK));
            break;
        case GECC_KIND_ED25519_SIGNATURE:
            add_signatures25519(list, at);
            break;
        case GECC_KIND_ED25519_PUBLIC_KEY:
            add_numbers25519(list, at, STATUS(INVALID) | STATUS_ANY_MALFORMED);
            break;
        case GECC_KIND_CONTEXT:
            break;
        default:
            add_numbers25519(list, at, STATUS(OK) | STATUS(INVALID));
        }
}

static void add_rows(struct list *list) {
    const enum operation operation = list->call->operation;
    if (input_of_kind(operation, GECC_KIND_KEY_NUMBER) >= 0) {
        add_by_keys(list);
        return;
    }
    if (list->call->curve == GECC_CURVE25519) {
        add_curve25519(list);
        return;
    }
    for (int at = 0; at < CELLS; at++) {
        add_column(list, at);
    }
    if (operation == OPERATION_EC_ADD) {
        add_sums(list);
    } else if (operation == OPERATION_EC_MUL_ADD) {
        add_mul_add(list);
    } else if (operation == OPERATION_SM2_SIGN_NONCE) {
        add_sm2_signing(list);
    } else if (operation == OPERATION_SM2_VERIFY) {
        add_sm2_verifying(list);
    } else if (operation == OPERATION_SCHNORR_VERIFY) {
        add_schnorr_verifying(list);
    } else if (operation == OPERATION_ETHEREUM_RECOVER || operation == OPERATION_ETHEREUM_RECOVER_COLUMNS) {
        add_ethereum(list);
    } else {
        add_ecdsa(list);
    }
    if (operation == OPERATION_ECDSA_VERIFY || operation == OPERATION_ECDSA_RECOVER) {
        add_large_x(list);
    }
}

size_t exceptional_rows(const struct call *call, struct prng *prng, struct arena *arena, struct exceptional *rows) {
    struct list list = {
        .pool = pool_of(call->curve), .call = call, .prng = prng, .arena = arena, .rows = rows, .count = 0};
    list.curve = call->curve == GECC_CURVE25519 ? NULL : reference_curve(call->curve);
    for (size_t i = 0; i < KEYS; i++) {
        list.d[i] = BN_bin2bn(pool_key(list.pool, i), (int)list.pool->length, NULL);
    }
    add_rows(&list);
    for (size_t i = 0; i < KEYS; i++) {
        BN_free(list.d[i]);
    }
    return list.count;
}
