#include <gecc/ec.h>

#include "api/call.h"

gecc_result gecc_ec_validate(gecc_context *context, gecc_curve curve, gecc_out status, gecc_rows point, size_t count,
                             const gecc_options *options) {
    return gecc_call_curve(context, OPERATION_EC_VALIDATE, curve, NULL, status, &point, count, options);
}

gecc_result gecc_ec_convert(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status, gecc_rows point,
                            size_t count, const gecc_options *options) {
    return gecc_call_curve(context, OPERATION_EC_CONVERT, curve, &out, status, &point, count, options);
}

gecc_result gecc_ec_add(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status, gecc_rows a,
                        gecc_rows b, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {a, b};
    return gecc_call_curve(context, OPERATION_EC_ADD, curve, &out, status, inputs, count, options);
}

gecc_result gecc_ec_double(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status, gecc_rows point,
                           size_t count, const gecc_options *options) {
    return gecc_call_curve(context, OPERATION_EC_DOUBLE, curve, &out, status, &point, count, options);
}

gecc_result gecc_ec_public_key(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status,
                               gecc_rows private_key, size_t count, const gecc_options *options) {
    return gecc_call_curve(context, OPERATION_EC_PUBLIC_KEY, curve, &out, status, &private_key, count, options);
}

gecc_result gecc_ec_mul_base(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status, gecc_rows k,
                             size_t count, const gecc_options *options) {
    return gecc_call_curve(context, OPERATION_EC_MUL_BASE, curve, &out, status, &k, count, options);
}

gecc_result gecc_ec_mul(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status, gecc_rows k,
                        gecc_rows point, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {k, point};
    return gecc_call_curve(context, OPERATION_EC_MUL, curve, &out, status, inputs, count, options);
}

gecc_result gecc_ec_msm(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status, gecc_rows k,
                        gecc_rows point, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {k, point};
    return gecc_call_curve(context, OPERATION_EC_MSM, curve, &out, status, inputs, count, options);
}

gecc_result gecc_ec_mul_add(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status, gecc_rows u,
                            gecc_rows v, gecc_rows point, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {u, v, point};
    return gecc_call_curve(context, OPERATION_EC_MUL_ADD, curve, &out, status, inputs, count, options);
}

gecc_result gecc_ec_mul_add_keys(gecc_context *context, gecc_keys *keys, gecc_out out, gecc_out status, gecc_rows u,
                                 gecc_rows v, gecc_rows key, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {u, v, key};
    return gecc_call_keys(context, OPERATION_EC_MUL_ADD_KEYS, keys, &out, status, inputs, count, options);
}

gecc_result gecc_ecdh(gecc_context *context, gecc_curve curve, gecc_out shared, gecc_out status, gecc_rows private_key,
                      gecc_rows peer, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {private_key, peer};
    return gecc_call_curve(context, OPERATION_ECDH, curve, &shared, status, inputs, count, options);
}
