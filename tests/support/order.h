/* The order of a curve's group, for files that have an arena of their own and so cannot include reference.h. */
#ifndef TESTS_SUPPORT_ORDER_H
#define TESTS_SUPPORT_ORDER_H

#include <gecc/gecc.h>
#include <openssl/bn.h>

/* As OpenSSL has it, to be freed. */
BIGNUM *order_of(gecc_curve curve);

#endif
