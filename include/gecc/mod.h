/* Arithmetic modulo one odd number per batch, not necessarily prime. Conventions: gecc/context.h.
 *
 * modulus: `bytes` bytes, big-endian, odd and at least 3; bytes from 16 to 64 in steps of 4 (128 to 512 bits), leading
 * zeros allowed. Public. Operands have `bytes` bytes, any value (they are taken modulo the modulus), and are treated as
 * secret: constant time for a given modulus and width. Results are less than the modulus, `bytes` bytes a row. */
#ifndef GECC_MOD_H
#define GECC_MOD_H

#include <gecc/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/* out = a + b mod m. */
GECC_CALL gecc_result gecc_mod_add(gecc_context *context, gecc_modulus modulus, gecc_out out, gecc_out status,
                                   gecc_rows a, gecc_rows b, size_t count, const gecc_options *options);
/* out = a - b mod m. */
GECC_CALL gecc_result gecc_mod_sub(gecc_context *context, gecc_modulus modulus, gecc_out out, gecc_out status,
                                   gecc_rows a, gecc_rows b, size_t count, const gecc_options *options);
/* out = a * b mod m. */
GECC_CALL gecc_result gecc_mod_mul(gecc_context *context, gecc_modulus modulus, gecc_out out, gecc_out status,
                                   gecc_rows a, gecc_rows b, size_t count, const gecc_options *options);
/* out = a^2 mod m. */
GECC_CALL gecc_result gecc_mod_square(gecc_context *context, gecc_modulus modulus, gecc_out out, gecc_out status,
                                      gecc_rows a, size_t count, const gecc_options *options);
/* out = a^-1 mod m; INVALID where a and m have a common factor (a = 0 included). Timing tells whether the batch has
 * such a row, as its status does. */
GECC_CALL gecc_result gecc_mod_inverse(gecc_context *context, gecc_modulus modulus, gecc_out out, gecc_out status,
                                       gecc_rows a, size_t count, const gecc_options *options);
/* out = a^exponent mod m, 0^0 = 1. exponent: 1 to 64 bytes a row, all rows of one width, secret. */
GECC_CALL gecc_result gecc_mod_power(gecc_context *context, gecc_modulus modulus, gecc_out out, gecc_out status,
                                     gecc_rows a, gecc_rows exponent, size_t count, const gecc_options *options);

#ifdef __cplusplus
}
#endif
#endif
