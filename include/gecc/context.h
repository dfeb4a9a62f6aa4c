/* Contexts, results, rows and options, which every operation of gecc shares.
 *
 * Argument order everywhere: context, the operation's selector (curve, hash, modulus), outputs, inputs, the number of
 * rows, options. Unless a declaration says otherwise:
 *   - integers are big-endian byte strings, or little-endian with GECC_LITTLE_ENDIAN; L is the curve's length, gecc_curve_bytes;
 *   - an output may be the same memory as an input of the same call if both have the same address and stride;
 *     any other overlap is an error of the caller;
 *   - `status` is an output column of one byte a row, a gecc_item; its data may not be NULL and its widths must be;
 *   - the row of an item whose status is not GECC_ITEM_OK is filled with zeros, to its greatest width;
 *   - a row with several defects reports the first, in the order of the input columns;
 *   - an input column that may be left out is gecc_rows_none() then, an output column gecc_out_none();
 *   - `options` may be NULL, which means GECC_OPTIONS_INIT;
 *   - a call that is refused for its arguments has set every status that it could reach to GECC_ITEM_NOT_PROCESSED, so
 *     that nothing of an earlier call reads as this one's, and gecc_error_text says which argument it was; without a
 *     context statuses have to be in host memory;
 *   - where a GPU computes, any of these may be in its memory, and is used there: rows (their widths and offsets in host
 *     or device memory), outputs, statuses. Widths and offsets of rows in host memory are in host memory. If the call then
 *     fails, outputs in device memory keep what they held in rows that were not processed. Where the context has not opened
 *     a GPU, addresses are the host's: a program that has rows on a GPU asks gecc_backends first, or opens "cuda".
 */
#ifndef GECC_CONTEXT_H
#define GECC_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include <gecc/curves.h>
#include <gecc/hashes.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GECC_VERSION_MAJOR 0
#define GECC_VERSION_MINOR 3
#define GECC_VERSION_PATCH 0
/* 0.3.0 is 3000, 1.2.3 is 1002003: later versions have greater numbers. */
#define GECC_VERSION_NUMBER (GECC_VERSION_MAJOR * 1000000 + GECC_VERSION_MINOR * 1000 + GECC_VERSION_PATCH)

#define GECC_API __attribute__((visibility("default")))
/* A function whose result says whether anything was done: the compiler warns where it is not looked at. */
#define GECC_CALL GECC_API __attribute__((warn_unused_result))

/* The version of the library that runs, "0.3.0"; the macros are those of the headers that a program was compiled with.
 * A program that was compiled against 0.2 runs with every later 0.x that has the same SONAME: structs whose first field
 * is their size may grow at their end. */
GECC_API const char *gecc_version(void);
/* The same as a number, GECC_VERSION_NUMBER of the library that runs. */
GECC_API uint32_t gecc_version_number(void);

/* What came of a call. X(name, value, text). */
#define GECC_RESULT_LIST(X)                                                                                            \
    X(GECC_OK, 0, "done")                                                                                              \
    X(GECC_ERROR_ARGUMENT, 1, "an argument is NULL, out of range or inconsistent")                                     \
    X(GECC_ERROR_MEMORY, 2, "not enough memory")                                                                       \
    X(GECC_ERROR_THREAD, 3, "a thread could not be started")                                                           \
    X(GECC_ERROR_NO_BACKEND, 4, "the backend asked for is not available")                                              \
    X(GECC_ERROR_UNSUPPORTED, 5, "this backend does not offer this operation")                                         \
    X(GECC_ERROR_DEVICE, 6, "the device failed; rows marked as not processed have no result")                          \
    X(GECC_PENDING, 7, "the job is still running")                                                                     \
    X(GECC_ERROR_FAULT, 8, "a result failed its check; rows marked as not processed have no result")                   \
    X(GECC_ERROR_CANCELLED, 9, "cancelled; rows marked as not processed have no result")                               \
    X(GECC_ERROR_BUSY, 10, "the queue is full")

typedef enum gecc_result {
#define GECC_X(name, value, text) name = value,
    GECC_RESULT_LIST(GECC_X)
#undef GECC_X
} gecc_result;

/* What came of one item (row). X(name, value, text). Zero means that nothing was decided, so that memory nobody wrote
 * never reads as a valid signature. Values from 16 up say why a row was refused: see gecc_item_is_malformed. No call
 * gives GECC_ITEM_MALFORMED_SELECTOR, GECC_ITEM_MALFORMED_TEXT and GECC_ITEM_NULL: for programs that read tables,
 * whose rows may name curves, hold text, or have no value. */
#define GECC_ITEM_LIST(X)                                                                                              \
    X(GECC_ITEM_NOT_PROCESSED, 0, "not processed")                                                                     \
    X(GECC_ITEM_OK, 1, "valid, or computed")                                                                           \
    X(GECC_ITEM_INVALID, 2, "well formed, but does not verify or has no result")                                       \
    X(GECC_ITEM_INFINITY, 3, "the result is the point at infinity, which has no encoding of fixed width")              \
    X(GECC_ITEM_MALFORMED_WIDTH, 16, "a row has a width that its column cannot have")                                  \
    X(GECC_ITEM_MALFORMED_POINT_ENCODING, 17, "a point's encoding starts with the wrong byte")                         \
    X(GECC_ITEM_MALFORMED_POINT_RANGE, 18, "a coordinate is not less than the field's prime")                          \
    X(GECC_ITEM_MALFORMED_POINT_OFF_CURVE, 19, "a point is not on the curve")                                          \
    X(GECC_ITEM_MALFORMED_SCALAR, 20,                                                                                  \
      "a private key or nonce is not between 1 and the order less 1 (key of SM2: less 2)")                             \
    X(GECC_ITEM_MALFORMED_SIGNATURE_ENCODING, 21, "a signature is not strict DER, or its sighash byte is 0")           \
    X(GECC_ITEM_MALFORMED_SIGNATURE_RANGE, 22, "r or s is out of range")                                               \
    X(GECC_ITEM_MALFORMED_HIGH_S, 23, "s is greater than half the order, and low s was asked for")                     \
    X(GECC_ITEM_MALFORMED_RECOVERY_ID, 24, "a recovery id is not 0, 1, 2 or 3, or Ethereum has no such v")             \
    X(GECC_ITEM_MALFORMED_TRANSACTION, 25, "a transaction is not well formed")                                         \
    X(GECC_ITEM_MALFORMED_KEY_NUMBER, 26, "there is no key of that number")                                            \
    X(GECC_ITEM_MALFORMED_SELECTOR, 27, "a row names no curve or hash of the operation, or not the call's")            \
    X(GECC_ITEM_MALFORMED_TEXT, 28, "a text is not in hexadecimal, or in the encoding that was said")                  \
    X(GECC_ITEM_MALFORMED_CIPHERTEXT, 29, "a ciphertext is not strict DER")                                            \
    X(GECC_ITEM_NULL, 255, "the row has no value")

typedef enum gecc_item {
#define GECC_X(name, value, text) name = value,
    GECC_ITEM_LIST(GECC_X)
#undef GECC_X
} gecc_item;

static inline int gecc_item_is_malformed(uint8_t item) { return item >= GECC_ITEM_MALFORMED_WIDTH; }

/* Static texts in English; never NULL. */
GECC_API const char *gecc_result_text(gecc_result result);
GECC_API const char *gecc_item_text(uint8_t item);

/* Why the last call of this thread that failed did so, in words that name the argument: "digest: rows of 19 bytes,
 * where a digest has 20 to 64". "" if none has failed. Valid until the thread's next call that fails; never holds what
 * a row holds. */
GECC_API const char *gecc_error_text(void);

/* The curves of gecc/curves.h. On GECC_CURVE25519 are Ed25519 and X25519 and nothing else. */
typedef enum gecc_curve {
#define GECC_X(identifier, value, ...) identifier = value,
    GECC_CURVE_LIST(GECC_X) GECC_EDWARDS_CURVE_LIST(GECC_X)
#undef GECC_X
} gecc_curve;

/* L: bytes of a field element, a scalar. 0 for a value that is no curve. */
GECC_API size_t gecc_curve_bytes(gecc_curve curve);
/* The name people write: "secp256k1", "P-256", "brainpoolP256r1". NULL for a value that is no curve. */
GECC_API const char *gecc_curve_name(gecc_curve curve);
/* The curve of that name, which may also be one that OpenSSL, SEC 2, ANSI X9.62 or JOSE has for it ("prime256v1"), or
 * its object identifier ("1.2.840.10045.3.1.7"); letters are alike in either case. 0: no curve has it, or it is
 * NULL. */
GECC_API gecc_curve gecc_curve_named(const char *name);

/* The hashes of gecc/hashes.h. */
typedef enum gecc_hash {
    GECC_HASH_DEFAULT = 0, /* for nonces: the hash that gecc/curves.h names, the SHA-2 of as many bits, or more */
#define GECC_X(identifier, value, ...) identifier = value,
    GECC_HASH_LIST(GECC_X)
#undef GECC_X
} gecc_hash;

/* Bytes of a digest; 0 for GECC_HASH_DEFAULT and for a value that is no hash. */
GECC_API size_t gecc_hash_bytes(gecc_hash hash);
/* The name people write: "SHA-256", "Keccak-256". NULL for GECC_HASH_DEFAULT and for a value that is no hash. */
GECC_API const char *gecc_hash_name(gecc_hash hash);
/* The hash of that name, with or without the hyphen; letters are alike in either case. GECC_HASH_DEFAULT: no hash has
 * it, or it is NULL. */
GECC_API gecc_hash gecc_hash_named(const char *name);

/* What arithmetic is modulo: see gecc/mod.h. */
typedef struct gecc_modulus {
    const uint8_t *value; /* [bytes], big-endian */
    size_t bytes;
} gecc_modulus;

/* An input column: where row i starts and how many bytes it has.
 * Row i starts at data + offsets[i] if offsets is given, else at data + i * stride; stride 0 repeats one row for all.
 * It has widths[i] bytes if widths is given (then width is ignored), else width bytes. No alignment is needed. */
typedef struct gecc_rows {
    const void *data;
    size_t stride;
    size_t width;
    const uint32_t *widths;  /* [count] or NULL */
    const uint64_t *offsets; /* [count] or NULL */
} gecc_rows;

/* An output column: row i starts at data + i * stride; stride must be at least the row's greatest width. widths[i]
 * receives the row's width, 0 for a row without a result; it may be NULL where all rows have one width, which is
 * everywhere but for signatures in DER, ciphertexts and plaintexts. What the greatest width of ciphertexts, plaintexts
 * and derived keys is, the caller says: gecc_options.output_bytes. Up to it a row is written, with zeros after its end,
 * but never further. Where that is 0, it is the whole stride: rows that lie in a struct, with other members after them,
 * need it. */
typedef struct gecc_out {
    void *data;
    size_t stride;
    uint32_t *widths; /* [count] or NULL */
} gecc_out;

/* Rows of `width` bytes, `stride` apart. */
static inline gecc_rows gecc_rows_strided(const void *data, size_t width, size_t stride) {
    gecc_rows rows = {data, stride, width, NULL, NULL};
    return rows;
}

/* Rows of `width` bytes that follow each other. */
static inline gecc_rows gecc_rows_packed(const void *data, size_t width) {
    return gecc_rows_strided(data, width, width);
}

/* One row that serves for every item. */
static inline gecc_rows gecc_rows_same(const void *data, size_t width) { return gecc_rows_strided(data, width, 0); }

/* A column that is left out. */
static inline gecc_rows gecc_rows_none(void) { return gecc_rows_strided(NULL, 0, 0); }

/* Output rows that are `stride` bytes apart. */
static inline gecc_out gecc_out_packed(void *data, size_t stride) {
    gecc_out out = {data, stride, NULL};
    return out;
}

/* An output column that is left out. */
static inline gecc_out gecc_out_none(void) { return gecc_out_packed(NULL, 0); }

/* How points are written. How they are read follows from a row's width: 1 + L compressed, 2L raw x || y,
 * 1 + 2L uncompressed. Hybrid encodings and the point at infinity (one byte 00) are MALFORMED_POINT_ENCODING. */
typedef enum gecc_point_format {
    GECC_POINT_UNCOMPRESSED = 0, /* 04 || x || y, 1 + 2L bytes */
    GECC_POINT_COMPRESSED = 1,   /* 02 or 03 || x, 1 + L bytes */
    GECC_POINT_RAW = 2           /* x || y, 2L bytes */
} gecc_point_format;

GECC_API size_t gecc_point_bytes(gecc_curve curve, gecc_point_format format);
/* The greatest width of a DER signature on the curve: 72 where L is 32. */
GECC_API size_t gecc_der_bytes(gecc_curve curve);

/* A flag that means nothing to an operation (GECC_LOW_S to SM2, say) is GECC_ERROR_ARGUMENT; but those that say how
 * rows are written, GECC_DER, GECC_LITTLE_ENDIAN and GECC_SIGHASH_BYTE, are ignored there. With GECC_LITTLE_ENDIAN the
 * numbers in rows have their lowest byte first: private keys, nonces, scalars, residues, exponents, shared secrets, r
 * and s of raw signatures, x and y of points without a prefix; digests, hashes, DER, points with a prefix, keys and
 * signatures of BIP-340, signatures and addresses of Ethereum, ciphertexts and gecc_modulus are as without it. With
 * GECC_SIGHASH_BYTE each row of ecdsa.verify and ecdsa.recover has a byte after its signature, as in Bitcoin's scripts,
 * which is not looked at; a row of schnorr.verify of 65 bytes has one, which is not 0 (BIP-341), a row of 64 bytes has
 * none. GECC_ANY_S does not go with GECC_LOW_S, GECC_C1C2C3 not with GECC_DER, nor one GECC_ACCEPT_ with another: see
 * gecc/ed25519.h. X(name, bit,
 * short name, its effect). */
#define GECC_FLAG_LIST(X)                                                                                              \
    X(GECC_DER, 0, "der", "signatures and ciphertexts, in and out, are strict DER instead of their parts in a row")    \
    X(GECC_LOW_S, 1, "low_s", "refuse s greater than half the order; of signatures made, make it low")                 \
    X(GECC_ANY_S, 2, "any_s", "leave s of signatures made on secp256k1 as it falls, instead of low")                   \
    X(GECC_PUBLIC_SCALARS, 3, "public_scalars", "the scalars are public: faster, and timing depends on them")          \
    X(GECC_VERIFY_SIGNATURES, 4, "verify_signatures", "verify each signature in full before it is given")              \
    X(GECC_LITTLE_ENDIAN, 5, "little_endian", "numbers, in and out, are little-endian")                                \
    X(GECC_SIGHASH_BYTE, 6, "sighash_byte", "a byte that says what was hashed follows each signature")                 \
    X(GECC_PREHASH, 7, "prehash", "Ed25519ph: messages are hashed before they are signed")                             \
    X(GECC_ACCEPT_REF10, 8, "accept_ref10", "accept Ed25519 keys as ref10, OpenSSL and Go do: y need not be below p")  \
    X(GECC_ACCEPT_STRICT, 9, "accept_strict", "refuse Ed25519 keys and R of small order, as libsodium does")           \
    X(GECC_ACCEPT_ZIP215, 10, "accept_zip215", "accept what ZIP 215 does: keys and R in any encoding, times 8")        \
    X(GECC_C1C2C3, 11, "c1c2c3", "SM2 ciphertexts have their hash last, as before 2012, instead of in the middle")     \
    X(GECC_RESPONDER, 12, "responder", "SM2 key exchange: this side is the one that answers")

typedef enum gecc_flag {
#define GECC_X(name, bit, text, what) name = 1u << (bit),
    GECC_FLAG_LIST(GECC_X)
#undef GECC_X
} gecc_flag;

typedef struct gecc_context gecc_context;
typedef struct gecc_job gecc_job;
typedef struct gecc_keys gecc_keys; /* gecc/keys.h */

/* Where a call ran and how long it took. */
typedef struct gecc_report {
    size_t size;           /* sizeof(gecc_report) */
    char backend[16];      /* "cpu", "cuda" */
    char detail[48];       /* "portable-adx, 2 threads", "ifma, 8 threads", a GPU's name, "8 x " and the name of each */
    char reason[96];       /* why this backend: "asked for", "only one available", ... */
    double seconds;        /* from submission to the last result */
    double kernel_seconds; /* of these, the time of a GPU's kernels, as it measured; 0: there is none */
    size_t prepared_keys;  /* that came back often enough within the call to have tables made for the call, */
    size_t prepared_rows;  /* and how many rows ran with tables, kept ones too: see gecc/keys.h */
    char devices[192]; /* how many rows each GPU computed, by its number: "0: 4194304, 1: 4194304"; "" where none did */
    size_t kept_keys;  /* that have tables which are kept from call to call: gecc_config's key_cache_bytes */
} gecc_report;

#define GECC_REPORT_INIT                                                                                               \
    { sizeof(gecc_report), "", "", "", 0, 0, 0, 0, "", 0 }

typedef struct gecc_options {
    size_t size;                    /* sizeof(gecc_options) */
    uint32_t flags;                 /* gecc_flag, or'ed */
    gecc_hash nonce_hash;           /* sign: the hash of RFC 6979's HMAC, one of GECC_NONCE_HASH_LIST */
    gecc_point_format point_format; /* how points are written */
    gecc_report *report;            /* filled when the call (or the job) is done; NULL: not wanted */
    gecc_job **job;      /* not NULL: return at once and give a job to gecc_wait for; then every argument, the
                                       options' memory excepted, must live until the job is done */
    void *stream;        /* a CUstream (cudaStream_t): columns in device memory are read when the work that is
                                       in the stream at the call is done; NULL: the default stream. Other backends ignore
                                       it */
    size_t output_bytes; /* of outputs that no standard gives a width: how many bytes each derived key has, and how many
                                       a ciphertext or plaintext has at most, whose row is MALFORMED_WIDTH if it would
                                       have more. 0: the column's stride, which is then written to its end, over
                                       any other data there. An argument error where the operation has no such output,
                                       and if it is more than UINT32_MAX */
} gecc_options;

#define GECC_OPTIONS_INIT                                                                                              \
    { sizeof(gecc_options), 0, GECC_HASH_DEFAULT, GECC_POINT_UNCOMPRESSED, NULL, NULL, NULL, 0 }

typedef struct gecc_config {
    size_t size;         /* sizeof(gecc_config) */
    const char *backend; /* "auto" (or NULL), "cpu", "cuda". "auto": the CPU and, where there is one, the GPU; each call
                            takes what is faster for it, as earlier calls showed, and the CPU does what the GPU fails to
                            do; or what the environment variable GECC_BACKEND names */
    unsigned threads;    /* of the CPU, and that copy rows for a GPU (16 at most); 0: one for each processor */
    const char
        *device; /* the GPUs that share jobs, by their numbers among those that CUDA_VISIBLE_DEVICES leaves: "0", or
                            "0,2", or "all" (or NULL). By number all have to be there and are opened by gecc_open; of "all",
                            one is, the others when rows pay for them. A number given twice is two GPUs to gecc */
    size_t device_table_bytes; /* the most that tables of multiples of G take of the GPU's memory, all curves and all
                                  contexts of this process together; 0: a quarter of it */
    size_t
        key_table_bytes; /* the most that tables of keys that repeat within a call take, with what finds such keys; 0: a quarter
                               of a GiB, on a GPU a quarter of what is free, and 20 bytes a row of the host's; 1: none */
    size_t
        staging_bytes; /* the most pinned memory that rows pass through on their way to and from each GPU, but for single rows
                             that need more, and 512 KiB at least; 0: 1 GiB */
    size_t key_cache_bytes; /* the most that tables of public keys take which are kept from call to call, of each place
                               that has a copy; 0: none are kept. A key gets one when it has come in 64 rows with good
                               signatures, as long as there is room, of which each curve takes half of what is left. Not
                               for submitted jobs, rows in a GPU's memory and little-endian rows */
} gecc_config;

#define GECC_CONFIG_INIT                                                                                               \
    { sizeof(gecc_config), NULL, 0, NULL, 0, 0, 0, 0 }

/* Open a context. config NULL: GECC_CONFIG_INIT. Any number of threads may use one context at once, except that
 * gecc_close must be the last call and waits for the jobs under way. The environment variable
 * GECC_CPU=ifma|ifma-256|avx512|portable|portable-adx|portable-aarch64|portable-c chooses the CPU code, the fastest by
 * default; one that this build or this processor lacks is an error (GECC_ERROR_NO_BACKEND). So is a GECC_BACKEND that
 * is not auto, cpu or cuda, or not available, where config leaves the choice to the library. A thread that calls
 * operations needs a stack of 160 KiB; where it has fewer than 144 KiB left, they return GECC_ERROR_MEMORY. Jobs
 * (gecc_options.job) take little of it. */
GECC_CALL gecc_result gecc_open(gecc_context **context, const gecc_config *config);
GECC_API void gecc_close(gecc_context *context);

typedef struct gecc_backend_info {
    size_t size;      /* sizeof(gecc_backend_info) */
    char name[16];    /* "cpu", "cuda" */
    char device[64];  /* "portable-adx", "portable-c", "ifma", a GPU's name */
    int available;    /* 1: can be used; 0: `reason` says why not */
    int chosen;       /* 1: this context uses it */
    unsigned threads; /* of the CPU backend, else 0 */
    char reason[132];
} gecc_backend_info;

#define GECC_BACKEND_INFO_INIT                                                                                         \
    { sizeof(gecc_backend_info), "", "", 0, 0, 0, "" }

/* The backends this library knows, available or not: fill info, whose size is set, for index 0 .. count - 1; the
 * function returns count. */
GECC_API size_t gecc_backends(const gecc_context *context, size_t index, gecc_backend_info *info);

typedef struct gecc_device_info {
    size_t size;           /* sizeof(gecc_device_info) */
    unsigned number;       /* what gecc_config.device calls it */
    int available;         /* 1: can be used; 0: `reason` says why not */
    int chosen;            /* 1: jobs of the context may run on it */
    int open;              /* 1: the context has opened it, and it works */
    char name[64];         /* "NVIDIA H200" */
    char uuid[48];         /* "GPU-0f1c..."; of a part of a GPU (MIG), its own */
    char architecture[16]; /* "sm_90" */
    char bus[32];          /* where it is: "0000:1b:00.0" */
    int numa_node;         /* of the host's memory that it is near; -1: unknown, or there is one alone */
    unsigned multiprocessors;
    uint64_t memory;  /* bytes */
    char reason[132]; /* why it cannot be used, or does not work any more; "" otherwise */
} gecc_device_info;

#define GECC_DEVICE_INFO_INIT                                                                                          \
    { sizeof(gecc_device_info), 0, 0, 0, 0, "", "", "", "", -1, 0, 0, "" }

/* The GPUs of this machine that CUDA_VISIBLE_DEVICES leaves, usable or not: fill info, whose size is set, for index 0
 * .. count - 1; the function returns count. context: whose choice it is that `chosen` and `open` tell; NULL: nobody's.
 * A context that has not opened a GPU yet has chosen none. */
GECC_API size_t gecc_devices(const gecc_context *context, size_t index, gecc_device_info *info);

/* Memory for rows: pinned where the context has a GPU, so that rows move at the speed of the bus; else as malloc gives
 * it. 64-byte aligned, not cleared. Freed by gecc_memory_free before gecc_close; freeing NULL does nothing. */
GECC_CALL gecc_result gecc_memory_allocate(gecc_context *context, void **memory, size_t bytes);
GECC_API void gecc_memory_free(gecc_context *context, void *memory);

/* Wait for a job and free it; returns the result of its call. Once for each job, before gecc_close. */
GECC_CALL gecc_result gecc_wait(gecc_job *job);
/* As gecc_poll, but wait for the job's end before, for no longer than so many microseconds. gecc_wait has to follow
 * all the same, and does not wait then. */
GECC_CALL gecc_result gecc_wait_for(gecc_job *job, uint64_t microseconds);
/* GECC_PENDING while the job runs, else its result; does not free it. */
GECC_CALL gecc_result gecc_poll(const gecc_job *job);
/* Have the job end early: chunks of rows that are being computed are finished, some hundred rows each, and no others
 * begun. If there were others, the job's result is GECC_ERROR_CANCELLED, and their statuses read
 * GECC_ITEM_NOT_PROCESSED. Any thread may call it before gecc_wait is called, which frees the job: no gecc_wait may
 * begin until gecc_cancel has returned. A thread whose job others may cancel waits with gecc_wait_for. The job has to
 * be waited for all the same, and its arguments have to live until then. */
GECC_API void gecc_cancel(gecc_job *job);

#ifdef __cplusplus
}
#endif
#endif
