/* Authorities (CAs) that certificates name as their issuers: certificates of a set that is trusted, and certificates
 * that these vouch for. */
#ifndef TOOL_AUTHORITIES_H
#define TOOL_AUTHORITIES_H

#include "keys/certificate_terms.h"
#include "keys/signed.h"

enum {
    FINGERPRINT_DIGITS = 64,       /* of a certificate's SHA-256 */
    CANDIDATES_MOST = 64,          /* authorities that vouch for others and are tried as a certificate's issuer */
    AUTHORITIES_MOST = 1 << 13,    /* certificates of authorities in an input */
    AUTHORITY_BYTES_MOST = 1 << 16 /* of one of these */
};

/* A list of certificates that are revoked. */
struct revocations {
    uint8_t *bytes; /* that it lies in */
    struct certificate list;
    struct certificate_terms terms;
    struct certificate_part *serials; /* in order */
    size_t count;
    const char *refusal; /* why it is of no use; NULL: some authority has signed it */
};

struct authority {
    uint8_t *bytes; /* that it lies in */
    size_t size;
    size_t number;   /* in the order in which they were read */
    bool is_trusted; /* one of the set */
    bool is_revoked; /* by the list of another authority */
    bool is_limited; /* OpenSSL's trusted certificate, which says that it is not for all uses */
    struct certificate certificate;
    struct certificate_terms terms;
    struct key_file key; /* count 0: none that can be used */
    char fingerprint[FINGERPRINT_DIGITS + 1];
    char *name; /* of its subject, as certificate_name has it */
    enum verdict verdict;
    const char
        *reason;    /* why nothing is valid under it; NULL: it is trusted, or a chain leads from it to one that is */
    bool may_vouch; /* not of the set, and a chain that leads to it would be all that is missing */
    int allowance;  /* how many more authorities that are not self-issued may stand below it; -1: no chain */
    bool is_fresh;  /* its allowance or its lists have changed */
    bool is_stale;  /* so has one of its issuers */
    uint32_t tried[CANDIDATES_MOST]; /* its own issuers whose keys were tried */
    unsigned tried_count;
    uint64_t signers; /* bits of those of tried that signed it */
    bool has_untried; /* there are more that vouch for others */
    size_t *lists;    /* numbers of the lists that it has signed */
    size_t list_count;
};

struct authorities {
    struct authority *all; /* sealed: by name, of one name those that vouch for others first, and those of the set */
    size_t count, capacity;
    size_t added;    /* so far, copies too */
    size_t gathered; /* of an input, since copies were dropped last */
    size_t too_long; /* of an input, that were passed over */
    struct revocations *lists;
    size_t list_count;
    bool has_at, wants_lists;
    int64_t at;   /* when all has to hold, if has_at */
    size_t depth; /* how many authorities that are not of the set may stand between it and a certificate */
    struct signed_rules rules;
};

/* Read the certificates of a set, in PEM or DER. NULL, or why not. */
const char *authorities_decode(struct authorities *set, const uint8_t *bytes, size_t size);
/* Add one that is of the set or an input, as the last, without its key. NULL, or why not. */
const char *authorities_add(struct authorities *set, const uint8_t *bytes, size_t size, bool is_trusted);
/* Add one that is not of the set, if it is an authority's, from an input. NULL, or why not. */
const char *authorities_gather(struct authorities *set, const uint8_t *bytes, size_t size);
/* Read lists of revoked certificates, in PEM or DER. NULL, or why not. */
const char *authorities_decode_lists(struct authorities *set, const uint8_t *bytes, size_t size);

/* The same of files. false: writes why not. */
bool authorities_read(struct authorities *set, const char *path, char *error, size_t size);
bool authorities_read_lists(struct authorities *set, const char *path, char *error, size_t size);

/* No more of them: find who vouches for whom, and who has signed which list. NULL, or why not. */
const char *authorities_seal(struct authorities *set);

/* Lists, and authorities of the set, that are not used, each with its reason, on standard error. */
void authorities_say(const struct authorities *set);

/* Whose keys may have signed a certificate. */
struct choice_of_issuers {
    const struct authority *found[CANDIDATES_MOST];
    size_t count;         /* 0: it has the verdict, for the reason; else the verdict is that of its signature */
    enum verdict verdict; /* VERDICT_NO_KEY: its issuer is not there */
    const char *reason;
};
void authorities_choose(struct choice_of_issuers *choice, const struct authorities *set,
                        const struct certificate *certificate, const struct certificate_terms *terms);

void authorities_free(struct authorities *set);

#endif
