/* demo: sign, plant forgeries and broken rows, verify, and see that just the planted rows are refused. */
#include "commands/commands.h"
#include "bench/keys.h"
#include "rows/stream.h"
#include "text/say.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_COUNT = 20000, SHOWN = 8 };

struct plant {
    const char *what;
    void (*apply)(struct keys *keys, size_t row);
    uint8_t expected; /* GECC_ITEM_INVALID, or a MALFORMED_* */
};

static uint8_t *signature_of(struct keys *keys, size_t row) { return keys->signatures + row * 2 * keys->bytes; }
static uint8_t *public_key_of(struct keys *keys, size_t row) { return keys->public_keys + row * (1 + 2 * keys->bytes); }

static void change_digest(struct keys *keys, size_t row) { keys->digests[row * keys->bytes] ^= 1; }
static void change_s(struct keys *keys, size_t row) { signature_of(keys, row)[2 * keys->bytes - 1] ^= 1; }
static void other_key(struct keys *keys, size_t row) {
    size_t width = 1 + 2 * keys->bytes;
    memcpy(public_key_of(keys, row), public_key_of(keys, (row + 1) % keys->count), width);
}
static void zero_r(struct keys *keys, size_t row) { memset(signature_of(keys, row), 0, keys->bytes); }
static void move_point(struct keys *keys, size_t row) { public_key_of(keys, row)[2 * keys->bytes] ^= 1; }
static void wrong_prefix(struct keys *keys, size_t row) { public_key_of(keys, row)[0] = 5; }
static void large_x(struct keys *keys, size_t row) { memset(public_key_of(keys, row) + 1, 0xff, keys->bytes); }

static const struct plant plants[] = {
    {"one bit of the digest changed", change_digest, GECC_ITEM_INVALID},
    {"one bit of s changed", change_s, GECC_ITEM_INVALID},
    {"another signer's key", other_key, GECC_ITEM_INVALID},
    {"r set to zero", zero_r, GECC_ITEM_MALFORMED_SIGNATURE_RANGE},
    {"one bit of the key's y changed", move_point, GECC_ITEM_MALFORMED_POINT_OFF_CURVE},
    {"a wrong first byte of the key", wrong_prefix, GECC_ITEM_MALFORMED_POINT_ENCODING},
    {"the key's x above the field's prime", large_x, GECC_ITEM_MALFORMED_POINT_RANGE},
};
enum { PLANTS = sizeof plants / sizeof *plants };

/* planted[row] = 1 + which plant, for about one row in 500 and at least one of each kind. */
static bool plant_all(struct keys *keys, uint8_t *planted, size_t *total) {
    size_t wanted = keys->count / 500 < PLANTS ? PLANTS : keys->count / 500;
    if (wanted > keys->count / 2)
        wanted = keys->count / 2;
    for (*total = 0; *total < wanted;) {
        size_t row;
        if (!random_below(&row, keys->count))
            return false;
        size_t neighbour = (row + 1) % keys->count; /* its key may be lent to this row: leave it whole */
        size_t before = (row + keys->count - 1) % keys->count;
        if (planted[row] || (keys->count > 4 * wanted && (planted[neighbour] || planted[before])))
            continue;
        size_t kind = (*total)++ % PLANTS;
        plants[kind].apply(keys, row);
        planted[row] = (uint8_t)(1 + kind);
    }
    return true;
}

/* Rows where the verdict is not what was planted. */
static size_t count_surprises(const uint8_t *status, const uint8_t *planted, size_t count) {
    size_t surprises = 0;
    for (size_t i = 0; i < count; i++) {
        uint8_t expected = planted[i] ? plants[planted[i] - 1].expected : (uint8_t)GECC_ITEM_OK;
        if (status[i] == expected)
            continue;
        if (surprises++ < SHOWN)
            printf("  row %zu: %s, expected: %s\n", i, gecc_item_text(status[i]), gecc_item_text(expected));
    }
    return surprises;
}

static void show_refused(const uint8_t *status, const uint8_t *planted, size_t count) {
    size_t refused = 0;
    for (size_t i = 0; i < count; i++) {
        if (status[i] == GECC_ITEM_OK)
            continue;
        if (refused++ < SHOWN)
            printf("  row %-8zu %-40s -> %s\n", i, planted[i] ? plants[planted[i] - 1].what : "nothing",
                   gecc_item_is_malformed(status[i]) ? gecc_item_text(status[i]) : "invalid");
    }
    if (refused > SHOWN)
        printf("  ... and %zu more\n", refused - SHOWN);
}

static void show_speed(const char *what, size_t count, const gecc_report *report) {
    printf("%s %zu rows in %.3f s: %.0f a second, on %s (%s; %s)\n", what, count, report->seconds,
           report->seconds > 0 ? (double)count / report->seconds : 0, report->backend, report->detail, report->reason);
}

static int fail(gecc_result result) {
    say("gecc demo: %s", gecc_result_text(result));
    return EXIT_TROUBLE;
}

static int play(struct keys *keys, gecc_context *context, uint8_t *planted) {
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_report report = GECC_REPORT_INIT;
    size_t total;
    options.report = &report;
    gecc_result result = keys_sign(keys, context, &options);
    if (result != GECC_OK)
        return fail(result);
    show_speed("signed  ", keys->count, &report);
    if (!plant_all(keys, planted, &total))
        return fail(GECC_ERROR_MEMORY);
    printf("planted  %zu forgeries and broken rows at random places\n", total);
    result = keys_verify(keys, context, keys->status, &options);
    if (result != GECC_OK)
        return fail(result);
    show_speed("verified", keys->count, &report);
    size_t refused = keys->count - count_items(keys->status, keys->count, GECC_ITEM_OK);
    printf("refused  %zu rows:\n", refused);
    show_refused(keys->status, planted, keys->count);
    size_t surprises = count_surprises(keys->status, planted, keys->count);
    if (surprises == 0)
        printf("The rows refused are just those planted, each for its own reason.\n");
    else
        printf("FAILED: %zu rows have a wrong verdict.\n", surprises);
    return surprises == 0 ? EXIT_GOOD : EXIT_BAD_ROWS;
}

static int demo(const struct options *options) {
    size_t count = options->count ? options->count : DEFAULT_COUNT;
    gecc_curve curve = options->curve ? options->curve : GECC_SECP256K1;
    struct keys keys = {0};
    gecc_result result;
    gecc_context *context = context_open(options, 0);
    if (!context)
        return EXIT_TROUBLE;
    uint8_t *planted = calloc(count, 1);
    int status;
    printf("making   %zu keys on %s\n", count, gecc_curve_name(curve));
    if (planted && keys_make(&keys, context, curve, count, &result))
        status = play(&keys, context, planted);
    else
        status = fail(planted ? result : GECC_ERROR_MEMORY);
    free(planted);
    keys_free(&keys);
    gecc_close(context);
    return fflush(stdout) == 0 ? status : EXIT_TROUBLE;
}

const struct command command_demo = {
    .name = "demo",
    .summary = "sign, forge, verify: see what is refused",
    .description = "Makes a batch of random keys, signs a digest with each, plants forgeries and broken rows at random "
                   "places, verifies everything, and prints what was refused and how fast it went. Exits with 1 if "
                   "anything but the planted rows was refused, or for another reason than the one planted.",
    .examples = "gecc demo --curve SM2 --count 100000\n",
    .options = OPTIONS_COMMON | OPTIONS_CONTEXT | OPTIONS_CURVE | OPTIONS_DEMO,
    .main = demo};
