/* Tokens and certificates, of which a command reads the cells of its rows: in a column of a table, or one after
 * another. */
#ifndef TOOL_DOCUMENTS_H
#define TOOL_DOCUMENTS_H

#include "rows/batch.h"
#include "text/json.h"

/* `open` of mappings: COLUMN_TOKEN is a token, of which the results `kid` and `iss` are kept; COLUMN_CERTIFICATE a
 * certificate in PEM, or in DER that is written in hexadecimal or base64, of which the results that the mapping has are
 * kept; COLUMN_EVENT an event of Nostr; COLUMN_CLAIMS claims in JSON, of which a token is made. */
void token_open(struct batch *batch, struct row *row, const struct cell *cells);
void certificate_open(struct batch *batch, struct row *row, const struct cell *cells);
void event_open(struct batch *batch, struct row *row, const struct cell *cells);
void claims_open(struct batch *batch, struct row *row, const struct cell *cells);
/* A token whose payload is not in it but in COLUMN_MSG_TEXT (RFC 7515, appendix F). */
void detached_open(struct batch *batch, struct row *row, const struct cell *cells);

/* `run` of the mapping of certificates that name their issuers: those not valid under the first authority that an
 * issuer's name may mean are tried under the others, and of SM2 with the other id of signers that named none. */
gecc_result certificates_run(struct task *task);

/* Find the certificates of authorities that the input has, before it is read for its rows, and seal the set. false:
 * writes why not. */
bool authorities_find_in_input(const struct mapping *mapping, const struct options *options, char *error, size_t size);

/* `run` of the mapping of presentations of SD-JWT: the issuers' signatures and, of valid ones, the holders'. */
gecc_result presentations_run(struct task *task);

/* The alg of tokens that keys on the curve sign, and its hash; NULL: there is none. */
const char *token_algorithm(gecc_curve curve, gecc_hash *hash);

/* The first part of tokens that the options ask for, with its dot; malloc'ed. options->keys has the key alone, on a
 * curve for which there is an alg. NULL: no memory. */
char *token_header(const struct options *options);

/* The key goes to the column of row number i. NULL, or why there is no room. */
const char *document_key(struct batch *batch, enum column column, size_t i, const struct key_file *key);

/* Keep a text as the next piece of the row, the mapping's result of that number. */
void document_keep(struct batch *batch, struct row *row, size_t result, const char *text, size_t length);

#endif
