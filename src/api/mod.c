#include <gecc/mod.h>

#include "api/call.h"

/* An operation that a modulus selects, on one column or two. */
static gecc_result call(gecc_context *context, enum operation operation, gecc_modulus modulus, gecc_out out,
                        gecc_out status, const gecc_rows *inputs, size_t count, const gecc_options *options) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.modulus = modulus;
    return gecc_call(context, operation, &parameters, &out, status, inputs, count, options);
}

gecc_result gecc_mod_add(gecc_context *context, gecc_modulus modulus, gecc_out out, gecc_out status, gecc_rows a,
                         gecc_rows b, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {a, b};
    return call(context, OPERATION_MOD_ADD, modulus, out, status, inputs, count, options);
}

gecc_result gecc_mod_sub(gecc_context *context, gecc_modulus modulus, gecc_out out, gecc_out status, gecc_rows a,
                         gecc_rows b, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {a, b};
    return call(context, OPERATION_MOD_SUB, modulus, out, status, inputs, count, options);
}

gecc_result gecc_mod_mul(gecc_context *context, gecc_modulus modulus, gecc_out out, gecc_out status, gecc_rows a,
                         gecc_rows b, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {a, b};
    return call(context, OPERATION_MOD_MUL, modulus, out, status, inputs, count, options);
}

gecc_result gecc_mod_square(gecc_context *context, gecc_modulus modulus, gecc_out out, gecc_out status, gecc_rows a,
                            size_t count, const gecc_options *options) {
    return call(context, OPERATION_MOD_SQUARE, modulus, out, status, &a, count, options);
}

gecc_result gecc_mod_inverse(gecc_context *context, gecc_modulus modulus, gecc_out out, gecc_out status, gecc_rows a,
                             size_t count, const gecc_options *options) {
    return call(context, OPERATION_MOD_INVERSE, modulus, out, status, &a, count, options);
}

gecc_result gecc_mod_power(gecc_context *context, gecc_modulus modulus, gecc_out out, gecc_out status, gecc_rows a,
                           gecc_rows exponent, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {a, exponent};
    return call(context, OPERATION_MOD_POWER, modulus, out, status, inputs, count, options);
}
