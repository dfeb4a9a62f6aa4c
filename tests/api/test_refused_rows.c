/* Every public function that takes statuses, on a recording context: whatever argument is wrong, no job is made, the
 * text names the argument, and all statuses that can be reached read NOT_PROCESSED, whatever they read before.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <gecc/gecc.h>
#include <stdbool.h>

#include "api/keys.h"
#include "recorder.h"

enum { ROWS = 5, COLUMNS = 6, ROW_BYTES = 64, FAR = 62 };

/* What a function is called with. */
struct request {
    struct recorder recorder;
    gecc_context context, *given;
    gecc_rows in[COLUMNS];
    gecc_out out[COLUMNS], status;
    size_t count;
    gecc_options options;
    gecc_ethereum_options ledger_options;
    gecc_keys_config config;
    gecc_curve curve;
    bool gets_keys;
    uint64_t offsets[ROWS + 1], *given_offsets;
    uint8_t rows[ROWS][ROW_BYTES], results[COLUMNS][ROWS][ROW_BYTES], statuses[ROWS];
    uint32_t widths[ROWS];
};

/* A set that no backend has made, with room for statuses: the recorder does not look at it. */
static gecc_keys *set;

struct function {
    const char *name, *context_is; /* the argument that brings the context */
    gecc_result (*call)(struct request *request);
    const char *in[COLUMNS], *out[COLUMNS];
    size_t out_width[COLUMNS];
    unsigned optional; /* outputs, by their bits */
    bool takes_options, takes_ledger_options, takes_config, is_of_host, is_of_curve, gets_keys, gives_offsets;
};

static gecc_result call_validate(struct request *r) {
    return gecc_ec_validate(r->given, r->curve, r->status, r->in[0], r->count, &r->options);
}

static gecc_result call_run(struct request *r) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.curve = r->curve;
    return gecc_run(r->given, gecc_operation_find("ecdh"), &parameters, r->out, r->status, r->in, r->count,
                    &r->options);
}

/* By a queue of the call's own, which is closed, and so drained, after it. */
static gecc_result call_queue(struct request *r, bool waits) {
    const gecc_queue_config config = {.size = sizeof config, .threads = 1};
    const gecc_operation *ecdh = gecc_operation_find("ecdh");
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    gecc_queue *queue = NULL;
    parameters.curve = r->curve;
    if (r->given != NULL)
        assert_int_equal(gecc_queue_open(r->given, &queue, &config), GECC_OK);
    gecc_result result = waits
                             ? gecc_queue_run(queue, ecdh, &parameters, r->out, r->status, r->in, r->count, &r->options)
                             : gecc_queue_submit(queue, ecdh, &parameters, r->out, r->status, r->in, r->count,
                                                 &r->options, NULL, NULL, NULL);
    gecc_queue_close(queue);
    return result;
}

static gecc_result call_queue_run(struct request *r) { return call_queue(r, true); }

static gecc_result call_queue_submit(struct request *r) { return call_queue(r, false); }

static gecc_result call_keys_open(struct request *r) {
    gecc_keys *keys = NULL;
    gecc_result result =
        gecc_keys_open(r->given, r->gets_keys ? &keys : NULL, r->curve, r->status, r->in[0], r->count, &r->config);
    gecc_keys_close(keys);
    return result;
}

static gecc_result call_keys_add(struct request *r) {
    return gecc_keys_add(r->given == NULL ? NULL : set, r->status, r->in[0], r->count, NULL);
}

static gecc_result call_senders(struct request *r) {
    return gecc_ethereum_senders(r->given, r->out[0], r->out[1], r->out[2], r->out[3], r->out[4], r->status, r->in[0],
                                 r->count, &r->ledger_options);
}

static gecc_result call_authorities(struct request *r) {
    return gecc_ethereum_authorities(r->given, r->given_offsets, r->out[0], r->status, r->count, r->in[0], r->count,
                                     &r->ledger_options);
}

static const struct function functions_with_statuses[] = {
    {.name = "gecc_ec_validate",
     .context_is = "context",
     .call = call_validate,
     .in = {"point"},
     .takes_options = true,
     .is_of_curve = true},
    {.name = "gecc_run",
     .context_is = "context",
     .call = call_run,
     .in = {"private_key", "peer"},
     .out = {"shared"},
     .out_width = {32},
     .takes_options = true,
     .is_of_curve = true},
    {.name = "gecc_queue_run",
     .context_is = "queue",
     .call = call_queue_run,
     .in = {"private_key", "peer"},
     .out = {"shared"},
     .out_width = {32},
     .takes_options = true,
     .is_of_host = true,
     .is_of_curve = true},
    {.name = "gecc_queue_submit",
     .context_is = "queue",
     .call = call_queue_submit,
     .in = {"private_key", "peer"},
     .out = {"shared"},
     .out_width = {32},
     .takes_options = true,
     .is_of_host = true,
     .is_of_curve = true},
    {.name = "gecc_keys_open",
     .context_is = "context",
     .call = call_keys_open,
     .in = {"public_keys"},
     .takes_config = true,
     .is_of_host = true,
     .is_of_curve = true,
     .gets_keys = true},
    {.name = "gecc_keys_add", .context_is = "keys", .call = call_keys_add, .in = {"public_keys"}, .is_of_host = true},
    {.name = "gecc_ethereum_senders",
     .context_is = "context",
     .call = call_senders,
     .in = {"transactions"},
     .out = {"sender", "hash", "type", "reason", "position"},
     .out_width = {20, 32, 1, 1, 4},
     .optional = 0x1e,
     .takes_ledger_options = true,
     .is_of_host = true},
    {.name = "gecc_ethereum_authorities",
     .context_is = "context",
     .call = call_authorities,
     .in = {"transactions"},
     .out = {"authority"},
     .out_width = {20},
     .takes_ledger_options = true,
     .is_of_host = true,
     .gives_offsets = true},
};
enum { FUNCTIONS = sizeof functions_with_statuses / sizeof functions_with_statuses[0] };

static void request_make(struct request *r, const struct function *f) {
    memset(r, 0, sizeof *r);
    r->recorder.processed = ROWS;
    r->context = recorder_context(&r->recorder);
    r->given = &r->context;
    r->curve = GECC_P256;
    r->gets_keys = true;
    r->given_offsets = r->offsets;
    set->context = &r->context;
    set->curve = GECC_P256;
    r->count = ROWS;
    r->status = gecc_out_packed(r->statuses, 1);
    r->options = (gecc_options)GECC_OPTIONS_INIT;
    r->ledger_options = (gecc_ethereum_options)GECC_ETHEREUM_OPTIONS_INIT;
    r->config = (gecc_keys_config)GECC_KEYS_CONFIG_INIT;
    for (size_t i = 0; f->in[i] != NULL; i++)
        r->in[i] = gecc_rows_strided(r->rows, strcmp(f->in[i], "private_key") == 0 ? 32 : 33, ROW_BYTES);
    for (size_t i = 0; f->out[i] != NULL; i++)
        r->out[i] = gecc_out_packed(r->results[i], ROW_BYTES);
    memset(r->statuses, GECC_ITEM_OK, sizeof r->statuses);
}

static bool statuses_are(const struct request *r, uint8_t item) {
    for (size_t i = 0; i < ROWS; i++)
        if (r->statuses[i] != item)
            return false;
    return true;
}

/* Refused for this argument; the statuses then all read `item`. */
static void refused_as(struct request *r, const struct function *f, const char *name, uint8_t item) {
    const size_t length = strlen(name);
    gecc_result result = f->call(r);
    const char *text = gecc_error_text();
    if (result != GECC_ERROR_ARGUMENT || strncmp(text, name, length) != 0 ||
        (text[length] != ':' && text[length] != ' '))
        fail_msg("%s: %d, and the text is not of %s: %s", f->name, (int)result, name, text);
    if (!statuses_are(r, item))
        fail_msg("%s: %s is refused, and the first status reads %d", f->name, name, r->statuses[0]);
    if (r->recorder.runs + r->recorder.submits + r->recorder.sets_made != 0)
        fail_msg("%s: %s is refused, and something ran", f->name, name);
    request_make(r, f);
}

static void refused_request(struct request *r, const struct function *f, const char *name) {
    refused_as(r, f, name, GECC_ITEM_NOT_PROCESSED);
}

static void each(void (*check_one)(struct request *r, const struct function *f)) {
    static struct request r;
    for (int i = 0; i < FUNCTIONS; i++) {
        request_make(&r, &functions_with_statuses[i]);
        check_one(&r, &functions_with_statuses[i]);
    }
}

static void check_accepted(struct request *r, const struct function *f) {
    if (f->call == call_keys_add) {
        refused_request(r, f, "count");
        set->capacity = ROWS;
    }
    gecc_result result = f->call(r);
    if (result != GECC_OK || (!f->gives_offsets && statuses_are(r, GECC_ITEM_NOT_PROCESSED)))
        fail_msg("%s: %d: %s", f->name, (int)result, gecc_error_text());
}

static void test_right_arguments(void **state) {
    (void)state;
    each(check_accepted);
}

static void check_context(struct request *r, const struct function *f) {
    r->given = NULL;
    refused_request(r, f, f->context_is);
}

static void test_contexts(void **state) {
    (void)state;
    each(check_context);
}

static void check_statuses(struct request *r, const struct function *f) {
    static const size_t counts[] = {(size_t)PTRDIFF_MAX / 8 + 1, (size_t)PTRDIFF_MAX, SIZE_MAX};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        r->count = counts[i];
        refused_as(r, f, "count", GECC_ITEM_OK);
    }
    r->status.data = NULL;
    refused_as(r, f, "status", GECC_ITEM_OK);
    r->status.widths = r->widths;
    refused_as(r, f, "status", GECC_ITEM_OK);
    r->status.stride = 0;
    refused_as(r, f, "status", GECC_ITEM_OK);
    r->status.stride = (size_t)1 << FAR;
    refused_as(r, f, "status", GECC_ITEM_OK);
}

static void test_statuses(void **state) {
    (void)state;
    each(check_statuses);
}

/* Inputs: none, and rows that are too far apart, of one width and of widths of their own. */
static void check_inputs(struct request *r, const struct function *f) {
    for (size_t i = 0; f->in[i] != NULL; i++) {
        r->in[i].data = NULL;
        refused_request(r, f, f->in[i]);
        r->in[i] = gecc_rows_none();
        if (f->call != call_senders && f->call != call_authorities) /* where rows may be empty */
            refused_request(r, f, f->in[i]);
        request_make(r, f);
        for (int varies = 0; varies < 2; varies++)
            for (int shift = FAR - 1; shift < 64; shift++) {
                r->in[i].stride = (size_t)1 << shift;
                r->in[i].widths = varies ? r->widths : NULL;
                refused_request(r, f, f->in[i]);
            }
        r->in[i].stride = SIZE_MAX - 1;
        refused_request(r, f, f->in[i]);
    }
}

static void test_inputs(void **state) {
    (void)state;
    each(check_inputs);
}

static void check_outputs(struct request *r, const struct function *f) {
    for (size_t i = 0; f->out[i] != NULL; i++) {
        if ((f->optional >> i & 1) == 0) {
            r->out[i].data = NULL;
            refused_request(r, f, f->out[i]);
        }
        r->out[i].stride = f->out_width[i] - 1;
        refused_request(r, f, f->out[i]);
        for (int shift = FAR - 1; shift < 64; shift++) {
            r->out[i].stride = (size_t)1 << shift;
            refused_request(r, f, f->out[i]);
        }
    }
}

static void test_outputs(void **state) {
    (void)state;
    each(check_outputs);
}

static void check_options(struct request *r, const struct function *f) {
    gecc_report report = {.size = 4};
    if (f->takes_options || f->takes_ledger_options) {
        r->options.size = r->ledger_options.size = 3;
        refused_request(r, f, "options");
        r->options.flags = r->ledger_options.flags = 1u << 31;
        refused_request(r, f, "options");
        r->options.flags = r->ledger_options.flags = GECC_LOW_S | GECC_ANY_S;
        refused_request(r, f, "options");
        r->options.flags = r->ledger_options.flags = GECC_ACCEPT_STRICT;
        refused_request(r, f, "options");
        r->options.report = r->ledger_options.report = &report;
        refused_request(r, f, "options");
    }
    if (f->takes_config) {
        r->config.size = 3;
        refused_request(r, f, "config");
        r->config.window = 3;
        refused_request(r, f, "config");
        r->config.capacity = UINT32_MAX;
        refused_request(r, f, "config");
    }
}

static void test_options(void **state) {
    (void)state;
    each(check_options);
}

static void check_others(struct request *r, const struct function *f) {
    if (f->is_of_curve) {
        r->curve = (gecc_curve)79;
        refused_request(r, f, "curve");
    }
    if (f->gets_keys) {
        r->gets_keys = false;
        refused_request(r, f, "keys");
    }
    if (f->gives_offsets) {
        r->given_offsets = NULL;
        refused_request(r, f, "offsets");
    }
}

static void test_others(void **state) {
    (void)state;
    each(check_others);
}

/* Where all memory has to be the host's: statuses in a device's stay as they are. */
static void check_devices(struct request *r, const struct function *f) {
    if (!f->is_of_host)
        return;
    r->recorder.device = r->statuses;
    refused_as(r, f, "status", GECC_ITEM_OK);
    r->recorder.device = r->rows;
    refused_request(r, f, f->in[0]);
    r->in[0].widths = r->widths;
    r->recorder.device = r->widths;
    refused_request(r, f, f->in[0]);
    for (size_t i = 0; f->out[i] != NULL; i++) {
        r->recorder.device = r->results[i];
        refused_request(r, f, f->out[i]);
    }
    if (f->gives_offsets) {
        r->recorder.device = r->offsets;
        refused_request(r, f, "offsets");
    }
}

static void test_devices(void **state) {
    (void)state;
    each(check_devices);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_right_arguments), cmocka_unit_test(test_contexts), cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_inputs),          cmocka_unit_test(test_outputs),  cmocka_unit_test(test_options),
        cmocka_unit_test(test_others),          cmocka_unit_test(test_devices),
    };
    set = calloc(1, sizeof *set + ROWS);
    int failed = set == NULL ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
    free(set);
    return failed;
}
