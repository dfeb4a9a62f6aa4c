/* Public keys that come back. Conventions: gecc/context.h.
 *
 * Who verifies many signatures of few signers prepares their keys once, and then names them by number: u G + v Q is a
 * sum of entries of two tables instead of hundreds of doublings. That pays from some ten rows a key on, twenty on
 * secp256k1, on a GPU from 32 on P-384, a hundred on P-256, 256 on secp256k1; how wide a key's windows are, and how
 * much memory its table takes, follows from the rows that are expected of each (docs/performance.md).
 *
 * gecc_ecdsa_verify_keys, gecc_sm2_verify_keys, gecc_schnorr_verify_keys, gecc_ed25519_verify_keys and
 * gecc_ec_mul_add_keys take a set of keys where the others take a curve or none, and a column of numbers where the
 * others take points: 4 bytes a row, the lowest first, whatever the flags. A number that no key has reads
 * MALFORMED_KEY_NUMBER, and that of a key that was refused has the key's status. Verdicts are those of the functions
 * that take points. */
#ifndef GECC_KEYS_H
#define GECC_KEYS_H

#include <gecc/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How keys are prepared. By default tables take at most a quarter of a GiB, on "cuda" a quarter of the GPU's free
 * memory. On "auto" the CPU has tables, of which gecc_keys_info tells, and a GPU gets its own, of the same
 * configuration and in its own memory, when calls on the set first run there. */
typedef struct gecc_keys_config {
    size_t size;     /* sizeof(gecc_keys_config) */
    size_t rows;     /* that are expected of each key, over the life of the set; 0: some hundred */
    size_t memory;   /* bytes that tables may take; 0: the default. Where it is not enough windows are narrower */
    unsigned window; /* bits of a window, 4 to 16; 0: as many as take the least time for those rows */
    size_t capacity; /* keys that there is to be room for; 0, or fewer than are given: for no others */
} gecc_keys_config;

#define GECC_KEYS_CONFIG_INIT                                                                                          \
    { sizeof(gecc_keys_config), 0, 0, 0, 0 }

/* What was prepared. */
typedef struct gecc_keys_info {
    size_t size; /* sizeof(gecc_keys_info) */
    gecc_curve curve;
    size_t count;    /* keys, refused ones among them */
    size_t memory;   /* bytes of tables, those of keys that may be added included */
    unsigned window; /* bits of a window */
    size_t capacity; /* keys that there is room for */
} gecc_keys_info;

/* Check keys and make their tables: key i has number i. public_keys: points as anywhere; or on secp256k1 rows of 32
 * bytes, the x of keys with an even y (BIP-340); on Curve25519 Ed25519's. They are read before the call returns.
 * status: one byte a row, OK or why the key was refused, of Ed25519 by the rule without a flag: whether a row's key is
 * refused, the rule of the call that verifies decides (gecc/ed25519.h). Both in host memory. config NULL:
 * GECC_KEYS_CONFIG_INIT. GECC_ERROR_MEMORY where not even the narrowest windows fit. Public data. The set belongs to
 * the context; any number of threads may use it at once. *keys is NULL unless the call succeeds. A call that is refused
 * has set all statuses to NOT_PROCESSED, unless there are 2^32 keys or more. */
GECC_CALL gecc_result gecc_keys_open(gecc_context *context, gecc_keys **keys, gecc_curve curve, gecc_out status,
                                     gecc_rows public_keys, size_t count, const gecc_keys_config *config);
/* More keys, which get the next numbers; *first, unless it is NULL, is that of the first of them. All as at
 * gecc_keys_open, but that config.capacity said how many there is room for; more are GECC_ERROR_ARGUMENT. Other threads
 * may use the set and add to it meanwhile: to calls that began before this one returned, the new numbers may be of no
 * key. Where the call fails no key was added. */
GECC_CALL gecc_result gecc_keys_add(gecc_keys *keys, gecc_out status, gecc_rows public_keys, size_t count,
                                    size_t *first);
/* No call may use the set any more. Before gecc_close; closing NULL does nothing. */
GECC_API void gecc_keys_close(gecc_keys *keys);
/* Fill info, whose size is set. */
GECC_API void gecc_keys_describe(const gecc_keys *keys, gecc_keys_info *info);

#ifdef __cplusplus
}
#endif
#endif
