/* The lane programs of CURVE, whatever its form is, and its families for scheme/programs.h. */
#ifndef GECC_SCHEME_CURVE_PROGRAMS_H
#define GECC_SCHEME_CURVE_PROGRAMS_H

#ifdef CURVE_IS_EDWARDS

#include "scheme/edwards_keys.h"
#define PROGRAM_CURVE25519 PROGRAM

#else

#include "scheme/ecdsa.h"
#define PROGRAM_CURVE PROGRAM
#ifdef CURVE_HAS_SM2
#include "scheme/sm2.h"
#include "scheme/sm2_encryption.h"
#include "scheme/sm2_exchange.h"
#define PROGRAM_SM2 PROGRAM
#endif
#ifdef CURVE_HAS_SECP256K1
#include "scheme/ethereum.h"
#include "scheme/schnorr.h"
#define PROGRAM_SECP256K1 PROGRAM
#endif

#endif

#endif
