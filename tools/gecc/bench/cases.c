#define _DEFAULT_SOURCE /* explicit_bzero */

#include "bench/cases.h"
#include "text/hex.h"
#include "text/names.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* r || s || v. */
enum { ETHEREUM_BYTES = 65 };

/* Each operation, once for each hash where it has one, and once more with scalars that are public where they may be. */
static void add_case(struct bench_cases *cases, const gecc_operation *operation, uint32_t flags, gecc_hash hash) {
    struct bench_case *item = &cases->item[cases->count];
    const char *suffix = flags != 0 ? "public" : hash != GECC_HASH_DEFAULT ? name_of(names_of_hashes, (int)hash) : "";
    if (cases->count == BENCH_CASES_MOST)
        return;
    cases->count++;
    *item = (struct bench_case){.operation = operation, .flags = flags, .hash = hash};
    (void)snprintf(item->name, sizeof item->name, "%s%s%s", operation->name, suffix[0] != 0 ? ":" : "", suffix);
}

enum { MODULUS_BYTES_MOST = 64 }; /* gecc/mod.h */

/* Operations on keys that are prepared are not among the cases: they need a set of keys. */
static bool takes_keys(const gecc_operation *operation) {
    bool takes = false;
    for (size_t i = 0; gecc_operation_input(operation, i) != NULL; i++)
        takes |= gecc_operation_input(operation, i)->kind == GECC_KIND_KEY_NUMBER;
    return takes;
}

void bench_list(struct bench_cases *cases) {
    const gecc_operation *operation;
    cases->count = 0;
    for (size_t i = 0; (operation = gecc_operations(i)) != NULL; i++) {
        if (takes_keys(operation))
            continue;
        if (operation->selector != GECC_SELECT_HASH)
            add_case(cases, operation, 0, GECC_HASH_DEFAULT);
        for (int hash = 1; operation->selector == GECC_SELECT_HASH && gecc_hash_bytes((gecc_hash)hash) != 0; hash++)
            add_case(cases, operation, 0, (gecc_hash)hash);
        if ((operation->flags & GECC_PUBLIC_SCALARS) != 0)
            add_case(cases, operation, GECC_PUBLIC_SCALARS, GECC_HASH_DEFAULT);
    }
}

static bool takes_signatures(const gecc_operation *operation) {
    bool takes = false;
    for (size_t i = 0; gecc_operation_input(operation, i) != NULL; i++)
        takes |= gecc_operation_input(operation, i)->kind == GECC_KIND_SIGNATURE;
    return takes;
}

bool bench_case_is_on(const struct bench_case *item, gecc_curve curve) {
    const gecc_operation *operation = item->operation;
    bool has_its_signatures = (operation->curves == UINT32_C(1) << GECC_SM2) == (curve == GECC_SM2);
    if (operation->selector == GECC_SELECT_MODULUS)
        return gecc_curve_bytes(curve) <= MODULUS_BYTES_MOST;
    if (operation->selector != GECC_SELECT_CURVE)
        return true;
    return (operation->curves >> curve & 1) != 0 && (has_its_signatures || !takes_signatures(operation));
}

const uint8_t *bench_prime(gecc_curve curve) {
    switch (curve) {
#define PRIME(curve, value, name, title, bits, hash, prime, ...)                                                       \
    case curve: {                                                                                                      \
        static uint8_t bytes[GECC_CURVE_BYTES_MOST];                                                                   \
        hex_decode(bytes, prime, 2 * gecc_curve_bytes(curve));                                                         \
        return bytes;                                                                                                  \
    }
        GECC_CURVE_LIST(PRIME)
        GECC_EDWARDS_CURVE_LIST(PRIME)
#undef PRIME
    }
    return NULL;
}

/* Rows of an input column, of which the operation has `before` of the same kind. Of two points and two numbers the rows
 * differ; a verification's keys are the signers'. Columns that may be left out are. */
static gecc_rows rows_of(struct bench *b, const gecc_operation *operation, const gecc_column *column, size_t before) {
    size_t bytes = b->keys.bytes, point = 1 + 2 * bytes;
    bool signed_by = takes_signatures(operation);
    if (column->is_optional)
        return gecc_rows_none();
    switch (column->kind) {
    case GECC_KIND_POINT:
        return gecc_rows_packed(signed_by || before != 0 ? b->keys.public_keys : b->mirrored, point);
    case GECC_KIND_PRIVATE_KEY:
    case GECC_KIND_NONCE:
        return gecc_rows_packed(b->keys.private_keys, bytes);
    case GECC_KIND_SCALAR:
    case GECC_KIND_RESIDUE:
        return gecc_rows_packed(before == 0 ? b->keys.digests : b->keys.private_keys, bytes);
    case GECC_KIND_DIGEST:
    case GECC_KIND_SM2_DIGEST:
        return keys_digests(&b->keys);
    case GECC_KIND_SIGNATURE:
        return gecc_rows_packed(b->keys.signatures, 2 * bytes);
    case GECC_KIND_RECOVERY_ID:
        return gecc_rows_packed(b->keys.recovery_ids, 1);
    case GECC_KIND_EXPONENT: /* of an inversion */
        memcpy(b->exponent, b->modulus, bytes);
        b->exponent[bytes - 1] -= 2;
        return gecc_rows_same(b->exponent, bytes);
    case GECC_KIND_SEED:
    case GECC_KIND_X25519_PRIVATE_KEY:
        return gecc_rows_packed(b->keys.private_keys, bytes);
    case GECC_KIND_ED25519_PUBLIC_KEY:
        return gecc_rows_packed(b->keys.public_keys, bytes);
    case GECC_KIND_ED25519_SIGNATURE:
        return gecc_rows_packed(b->keys.signatures, 2 * bytes);
    case GECC_KIND_X25519_PUBLIC_KEY: /* any bytes are one */
        return gecc_rows_packed(b->keys.digests, bytes);
    case GECC_KIND_MESSAGE:
        if (b->keys.curve == GECC_CURVE25519) /* what is signed */
            return keys_digests(&b->keys);
        return gecc_rows_packed(b->messages, BENCH_MESSAGE_BYTES);
    case GECC_KIND_X_ONLY_POINT:
        return gecc_rows_packed(b->x_only, bytes);
    case GECC_KIND_BIP340_SIGNATURE:
        return gecc_rows_packed(b->bip340, 2 * bytes);
    case GECC_KIND_DIGEST32:
        return gecc_rows_packed(b->keys.digests, bytes);
    case GECC_KIND_ETHEREUM_SIGNATURE:
        return gecc_rows_packed(b->ethereum, ETHEREUM_BYTES);
    case GECC_KIND_ETHEREUM_NUMBER: /* r, s and v of the same signatures */
        return gecc_rows_strided(b->ethereum + before * bytes, before == 2 ? 1 : bytes, ETHEREUM_BYTES);
    case GECC_KIND_CIPHERTEXT:
        return gecc_rows_packed(b->ciphertexts, BENCH_CIPHERTEXT_BYTES);
    case GECC_KIND_PLAINTEXT: /* any bytes, those of C2 */
        return gecc_rows_strided(b->ciphertexts + BENCH_CIPHERTEXT_BYTES - BENCH_TEXT_BYTES, BENCH_TEXT_BYTES,
                                 BENCH_CIPHERTEXT_BYTES);
    case GECC_KIND_HASH:
    case GECC_KIND_DERIVED_KEY:
    case GECC_KIND_CONFIRMATION:
    case GECC_KIND_ENTROPY:
    case GECC_KIND_SHARED_SECRET:
    case GECC_KIND_SM2_ID:
    case GECC_KIND_AUXILIARY:
    case GECC_KIND_CONTEXT:
    case GECC_KIND_MERKLE_ROOT:
    case GECC_KIND_PARITY:
    case GECC_KIND_ADDRESS:
    case GECC_KIND_KEY_NUMBER:
    case GECC_KIND_PUBLIC_SCALAR:
        break;
    case GECC_KIND_SCALARS: /* bench_run makes one row of them all */
        return gecc_rows_packed(b->keys.digests, bytes);
    case GECC_KIND_POINTS:
        return gecc_rows_packed(b->keys.public_keys, point);
    }
    return gecc_rows_none();
}

/* Bytes that rows of the operation's outputs have whose width the caller says; 0: there are none. */
static size_t output_bytes(const gecc_operation *operation) {
    const gecc_column *column = gecc_operation_output(operation, 0);
    const gecc_kind kind = column == NULL ? (gecc_kind)0 : column->kind;
    return kind == GECC_KIND_CIPHERTEXT    ? BENCH_CIPHERTEXT_BYTES
           : kind == GECC_KIND_PLAINTEXT   ? BENCH_TEXT_BYTES
           : kind == GECC_KIND_DERIVED_KEY ? 32
                                           : 0;
}

void bench_choose(struct bench *b, const struct bench_case *item) {
    const gecc_operation *operation = item->operation;
    const gecc_column *column;
    b->operation = operation;
    b->options.flags = item->flags;
    b->options.output_bytes = output_bytes(operation);
    b->parameters = (gecc_parameters)GECC_PARAMETERS_INIT;
    b->parameters.curve = b->keys.curve;
    b->parameters.hash = item->hash;
    b->parameters.modulus = (gecc_modulus){b->modulus, b->keys.bytes};
    memset(b->in, 0, sizeof b->in);
    for (size_t i = 0; i < BENCH_INPUTS && (column = gecc_operation_input(operation, i)) != NULL; i++) {
        size_t before = 0;
        for (size_t j = 0; j < i; j++)
            before += gecc_operation_input(operation, j)->kind == column->kind;
        b->in[i] = rows_of(b, operation, column, before);
    }
    for (size_t i = 0; i < BENCH_OUTPUTS; i++) {
        column = gecc_operation_output(operation, i);
        b->out_bytes[i] = column == NULL ? 0 : gecc_column_widths(operation, column, &b->parameters, &b->options).most;
    }
}

/* Are all rows the terms of one sum? */
static bool is_sum(const struct bench *b) {
    const gecc_column *first = gecc_operation_input(b->operation, 0);
    return first != NULL && first->kind == GECC_KIND_SCALARS;
}

/* Rows of the result. */
static size_t results(const struct bench *b) { return is_sum(b) ? 1 : b->count; }

gecc_result bench_run(struct bench *b) {
    gecc_out out[BENCH_OUTPUTS];
    gecc_rows in[BENCH_INPUTS];
    for (size_t i = 0; i < BENCH_OUTPUTS; i++)
        out[i] = gecc_out_packed(b->out[i], b->out_bytes[i]);
    for (size_t i = 0; i < BENCH_INPUTS; i++) {
        in[i] = b->in[i];
        in[i].width *= is_sum(b) ? b->count : 1;
    }
    out[0].widths = b->options.output_bytes != 0 ? b->widths : NULL;
    return gecc_run(b->context, b->operation, &b->parameters, out, gecc_out_packed(b->keys.status, 1), in, results(b),
                    &b->options);
}

/* Every array, in the order in which they are staged. */
enum { ARRAYS = 12 + BENCH_OUTPUTS };
struct array {
    uint8_t **memory;
    size_t bytes;
};
static void arrays_of(struct bench *b, struct array arrays[ARRAYS]) {
    size_t count = b->prepared, bytes = b->keys.bytes, point = 1 + 2 * bytes, n = 0;
    arrays[n++] = (struct array){&b->keys.private_keys, count * bytes};
    arrays[n++] = (struct array){&b->keys.public_keys, count * point};
    arrays[n++] = (struct array){&b->keys.digests, count * bytes};
    arrays[n++] = (struct array){&b->keys.signatures, count * 2 * bytes};
    arrays[n++] = (struct array){&b->keys.recovery_ids, count};
    arrays[n++] = (struct array){&b->keys.status, count};
    arrays[n++] = (struct array){&b->mirrored, count * point};
    arrays[n++] = (struct array){&b->messages, count * BENCH_MESSAGE_BYTES};
    arrays[n++] = (struct array){&b->x_only, count * bytes};
    arrays[n++] = (struct array){&b->bip340, count * 2 * bytes};
    arrays[n++] = (struct array){&b->ethereum, count * ETHEREUM_BYTES};
    arrays[n++] = (struct array){&b->ciphertexts, count * BENCH_CIPHERTEXT_BYTES};
    for (size_t i = 0; i < BENCH_OUTPUTS; i++)
        arrays[n++] = (struct array){&b->out[i], count * b->out_most[i] + 1}; /* a GPU pins no empty memory */
}

/* All arrays, which are in pageable memory, to bench->kind. */
static bool move_arrays(struct bench *bench) {
    struct array arrays[ARRAYS];
    arrays_of(bench, arrays);
    for (; bench->kind != PAGEABLE && bench->staged < ARRAYS; bench->staged++) {
        struct array *array = &arrays[bench->staged];
        uint8_t *moved = memory_allocate(bench->kind, array->bytes);
        if (!moved)
            return false;
        memcpy(moved, *array->memory, array->bytes);
        explicit_bzero(*array->memory, array->bytes);
        free(*array->memory);
        *array->memory = moved;
    }
    return true;
}

/* Outputs as wide as a case on this curve makes them. */
static bool outputs_make(struct bench *bench) {
    struct bench_cases cases;
    bool made = true;
    bench_list(&cases);
    for (size_t i = 0; i < cases.count; i++) {
        if (!bench_case_is_on(&cases.item[i], bench->keys.curve))
            continue;
        bench_choose(bench, &cases.item[i]);
        for (size_t k = 0; k < BENCH_OUTPUTS; k++)
            if (bench->out_bytes[k] > bench->out_most[k])
                bench->out_most[k] = bench->out_bytes[k];
    }
    for (size_t k = 0; k < BENCH_OUTPUTS; k++) {
        bench->out[k] = malloc(bench->prepared * bench->out_most[k] + 1);
        made = made && bench->out[k];
    }
    return made;
}

/* On secp256k1 the keys and signatures of BIP-340 too; elsewhere nothing reads them. */
static bool schnorr_make(struct bench *b) {
    size_t count = b->prepared, bytes = b->keys.bytes;
    gecc_out status = gecc_out_packed(b->keys.status, 1);
    gecc_rows keys = gecc_rows_packed(b->keys.private_keys, bytes);
    b->x_only = calloc(count, bytes);
    b->bip340 = calloc(count, 2 * bytes);
    if (!b->x_only || !b->bip340)
        return false;
    return b->keys.curve != GECC_SECP256K1 ||
           (gecc_schnorr_public_key(b->context, gecc_out_packed(b->x_only, bytes), status, keys, count, NULL) ==
                GECC_OK &&
            gecc_schnorr_sign(b->context, gecc_out_packed(b->bip340, 2 * bytes), status, keys,
                              gecc_rows_packed(b->messages, BENCH_MESSAGE_BYTES), gecc_rows_none(), count,
                              NULL) == GECC_OK);
}

/* r || s || v of ECDSA's signatures on secp256k1; elsewhere nothing reads them. */
static bool ethereum_make(struct bench *b) {
    b->ethereum = calloc(b->prepared, ETHEREUM_BYTES);
    for (size_t i = 0; b->ethereum && b->keys.curve == GECC_SECP256K1 && i < b->prepared; i++) {
        uint8_t *row = b->ethereum + i * ETHEREUM_BYTES;
        memcpy(row, b->keys.signatures + i * (ETHEREUM_BYTES - 1), ETHEREUM_BYTES - 1);
        row[ETHEREUM_BYTES - 1] = b->keys.recovery_ids[i];
    }
    return b->ethereum != NULL;
}

/* On SM2 random texts, encrypted where they are to each key with its private key as the nonce. */
static bool ciphertexts_make(struct bench *b) {
    const size_t count = b->prepared, bytes = b->keys.bytes;
    b->ciphertexts = calloc(count, BENCH_CIPHERTEXT_BYTES);
    b->widths = calloc(count, sizeof *b->widths);
    if (!b->ciphertexts || !b->widths || !random_bytes(b->ciphertexts, count * BENCH_CIPHERTEXT_BYTES))
        return false;
    return b->keys.curve != GECC_SM2 ||
           gecc_sm2_encrypt(b->context, (gecc_out){b->ciphertexts, BENCH_CIPHERTEXT_BYTES, b->widths},
                            gecc_out_packed(b->keys.status, 1), gecc_rows_packed(b->keys.public_keys, 1 + 2 * bytes),
                            gecc_rows_packed(b->keys.private_keys, bytes),
                            gecc_rows_strided(b->ciphertexts, BENCH_TEXT_BYTES, BENCH_CIPHERTEXT_BYTES), count,
                            NULL) == GECC_OK;
}

bool bench_prepare(struct bench *bench, gecc_context *context, gecc_curve curve, size_t count, enum memory_kind kind) {
    gecc_result result;
    size_t bytes = gecc_curve_bytes(curve);
    *bench = (struct bench){.context = context, .prepared = count, .modulus = bench_prime(curve), .kind = kind};
    bench->options = (gecc_options)GECC_OPTIONS_INIT;
    bench->report = (gecc_report)GECC_REPORT_INIT;
    bench->options.report = &bench->report;
    bool made =
        keys_make(&bench->keys, context, curve, count, &result) && keys_sign(&bench->keys, context, NULL) == GECC_OK;
    bench->mirrored = malloc(count * (1 + 2 * bytes));
    bench->messages = malloc(count * BENCH_MESSAGE_BYTES);
    if (!made || !bench->mirrored || !bench->messages || !outputs_make(bench) ||
        !random_bytes(bench->messages, count * BENCH_MESSAGE_BYTES) || !schnorr_make(bench) || !ethereum_make(bench) ||
        !ciphertexts_make(bench) || !move_arrays(bench))
        return false;
    bench_take(bench, count);
    return true;
}

void bench_take(struct bench *bench, size_t count) {
    size_t bytes = 1 + 2 * bench->keys.bytes;
    bench->count = bench->keys.count = count;
    for (size_t i = 0; i < count; i++)
        memcpy(bench->mirrored + i * bytes, bench->keys.public_keys + (count - 1 - i) * bytes, bytes);
}

/* What a run writes: the outputs, and the statuses. */
enum { WRITTEN = BENCH_OUTPUTS + 1 };
struct written {
    uint8_t *data[WRITTEN];
    size_t bytes[WRITTEN]; /* of a row */
};

static struct written written_by(const struct bench *b) {
    struct written written = {.data[BENCH_OUTPUTS] = b->keys.status, .bytes[BENCH_OUTPUTS] = 1};
    for (size_t i = 0; i < BENCH_OUTPUTS; i++) {
        written.data[i] = b->out[i];
        written.bytes[i] = b->out_bytes[i];
    }
    return written;
}

static gecc_result run_from_zeros(struct bench *bench) {
    const struct written written = written_by(bench);
    for (size_t i = 0; i < WRITTEN; i++)
        memset(written.data[i], 0, bench->count * written.bytes[i]);
    return bench_run(bench);
}

/* Does the other context make of rows first .. first + count - 1 what the bench's run has written? */
static gecc_result compare_part(const struct bench *bench, gecc_context *other, size_t first, size_t count,
                                bool *same) {
    const struct written written = written_by(bench);
    struct bench part = *bench;
    size_t allocated = 0;
    gecc_result result = GECC_ERROR_MEMORY;
    part.context = other;
    part.count = part.keys.count = count;
    part.options.report = NULL;
    for (size_t i = 0; i < BENCH_INPUTS; i++)
        if (part.in[i].data != NULL)
            part.in[i].data = (const uint8_t *)part.in[i].data + first * part.in[i].stride;
    uint8_t *own[WRITTEN] = {NULL};
    while (allocated < WRITTEN && (own[allocated] = malloc(count * written.bytes[allocated] + 1)) != NULL)
        allocated++;
    if (allocated == WRITTEN) {
        for (size_t i = 0; i < BENCH_OUTPUTS; i++)
            part.out[i] = own[i];
        part.keys.status = own[BENCH_OUTPUTS];
        result = run_from_zeros(&part);
        for (size_t i = 0; i < WRITTEN; i++)
            *same = *same && memcmp(own[i], written.data[i] + first * written.bytes[i], count * written.bytes[i]) == 0;
    }
    for (size_t i = 0; i < allocated; i++) {
        explicit_bzero(own[i], count * written.bytes[i]);
        free(own[i]);
    }
    return result;
}

gecc_result bench_compare(struct bench *bench, gecc_context *other, size_t sample, bool *same) {
    size_t count = bench->count;
    const bool all = sample == 0 || count <= 3 * sample || is_sum(bench);
    const size_t first[3] = {0, (count - sample) / 2, count - sample};
    gecc_result result = run_from_zeros(bench);
    *same = count_items(bench->keys.status, results(bench), GECC_ITEM_OK) == results(bench);
    for (size_t i = 0; result == GECC_OK && i < (all ? 1 : 3); i++)
        result = compare_part(bench, other, first[i], all ? count : sample, same);
    return result;
}

void bench_free(struct bench *bench) {
    struct array arrays[ARRAYS];
    free(bench->widths);
    arrays_of(bench, arrays);
    for (size_t i = 0; i < ARRAYS; i++) {
        if (*arrays[i].memory)
            explicit_bzero(*arrays[i].memory, arrays[i].bytes);
        memory_release(i < bench->staged ? bench->kind : PAGEABLE, *arrays[i].memory);
    }
    *bench = (struct bench){.count = 0};
}

bool bench_is_asked_for(const struct options *options, const char *name) {
    return !options->operation_filter || fnmatch(options->operation_filter, name, 0) == 0;
}
