/* When and for which uses a certificate, or a list of revoked ones, holds, and how it names its issuer's key. */
#ifndef TOOL_CERTIFICATE_TERMS_H
#define TOOL_CERTIFICATE_TERMS_H

#include "keys/certificate.h"

#include <limits.h>

enum { PATH_UNLIMITED = INT_MAX };

struct certificate_terms {
    int64_t begins, ends; /* seconds from 1970 on; it holds at both. INT64_MAX: a list that does not say its end */
    bool is_ca;           /* basicConstraints; of version 1, which has no extensions, where it names itself as issuer */
    int path_length;      /* pathLenConstraint; PATH_UNLIMITED: it has none */
    bool signs_certificates, signs_lists; /* keyUsage, which allows all where there is none */
    bool self_issued;
    bool unknown_critical; /* an extension that has to be looked at, and is not here */
    /* Keys and certificates by which it is found, and by which it names its issuer; size 0: it does not say. */
    struct certificate_part key_id, issuer_key_id, issuer_serial;
    struct certificate_part issuer_issuer; /* the Name of who issued the issuer's certificate */
};

/* NULL, or why they cannot be read. */
const char *certificate_terms_read(struct certificate_terms *terms, const struct certificate *certificate);

/* Likewise of a list, of which serials[*count], to be freed, are the numbers that are revoked, in order. */
const char *certificate_list_terms_read(struct certificate_terms *terms, struct certificate_part **serials,
                                        size_t *count, const struct certificate *list);
bool is_revoked(struct certificate_part serial, const struct certificate_part *serials, size_t count);

#endif
