/* Certificates under the authority that each names. */
#ifndef TOOL_ISSUERS_H
#define TOOL_ISSUERS_H

#include "rows/documents.h"

/* The results of the mapping that are kept; without a set of authorities the first two. */
enum { CERTIFICATE_SUBJECT, CERTIFICATE_SERIAL, CERTIFICATE_ISSUER, CERTIFICATE_FINGERPRINT, CERTIFICATE_SIGNER };

/* Keep a name (NULL: it cannot be read) as the result of a certificate of `size` bytes. */
void certificate_keep_name(struct batch *batch, struct row *row, size_t result, const char *name, size_t size);

/* Keep what is known of its issuer, and find the one under whose key it is to be verified first. NULL: the row is
 * refused, in the name of the column. */
const struct authority *issuer_choose(struct batch *batch, struct row *row, const struct certificate *certificate,
                                      enum column column);

/* It is not valid under the one that was found. */
void issuer_forget(const struct batch *batch, const struct row *row);

#endif
