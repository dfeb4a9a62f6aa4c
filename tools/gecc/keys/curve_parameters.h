/* Curves that keys describe by numbers instead of naming them (RFC 3279, 2.3.5; SEC 1, C.2). */
#ifndef TOOL_CURVE_PARAMETERS_H
#define TOOL_CURVE_PARAMETERS_H

#include "keys/der.h"

#include <gecc/gecc.h>

/* Of a SubjectPublicKeyInfo whose parameters are explicit the curve of the library that has this prime, a, b, order and
 * generator, and the cofactor 1 where one is given; 0 where it names its curve or is of another kind of key. NULL, or
 * why it is refused: the parameters are those of no such curve. */
extern const char explicit_of_no_curve[];
const char *explicit_curve(gecc_curve *curve, struct der spki);

#endif
