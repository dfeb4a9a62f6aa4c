/* Test: needs libcrypto */
/* Ethereum's addresses and their recovery: OpenSSL's curve, and Keccak-256 written from FIPS 202. */
#include "reference.h"

#include <string.h>

enum { NUMBER_BYTES = 32, RATE = 136 };

/* a[x][y] of Keccak-f[1600]: theta, rho and pi, chi and iota of 24 rounds, with the offsets and constants as FIPS 202
 * computes them (algorithms 2 and 5). */
static uint64_t rotate(uint64_t a, unsigned n) { return n == 0 ? a : a << n | a >> (64 - n); }

static int constant_bit(uint8_t *lfsr) {
    int bit = *lfsr & 1;
    *lfsr = (uint8_t)(*lfsr << 1 ^ (*lfsr & 0x80 ? 0x71 : 0));
    return bit;
}

static void keccak_f(uint64_t a[5][5]) {
    uint8_t lfsr = 1;
    for (int round = 0; round < 24; round++) {
        uint64_t b[5][5], c[5];
        for (int x = 0; x < 5; x++) {
            c[x] = a[x][0] ^ a[x][1] ^ a[x][2] ^ a[x][3] ^ a[x][4];
        }
        for (int x = 0; x < 5; x++) {
            for (int y = 0; y < 5; y++) {
                a[x][y] ^= c[(x + 4) % 5] ^ rotate(c[(x + 1) % 5], 1);
            }
        }
        b[0][0] = a[0][0];
        for (int t = 0, x = 1, y = 0; t < 24; t++) {
            int next = (2 * x + 3 * y) % 5;
            b[y][next] = rotate(a[x][y], (unsigned)((t + 1) * (t + 2) / 2 % 64));
            x = y;
            y = next;
        }
        for (int x = 0; x < 5; x++) {
            for (int y = 0; y < 5; y++) {
                a[x][y] = b[x][y] ^ (~b[(x + 1) % 5][y] & b[(x + 2) % 5][y]);
            }
        }
        for (int j = 0; j < 7; j++) {
            a[0][0] ^= (uint64_t)constant_bit(&lfsr) << ((1 << j) - 1);
        }
    }
}

void reference_keccak256(const uint8_t *data, size_t width, uint8_t out[NUMBER_BYTES]) {
    uint64_t a[5][5] = {{0}};
    for (size_t i = 0; i <= width; i++) {
        size_t at = i % RATE;
        uint64_t byte = i < width ? data[i] : 1;
        a[at / 8 % 5][at / 40] ^= byte << 8 * (at % 8);
        if (i == width) {
            a[1][3] ^= UINT64_C(1) << 63;
        }
        if (at == RATE - 1 || i == width) {
            keccak_f(a);
        }
    }
    for (int i = 0; i < NUMBER_BYTES; i++) {
        out[i] = (uint8_t)(a[i / 8][0] >> 8 * (i % 8));
    }
}

/* The last 20 bytes of Keccak-256(x || y). */
static struct value address_of(const uint8_t raw[2 * NUMBER_BYTES]) {
    struct value address = {GECC_ADDRESS_BYTES, {0}};
    uint8_t hash[NUMBER_BYTES];
    reference_keccak256(raw, 2 * NUMBER_BYTES, hash);
    memcpy(address.bytes, hash + NUMBER_BYTES - GECC_ADDRESS_BYTES, GECC_ADDRESS_BYTES);
    return address;
}

static void address(const struct call *call, const struct row *row, struct expectation *expected) {
    const struct reference_curve *curve = reference_curve(call->curve);
    EC_POINT *point = EC_POINT_new(curve->group);
    uint8_t raw[2 * NUMBER_BYTES];
    expected->statuses = reference_point(curve, row->in[0], point);
    if (!expected->statuses) {
        REQUIRE(reference_point_encode(curve, GECC_POINT_RAW, point, raw));
        expected->out[0] = address_of(raw);
        expected->statuses = STATUS(OK);
    }
    EC_POINT_free(point);
}

/* 0 or 1; 4 where v stands for neither. */
static uint8_t recovery_id(struct cell v) {
    BIGNUM *number = BN_bin2bn(v.data, (int)v.width, NULL);
    uint8_t id = 4;
    if (BN_cmp(number, BN_value_one()) <= 0 || BN_is_word(number, 27) || BN_is_word(number, 28)) {
        id = (uint8_t)(BN_get_word(number) >= 27 ? BN_get_word(number) - 27 : BN_get_word(number));
    } else if (BN_num_bits(number) > 6 || BN_get_word(number) >= 35) {
        id = BN_is_odd(number) ? 0 : 1;
    }
    BN_free(number);
    return id;
}

static int fits(struct cell number) { return number.width >= 1 && number.width <= NUMBER_BYTES; }

/* Big-endian numbers of any width, as 64 bytes. */
static void join(struct cell r, struct cell s, uint8_t out[2 * NUMBER_BYTES]) {
    memset(out, 0, 2 * NUMBER_BYTES);
    memcpy(out + NUMBER_BYTES - r.width, r.data, r.width);
    memcpy(out + 2 * NUMBER_BYTES - s.width, s.data, s.width);
}

static void recover(const struct call *call, const struct row *row, struct expectation *expected) {
    struct cell digest = row->in[0], r = row->in[1], s = row->in[2], v = row->in[3];
    uint8_t joined[2 * NUMBER_BYTES], hash[NUMBER_BYTES], id;
    if (call->operation == OPERATION_ETHEREUM_RECOVER_MESSAGE) {
        reference_keccak256(digest.data, digest.width, hash);
        digest = (struct cell){hash, sizeof hash};
    }
    if (call->operation != OPERATION_ETHEREUM_RECOVER_COLUMNS && r.width > 2 * NUMBER_BYTES) {
        v = (struct cell){r.data + 2 * NUMBER_BYTES, r.width - 2 * NUMBER_BYTES};
        s = (struct cell){r.data + NUMBER_BYTES, NUMBER_BYTES};
        r.width = NUMBER_BYTES;
    }
    if (digest.width != NUMBER_BYTES || !fits(r) || !fits(s) || !fits(v)) {
        expected->statuses = STATUS(MALFORMED_WIDTH);
        return;
    }
    struct call inner = {.operation = OPERATION_ECDSA_RECOVER,
                         .curve = call->curve,
                         .flags = call->flags & GECC_LOW_S,
                         .point_format = GECC_POINT_RAW};
    join(r, s, joined);
    id = recovery_id(v);
    struct row inner_row = {{digest, {joined, sizeof joined}, {&id, 1}}};
    reference_ecdsa_recover(&inner, &inner_row, expected);
    if (expected->statuses == STATUS(OK)) {
        expected->out[0] = address_of(expected->out[0].bytes);
    }
}

void reference_ethereum(const struct call *call, const struct row *row, struct expectation *expected) {
    if (call->operation == OPERATION_ETHEREUM_ADDRESS) {
        address(call, row, expected);
    } else {
        recover(call, row, expected);
    }
}
