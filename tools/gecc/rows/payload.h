/* The claims of tokens (RFC 7519) that options are about. */
#ifndef TOOL_PAYLOAD_H
#define TOOL_PAYLOAD_H

#include "command_line/options.h"
#include "text/json.h"

/* The members of a payload that are looked at (RFC 7519, 4.1), as they stand in it. */
enum claim { CLAIM_ISSUER, CLAIM_AUDIENCE, CLAIM_EXPIRES, CLAIM_NOT_BEFORE, CLAIMS };
struct claims {
    bool is_object;
    unsigned count[CLAIMS];
    struct json_member at[CLAIMS];
};

void claims_read(struct claims *claims, const char *text, size_t size);

/* The verdict on the claims that the options ask for; *reason says why it is not VERDICT_GOOD. */
enum verdict claims_judge(const struct claims *claims, const struct options *options, const char **reason);

/* A NumericDate (RFC 7519, 2). false: the member is no number, not a finite one, or has more than 63 characters. */
bool claim_date(const struct json_member *member, double *date);

#endif
