#include <gecc/ecdh.h>

#include "api/call.h"

gecc_result gecc_ecdh(gecc_context *context, gecc_curve curve, gecc_out shared, uint8_t *status, gecc_rows private_key,
                      gecc_rows peer, size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, OPERATION_ECDH, status, count, options);
    gecc_call_curve(&call, curve);
    gecc_call_in(&call, COLUMN_SCALAR, private_key);
    gecc_call_in(&call, COLUMN_POINT, peer);
    gecc_call_out(&call, COLUMN_SCALAR, shared);
    return gecc_call_run(&call);
}
