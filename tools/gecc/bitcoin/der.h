/* Signatures as Bitcoin read them before BIP 66: DER, and encodings close to it. */
#ifndef TOOL_BITCOIN_DER_H
#define TOOL_BITCOIN_DER_H

#include "bitcoin/transaction.h"

enum { STRICT_DER_BYTES = 72 };

/* Write r and s of such a signature as strict DER; if one is too wide, zeros, which no signature has. Returns the
 * bytes; 0: it is none. As ecdsa_signature_parse_der_lax of Bitcoin Core, which reads every signature of the chain. */
size_t bitcoin_der_strict(uint8_t out[STRICT_DER_BYTES], struct bytes lax);

#endif
