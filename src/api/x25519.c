#include <gecc/x25519.h>

#include "api/call.h"

gecc_result gecc_x25519_public_key(gecc_context *context, gecc_out public_key, gecc_out status, gecc_rows private_key,
                                   size_t count, const gecc_options *options) {
    return gecc_call_curve(context, OPERATION_X25519_PUBLIC_KEY, GECC_CURVE25519, &public_key, status, &private_key,
                           count, options);
}

gecc_result gecc_x25519(gecc_context *context, gecc_out shared, gecc_out status, gecc_rows private_key, gecc_rows peer,
                        size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {private_key, peer};
    return gecc_call_curve(context, OPERATION_X25519, GECC_CURVE25519, &shared, status, inputs, count, options);
}
