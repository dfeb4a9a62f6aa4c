/* Rows of every operation, of tools/rows and a pool of keys for each curve: good ones, and spoiled ones. */
#ifndef TESTS_SUPPORT_GENERATE_H
#define TESTS_SUPPORT_GENERATE_H

#include "rows.h"
#include "reference.h"

enum { POOL_KEYS = 48 };

/* Made when it is first asked for, with POOL_KEYS signers and more signatures. It lives until the process ends. NULL:
 * of operations without a curve. */
const struct pool *pool_of(gecc_curve curve);
/* Let go of it: the next one has other keys. */
void pool_renew(gecc_curve curve);
/* So many rows were made of it: let go of it after each 10,000 or so. */
void pool_used(gecc_curve curve, size_t rows);

/* A row whose status is OK, with the optional columns that the call says. Of the rows of an inverse modulo a composite
 * number not all have one. Not to be used from several threads. */
struct row row_good(const struct call *call, struct prng *prng, struct arena *arena);
/* The row with one column changed: a bit, a boundary value, another key, a wrong width or encoding; or a special case
 * of the operation. The result may still be good; rows of operations modulo a number stay as they are. */
struct row row_spoiled(const struct call *call, struct row row, struct prng *prng, struct arena *arena);

/* The point `index` of the pool, encoded by format. */
struct cell point_cell(gecc_curve curve, size_t index, gecc_point_format format, struct arena *arena);

/* 0, 1, 2, n - 1, n, n + 1, n / 2, n / 2 + 1, p - 1, p, p + 1, 2^8L - 1, in L bytes. */
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
struct cell boundary_cell(gecc_curve curve, enum boundary boundary, struct arena *arena);

#endif
