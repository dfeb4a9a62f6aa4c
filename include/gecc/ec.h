/* Points of an elliptic curve, and Diffie-Hellman. Conventions: gecc/context.h. */
#ifndef GECC_EC_H
#define GECC_EC_H

#include <gecc/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Is each row the encoding of a point on the curve? OK or MALFORMED_*. Public data. */
GECC_CALL gecc_result gecc_ec_validate(gecc_context *context, gecc_curve curve, gecc_out status, gecc_rows point,
                                       size_t count, const gecc_options *options);

/* out = point, written in options->point_format: compresses, decompresses, adds or takes away the prefix. Public
 * data. */
GECC_CALL gecc_result gecc_ec_convert(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status,
                                      gecc_rows point, size_t count, const gecc_options *options);

/* out = a + b. INFINITY where b = -a. Public data. */
GECC_CALL gecc_result gecc_ec_add(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status, gecc_rows a,
                                  gecc_rows b, size_t count, const gecc_options *options);

/* out = 2 * point. Public data. */
GECC_CALL gecc_result gecc_ec_double(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status,
                                     gecc_rows point, size_t count, const gecc_options *options);

/* out = private_key * G. private_key: L bytes, 1 <= private_key < n, on SM2 < n - 1 (GM/T 0003), else MALFORMED_SCALAR.
 * Secret, constant time. */
GECC_CALL gecc_result gecc_ec_public_key(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status,
                                         gecc_rows private_key, size_t count, const gecc_options *options);

/* out = k * G. k: L bytes, any value, taken modulo n; INFINITY where that is 0.
 * k is secret (constant time) unless GECC_PUBLIC_SCALARS is set. */
GECC_CALL gecc_result gecc_ec_mul_base(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status,
                                       gecc_rows k, size_t count, const gecc_options *options);

/* out = k * point. k as above; the point is public. */
GECC_CALL gecc_result gecc_ec_mul(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status, gecc_rows k,
                                  gecc_rows point, size_t count, const gecc_options *options);

/* out = the sum of k_i * P_i over a group of terms (multi-scalar multiplication). A row is a group. Its row of k has
 * the scalars, L bytes each, one behind the other; its row of point has as many points, one behind the other, all in
 * one encoding, which the width of the row tells. Groups may differ in how many terms they have; the sum of none is
 * infinity. Scalars may have any value, and are taken modulo n.
 *
 * All is public: the time that it takes depends on scalars and points. INFINITY where the sum is that. A group has the
 * status of its first term that is refused, and gecc_ec_validate says of each point what is wrong with it; it reads
 * MALFORMED_WIDTH where its row of k is not a number of scalars, or that of point not as many points. No group depends
 * on another one, nor on how many threads there are: those share the terms of a group.
 *
 * A thread takes up to 16 MB of memory for it on a curve of 256 bits, on wider ones up to 40, until the context is
 * closed. GPUs have no program for it: "cuda" returns GECC_ERROR_UNSUPPORTED; "auto" leaves it to the CPU, and returns
 * GECC_ERROR_UNSUPPORTED where a column lies in a GPU's memory. Where no thread for the background can be had,
 * as in a child of fork, a call with options.job returns when the job is done. */
GECC_CALL gecc_result gecc_ec_msm(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status, gecc_rows k,
                                  gecc_rows point, size_t count, const gecc_options *options);

/* out = u * G + v * point. u and v as k above. */
GECC_CALL gecc_result gecc_ec_mul_add(gecc_context *context, gecc_curve curve, gecc_out out, gecc_out status,
                                      gecc_rows u, gecc_rows v, gecc_rows point, size_t count,
                                      const gecc_options *options);

/* out = u * G + v * key, for keys that are prepared: key has 4 bytes a row, a number of `keys` (gecc/keys.h). u and v
 * are public. */
GECC_CALL gecc_result gecc_ec_mul_add_keys(gecc_context *context, gecc_keys *keys, gecc_out out, gecc_out status,
                                           gecc_rows u, gecc_rows v, gecc_rows key, size_t count,
                                           const gecc_options *options);

/* Diffie-Hellman (SP 800-56A, 5.7.1.2; SEC 1, 3.3.1): shared = the x coordinate of private_key * peer, L bytes, not
 * hashed. private_key: as for gecc_ec_public_key. peer: a public point, validated. */
GECC_CALL gecc_result gecc_ecdh(gecc_context *context, gecc_curve curve, gecc_out shared, gecc_out status,
                                gecc_rows private_key, gecc_rows peer, size_t count, const gecc_options *options);

#ifdef __cplusplus
}
#endif
#endif
