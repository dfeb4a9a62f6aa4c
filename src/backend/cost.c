#include "backend/cost.h"

#include <string.h>

#include "curve/sizes.h"
#include "scheme/operation.h"

/* A thread of each machine. curve: a unit modulo the primes that it was measured for; modulo others it takes what it
 * does modulo any odd number of their width. Fitted to processor times of 4096 rows on an AMD EPYC (Zen 5, 3.8 GHz),
 * some of them in docs/performance.md. Every operation of the IFMA machine, and what multiplies points on the others,
 * is met within 20 % or little more; portable-c takes up to twice as long modulo odd numbers wider than 256 bits. On
 * another processor all of them change by about the same factor. */
static const struct {
    const char *name;
    unsigned lanes;
    double curve[GECC_CURVE_END], modular, block;
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

/* Units of a row: what docs/performance.md counts, S = 0.8 M, and what reading, writing and shares of inversions come
 * to besides by measurement: on secp256k1, whose endomorphism halves the doublings; and on curves of 256 and of 384
 * bits, by which those of other sizes are judged. */
struct units {
    double point, base_secret, base_public, root;
};
static const struct units glv_units = {1440, 450, 190, 260}, curve_256_units = {2475, 450, 190, 260},
                          curve_384_units = {3635, 500, 240, 360};

static const double exponent_byte_units = 12;

/* A block of a hash in units, on a GPU, whose lanes are 32 bits wide for both: by what signing one row takes. */
static const double gpu_block_units = 22;

struct work {
    double units, blocks;
};

/* Units of multiples of G by the scalars that the job has. */
static double base_units(const struct job *job, const struct units *u) {
    unsigned uses = job_base_uses(job);
    return ((uses & BASE_USES_SECRET) != 0 ? u->base_secret : 0) +
           ((uses & (BASE_USES_PUBLIC | BASE_USES_KEYS)) != 0 ? u->base_public : 0);
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

/* On the line through those of 256 and of 384 bits. */
static double units_between(double of_256, double of_384, gecc_curve curve) {
    return of_256 + (of_384 - of_256) * ((double)curve_bits(curve) - 256) / 128;
}

static struct units units_of(gecc_curve curve) {
    const struct units *a = &curve_256_units, *b = &curve_384_units;
    const struct units between = {
        units_between(a->point, b->point, curve), units_between(a->base_secret, b->base_secret, curve),
        units_between(a->base_public, b->base_public, curve), units_between(a->root, b->root, curve)};
    return curve == GECC_SECP256K1 ? glv_units : between;
}

/* Of one row: what operations.def says, and what follows from the widths of messages and exponents. */
static struct work work_of(const struct job *job) {
    const struct operation_info *info = operation_info(job);
    const struct units u = units_of(job->curve);
    struct work work = {info->work.multiples * u.point + info->work.roots * u.root + base_units(job, &u) +
                            info->work.units,
                        info->work.blocks};
    if ((job->flags & GECC_VERIFY_SIGNATURES) != 0)
        work.units += u.point; /* the multiple of G is among the base's */
    for (unsigned i = 0; info->in[i].name != NULL; i++) {
        if (info->in[i].kind == GECC_KIND_MESSAGE)
            work.blocks += 1 + input_bytes(job) / 64;
        if (info->in[i].kind == GECC_KIND_EXPONENT)
            work.units += exponent_byte_units * (double)job->in[i].width;
    }
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
    return curve_is_weierstrass(job->curve) && cost->curve[job->curve] != 0
               ? cost->curve[job->curve]
               : cost->modular * wider(curve_bytes(job->curve));
}

/* 32-bit products. */
static double gpu_width(const struct job *job) {
    const size_t bytes = job->modulus_bytes != 0 ? job->modulus_bytes : curve_bytes(job->curve);
    double w = bytes == 0 ? 1 : (double)bytes / 32;
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

/* By what a row with secret scalars takes on a curve of 256 bits: a message or an exponent has some. */
size_t gecc_rows_worth_a_thread(enum operation operation, size_t lanes) {
    const struct operation_info *info = &gecc_operation_table[operation];
    const struct job job = {.operation = operation, .curve = GECC_P256};
    const struct work work = work_of(&job);
    if (operation_takes_kind(info, GECC_KIND_MESSAGE) && work.units < 100)
        return 64 * lanes;
    if (work.units != 0 && work.units <= 2)
        return 1024 * lanes;
    if (work.units != 0 && work.units < 100)
        return 128 * lanes;
    if (work.units != 0 && work.units <= curve_256_units.base_secret)
        return 8 * lanes;
    if (work.units < curve_256_units.point)
        return lanes < 4 ? 8 : 4 * lanes;
    return lanes < 4 ? 4 : lanes;
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
