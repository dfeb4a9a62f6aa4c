#include <gecc/digest.h>

#include "api/call.h"

gecc_result gecc_digest(gecc_context *context, gecc_hash hash, gecc_out digest, gecc_out status, gecc_rows message,
                        size_t count, const gecc_options *options) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.hash = hash;
    return gecc_call(context, OPERATION_DIGEST, &parameters, &digest, status, &message, count, options);
}
