/* Tokens in JWS's compact form, of which a row may have more than one. */
#ifndef TOOL_TOKEN_H
#define TOOL_TOKEN_H

#include "rows/batch.h"
#include "rows/payload.h"
#include "text/json_slice.h"

struct algorithm {
    const char *name;
    gecc_curve curve;
    gecc_hash hash; /* GECC_HASH_DEFAULT: Ed25519, which signs messages as they are */
    const char *other_key, *other_width;
};

/* What a header says. */
struct header {
    const struct algorithm *algorithm; /* NULL: nothing */
    bool has_kid, is_binding;          /* its typ is kb+jwt */
    const char *kid;
    size_t kid_length;
    char *kid_copy; /* to be freed; NULL: it has no escapes to take away */
};

enum { HEADER, PAYLOAD, SIGNATURE, PARTS };

/* false: the text has not three parts with dots between them. */
bool token_split(const char *text, size_t length, struct slice parts[PARTS]);

/* The bytes of a part lie where nothing of the batch is yet. Padding is no part of it here. NULL, or `reason`, or why
 * there is no room for them. */
const char *token_decode(const struct batch *batch, size_t *count, struct slice part, const char *reason);

/* What a header in JSON says; its kid may lie in the text. NULL, or why it is refused. */
const char *token_header_read(const char *text, size_t size, struct header *header);

/* Algorithm 0, 1, ...; NULL past the last. */
const struct algorithm *token_algorithm_at(size_t index);

/* The results of the mapping that are kept. */
enum { KID, ISSUER, DISCLOSED, BINDING };

/* The signature's bytes, as many as the algorithm has, and the text that it signs go to two columns of row i. NULL, or
 * why not. */
const char *token_take(struct batch *batch, size_t i, const struct slice parts[PARTS],
                       const struct algorithm *algorithm, enum column message, enum column signature);

/* The token of a key's holder behind a presentation of a row whose other columns are there: put what is to be verified
 * of it in the batch, and keep its payload. The claims are those of the processed payload. NULL, or why it is refused;
 * *verdict says then whether as malformed or invalid. */
struct presentation;
const char *binding_take(struct batch *batch, struct row *row, const struct presentation *presentation,
                         const struct claims *claims, enum verdict *verdict);
/* A row that is not valid has disclosed nothing. */
void claims_forget(const struct batch *batch, const struct row *row);

#endif
