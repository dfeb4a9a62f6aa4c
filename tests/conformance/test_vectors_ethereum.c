/* Senders of transactions, and authorities of type 0x04, against known ones: those of tests/known_answers/ledger.py,
 * and of the folder GECC_VECTORS 4,003 transactions, 350 blocks and 124 cases of ethereum/tests.
 *
 * Test: fast; needs jansson; no threads */
#include "support/folders.h"
#include "support/operation.h"
#include "support/vectors.h"

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { HASH_BYTES = 32 };

/* Lines of a file, the transactions that they have as a column, and what the library made of it. */
struct suite {
    gecc_context *context;
    json_t *lines;
    struct arena arena;
    size_t count, authority_count;
    uint32_t *widths, *positions;
    uint64_t *offsets, *authority_offsets;
    uint8_t *bytes, (*senders)[GECC_ADDRESS_BYTES], (*hashes)[HASH_BYTES], *types, *reasons, *statuses;
    uint8_t (*authorities)[GECC_ADDRESS_BYTES], *authority_statuses;
};

static const char *const reason_names[] = {
#define GECC_X(name, value, text) [value] = #name,
    GECC_ETHEREUM_REASON_LIST(GECC_X)
#undef GECC_X
};

static uint8_t item_named(const char *name) {
    static const struct {
        const char *name;
        uint8_t item;
    } items[] = {
#define GECC_X(name, value, text) {#name, value},
        GECC_ITEM_LIST(GECC_X)
#undef GECC_X
    };
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        if (strcmp(items[i].name + strlen("GECC_ITEM_"), name) == 0) {
            return items[i].item;
        }
    }
    fail_msg("%s is no status", name);
    return 0;
}

/* Rows of the same bytes are one after the other. */
static void suite_take(struct suite *suite, const struct cell *rows, size_t count) {
    size_t used = 0, total = 1;
    for (size_t i = 0; i < count; i++) {
        total += rows[i].width;
    }
    suite->count = count;
    suite->bytes = memory_new(total, 1);
    suite->widths = memory_new(count + 1, sizeof *suite->widths);
    suite->offsets = memory_new(count + 1, sizeof *suite->offsets);
    suite->positions = memory_new(count + 1, sizeof *suite->positions);
    suite->senders = memory_new(count + 1, sizeof *suite->senders);
    suite->hashes = memory_new(count + 1, sizeof *suite->hashes);
    suite->types = memory_new(count + 1, 1);
    suite->reasons = memory_new(count + 1, 1);
    suite->statuses = memory_new(count + 1, 1);
    suite->authority_offsets = memory_new(count + 1, sizeof *suite->authority_offsets);
    for (size_t i = 0; i < count; i++) {
        suite->offsets[i] = used;
        suite->widths[i] = rows[i].width;
        memcpy(suite->bytes + used, rows[i].data, rows[i].width);
        used += rows[i].width;
    }
}

static void suite_free(struct suite *suite) {
    void *const all[] = {suite->bytes,       suite->widths,
                         suite->offsets,     suite->positions,
                         suite->senders,     suite->hashes,
                         suite->types,       suite->reasons,
                         suite->statuses,    suite->authority_offsets,
                         suite->authorities, suite->authority_statuses};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]);
    }
    arena_free(&suite->arena);
    json_decref(suite->lines);
}

static gecc_rows column_of(const struct suite *suite) {
    return (gecc_rows){suite->bytes, 0, 0, suite->widths, suite->offsets};
}

static void find_senders(struct suite *suite, const gecc_ethereum_options *options) {
    assert_int_equal(gecc_ethereum_senders(suite->context, gecc_out_packed(suite->senders, GECC_ADDRESS_BYTES),
                                           gecc_out_packed(suite->hashes, HASH_BYTES), gecc_out_packed(suite->types, 1),
                                           gecc_out_packed(suite->reasons, 1), gecc_out_packed(suite->positions, 4),
                                           gecc_out_packed(suite->statuses, 1), column_of(suite), suite->count,
                                           options),
                     GECC_OK);
}

static void find_authorities(struct suite *suite) {
    assert_int_equal(gecc_ethereum_authorities(suite->context, suite->authority_offsets, gecc_out_none(),
                                               gecc_out_none(), 0, column_of(suite), suite->count, NULL),
                     GECC_OK);
    size_t count = suite->authority_count = (size_t)suite->authority_offsets[suite->count];
    suite->authorities = memory_new(count + 1, GECC_ADDRESS_BYTES);
    suite->authority_statuses = memory_new(count + 1, 1);
    assert_int_equal(gecc_ethereum_authorities(suite->context, suite->authority_offsets,
                                               gecc_out_packed(suite->authorities, GECC_ADDRESS_BYTES),
                                               gecc_out_packed(suite->authority_statuses, 1), count, column_of(suite),
                                               suite->count, NULL),
                     GECC_OK);
}

static int hex_is(const uint8_t *bytes, size_t width, const char *text) {
    char made[2 * HASH_BYTES + 1];
    for (size_t i = 0; i < width; i++) {
        (void)snprintf(made + 2 * i, 3, "%02x", bytes[i]);
    }
    return strcmp(made, text) == 0;
}

static int is_zero(const uint8_t *bytes, size_t width) {
    int any = 0;
    for (size_t i = 0; i < width; i++) {
        any |= bytes[i];
    }
    return any == 0;
}

static size_t differs(const json_t *line, const char *what) {
    fprintf(stderr, "MISMATCH %s: %s, %s\n", what, json_text(line, "tag"), json_text(line, "src"));
    return 1;
}

/* Of a row that is a transaction, what does not depend on its signature. */
static size_t check_parsed(const struct suite *suite, const json_t *line, size_t i) {
    size_t wrong = 0;
    if (suite->reasons[i] != GECC_ETHEREUM_PARSED || suite->positions[i] != 0) {
        wrong += differs(line, reason_names[suite->reasons[i]]);
    }
    if (json_object_get(line, "type") && suite->types[i] != json_integer_value(json_object_get(line, "type"))) {
        wrong += differs(line, "type");
    }
    return wrong + (hex_is(suite->hashes[i], HASH_BYTES, json_text(line, "hash")) ? 0 : differs(line, "hash"));
}

static size_t check_sender(const struct suite *suite, const json_t *line, size_t i) {
    size_t wrong = check_parsed(suite, line, i);
    if (suite->statuses[i] != GECC_ITEM_OK) {
        wrong += differs(line, gecc_item_text(suite->statuses[i]));
    }
    return wrong +
           (hex_is(suite->senders[i], GECC_ADDRESS_BYTES, json_text(line, "sender")) ? 0 : differs(line, "sender"));
}

/* A row that is no transaction, and what is said of it. */
static size_t check_malformed(const struct suite *suite, const json_t *line, size_t i) {
    const char *reason = json_string_value(json_object_get(line, "reason"));
    size_t wrong = suite->statuses[i] != GECC_ITEM_MALFORMED_TRANSACTION ? differs(line, "status") : 0;
    wrong += is_zero(suite->senders[i], GECC_ADDRESS_BYTES) && is_zero(suite->hashes[i], HASH_BYTES)
                 ? 0
                 : differs(line, "zeros");
    if (reason && strcmp(reason_names[suite->reasons[i]] + strlen("GECC_ETHEREUM_"), reason) != 0) {
        wrong += differs(line, reason_names[suite->reasons[i]]);
    }
    if (json_object_get(line, "position") &&
        suite->positions[i] != json_integer_value(json_object_get(line, "position"))) {
        wrong += differs(line, "position");
        fprintf(stderr, "  byte %u, not %lld\n", suite->positions[i],
                (long long)json_integer_value(json_object_get(line, "position")));
    }
    return wrong;
}

static size_t check_authorities(const struct suite *suite, const json_t *line, size_t i) {
    const json_t *authorization, *all = json_object_get(line, "authorizations");
    size_t first = (size_t)suite->authority_offsets[i], count = (size_t)suite->authority_offsets[i + 1] - first, k;
    if (count != json_array_size(all)) {
        return differs(line, "number of authorizations");
    }
    json_array_foreach(all, k, authorization) {
        const char *signer = json_string_value(json_object_get(authorization, "signer"));
        const uint8_t *found = suite->authorities[first + k];
        int ok = suite->authority_statuses[first + k] == GECC_ITEM_OK;
        if (signer ? !ok || !hex_is(found, GECC_ADDRESS_BYTES, signer) : ok || !is_zero(found, GECC_ADDRESS_BYTES)) {
            return differs(line, "authority");
        }
    }
    return 0;
}

/* The lines of a file that are for this chain (0: for any), and their transactions. */
static void suite_read(struct suite *suite, const char *path, json_int_t chain) {
    FILE *file = fopen(path, "r");
    json_t *line;
    assert_non_null(file);
    *suite = (struct suite){.context = suite->context, .lines = json_array()};
    while ((line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
        int wanted = json_integer_value(json_object_get(line, "chain")) == chain;
        assert_int_equal(wanted ? json_array_append(suite->lines, line) : 0, 0);
        json_decref(line);
    }
    fclose(file);
    size_t count = json_array_size(suite->lines);
    struct cell *rows = memory_new(count + 1, sizeof *rows);
    for (size_t i = 0; i < count; i++) {
        rows[i] = hex_cell(&suite->arena, json_text(json_array_get(suite->lines, i), "raw"));
    }
    suite_take(suite, rows, count);
    free(rows);
}

static size_t check_line(const struct suite *suite, const json_t *line, size_t i, int any_s) {
    const char *status = json_string_value(json_object_get(line, "status"));
    size_t wrong = 0;
    if (!json_is_true(json_object_get(line, "valid"))) {
        return check_malformed(suite, line, i);
    }
    if (status || (!any_s && json_is_true(json_object_get(line, "high_s")))) {
        wrong += check_parsed(suite, line, i);
        wrong += suite->statuses[i] == (status ? item_named(status) : GECC_ITEM_MALFORMED_HIGH_S)
                     ? 0
                     : differs(line, "status");
        wrong += is_zero(suite->senders[i], GECC_ADDRESS_BYTES) ? 0 : differs(line, "zeros");
    } else {
        wrong += check_sender(suite, line, i);
    }
    return wrong + check_authorities(suite, line, i);
}

static void check_file(gecc_context *context, const char *path, json_int_t chain, size_t least) {
    gecc_ethereum_options options = GECC_ETHEREUM_OPTIONS_INIT;
    struct suite suite = {.context = context};
    size_t wrong = 0;
    suite_read(&suite, path, chain);
    assert_true(suite.count >= least);
    find_authorities(&suite);
    for (int any_s = 0; any_s < 2; any_s++) {
        options.flags = any_s ? GECC_ANY_S : 0;
        options.chain_id = (uint64_t)chain;
        find_senders(&suite, &options);
        for (size_t i = 0; i < suite.count; i++) {
            wrong += check_line(&suite, json_array_get(suite.lines, i), i, any_s);
        }
    }
    suite_free(&suite);
    assert_int_equal(wrong, 0);
}

static void generated(void **state) {
    static const json_int_t chains[] = {0, 1, 10, 61};
    char path[PATH_BYTES];
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        check_file(*state, answers_path(path, "ethereum.jsonl"), chains[i], 1);
    }
}

/* Each byte of some transactions changed in some ways: a row says what came of it and nothing else, and never has the
 * sender of the transaction as it was, as each byte is signed or of the signature. */
static void mutated(void **state) {
    enum { CHOSEN = 16, WIDTH_MOST = 400 };
    static const uint8_t changes[] = {0x01, 0x02, 0x40, 0x80, 0xff};
    char path[PATH_BYTES];
    struct suite good = {.context = *state}, bad = {.context = *state};
    struct cell *rows = memory_new(CHOSEN * WIDTH_MOST * sizeof changes, sizeof *rows);
    size_t *from = memory_new(CHOSEN * WIDTH_MOST * sizeof changes, sizeof *from), count = 0, chosen = 0, parsed = 0;
    gecc_ethereum_options options = GECC_ETHEREUM_OPTIONS_INIT;
    options.flags = GECC_ANY_S;
    suite_read(&good, answers_path(path, "ethereum.jsonl"), 0);
    find_senders(&good, &options);
    for (size_t i = 0; i < good.count && chosen < CHOSEN; i++) {
        if (good.statuses[i] != GECC_ITEM_OK || good.widths[i] > WIDTH_MOST) {
            continue;
        }
        for (size_t k = 0; k < good.widths[i] * sizeof changes; k++) {
            rows[count] = arena_copy(&bad.arena, good.bytes + good.offsets[i], good.widths[i]);
            rows[count].data[k / sizeof changes] ^= changes[k % sizeof changes];
            from[count++] = i;
        }
        chosen++;
    }
    assert_int_equal(chosen, CHOSEN);
    suite_take(&bad, rows, count);
    find_senders(&bad, &options);
    find_authorities(&bad);
    for (size_t i = 0; i < count; i++) {
        int ok = bad.statuses[i] == GECC_ITEM_OK, malformed = bad.statuses[i] == GECC_ITEM_MALFORMED_TRANSACTION;
        assert_int_not_equal(bad.statuses[i], GECC_ITEM_NOT_PROCESSED);
        assert_int_equal(malformed, bad.reasons[i] != GECC_ETHEREUM_PARSED);
        assert_true(bad.positions[i] <= bad.widths[i] && (malformed || bad.positions[i] == 0));
        assert_int_equal(is_zero(bad.senders[i], GECC_ADDRESS_BYTES), !ok);
        assert_int_equal(is_zero(bad.hashes[i], HASH_BYTES), malformed);
        assert_memory_not_equal(bad.senders[i], good.senders[from[i]], GECC_ADDRESS_BYTES);
        assert_true(!malformed || bad.authority_offsets[i] == bad.authority_offsets[i + 1]);
        parsed += (size_t)ok;
    }
    assert_true(parsed > count / 8 && parsed < count);
    free(rows);
    free(from);
    suite_free(&bad);
    suite_free(&good);
}

static const char *given(char path[PATH_BYTES], const char *file) {
    const char *folder = data_folder("GECC_VECTORS");
    return folder && snprintf(path, PATH_BYTES, "%s/%s", folder, file) < PATH_BYTES ? path : NULL;
}

static void transactions(void **state) {
    char path[PATH_BYTES];
    if (given(path, "eth_sender.jsonl")) {
        check_file(*state, path, 0, 4003);
    }
}

/* Rules beyond decoding and signatures, whose breach is not ours to see. */
static int is_above(const char *exception) {
    static const char *const rules[] = {"GAS", "NONCE", "PRIORITY", "INITCODE", "INTRINSIC"};
    const char *name = strchr(exception, '.');
    for (size_t i = 0; name && i < sizeof rules / sizeof *rules; i++) {
        if (strncmp(name + 1, rules[i], strlen(rules[i])) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Those that some fork takes have a sender, perhaps with Frontier's s; those that none takes have none. */
static void cases_of_ethereum(void **state) {
    gecc_ethereum_options options = GECC_ETHEREUM_OPTIONS_INIT;
    struct suite suite = {.context = *state};
    size_t wrong = 0, refused = 0;
    char path[PATH_BYTES];
    if (!given(path, "eth_txtests.jsonl")) {
        return;
    }
    suite_read(&suite, path, 0);
    assert_int_equal(suite.count, 124);
    for (int any_s = 0; any_s < 2; any_s++) {
        options.flags = any_s ? GECC_ANY_S : 0;
        options.chain_id = 1;
        find_senders(&suite, &options);
        for (size_t i = 0; i < suite.count; i++) {
            const json_t *line = json_array_get(suite.lines, i);
            const char *exception = json_text(line, "exception");
            int ok = suite.statuses[i] == GECC_ITEM_OK;
            int above = is_above(exception);
            refused += !ok && !any_s;
            if (json_is_true(json_object_get(line, any_s ? "valid" : "valid_cancun")) && !above) {
                wrong += check_sender(&suite, line, i);
            } else if (!json_is_true(json_object_get(line, "valid")) && !above && ok) {
                wrong += differs(line, exception);
            }
        }
    }
    assert_true(refused > 60);
    suite_free(&suite);
    assert_int_equal(wrong, 0);
}

/* One block's transactions, each by what the line says of it. */
static size_t check_block(struct suite *suite, const json_t *line) {
    struct cell block = hex_cell(&suite->arena, json_text(line, "rlp"));
    const json_t *hashes = json_object_get(line, "hashes"), *authorities = json_object_get(line, "authorities"),
                 *signer;
    size_t count, wrong = 0, k;
    assert_int_equal(gecc_ethereum_block_transactions(NULL, NULL, 0, &count, block.data, block.width), GECC_OK);
    assert_int_equal(count, json_array_size(hashes));
    uint64_t *offsets = memory_new(count + 1, sizeof *offsets);
    uint32_t *widths = memory_new(count + 1, sizeof *widths);
    struct cell *rows = memory_new(count + 1, sizeof *rows);
    assert_int_equal(gecc_ethereum_block_transactions(offsets, widths, count, &count, block.data, block.width),
                     GECC_OK);
    for (size_t i = 0; i < count; i++) {
        rows[i] = (struct cell){block.data + offsets[i], widths[i]};
    }
    suite_take(suite, rows, count);
    find_senders(suite, NULL);
    find_authorities(suite);
    for (size_t i = 0; i < count; i++) {
        char key[24];
        (void)snprintf(key, sizeof key, "%zu", i);
        const json_t *signers = json_object_get(authorities, key);
        size_t first = (size_t)suite->authority_offsets[i];
        wrong += suite->statuses[i] != GECC_ITEM_OK ||
                 suite->types[i] != json_integer_value(json_array_get(json_object_get(line, "types"), i)) ||
                 !hex_is(suite->hashes[i], HASH_BYTES, json_string_value(json_array_get(hashes, i))) ||
                 !hex_is(suite->senders[i], GECC_ADDRESS_BYTES,
                         json_string_value(json_array_get(json_object_get(line, "senders"), i))) ||
                 suite->authority_offsets[i + 1] - first != json_array_size(signers);
        json_array_foreach(signers, k, signer) {
            wrong += json_is_string(signer) &&
                     !hex_is(suite->authorities[first + k], GECC_ADDRESS_BYTES, json_string_value(signer));
        }
    }
    free(offsets);
    free(widths);
    free(rows);
    suite_free(suite);
    return wrong ? differs(line, "block") : 0;
}

static void blocks(void **state) {
    char path[PATH_BYTES];
    size_t wrong = 0, count = 0;
    json_t *line;
    if (!given(path, "eth_block.jsonl")) {
        return;
    }
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while ((line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
        struct suite suite = {.context = *state};
        wrong += check_block(&suite, line);
        json_decref(line);
        count++;
    }
    fclose(file);
    assert_int_equal(count, 350);
    assert_int_equal(wrong, 0);
}

static int start(void **state) {
    *state = test_context();
    return 0;
}

static int stop(void **state) {
    gecc_close(*state);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(generated), cmocka_unit_test(mutated),
                                       cmocka_unit_test(transactions), cmocka_unit_test(cases_of_ethereum),
                                       cmocka_unit_test(blocks)};
    return cmocka_run_group_tests_name("Ethereum", tests, start, stop);
}
