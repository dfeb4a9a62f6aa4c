/* Random, malformed and special rows of every operation on two backends: equal byte for byte. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { KEYS = 256 }; /* of a set */

enum modulus {
    MODULUS_RANDOM,
    MODULUS_TOP_BIT,
    MODULUS_ONES,
    MODULUS_POWER,
    MODULUS_3,
    MODULUS_LEADING_ZEROS,
    MODULUS_OF_CURVES, /* from here on, of each */
    MODULI = MODULUS_OF_CURVES + GECC_CURVE_END - GECC_SECP256K1
};

#define COUNT(list) (sizeof(list) / sizeof *(list))

struct tally {
    size_t rows, mismatches, ok, invalid, infinity, malformed;
    double seconds_a, seconds_b;
};

struct run {
    const struct settings *settings;
    const struct contexts *contexts;
    struct prng prng;
    struct batch batch;
    struct generator *generator;
    unsigned turn; /* of shapes and kinds of memory: see turns */
    struct tally sum;
};

static void count_statuses(struct tally *tally, const struct outcome *outcome) {
    for (size_t i = 0; i < outcome->count; i++) {
        tally->ok += outcome->status[i] == GECC_ITEM_OK;
        tally->invalid += outcome->status[i] == GECC_ITEM_INVALID;
        tally->infinity += outcome->status[i] == GECC_ITEM_INFINITY;
        tally->malformed += gecc_item_is_malformed(outcome->status[i]) != 0;
    }
}

/* Rows at the edges of warps, and so of blocks and grids, are exceptional; so are some whole warps, and others. */
static bool is_exceptional(struct run *run, size_t row, bool *warp) {
    if (row % 32 == 0)
        *warp = prng_below(&run->prng, 64) == 0;
    size_t lane = row % 32;
    return *warp || lane == 0 || lane == 31 || prng_below(&run->prng, 8) == 0;
}

static void fill(struct run *run, size_t count) {
    bool warp = false;
    batch_clear(&run->batch);
    run->batch.count = count;
    for (size_t row = 0; row < count; row++) {
        bool last = row + 1 == count;
        generator_next(run->generator, is_exceptional(run, row, &warp) || last);
        for (int i = 0; i < INPUTS; i++)
            if (call_uses(&run->batch.call, i))
                column_add(&run->batch.in[i], run->generator->cells[i].data, run->generator->cells[i].width);
    }
}

/* Compare what came of the batch on A, and let go of that. */
static void compare(const struct run *run, const struct call *call, struct outcome *a, const struct outcome *b,
                    struct tally *tally) {
    plant(run->settings, call, a);
    tally->mismatches += outcomes_compare(&run->batch, a, b);
    tally->rows += run->batch.count;
    tally->seconds_a += a->report.seconds;
    count_statuses(tally, b);
    outcome_free(a);
}

/* Shapes and kinds of memory in which rows are given. */
static const struct turn {
    enum shape shape;
    unsigned kind;
} turns[] = {{PACKED, PINNED},   {SCATTERED, PAGEABLE}, {PACKED, DEVICE},  {STRIDED, PAGEABLE},
             {PACKED, PAGEABLE}, {SCATTERED, DEVICE},   {STRIDED, PINNED}, {PACKED, MIXED},
             {SPACED, PAGEABLE}, {SCATTERED, MIXED},    {SPACED, DEVICE},  {SCATTERED, PINNED}};

/* One batch on both backends; the kind of memory and the shape on A take turns, or are each there is. */
static void run_batch(struct run *run, const struct pool *pool, const struct call *call, size_t count,
                      struct tally *tally) {
    const size_t turn = run->turn++, end = turn + (run->settings->every_memory ? COUNT(turns) : 1);
    struct outcome a, b;
    run->batch.call = *call;
    run->batch.shape = turns[turn % COUNT(turns)].shape;
    const bool plain = run->batch.shape <= SPACED;
    generator_start(run->generator, pool, call_wanted(&run->batch.call), plain, &run->prng);
    fill(run, count);
    run->batch.varied = !plain;
    batch_run(&run->batch, PAGEABLE, run->contexts->b, &b);
    tally->seconds_b += b.report.seconds;
    for (size_t i = turn; i < end; i++) {
        const struct turn *now = &turns[i % COUNT(turns)];
        const bool exists = now->kind == MIXED || memory_kind_exists((enum memory_kind)now->kind);
        run->batch.shape = now->shape;
        batch_run(&run->batch, exists ? now->kind : PAGEABLE, run->contexts->a, &a);
        compare(run, call, &a, &b, tally);
    }
    outcome_free(&b);
}

/* A few small batches, then the rest in two. */
static void run_call(struct run *run, const struct pool *pool, const struct call *call, size_t rows,
                     struct tally *tally) {
    static const size_t small[] = {1, 31, 33, 129};
    for (size_t i = 0; i < COUNT(small); i++)
        run_batch(run, pool, call, small[i], tally);
    for (size_t left = rows; left != 0;) {
        size_t count = left > run->settings->chunk ? run->settings->chunk : left;
        if (left == rows && rows > 1)
            count = count < rows / 2 ? count : rows / 2;
        run_batch(run, pool, call, count, tally);
        left -= count;
    }
}

static void print_heading(void) {
    printf("%-56s %9s %9s %9s %9s %8s %9s %8s %8s\n", "conformance", "rows", "ok", "invalid", "malformed", "infinity",
           "mismatch", "A s", "B s");
}

static void finish(struct run *run, const struct call *call, const struct tally *tally) {
    char text[128];
    printf("%-56s %9zu %9zu %9zu %9zu %8zu %9zu %8.2f %8.2f\n", call_text(call, text), tally->rows, tally->ok,
           tally->invalid, tally->malformed, tally->infinity, tally->mismatches, tally->seconds_a, tally->seconds_b);
    fflush(stdout);
    if (run->settings->json_file != NULL)
        fprintf(run->settings->json_file,
                "{\"check\":\"conformance\",\"call\":\"%s\",\"rows\":%zu,\"ok\":%zu,\"invalid\":%zu,\"malformed\":%zu,"
                "\"infinity\":%zu,\"mismatches\":%zu}\n",
                text, tally->rows, tally->ok, tally->invalid, tally->malformed, tally->infinity, tally->mismatches);
    run->sum.rows += tally->rows;
    run->sum.mismatches += tally->mismatches;
}

static bool is_wanted(const struct run *run, const struct call *call) {
    char text[128];
    return run->settings->filter == NULL || strstr(call_text(call, text), run->settings->filter) != NULL;
}

static void run_one(struct run *run, const struct pool *pool, const struct call *call, size_t rows) {
    struct tally tally = {.rows = 0};
    if (!is_wanted(run, call))
        return;
    run_call(run, pool, call, rows, &tally);
    finish(run, call, &tally);
}

/* The ways to call an operation are tried one after the other: each flag alone and some together, with every format of
 * points, every hash of nonces, and without what may be left out. False: there are no more. */
static bool take_way(struct call *call, unsigned way) {
    static const uint32_t flags[] = {0,
                                     GECC_DER,
                                     GECC_LOW_S,
                                     GECC_ANY_S,
                                     GECC_PUBLIC_SCALARS,
                                     GECC_VERIFY_SIGNATURES,
                                     GECC_DER | GECC_LOW_S,
                                     GECC_DER | GECC_ANY_S,
                                     GECC_LOW_S | GECC_VERIFY_SIGNATURES,
                                     GECC_DER | GECC_VERIFY_SIGNATURES,
                                     GECC_LITTLE_ENDIAN,
                                     GECC_LITTLE_ENDIAN | GECC_PUBLIC_SCALARS,
                                     GECC_SIGHASH_BYTE,
                                     GECC_DER | GECC_SIGHASH_BYTE,
                                     GECC_PREHASH,
                                     GECC_PREHASH | GECC_VERIFY_SIGNATURES,
                                     GECC_ACCEPT_REF10,
                                     GECC_ACCEPT_STRICT,
                                     GECC_ACCEPT_ZIP215,
                                     GECC_PREHASH | GECC_ACCEPT_ZIP215,
                                     GECC_C1C2C3,
                                     GECC_RESPONDER};
#define IDENTIFIER(identifier, ...) , identifier
    static const gecc_hash hashes[] = {GECC_HASH_DEFAULT GECC_NONCE_HASH_LIST(IDENTIFIER)};
#undef IDENTIFIER
    if (way >= COUNT(flags))
        return false;
    call->flags = flags[way];
    call->format = (gecc_point_format)(way % 3);
    call->hash = hashes[way % COUNT(hashes)];
    call->optional = way % 2 == 0;
    return true;
}

/* Does the way differ from those before? The first three do, by the format of points and ciphertexts; later ones by their flags. */
static bool is_another_way(const struct call *call, unsigned way) {
    uint32_t meaningful = call->operation->flags;
    bool crypts = call_out_kind(call) == GECC_KIND_CIPHERTEXT || call_out_kind(call) == GECC_KIND_PLAINTEXT;
    bool formats = (call_out_kind(call) == GECC_KIND_POINT || crypts) && way < 3;
    bool columns = call_has_optional_inputs(call) && way < 2;
    return (call->flags & ~meaningful) == 0 || formats || columns;
}

/* Rows with KEYS different points, again and again: those of a batch for keys_run. */
static void fill_keys(struct run *run, int input, size_t count) {
    bool warp = false;
    const struct cell *point = &run->generator->cells[input];
    batch_clear(&run->batch);
    run->batch.count = count;
    for (size_t row = 0; row < count && row < KEYS; row++) {
        do
            generator_next(run->generator, is_exceptional(run, row, &warp));
        while (!is_key_of_points(&run->batch.call, input, point->width));
        for (int i = 0; i < INPUTS; i++)
            if (call_uses(&run->batch.call, i))
                column_add(&run->batch.in[i], run->generator->cells[i].data, run->generator->cells[i].width);
    }
    for (int i = 0; i < INPUTS; i++) {
        struct column *column = &run->batch.in[i];
        for (size_t row = KEYS; row < count && call_uses(&run->batch.call, i); row++) {
            const size_t from = row % KEYS, width = column->widths[from];
            uint8_t cell[CELL_BYTES_MOST];
            memcpy(cell, column->data + column->offsets[from], width);
            column_add(column, cell, width);
        }
    }
}

/* Points on the trusted backend beside their numbers on the other. */
static void run_keys_batch(struct run *run, const struct pool *pool, const struct call *call,
                           const gecc_operation *keyed, size_t count, struct tally *tally) {
    static const unsigned windows[] = {0, 4, 5, 8};
    unsigned turn = run->turn++;
    enum memory_kind kind = turn % 3 == 1 && memory_kind_exists(DEVICE) ? DEVICE : PAGEABLE;
    const int input = input_of_keys(keyed);
    struct outcome a, b;
    run->batch.call = *call;
    run->batch.shape = turn % 2 ? SCATTERED : PACKED;
    generator_start(run->generator, pool, call_wanted(&run->batch.call), run->batch.shape == PACKED, &run->prng);
    fill_keys(run, input, count);
    keys_run(&run->batch, keyed, count < KEYS ? count : KEYS, windows[turn % COUNT(windows)], kind, run->contexts->a,
             &a);
    batch_run(&run->batch, PAGEABLE, run->contexts->b, &b);
    tally->seconds_b += b.report.seconds;
    keys_expect(&run->batch, &b);
    compare(run, call, &a, &b, tally);
    outcome_free(&b);
}

static void run_keys(struct run *run, const struct pool *pool, const struct call *named, size_t rows) {
    static const size_t small[] = {1, 33, 129};
    struct tally tally = {.rows = 0};
    struct call call = *named;
    call.operation = operation_of_points(named->operation);
    for (size_t i = 0; i < COUNT(small); i++)
        run_keys_batch(run, pool, &call, named->operation, small[i], &tally);
    for (size_t part = 0; part < 3; part++)
        run_keys_batch(run, pool, &call, named->operation, rows / 3 + 1, &tally);
    finish(run, named, &tally);
}

/* All operations that the curve selects. */
static void run_curve(struct run *run, gecc_curve curve) {
    const size_t rows = run->settings->rows, entries = rows < POOL_MOST ? rows + 1 : POOL_MOST;
    struct pool *pool = NULL;
    const gecc_operation *operation;
    for (size_t i = 0; (operation = gecc_operations(i)) != NULL; i++) {
        struct call call = {.operation = operation, .curve = curve};
        if ((operation->curves >> curve & 1) == 0 || operation_is_for_cpus(operation))
            continue;
        for (unsigned way = 0; take_way(&call, way); way++) {
            if (!is_another_way(&call, way) || !is_wanted(run, &call))
                continue;
            call.flags &= operation->flags;
            /* Sets are of points whose coordinates are big-endian. */
            if (operation_takes_keys(operation) && call.flags & GECC_LITTLE_ENDIAN)
                continue;
            if (pool == NULL)
                pool = pool_new(run->contexts->b, curve, entries, entries, false, &run->prng);
            if (operation_takes_keys(operation))
                run_keys(run, pool, &call, rows / 2);
            else
                run_one(run, pool, &call, way == 0 ? rows : rows / 2);
        }
    }
    if (pool != NULL)
        pool_free(pool);
}

static void choose_modulus(struct call *call, enum modulus kind, struct prng *prng) {
    const gecc_curve curve = (gecc_curve)(GECC_SECP256K1 + (int)kind - MODULUS_OF_CURVES);
    size_t bytes = call->modulus_bytes;
    prng_bytes(prng, call->modulus, bytes);
    switch (kind) {
    case MODULUS_TOP_BIT:
        call->modulus[0] |= 0x80;
        break;
    case MODULUS_ONES:
        memset(call->modulus, 0xff, bytes);
        break;
    case MODULUS_POWER: /* 2^k + 1 */
        memset(call->modulus, 0, bytes);
        call->modulus[prng_below(prng, bytes - 1)] = (uint8_t)(1u << prng_below(prng, 8));
        break;
    case MODULUS_3:
        memset(call->modulus, 0, bytes);
        call->modulus[bytes - 1] = 3;
        break;
    case MODULUS_LEADING_ZEROS:
        memset(call->modulus, 0, 1 + prng_below(prng, bytes - 2));
        break;
    default:
        /* kernels may have arithmetic of their own for a curve's prime */
        if (kind >= MODULUS_OF_CURVES && gecc_curve_bytes(curve) == bytes)
            curve_prime(call->modulus, curve);
    }
    call->modulus[bytes - 1] |= kind == MODULUS_LEADING_ZEROS ? 3 : 1;
}

/* The moduli share the rows of a width. */
static void run_moduli(struct run *run, size_t bytes) {
    const gecc_operation *operation;
    for (size_t i = 0; (operation = gecc_operations(i)) != NULL; i++) {
        struct tally tally = {.rows = 0};
        struct call call = {.operation = operation, .modulus_bytes = bytes};
        if (operation->selector != GECC_SELECT_MODULUS)
            continue;
        if (!is_wanted(run, &call))
            continue;
        for (int kind = 0; kind < MODULI; kind++) {
            choose_modulus(&call, (enum modulus)kind, &run->prng);
            call.flags = kind % 2 == 0 ? 0 : GECC_LITTLE_ENDIAN;
            run_call(run, NULL, &call, run->settings->rows / MODULI, &tally);
        }
        finish(run, &call, &tally);
    }
}

bool run_conformance(const struct settings *settings, const struct contexts *contexts) {
    struct run run = {.settings = settings, .contexts = contexts, .prng = {settings->seed}};
    run.generator = memory_new(1, sizeof *run.generator);
    print_heading();
    for (int curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++)
        run_curve(&run, (gecc_curve)curve);
    if (has_curve25519(contexts->a))
        run_curve(&run, GECC_CURVE25519);
    else
        printf("Curve25519: A has no operations on it\n");
    for (size_t bytes = 16; bytes <= MODULUS_BYTES_MOST; bytes += 4)
        run_moduli(&run, bytes);
    for (int hash = 1; gecc_hash_bytes((gecc_hash)hash) != 0; hash++) {
        struct call call = {.operation = gecc_operation_find("digest"), .hash = (gecc_hash)hash};
        run_one(&run, NULL, &call, settings->rows);
    }
    printf("conformance: %zu rows, %zu mismatches\n", run.sum.rows, run.sum.mismatches);
    batch_free(&run.batch);
    free(run.generator);
    return run.sum.mismatches == 0;
}
