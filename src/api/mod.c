#include <gecc/mod.h>

#include "api/call.h"

/* out = operation(a). */
static gecc_result unary(gecc_context *context, enum operation operation, gecc_modulus modulus, gecc_out out,
                         uint8_t *status, gecc_rows a, size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, operation, status, count, options);
    gecc_call_modulus(&call, modulus);
    gecc_call_in(&call, COLUMN_RESIDUE, a);
    gecc_call_out(&call, COLUMN_RESIDUE, out);
    return gecc_call_run(&call);
}

/* out = operation(a, b), b a column of the given kind. */
static gecc_result binary(gecc_context *context, enum operation operation, gecc_modulus modulus, gecc_out out,
                          uint8_t *status, gecc_rows a, enum column kind, gecc_rows b, size_t count,
                          const gecc_options *options) {
    struct call call = gecc_call_begin(context, operation, status, count, options);
    gecc_call_modulus(&call, modulus);
    gecc_call_in(&call, COLUMN_RESIDUE, a);
    gecc_call_in(&call, kind, b);
    gecc_call_out(&call, COLUMN_RESIDUE, out);
    return gecc_call_run(&call);
}

gecc_result gecc_mod_add(gecc_context *context, gecc_modulus modulus, gecc_out out, uint8_t *status, gecc_rows a,
                         gecc_rows b, size_t count, const gecc_options *options) {
    return binary(context, OPERATION_MOD_ADD, modulus, out, status, a, COLUMN_RESIDUE, b, count, options);
}

gecc_result gecc_mod_sub(gecc_context *context, gecc_modulus modulus, gecc_out out, uint8_t *status, gecc_rows a,
                         gecc_rows b, size_t count, const gecc_options *options) {
    return binary(context, OPERATION_MOD_SUB, modulus, out, status, a, COLUMN_RESIDUE, b, count, options);
}

gecc_result gecc_mod_mul(gecc_context *context, gecc_modulus modulus, gecc_out out, uint8_t *status, gecc_rows a,
                         gecc_rows b, size_t count, const gecc_options *options) {
    return binary(context, OPERATION_MOD_MUL, modulus, out, status, a, COLUMN_RESIDUE, b, count, options);
}

gecc_result gecc_mod_square(gecc_context *context, gecc_modulus modulus, gecc_out out, uint8_t *status, gecc_rows a,
                            size_t count, const gecc_options *options) {
    return unary(context, OPERATION_MOD_SQUARE, modulus, out, status, a, count, options);
}

gecc_result gecc_mod_inverse(gecc_context *context, gecc_modulus modulus, gecc_out out, uint8_t *status, gecc_rows a,
                             size_t count, const gecc_options *options) {
    return unary(context, OPERATION_MOD_INVERSE, modulus, out, status, a, count, options);
}

gecc_result gecc_mod_power(gecc_context *context, gecc_modulus modulus, gecc_out out, uint8_t *status, gecc_rows a,
                           gecc_rows exponent, size_t count, const gecc_options *options) {
    return binary(context, OPERATION_MOD_POWER, modulus, out, status, a, COLUMN_EXPONENT, exponent, count, options);
}
