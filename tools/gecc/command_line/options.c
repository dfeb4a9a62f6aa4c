#define _GNU_SOURCE /* strptime, timegm, explicit_bzero */

#include "command_line/options.h"
#include "files/magic.h"
#include "text/say.h"

#include "command_line/command.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* A decimal number from low to high. */
static bool number(size_t *out, const char *text, size_t low, size_t high) {
    size_t value = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        size_t digit = (size_t)(*text - '0');
        if (*text < '0' || *text > '9' || value > (SIZE_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *out = value;
    return value >= low && value <= high;
}

static bool named(int *out, const struct name *names, const char *text) {
    *out = name_find(names, text, strlen(text));
    return *out >= 0;
}

static bool set_curve(struct options *o, const char *text) {
    int value;
    return named(&value, names_of_curves, text) && (o->curve = (gecc_curve)value, true);
}
/* The one curve that a scheme is on; 0: there are several. */
static gecc_curve scheme_curve(enum scheme scheme) {
    switch (scheme) {
    case SCHEME_SM2:
        return GECC_SM2;
    case SCHEME_BIP340:
        return GECC_SECP256K1;
    case SCHEME_ED25519:
    case SCHEME_X25519:
        return GECC_CURVE25519;
    case SCHEME_OF_CURVE:
    case SCHEME_ECDSA:
        break;
    }
    return (gecc_curve)0;
}
/* A scheme that one curve has chooses it, unless another is asked for. */
static bool set_scheme(struct options *o, const char *text) {
    int value;
    if (!named(&value, names_of_schemes, text))
        return false;
    o->scheme = (enum scheme)value;
    if (!o->curve)
        o->curve = scheme_curve(o->scheme);
    return true;
}
static bool set_accept(struct options *o, const char *text) {
    int value;
    return named(&value, names_of_rules, text) && (o->accept = (uint32_t)value, true);
}
static bool set_hash(struct options *o, const char *text) {
    int value;
    return named(&value, names_of_hashes, text) && (o->hash = (gecc_hash)value, o->hash_given = true);
}
static bool set_format(struct options *o, const char *text) {
    int value;
    return named(&value, names_of_formats, text) && (o->format = (enum format)value, true);
}
static bool set_output_format(struct options *o, const char *text) {
    int value;
    return named(&value, names_of_formats, text) && (o->output_format = (enum format)value, true);
}
static bool set_jwk(struct options *o, const char *text) { return (void)text, o->output_format = FORMAT_JWK, true; }
static bool set_jwks(struct options *o, const char *text) { return (void)text, o->output_format = FORMAT_JWKS, true; }
static bool set_signature_format(struct options *o, const char *text) {
    int value;
    return named(&value, names_of_signature_formats, text) &&
           (o->signature_format = (enum signature_format)value, true);
}
static bool set_point_format(struct options *o, const char *text) {
    int value;
    return named(&value, names_of_point_formats, text) && (o->point_format = (gecc_point_format)value, true);
}
static bool set_ciphertext_format(struct options *o, const char *text) {
    int value;
    return named(&value, names_of_ciphertext_formats, text) && (o->ciphertext_format = (uint32_t)value, true);
}
static bool set_modular_operation(struct options *o, const char *text) {
    int value;
    return named(&value, names_of_modular_operations, text) &&
           (o->modular_operation = (enum modular_operation)value, true);
}
static bool set_backend(struct options *o, const char *text) {
    int value;
    return named(&value, names_of_backends, text) && (o->backend = name_of(names_of_backends, value), true);
}
static bool set_operation_filter(struct options *o, const char *text) { return *(o->operation_filter = text) != 0; }
static bool set_id(struct options *o, const char *text) { return strlen(o->id = text) <= 8191; }
static bool set_context_text(struct options *o, const char *text) { return strlen(o->context = text) <= 255; }
static bool set_prehash(struct options *o, const char *text) { return (void)text, o->prehash = true; }
static bool set_modulus(struct options *o, const char *text) { return *(o->modulus = text) != 0; }
static bool set_columns(struct options *o, const char *text) { return *(o->columns = text) != 0; }
/* Characters that need no quotation marks anywhere. */
static bool set_prefix(struct options *o, const char *text) {
    const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    size_t length = strspn(o->prefix = text, allowed);
    return length > 0 && length <= 32 && !text[length];
}
static bool set_keys(struct options *o, const char *text) { return *(o->keys_path = text) != 0; }
static bool set_public_key(struct options *o, const char *text) { return *(o->public_key_path = text) != 0; }
static bool set_private_key(struct options *o, const char *text) { return *(o->private_key_path = text) != 0; }
static bool set_password(struct options *o, const char *text) { return *(o->password_path = text) != 0; }
static bool set_encoding(struct options *o, const char *text) {
    int value;
    return named(&value, names_of_encodings, text) && (o->encoding = (enum encoding)value, true);
}
/* More than once: all of them. */
static bool set_map(struct options *o, const char *text) {
    const size_t used = strlen(o->maps), size = sizeof o->maps - used;
    o->map = o->maps;
    return *text != 0 && (size_t)snprintf(o->maps + used, size, used ? ",%s" : "%s", text) < size;
}
static bool set_allow_empty(struct options *o, const char *text) { return (void)text, o->allow_empty = true; }
static bool set_expect_rows(struct options *o, const char *text) {
    return o->expect_rows_given = number(&o->expect_rows, text, 0, SIZE_MAX / 16);
}
/* Names of columns with commas between them. */
static bool set_require(struct options *o, const char *text) {
    for (bool more = true; more; text++) {
        size_t length = strcspn(text, ",");
        const enum column c = column_named(text, length);
        if (c == COLUMN_COUNT)
            return false;
        o->required |= 1u << c;
        text += length;
        more = *text != 0;
    }
    return true;
}
/* Names of verdicts with commas between them. */
static bool set_only(struct options *o, const char *text) {
    for (o->only = 0;; text++) {
        size_t length = strcspn(text, ",");
        int verdict = name_find(names_of_verdicts, text, length);
        if (verdict < 0)
            return false;
        o->only |= 1u << verdict;
        text += length;
        if (!*text)
            return true;
    }
}
static bool set_output(struct options *o, const char *text) { return *(o->output = text) != 0; }
static bool set_threads(struct options *o, const char *text) {
    return o->threads_given = number(&o->threads, text, 0, 4096);
}
static bool set_bits(struct options *o, const char *text) {
    return number(&o->bits, text, 128, 512) && o->bits % 32 == 0;
}
static bool set_digest_bytes(struct options *o, const char *text) { return number(&o->digest_bytes, text, 1, 64); }
static bool set_message_bytes(struct options *o, const char *text) {
    return number(&o->message_bytes, text, 1, 1 << 16);
}
/* Bytes, or with K, M or G behind them 2^10, 2^20 or 2^30 times as many. */
static bool bytes(size_t *out, const char *text, size_t low, size_t high) {
    char digits[24];
    size_t length = strspn(text, "0123456789");
    const char *unit = strchr("KMG", text[length]);
    unsigned shift = text[length] == 0 || unit == NULL ? 0 : 10 * (unsigned)(unit - "KMG" + 1);
    if (length >= sizeof digits || unit == NULL || (shift != 0 && text[length + 1] != 0))
        return false;
    memcpy(digits, text, length);
    digits[length] = 0;
    if (!number(out, digits, 1, high >> shift))
        return false;
    *out <<= shift;
    return *out >= low;
}
static bool set_key_cache(struct options *o, const char *text) {
    return bytes(&o->key_cache, text, (size_t)1 << 20, (size_t)1 << 40);
}
static bool set_batch(struct options *o, const char *text) { return number(&o->batch, text, 1, 1 << 22); }
/* At most MAX_BATCHES numbers from 1 to high, with commas between them. */
static bool numbers(size_t *out, size_t *count, const char *text, size_t high) {
    char one[16];
    for (*count = 0; *count < MAX_BATCHES; text++) {
        size_t length = strcspn(text, ",");
        if (length >= sizeof one)
            return false;
        memcpy(one, text, length);
        one[length] = 0;
        if (!number(&out[(*count)++], one, 1, high))
            return false;
        text += length;
        if (*text == 0)
            return true;
    }
    return false;
}
static bool set_batches(struct options *o, const char *text) {
    return numbers(o->batches, &o->batch_count, text, 1 << 27);
}
static bool set_device_counts(struct options *o, const char *text) {
    return numbers(o->device_counts, &o->device_count_count, text, 64);
}
static bool set_device(struct options *o, const char *text) {
    return strcmp(o->device = text, "all") == 0 || (*text != 0 && text[strspn(text, "0123456789,")] == 0);
}
static bool set_count(struct options *o, const char *text) { return number(&o->count, text, 1, 1 << 22); }
static bool set_key_count(struct options *o, const char *text) { return number(&o->count, text, 1, SIZE_MAX / 16); }
/* The picture is SVG: a name that ends otherwise is refused. */
static bool set_plot(struct options *o, const char *text) {
    const size_t length = strlen(o->plot = text);
    return length > 4 && strcmp(text + length - 4, ".svg") == 0;
}
static bool set_runs(struct options *o, const char *text) { return number(&o->runs, text, 1, 1000); }
static bool set_chain_id(struct options *o, const char *text) {
    size_t value;
    return number(&value, text, 1, SIZE_MAX) && (o->chain_id = value, true);
}
/* An address has a curve and a hash of its own. */
static bool set_address(struct options *o, const char *text) {
    (void)text;
    if (!o->curve)
        o->curve = GECC_SECP256K1;
    if (o->hash == GECC_HASH_DEFAULT)
        o->hash = GECC_KECCAK256;
    return o->address = true;
}
static bool set_personal_message(struct options *o, const char *text) {
    (void)text;
    if (!o->hash_given)
        o->hash = GECC_KECCAK256;
    return o->personal_message = true;
}
static bool set_jwt(struct options *o, const char *text) { return (void)text, o->jwt = true; }
static bool set_nostr(struct options *o, const char *text) {
    o->format = o->format ? o->format : FORMAT_JSONL;
    return (void)text, o->nostr = true;
}
static bool set_sd_jwt(struct options *o, const char *text) { return (void)text, o->sd_jwt = o->jwt = true; }
static bool set_nonce(struct options *o, const char *text) { return *(o->nonce = text) != 0; }
static bool set_detached(struct options *o, const char *text) { return (void)text, o->detached = true; }
static bool set_kid(struct options *o, const char *text) { return strlen(o->kid = text) <= MOST_KID_BYTES; }
static bool set_typ(struct options *o, const char *text) { return strlen(o->typ = text) <= MOST_KID_BYTES; }
static bool set_crl(struct options *o, const char *text) { return *(o->lists_path = text) != 0; }
static bool set_depth(struct options *o, const char *text) { return o->depth_given = number(&o->depth, text, 0, 1000); }
static bool set_x509(struct options *o, const char *text) { return (void)text, o->x509 = true; }
static bool set_audience(struct options *o, const char *text) { return *(o->audience = text) != 0; }

/* "now", seconds from 1970 on, or a time as RFC 3339 writes it, in UTC and whole seconds. */
static bool set_at(struct options *o, const char *text) {
    struct tm tm = {0};
    size_t seconds = 0;
    char again[32] = "";
    const char *const format = "%Y-%m-%dT%H:%M:%SZ", *end = strptime(text, format, &tm);
    const time_t date = end && !*end ? timegm(&tm) : 0;
    strftime(again, sizeof again, format, gmtime_r(&date, &tm));
    const bool is_date = end && !*end && strcmp(again, text) == 0, /* there is no 31st of February */
        is_now = strcmp(text, "now") == 0, is_number = number(&seconds, text, 0, INT64_MAX);
    o->at = is_now ? (int64_t)time(NULL) : is_date ? (int64_t)date : (int64_t)seconds;
    return o->at_given = is_now || is_date || is_number;
}

static bool set_issuer(struct options *o, const char *text) { return *(o->issuer = text) != 0; }
static bool set_low_s(struct options *o, const char *text) { return (void)text, o->low_s = true; }
static bool set_any_s(struct options *o, const char *text) { return (void)text, o->any_s = true; }
static bool set_sighash_byte(struct options *o, const char *text) { return (void)text, o->sighash_byte = true; }
static bool set_public(struct options *o, const char *text) { return (void)text, o->public_scalars = true; }
static bool set_sum(struct options *o, const char *text) { return (void)text, o->sum = true; }
static bool set_group_by(struct options *o, const char *text) { return *(o->group_by = text) != 0; }
static bool set_verify(struct options *o, const char *text) { return (void)text, o->verify_signatures = true; }
static bool set_verify_inputs(struct options *o, const char *text) { return (void)text, o->verify_inputs = true; }
static bool set_blocks(struct options *o, const char *text) { return (void)text, o->blocks = true; }
static bool set_height(struct options *o, const char *text) { return number(&o->height, text, 0, INT32_MAX); }
static bool set_dangerous_nonce(struct options *o, const char *text) { return (void)text, o->dangerous_nonce = true; }
static bool set_hedged(struct options *o, const char *text) { return (void)text, o->hedged = true; }
static bool set_series(struct options *o, const char *text) { return (void)text, o->series = true; }
static bool set_check(struct options *o, const char *text) { return (void)text, o->check = true; }
static bool set_quiet(struct options *o, const char *text) { return (void)text, o->quiet = true; }
static bool set_json(struct options *o, const char *text) { return (void)text, o->json = true; }
static bool set_help(struct options *o, const char *text) { return (void)text, o->help = true; }
static bool set_man(struct options *o, const char *text) { return (void)text, o->help = o->man = true; }
static bool set_completion(struct options *o, const char *text) {
    o->completion = text;
    return strcmp(text, "bash") == 0 || strcmp(text, "zsh") == 0 || strcmp(text, "fish") == 0;
}
static bool set_version(struct options *o, const char *text) { return (void)text, o->version = true; }

static const char output_help[] =
    "write the rows to FILE instead of standard output; also -o FILE. Until they are whole they are in a new file "
    "beside it, "
    "FILE.N.partial, N eight random digits, and FILE is as it was; what a run that was killed leaves of it may be "
    "removed. Of "
    "two runs that write one FILE the last to end gives it its rows. A link is followed, and stays one";

#define NAME(identifier, value, name, ...) " " #name ","

const struct option option_table[] = {
    {"--curve", "NAME",
#define TITLE(curve, value, name, title, ...) title ", "
     GECC_CURVE_LIST(TITLE)
#undef TITLE
         "or a name that OpenSSL has for one of them; Curve25519 (also Ed25519, X25519) for what there is on it; for "
         "rows that do not say it in a column `curve`",
     OPTIONS_CURVE, set_curve},
    {"--scheme", "NAME",
     "the signatures or keys: ecdsa, sm2, bip340 (the Schnorr signatures of BIP-340, on secp256k1), ed25519 (RFC 8032) "
     "or, of "
     "pubkey and keygen, x25519; default: sm2 on SM2, ed25519 on Curve25519, ecdsa elsewhere",
     OPTIONS_SCHEME, set_scheme},
    {"--accept", "RULE",
     "whose rule of Ed25519 on keys and R that are not canonical or have small order: rfc8032 (the default), ref10 "
     "(OpenSSL, "
     "Go), strict (libsodium) or zip215 (cofactored)",
     OPTIONS_ACCEPT, set_accept},
    {"--op", "NAME", "add, sub, mul, square, inverse or power", OPTIONS_MOD, set_modular_operation},
    {"--modulus", "HEX", "the modulus of all rows: odd, at least 3, at most 512 bits", OPTIONS_MOD, set_modulus},
    {"--bits", "N", "the width of operands and results, 128 to 512 in steps of 32; default: that of the modulus",
     OPTIONS_MOD, set_bits},
    {"--sig-format", "raw|der",
     "how signatures are written: r || s, or DER. Read without it, a signature of exactly "
     "2L bytes is raw and every other DER, row by row; written without it, raw",
     OPTIONS_SIGNATURE, set_signature_format},
    {"--ciphertext-format", "c1c3c2|c1c2c3|der",
     "the order of a ciphertext's parts, c1c3c2 (the default) or c1c2c3, as before 2012; or der, the SEQUENCE of GB/T "
     "35276, which OpenSSL has",
     OPTIONS_CIPHERTEXT, set_ciphertext_format},
    {"--point-format", "NAME",
     "what C1 is, in and out: uncompressed (the default), compressed or raw (x || y); of der it is x and y",
     OPTIONS_CIPHERTEXT, set_point_format},
    {"--chain-id", "N", "refuse transactions for other chains; those from before EIP-155 are for any", OPTIONS_SENDERS,
     set_chain_id},
    {"--any-s", NULL, "take transactions with s > n / 2, as Frontier did; authorizations never have it",
     OPTIONS_SENDERS, set_any_s},
    {"--address", NULL,
     "the signer's Ethereum address instead of the key, checksummed (EIP-55). `sig` may be r || s || v, without "
     "`recid`. "
     "The curve is secp256k1, the hash of `msg` keccak256",
     OPTIONS_ADDRESS, set_address},
    {"--personal-message", NULL,
     "`msg` is a personal message of Ethereum (EIP-191): its prefix and its length are hashed before it, with "
     "keccak256",
     OPTIONS_PERSONAL, set_personal_message},
    {"--low-s", NULL, "refuse signatures with s > n / 2; sign with s <= n / 2", OPTIONS_LOW_S, set_low_s},
    {"--no-low-s", NULL, "leave s as it falls, also on secp256k1, where s is otherwise made low", OPTIONS_SIGN,
     set_any_s},
    {"--sighash-byte", NULL,
     "a byte follows each signature, as in Bitcoin's scripts, and is not looked at; of BIP-340 a signature "
     "of 65 bytes has it, and it is not 0",
     OPTIONS_SIGHASH, set_sighash_byte},
    {"--hash", "NAME",
     "the hash of a `msg`, one of" GECC_HASH_LIST(
         NAME) " for rows that do not say it in a column `hash`; of "
               "sign also, if it is SHA-2, the hash of RFC 6979. Default: sm3 with SM2, else that SHA-2 which "
               "has as many bits as the curve, or the longest. Rows where it has nothing to hash are refused",
     OPTIONS_MESSAGE, set_hash},
    {"--id", "TEXT",
     "SM2: the signer's id; a row that has `sm2_id` or `sm2_id_hex` has to have this one. Default, where the row says "
     "none: 1234567812345678",
     OPTIONS_MESSAGE, set_id},
    {"--ctx", "TEXT",
     "Ed25519: the context of all rows, up to 255 bytes, which makes it Ed25519ctx; a row that has `ed25519_ctx` or "
     "`ed25519_ctx_hex` has to have this one",
     OPTIONS_ED25519, set_context_text},
    {"--prehash", NULL,
     "Ed25519: it is Ed25519ph, which signs the SHA-512 of `msg`; the context is empty where none is given",
     OPTIONS_ED25519, set_prehash},
    {"--verify-signatures", NULL, "verify each signature in full before it is written", OPTIONS_SIGN, set_verify},
    {"--hedged", NULL,
     "more input to each nonce, 32 bytes for each row from the random numbers of the operating system, instead of a "
     "column "
     "`entropy` or, with --scheme bip340, `aux`: where a fault can be provoked, two signatures of one message then "
     "tell "
     "nothing. They differ from run to run. Ed25519 has no such signatures",
     OPTIONS_SIGN, set_hedged},
    {"--dangerous-nonce", NULL,
     "use the column `nonce`. A nonce that repeats, or a few known bits of it, reveals the "
     "private key: for known-answer tests only",
     OPTIONS_SIGN, set_dangerous_nonce},
    {"--point-format", "NAME", "how points are written: uncompressed (the default), compressed or raw (x || y)",
     OPTIONS_POINT, set_point_format},
    {"--public", NULL, "the scalars are public: faster, and timing depends on them", OPTIONS_MUL, set_public},
    {"--sum", NULL, "write the sum of scalar * point over all rows, and no rows; with --public", OPTIONS_MUL, set_sum},
    {"--group-by", "COLUMN",
     "with --sum: write a sum for each value of COLUMN, whose rows follow each other, as in input that is sorted by it",
     OPTIONS_MUL, set_group_by},
    {"--verify", NULL, "judge the signatures, and the keys and scripts that outputs name", OPTIONS_INPUTS,
     set_verify_inputs},
    {"--block", NULL, "`raw` is a whole block; `prevouts` are those of all its inputs but the coinbase's, in order",
     OPTIONS_INPUTS, set_blocks},
    {"--height", "N",
     "the height on mainnet of the blocks that the transactions are in: before 363,725 signatures need not be strict "
     "DER, "
     "before 481,824 what OP_CHECKMULTISIG drops need not be empty. Default: later",
     OPTIONS_INPUTS, set_height},
    {"--format", "csv|jsonl", "the format of the records; default: told by the file's name, else by its first bytes",
     OPTIONS_INPUTS, set_format},
    {"--output", "FILE", output_help, OPTIONS_INPUTS, set_output},
    {"--batch", "ROWS", "inputs that are judged at once, or more; default 16384", OPTIONS_INPUTS, set_batch},
    {"--format", "csv|jsonl|raw", "the format of the rows; default: told by the file's name, else by its first bytes",
     OPTIONS_ROWS, set_format},
    {"--output-format", "csv|jsonl", "the format of the output; default: told by its name, else csv, of JSON jsonl",
     OPTIONS_SENDERS | OPTIONS_KEYGEN, set_output_format},
    {"--output-format", "csv|jsonl", "the format of the output; default: told by its name, else csv", OPTIONS_KEYS,
     set_output_format},
    {"--output-format", "csv|jsonl|raw",
     "the format of the output; default: the ending of -o FILE, else the input's format; jsonl for tokens and "
     "certificates outside a table. CSV keeps no text of lines that cannot be read where it is made of objects, of "
     "which the first has no member that is kept",
     OPTIONS_ROWS | OPTIONS_INPUTS, set_output_format},
    {"--jwk", NULL,
     "write each key as a JSON Web Key on a line of its own, and nothing else of its row: of keygen a private one, of "
     "pubkey a public one. Its `kid` is its thumbprint (RFC 7638)",
     OPTIONS_JWK, set_jwk},
    {"--jwks", NULL, "the same as one set of keys (JWKS), which gecc verify and other programs take", OPTIONS_JWK,
     set_jwks},
    {"--columns", "LIST", "raw: the columns of a row, separated by commas", OPTIONS_ROWS, set_columns},
    {"--digest-bytes", "N", "raw: the width of `digest`, 1 to 64; default 32", OPTIONS_DIGEST, set_digest_bytes},
    {"--msg-bytes", "N", "raw: the width of `msg`; default 32", OPTIONS_MESSAGE, set_message_bytes},
    {"--output", "FILE", output_help, OPTIONS_ROWS | OPTIONS_SENDERS | OPTIONS_KEYGEN | OPTIONS_KEYS, set_output},
    {"--pub-file", "FILE",
     "the public key of all rows, which have no column `pub`: PEM or DER of a public key (SPKI), a private key or a "
     "certificate, a JWK, a line of OpenSSH or its private key. One key: a file with others is refused. PEM and DER "
     "need OpenSSL's libcrypto",
     OPTIONS_PUBLIC_KEY, set_public_key},
    {"--key-file", "FILE",
     "the private key of all rows, which have no column `priv`: PEM or DER, of PKCS #8 or SEC 1, for which OpenSSL's "
     "libcrypto is needed, a JWK, or OpenSSH's own form, which has to have no password; one key. PKCS #8 and SEC 1 may "
     "be "
     "encrypted: see --password-file. A file that others than its owner "
     "may read is said on standard error; what root owns its group may read",
     OPTIONS_PRIVATE_KEY, set_private_key},
    {"--password-file", "FILE",
     "the password of the encrypted private key (PEM or DER) in the file of the private key, or without one in that "
     "of the public key: the only line of FILE. A key there that is not encrypted is an error. Who may read FILE is "
     "said as of private keys",
     OPTIONS_PRIVATE_KEY | OPTIONS_PUBLIC_KEY, set_password},
    {"--keys", "FILE",
     "--x509: the CAs that are trusted, certificates in PEM or DER, of which each certificate names its issuer by name "
     "and key identifier. Where several are meant, each is tried. --jwt: the keys of which each token names one by its "
     "`kid`, which is a key's own or its thumbprint (RFC 7638): a "
     "JWK or a set of them, PEM with any number of keys or certificates, or authorized_keys. A token without a `kid` "
     "is "
     "checked under the only key that fits its `alg`, if there is only one. A token whose key is not there, or cannot "
     "be used, reads no_key",
     OPTIONS_RECORDS, set_keys},
    {"--jwt", NULL,
     "each line is a JSON Web Token, signed in JWS's compact form, to be checked under --pub-file or the key of --keys "
     "that it names",
     OPTIONS_RECORDS, set_jwt},
    {"--detached", NULL,
     "take tokens without a payload between their dots, with --jwt (RFC 7515, appendix F): it is the text in the "
     "column "
     "`msg_text`, which --map may name, beside the column `token`",
     OPTIONS_RECORDS, set_detached},
    {"--sd-jwt", NULL,
     "each line is a token with disclosures behind it (SD-JWT, RFC 9901), which is checked as with --jwt: the issuer's "
     "signature, that each disclosure has its digest in the token or in another disclosure, and the holder's "
     "signature, "
     "if there is one, by the key in `cnf`. The claims that are disclosed are `claims`, as JSON. A token with more "
     "than "
     "4096 digests or disclosures is refused",
     OPTIONS_RECORDS, set_sd_jwt},
    {"--nonce", "TEXT", "--sd-jwt: what the holder's `nonce` has to be; another or none reads invalid", OPTIONS_RECORDS,
     set_nonce},
    {"--jwt", NULL,
     "sign claims with the key of --key-file as JSON Web Tokens: objects of JSON Lines, or of CSV a column `claims`",
     OPTIONS_SIGN, set_jwt},
    {"--kid", "TEXT",
     "name the key in the header of tokens, with --jwt; default: the name in the JWK of --key-file, else the key's "
     "thumbprint (RFC 7638). At most 1024 bytes; where TEXT is empty the header has none",
     OPTIONS_SIGN, set_kid},
    {"--typ", "TEXT",
     "write this `typ` in the header of tokens, with --jwt; default JWT. At most 1024 bytes; where TEXT is empty there "
     "is none",
     OPTIONS_SIGN, set_typ},
    {"--nostr", NULL,
     "the input is events of Nostr (NIP-01) in JSON Lines: each is checked to have the id that its content gives, and "
     "the "
     "signature of its pubkey",
     OPTIONS_RECORDS, set_nostr},
    {"--x509", NULL,
     "the input is X.509 certificates, in PEM or DER, one after another: the signature of each is checked under the "
     "key of --issuer, and nothing else of it, or under the CA of --keys that it names. With SM2 the signer's id is "
     "--id; "
     "without it the default is meant, and with --keys also the empty one, with which OpenSSL signs unless told. Needs "
     "OpenSSL's libcrypto",
     OPTIONS_RECORDS, set_x509},
    {"--depth", "N",
     "--x509 --keys: how many CAs that FILE has not may stand between one that it has and a certificate, 0 to 1000; "
     "default 0. They are certificates of the input that say so and whose own chain leads to FILE. The input is read "
     "twice, so it has to be a file",
     OPTIONS_RECORDS, set_depth},
    {"--crl", "FILE",
     "--x509 --keys: lists of revoked certificates, in PEM or DER, each signed by one of the CAs: what its issuer "
     "revoked "
     "reads invalid, and so does a certificate that no list is for, or of which the lists do not hold at --at",
     OPTIONS_RECORDS, set_crl},
    {"--issuer", "FILE|TEXT",
     "--x509: the certificate or the public key of who signed the certificates, as --pub-file takes it. --jwt: what "
     "the "
     "claim `iss` has to be; a token with another reads invalid",
     OPTIONS_RECORDS, set_issuer},
    {"--audience", "TEXT",
     "--jwt: what the claim `aud` has to be or have among its texts; another token reads invalid. --sd-jwt: what the "
     "holder's `aud` has to be",
     OPTIONS_RECORDS, set_audience},
    {"--at", "TIME",
     "--jwt: the time when tokens have to hold, by their claims `exp` and `nbf`, if they have them: now, seconds from "
     "1970 on, or like 2026-01-31T12:00:00Z. Another token reads invalid; with --sd-jwt the holder's has to hold, too. "
     "--x509 --keys: when certificates and their "
     "issuers have to hold",
     OPTIONS_RECORDS, set_at},
    {"--encoding", "hex|base64|base64url",
     "how bytes and numbers are written in cells, in and out; default hex. Base64 (RFC 4648) is read with or without "
     "padding, base64url is that of JOSE. Options are in hexadecimal",
     OPTIONS_ROWS, set_encoding},
    {"--map", "COLUMN=NAME[,COLUMN=NAME]...",
     "what columns are called in the input: with digest=hash,sig=signature the column `hash` is read as `digest`, "
     "`signature` as `sig`, and what is called `digest` or `sig` there is not read. May be given more than once",
     OPTIONS_ROWS, set_map},
    {"--require", "COLUMN[,COLUMN]...",
     "refuse rows that lack one of these columns though they could do without it: with msg one that has a `digest` "
     "alone",
     OPTIONS_ROWS, set_require},
    {"--only", "STATUS[,STATUS]...",
     "write only rows that read valid (or ok), invalid, malformed; all are counted, and decide the exit status",
     OPTIONS_ROWS, set_only},
    {"--expect-rows", "N", "exit with 2, and give no file its name, unless there are N rows", OPTIONS_ROWS,
     set_expect_rows},
    {"--allow-empty", NULL, "take an input without rows, be it empty or a header alone, which otherwise is an error",
     OPTIONS_ROWS | OPTIONS_SENDERS | OPTIONS_INPUTS, set_allow_empty},
    {"--prefix", "TEXT",
     "put TEXT before the names of results: with gecc_ they are gecc_status, gecc_reason, ...; up to 32 letters, "
     "digits, "
     "_, - and .",
     OPTIONS_ROWS, set_prefix},
    {"--count", "N", "how many keys to make; default 1", OPTIONS_KEYGEN, set_key_count},
    {"--count", "N", "how many signatures to make; default 20000", OPTIONS_DEMO, set_count},
    {"--op", "TEXT", "only the operation of that name; * stands for any text, as in '*.verify'", OPTIONS_BENCH,
     set_operation_filter},
    {"--runs", "N", "runs to take the median of; default 7", OPTIONS_BENCH, set_runs},
    {"--plot", "FILE",
     "also draw the rates against the rows of a batch, as FILE.svg; with --series or several of --batch", OPTIONS_BENCH,
     set_plot},
    {"--series", NULL, "batches of 1, 2, 4, ... rows, up to the greatest of --batch", OPTIONS_BENCH, set_series},
    {"--check", NULL, "compare all results with those of the CPU's portable code", OPTIONS_BENCH, set_check},
    {"--batch", "ROWS", "rows in one call of the library; default 16384, with a GPU 262144",
     OPTIONS_ROWS | OPTIONS_SENDERS, set_batch},
    {"--batch", "ROWS[,ROWS]...",
     "rows in one call of the library, each in turn; default 4096, with --backend cuda 1048576", OPTIONS_BENCH,
     set_batches},
    {"--devices", "N[,N]...",
     "how operations scale: measure on the first N of the GPUs (of --device, or all), for each N, and compare with the "
     "first; with --backend cuda",
     OPTIONS_BENCH, set_device_counts},
    {"--key-cache", "SIZE",
     "keep tables of keys that come back from batch to batch, in at most SIZE bytes, as in 64M or 2G: for many keys "
     "with few rows "
     "in each batch. Without it each batch finds the keys that repeat within it",
     OPTIONS_KEY_CACHE, set_key_cache},
    {"--backend", "auto|cpu|cuda", "where to compute; default auto, the fastest that there is", OPTIONS_CONTEXT,
     set_backend},
    {"--device", "N[,N]...|all",
     "the GPUs that share the work, by their numbers among those that CUDA_VISIBLE_DEVICES leaves; default all. "
     "`gecc devices` lists them",
     OPTIONS_CONTEXT, set_device},
    {"--threads", "N", "threads of the CPU backend; 0, the default, is one for each processor (bench: 1)",
     OPTIONS_CONTEXT, set_threads},
    {"--json", NULL, "print JSON Lines instead of a table", OPTIONS_JSON, set_json},
    {"--quiet", NULL, "no progress bar, no summary; also -q", OPTIONS_COMMON, set_quiet},
    {"--help", NULL, "print this text; also -h", OPTIONS_COMMON | OPTIONS_VERSION, set_help},
    {"--man", NULL, "print the manual page, as roff", OPTIONS_COMMON | OPTIONS_VERSION, set_man},
    {"--completion", "bash|zsh|fish",
     "print the completion of commands, options and their values for a shell: source <(gecc --completion bash)",
     OPTIONS_VERSION, set_completion},
    {"--version", NULL, "print the version", OPTIONS_VERSION, set_version},
};
enum { OPTION_COUNT = sizeof option_table / sizeof *option_table };
const size_t option_count = OPTION_COUNT;

void options_init(struct options *options) {
    memset(options, 0, sizeof *options);
    options->digest_bytes = options->message_bytes = 32;
    options->height = INT32_MAX;
}

const struct name *option_names(const struct option *option) {
    static const struct {
        bool (*set)(struct options *options, const char *argument);
        const struct name *names;
    } lists[] = {{set_curve, names_of_curves},
                 {set_scheme, names_of_schemes},
                 {set_hash, names_of_hashes},
                 {set_format, names_of_formats},
                 {set_output_format, names_of_formats},
                 {set_signature_format, names_of_signature_formats},
                 {set_point_format, names_of_point_formats},
                 {set_ciphertext_format, names_of_ciphertext_formats},
                 {set_modular_operation, names_of_modular_operations},
                 {set_only, names_of_verdicts},
                 {set_encoding, names_of_encodings},
                 {set_accept, names_of_rules},
                 {set_backend, names_of_backends}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (lists[i].set == option->set)
            return lists[i].names;
    return NULL;
}

static void refuse_argument(const struct option *option, const char *argument, char *error, size_t size) {
    char list[NAMES_LIST_BYTES];
    const struct name *names = option_names(option);
    if (names)
        names_list(list, sizeof list, names);
    if (names)
        snprintf(error, size, "%s: '%.60s' is none of %s", option->name, argument, list);
    else
        snprintf(error, size, "%s %s: '%.60s' does not fit", option->name, option->argument, argument);
}

static const struct option *find(unsigned groups, const char *name, size_t length) {
    for (size_t i = 0; i < option_count; i++) {
        const struct option *option = &option_table[i];
        if ((option->groups & groups) && strlen(option->name) == length && !memcmp(option->name, name, length))
            return option;
    }
    return NULL;
}

/* Other names of options: short ones, and the names of the same in Python and SQL. */
static const char *const other_names[][2] = {{"-o", "--output"},
                                             {"-q", "--quiet"},
                                             {"-h", "--help"},
                                             {"--column", "--map"},
                                             {"--der", "--sig-format=der"},
                                             {"--public-scalars", "--public"},
                                             {"--accept-ref10", "--accept=ref10"},
                                             {"--accept-strict", "--accept=strict"},
                                             {"--accept-zip215", "--accept=zip215"}};

/* The first `length` characters of an argument name an option: its documented name, which may have a value. */
static const char *long_name(const char *argument, size_t length) {
    for (size_t i = 0; i < sizeof other_names / sizeof *other_names; i++)
        if (strlen(other_names[i][0]) == length && memcmp(argument, other_names[i][0], length) == 0)
            return other_names[i][1];
    return argument;
}

static bool operand(struct options *options, unsigned groups, const char *text, char *error, size_t size) {
    if (!(groups & (OPTIONS_ROWS | OPTIONS_SENDERS | OPTIONS_INPUTS | OPTIONS_KEYS)) || options->input) {
        snprintf(error, size, "one argument too many: '%.60s'", text);
        return false;
    }
    options->input = text;
    return true;
}

/* Two options of which one would do nothing. */
static bool contradict(const bool given[OPTION_COUNT], char *error, size_t size) {
    static const char *const pairs[][2] = {
        {"--low-s", "--no-low-s"},     {"--keys", "--pub-file"}, {"--jwk", "--jwks"},   {"--jwk", "--output-format"},
        {"--jwks", "--output-format"}, {"--jwk", "--prefix"},    {"--jwks", "--prefix"}};
    for (size_t p = 0; p < sizeof pairs / sizeof *pairs; p++) {
        unsigned count = 0;
        for (size_t i = 0; i < OPTION_COUNT; i++)
            count +=
                given[i] && (!strcmp(option_table[i].name, pairs[p][0]) || !strcmp(option_table[i].name, pairs[p][1]));
        if (count > 1) {
            snprintf(error, size, "%s and %s exclude each other", pairs[p][0], pairs[p][1]);
            return true;
        }
    }
    return false;
}

/* An option, arguments[*at], whose own argument may be the next one. */
static bool take_option(struct options *options, unsigned groups, char *const *arguments, size_t count, size_t *at,
                        bool given[OPTION_COUNT], char *error, size_t size) {
    const char *text = arguments[*at], *name = long_name(text, strcspn(text, "="));
    size_t length = strcspn(name, "=");
    const struct option *option = find(groups, name, length);
    if (!option) {
        const bool has_output = strcmp(name, "--format") == 0 || strncmp(name, "--format=", 9) == 0;
        snprintf(error, size, "no such option: '%.60s'%s", text,
                 has_output && find(groups, "--output-format", 15)
                     ? ", which is the input's format, where it is not told by itself; the output's is --output-format"
                     : "");
        return false;
    }
    if (given[option - option_table] && option->set != set_map) {
        snprintf(error, size, "%s is given twice", option->name);
        return false;
    }
    given[option - option_table] = true;
    const char *value = strchr(text, '='), *implied = name == text ? NULL : strchr(name, '=');
    const char *argument = implied ? implied + 1 : value ? value + 1 : NULL;
    if (implied && value) {
        snprintf(error, size, "%.*s takes no argument", (int)(value - text), text);
        return false;
    }
    if (option->argument && !argument && *at + 1 < count)
        argument = arguments[++*at];
    if (!option->argument != !argument) {
        snprintf(error, size, "%s %s", option->name, option->argument ? "needs an argument" : "takes no argument");
        return false;
    }
    if (!option->set(options, argument)) {
        refuse_argument(option, argument, error, size);
        return false;
    }
    return true;
}

/* Files that their names say to be of another format than those that are read and written. */
static bool refuse_files(const struct options *options, char *error, size_t size) {
    const char *input = options->input ? name_refusal(options->input, false) : NULL;
    const char *output = options->output ? name_refusal(options->output, true) : NULL;
    if (input || output)
        snprintf(error, size, "%.120s: %s", input ? options->input : options->output, input ? input : output);
    return input || output;
}

bool options_parse(struct options *options, unsigned groups, char *const *arguments, size_t count, char *error,
                   size_t size) {
    bool only_operands = false, given[OPTION_COUNT] = {false};
    for (size_t i = 0; i < count; i++) {
        const char *text = arguments[i];
        if (only_operands || text[0] != '-' || !text[1]) {
            if (!operand(options, groups, text, error, size))
                return false;
        } else if (strcmp(text, "--") == 0) {
            only_operands = true;
        } else if (!take_option(options, groups, arguments, count, &i, given, error, size)) {
            return false;
        }
    }
    if (!options->output_format && options->output)
        options->output_format = format_of_name(options->output);
    return !contradict(given, error, size) && !refuse_files(options, error, size);
}

/* Does -o name the file of the key? It would be lost. */
static bool is_output(const struct options *options, const char *path) {
    struct stat key, output;
    return options->output && stat(path, &key) == 0 && S_ISREG(key.st_mode) && stat(options->output, &output) == 0 &&
           key.st_dev == output.st_dev && key.st_ino == output.st_ino;
}

static bool refuse_output(const struct options *options, const char *path, char *error, size_t size) {
    const bool is_lost = is_output(options, path);
    if (is_lost)
        snprintf(error, size, "%.120s: -o names it, which would write rows in its place", path);
    return is_lost;
}

/* The set of authorities that --keys is with --x509, and lists of certificates that are revoked. */
static bool read_authorities(struct options *options, char *error, size_t size) {
    struct authorities *set = options->authorities = calloc(1, sizeof *set);
    if (!set)
        return snprintf(error, size, "not enough memory"), false;
    set->has_at = options->at_given;
    set->at = options->at;
    set->depth = options->depth;
    set->rules = (struct signed_rules){options->id, options->accept | (options->low_s ? GECC_LOW_S : 0u)};
    return authorities_read(set, options->keys_path, error, size) &&
           !refuse_output(options, options->keys_path, error, size) &&
           (!options->lists_path || (authorities_read_lists(set, options->lists_path, error, size) &&
                                     !refuse_output(options, options->lists_path, error, size)));
}

/* Say how many keys no document is checked under. */
static void say_unused(const char *path, const struct key_set *set) {
    size_t unused = 0;
    for (size_t i = 0; i < set->count; i++)
        unused += set->keys[i].refusal != NULL;
    if (unused)
        say("gecc: %s: %zu of its keys %s not used, for reasons that `gecc keys` lists: documents that name one read "
            "no_key",
            path, unused, unused == 1 ? "is" : "are");
}

static bool read_keys(struct options *options, char *error, size_t size) {
    if (options->keys_path && options->x509)
        return read_authorities(options, error, size);
    if (!options->keys_path)
        return true;
    if (!key_set_read(&options->keys, options->keys_path, error, size))
        return false;
    say_unused(options->keys_path, &options->keys);
    return !refuse_output(options, options->keys_path, error, size);
}

/* The key of a file, which the password, if there is one for it, has to open. */
static bool read_key(struct options *options, const char *path, const char *password_path, struct key_file *key,
                     bool is_private, char *error, size_t size) {
    struct password password = {.length = 0};
    if (!path)
        return true;
    const bool is_read = (!password_path || (password_read(&password, password_path, error, size) &&
                                             !refuse_output(options, password_path, error, size))) &&
                         key_file_read(key, is_private && options->jwt ? &options->keys : NULL, path,
                                       password_path ? &password : NULL, is_private, error, size);
    explicit_bzero(&password, sizeof password);
    if (!is_read || refuse_output(options, path, error, size))
        return false;
    if (options->curve && options->curve != key->curve) {
        snprintf(error, size, "%.120s: a key on %s, and not on %s", path, gecc_curve_name(key->curve),
                 gecc_curve_name(options->curve));
        return false;
    }
    if (options->scheme != SCHEME_OF_CURVE && key->scheme != SCHEME_OF_CURVE && options->scheme != key->scheme) {
        snprintf(error, size, "%.120s: a key of %s, and it is not what is asked for", path,
                 name_of(names_of_schemes, (int)key->scheme));
        return false;
    }
    options->curve = key->curve;
    if (key->scheme != SCHEME_OF_CURVE)
        options->scheme = key->scheme;
    return true;
}

bool options_read_keys(struct options *options, char *error, size_t size) {
    if (options->issuer && !options->jwt) {
        if (options->public_key_path) {
            snprintf(error, size, "--issuer and --pub-file exclude each other");
            return false;
        }
        options->public_key_path = options->issuer;
    }
    const char *password = options->password_path;
    if (password && !options->private_key_path && !options->public_key_path) {
        snprintf(error, size, "--password-file goes with --key-file or --pub-file");
        return false;
    }
    return read_keys(options, error, size) &&
           read_key(options, options->public_key_path, options->private_key_path ? NULL : password,
                    &options->public_key, false, error, size) &&
           read_key(options, options->private_key_path, password, &options->private_key, true, error, size);
}

void options_free_keys(struct options *options) {
    explicit_bzero(&options->private_key, sizeof options->private_key);
    key_set_free(&options->keys);
    free(options->token_header);
    if (options->authorities)
        authorities_free(options->authorities);
    free(options->authorities);
}
