/* pubkey, ecdh, mul and add: points. */
#include "commands/commands.h"

#include "keys/jwk_text.h"
#include "rows/decode.h"
#include "rows/result_names.h"
#include "rows/sums.h"
#include "rows/task.h"

#include <string.h>

static const gecc_operation *pubkey_operation(const struct options *options, const struct group *group) {
    const bool has_private = (group->form & COLUMN_BIT(PRIV)) != 0;
    return gecc_operation_find(options->scheme == SCHEME_BIP340    ? "schnorr.public_key"
                               : options->scheme == SCHEME_ED25519 ? "ed25519.public_key"
                               : options->scheme == SCHEME_X25519  ? "x25519_public_key"
                               : has_private                       ? "ec.public_key"
                                                                   : "ec.convert");
}

static const char *pubkey_refuses(const struct options *options, uint32_t present, const struct group *group) {
    gecc_curve curve = group->curve;
    const bool of_curve25519 = options->scheme == SCHEME_ED25519 || options->scheme == SCHEME_X25519;
    if (options->scheme == SCHEME_SM2 && curve && curve != GECC_SM2)
        return "SM2's keys are on the curve SM2";
    if (curve == GECC_CURVE25519 && !of_curve25519)
        return "keys on Curve25519 are of --scheme ed25519 or of --scheme x25519";
    if (of_curve25519 && curve && curve != GECC_CURVE25519)
        return "keys of Ed25519 and X25519 are on Curve25519";
    if (of_curve25519)
        return present & COLUMN_BIT(PRIV) ? NULL : "no `priv`; public keys of Curve25519 have one encoding";
    if (options->scheme != SCHEME_BIP340)
        return NULL;
    if (curve && curve != GECC_SECP256K1)
        return "BIP-340's keys are on secp256k1";
    return present & COLUMN_BIT(PRIV) ? NULL : "--scheme bip340, and no `priv`; of a point take x";
}

const char *jwk_refusal(const struct options *options, gecc_curve curve) {
    return options->point_format != GECC_POINT_UNCOMPRESSED ? "--point-format, and a JWK has x and y"
           : options->scheme == SCHEME_BIP340               ? "--scheme bip340, and JSON Web Keys have no keys of it"
           : curve && !jwk_has_curve(curve)
               ? "a key on a curve that JSON Web Keys do not have: P-256, P-384, P-521, secp256k1, Curve25519"
               : NULL;
}

static const char *jwk_check(const struct options *options) {
    return is_jwk(options->output_format) ? jwk_refusal(options, options->curve) : NULL;
}

static const char *jwk_refuses(const struct options *options, uint32_t present, const struct group *group) {
    const char *reason = jwk_refusal(options, group->curve);
    return reason ? reason : pubkey_refuses(options, present, group);
}

/* The points are replaced by keys. */
static gecc_result jwk_run(struct task *task) {
    const gecc_out out = task_result(task, 0);
    gecc_result result = task_run(task);
    if (result == GECC_OK)
        result = jwk_write(task->context, (char(*)[JWK_BYTES])out.data, task->group->curve, task->options->scheme,
                           out.data, out.stride, NULL, task->count);
    for (size_t i = 0; i < task->count; i++)
        out.widths[i] = result == GECC_OK ? (uint32_t)strlen((const char *)out.data + i * out.stride) : 0;
    return result;
}

static const gecc_operation *ecdh_operation(const struct options *options, const struct group *group) {
    (void)options;
    return gecc_operation_find(group->curve == GECC_CURVE25519 ? "x25519" : "ecdh");
}

static const char *ecdh_refuses(const struct options *options, uint32_t present, const struct group *group) {
    if (group->curve == GECC_CURVE25519 && options->scheme == SCHEME_ED25519)
        return "a key of Ed25519, and X25519 has others";
    return options->public_key.count && (present & COLUMN_BIT(PEER)) ? "`peer`, and --pub-file" : NULL;
}

static const gecc_operation *mul_operation(const struct options *options, const struct group *group) {
    (void)options;
    return gecc_operation_find(group->form & COLUMN_BIT(U)       ? "ec.mul_add"
                               : group->form & COLUMN_BIT(POINT) ? "ec.mul"
                                                                 : "ec.mul_base");
}

static const gecc_operation *add_operation(const struct options *options, const struct group *group) {
    (void)options;
    (void)group;
    return gecc_operation_find("ec.add");
}

static const struct mapping pubkey_mapping = {
    .operation = pubkey_operation,
    .forms = {COLUMN_BIT(PRIV), COLUMN_BIT(PUB), COLUMN_BIT(POINT)},
    .optional = COLUMN_BIT(CURVE),
    .raw_columns = "priv",
    .results = {{"pub", RESULT_POINT, "the public key, or the point in its new encoding"}},
    .secret = true,
    .curve25519 = true,
    .refuses = pubkey_refuses,
    .run = task_run};

static const struct mapping jwk_mapping = {.operation = pubkey_operation,
                                           .forms = {COLUMN_BIT(PRIV), COLUMN_BIT(PUB), COLUMN_BIT(POINT)},
                                           .optional = COLUMN_BIT(CURVE),
                                           .overruled = COLUMN_BIT(PUB) | COLUMN_BIT(POINT),
                                           .raw_columns = "priv",
                                           .results = {{"jwk", RESULT_JWK, "the public key"}},
                                           .secret = true,
                                           .curve25519 = true,
                                           .refuses = jwk_refuses,
                                           .run = jwk_run};

static const struct mapping ecdh_mapping = {
    .operation = ecdh_operation,
    .forms = {COLUMN_BIT(PRIV) | COLUMN_BIT(PEER), COLUMN_BIT(PRIV) | COLUMN_BIT(PUB)},
    .optional = COLUMN_BIT(CURVE),
    .raw_columns = "priv,peer",
    .results = {{"shared", RESULT_X, "the x coordinate of priv * peer, not hashed; of X25519 u"}},
    .secret = true,
    .curve25519 = true,
    .invalid_reason = "the peer's key has small order",
    .refuses = ecdh_refuses,
    .run = task_run};

static const struct mapping mul_mapping = {
    .operation = mul_operation,
    .forms = {COLUMN_BIT(U) | COLUMN_BIT(V) | COLUMN_BIT(POINT), COLUMN_BIT(SCALAR) | COLUMN_BIT(POINT),
              COLUMN_BIT(SCALAR)},
    .optional = COLUMN_BIT(CURVE),
    .raw_columns = "scalar,point",
    .results = {{"point", RESULT_POINT, "the result; 00 is the point at infinity"}},
    .secret = true,
    .run = task_run};

static bool sum_accepts(const struct options *options, uint32_t form) {
    return ((form & COLUMN_BIT(GROUP)) != 0) == (options->group_by != NULL);
}

static const struct mapping sum_mapping = {
    .operation = mul_operation,
    .forms = {COLUMN_BIT(SCALAR) | COLUMN_BIT(POINT) | COLUMN_BIT(GROUP), COLUMN_BIT(SCALAR) | COLUMN_BIT(POINT)},
    .optional = COLUMN_BIT(CURVE),
    .raw_columns = "scalar,point",
    .results = {{"point", RESULT_POINT, "with --sum: the sum"},
                {"terms", RESULT_NONE, "with --sum: how many rows are terms of it"},
                {"curve", RESULT_NONE, "with --sum: the curve of its terms"}},
    .sums = true,
    .accepts = sum_accepts,
    .run = sums_convert};

static const char *mul_check(const struct options *options) {
    const char *name = options->group_by;
    if (!options->sum)
        return name ? "--group-by goes with --sum" : NULL;
    if (!options->public_scalars)
        return "--sum takes a time that depends on the scalars: say --public if they are";
    if (options->backend && strcmp(options->backend, "cuda") == 0)
        return "--sum and --backend cuda: GPUs have no program for sums; auto leaves them to the CPU";
    if (name && column_find(&mul_mapping, options, name, strlen(name)) != COLUMN_COUNT)
        return "--group-by names a column of the terms themselves";
    if (name && result_name_find(&sum_mapping, options, name, strlen(name)) != RESULT_NAMES)
        return "--group-by names a column that has the name of a result: --prefix gives results other names";
    return NULL;
}

static const struct mapping add_mapping = {.operation = add_operation,
                                           .forms = {COLUMN_BIT(A) | COLUMN_BIT(B)},
                                           .optional = COLUMN_BIT(CURVE),
                                           .raw_columns = "a,b",
                                           .results = {{"point", RESULT_POINT, "a + b; 00 is the point at infinity"}},
                                           .run = task_run};

enum { OPTIONS_OF_POINTS = OPTIONS_COMMON | OPTIONS_ROWS | OPTIONS_CONTEXT | OPTIONS_CURVE };

static const struct command pubkey_command = {
    .name = "pubkey",
    .summary = "compute public keys, or write points in another encoding",
    .description =
        "The public key of each row's `priv`. Rows with a column `pub` or `point` instead are checked to be "
        "on the curve and written as --point-format says. With --scheme bip340 a public key is x alone, with "
        "--scheme ed25519 `priv` is a seed, and with --scheme x25519 the keys are X25519's.\n\n"
        "With --jwk or --jwks nothing but keys is written, no status: a row without a key is an error, unless --only "
        "ok "
        "leaves it out. `pub` and `point` are not read beside `priv` then.",
    .examples = "gecc pubkey --curve secp256k1 --point-format compressed keys.csv\n"
                "gecc pubkey --scheme bip340 keys.csv\n"
                "gecc pubkey --scheme ed25519 seeds.csv\n"
                "gecc pubkey --jwks -o jwks.json keys.csv\n",
    .options = OPTIONS_OF_POINTS | OPTIONS_POINT | OPTIONS_SCHEME | OPTIONS_JWK,
    .check = jwk_check,
    .mapping = &pubkey_mapping,
    .jwk_mapping = &jwk_mapping};

static const struct command ecdh_command = {
    .name = "ecdh",
    .summary = "compute shared secrets",
    .description =
        "The shared secret of `priv` and the other side's public key, `peer` or `pub` (SP 800-56A, 5.7.1.2; on "
        "Curve25519 X25519, RFC 7748).",
    .examples = "gecc ecdh --curve P-256 handshakes.jsonl\n"
                "gecc ecdh --curve X25519 handshakes.csv\n"
                "gecc ecdh --key-file mine.pem peers.csv\n"
                "gecc ecdh --pub-file theirs.pem keys.csv\n",
    .options = OPTIONS_OF_POINTS | OPTIONS_PUBLIC_KEY | OPTIONS_PRIVATE_KEY,
    .mapping = &ecdh_mapping};

static const struct command mul_command = {
    .name = "mul",
    .summary = "multiply points by scalars",
    .description =
        "With `scalar` and `point`, scalar * point; with `scalar` alone, scalar * G; with `u`, `v` and "
        "`point`, u * G + v * point. Scalars have at most as many bytes as the order and are taken modulo "
        "it; they are secret unless --public says otherwise.\n\n"
        "With --sum and --public rows are terms, `scalar` and `point`, on the curves of `gecc mul`, and what "
        "is written is their sum: one row with `status`, `reason`, `line`, `point`, `terms`, the number of "
        "rows that are terms of it, and `curve`; with --group-by COLUMN a row for each value of COLUMN, "
        "which stands first, in the order of the input. Memory does not grow with rows or sums: rows of a "
        "sum follow each other, and a value that comes back after others is an error, as long as it is one "
        "of the first 1048576. A term that is malformed, or on another curve than those before it, makes its "
        "sum malformed, and no other: `reason` and `line` are those of the first such term. A line of which "
        "the value of COLUMN cannot be read makes the sums before and after it malformed, as it may be of "
        "either. --only is about sums, --expect-rows about rows. Of no rows (--allow-empty) the sum is "
        "infinity. Raw rows have one sum, of which a status and a point are written.",
    .examples = "gecc mul --curve P-256 --public scalars.csv\n"
                "gecc mul --sum --public --curve P-256 terms.csv\n"
                "gecc mul --sum --public --curve secp256k1 --group-by block terms.csv\n",
    .check = mul_check,
    .options = OPTIONS_OF_POINTS | OPTIONS_POINT | OPTIONS_MUL,
    .mapping = &mul_mapping,
    .sum_mapping = &sum_mapping};

static const struct command add_command = {.name = "add",
                                           .summary = "add points",
                                           .description = "The sum of the points `a` and `b`.",
                                           .examples = "gecc add --curve SM2 pairs.csv\n",
                                           .options = OPTIONS_OF_POINTS | OPTIONS_POINT,
                                           .mapping = &add_mapping};

const struct command *const point_commands[] = {&pubkey_command, &ecdh_command, &mul_command, &add_command, NULL};
