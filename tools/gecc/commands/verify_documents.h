/* verify --jwt, --x509 and --nostr: rows that are tokens, certificates or events. */
#ifndef TOOL_VERIFY_DOCUMENTS_H
#define TOOL_VERIFY_DOCUMENTS_H

#include "rows/batch.h"

extern const struct mapping authorities_mapping, detached_mapping, jwt_mapping, sd_jwt_mapping, x509_mapping,
    nostr_mapping;

/* Why these options do not go with --jwt, --x509 or --nostr, one of which is given; NULL: they do. */
const char *documents_check(const struct options *options);
/* The same of sign --jwt. */
const char *claims_check(const struct options *options);

/* The operation of verify, for any of its rows. */
const gecc_operation *verify_operation(const struct options *options, const struct group *group);

#endif
