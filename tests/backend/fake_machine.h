/* A CPU machine whose lane programs only note what the backend does with them. The column in[0] of a job is one
 * struct notes. */
#ifndef TESTS_BACKEND_FAKE_MACHINE_H
#define TESTS_BACKEND_FAKE_MACHINE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "backend/cpu/machine.h"

enum {
    FAKE_ROWS = 20000,
    FAKE_CHUNK = 512,
    FAKE_LANES = 8,
    FAKE_ARENA_BYTES = 8192,
    FAKE_USED_BYTES = 5000,
    FAKE_TABLES_BYTES = 640
};

struct notes {
    atomic_uint visits[FAKE_ROWS];
    atomic_uint misaligned; /* chunks that start where they must not, or are too large */
    atomic_uint chunks;
    atomic_uint unwiped;    /* chunks whose arena was not zero */
    atomic_uint bad_tables; /* chunks whose tables were missing, misaligned or wrong */
    size_t failing_row;     /* its chunk fails */
    atomic_bool *gate;      /* chunks wait until it opens; NULL: none */
};

static inline struct notes *fake_notes(const struct job *job) {
    union {
        const void *in;
        struct notes *notes;
    } column = {job->in[0].data};
    return column.notes;
}

static inline void fake_note_chunk(struct notes *notes, const void *tables, size_t first, size_t count) {
    static const uint8_t expected[FAKE_TABLES_BYTES] = {0x47};
    atomic_fetch_add(&notes->chunks, 1);
    atomic_fetch_add(&notes->misaligned, first % FAKE_LANES != 0 || count == 0 || count > FAKE_CHUNK);
    if (tables == NULL || (uintptr_t)tables % 64 != 0 || memcmp(tables, expected, sizeof expected) != 0)
        atomic_fetch_add(&notes->bad_tables, 1);
}

/* Note the chunk, and mark its rows OK but for a failing one. */
static inline gecc_result fake_program(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                       size_t count) {
    struct notes *notes = fake_notes(job);
    (void)arena;
    while (notes->gate != NULL && !atomic_load(notes->gate))
        usleep(100);
    fake_note_chunk(notes, tables, first, count);
    gecc_result result = GECC_OK;
    for (size_t i = first; i < first + count; i++) {
        atomic_fetch_add(&notes->visits[i], 1);
        job->status[i] = i == notes->failing_row ? GECC_ITEM_NOT_PROCESSED : GECC_ITEM_OK;
        if (i == notes->failing_row)
            result = GECC_ERROR_DEVICE;
    }
    return result;
}

/* The same with secrets, which it leaves all over what it takes of the arena. */
static inline gecc_result fake_secret_program(struct arena *arena, const void *tables, const struct job *job,
                                              size_t first, size_t count) {
    uint8_t *secret = arena_take(arena, FAKE_USED_BYTES);
    for (size_t i = 0; i < FAKE_USED_BYTES; i++)
        if (secret[i] != 0) {
            atomic_fetch_add(&fake_notes(job)->unwiped, 1);
            break;
        }
    memset(secret, 0xa5, FAKE_USED_BYTES);
    return fake_program(arena, tables, job, first, count);
}

/* How often tables were built in this process. */
static atomic_uint fake_tables_built;

static inline void fake_tables_build(void *tables, struct arena *arena) {
    atomic_fetch_add(&fake_tables_built, 1);
    memset(arena_take(arena, FAKE_ARENA_BYTES), 0, FAKE_ARENA_BYTES);
    usleep(2000);
    memset(tables, 0, FAKE_TABLES_BYTES);
    *(uint8_t *)tables = 0x47;
}

#define FAKE_PROGRAMS                                                                                                  \
    {                                                                                                                  \
        [OPERATION_EC_MUL] = fake_secret_program, [OPERATION_ECDSA_VERIFY] = fake_program,                             \
        [OPERATION_SM2_VERIFY] = fake_program, [OPERATION_MOD_POWER] = fake_secret_program,                            \
        [OPERATION_DIGEST] = fake_program                                                                              \
    }

static const struct program_set fake_set = {FAKE_CHUNK,        FAKE_LANES,        FAKE_ARENA_BYTES,
                                            FAKE_TABLES_BYTES, fake_tables_build, FAKE_PROGRAMS};
static const struct program_set fake_set_without_arena = {FAKE_CHUNK, FAKE_LANES, PTRDIFF_MAX - 4096,
                                                          0,          NULL,       FAKE_PROGRAMS};
static const struct program_set fake_set_without_tables = {FAKE_CHUNK,         FAKE_LANES,        FAKE_ARENA_BYTES,
                                                           PTRDIFF_MAX - 4096, fake_tables_build, FAKE_PROGRAMS};

static inline int fake_supported(void) { return 1; }

/* secp256k1 and SM2 work, P-256 lacks memory for its arena, P-384 for its tables. */
static inline const struct program_set *fake_curve(gecc_curve curve) {
    if (curve == GECC_P256)
        return &fake_set_without_arena;
    return curve == GECC_P384 ? &fake_set_without_tables : &fake_set;
}

/* 64 bytes work, others are not offered. */
static inline const struct program_set *fake_modulus(size_t bytes) { return bytes == 64 ? &fake_set : NULL; }

static inline const struct program_set *fake_hash(void) { return &fake_set; }

static const struct cpu_machine fake_machine = {"fake", fake_supported, fake_curve, fake_modulus, fake_hash};

#endif
