/* Rows to memory in many shapes, one call of the library, and back. */
#include "operation.h"

#include <string.h>

enum { GUARD_BYTES = 32, GUARD = 0xa5, IGNORED_NUMBER = 0x5eed };

struct column_memory {
    uint8_t *memory;
    uint32_t *widths;
    uint64_t *offsets;
    gecc_rows rows;
};

struct guarded {
    uint8_t *memory;
    uint8_t *start;
    size_t stride, width, count;
};

struct batch {
    struct call call;
    size_t count;
    struct column_memory in[CELLS];
    struct guarded out, status, recovery_id, widths;
    int alias;
};

static uint64_t choose(struct prng *shape, uint64_t bound) { return shape ? prng_below(shape, bound) : 0; }

static struct guarded guarded_new(size_t count, size_t width, size_t gap, size_t misalignment) {
    size_t stride = width + gap;
    struct guarded guarded = {.stride = stride, .width = width, .count = count};
    guarded.memory = memory_new(1, GUARD_BYTES + misalignment + count * stride + GUARD_BYTES);
    memset(guarded.memory, GUARD, GUARD_BYTES + misalignment + count * stride + GUARD_BYTES);
    guarded.start = guarded.memory + GUARD_BYTES + misalignment;
    return guarded;
}

static int is_guard(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != GUARD) {
            return 0;
        }
    }
    return 1;
}

/* Nothing was written before, after and between the rows. */
static void guarded_check(const struct guarded *guarded) {
    REQUIRE(is_guard(guarded->memory, GUARD_BYTES));
    REQUIRE(is_guard(guarded->start + guarded->count * guarded->stride, GUARD_BYTES));
    for (size_t i = 0; i < guarded->count; i++) {
        REQUIRE(is_guard(guarded->start + i * guarded->stride + guarded->width, guarded->stride - guarded->width));
    }
}

static int same_cells(const struct row *rows, size_t count, int cell) {
    for (size_t i = 1; i < count; i++) {
        if (memcmp(rows[i].in[cell].data, rows[0].in[cell].data, rows[0].in[cell].width) != 0) {
            return 0;
        }
    }
    return 1;
}

/* Rows at random places in a random order, the memory exactly as long as needed. */
static void place_scattered(struct column_memory *column, const struct row *rows, size_t count, int cell,
                            struct prng *shape) {
    size_t *order = memory_new(count, sizeof *order);
    prng_permutation(shape, order, count);
    column->offsets = memory_new(count, sizeof *column->offsets);
    uint64_t end = 0;
    for (size_t i = 0; i < count; i++) {
        column->offsets[order[i]] = end + choose(shape, 4);
        end = column->offsets[order[i]] + rows[order[i]].in[cell].width;
    }
    column->memory = memory_new(1, end);
    for (size_t i = 0; i < count; i++) {
        memcpy(column->memory + column->offsets[i], rows[i].in[cell].data, rows[i].in[cell].width);
    }
    column->rows = (gecc_rows){column->memory, IGNORED_NUMBER, 0, NULL, column->offsets};
    free(order);
}

/* Rows `stride` apart, the last one at the very end of the memory. */
static void place_strided(struct column_memory *column, const struct row *rows, size_t count, int cell, size_t stride,
                          size_t misalignment) {
    size_t bytes = misalignment + (count ? (count - 1) * stride + rows[count - 1].in[cell].width : 0);
    column->memory = memory_new(1, bytes);
    memset(column->memory, GUARD, bytes);
    for (size_t i = 0; i < count; i++) {
        memcpy(column->memory + misalignment + i * stride, rows[i].in[cell].data, rows[i].in[cell].width);
    }
    column->rows = (gecc_rows){column->memory + misalignment, stride, 0, NULL, NULL};
}

/* A column may have this width. One whose rows all have another is an error of the call, not of its rows. */
static int width_is_right(const struct call *call, int cell, size_t width) {
    size_t length = gecc_curve_bytes(call->curve);
    int sm2 = call->operation == SM2_SIGN || call->operation == SM2_SIGN_NONCE || call->operation == SM2_VERIFY;
    switch (cell == CELL_ENTROPY ? COLUMN_NONE : operation_info[call->operation].in[cell]) {
    case COLUMN_POINT:
        return width == 1 + length || width == 2 * length || width == 1 + 2 * length;
    case COLUMN_PRIVATE_KEY:
    case COLUMN_NONCE:
    case COLUMN_SCALAR:
        return width == length;
    case COLUMN_DIGEST:
        return sm2 ? width == 32 : width >= 20 && width <= 64;
    case COLUMN_SIGNATURE:
        return call->flags & GECC_DER ? width >= 8 && width <= gecc_der_bytes(call->curve) : width == 2 * length;
    case COLUMN_RECOVERY_ID:
        return width == 1;
    case COLUMN_ID:
        return width <= 8191;
    case COLUMN_RESIDUE:
        return width == call->modulus.bytes;
    case COLUMN_NONE:
        return width == 32;
    default:
        return 1;
    }
}

static void place_column(struct column_memory *column, const struct call *call, const struct row *rows, size_t count,
                         int cell, struct prng *shape) {
    int one_width = cell < 3 && operation_info[call->operation].in[cell] == COLUMN_EXPONENT;
    size_t widest = 0, equal = 1;
    for (size_t i = 0; i < count; i++) {
        uint32_t width = rows[i].in[cell].width;
        widest = width > widest ? width : widest;
        equal &= width == rows[0].in[cell].width;
    }
    REQUIRE(equal || !one_width);
    if (choose(shape, 2)) {
        place_scattered(column, rows, count, cell, shape);
    } else if (equal && count && choose(shape, 2) && same_cells(rows, count, cell)) {
        place_strided(column, rows, 1, cell, 0, choose(shape, 8));
    } else {
        place_strided(column, rows, count, cell, widest + choose(shape, 20), choose(shape, 8));
    }
    if (one_width || (equal && count && width_is_right(call, cell, widest) && choose(shape, 2))) {
        column->rows.width = count ? widest : 1;
        return;
    }
    column->widths = memory_new(count, sizeof *column->widths);
    for (size_t i = 0; i < count; i++) {
        column->widths[i] = rows[i].in[cell].width;
    }
    column->rows.widths = column->widths;
    column->rows.width = IGNORED_NUMBER;
}

/* An input column and the output in one memory: the same address and stride. */
static void place_aliased(struct batch *batch, const struct row *rows, int cell, size_t out_width) {
    struct column_memory *column = &batch->in[cell];
    size_t widest = out_width;
    column->widths = memory_new(batch->count, sizeof *column->widths);
    for (size_t i = 0; i < batch->count; i++) {
        column->widths[i] = rows[i].in[cell].width;
        widest = column->widths[i] > widest ? column->widths[i] : widest;
    }
    batch->out = guarded_new(batch->count, widest, 3, 1);
    for (size_t i = 0; i < batch->count; i++) {
        memcpy(batch->out.start + i * batch->out.stride, rows[i].in[cell].data, column->widths[i]);
    }
    column->rows = (gecc_rows){batch->out.start, batch->out.stride, IGNORED_NUMBER, column->widths, NULL};
    if (operation_info[batch->call.operation].in[cell] == COLUMN_EXPONENT) {
        column->rows.width = column->widths[0];
        column->rows.widths = NULL;
    }
}

struct batch *batch_new(const struct call *call, const struct row *rows, size_t count, struct prng *shape, int alias) {
    struct batch *batch = memory_new(1, sizeof *batch);
    batch->call = *call;
    batch->count = count;
    batch->alias = alias;
    size_t out_width = call_output_bytes(call);
    for (int cell = 0; cell < CELLS; cell++) {
        int used = cell < 3 && operation_info[call->operation].in[cell] != COLUMN_NONE;
        if (cell == alias) {
            place_aliased(batch, rows, cell, out_width);
        } else if (count ? rows[0].in[cell].data != NULL : used) {
            place_column(&batch->in[cell], call, rows, count, cell, shape);
        }
    }
    if (alias == ALIAS_NONE) {
        batch->out = guarded_new(count, out_width, choose(shape, 20), choose(shape, 8));
    }
    batch->status = guarded_new(count, 1, 0, choose(shape, 8));
    batch->recovery_id = guarded_new(count, 1, 0, choose(shape, 8));
    batch->widths = guarded_new(count, sizeof(uint32_t), 0, 0);
    return batch;
}

gecc_result batch_call(struct batch *batch, gecc_context *context, gecc_job **job) {
    const struct call *call = &batch->call;
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = call->flags;
    options.hash = call->operation == DIGEST ? GECC_HASH_DEFAULT : call->hash;
    options.point_format = call->point_format;
    options.entropy = batch->in[CELL_ENTROPY].rows;
    options.job = job;
    gecc_out out = {batch->out.start, batch->out.stride, NULL};
    if (call->flags & GECC_DER) {
        out.widths = (uint32_t *)(void *)batch->widths.start;
    }
    gecc_rows a = batch->in[0].rows, b = batch->in[1].rows, c = batch->in[2].rows;
    uint8_t *status = batch->status.start, *id = batch->recovery_id.start;
    size_t n = batch->count;
    gecc_curve curve = call->curve;
    gecc_modulus m = call->modulus;
    switch (call->operation) {
    case EC_VALIDATE:
        return gecc_ec_validate(context, curve, status, a, n, &options);
    case EC_CONVERT:
        return gecc_ec_convert(context, curve, out, status, a, n, &options);
    case EC_ADD:
        return gecc_ec_add(context, curve, out, status, a, b, n, &options);
    case EC_DOUBLE:
        return gecc_ec_double(context, curve, out, status, a, n, &options);
    case EC_PUBLIC_KEY:
        return gecc_ec_public_key(context, curve, out, status, a, n, &options);
    case EC_MUL_BASE:
        return gecc_ec_mul_base(context, curve, out, status, a, n, &options);
    case EC_MUL:
        return gecc_ec_mul(context, curve, out, status, a, b, n, &options);
    case EC_MUL_ADD:
        return gecc_ec_mul_add(context, curve, out, status, a, b, c, n, &options);
    case ECDH:
        return gecc_ecdh(context, curve, out, status, a, b, n, &options);
    case ECDSA_SIGN:
        return gecc_ecdsa_sign(context, curve, out, id, status, a, b, n, &options);
    case ECDSA_SIGN_NONCE:
        return gecc_ecdsa_sign_with_dangerous_nonce(context, curve, out, id, status, a, b, c, n, &options);
    case ECDSA_VERIFY:
        return gecc_ecdsa_verify(context, curve, status, a, b, c, n, &options);
    case ECDSA_RECOVER:
        return gecc_ecdsa_recover(context, curve, out, status, a, b, c, n, &options);
    case SM2_DIGEST:
        return gecc_sm2_digest(context, out, status, a, b, c, n, &options);
    case SM2_SIGN:
        return gecc_sm2_sign(context, out, status, a, b, n, &options);
    case SM2_SIGN_NONCE:
        return gecc_sm2_sign_with_dangerous_nonce(context, out, status, a, b, c, n, &options);
    case SM2_VERIFY:
        return gecc_sm2_verify(context, status, a, b, c, n, &options);
    case MOD_ADD:
        return gecc_mod_add(context, m, out, status, a, b, n, &options);
    case MOD_SUB:
        return gecc_mod_sub(context, m, out, status, a, b, n, &options);
    case MOD_MUL:
        return gecc_mod_mul(context, m, out, status, a, b, n, &options);
    case MOD_SQUARE:
        return gecc_mod_square(context, m, out, status, a, n, &options);
    case MOD_INVERSE:
        return gecc_mod_inverse(context, m, out, status, a, n, &options);
    case MOD_POWER:
        return gecc_mod_power(context, m, out, status, a, b, n, &options);
    case DIGEST:
        return gecc_digest(context, call->hash, out, status, a, n, &options);
    default:
        return GECC_ERROR_ARGUMENT;
    }
}

void batch_outcomes(const struct batch *batch, struct outcome *outcomes) {
    size_t out_width = call_output_bytes(&batch->call);
    int der = operation_info[batch->call.operation].out == OUTPUT_SIGNATURE && (batch->call.flags & GECC_DER);
    guarded_check(&batch->out);
    guarded_check(&batch->status);
    guarded_check(&batch->recovery_id);
    guarded_check(&batch->widths);
    REQUIRE(out_width <= OUTCOME_BYTES);
    for (size_t i = 0; i < batch->count; i++) {
        struct outcome *outcome = &outcomes[i];
        *outcome = (struct outcome){.status = batch->status.start[i], .width = (uint32_t)out_width};
        if (call_has_recovery_id(&batch->call)) {
            outcome->recovery_id = batch->recovery_id.start[i];
        }
        if (der && outcome->status == GECC_ITEM_OK) {
            memcpy(&outcome->width, batch->widths.start + i * sizeof(uint32_t), sizeof(uint32_t));
            REQUIRE(outcome->width <= out_width);
        }
        memcpy(outcome->out, batch->out.start + i * batch->out.stride, outcome->width);
    }
}

void batch_free(struct batch *batch) {
    for (int cell = 0; cell < CELLS; cell++) {
        free(batch->in[cell].memory);
        free(batch->in[cell].widths);
        free(batch->in[cell].offsets);
    }
    free(batch->out.memory);
    free(batch->status.memory);
    free(batch->recovery_id.memory);
    free(batch->widths.memory);
    free(batch);
}
