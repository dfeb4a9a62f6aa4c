/* Hashes of many messages. Conventions: gecc/context.h. */
#ifndef GECC_DIGEST_H
#define GECC_DIGEST_H

#include <gecc/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* digest = hash(message), gecc_hash_bytes(hash) bytes a row. Messages of any width (usually rows with widths and
 * offsets). Every row reads OK. Timing depends on the widths alone. */
GECC_CALL gecc_result gecc_digest(gecc_context *context, gecc_hash hash, gecc_out digest, gecc_out status,
                                  gecc_rows message, size_t count, const gecc_options *options);

#ifdef __cplusplus
}
#endif
#endif
