#include <gecc/ec.h>

#include "api/call.h"

gecc_result gecc_ec_validate(gecc_context *context, gecc_curve curve, uint8_t *status, gecc_rows point, size_t count,
                             const gecc_options *options) {
    struct call call = gecc_call_begin(context, OPERATION_EC_VALIDATE, status, count, options);
    gecc_call_curve(&call, curve);
    gecc_call_in(&call, COLUMN_POINT, point);
    return gecc_call_run(&call);
}

/* out = operation(point). */
static gecc_result point_to_point(gecc_context *context, enum operation operation, gecc_curve curve, gecc_out out,
                                  uint8_t *status, gecc_rows point, size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, operation, status, count, options);
    gecc_call_curve(&call, curve);
    gecc_call_in(&call, COLUMN_POINT, point);
    gecc_call_out(&call, COLUMN_POINT, out);
    return gecc_call_run(&call);
}

gecc_result gecc_ec_convert(gecc_context *context, gecc_curve curve, gecc_out out, uint8_t *status, gecc_rows point,
                            size_t count, const gecc_options *options) {
    return point_to_point(context, OPERATION_EC_CONVERT, curve, out, status, point, count, options);
}

gecc_result gecc_ec_double(gecc_context *context, gecc_curve curve, gecc_out out, uint8_t *status, gecc_rows point,
                           size_t count, const gecc_options *options) {
    return point_to_point(context, OPERATION_EC_DOUBLE, curve, out, status, point, count, options);
}

gecc_result gecc_ec_add(gecc_context *context, gecc_curve curve, gecc_out out, uint8_t *status, gecc_rows a,
                        gecc_rows b, size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, OPERATION_EC_ADD, status, count, options);
    gecc_call_curve(&call, curve);
    gecc_call_in(&call, COLUMN_POINT, a);
    gecc_call_in(&call, COLUMN_POINT, b);
    gecc_call_out(&call, COLUMN_POINT, out);
    return gecc_call_run(&call);
}

gecc_result gecc_ec_public_key(gecc_context *context, gecc_curve curve, gecc_out out, uint8_t *status,
                               gecc_rows private_key, size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, OPERATION_EC_PUBLIC_KEY, status, count, options);
    gecc_call_curve(&call, curve);
    gecc_call_in(&call, COLUMN_SCALAR, private_key);
    gecc_call_out(&call, COLUMN_POINT, out);
    return gecc_call_run(&call);
}

gecc_result gecc_ec_mul_base(gecc_context *context, gecc_curve curve, gecc_out out, uint8_t *status, gecc_rows k,
                             size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, OPERATION_EC_MUL_BASE, status, count, options);
    gecc_call_curve(&call, curve);
    gecc_call_flags(&call, GECC_PUBLIC_SCALARS);
    gecc_call_in(&call, COLUMN_SCALAR, k);
    gecc_call_out(&call, COLUMN_POINT, out);
    return gecc_call_run(&call);
}

gecc_result gecc_ec_mul(gecc_context *context, gecc_curve curve, gecc_out out, uint8_t *status, gecc_rows k,
                        gecc_rows point, size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, OPERATION_EC_MUL, status, count, options);
    gecc_call_curve(&call, curve);
    gecc_call_flags(&call, GECC_PUBLIC_SCALARS);
    gecc_call_in(&call, COLUMN_SCALAR, k);
    gecc_call_in(&call, COLUMN_POINT, point);
    gecc_call_out(&call, COLUMN_POINT, out);
    return gecc_call_run(&call);
}

gecc_result gecc_ec_mul_add(gecc_context *context, gecc_curve curve, gecc_out out, uint8_t *status, gecc_rows u,
                            gecc_rows v, gecc_rows point, size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, OPERATION_EC_MUL_ADD, status, count, options);
    gecc_call_curve(&call, curve);
    gecc_call_flags(&call, GECC_PUBLIC_SCALARS);
    gecc_call_in(&call, COLUMN_SCALAR, u);
    gecc_call_in(&call, COLUMN_SCALAR, v);
    gecc_call_in(&call, COLUMN_POINT, point);
    gecc_call_out(&call, COLUMN_POINT, out);
    return gecc_call_run(&call);
}
