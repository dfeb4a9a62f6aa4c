#include "backend/cost.h"

/* The only numbers to calibrate, for a unit of work: a Montgomery multiplication of 256 bits.
 *
 * The CPU's is that of one thread of the portable machine with BMI2 and ADX, 48 cycles at 2.7 GHz. The GPU's are estimates
 * that scripts/gpu-check is to replace by what it measures; they are meant to be too high, because a job that stays on
 * the CPU by mistake takes a little longer and one that is sent to the GPU by mistake many times as long. */
static const double cpu_unit_seconds = 18e-9;
static const double gpu_unit_seconds =
    1 / 30e9; /* a third of what an H200 multiplies with all its registers to itself */
static const double gpu_fixed_seconds = 300e-6; /* to launch, to wait, and to fill the device */
static const double gpu_byte_seconds = 1 / 5e9; /* packed by one thread of the host; copied it takes a tenth of that */

/* Units of a row on a curve of 256 bits: group operations by ARCHITECTURE.md's table of costs, 11 units for an addition
 * and 7 for a doubling, and what else there is to a row. */
enum {
    UNITS_PARSE = 20,
    UNITS_BASE_SECRET = 52 * 10,
    UNITS_POINT = 255 * 7 + 52 * 11,
    UNITS_BASE_PUBLIC = 20 * 11,
    UNITS_NONCE = 300, /* some 20 blocks of a hash */
    UNITS_ROOT = 350,
    UNITS_BLOCK = 12,    /* of a hash, 64 bytes */
    UNITS_RESIDUE = 4,   /* two conversions, one multiplication */
    UNITS_INVERSE = 10,  /* with a share of one inversion */
    UNITS_EXPONENT = 340 /* 256 bits of it */
};

static double units_of_a_row(enum operation operation) {
    switch (operation) {
    case OPERATION_EC_VALIDATE:
    case OPERATION_EC_ADD:
    case OPERATION_EC_DOUBLE:
        return UNITS_PARSE;
    case OPERATION_EC_CONVERT:
        return UNITS_ROOT;
    case OPERATION_EC_PUBLIC_KEY:
    case OPERATION_EC_MUL_BASE:
        return UNITS_BASE_SECRET;
    case OPERATION_EC_MUL:
    case OPERATION_ECDH:
        return UNITS_POINT;
    case OPERATION_EC_MUL_ADD:
        return UNITS_POINT + UNITS_BASE_SECRET;
    case OPERATION_ECDSA_SIGN:
    case OPERATION_SM2_SIGN:
        return UNITS_BASE_SECRET + UNITS_NONCE;
    case OPERATION_ECDSA_SIGN_NONCE:
    case OPERATION_SM2_SIGN_NONCE:
        return UNITS_BASE_SECRET;
    case OPERATION_ECDSA_VERIFY:
    case OPERATION_SM2_VERIFY:
        return UNITS_POINT + UNITS_BASE_PUBLIC;
    case OPERATION_ECDSA_RECOVER:
        return UNITS_POINT + UNITS_BASE_PUBLIC + UNITS_ROOT;
    case OPERATION_SM2_DIGEST:
        return UNITS_PARSE + 4 * UNITS_BLOCK;
    case OPERATION_MOD_ADD:
    case OPERATION_MOD_SUB:
    case OPERATION_MOD_MUL:
    case OPERATION_MOD_SQUARE:
        return UNITS_RESIDUE;
    case OPERATION_MOD_INVERSE:
        return UNITS_INVERSE;
    case OPERATION_MOD_POWER:
        return UNITS_EXPONENT;
    case OPERATION_DIGEST:
    case OPERATION_COUNT:
        break;
    }
    return 0;
}

static bool is_hash(enum operation operation) {
    return operation == OPERATION_DIGEST || operation == OPERATION_SM2_DIGEST;
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

/* How many times as wide as 256 bits numbers are. */
static double width(const struct job *job) {
    if (job->modulus_bytes != 0)
        return (double)job->modulus_bytes / 32;
    return job->curve == GECC_P384 ? 1.5 : 1;
}

/* Units of the whole job. Twice the width is four times a multiplication, and twice as many of them in what goes through a
 * scalar bit by bit; that second factor is left out for moduli, whose exponents have a width of their own. */
static double units(const struct job *job) {
    double wide = width(job), row = units_of_a_row(job->operation) * wide * wide;
    if (job->modulus_bytes == 0)
        row *= wide;
    else if (job->operation == OPERATION_MOD_POWER)
        row *= (double)job->in[1].width / 32;
    if (is_hash(job->operation))
        row += UNITS_BLOCK * (1 + input_bytes(job) / 64);
    return row * (double)job->count;
}

double gecc_cost_cpu(const struct job *job, unsigned threads) {
    return units(job) * cpu_unit_seconds / (double)threads;
}

double gecc_cost_gpu(const struct job *job) {
    double bytes = input_bytes(job) + 1;
    for (unsigned i = 0; i < JOB_OUTPUTS; i++)
        if (job->out[i].data != NULL)
            bytes += (double)job->out_width[i];
    return gpu_fixed_seconds + units(job) * gpu_unit_seconds + bytes * (double)job->count * gpu_byte_seconds;
}
