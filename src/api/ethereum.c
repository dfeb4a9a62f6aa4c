#include <gecc/ethereum.h>

#include "api/call.h"

gecc_result gecc_ethereum_address(gecc_context *context, gecc_out address, gecc_out status, gecc_rows public_key,
                                  size_t count, const gecc_options *options) {
    return gecc_call_curve(context, OPERATION_ETHEREUM_ADDRESS, GECC_SECP256K1, &address, status, &public_key, count,
                           options);
}

gecc_result gecc_ethereum_recover(gecc_context *context, gecc_out address, gecc_out status, gecc_rows digest,
                                  gecc_rows signature, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {digest, signature};
    return gecc_call_curve(context, OPERATION_ETHEREUM_RECOVER, GECC_SECP256K1, &address, status, inputs, count,
                           options);
}

gecc_result gecc_ethereum_recover_columns(gecc_context *context, gecc_out address, gecc_out status, gecc_rows digest,
                                          gecc_rows r, gecc_rows s, gecc_rows v, size_t count,
                                          const gecc_options *options) {
    const gecc_rows inputs[] = {digest, r, s, v};
    return gecc_call_curve(context, OPERATION_ETHEREUM_RECOVER_COLUMNS, GECC_SECP256K1, &address, status, inputs, count,
                           options);
}

gecc_result gecc_ethereum_recover_message(gecc_context *context, gecc_out address, gecc_out status, gecc_rows message,
                                          gecc_rows signature, size_t count, const gecc_options *options) {
    const gecc_rows inputs[] = {message, signature};
    return gecc_call_curve(context, OPERATION_ETHEREUM_RECOVER_MESSAGE, GECC_SECP256K1, &address, status, inputs, count,
                           options);
}
