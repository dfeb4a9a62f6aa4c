/* Rows with a defect, or close to one: numbers at boundaries, changed bits, widths and heads of encodings. */
#include "put.h"

/* 0, 1, 2, all ones, or close to `modulus` or `other`. */
static void boundary(generator *g, uint8_t *number, size_t width, const uint8_t *modulus, const uint8_t *other) {
    static const uint8_t zero[LENGTH_MOST]; /* no modulus is longer than a curve's */
    int offset = one_in(g, 2) ? (int)below(g, 5) - 2 : (int)below(g, 3) - 1;
    switch (below(g, 8)) {
    case 0:
        memset(number, 0xff, width);
        break;
    case 1:
        number_add_small(number, other, offset, width);
        break;
    case 2:
    case 3:
        number_add_small(number, zero, (int)below(g, 3), width);
        break;
    case 4:
        memset(number, 0, width);
        number[below(g, width)] = (uint8_t)(1u << below(g, 8));
        break;
    default:
        number_add_small(number, modulus, offset, width);
    }
}

/* Another point, zeros, or x or y at a boundary. A row too short for a number has none. */
static void point_boundary(generator *g, int input) {
    const struct pool *pool = g->pool;
    const size_t width = g->cells[input].width, prefix = width % pool->length, numbers = width / pool->length;
    uint64_t choice = below(g, 5);
    if (choice == 0)
        put_point(g, input, point(g, pick(g)));
    else if (choice == 1 || numbers == 0)
        memset(g->memory[input], 0, width);
    else
        boundary(g, g->memory[input] + prefix + pool->length * below(g, numbers), pool->length, pool->p, pool->n);
}

/* r and s swapped, s by n - s, or one of them at a boundary; of no signature that of the pool. */
static void signature_boundary(generator *g, int input) {
    const struct pool *pool = g->pool;
    const size_t length = pool->length, width = g->cells[input].width;
    uint8_t raw[2 * LENGTH_MOST], r[LENGTH_MOST];
    uint64_t choice = below(g, 8);
    if ((g->wanted.flags & GECC_DER) != 0 ? !der_signature_read(raw, length, g->memory[input], width)
                                          : width < 2 * length)
        memcpy(raw, pool->signatures, 2 * length);
    else if ((g->wanted.flags & GECC_DER) == 0)
        memcpy(raw, g->memory[input], 2 * length);
    if (choice == 0) {
        memcpy(r, raw, length);
        memcpy(raw, raw + length, length);
        memcpy(raw + length, r, length);
    } else if (choice == 1) {
        negate(g, raw + length, raw + length);
    } else {
        boundary(g, raw + length * below(g, 2), length, pool->n, one_in(g, 2) ? pool->half_n : pool->p);
    }
    put_signature(g, input, raw);
}

/* One number of a row, replaced. */
static void put_boundary(generator *g, int input, gecc_kind kind) {
    const struct pool *pool = g->pool;
    uint8_t *data = g->memory[input];
    struct cell *cell = &g->cells[input];
    if (curve25519_boundary(g, input, kind))
        return;
    switch (kind) {
    case GECC_KIND_POINT:
        point_boundary(g, input);
        break;
    case GECC_KIND_SIGNATURE:
        signature_boundary(g, input);
        break;
    case GECC_KIND_X_ONLY_POINT:
        boundary(g, data, pool->length, pool->p, pool->n);
        break;
    case GECC_KIND_ETHEREUM_SIGNATURE:
        if (cell->width == 65 && one_in(g, 2))
            data[64] = (uint8_t)below(g, one_in(g, 2) ? 40 : 256);
        else if (cell->width >= 64 && one_in(g, 8))
            negate(g, data + 32, data + 32);
        else
            boundary(g, data + 32 * below(g, 2), 32, pool->n, one_in(g, 2) ? pool->half_n : pool->p);
        break;
    case GECC_KIND_ETHEREUM_NUMBER:
        if (cell->width == 0 || cell->width > 32)
            break;
        if (input == 3)
            data[cell->width - 1] = (uint8_t)below(g, one_in(g, 2) ? 40 : 256);
        else if (input == 2 && cell->width == 32 && one_in(g, 8))
            negate(g, data, data);
        else
            boundary(g, data, cell->width, pool->n + 32 - cell->width, pool->n + 32 - cell->width);
        break;
    case GECC_KIND_DIGEST32:
        if (cell->width == 0 || cell->width > 32)
            break;
        boundary(g, data, cell->width, pool->n + 32 - cell->width, pool->n + 32 - cell->width);
        break;
    case GECC_KIND_BIP340_SIGNATURE:
        if (cell->width > 64 && one_in(g, 6))
            data[64] = 0; /* the sighash byte that is not written */
        else
            boundary(g, data + pool->length * below(g, 2), pool->length, pool->n, pool->p);
        break;
    case GECC_KIND_PRIVATE_KEY:
    case GECC_KIND_NONCE:
    case GECC_KIND_SCALAR:
        if (kind == GECC_KIND_SCALAR && one_in(g, 5))
            memset(data, 0, below(g, pool->length)); /* a short one */
        else
            boundary(g, data, pool->length, pool->n, one_in(g, 2) ? pool->half_n : pool->p);
        break;
    case GECC_KIND_DIGEST:
    case GECC_KIND_SM2_DIGEST:
        if (!g->same_width && one_in(g, 4)) {
            put_random(g, input, (size_t)below(g, 70));
            break;
        }
        if (cell->width >= pool->length) {
            boundary(g, data, pool->length, pool->n, pool->n);
            break;
        }
        memset(data, one_in(g, 2) ? 0xff : 0, cell->width);
        break;
    case GECC_KIND_RESIDUE:
        boundary(g, data, g->wanted.modulus.bytes, g->wanted.modulus.value, g->wanted.modulus.value);
        break;
    case GECC_KIND_EXPONENT:
        if (cell->width != 0)
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

void flip_bit(generator *g, int input) {
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

int any_input(generator *g) {
    int inputs[INPUTS] = {0}, count = 0;
    for (int i = 0; i < INPUTS; i++)
        if (wanted_uses(&g->wanted, i) && g->cells[i].data != NULL)
            inputs[count++] = i;
    return inputs[below(g, (uint64_t)count)];
}

void generator_spoil(struct generator *g) {
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
