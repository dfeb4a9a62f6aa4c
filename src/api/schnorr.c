#include <gecc/schnorr.h>

#include "api/call.h"

gecc_result gecc_schnorr_public_key(gecc_context *context, gecc_out public_key, gecc_out status, gecc_rows private_key,
                                    size_t count, const gecc_options *options) {
    return gecc_call_curve(context, OPERATION_SCHNORR_PUBLIC_KEY, GECC_SECP256K1, &public_key, status, &private_key,
                           count, options);
}

gecc_result gecc_schnorr_sign(gecc_context *context, gecc_out signature, gecc_out status, gecc_rows private_key,
                              gecc_rows message, gecc_rows auxiliary, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {private_key, message, auxiliary};
    return gecc_call_curve(context, OPERATION_SCHNORR_SIGN, GECC_SECP256K1, &signature, status, inputs, count, options);
}

gecc_result gecc_schnorr_verify(gecc_context *context, gecc_out status, gecc_rows public_key, gecc_rows message,
                                gecc_rows signature, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {public_key, message, signature};
    return gecc_call_curve(context, OPERATION_SCHNORR_VERIFY, GECC_SECP256K1, NULL, status, inputs, count, options);
}

gecc_result gecc_schnorr_tweak_public_key(gecc_context *context, gecc_out tweaked, gecc_out parity, gecc_out status,
                                          gecc_rows public_key, gecc_rows merkle_root, size_t count,
                                          const gecc_options *options) {
    const gecc_rows inputs[] = {public_key, merkle_root};
    const gecc_out outputs[] = {tweaked, parity};
    return gecc_call_curve(context, OPERATION_SCHNORR_TWEAK_PUBLIC_KEY, GECC_SECP256K1, outputs, status, inputs, count,
                           options);
}

gecc_result gecc_schnorr_tweak_private_key(gecc_context *context, gecc_out tweaked, gecc_out status,
                                           gecc_rows private_key, gecc_rows merkle_root, size_t count,
                                           const gecc_options *options) {
    const gecc_rows inputs[] = {private_key, merkle_root};
    return gecc_call_curve(context, OPERATION_SCHNORR_TWEAK_PRIVATE_KEY, GECC_SECP256K1, &tweaked, status, inputs,
                           count, options);
}

gecc_result gecc_schnorr_verify_keys(gecc_context *context, gecc_keys *keys, gecc_out status, gecc_rows key,
                                     gecc_rows message, gecc_rows signature, size_t count,
                                     const gecc_options *options) {
    const gecc_rows inputs[] = {key, message, signature};
    return gecc_call_keys(context, OPERATION_SCHNORR_VERIFY_KEYS, keys, NULL, status, inputs, count, options);
}
