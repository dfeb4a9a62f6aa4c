/* Lane program DIGEST, and the digest of SM2. Public data. */
#ifndef GECC_SCHEME_DIGEST_H
#define GECC_SCHEME_DIGEST_H

/* Include the machine's lanes (limbs/lanes_*.h) first. */

#include "batch/rows.h"
#include "batch/worker.h"
#include "hash/message.h"
#include "scheme/job.h"

struct arena;

/* Hash rows first .. first + count - 1 of the job, 1 <= count <= LANES. Lanes without a row hash the empty message. */
LANE_INLINE void digest_rows(gecc_hash kind, const struct job *job, size_t first, size_t count) {
    struct segment message;
    uint8_t digests[LANES][GECC_HASH_BYTES_MOST];
    uint8_t *digest_at[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
        message.data[lane] = NULL;
        message.width[lane] = 0;
        if (lane < count)
            message.data[lane] = rows_at(&job->in[0], first + lane, &message.width[lane]);
        digest_at[lane] = digests[lane];
    }
    hash_message(kind, digest_at, &message, 1);
    for (size_t lane = 0; lane < count; lane++) {
        memcpy(out_at(&job->out[0], first + lane), digests[lane], 4 * (size_t)message_digest_words(kind));
        *out_at(&job->status, first + lane) = GECC_ITEM_OK;
    }
}

/* One copy of the code for each hash. */
#define DIGEST_ROWS(identifier, value, name, ...)                                                                      \
    LANE_FUNCTION void digest_rows_##name(const struct job *job, size_t first, size_t count) {                         \
        digest_rows(identifier, job, first, count);                                                                    \
    }
GECC_HASH_LIST(DIGEST_ROWS)
#undef DIGEST_ROWS

/* out[0] = hash(in[0]), a lane_program (backend/cpu/machine.h). Statuses read OK. Needs neither arena nor tables. */
LANE_FUNCTION gecc_result digest(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                 size_t count) {
    (void)arena, (void)tables;
    const struct worker w = worker_of_chunk((count + LANES - 1) / LANES);
    for (size_t slot = w.first; slot < w.count; slot += w.step) {
        const size_t done = slot * LANES;
        const size_t here = count - done < LANES ? count - done : LANES;
        switch (job->hash) {
#define DIGEST_CASE(identifier, value, name, ...)                                                                      \
    case identifier:                                                                                                   \
        digest_rows_##name(job, first + done, here);                                                                   \
        break;
            GECC_HASH_LIST(DIGEST_CASE)
#undef DIGEST_CASE
        case GECC_HASH_DEFAULT:
            return GECC_ERROR_ARGUMENT;
        }
    }
    return GECC_OK;
}

enum { SM2_ID_BYTES_MAX = 8191, SM2_CONSTANTS_BYTES = 128 };

/* z[lane] = SM3(ENTL || id || a || b || G || public key), ENTL = the id's bits in two bytes (GB/T 32918.2, 5.5).
 * constants: a || b || x of G || y of G, the same in every lane; public_key[lane]: x || y, 64 bytes; id: at most
 * SM2_ID_BYTES_MAX bytes; z[lane]: 32 bytes, written when all inputs have been read. */
LANE_FUNCTION void sm2_z_lanes(uint8_t *const *z, const uint8_t *constants, const uint8_t *const *public_key,
                               const struct segment *id) {
    struct segment parts[4];
    uint8_t entl[LANES][2];
    parts[1] = *id;
    for (int lane = 0; lane < LANES; lane++) {
        VERIFY(id->width[lane] <= SM2_ID_BYTES_MAX);
        entl[lane][0] = (uint8_t)(id->width[lane] >> 5);
        entl[lane][1] = (uint8_t)(id->width[lane] << 3);
        parts[0].data[lane] = entl[lane];
        parts[0].width[lane] = 2;
        parts[2].data[lane] = constants;
        parts[2].width[lane] = SM2_CONSTANTS_BYTES;
        parts[3].data[lane] = public_key[lane];
        parts[3].width[lane] = 64;
    }
    hash_message(GECC_SM3, z, parts, 4);
}

/* e[lane] = SM3(ZA || message), ZA as in sm2_z_lanes; e[lane]: 32 bytes, written when all inputs have been read. */
LANE_FUNCTION void sm2_digest_lanes(uint8_t *const *e, const uint8_t *constants, const uint8_t *const *public_key,
                                    const struct segment *id, const struct segment *message) {
    struct segment parts[2];
    uint8_t za[LANES][32];
    uint8_t *za_at[LANES];
    for (int lane = 0; lane < LANES; lane++) {
        za_at[lane] = za[lane];
        parts[0].data[lane] = za[lane];
        parts[0].width[lane] = 32;
    }
    sm2_z_lanes(za_at, constants, public_key, id);
    parts[1] = *message;
    hash_message(GECC_SM3, e, parts, 2);
}

#endif
