/* Rows of every operation: good ones, made cheaply from a pool of keys, and spoiled ones. */
#ifndef TESTS_SUPPORT_GENERATE_H
#define TESTS_SUPPORT_GENERATE_H

#include "reference.h"

enum { POOL_KEYS = 48 };

/* Key pairs d, Q = d * G; as nonces and R too. Without a curve of Weierstrass form there are none, and `curve` is
 * NULL. */
struct pool {
    const struct reference_curve *curve;
    BIGNUM *d[POOL_KEYS];
    uint8_t raw[POOL_KEYS][2 * GECC_CURVE_BYTES_MOST]; /* x || y */
};

struct pool *pool_new(gecc_curve curve, struct prng *prng);
void pool_free(struct pool *pool);

/* A row whose status is OK, or INFINITY for rare scalars and points (0, n, P + -P), without entropy. Its cells live in
 * the arena. Of the rows of an inverse modulo a composite number not all have one. */
struct row row_good(const struct pool *pool, const struct call *call, struct prng *prng, struct arena *arena);
/* The row with one column changed: a bit, a boundary value, another key, a wrong width or encoding. The result may
 * still be good; rows of operations modulo a number stay as they are. */
struct row row_spoiled(const struct pool *pool, const struct call *call, struct row row, struct prng *prng,
                       struct arena *arena);

/* The point `index` of the pool, encoded by format. */
struct cell pool_point(const struct pool *pool, size_t index, gecc_point_format format, struct arena *arena);
/* A number in L bytes. */
struct cell number_cell(const struct pool *pool, const BIGNUM *number, struct arena *arena);

/* 0, 1, 2, n - 1, n, n + 1, n / 2, n / 2 + 1, p - 1, p, p + 1, 2^8L - 1. */
enum boundary {
    BOUNDARY_0,
    BOUNDARY_1,
    BOUNDARY_2,
    BOUNDARY_N_LESS_1,
    BOUNDARY_N,
    BOUNDARY_N_PLUS_1,
    BOUNDARY_HALF_N,
    BOUNDARY_HALF_N_PLUS_1,
    BOUNDARY_P_LESS_1,
    BOUNDARY_P,
    BOUNDARY_P_PLUS_1,
    BOUNDARY_ALL_ONES,
    BOUNDARIES
};
struct cell boundary_cell(const struct pool *pool, enum boundary boundary, struct arena *arena);

#endif
