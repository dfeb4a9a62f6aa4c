/* Claims that are disclosed selectively (SD-JWT, RFC 9901): the issuer's token and its disclosures put together. */
#ifndef TOOL_SD_JWT_H
#define TOOL_SD_JWT_H

#include "text/arena.h"
#include "text/buffer.h"
#include "text/json_slice.h"

/* token~disclosure~...~disclosure~binding */
struct presentation {
    struct slice token, disclosures, binding; /* of the disclosures each has its ~ behind it; binding: may be empty */
    struct slice hashed;                      /* what sd_hash is of: all before the binding */
};

/* The hash by which a disclosure or a presentation is named, in base64url. */
enum { SD_DIGEST_CHARACTERS = 43 };
void sd_digest(char digest[SD_DIGEST_CHARACTERS + 1], const char *text, size_t length);

/* false: the text has no ~. */
bool presentation_split(struct presentation *presentation, const char *text, size_t length);

/* Put the processed payload (7.1, step 3) behind the text that `out` has: claims that are not disclosed are not there.
 * The arena is for intermediate texts. NULL, or why it is refused. */
const char *sd_jwt_process(struct buffer *out, struct arena *arena, const struct presentation *presentation,
                           const char *payload, size_t size);

#endif
