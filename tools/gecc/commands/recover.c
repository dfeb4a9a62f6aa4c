/* recover: the keys that made ECDSA signatures, or their addresses, which are compared with those that the rows
 * name. */
#include "ethereum/checksum.h"
#include "commands/commands.h"

#include "rows/task.h"

#include <stdlib.h>
#include <string.h>

/* Rows of some width that are computed from a column or a result, each with its status. */
struct computed {
    size_t width;
    uint8_t *bytes, *status;
};

static void computed_free(struct computed *computed) {
    free(computed->bytes);
    free(computed->status);
}

/* The addresses of keys or, for a width other than theirs, the keys as x || y. */
static gecc_result compute(const struct task *task, struct computed *out, size_t width, gecc_rows keys) {
    gecc_options options = GECC_OPTIONS_INIT;
    options.point_format = GECC_POINT_RAW;
    *out = (struct computed){width, malloc(task->count * width), malloc(task->count)};
    if (!out->bytes || !out->status)
        return GECC_ERROR_MEMORY;
    gecc_out bytes = gecc_out_packed(out->bytes, width), status = gecc_out_packed(out->status, 1);
    if (width == GECC_ADDRESS_BYTES)
        return gecc_ethereum_address(task->context, bytes, status, keys, task->count, NULL);
    return gecc_ec_convert(task->context, task->group->curve, bytes, status, keys, task->count, &options);
}

/* A row with a result of which this is not what the column says, `expected`, reads invalid; one that says nothing right
 * is malformed. */
static void compare(struct task *task, enum column column, const uint8_t *found, const struct computed *expected) {
    const struct batch *batch = task->batch;
    for (size_t i = 0; i < task->count; i++) {
        struct row *row = &batch->rows[batch->order[task->group->first + i]];
        if (task->status[i] != GECC_ITEM_OK || row->refusal.text)
            continue;
        if (expected->status[i] != GECC_ITEM_OK) {
            row_refuse(row, column, gecc_item_text(expected->status[i]));
            row->slot = SLOT_NONE;
        } else if (memcmp(found + i * expected->width, expected->bytes + i * expected->width, expected->width) != 0) {
            row_differs(row, column);
        }
    }
}

/* The same with the column `address`. */
static gecc_result compare_address(struct task *task, const uint8_t *found) {
    gecc_rows rows = task_rows(task, COLUMN_ADDRESS);
    struct computed expected = {GECC_ADDRESS_BYTES, malloc(task->count * GECC_ADDRESS_BYTES), malloc(task->count)};
    gecc_result result = expected.bytes && expected.status ? GECC_OK : GECC_ERROR_MEMORY;
    for (size_t i = 0; result == GECC_OK && i < task->count; i++) {
        size_t width;
        memcpy(expected.bytes + i * GECC_ADDRESS_BYTES, row_at(&rows, i, &width), GECC_ADDRESS_BYTES);
        expected.status[i] = GECC_ITEM_OK;
    }
    if (result == GECC_OK)
        compare(task, COLUMN_ADDRESS, found, &expected);
    computed_free(&expected);
    return result;
}

/* Compare keys that were found with a column of the rows. */
static gecc_result compare_keys(struct task *task, enum column column, size_t width, gecc_rows keys) {
    struct computed found = {0}, expected = {0};
    gecc_result result = compute(task, &found, width, keys);
    if (result == GECC_OK && column == COLUMN_ADDRESS)
        result = compare_address(task, found.bytes);
    else if (result == GECC_OK)
        result = compute(task, &expected, width, task_rows(task, column));
    if (result == GECC_OK && column != COLUMN_ADDRESS)
        compare(task, column, found.bytes, &expected);
    computed_free(&found);
    computed_free(&expected);
    return result;
}

static gecc_result recover(struct task *task) {
    const gecc_curve curve = task->group->curve;
    gecc_out out = task_result(task, 0);
    gecc_rows keys =
        gecc_rows_strided(out.data, result_width(task->batch->mapping, 0, task->options, task->group), out.stride);
    gecc_result result = task_run(task);
    if (result == GECC_OK && task_has(task, COLUMN_BIT(PUB)))
        result = compare_keys(task, COLUMN_PUB, gecc_point_bytes(curve, GECC_POINT_RAW), keys);
    if (result == GECC_OK && task_has(task, COLUMN_BIT(ADDRESS)))
        result = compare_keys(task, COLUMN_ADDRESS, GECC_ADDRESS_BYTES, keys);
    return result;
}

/* Addresses as text to the result, from rows of bytes: "0x" and checksummed digits. */
static gecc_result put_addresses(const struct task *task, const uint8_t (*addresses)[GECC_ADDRESS_BYTES]) {
    gecc_out out = task_result(task, 0);
    char(*texts)[ADDRESS_DIGITS] = malloc(task->count * sizeof *texts);
    gecc_result result = texts ? checksum_addresses(task->context, texts, addresses, task->count) : GECC_ERROR_MEMORY;
    for (size_t i = 0; result == GECC_OK && i < task->count; i++) {
        char *text = (char *)out.data + i * out.stride;
        text[0] = '0';
        text[1] = 'x';
        memcpy(text + 2, texts[i], ADDRESS_DIGITS);
    }
    free(texts);
    return result;
}

/* Without a recovery id the signature is r || s || v. */
static gecc_result recover_addresses(struct task *task, uint8_t (*addresses)[GECC_ADDRESS_BYTES], gecc_rows digest) {
    const size_t point = gecc_point_bytes(GECC_SECP256K1, GECC_POINT_RAW);
    gecc_out out = gecc_out_packed(addresses, sizeof *addresses);
    gecc_rows signature = task_rows(task, COLUMN_SIG);
    if (!task_has(task, COLUMN_BIT(RECID)))
        return gecc_ethereum_recover(task->context, out, task_status(task), digest, signature, task->count,
                                     &task->call);
    uint8_t *keys = malloc(task->count * point), *ignored = malloc(task->count);
    gecc_result result = GECC_ERROR_MEMORY;
    task->call.point_format = GECC_POINT_RAW;
    if (keys && ignored)
        result = gecc_ecdsa_recover(task->context, GECC_SECP256K1, gecc_out_packed(keys, point), task_status(task),
                                    digest, signature, task_rows(task, COLUMN_RECID), task->count, &task->call);
    if (result == GECC_OK)
        result = gecc_ethereum_address(task->context, out, gecc_out_packed(ignored, 1), gecc_rows_packed(keys, point),
                                       task->count, NULL);
    free(keys);
    free(ignored);
    return result;
}

static gecc_result compare_public_keys(struct task *task, const uint8_t *addresses) {
    struct computed expected;
    gecc_result result = compute(task, &expected, GECC_ADDRESS_BYTES, task_rows(task, COLUMN_PUB));
    if (result == GECC_OK)
        compare(task, COLUMN_PUB, addresses, &expected);
    computed_free(&expected);
    return result;
}

static gecc_result recover_address(struct task *task) {
    gecc_rows digest;
    uint8_t(*addresses)[GECC_ADDRESS_BYTES] = malloc(task->count * sizeof *addresses);
    gecc_result result = addresses ? task_digests(task, &digest) : GECC_ERROR_MEMORY;
    if (result == GECC_OK)
        result = recover_addresses(task, addresses, digest);
    if (result == GECC_OK)
        result = put_addresses(task, (const uint8_t(*)[GECC_ADDRESS_BYTES])addresses);
    if (result == GECC_OK && task_has(task, COLUMN_BIT(ADDRESS)))
        result = compare_address(task, (const uint8_t *)addresses);
    if (result == GECC_OK && task_has(task, COLUMN_BIT(PUB)))
        result = compare_public_keys(task, (const uint8_t *)addresses);
    free(addresses);
    return result;
}

static const char *personal_check(const struct options *options) {
    return options->personal_message && options->hash != GECC_HASH_DEFAULT && options->hash != GECC_KECCAK256
               ? "--hash: personal messages are hashed with keccak256"
               : NULL;
}

static const char *address_refuses(const struct options *options, uint32_t present, const struct group *group) {
    if (group->curve && group->curve != GECC_SECP256K1)
        return "addresses are of keys on secp256k1";
    return hash_refuses(options, present, group);
}

static const char *recover_refuses(const struct options *options, uint32_t present, const struct group *group) {
    if (group->curve == GECC_SM2)
        return "keys are not recovered from SM2 signatures";
    if ((present & COLUMN_BIT(ADDRESS)) && group->curve && group->curve != GECC_SECP256K1)
        return "an `address`, which keys on secp256k1 have";
    if ((present & COLUMN_BIT(V)) && group->curve && group->curve != GECC_SECP256K1)
        return "a `v`, which signatures on secp256k1 have; on other curves it is `recid`";
    return hash_refuses(options, present, group);
}

static const gecc_operation *recover_operation(const struct options *options, const struct group *group) {
    (void)options;
    (void)group;
    return gecc_operation_find("ecdsa.recover");
}

static const struct mapping recover_mapping = {.operation = recover_operation,
                                               .forms = {COLUMN_BIT(DIGEST) | COLUMN_BIT(SIG) | COLUMN_BIT(RECID),
                                                         COLUMN_BIT(MSG) | COLUMN_BIT(SIG) | COLUMN_BIT(RECID)},
                                               .optional = COLUMN_BIT(CURVE) | COLUMN_BIT(HASH) | COLUMN_BIT(MSG_TEXT) |
                                                           COLUMN_BIT(TYPED_DATA) | COLUMN_BIT(V) | COLUMN_BIT(PUB) |
                                                           COLUMN_BIT(ADDRESS),
                                               .compared = COLUMN_BIT(PUB) | COLUMN_BIT(ADDRESS),
                                               .raw_columns = "digest,sig,recid",
                                               .results = {{"pub", RESULT_POINT, "the public key"}},
                                               .invalid_reason = "no key has this signature",
                                               .refuses = recover_refuses,
                                               .run = recover};

static const struct mapping address_mapping = {
    .operation = recover_operation,
    .forms = {COLUMN_BIT(DIGEST) | COLUMN_BIT(SIG) | COLUMN_BIT(RECID),
              COLUMN_BIT(MSG) | COLUMN_BIT(SIG) | COLUMN_BIT(RECID), COLUMN_BIT(DIGEST) | COLUMN_BIT(SIG),
              COLUMN_BIT(MSG) | COLUMN_BIT(SIG)},
    .optional = COLUMN_BIT(CURVE) | COLUMN_BIT(HASH) | COLUMN_BIT(MSG_TEXT) | COLUMN_BIT(TYPED_DATA) | COLUMN_BIT(V) |
                COLUMN_BIT(PUB) | COLUMN_BIT(ADDRESS),
    .compared = COLUMN_BIT(PUB) | COLUMN_BIT(ADDRESS),
    .raw_columns = "digest,sig,recid",
    .results = {{"address", RESULT_ADDRESS, "the signer's address"}},
    .invalid_reason = "no key has this signature",
    .refuses = address_refuses,
    .run = recover_address};
const struct command command_recover = {
    .name = "recover",
    .summary = "find the public keys that made signatures",
    .description =
        "The public key under which each row's ECDSA signature is valid (SEC 1, 4.1.6). `recid` is 0 to 3: "
        "bit 0 is the parity of R's y, bit 1 whether R's x was not less than the order.\n\n"
        "With --address the result is `address`, that of the key in Ethereum, with `sig` also as r || s || v, "
        "v being 0, 1, 27, 28 or what EIP-155 says. With --personal-message text is in `msg_text`, and bytes in `msg` "
        "begin with 0x: which of the two hexadecimal digits are is not guessed. Typed data (EIP-712) is in "
        "`typed_data`.\n\n"
        "A column `pub` or `address` is compared with what is found: a row whose signer has another reads invalid, and "
        "the "
        "reason says who it is. It stays as it is, and gets the result where it is empty.",
    .examples = "gecc recover --curve secp256k1 --point-format raw transactions.csv\n"
                "gecc recover --address --personal-message logins.csv\n",
    .options = OPTIONS_COMMON | OPTIONS_ROWS | OPTIONS_CONTEXT | OPTIONS_CURVE | OPTIONS_SIGNATURE | OPTIONS_LOW_S |
               OPTIONS_MESSAGE | OPTIONS_DIGEST | OPTIONS_POINT | OPTIONS_SIGHASH | OPTIONS_ADDRESS | OPTIONS_PERSONAL,
    .check = personal_check,
    .mapping = &recover_mapping,
    .address_mapping = &address_mapping};
