/* A CPU machine whose lane programs only note what the backend does with them. The column in[0] of a job is one
 * struct notes. */
#ifndef TESTS_BACKEND_FAKE_MACHINE_H
#define TESTS_BACKEND_FAKE_MACHINE_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "scheme/operation.h"
#include "backend/cpu/machine.h"

enum {
    FAKE_ROWS = 20000,
    FAKE_CHUNK = 512,
    FAKE_LANES = 8,
    FAKE_ARENA_BYTES = 8192,
    FAKE_USED_BYTES = 5000,
    FAKE_TABLE_BYTES = 640
};

/* What a table of each kind starts with; the rest is zeros. */
static const uint8_t fake_mark[BASE_TABLES] = {0x47, 0x48, 0x49, 0x4a};

struct notes {
    atomic_uint visits[FAKE_ROWS];
    atomic_uint misaligned; /* chunks that start where they must not, or are too large */
    atomic_uint chunks;
    atomic_uint unwiped;    /* chunks whose arena was not zero */
    atomic_uint bad_tables; /* chunks whose tables were missing, misaligned or wrong, */
    atomic_uint many;       /* and those that had the public table for many rows */
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

/* Is it the table `which`? */
static inline bool fake_table_is(const void *table, enum base_table which) {
    const uint8_t expected[FAKE_TABLE_BYTES] = {fake_mark[which]};
    return table != NULL && (uintptr_t)table % 64 == 0 && memcmp(table, expected, sizeof expected) == 0;
}

/* The job multiplies G by secret scalars, by public ones, from either kind of table, or by none. */
static inline bool fake_tables_fit(const struct base_tables *tables, const struct job *job, bool *many) {
    unsigned uses = job_base_uses(job), which;
    *many = tables->public_rows != NULL && fake_table_is(tables->public_rows, BASE_PUBLIC_MANY);
    which = (uses & BASE_USES_KEYS) != 0 ? BASE_KEYS : *many ? BASE_PUBLIC_MANY : BASE_PUBLIC_FEW;
    bool secret_fits =
        (uses & BASE_USES_SECRET) != 0 ? fake_table_is(tables->secret, BASE_SECRET) : tables->secret == NULL;
    bool public_fits = (uses & (BASE_USES_PUBLIC | BASE_USES_KEYS)) != 0
                           ? fake_table_is(tables->public_rows, (enum base_table)which) &&
                                 tables->public_width == which && tables->public_windows == 10 * which
                           : tables->public_rows == NULL;
    return secret_fits && public_fits;
}

static inline void fake_note_chunk(struct notes *notes, const struct base_tables *tables, const struct job *job,
                                   size_t first, size_t count) {
    bool many = false;
    atomic_fetch_add(&notes->chunks, 1);
    atomic_fetch_add(&notes->misaligned, first % FAKE_LANES != 0 || count == 0 || count > FAKE_CHUNK);
    atomic_fetch_add(&notes->bad_tables, !fake_tables_fit(tables, job, &many));
    atomic_fetch_add(&notes->many, many);
}

/* Note the chunk, and mark its rows OK but for a failing one. */
static inline gecc_result fake_program(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                       size_t count) {
    struct notes *notes = fake_notes(job);
    (void)arena;
    while (notes->gate != NULL && !atomic_load(notes->gate))
        usleep(100);
    fake_note_chunk(notes, tables, job, first, count);
    gecc_result result = GECC_OK;
    for (size_t i = first; i < first + count; i++) {
        atomic_fetch_add(&notes->visits[i], 1);
        ((uint8_t *)job->status.data)[i * job->status.stride] =
            i == notes->failing_row ? GECC_ITEM_NOT_PROCESSED : GECC_ITEM_OK;
        if (i == notes->failing_row)
            result = GECC_ERROR_FAULT;
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

/* How often a table of each kind was made in this process, and how often the secret one from that for few rows. */
static atomic_uint fake_tables_made[BASE_TABLES], fake_secrets_from_few;

static inline void fake_table_make(enum base_table which, void *table, const void *few, const struct arena *arena) {
    struct arena scratch = *arena;
    atomic_fetch_add(&fake_tables_made[which], 1);
    atomic_fetch_add(&fake_secrets_from_few,
                     which == BASE_SECRET && few != NULL && fake_table_is(few, BASE_PUBLIC_FEW));
    memset(arena_take(&scratch, FAKE_ARENA_BYTES), 0, FAKE_ARENA_BYTES);
    usleep(2000);
    memset(table, 0, FAKE_TABLE_BYTES);
    *(uint8_t *)table = fake_mark[which];
}

#define FAKE_PROGRAMS                                                                                                  \
    {                                                                                                                  \
        [OPERATION_EC_MUL] = fake_secret_program, [OPERATION_ECDSA_VERIFY] = fake_program,                             \
        [OPERATION_EC_PUBLIC_KEY] = fake_secret_program, [OPERATION_SM2_VERIFY] = fake_program,                        \
        [OPERATION_ECDSA_SIGN] = fake_secret_program, [OPERATION_ED25519_VERIFY_KEYS] = fake_program,                  \
        [OPERATION_MOD_POWER] = fake_secret_program, [OPERATION_DIGEST] = fake_program                                 \
    }

static struct shared_tables fake_tables, fake_tables_without_memory;

#define FAKE_SET(arena, tables, large)                                                                                 \
    {                                                                                                                  \
        .chunk = FAKE_CHUNK, .lanes = FAKE_LANES, .arena_bytes = (arena), .shared = (tables),                          \
        .table_bytes = {FAKE_TABLE_BYTES, (large), (large), (large)}, .public_width = {0, 1, 2, 3},                    \
        .public_windows = {0, 10, 20, 30}, .table_make = fake_table_make, .run = FAKE_PROGRAMS                         \
    }

static const struct program_set fake_set = FAKE_SET(FAKE_ARENA_BYTES, &fake_tables, FAKE_TABLE_BYTES);
static const struct program_set fake_set_without_arena = FAKE_SET(PTRDIFF_MAX - 4096, NULL, 0);
static const struct program_set fake_set_without_tables =
    FAKE_SET(FAKE_ARENA_BYTES, &fake_tables_without_memory, PTRDIFF_MAX - 4096);

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
