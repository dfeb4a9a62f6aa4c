#include "rows/payload.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void claims_read(struct claims *claims, const char *text, size_t size) {
    static const char *const names[CLAIMS] = {"iss", "aud", "exp", "nbf", "cnf", "iat", "nonce", "sd_hash"};
    struct json_walk walk;
    struct json_member member;
    *claims = (struct claims){.is_object = false};
    json_walk_init(&walk, text, size);
    while (json_walk_next(&walk, &member))
        for (unsigned c = 0; c < CLAIMS; c++)
            if (json_string_is(member.name, member.name_length, member.name_escaped, names[c])) {
                claims->at[c] = member;
                claims->count[c]++;
            }
    claims->is_object = !walk.reason && (!walk.doubtful || json_is_valid(text, size));
}

bool claim_date(const struct json_member *member, double *date) {
    char text[64] = "";
    const bool good = member->type == JSON_NUMBER_VALUE && member->value_length < sizeof text;
    memcpy(text, member->value, good ? member->value_length : 0);
    *date = strtod(text, NULL);
    return good && isfinite(*date);
}

/* Is the text the value, or an element of the array that is the value? */
static bool has_text(const struct json_member *member, const char *text) {
    struct json_walk walk;
    struct json_member element;
    bool has = false;
    if (member->type == JSON_STRING_VALUE)
        return json_string_is(member->value, member->value_length, member->value_escaped, text);
    if (member->type != JSON_OTHER_VALUE || *member->value != '[')
        return false;
    json_walk_init(&walk, member->value, member->value_length);
    while (json_walk_next_element(&walk, &element))
        has |= element.type == JSON_STRING_VALUE &&
               json_string_is(element.value, element.value_length, element.value_escaped, text);
    return has && !walk.reason;
}

enum verdict claims_judge_dates(const struct claims *claims, const struct options *options, const char **reason) {
    const bool has_expiry = claims->count[CLAIM_EXPIRES] != 0, has_start = claims->count[CLAIM_NOT_BEFORE] != 0;
    double expiry = 0, start = 0;
    *reason = NULL;
    if (!options->at_given)
        return VERDICT_GOOD;
    if (has_expiry && !claim_date(&claims->at[CLAIM_EXPIRES], &expiry))
        *reason = "exp is no number, or too large or long a one";
    else if (has_start && !claim_date(&claims->at[CLAIM_NOT_BEFORE], &start))
        *reason = "nbf is no number, or too large or long a one";
    if (*reason)
        return VERDICT_MALFORMED;
    if (has_expiry && !((double)options->at < expiry))
        *reason = "exp: it has expired";
    else if (has_start && (double)options->at < start)
        *reason = "nbf: its time has not come";
    return *reason ? VERDICT_INVALID : VERDICT_GOOD;
}

enum verdict claims_judge(const struct claims *claims, const struct options *options, const char **reason) {
    bool twice = false;
    *reason = NULL;
    const char *audience = options->sd_jwt ? NULL : options->audience; /* it is asked of the holder's token */
    if (!options->at_given && !options->issuer && !audience)
        return VERDICT_GOOD;
    for (unsigned c = 0; c < CLAIMS_REGISTERED; c++)
        twice |= claims->count[c] > 1;
    if (!claims->is_object || twice) {
        *reason = twice ? "a claim twice in the payload" : "the payload is not a JSON object";
        return VERDICT_MALFORMED;
    }
    const enum verdict verdict = claims_judge_dates(claims, options, reason);
    if (verdict != VERDICT_GOOD)
        return verdict;
    if (options->issuer && !(claims->at[CLAIM_ISSUER].type == JSON_STRING_VALUE && claims->count[CLAIM_ISSUER] &&
                             has_text(&claims->at[CLAIM_ISSUER], options->issuer)))
        *reason = "iss is not what --issuer says";
    else if (audience && !(claims->count[CLAIM_AUDIENCE] && has_text(&claims->at[CLAIM_AUDIENCE], audience)))
        *reason = "aud has not what --audience says";
    return *reason ? VERDICT_INVALID : VERDICT_GOOD;
}
