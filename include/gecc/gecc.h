/* Elliptic-curve cryptography in bulk: one include for all of gecc. Start at gecc/context.h. */
#ifndef GECC_GECC_H
#define GECC_GECC_H

#include <gecc/context.h>
#include <gecc/digest.h>
#include <gecc/ec.h>
#include <gecc/ecdsa.h>
#include <gecc/ed25519.h>
#include <gecc/ethereum.h>
#include <gecc/keys.h>
#include <gecc/languages.h>
#include <gecc/mod.h>
#include <gecc/operations.h>
#include <gecc/queue.h>
#include <gecc/schnorr.h>
#include <gecc/sm2.h>
#include <gecc/x25519.h>

#endif
