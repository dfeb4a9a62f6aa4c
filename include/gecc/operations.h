/* What the library can do, said by the library: for bindings, query engines and tools that are made from it.
 * Conventions: gecc/context.h.
 *
 * An operation takes columns and gives columns. gecc_operations and gecc_operation_find describe each, with the names,
 * kinds and widths of its columns; gecc_run runs any of them. The typed functions of the other headers do the same,
 * with the same arguments in the same order. Names are stable: "ecdsa.verify" stays called "ecdsa.verify".
 * Everything that these functions point to is constant, and lives as long as the library. */
#ifndef GECC_OPERATIONS_H
#define GECC_OPERATIONS_H

#include <gecc/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Whether timing and memory have to keep something to themselves. */
typedef enum gecc_secrecy {
    GECC_PUBLIC = 0,
    GECC_SECRET = 1,
    GECC_SECRET_BY_FLAG = 2 /* secret unless GECC_PUBLIC_SCALARS is set */
} gecc_secrecy;

/* What the rows of a column are. L: see gecc/context.h. X(name, value, secrecy, short name, a row's description). */
#define GECC_KIND_LIST(X)                                                                                              \
    X(GECC_KIND_POINT, 1, PUBLIC, "point", "a point, as input in any encoding")                                        \
    X(GECC_KIND_PRIVATE_KEY, 2, SECRET, "private key", "a number between 1 and the order less 1 (SM2: less 2)")        \
    X(GECC_KIND_NONCE, 3, SECRET, "nonce", "a number between 1 and the order less 1")                                  \
    X(GECC_KIND_SCALAR, 4, SECRET_BY_FLAG, "scalar", "any number, taken modulo the order")                             \
    X(GECC_KIND_DIGEST, 5, PUBLIC, "digest", "a digest as ECDSA takes it")                                             \
    X(GECC_KIND_SM2_DIGEST, 6, PUBLIC, "SM2 digest", "SM2's e")                                                        \
    X(GECC_KIND_HASH, 7, PUBLIC, "hash", "what the hash gives")                                                        \
    X(GECC_KIND_SIGNATURE, 8, PUBLIC, "signature", "r || s, or strict DER with GECC_DER")                              \
    X(GECC_KIND_RECOVERY_ID, 9, PUBLIC, "recovery id", "0, 1, 2 or 3")                                                 \
    X(GECC_KIND_ENTROPY, 10, SECRET, "entropy", "random bytes")                                                        \
    X(GECC_KIND_SHARED_SECRET, 11, SECRET, "shared secret", "a coordinate of a point")                                 \
    X(GECC_KIND_RESIDUE, 12, SECRET, "residue", "a number as wide as the modulus")                                     \
    X(GECC_KIND_EXPONENT, 13, SECRET, "exponent", "a number, in all rows of one width")                                \
    X(GECC_KIND_SM2_ID, 14, PUBLIC, "id", "a signer's name")                                                           \
    X(GECC_KIND_MESSAGE, 15, PUBLIC, "message", "any bytes")                                                           \
    X(GECC_KIND_X_ONLY_POINT, 16, PUBLIC, "x-only point", "the x of a point with an even y (BIP-340)")                 \
    X(GECC_KIND_BIP340_SIGNATURE, 17, PUBLIC, "BIP-340 signature", "x of R || s")                                      \
    X(GECC_KIND_AUXILIARY, 18, SECRET, "auxiliary randomness", "random bytes (BIP-340)")                               \
    X(GECC_KIND_MERKLE_ROOT, 19, PUBLIC, "merkle root", "32 bytes, or none (BIP-341)")                                 \
    X(GECC_KIND_PARITY, 20, PUBLIC, "parity", "0: even, or 1: odd")                                                    \
    X(GECC_KIND_DIGEST32, 21, PUBLIC, "digest of 32 bytes", "a digest as Ethereum signs it")                           \
    X(GECC_KIND_ETHEREUM_SIGNATURE, 22, PUBLIC, "Ethereum signature", "r || s || v, v of 1 to 32 bytes")               \
    X(GECC_KIND_ETHEREUM_NUMBER, 23, PUBLIC, "Ethereum number", "a big-endian number below 2^256")                     \
    X(GECC_KIND_ADDRESS, 24, PUBLIC, "address", "an Ethereum address")                                                 \
    X(GECC_KIND_KEY_NUMBER, 25, PUBLIC, "key number", "the number of a key of gecc_keys, its lowest byte first")       \
    X(GECC_KIND_PUBLIC_SCALAR, 26, PUBLIC, "public scalar", "any number, taken modulo the order")                      \
    X(GECC_KIND_SEED, 27, SECRET, "Ed25519 seed", "any 32 bytes, from which a private key is made")                    \
    X(GECC_KIND_ED25519_PUBLIC_KEY, 28, PUBLIC, "Ed25519 public key", "y and the parity of x (RFC 8032)")              \
    X(GECC_KIND_ED25519_SIGNATURE, 29, PUBLIC, "Ed25519 signature", "R || S")                                          \
    X(GECC_KIND_CONTEXT, 30, PUBLIC, "Ed25519 context", "up to 255 bytes that a signature is bound to")                \
    X(GECC_KIND_X25519_PRIVATE_KEY, 31, SECRET, "X25519 private key", "any 32 bytes, of which some bits are set")      \
    X(GECC_KIND_X25519_PUBLIC_KEY, 32, PUBLIC, "X25519 public key", "a u coordinate, any 32 bytes (RFC 7748)")         \
    X(GECC_KIND_SCALARS, 33, PUBLIC, "group of scalars", "numbers as wide as the order, one behind the other")         \
    X(GECC_KIND_POINTS, 34, PUBLIC, "group of points", "points of one width, one behind the other")                    \
    X(GECC_KIND_CIPHERTEXT, 35, PUBLIC, "ciphertext", "C1, C3 and C2 of SM2, or a SEQUENCE of them with GECC_DER")     \
    X(GECC_KIND_PLAINTEXT, 36, SECRET, "plaintext", "one byte or more, to be encrypted or decrypted")                  \
    X(GECC_KIND_DERIVED_KEY, 37, SECRET, "derived key", "as many bytes as are asked for")                              \
    X(GECC_KIND_CONFIRMATION, 38, PUBLIC, "confirmation", "a hash that shows that both sides have one key")

typedef enum gecc_kind {
#define GECC_X(name, value, secrecy, text, what) name = value,
    GECC_KIND_LIST(GECC_X)
#undef GECC_X
} gecc_kind;

/* The short name of a kind, "private key", and a row's description; "unknown" for a value that is none. */
GECC_API const char *gecc_kind_name(gecc_kind kind);
GECC_API const char *gecc_kind_text(gecc_kind kind);
/* The short name of a gecc_flag, "low_s", and its effect; NULL for a value that is none. */
GECC_API const char *gecc_flag_name(uint32_t flag);
GECC_API const char *gecc_flag_text(uint32_t flag);

typedef struct gecc_column {
    const char *name; /* as the argument of the typed function is called: "public_key" */
    const char *text; /* what it is to the operation: "the signer's public key" */
    gecc_kind kind;
    gecc_secrecy secrecy;
    int is_output;
    int is_optional; /* may be left out */
} gecc_column;

/* What chooses among the programs of an operation. */
typedef enum gecc_selector {
    GECC_SELECT_CURVE = 1,   /* gecc_parameters.curve */
    GECC_SELECT_MODULUS = 2, /* gecc_parameters.modulus */
    GECC_SELECT_HASH = 3     /* gecc_parameters.hash */
} gecc_selector;

/* options->point_format means something where an output is a point or a column a ciphertext, options->nonce_hash where
 * there is an input of entropy, options->output_bytes where an output is a ciphertext, a plaintext or a derived key;
 * elsewhere output_bytes is an argument error. */
typedef struct gecc_operation {
    const char *name; /* "ecdsa.verify": the typed function is gecc_ecdsa_verify */
    const char *text; /* what it does to a row: "checks an ECDSA signature" */
    gecc_selector selector;
    uint32_t curves;      /* bit c is set where it works on gecc_curve c; 0: it has no curve */
    uint32_t flags;       /* the gecc_flag that mean something to it, or'ed */
    gecc_secrecy secrecy; /* of its inputs together */
} gecc_operation;

/* Operation 0, 1, ...; NULL past the last. */
GECC_API const gecc_operation *gecc_operations(size_t index);
/* The operation of that name, NULL: none. */
GECC_API const gecc_operation *gecc_operation_find(const char *name);
/* Its columns 0, 1, ... in the order of gecc_run's arrays; NULL past the last, and for an operation that is NULL. */
GECC_API const gecc_column *gecc_operation_input(const gecc_operation *operation, size_t index);
GECC_API const gecc_column *gecc_operation_output(const gecc_operation *operation, size_t index);

/* What an operation works with besides its columns; it reads the one that its selector names. */
typedef struct gecc_parameters {
    size_t size;          /* sizeof(gecc_parameters) */
    gecc_curve curve;     /* may be 0 where the operation works on one curve alone */
    gecc_hash hash;       /* not GECC_HASH_DEFAULT */
    gecc_modulus modulus; /* read before the call returns */
    gecc_keys *keys;      /* for operations on numbers of keys, of the same context; curve may be 0 then: gecc/keys.h */
} gecc_parameters;

#define GECC_PARAMETERS_INIT                                                                                           \
    { sizeof(gecc_parameters), (gecc_curve)0, GECC_HASH_DEFAULT, {NULL, 0}, NULL }

/* Which widths the rows of a column can have: width[0 .. count - 1], and where count is 0 any from least to most. */
typedef struct gecc_widths {
    size_t least, most, count;
    size_t width[4];
} gecc_widths;

/* The widths of an operation's column for these parameters and options (NULL: the defaults). Of an output `most` is
 * what a row needs; PTRDIFF_MAX where options->output_bytes has to say it. All zeros where an argument is wrong. */
GECC_API gecc_widths gecc_column_widths(const gecc_operation *operation, const gecc_column *column,
                                        const gecc_parameters *parameters, const gecc_options *options);

/* X(a column's name in gecc_operations, its name in files of the tool): two names of one column. Files, options of the
 * tool, Python and SQL take either. Ed25519's operations call a private key `seed`. */
#define GECC_COLUMN_NAME_LIST(X)                                                                                       \
    X(public_key, pub)                                                                                                 \
    X(private_key, priv)                                                                                               \
    X(seed, priv)                                                                                                      \
    X(signature, sig)                                                                                                  \
    X(recovery_id, recid)                                                                                              \
    X(message, msg)                                                                                                    \
    X(auxiliary, aux)                                                                                                  \
    X(k, scalar)

/* Run the operation. outputs and inputs: one for each column that gecc_operation_output and _input count, those left
 * out included; they may be NULL where there are none. The rest as in gecc/context.h. */
GECC_CALL gecc_result gecc_run(gecc_context *context, const gecc_operation *operation,
                               const gecc_parameters *parameters, const gecc_out *outputs, gecc_out status,
                               const gecc_rows *inputs, size_t count, const gecc_options *options);

/* Have made what a call of `count` rows would have made first, and wait for it: tables of multiples of G for that many
 * rows, and with "auto" the GPU if such a call would go there. A later call then takes what it takes and no more. Rows
 * that were prepared for count as asked for. */
GECC_CALL gecc_result gecc_prepare(gecc_context *context, const gecc_operation *operation,
                                   const gecc_parameters *parameters, size_t count, const gecc_options *options);

#ifdef __cplusplus
}
#endif
#endif
