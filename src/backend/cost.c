#include "backend/cost.h"

#include <string.h>

/* A thread of each machine: fitted to processor times of 4096 rows on an AMD EPYC (Zen 5, 3.8 GHz), some of them in
 * docs/performance.md. Every operation of the IFMA machine, and what multiplies points on the others, is met within
 * 20 % or little more; portable-c takes up to twice as long modulo odd numbers wider than 256 bits. On another
 * processor all of them change by about the same factor. */
static const struct {
    const char *name;
    unsigned lanes;
    double curve[GECC_SM2 + 1], modular, block;
} machines[] = {{"portable-c",
                 1,
                 {[GECC_SECP256K1] = 23e-9, [GECC_P256] = 26e-9, [GECC_P384] = 73e-9, [GECC_SM2] = 32e-9},
                 27e-9,
                 150e-9},
                {"portable-adx",
                 1,
                 {[GECC_SECP256K1] = 12.2e-9, [GECC_P256] = 12.2e-9, [GECC_P384] = 39e-9, [GECC_SM2] = 12.6e-9},
                 14e-9,
                 145e-9},
                {"ifma",
                 8,
                 {[GECC_SECP256K1] = 2.2e-9, [GECC_P256] = 2.2e-9, [GECC_P384] = 5.6e-9, [GECC_SM2] = 2.1e-9},
                 3.2e-9,
                 37e-9}};

static const double cpu_byte = 0.15e-9;

/* Threads that share a job wake one after the other. */
static const double cpu_waking = 40e-6;

/* A thread takes at most so many rows at a time. */
enum { CHUNK_ROWS = 1024 };

/* The GPU's numbers, an H200's: `gecc-gpu-check --bench` prints those that fit what it measures. The rate at which
 * it works when it is full follows from the rates in docs/performance.md. */
static const double gpu_call_seconds = 60e-6;
static const double gpu_chain_seconds = 0.3e-6;
static const double gpu_unit_seconds = 13e-12;
static const double gpu_byte_seconds = 0.135e-9; /* packed by one thread of the host; copied it takes a tenth of that */

/* Units of a row: what docs/performance.md counts, S = 0.8 M, and what reading, writing and shares of inversions
 * come to besides by measurement. Curves: secp256k1, whose endomorphism halves the doublings; P-256 and SM2; P-384. */
struct units {
    double point, base_secret, base_public, root;
};
static const struct units glv_units = {1440, 450, 190, 260}, curve_256_units = {2475, 450, 190, 260},
                          curve_384_units = {3635, 500, 240, 360};

static const double validate_units = 5, add_units = 19, nonce_units = 50, nonce_blocks = 12;
static const double residue_add_units = 1, residue_product_units = 2, residue_inverse_units = 6,
                    exponent_byte_units = 12;

/* A block of a hash in units, on a GPU, whose lanes are 32 bits wide for both: by what signing one row takes. */
static const double gpu_block_units = 22;

struct work {
    double units, blocks;
};

static struct work curve_work(enum operation operation, const struct units *u) {
    switch (operation) {
    case OPERATION_EC_VALIDATE:
        return (struct work){validate_units, 0};
    case OPERATION_EC_ADD:
    case OPERATION_EC_DOUBLE:
        return (struct work){add_units, 0};
    case OPERATION_EC_CONVERT:
        return (struct work){u->root, 0};
    case OPERATION_EC_PUBLIC_KEY:
    case OPERATION_EC_MUL_BASE:
        return (struct work){u->base_secret, 0};
    case OPERATION_EC_MUL:
    case OPERATION_ECDH:
        return (struct work){u->point, 0};
    case OPERATION_EC_MUL_ADD:
        return (struct work){u->point + u->base_secret, 0};
    case OPERATION_ECDSA_SIGN:
    case OPERATION_SM2_SIGN:
        return (struct work){u->base_secret + nonce_units, nonce_blocks};
    case OPERATION_ECDSA_SIGN_NONCE:
    case OPERATION_SM2_SIGN_NONCE:
        return (struct work){u->base_secret + nonce_units, 0};
    case OPERATION_ECDSA_VERIFY:
    case OPERATION_SM2_VERIFY:
        return (struct work){u->point + u->base_public, 0};
    case OPERATION_ECDSA_RECOVER:
        return (struct work){u->point + u->base_public + u->root, 0};
    case OPERATION_SM2_DIGEST:
        return (struct work){validate_units, 4};
    default:
        return (struct work){0, 0};
    }
}

/* Public scalars take the way of the public table. */
static struct work public_work(const struct job *job, const struct units *u) {
    struct work work = curve_work(job->operation, u);
    bool base = job->operation == OPERATION_EC_MUL_BASE || job->operation == OPERATION_EC_MUL_ADD;
    if (base && (job->flags & GECC_PUBLIC_SCALARS) != 0)
        work.units += u->base_public - u->base_secret;
    return work;
}

static double modular_units(const struct job *job) {
    switch (job->operation) {
    case OPERATION_MOD_ADD:
    case OPERATION_MOD_SUB:
        return residue_add_units;
    case OPERATION_MOD_INVERSE:
        return residue_inverse_units;
    case OPERATION_MOD_POWER:
        return exponent_byte_units * (double)job->in[1].width;
    default:
        return residue_product_units;
    }
}

/* Bytes of a row of a column, by the first ones. */
static double row_bytes(const gecc_rows *rows, size_t count) {
    size_t seen = count < 16 ? count : 16;
    double sum = 0;
    if (rows->data == NULL || count == 0)
        return 0;
    if (rows->widths == NULL)
        return (double)rows->width;
    for (size_t i = 0; i < seen; i++)
        sum += (double)rows->widths[i];
    return sum / (double)seen;
}

static double input_bytes(const struct job *job) {
    double bytes = 0;
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        bytes += row_bytes(&job->in[i], job->count);
    return bytes;
}

static double bytes_of_a_row(const struct job *job) {
    double bytes = input_bytes(job) + 1;
    for (unsigned i = 0; i < JOB_OUTPUTS; i++)
        if (job->out[i].data != NULL)
            bytes += (double)job->out_width[i];
    return bytes;
}

/* Of one row. */
static struct work work_of(const struct job *job) {
    struct work work = {0, 0};
    if (job->modulus_bytes != 0)
        work.units = modular_units(job);
    else if (job->curve != 0)
        work = public_work(job, job->curve == GECC_SECP256K1 ? &glv_units
                                : job->curve == GECC_P384    ? &curve_384_units
                                                             : &curve_256_units);
    if (job->operation == OPERATION_DIGEST || job->operation == OPERATION_SM2_DIGEST)
        work.blocks += 1 + input_bytes(job) / 64;
    return work;
}

/* A unit modulo a number of that width beside one modulo 256 bits: between its width and the square of that. */
static double wider(size_t bytes) {
    double w = (double)bytes / 32;
    return w * (1 + w) / 2;
}

static double cpu_unit(const struct cost *cost, const struct job *job) {
    if (job->modulus_bytes != 0)
        return cost->modular * wider(job->modulus_bytes);
    return cost->curve[job->curve];
}

/* 32-bit products. */
static double gpu_width(const struct job *job) {
    double w = job->modulus_bytes != 0 ? (double)job->modulus_bytes / 32 : job->curve == GECC_P384 ? 1.5 : 1;
    return w * w;
}

struct cost gecc_cost_of(const char *machine, unsigned threads) {
    size_t i = sizeof machines / sizeof machines[0] - 1;
    while (i > 0 && strcmp(machines[i].name, machine) != 0)
        i--;
    struct cost cost = {.threads = threads == 0 ? 1 : threads,
                        .lanes = machines[i].lanes,
                        .modular = machines[i].modular,
                        .block = machines[i].block,
                        .byte = cpu_byte,
                        .waking = cpu_waking,
                        .gpu = {[COST_CALL] = gpu_call_seconds,
                                [COST_CHAIN] = gpu_chain_seconds,
                                [COST_UNIT] = gpu_unit_seconds,
                                [COST_BYTE] = gpu_byte_seconds}};
    memcpy(cost.curve, machines[i].curve, sizeof cost.curve);
    return cost;
}

size_t gecc_rows_worth_a_thread(enum operation operation, size_t lanes) {
    switch (operation) {
    case OPERATION_MOD_ADD:
    case OPERATION_MOD_SUB:
    case OPERATION_MOD_MUL:
    case OPERATION_MOD_SQUARE:
        return 1024 * lanes;
    case OPERATION_EC_VALIDATE:
    case OPERATION_EC_ADD:
    case OPERATION_EC_DOUBLE:
    case OPERATION_MOD_INVERSE:
        return 128 * lanes;
    case OPERATION_DIGEST:
    case OPERATION_SM2_DIGEST:
        return 64 * lanes;
    case OPERATION_EC_CONVERT:
    case OPERATION_EC_PUBLIC_KEY:
    case OPERATION_EC_MUL_BASE:
        return 8 * lanes;
    case OPERATION_ECDSA_SIGN:
    case OPERATION_ECDSA_SIGN_NONCE:
    case OPERATION_SM2_SIGN:
    case OPERATION_SM2_SIGN_NONCE:
    case OPERATION_MOD_POWER:
        return lanes < 4 ? 8 : 4 * lanes;
    default:
        return lanes < 4 ? 4 : lanes;
    }
}

/* Threads that share the rows. */
static double threads_used(const struct cost *cost, const struct job *job) {
    size_t least = gecc_rows_worth_a_thread(job->operation, cost->lanes);
    size_t parts = job->count / (least < CHUNK_ROWS ? least : CHUNK_ROWS);
    return parts < 1 ? 1 : parts < cost->threads ? (double)parts : (double)cost->threads;
}

double gecc_cost_cpu(const struct cost *cost, const struct job *job) {
    struct work work = work_of(job);
    double row = work.units * cpu_unit(cost, job) + work.blocks * cost->block + bytes_of_a_row(job) * cost->byte;
    double used = threads_used(cost, job);
    return row * (double)job->count / used + (used > 1 ? cost->waking : 0);
}

void gecc_cost_gpu_terms(const struct job *job, double terms[COST_TERMS]) {
    struct work work = work_of(job);
    double units = work.units * gpu_width(job) + work.blocks * gpu_block_units, count = (double)job->count;
    terms[COST_CALL] = 1;
    terms[COST_CHAIN] = units;
    terms[COST_UNIT] = units * count;
    terms[COST_BYTE] = bytes_of_a_row(job) * count;
}

double gecc_cost_gpu(const struct cost *cost, const struct job *job) {
    double terms[COST_TERMS], seconds = 0;
    gecc_cost_gpu_terms(job, terms);
    for (int t = 0; t < COST_TERMS; t++)
        seconds += terms[t] * cost->gpu[t];
    return seconds;
}
