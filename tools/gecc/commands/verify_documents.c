#include "commands/verify_documents.h"
#include "rows/documents.h"
#include "rows/task.h"

/* What tokens and certificates say themselves, or have not. */
static bool says_more_than_records(const struct options *options) {
    return options->hash_given || options->scheme != options->public_key.scheme || options->columns ||
           options->required || options->encoding != ENCODING_HEX || options->sighash_byte || options->context ||
           options->prehash || options->signature_format != SIGNATURE_UNKNOWN ||
           (options->id && options->public_key.curve != GECC_SM2);
}

static const char not_with_documents[] = "--jwt and --x509 go without --hash, --scheme, --sig-format, --sighash-byte, "
                                         "--id, --ctx, --prehash, --encoding, --columns and --require";

const char *documents_check(const struct options *options) {
    if (options->jwt && options->x509)
        return "--jwt and --x509 exclude each other";
    if (options->keys.count)
        return options->x509                     ? "--keys goes with --jwt"
               : options->curve                  ? "--curve: each key of --keys says its own"
               : says_more_than_records(options) ? not_with_documents
                                                 : NULL;
    if (!options->public_key.count)
        return options->jwt ? "--jwt needs --pub-file or --keys" : "--x509 needs --issuer";
    if (options->public_key.scheme == SCHEME_X25519)
        return "X25519 has no signatures";
    if (options->accept && options->public_key.scheme != SCHEME_ED25519)
        return "--accept goes with keys of Ed25519";
    if (options->jwt && options->public_key.curve == GECC_SM2)
        return "--jwt: there are no tokens with SM2 signatures";
    if (options->format == FORMAT_RAW || options->output_format == FORMAT_RAW)
        return "--jwt and --x509: tables are csv or jsonl, not raw rows";
    return says_more_than_records(options) ? not_with_documents : NULL;
}

/* Of documents what verify needs of a row. */
enum { MADE_OF_DOCUMENTS = COLUMN_BIT(PUB) | COLUMN_BIT(MSG) | COLUMN_BIT(SIG) | COLUMN_BIT(ID) };

const struct mapping jwt_mapping = {
    .operation = verify_operation,
    .forms = {COLUMN_BIT(TOKEN)},
    .results = {{"kid", RESULT_KEPT, "the name of its key"}, {"iss", RESULT_KEPT, "who says to have issued it"}},
    .judges = true,
    .curve25519 = true,
    .curve_optional = true, /* the alg of a token says it */
    .open = token_open,
    .document = COLUMN_TOKEN,
    .made = MADE_OF_DOCUMENTS,
    .run = task_run};

const struct mapping x509_mapping = {
    .operation = verify_operation,
    .forms = {COLUMN_BIT(CERTIFICATE)},
    .results = {{"subject", RESULT_KEPT, "whose it is"}, {"serial", RESULT_KEPT, "its serial number"}},
    .judges = true,
    .curve25519 = true,
    .open = certificate_open,
    .document = COLUMN_CERTIFICATE,
    .made = MADE_OF_DOCUMENTS,
    .run = task_run};
