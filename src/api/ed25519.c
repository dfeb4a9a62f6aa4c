#include <gecc/ed25519.h>

#include "api/call.h"

gecc_result gecc_ed25519_public_key(gecc_context *context, gecc_out public_key, gecc_out status, gecc_rows seed,
                                    size_t count, const gecc_options *options) {
    return gecc_call_curve(context, OPERATION_ED25519_PUBLIC_KEY, GECC_CURVE25519, &public_key, status, &seed, count,
                           options);
}

gecc_result gecc_ed25519_sign(gecc_context *context, gecc_out signature, gecc_out status, gecc_rows seed,
                              gecc_rows message, gecc_rows ctx, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {seed, message, ctx};
    return gecc_call_curve(context, OPERATION_ED25519_SIGN, GECC_CURVE25519, &signature, status, inputs, count,
                           options);
}

gecc_result gecc_ed25519_verify(gecc_context *context, gecc_out status, gecc_rows public_key, gecc_rows message,
                                gecc_rows signature, gecc_rows ctx, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {public_key, message, signature, ctx};
    return gecc_call_curve(context, OPERATION_ED25519_VERIFY, GECC_CURVE25519, NULL, status, inputs, count, options);
}

gecc_result gecc_ed25519_verify_keys(gecc_context *context, gecc_keys *keys, gecc_out status, gecc_rows key,
                                     gecc_rows message, gecc_rows signature, gecc_rows ctx, size_t count,
                                     const gecc_options *options) {
    const gecc_rows inputs[] = {key, message, signature, ctx};
    return gecc_call_keys(context, OPERATION_ED25519_VERIFY_KEYS, keys, NULL, status, inputs, count, options);
}
