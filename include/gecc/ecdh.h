/* Elliptic-curve Diffie-Hellman (SP 800-56A, 5.7.1.2; SEC 1, 3.3.1). Conventions: gecc/context.h. */
#ifndef GECC_ECDH_H
#define GECC_ECDH_H

#include <gecc/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* shared = the x coordinate of private_key * peer, L bytes, not hashed. private_key: L bytes, 1 <= private_key < n, else
 * MALFORMED_SCALAR; secret, constant time. peer: a public point, validated. */
GECC_CALL gecc_result gecc_ecdh(gecc_context *context, gecc_curve curve, gecc_out shared, gecc_out status,
                                gecc_rows private_key, gecc_rows peer, size_t count, const gecc_options *options);

#ifdef __cplusplus
}
#endif
#endif
