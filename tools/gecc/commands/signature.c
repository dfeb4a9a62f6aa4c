/* verify and sign, with ECDSA, on SM2's curve with SM2 signatures, or with those of BIP-340; digest. */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "bench/keys.h"
#include "commands/commands.h"
#include "commands/verify_documents.h"

#include "rows/documents.h"
#include "rows/task.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool signs_messages(enum scheme scheme) { return scheme == SCHEME_BIP340 || scheme == SCHEME_ED25519; }

const gecc_operation *verify_operation(const struct options *options, const struct group *group) {
    static const char *const names[SCHEME_X25519 + 1] = {[SCHEME_ECDSA] = "ecdsa.verify",
                                                         [SCHEME_SM2] = "sm2.verify",
                                                         [SCHEME_BIP340] = "schnorr.verify",
                                                         [SCHEME_ED25519] = "ed25519.verify"};
    return gecc_operation_find(names[group_scheme(group, options)]);
}

/* Bytes of entropy of a row, as all schemes take them that take any. */
enum { ENTROPY_BYTES = 32 };

static const gecc_operation *sign_operation(const struct options *options, const struct group *group) {
    static const char *const names[SCHEME_X25519 + 1] = {[SCHEME_ECDSA] = "ecdsa.sign",
                                                         [SCHEME_SM2] = "sm2.sign",
                                                         [SCHEME_BIP340] = "schnorr.sign",
                                                         [SCHEME_ED25519] = "ed25519.sign"};
    const char *scheme = names[group_scheme(group, options)];
    char name[64];
    snprintf(name, sizeof name, "%s%s", scheme ? scheme : "",
             group->form & COLUMN_BIT(NONCE) ? "_with_dangerous_nonce" : "");
    return gecc_operation_find(name);
}

static uint8_t *scratch_keys(const struct task *task) {
    const struct batch *batch = task->batch;
    return batch->scratch + batch->capacity * MAX_DIGEST_BYTES +
           task->group->first * (SCRATCH_BYTES - MAX_DIGEST_BYTES);
}

/* The public keys of the private ones: SM2 hashes them with the message. Where a key has none it reads as zeros, which
 * are on no curve. */
static gecc_result sm2_public_keys(struct task *task) {
    size_t width = gecc_point_bytes(GECC_SM2, GECC_POINT_UNCOMPRESSED);
    task->public_key = gecc_rows_packed(scratch_keys(task), width);
    return gecc_ec_public_key(task->context, GECC_SM2, gecc_out_packed(scratch_keys(task), width), task_status(task),
                              task_rows(task, COLUMN_PRIV), task->count, NULL);
}

static bool is_sha2(gecc_hash hash) {
    const char *name = gecc_hash_name(hash);
    return name != NULL && strncmp(name, "SHA-", 4) == 0;
}

static gecc_result sign(struct task *task) {
    const size_t size = task->options->hedged ? task->count * ENTROPY_BYTES : 0;
    uint8_t *entropy = NULL;
    const gecc_hash given = group_hash_given(task->group, task->options);
    const enum scheme scheme = group_scheme(task->group, task->options);
    gecc_result result = GECC_OK;
    if (is_sha2(given) && !signs_messages(scheme))
        task->call.nonce_hash = given;
    if (scheme == SCHEME_SM2 && task_has(task, COLUMN_BIT(MSG)) && !task_has(task, COLUMN_BIT(PUB)))
        result = sm2_public_keys(task);
    if (result == GECC_OK && size != 0) { /* entropy that nobody has had or keeps */
        entropy = malloc(size);
        result = !entropy                      ? GECC_ERROR_MEMORY
                 : random_bytes(entropy, size) ? GECC_OK
                                               : GECC_ERROR_UNSUPPORTED; /* the system gives no random numbers */
        task->entropy = gecc_rows_packed(entropy, ENTROPY_BYTES);
    }
    if (result == GECC_OK)
        result = task_run(task);
    if (entropy)
        explicit_bzero(entropy, size);
    free(entropy);
    return result;
}

/* A scheme that another curve has; curve 0: not yet known. */
static const char *scheme_refuses(const struct options *options, gecc_curve curve) {
    if (options->scheme == SCHEME_SM2 && curve && curve != GECC_SM2)
        return "SM2 signatures are on the curve SM2";
    if (options->scheme == SCHEME_BIP340 && curve && curve != GECC_SECP256K1)
        return "BIP-340's signatures are on secp256k1";
    if (options->scheme == SCHEME_X25519)
        return "X25519 has no signatures";
    if (options->scheme == SCHEME_ED25519 && curve && curve != GECC_CURVE25519)
        return "Ed25519's signatures are on Curve25519";
    if (curve == GECC_CURVE25519 && options->scheme != SCHEME_OF_CURVE && options->scheme != SCHEME_ED25519)
        return "signatures on Curve25519 are Ed25519's";
    return NULL;
}

const char *hash_refuses(const struct options *options, uint32_t present, const struct group *group) {
    gecc_hash given = group_hash_given(group, options);
    if (!(present & COLUMN_BIT(MSG)))
        return options->hash_given         ? "--hash, and no `msg` to hash"
               : options->personal_message ? "--personal-message, and no `msg`"
                                           : NULL;
    if (given == GECC_HASH_DEFAULT)
        return NULL;
    if (options->personal_message && given != GECC_KECCAK256)
        return "a hash, and personal messages are hashed with keccak256";
    if (group_scheme(group, options) == SCHEME_SM2 && given != GECC_SM3)
        return "a hash, and SM2 signs with sm3";
    return signs_messages(group_scheme(group, options)) ? "a hash, and these signatures are of `msg` as it is" : NULL;
}

/* Ed25519ph is given messages: what it hashes them to is not among its columns. */
static const char *prehash_refuses(const struct options *options, uint32_t present, const struct group *group) {
    bool prehash = options->prehash && group->curve == GECC_CURVE25519;
    return prehash && (present & COLUMN_BIT(DIGEST)) ? "`digest`, and --prehash hashes `msg`" : NULL;
}

/* What is asked for of other signatures than these. */
const char *scheme_has_no(const struct options *options, const struct group *group) {
    const enum scheme scheme = group_scheme(group, options);
    if ((options->low_s || options->any_s) && scheme != SCHEME_ECDSA)
        return options->low_s ? "--low-s, and only ECDSA's signatures have a low s"
                              : "--no-low-s, and only ECDSA's signatures have a low s";
    if (options->sighash_byte && scheme != SCHEME_ECDSA && scheme != SCHEME_BIP340)
        return "--sighash-byte, and only signatures of ECDSA and BIP-340 have one";
    if ((options->accept || options->prehash) && scheme != SCHEME_ED25519)
        return options->accept ? "--accept, and it is no signature of Ed25519"
                               : "--prehash, and it is no signature of Ed25519";
    return NULL;
}

static const char *verify_refuses(const struct options *options, uint32_t present, const struct group *group) {
    const char *reason = scheme_refuses(options, group->curve);
    reason = reason ? reason : scheme_has_no(options, group);
    reason = reason ? reason : prehash_refuses(options, present, group);
    return reason ? reason : hash_refuses(options, present, group);
}

/* More input to the nonce than the scheme has a place for. */
static const char *entropy_refuses(const struct options *options, uint32_t present, const struct group *group) {
    const enum scheme scheme = group_scheme(group, options);
    const uint32_t nonce = present & COLUMN_BIT(NONCE), entropy = present & COLUMN_BIT(ENTROPY);
    if (present & COLUMN_BIT(AUX) && options->scheme != SCHEME_BIP340)
        return "`aux`, and no --scheme bip340";
    if (entropy && scheme == SCHEME_BIP340)
        return "`entropy`, which is `aux` with --scheme bip340";
    if (entropy && scheme == SCHEME_ED25519)
        return "`entropy`, which Ed25519 does not take";
    if (options->hedged && scheme == SCHEME_ED25519)
        return "--hedged, which Ed25519 does not take";
    if (options->hedged && (present & COLUMN_BIT(AUX)))
        return "`aux`, and --hedged draws it";
    if (options->hedged && entropy)
        return "`entropy`, and --hedged draws it";
    if (nonce && (entropy || options->hedged))
        return entropy ? "`nonce`, which takes no `entropy`" : "`nonce`, which --hedged does not change";
    return NULL;
}

static const char *sign_refuses(const struct options *options, uint32_t present, const struct group *group) {
    const char *reason = entropy_refuses(options, present, group);
    if (reason)
        return reason;
    if (present & COLUMN_BIT(NONCE) && signs_messages(group_scheme(group, options)))
        return "a nonce, which these signatures do not take";
    if (present & COLUMN_BIT(NONCE) && !options->dangerous_nonce)
        return "a nonce, and no --dangerous-nonce";
    reason = scheme_refuses(options, group->curve);
    reason = reason ? reason : scheme_has_no(options, group);
    reason = reason ? reason : prehash_refuses(options, present, group);
    bool of_nonces = !(present & COLUMN_BIT(MSG)) && is_sha2(options->hash);
    return reason || of_nonces ? reason : hash_refuses(options, present, group);
}

static const char *scheme_check(const struct options *options) {
    const struct key_file *key = options->private_key.count ? &options->private_key : &options->public_key;
    if (key->count && key->refusal)
        return key->refusal;
    if (options->accept && options->scheme != SCHEME_ED25519 && options->curve != GECC_CURVE25519)
        return "--accept goes with --scheme ed25519";
    if ((options->context || options->prehash) && options->scheme != SCHEME_ED25519 &&
        options->curve != GECC_CURVE25519)
        return options->context ? "--ctx goes with --scheme ed25519" : "--prehash goes with --scheme ed25519";
    if (options->hedged && (options->scheme == SCHEME_ED25519 || options->curve == GECC_CURVE25519))
        return "--hedged: Ed25519 takes no more input to its nonces";
    if (!signs_messages(options->scheme) && options->curve != GECC_CURVE25519)
        return NULL;
    if (options->signature_format == SIGNATURE_DER)
        return "--sig-format der: the scheme has no such signatures";
    return options->hash != GECC_HASH_DEFAULT ? "--hash: the scheme signs `msg` as it is" : NULL;
}

/* e of SM2 where the curve is SM2 and no hash is asked for, else the hash alone. */
static bool is_e(const struct options *options, const struct group *group) {
    return group->curve == GECC_SM2 && group_hash_given(group, options) == GECC_HASH_DEFAULT;
}

static const gecc_operation *digest_operation(const struct options *options, const struct group *group) {
    return gecc_operation_find(is_e(options, group) ? "sm2.digest" : "digest");
}

static const char *digest_refuses(const struct options *options, uint32_t present, const struct group *group) {
    return is_e(options, group) && !(present & COLUMN_BIT(PUB)) ? "SM2's e needs `pub`; for SM3 alone say --hash sm3"
                                                                : NULL;
}

static const char *verify_check(const struct options *options) {
    if (!options->jwt && options->detached)
        return "--detached goes with --jwt";
    if (options->nonce && !options->sd_jwt)
        return "--nonce goes with --sd-jwt";
    if (options->detached && options->sd_jwt)
        return "--detached and --sd-jwt exclude each other";
    if (!options->jwt && options->audience)
        return "--audience goes with --jwt";
    if (options->at_given && !options->jwt && !options->authorities)
        return "--at goes with --jwt, or --x509 and --keys";
    if ((options->depth_given || options->lists_path) && !options->authorities)
        return options->depth_given ? "--depth goes with --x509 and --keys" : "--crl goes with --x509 and --keys";
    if (options->issuer && !options->x509 && !options->jwt)
        return "--issuer goes with --x509 or --jwt";
    if (!options->jwt && !options->x509 && !options->nostr)
        return options->keys.count ? "--keys goes with --jwt or --x509" : scheme_check(options);
    return documents_check(options);
}

static const char *sign_check(const struct options *options) {
    if (!options->jwt && (options->kid || options->typ))
        return options->kid ? "--kid goes with --jwt" : "--typ goes with --jwt";
    if (options->jwt && !options->kid && options->keys.count && options->keys.keys->kid &&
        strlen(options->keys.keys->kid) > MOST_KID_BYTES)
        return "--key-file: the kid of its JWK is longer than 1024 bytes: --kid TEXT gives the key another";
    return options->jwt ? claims_check(options) : scheme_check(options);
}

static const char *digest_check(const struct options *options) {
    if (!options->public_key.count)
        return NULL;
    if (options->public_key.curve != GECC_SM2)
        return "--pub-file: only SM2's e is made with a key";
    return options->hash_given ? "--pub-file: no key goes into what --hash asks for" : NULL;
}

static const struct mapping verify_mapping = {.operation = verify_operation,
                                              .forms = {COLUMN_BIT(PUB) | COLUMN_BIT(DIGEST) | COLUMN_BIT(SIG),
                                                        COLUMN_BIT(PUB) | COLUMN_BIT(MSG) | COLUMN_BIT(SIG)},
                                              .optional = COLUMN_BIT(CURVE) | COLUMN_BIT(HASH) | COLUMN_BIT(ID) |
                                                          COLUMN_BIT(ID_HEX) | COLUMN_BIT(CTX) | COLUMN_BIT(CTX_HEX) |
                                                          COLUMN_BIT(MSG_TEXT) | COLUMN_BIT(TYPED_DATA),
                                              .raw_columns = "pub,digest,sig",
                                              .judges = true,
                                              .curve25519 = true,
                                              .refuses = verify_refuses,
                                              .run = task_run};

static const struct mapping sign_mapping = {
    .operation = sign_operation,
    .forms = {COLUMN_BIT(PRIV) | COLUMN_BIT(DIGEST) | COLUMN_BIT(AUX),
              COLUMN_BIT(PRIV) | COLUMN_BIT(MSG) | COLUMN_BIT(AUX),
              COLUMN_BIT(PRIV) | COLUMN_BIT(DIGEST) | COLUMN_BIT(ENTROPY),
              COLUMN_BIT(PRIV) | COLUMN_BIT(MSG) | COLUMN_BIT(ENTROPY) | COLUMN_BIT(PUB),
              COLUMN_BIT(PRIV) | COLUMN_BIT(MSG) | COLUMN_BIT(ENTROPY),
              COLUMN_BIT(PRIV) | COLUMN_BIT(DIGEST) | COLUMN_BIT(NONCE), COLUMN_BIT(PRIV) | COLUMN_BIT(DIGEST),
              COLUMN_BIT(PRIV) | COLUMN_BIT(MSG) | COLUMN_BIT(NONCE) | COLUMN_BIT(PUB),
              COLUMN_BIT(PRIV) | COLUMN_BIT(MSG) | COLUMN_BIT(NONCE),
              COLUMN_BIT(PRIV) | COLUMN_BIT(MSG) | COLUMN_BIT(PUB), COLUMN_BIT(PRIV) | COLUMN_BIT(MSG)},
    .optional = COLUMN_BIT(CURVE) | COLUMN_BIT(HASH) | COLUMN_BIT(ID) | COLUMN_BIT(ID_HEX) | COLUMN_BIT(CTX) |
                COLUMN_BIT(CTX_HEX) | COLUMN_BIT(MSG_TEXT) | COLUMN_BIT(TYPED_DATA),
    .raw_columns = "priv,digest",
    .results = {{"sig", RESULT_SIG, "the signature, as --sig-format says"},
                {"recid", RESULT_RECID, "the recovery id, 0 to 3; of ECDSA alone"}},
    .secret = true,
    .curve25519 = true,
    .invalid_reason = "the nonce gives no signature",
    .refuses = sign_refuses,
    .run = sign};

static const struct mapping claims_mapping = {.operation = sign_operation,
                                              .forms = {COLUMN_BIT(CLAIMS)},
                                              .results = {{"token", RESULT_TOKEN, "the token"}},
                                              .secret = true,
                                              .curve25519 = true,
                                              .open = claims_open,
                                              .document = COLUMN_CLAIMS,
                                              .of_objects = true,
                                              .made = COLUMN_BIT(PRIV) | COLUMN_BIT(MSG),
                                              .run = sign};

static const struct mapping digest_mapping = {.operation = digest_operation,
                                              .forms = {COLUMN_BIT(MSG) | COLUMN_BIT(PUB), COLUMN_BIT(MSG)},
                                              .optional = COLUMN_BIT(CURVE) | COLUMN_BIT(HASH) | COLUMN_BIT(ID) |
                                                          COLUMN_BIT(ID_HEX) | COLUMN_BIT(MSG_TEXT) |
                                                          COLUMN_BIT(TYPED_DATA),
                                              .raw_columns = "msg",
                                              .results = {{"digest", RESULT_DIGEST, "the digest"}},
                                              .curve_optional = true,
                                              .refuses = digest_refuses,
                                              .run = task_run};

static const struct command verify_command = {
    .name = "verify",
    .summary = "check signatures",
    .description =
        "Check each row's signature over `digest`, or over the hash of `msg`, under the key `pub`; where a row has "
        "both they "
        "have to agree, and all rows have what the first one has. With "
        "--curve SM2 (or a column that says so) signatures are SM2's and `digest` is e. With --scheme bip340 "
        "`pub` is x alone, and what was signed is `digest` or `msg` as it is; so it is with --scheme ed25519, whose "
        "keys "
        "and signatures are as RFC 8032 has them, and which may have a context: Ed25519ctx. With --prehash they are "
        "Ed25519ph's.\n\n"
        "A row reads `valid`, `invalid` (well formed, but it does not verify), `malformed` (the reason is "
        "in its own column) or, of a document that names a key, `no_key`. A high s is accepted unless --low-s is "
        "given.\n\n"
        "With --jwt each line of the input is a signed token (RFC 7515: header.payload.signature), and a row is "
        "`token` with its verdict; or rows of CSV or JSON Lines have one each in a column `token`, and the other "
        "columns "
        "pass through; the token's `kid` and issuer come with it. `alg` has to be one that the key of --pub-file, or "
        "the one "
        "of --keys that the token names, is for: ES256 needs a key on P-256, ES384 on "
        "P-384, ES512 on P-521, ES256K on secp256k1; EdDSA and Ed25519 need an Ed25519 key. Tokens with any other "
        "`alg`, a name twice in the header, `crit` or `b64` are malformed. Claims are checked as --at, --issuer and "
        "--audience ask for.\n\n"
        "With --sd-jwt tokens have disclosures behind them: token~disclosure~...~, and maybe their holder's token. "
        "Besides "
        "what --jwt checks, each disclosure has to have its digest once, by SHA-256, and no digest stands twice; the "
        "holder's "
        "token has typ kb+jwt, is signed with the key in `cnf`, and its sd_hash is that of what is presented. `claims` "
        "are "
        "those of the token and its disclosures, as JSON, and `key_binding` is what the holder signed; rows that are "
        "not "
        "valid have neither. --at and --issuer look at `claims`, --nonce and --audience at `key_binding`, which has to "
        "be "
        "there then; its iat is not looked at.\n\n"
        "With --nostr each row is an event of Nostr: its `id` has to be the SHA-256 of its other members, as NIP-01 "
        "writes them, and `sig` "
        "BIP-340's "
        "signature of the id by `pubkey`. An event with another id reads invalid.\n\n"
        "With --x509 the input is certificates, and a row is the `number` of one, its `subject` and `serial`, and "
        "whether its signature is valid under the key of --issuer: ECDSA with SHA-256, SHA-384 or SHA-512, Ed25519 or, "
        "where "
        "that key is on SM2, SM2 with SM3. In PEM requests, lists of revoked certificates and PKCS #7 are malformed "
        "rows, keys and "
        "text are left out. Rows of CSV or JSON Lines may have one each in a column `certificate`, in PEM, or in DER "
        "that "
        "is written in hexadecimal or base64; their results come behind the other columns. With --issuer that is all "
        "that is checked: not the issuer's name, dates, uses, chains or "
        "revocation.\n\n"
        "With --x509 --keys each certificate is checked under the CA that it names, by its name, byte by byte, and its "
        "key identifier; `issuer` is that name, `issuer_sha256` the SHA-256 of the CA's certificate under which it is "
        "valid. A certificate whose issuer is not there reads `no_key`. An issuer has to be a CA (basicConstraints) "
        "whose key is for certificates (keyUsage); with --depth it may be one of the input to which a chain leads, "
        "within path lengths. Critical extensions that are not looked at, such as name constraints, make invalid. "
        "Times are "
        "looked at with --at, revocation with --crl; the uses and names that certificates are for, and their own keys, "
        "are not. `signer_id` is the "
        "id with which a signature of SM2 is valid: default, empty or, with --id, given.",
    .examples =
        "gecc verify --curve secp256k1 signatures.csv\n"
        "gecc verify --pub-file key.pem rows.csv\n"
        "gecc verify --curve P-256 --format jsonl -o verdicts.jsonl < rows.jsonl\n"
        "gecc verify --jwt --pub-file issuer.pem tokens.txt.gz\n"
        "gecc verify --jwt --keys jwks.json --at now --audience api tokens.txt\n"
        "gecc verify --sd-jwt --keys issuers.json --at now --nonce 1f7a --audience https://me.example presented.txt\n"
        "gecc verify --nostr events.jsonl.gz\n"
        "gecc verify --x509 --issuer ca.pem certificates.pem\n"
        "gecc verify --x509 --keys cas.pem --depth 2 --at now --crl crls.pem certificates.pem\n"
        "gecc verify --scheme bip340 --sighash-byte inputs.csv\n"
        "gecc verify --scheme ed25519 --accept zip215 votes.csv\n"
        "gecc verify --pub-file ~/.ssh/id_ed25519.pub signed.jsonl\n",
    .options = OPTIONS_COMMON | OPTIONS_PUBLIC_KEY | OPTIONS_ROWS | OPTIONS_CONTEXT | OPTIONS_CURVE |
               OPTIONS_SIGNATURE | OPTIONS_LOW_S | OPTIONS_MESSAGE | OPTIONS_DIGEST | OPTIONS_SCHEME | OPTIONS_SIGHASH |
               OPTIONS_RECORDS | OPTIONS_KEY_CACHE | OPTIONS_ACCEPT | OPTIONS_ED25519,
    .check = verify_check,
    .mapping = &verify_mapping,
    .jwt_mapping = &jwt_mapping,
    .detached_mapping = &detached_mapping,
    .sd_jwt_mapping = &sd_jwt_mapping,
    .nostr_mapping = &nostr_mapping,
    .x509_mapping = &x509_mapping,
    .authorities_mapping = &authorities_mapping};

static const struct command sign_command = {
    .name = "sign",
    .summary = "sign digests or messages",
    .description =
        "Sign each row's `digest`, or the hash of `msg`, with the key `priv`, with the deterministic nonces "
        "of RFC 6979. All rows have what the first one has. On secp256k1 s is made low unless --no-low-s is given. "
        "With a "
        "column `entropy`, or with --hedged, which draws it, two signatures of one digest have different nonces (RFC "
        "6979, "
        "3.6): so it should be where somebody may disturb or watch the machine.\n\n"
        "With --curve SM2 signatures are SM2's and `digest` is e; from `msg`, e is computed with `pub`, or "
        "with the public key of `priv` where there is no such column.\n\n"
        "With --scheme bip340 what is signed is `digest` or `msg` as it is, with the auxiliary randomness of "
        "the column `aux`, or that of --hedged, zeros where there is neither. With --scheme ed25519 `priv` is a seed, "
        "and `digest` or `msg` is "
        "signed as it is; with a context it is Ed25519ctx, with --prehash Ed25519ph.\n\n"
        "With --jwt each object of JSON Lines is a set of claims, and becomes a `token` (RFC 7519), with the bytes of "
        "the "
        "object as its payload; of CSV a column `claims` has the JSON. Its `alg` is that of the key in --key-file: "
        "ES256 "
        "on P-256, ES384, ES512, ES256K on secp256k1, or EdDSA on Ed25519, also where the `alg` of a JWK is Ed25519. A "
        "claim twice is malformed, and so are `iss`, `sub` "
        "and "
        "`jti` that are no strings, `exp`, `nbf` and `iat` that are no finite numbers, and an `aud` that is neither a "
        "string nor "
        "an array of strings; else claims are what the rows say.\n\n"
        "Columns pass through, private keys too. A file that -o names can be read by its owner only, be it there "
        "before or not.",
    .examples = "gecc sign --curve P-256 --sig-format der requests.csv > signed.csv\n"
                "gecc sign --curve SM2 --id ALICE123@YAHOO.COM messages.jsonl\n"
                "gecc sign --key-file key.pem --hedged --verify-signatures requests.csv\n"
                "gecc sign --scheme ed25519 --ctx updates messages.csv\n"
                "gecc sign --jwt --key-file key.pem claims.jsonl > tokens.jsonl\n",
    .options = OPTIONS_COMMON | OPTIONS_PRIVATE_KEY | OPTIONS_ROWS | OPTIONS_CONTEXT | OPTIONS_CURVE |
               OPTIONS_SIGNATURE | OPTIONS_LOW_S | OPTIONS_SIGN | OPTIONS_MESSAGE | OPTIONS_DIGEST | OPTIONS_SCHEME |
               OPTIONS_ED25519,
    .check = sign_check,
    .mapping = &sign_mapping,
    .jwt_mapping = &claims_mapping};

const struct command *const signature_commands[] = {&verify_command, &sign_command, &command_recover, NULL};

const struct command command_digest = {
    .name = "digest",
    .summary = "hash messages",
    .description =
        "The hash of each row's `msg` (hexadecimal, may be empty).\n\n"
        "With --curve SM2 and without --hash it is SM2's e = SM3(Z || msg), for which `pub` or --pub-file is needed "
        "and `sm2_id` or --id may be given.",
    .examples = "gecc digest --hash keccak256 messages.csv\n"
                "gecc digest --curve SM2 messages.csv | gecc verify --curve SM2\n"
                "gecc digest --pub-file sm2.pem messages.csv\n",
    .options = OPTIONS_COMMON | OPTIONS_PUBLIC_KEY | OPTIONS_ROWS | OPTIONS_CONTEXT | OPTIONS_CURVE | OPTIONS_MESSAGE,
    .check = digest_check,
    .mapping = &digest_mapping};
