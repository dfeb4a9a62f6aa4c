#include <gecc/ecdh.h>

#include "api/call.h"

gecc_result gecc_ecdh(gecc_context *context, gecc_curve curve, gecc_out shared, gecc_out status, gecc_rows private_key,
                      gecc_rows peer, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {private_key, peer};
    return gecc_call_curve(context, OPERATION_ECDH, curve, &shared, status, inputs, count, options);
}
