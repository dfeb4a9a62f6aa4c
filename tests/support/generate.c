/* Test: needs libcrypto */
#include "generate.h"

#include "number.h"

#include <string.h>

enum { POOL_ENTRIES = 8 * POOL_KEYS, ROWS_OF_POOL = 10000, EXPONENT_BYTES = 5 };

/* OpenSSL says so too of some signatures of each scheme: tests compare good rows with other good rows. */
static void require_good(gecc_curve curve) {
    static const enum operation verifies[] = {OPERATION_ECDSA_VERIFY, OPERATION_SM2_VERIFY, OPERATION_SCHNORR_VERIFY,
                                              OPERATION_ED25519_VERIFY};
    enum { ROWS_OF_SCHEME = 4 };
    struct arena arena = {0};
    struct prng prng = {curve};
    for (size_t i = 0; i < ROWS_OF_SCHEME * sizeof verifies / sizeof *verifies; i++) {
        const struct call call = {.operation = verifies[i / ROWS_OF_SCHEME], .curve = curve};
        if (operation_of(call.operation)->curves >> curve & 1) {
            const struct row row = row_good(&call, &prng, &arena);
            struct expectation expected;
            reference_row(&call, &row, &expected);
            REQUIRE(expected.statuses == STATUS(OK));
        }
    }
    arena_free(&arena);
}

static struct pool *pools[GECC_CURVE25519 + 1];
static struct prng prngs[GECC_CURVE25519 + 1];
static size_t rows_of_pool[GECC_CURVE25519 + 1];

void pool_renew(gecc_curve curve) {
    if (pools[curve]) {
        pool_free(pools[curve]);
        pools[curve] = NULL;
    }
    rows_of_pool[curve] = 0;
}

void pool_used(gecc_curve curve, size_t rows) {
    rows_of_pool[curve] += rows;
    if (rows_of_pool[curve] >= ROWS_OF_POOL) {
        pool_renew(curve);
    }
}

const struct pool *pool_of(gecc_curve curve) {
    if (curve && !pools[curve]) {
        static int is_seeded[GECC_CURVE25519 + 1];
        if (!is_seeded[curve]++) {
            prngs[curve] = prng_for(gecc_curve_name(curve));
        }
        gecc_config config = GECC_CONFIG_INIT;
        gecc_context *trusted;
        config.backend = "cpu";
        config.threads = 1;
        REQUIRE(gecc_open(&trusted, &config) == GECC_OK);
        pools[curve] = pool_new(trusted, curve, POOL_ENTRIES, POOL_KEYS, false, &prngs[curve]);
        gecc_close(trusted);
        require_good(curve);
    }
    return pools[curve];
}

struct cell point_cell(gecc_curve curve, size_t index, gecc_point_format format, struct arena *arena) {
    const struct pool *pool = pool_of(curve);
    uint8_t bytes[1 + 2 * LENGTH_MOST];
    return arena_copy(arena, bytes, point_encode(pool, bytes, pool_point(pool, index), format));
}

struct cell boundary_cell(gecc_curve curve, enum boundary boundary, struct arena *arena) {
    static const uint8_t zero[LENGTH_MOST];
    static const int offset[BOUNDARIES] = {0, 1, 2, -1, 0, 1, 0, 1, -1, 0, 1, -1};
    const struct pool *pool = pool_of(curve);
    const uint8_t *base[BOUNDARIES] = {zero,         zero,         zero,    pool->n, pool->n, pool->n,
                                       pool->half_n, pool->half_n, pool->p, pool->p, pool->p, zero};
    struct cell cell = arena_copy(arena, zero, pool->length);
    number_add_small(cell.data, base[boundary], offset[boundary], pool->length);
    return cell;
}

/* One for all: it is large. */
static struct generator *generator_for(const struct call *call, struct prng *prng) {
    static struct generator generator;
    const struct wanted wanted = {
        operation_of(operation_on_points(call->operation)),        call->curve,   call->flags,
        call->curve != GECC_CURVE25519 || call->other_inputs != 0, call->modulus, call->point_format};
    generator_start(&generator, pool_of(call->curve), wanted, false, prng);
    generator.exponent_width = EXPONENT_BYTES; /* all of a call have one width */
    return &generator;
}

/* Are such columns left out, unless the call says the contrary? */
static int is_left_out(gecc_kind kind) {
    return kind == GECC_KIND_ENTROPY || kind == GECC_KIND_AUXILIARY || kind == GECC_KIND_CONTEXT;
}

/* An x alone stands for either point that has it: one of them in any encoding, now and then. */
static struct cell key_of_x(struct cell x, struct prng *prng, struct arena *arena) {
    const struct pool *pool = pool_of(GECC_SECP256K1);
    uint8_t raw[64], bytes[65];
    const int wanted = prng_below(prng, 2) == 0;
    for (size_t i = 0; i < POOL_KEYS && wanted; i++) {
        memcpy(raw, pool_point(pool, i), sizeof raw);
        if (memcmp(raw, x.data, 32) == 0) {
            if (prng_below(prng, 2)) {
                number_sub(raw + 32, pool->p, raw + 32, 32);
            }
            return arena_copy(arena, bytes, point_encode(pool, bytes, raw, (gecc_point_format)prng_below(prng, 3)));
        }
    }
    return x;
}

struct row row_good(const struct call *call, struct prng *prng, struct arena *arena) {
    struct generator *generator = generator_for(call, prng);
    const int keys = input_of_kind(call->operation, GECC_KIND_KEY_NUMBER);
    struct row row = {{{NULL, 0}}};
    generator_good(generator);
    for (int i = 0; i < INPUTS; i++) {
        if (wanted_uses(&generator->wanted, i) &&
            is_left_out(wanted_kind(&generator->wanted, i)) == (int)(call->other_inputs >> i & 1)) {
            row.in[i] = arena_copy(arena, generator->cells[i].data, generator->cells[i].width);
        }
    }
    if (keys >= 0 && wanted_kind(&generator->wanted, keys) == GECC_KIND_X_ONLY_POINT) {
        row.in[keys] = key_of_x(row.in[keys], prng, arena);
    }
    return row;
}

/* No number of the set, next to the last one or far from it, or no number. */
static struct cell no_key(struct prng *prng, struct arena *arena) {
    const size_t width = 3 + (size_t)prng_below(prng, 3);
    struct cell cell = {arena_new(arena, width), (uint32_t)width};
    prng_bytes(prng, cell.data, width);
    memset(cell.data, 0, (size_t)prng_below(prng, width + 1));
    return cell;
}

struct row row_spoiled(const struct call *call, struct row row, struct prng *prng, struct arena *arena) {
    struct generator *generator = generator_for(call, prng);
    const int keys = input_of_kind(call->operation, GECC_KIND_KEY_NUMBER);
    if (keys >= 0 && prng_below(prng, 8) == 0) {
        row.in[keys] = no_key(prng, arena);
        return row;
    }
    for (int i = 0; i < INPUTS; i++) {
        if (row.in[i].width > CELL_BYTES_MOST - sizeof(uint32_t) || call->modulus.bytes) {
            return row;
        }
        if (row.in[i].width) {
            memcpy(generator->memory[i], row.in[i].data, row.in[i].width);
        }
        generator->cells[i].width = row.in[i].width;
        generator->cells[i].data = row.in[i].data ? generator->memory[i] : NULL;
    }
    if (prng_below(prng, 4) || !generator_special(generator)) {
        generator_spoil(generator);
    }
    for (int i = 0; i < INPUTS; i++) {
        if (row.in[i].data) {
            row.in[i] = arena_copy(arena, generator->cells[i].data, generator->cells[i].width);
        }
    }
    return row;
}
