#include <gecc/digest.h>

#include "api/call.h"

gecc_result gecc_digest(gecc_context *context, gecc_hash hash, gecc_out digest, uint8_t *status, gecc_rows message,
                        size_t count, const gecc_options *options) {
    struct call call = gecc_call_begin(context, OPERATION_DIGEST, status, count, options);
    gecc_call_hash(&call, hash);
    gecc_call_in(&call, COLUMN_MESSAGE, message);
    gecc_call_out(&call, COLUMN_HASH, digest);
    return gecc_call_run(&call);
}
