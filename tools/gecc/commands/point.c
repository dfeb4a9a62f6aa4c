/* pubkey, ecdh, mul and add: points. */
#include "commands/commands.h"

#include "rows/batch.h"

static gecc_result pubkey(struct task *task) {
    gecc_out out = task_result(task, 0);
    uint32_t form = task->group->form;
    if (task->options->scheme == SCHEME_BIP340)
        return gecc_schnorr_public_key(task->context, out, task_status(task), task_rows(task, COLUMN_PRIV), task->count,
                                       &task->call);
    if (task->options->scheme == SCHEME_ED25519)
        return gecc_ed25519_public_key(task->context, out, task_status(task), task_rows(task, COLUMN_PRIV), task->count,
                                       &task->call);
    if (task->options->scheme == SCHEME_X25519)
        return gecc_x25519_public_key(task->context, out, task_status(task), task_rows(task, COLUMN_PRIV), task->count,
                                      &task->call);
    if (form & COLUMN_BIT(PRIV))
        return gecc_ec_public_key(task->context, task->group->curve, out, task_status(task),
                                  task_rows(task, COLUMN_PRIV), task->count, &task->call);
    gecc_rows point = task_rows(task, form & COLUMN_BIT(PUB) ? COLUMN_PUB : COLUMN_POINT);
    return gecc_ec_convert(task->context, task->group->curve, out, task_status(task), point, task->count, &task->call);
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

static gecc_result ecdh(struct task *task) {
    gecc_rows peer = task_rows(task, task->group->form & COLUMN_BIT(PEER) ? COLUMN_PEER : COLUMN_PUB);
    if (task->group->curve == GECC_CURVE25519)
        return gecc_x25519(task->context, task_result(task, 0), task_status(task), task_rows(task, COLUMN_PRIV), peer,
                           task->count, &task->call);
    return gecc_ecdh(task->context, task->group->curve, task_result(task, 0), task_status(task),
                     task_rows(task, COLUMN_PRIV), peer, task->count, &task->call);
}

static const char *ecdh_refuses(const struct options *options, uint32_t present, const struct group *group) {
    if (group->curve == GECC_CURVE25519 && options->scheme == SCHEME_ED25519)
        return "a key of Ed25519, and X25519 has others";
    return options->public_key.count && (present & COLUMN_BIT(PEER)) ? "`peer`, and --pub-file" : NULL;
}

static gecc_result mul(struct task *task) {
    gecc_context *context = task->context;
    gecc_curve curve = task->group->curve;
    gecc_out out = task_result(task, 0);
    if (task->group->form & COLUMN_BIT(U))
        return gecc_ec_mul_add(context, curve, out, task_status(task), task_rows(task, COLUMN_U),
                               task_rows(task, COLUMN_V), task_rows(task, COLUMN_POINT), task->count, &task->call);
    gecc_rows k = task_rows(task, COLUMN_SCALAR);
    if (task->group->form & COLUMN_BIT(POINT))
        return gecc_ec_mul(context, curve, out, task_status(task), k, task_rows(task, COLUMN_POINT), task->count,
                           &task->call);
    return gecc_ec_mul_base(context, curve, out, task_status(task), k, task->count, &task->call);
}

static gecc_result add(struct task *task) {
    return gecc_ec_add(task->context, task->group->curve, task_result(task, 0), task_status(task),
                       task_rows(task, COLUMN_A), task_rows(task, COLUMN_B), task->count, &task->call);
}

static const struct mapping pubkey_mapping = {
    .kinds = {[COLUMN_CURVE] = KIND_CURVE,
              [COLUMN_PRIV] = KIND_SCALAR,
              [COLUMN_PUB] = KIND_POINT,
              [COLUMN_POINT] = KIND_POINT},
    .forms = {COLUMN_BIT(PRIV), COLUMN_BIT(PUB), COLUMN_BIT(POINT)},
    .optional = COLUMN_BIT(CURVE),
    .raw_columns = "priv",
    .results = {{"pub", RESULT_POINT, "the public key, or the point in its new encoding"}},
    .secret = true,
    .curve25519 = true,
    .refuses = pubkey_refuses,
    .run = pubkey};

static const struct mapping ecdh_mapping = {
    .kinds = {[COLUMN_CURVE] = KIND_CURVE,
              [COLUMN_PRIV] = KIND_SCALAR,
              [COLUMN_PEER] = KIND_POINT,
              [COLUMN_PUB] = KIND_POINT},
    .forms = {COLUMN_BIT(PRIV) | COLUMN_BIT(PEER), COLUMN_BIT(PRIV) | COLUMN_BIT(PUB)},
    .optional = COLUMN_BIT(CURVE),
    .raw_columns = "priv,peer",
    .results = {{"shared", RESULT_X, "the x coordinate of priv * peer, not hashed; of X25519 u"}},
    .secret = true,
    .curve25519 = true,
    .invalid_reason = "the peer's key has small order",
    .refuses = ecdh_refuses,
    .run = ecdh};

static const struct mapping mul_mapping = {
    .kinds = {[COLUMN_CURVE] = KIND_CURVE,
              [COLUMN_SCALAR] = KIND_SCALAR,
              [COLUMN_POINT] = KIND_POINT,
              [COLUMN_U] = KIND_SCALAR,
              [COLUMN_V] = KIND_SCALAR},
    .forms = {COLUMN_BIT(U) | COLUMN_BIT(V) | COLUMN_BIT(POINT), COLUMN_BIT(SCALAR) | COLUMN_BIT(POINT),
              COLUMN_BIT(SCALAR)},
    .optional = COLUMN_BIT(CURVE),
    .raw_columns = "scalar,point",
    .results = {{"point", RESULT_POINT, "the result; 00 is the point at infinity"}},
    .secret = true,
    .run = mul};

static const struct mapping add_mapping = {
    .kinds = {[COLUMN_CURVE] = KIND_CURVE, [COLUMN_A] = KIND_POINT, [COLUMN_B] = KIND_POINT},
    .forms = {COLUMN_BIT(A) | COLUMN_BIT(B)},
    .optional = COLUMN_BIT(CURVE),
    .raw_columns = "a,b",
    .results = {{"point", RESULT_POINT, "a + b; 00 is the point at infinity"}},
    .run = add};

enum { OPTIONS_OF_POINTS = OPTIONS_COMMON | OPTIONS_ROWS | OPTIONS_CONTEXT | OPTIONS_CURVE };

static const struct command pubkey_command = {
    .name = "pubkey",
    .summary = "compute public keys, or write points in another encoding",
    .description =
        "The public key of each row's `priv`. Rows with a column `pub` or `point` instead are checked to be "
        "on the curve and written as --point-format says. With --scheme bip340 a public key is x alone, with "
        "--scheme ed25519 `priv` is a seed, and with --scheme x25519 the keys are X25519's.",
    .examples = "gecc pubkey --curve secp256k1 --point-format compressed keys.csv\n"
                "gecc pubkey --scheme bip340 keys.csv\n"
                "gecc pubkey --scheme ed25519 seeds.csv\n",
    .options = OPTIONS_OF_POINTS | OPTIONS_POINT | OPTIONS_SCHEME,
    .mapping = &pubkey_mapping};

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
    .description = "With `scalar` and `point`, scalar * point; with `scalar` alone, scalar * G; with `u`, `v` and "
                   "`point`, u * G + v * point. Scalars have at most as many bytes as the order and are taken modulo "
                   "it; they are secret unless --public says otherwise.",
    .examples = "gecc mul --curve P-256 --public scalars.csv\n",
    .options = OPTIONS_OF_POINTS | OPTIONS_POINT | OPTIONS_MUL,
    .mapping = &mul_mapping};

static const struct command add_command = {.name = "add",
                                           .summary = "add points",
                                           .description = "The sum of the points `a` and `b`.",
                                           .examples = "gecc add --curve SM2 pairs.csv\n",
                                           .options = OPTIONS_OF_POINTS | OPTIONS_POINT,
                                           .mapping = &add_mapping};

const struct command *const point_commands[] = {&pubkey_command, &ecdh_command, &mul_command, &add_command, NULL};
