#include "api/widths.h"

#include <stdio.h>

enum {
    DIGEST_LEAST = 20,
    DIGEST_MOST = 64,
    ENTROPY_BYTES = 32,
    EXPONENT_MOST = 64,
    SM2_ID_MOST = 8191,
    ED25519_CONTEXT_MOST = 255
};

/* What gecc_out.widths can say. */
#define CIPHERTEXT_BYTES_MOST ((size_t)UINT32_MAX)

/* 30 06 02 01 r 02 01 s. */
enum { DER_LEAST = 8 };

static gecc_widths exactly(size_t width) { return (gecc_widths){width, width, 1, {width}}; }

static gecc_widths between(size_t least, size_t most) { return (gecc_widths){.least = least, .most = most}; }

static gecc_widths either(size_t least, size_t most) { return (gecc_widths){least, most, 2, {least, most}}; }

static gecc_widths point_widths(const struct job *job, bool is_output) {
    size_t compressed = gecc_point_bytes(job->curve, GECC_POINT_COMPRESSED),
           raw = gecc_point_bytes(job->curve, GECC_POINT_RAW),
           uncompressed = gecc_point_bytes(job->curve, GECC_POINT_UNCOMPRESSED);
    if (is_output)
        return exactly(gecc_point_bytes(job->curve, job->point_format));
    return (gecc_widths){compressed, uncompressed, 3, {compressed, raw, uncompressed}};
}

static gecc_widths signature_widths(const struct job *job) {
    size_t sighash = (job->flags & GECC_SIGHASH_BYTE) != 0, raw = 2 * gecc_curve_bytes(job->curve) + sighash;
    return (job->flags & GECC_DER) == 0 ? exactly(raw)
                                        : between(DER_LEAST + sighash, gecc_der_bytes(job->curve) + sighash);
}

/* Bytes of a ciphertext besides those of its plaintext: the least and the most. In DER heads of 4 parts, of which C2's
 * and the whole's say up to 2^32 bytes in 6, x and y of 1 to 33 bytes, and C3. */
enum { CIPHERTEXT_DER_LEAST = 2 + 3 + 3 + 34 + 2, CIPHERTEXT_DER_MOST = 6 + 35 + 35 + 34 + 6, C3_BYTES = 32 };

static gecc_widths ciphertext_widths(const struct job *job) {
    const size_t point = gecc_point_bytes(job->curve, job->point_format);
    return between(((job->flags & GECC_DER) != 0 ? CIPHERTEXT_DER_LEAST : point + C3_BYTES) + 1, CIPHERTEXT_BYTES_MOST);
}

bool gecc_kind_is_open(gecc_kind kind) {
    return kind == GECC_KIND_CIPHERTEXT || kind == GECC_KIND_PLAINTEXT || kind == GECC_KIND_DERIVED_KEY;
}

gecc_widths gecc_job_widths(const struct job *job, const gecc_column *column) {
    const size_t length = gecc_curve_bytes(job->curve), room = job->output_bytes != 0 ? job->output_bytes : PTRDIFF_MAX;
    switch (column->kind) {
    case GECC_KIND_POINT:
        return point_widths(job, column->is_output != 0);
    case GECC_KIND_PRIVATE_KEY:
    case GECC_KIND_NONCE:
    case GECC_KIND_SCALAR:
    case GECC_KIND_PUBLIC_SCALAR:
    case GECC_KIND_SHARED_SECRET:
        return exactly(length);
    case GECC_KIND_DIGEST:
        return between(DIGEST_LEAST, DIGEST_MOST);
    case GECC_KIND_SM2_DIGEST:
        return exactly(gecc_hash_bytes(GECC_SM3));
    case GECC_KIND_HASH:
        return exactly(gecc_hash_bytes(job->hash));
    case GECC_KIND_SIGNATURE:
        return signature_widths(job);
    case GECC_KIND_BIP340_SIGNATURE:
        return (job->flags & GECC_SIGHASH_BYTE) == 0 ? exactly(64) : either(64, 65);
    case GECC_KIND_RECOVERY_ID:
    case GECC_KIND_PARITY:
        return exactly(1);
    case GECC_KIND_ENTROPY:
    case GECC_KIND_AUXILIARY:
        return exactly(ENTROPY_BYTES);
    case GECC_KIND_X_ONLY_POINT:
        return exactly(length);
    case GECC_KIND_DIGEST32:
        return exactly(32);
    case GECC_KIND_ETHEREUM_SIGNATURE:
        return between(65, 96);
    case GECC_KIND_ETHEREUM_NUMBER:
        return between(1, 32);
    case GECC_KIND_ADDRESS:
        return exactly(GECC_ADDRESS_BYTES);
    case GECC_KIND_MERKLE_ROOT:
        return either(0, 32);
    case GECC_KIND_RESIDUE:
        return exactly(job->modulus_bytes);
    case GECC_KIND_EXPONENT:
        return between(1, EXPONENT_MOST);
    case GECC_KIND_SM2_ID:
        return between(0, SM2_ID_MOST);
    case GECC_KIND_SEED:
    case GECC_KIND_ED25519_PUBLIC_KEY:
    case GECC_KIND_X25519_PRIVATE_KEY:
    case GECC_KIND_X25519_PUBLIC_KEY:
        return exactly(length);
    case GECC_KIND_ED25519_SIGNATURE:
        return exactly(2 * length);
    case GECC_KIND_CONTEXT:
        return between(0, ED25519_CONTEXT_MOST);
    case GECC_KIND_KEY_NUMBER:
        return exactly(4);
    case GECC_KIND_CIPHERTEXT:
        return column->is_output ? between(0, room) : ciphertext_widths(job);
    case GECC_KIND_PLAINTEXT:
        return column->is_output ? between(0, room) : between(1, CIPHERTEXT_BYTES_MOST - CIPHERTEXT_DER_MOST);
    case GECC_KIND_DERIVED_KEY:
        return exactly(room);
    case GECC_KIND_CONFIRMATION:
        return exactly(gecc_hash_bytes(GECC_SM3));
    case GECC_KIND_MESSAGE:
    case GECC_KIND_SCALARS:
    case GECC_KIND_POINTS:
        break;
    }
    return between(0, PTRDIFF_MAX);
}

bool gecc_widths_have(const gecc_widths *widths, size_t width) {
    bool listed = widths->count == 0;
    for (size_t i = 0; i < widths->count; i++)
        listed |= width == widths->width[i];
    return listed && width >= widths->least && width <= widths->most;
}

const char *gecc_widths_text(const gecc_widths *widths, char text[96]) {
    size_t used = 0;
    if (widths->count == 0)
        (void)snprintf(text, 96, "%zu to %zu", widths->least, widths->most);
    for (size_t i = 0; i < widths->count; i++) {
        const char *before = i == 0 ? "" : i + 1 == widths->count ? " or " : ", ";
        used += (size_t)snprintf(text + used, 96 - used, "%s%zu", before, widths->width[i]);
    }
    return text;
}
