/* Every public operation as one function over rows, so that a test is written once for all of them.
 *
 * A call says what is computed, a row holds the inputs of one item, an outcome what came of it, an expectation what may
 * come of it. A batch lays rows out in memory, in a shape taken from a random source, calls the library and checks that
 * nothing beside its outputs was written. */
#ifndef TESTS_SUPPORT_OPERATION_H
#define TESTS_SUPPORT_OPERATION_H

#include "memory.h"
#include "prng.h"

#include <gecc/gecc.h>

enum column {
    COLUMN_NONE,
    COLUMN_POINT,
    COLUMN_PRIVATE_KEY,
    COLUMN_NONCE,
    COLUMN_SCALAR,
    COLUMN_DIGEST,
    COLUMN_SIGNATURE,
    COLUMN_RECOVERY_ID,
    COLUMN_ID,
    COLUMN_MESSAGE,
    COLUMN_RESIDUE,
    COLUMN_EXPONENT
};

enum output { OUTPUT_NONE, OUTPUT_POINT, OUTPUT_X, OUTPUT_SIGNATURE, OUTPUT_DIGEST, OUTPUT_RESIDUE };

/* X(name, function, inputs, output). */
#define OPERATION_LIST(X)                                                                                              \
    X(EC_VALIDATE, gecc_ec_validate, POINT, NONE, NONE, NONE)                                                          \
    X(EC_CONVERT, gecc_ec_convert, POINT, NONE, NONE, POINT)                                                           \
    X(EC_ADD, gecc_ec_add, POINT, POINT, NONE, POINT)                                                                  \
    X(EC_DOUBLE, gecc_ec_double, POINT, NONE, NONE, POINT)                                                             \
    X(EC_PUBLIC_KEY, gecc_ec_public_key, PRIVATE_KEY, NONE, NONE, POINT)                                               \
    X(EC_MUL_BASE, gecc_ec_mul_base, SCALAR, NONE, NONE, POINT)                                                        \
    X(EC_MUL, gecc_ec_mul, SCALAR, POINT, NONE, POINT)                                                                 \
    X(EC_MUL_ADD, gecc_ec_mul_add, SCALAR, SCALAR, POINT, POINT)                                                       \
    X(ECDH, gecc_ecdh, PRIVATE_KEY, POINT, NONE, X)                                                                    \
    X(ECDSA_SIGN, gecc_ecdsa_sign, PRIVATE_KEY, DIGEST, NONE, SIGNATURE)                                               \
    X(ECDSA_SIGN_NONCE, gecc_ecdsa_sign_with_dangerous_nonce, PRIVATE_KEY, DIGEST, NONCE, SIGNATURE)                   \
    X(ECDSA_VERIFY, gecc_ecdsa_verify, POINT, DIGEST, SIGNATURE, NONE)                                                 \
    X(ECDSA_RECOVER, gecc_ecdsa_recover, DIGEST, SIGNATURE, RECOVERY_ID, POINT)                                        \
    X(SM2_DIGEST, gecc_sm2_digest, POINT, ID, MESSAGE, DIGEST)                                                         \
    X(SM2_SIGN, gecc_sm2_sign, PRIVATE_KEY, DIGEST, NONE, SIGNATURE)                                                   \
    X(SM2_SIGN_NONCE, gecc_sm2_sign_with_dangerous_nonce, PRIVATE_KEY, DIGEST, NONCE, SIGNATURE)                       \
    X(SM2_VERIFY, gecc_sm2_verify, POINT, DIGEST, SIGNATURE, NONE)                                                     \
    X(MOD_ADD, gecc_mod_add, RESIDUE, RESIDUE, NONE, RESIDUE)                                                          \
    X(MOD_SUB, gecc_mod_sub, RESIDUE, RESIDUE, NONE, RESIDUE)                                                          \
    X(MOD_MUL, gecc_mod_mul, RESIDUE, RESIDUE, NONE, RESIDUE)                                                          \
    X(MOD_SQUARE, gecc_mod_square, RESIDUE, NONE, NONE, RESIDUE)                                                       \
    X(MOD_INVERSE, gecc_mod_inverse, RESIDUE, NONE, NONE, RESIDUE)                                                     \
    X(MOD_POWER, gecc_mod_power, RESIDUE, EXPONENT, NONE, RESIDUE)                                                     \
    X(DIGEST, gecc_digest, MESSAGE, NONE, NONE, DIGEST)

enum operation {
#define X(name, function, a, b, c, out) name,
    OPERATION_LIST(X)
#undef X
        OPERATION_COUNT
};

struct operation_info {
    const char *name;
    enum column in[3];
    enum output out;
};

extern const struct operation_info operation_info[OPERATION_COUNT];

struct call {
    enum operation operation;
    gecc_curve curve;
    uint32_t flags;
    gecc_hash hash;
    gecc_point_format point_format;
    gecc_modulus modulus;
};

enum { CELL_ENTROPY = 3, CELLS = 4, OUTCOME_BYTES = 104, RECOVERY_ID_ANY = 0xff };

/* in[CELL_ENTROPY].data is NULL in every row of a batch or in none; so is an SM2 id. */
struct row {
    struct cell in[CELLS];
};

struct outcome {
    uint8_t status;
    uint8_t recovery_id;
    uint32_t width;
    uint8_t out[OUTCOME_BYTES];
};

#define STATUS(name) (1u << GECC_ITEM_##name)
#define STATUS_ANY_MALFORMED 0xffff0000u

/* `statuses`: the set of statuses that the row may have, STATUS() or'ed. A row with two defects may read as either. The
 * rest holds for OK; for other statuses the output is zeros. */
struct expectation {
    uint32_t statuses;
    uint8_t recovery_id;
    uint32_t width;
    uint8_t out[OUTCOME_BYTES];
};

const char *call_text(const struct call *call, char text[160]);
/* The greatest width of an output row. */
size_t call_output_bytes(const struct call *call);
int call_has_recovery_id(const struct call *call);

struct batch;

enum { ALIAS_NONE = -1 };

/* shape NULL: plain columns. alias: the index of the input column whose memory and stride the output shares. */
struct batch *batch_new(const struct call *call, const struct row *rows, size_t count, struct prng *shape, int alias);
/* job NULL: synchronous. */
gecc_result batch_call(struct batch *batch, gecc_context *context, gecc_job **job);
/* What came of each row. Stops if guard bytes around the outputs changed. */
void batch_outcomes(const struct batch *batch, struct outcome *outcomes);
void batch_free(struct batch *batch);

/* All of the above; the call must return GECC_OK. */
void run_rows(gecc_context *context, const struct call *call, const struct row *rows, size_t count, struct prng *shape,
              struct outcome *outcomes);

/* 1 and a report on stderr where the outcome is not what was expected, else 0. */
int outcome_mismatch(const struct call *call, const struct row *row, const struct expectation *expected,
                     const struct outcome *outcome, const char *label);
/* Are status, recovery id and output bit for bit the same? */
int outcome_equal(const struct outcome *a, const struct outcome *b);

/* A context on the backend of GECC_TEST_BACKEND ("auto" if unset), "fake-cuda" being the CUDA backend without a GPU. */
gecc_context *test_context(void);
/* A number from the environment. */
size_t environment_number(const char *name, size_t otherwise);

#endif
