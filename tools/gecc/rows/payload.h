/* The claims of tokens (RFC 7519) that options are about. */
#ifndef TOOL_PAYLOAD_H
#define TOOL_PAYLOAD_H

#include "command_line/options.h"
#include "text/json.h"

/* The members of a payload that are looked at (RFC 7519, 4.1; RFC 7800, 3.1; RFC 9901, 4.3), as they stand in it. */
enum claim {
    CLAIM_ISSUER,
    CLAIM_AUDIENCE,
    CLAIM_EXPIRES,
    CLAIM_NOT_BEFORE,
    CLAIMS_REGISTERED,
    CLAIM_CONFIRMATION = CLAIMS_REGISTERED,
    CLAIM_ISSUED_AT,
    CLAIM_NONCE,
    CLAIM_SD_HASH,
    CLAIMS
};
struct claims {
    bool is_object;
    unsigned count[CLAIMS];
    struct json_member at[CLAIMS];
};

void claims_read(struct claims *claims, const char *text, size_t size);

/* The verdict on the claims that the options ask for; *reason says why it is not VERDICT_GOOD. */
enum verdict claims_judge(const struct claims *claims, const struct options *options, const char **reason);

/* The same of exp and nbf alone. */
enum verdict claims_judge_dates(const struct claims *claims, const struct options *options, const char **reason);

/* NULL, or why the text is no set of claims: it is no JSON object, has a name twice, or a registered claim of another
 * type. */
const char *claims_refusal(const char *text, size_t size);

/* A NumericDate (RFC 7519, 2). false: the member is no number, not a finite one, or has more than 63 characters. */
bool claim_date(const struct json_member *member, double *date);

#endif
