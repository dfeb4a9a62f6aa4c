#include "operation.h"

#include "fake_cuda/context.h"
#include "flags.h"

#include <string.h>

enum { GREATEST_REPORTS = 5 }; /* of each operation */

const gecc_operation *operation_of(enum operation operation) { return gecc_operations((size_t)operation); }

static gecc_kind kind_of(const gecc_column *column) { return column ? column->kind : (gecc_kind)0; }

gecc_kind kind_of_input(enum operation operation, int column) {
    return kind_of(gecc_operation_input(operation_of(operation), (size_t)column));
}

gecc_kind kind_of_output(enum operation operation, int column) {
    return kind_of(gecc_operation_output(operation_of(operation), (size_t)column));
}

int input_of_kind(enum operation operation, gecc_kind kind) {
    for (int i = 0; i < CELLS; i++) {
        if (kind_of_input(operation, i) == kind) {
            return i;
        }
    }
    return -1;
}

int operation_is_open(enum operation operation) {
    gecc_kind kind = kind_of_output(operation, 0);
    return kind == GECC_KIND_CIPHERTEXT || kind == GECC_KIND_PLAINTEXT || kind == GECC_KIND_DERIVED_KEY;
}

enum operation operation_on_points(enum operation operation) {
    char name[80];
    const char *end = strstr(operation_of(operation)->name, "_keys");
    if (input_of_kind(operation, GECC_KIND_KEY_NUMBER) < 0) {
        return operation;
    }
    REQUIRE(end && end[strlen("_keys")] == 0);
    snprintf(name, sizeof name, "%.*s", (int)(end - operation_of(operation)->name), operation_of(operation)->name);
    for (int i = 0; i < OPERATION_COUNT; i++) {
        if (strcmp(operation_of((enum operation)i)->name, name) == 0) {
            return (enum operation)i;
        }
    }
    REQUIRE(!"an operation on keys is one on points");
    return operation;
}

enum operation operation_on_keys(enum operation operation) {
    for (int i = 0; i < OPERATION_COUNT; i++) {
        if (i != (int)operation && operation_on_points((enum operation)i) == operation) {
            return (enum operation)i;
        }
    }
    return OPERATION_COUNT;
}

int cell_is_key(struct cell cell) { return cell.width < 2 || cell.width > 5; }

/* Not a GPU, which has no program for them. */
static int context_offers_sums(gecc_context *context) {
    uint8_t out[1 + 2 * GECC_CURVE_BYTES_MOST], status;
    const gecc_rows none = gecc_rows_packed("", 0);
    return gecc_ec_msm(context, GECC_SECP256K1, gecc_out_packed(out, sizeof out), gecc_out_packed(&status, 1), none,
                       none, 1, NULL) != GECC_ERROR_UNSUPPORTED;
}

int context_offers(gecc_context *context, enum operation operation) {
    if (input_of_kind(operation, GECC_KIND_SCALARS) >= 0) {
        return context_offers_sums(context);
    }
    if (input_of_kind(operation, GECC_KIND_KEY_NUMBER) < 0) {
        return 1;
    }
    gecc_keys *keys;
    gecc_curve curve = operation_of(operation)->curves == UINT32_C(1) << GECC_CURVE25519 ? GECC_CURVE25519 : GECC_SM2;
    gecc_result result = gecc_keys_open(context, &keys, curve, gecc_out_none(), gecc_rows_none(), 0, NULL);
    gecc_keys_close(keys);
    return result != GECC_ERROR_UNSUPPORTED;
}

int call_next_curve(struct call *call) {
    uint32_t left = operation_of(call->operation)->curves >> 1 >> call->curve;
    while (left != 0 && !(left & 1)) {
        left >>= 1;
        call->curve++;
    }
    call->curve = left ? call->curve + 1 : (gecc_curve)0;
    return left != 0;
}

int call_next_flags(struct call *call) {
    call->flags = next_flags(operation_of(call->operation), call->curve, call->flags);
    return call->flags != 0;
}

gecc_parameters call_parameters(const struct call *call) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.curve = call->curve;
    parameters.hash = call->operation == OPERATION_DIGEST ? call->hash : GECC_HASH_DEFAULT;
    parameters.modulus = call->modulus;
    return parameters;
}

gecc_options call_options(const struct call *call) {
    gecc_options options = GECC_OPTIONS_INIT;
    const uint32_t formats = GECC_DER | GECC_LITTLE_ENDIAN | GECC_SIGHASH_BYTE; /* which may mean nothing */
    options.flags = call->flags & (operation_of(call->operation)->flags | formats);
    options.nonce_hash = call->operation == OPERATION_DIGEST ? GECC_HASH_DEFAULT : call->hash;
    options.point_format = call->point_format;
    if (operation_is_open(call->operation))
        options.output_bytes = call->output_bytes ? call->output_bytes : OUTCOME_BYTES;
    return options;
}

static gecc_widths widths_of(const struct call *call, const gecc_column *column) {
    gecc_parameters parameters = call_parameters(call);
    gecc_options options = call_options(call);
    return gecc_column_widths(operation_of(call->operation), column, &parameters, &options);
}

gecc_widths call_input_widths(const struct call *call, int column) {
    return widths_of(call, gecc_operation_input(operation_of(call->operation), (size_t)column));
}

gecc_widths call_output_widths(const struct call *call, int column) {
    return widths_of(call, gecc_operation_output(operation_of(call->operation), (size_t)column));
}

const char *call_text(const struct call *call, char text[160]) {
    const char *curve = gecc_curve_name(call->curve);
    snprintf(text, 160, "%s %s flags %u hash %d format %d", operation_of(call->operation)->name, curve ? curve : "-",
             (unsigned)call->flags, (int)call->hash, (int)call->point_format);
    return text;
}

void run_rows(gecc_context *context, const struct call *call, const struct row *rows, size_t count, struct prng *shape,
              struct outcome *outcomes) {
    struct batch *batch = batch_new(call, rows, count, shape, ALIAS_NONE);
    gecc_result result = batch_call(batch, context, NULL);
    if (result != GECC_OK) {
        char text[160];
        fprintf(stderr, "%s, %zu rows: %s\n", call_text(call, text), count, gecc_error_text());
    }
    REQUIRE(result == GECC_OK);
    batch_outcomes(batch, outcomes);
    batch_free(batch);
}

static int all_zero(const uint8_t *bytes, size_t count) {
    uint8_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        sum |= bytes[i];
    }
    return sum == 0;
}

static int is_empty(const struct value *value) { return value->width == 0 && all_zero(value->bytes, OUTCOME_BYTES); }

static const char *difference(const struct call *call, const struct expectation *expected,
                              const struct outcome *outcome) {
    if (outcome->status >= 32 || !(expected->statuses >> outcome->status & 1)) {
        return "status";
    }
    for (int i = 0; kind_of_output(call->operation, i); i++) {
        const struct value *got = &outcome->out[i], *right = &expected->out[i];
        if (outcome->status != GECC_ITEM_OK && !is_empty(got)) {
            return "output of a failed row";
        }
        if (outcome->status == GECC_ITEM_OK && !(expected->unknown >> i & 1) &&
            (got->width != right->width || memcmp(got->bytes, right->bytes, right->width) != 0)) {
            return gecc_operation_output(operation_of(call->operation), (size_t)i)->name;
        }
    }
    return NULL;
}

static void values_print(const struct call *call, const struct value *values) {
    for (int i = 0; kind_of_output(call->operation, i); i++) {
        hex_print(stderr, "         ", values[i].bytes, values[i].width);
    }
}

int outcome_mismatch(const struct call *call, const struct row *row, const struct expectation *expected,
                     const struct outcome *outcome, const char *label) {
    const char *what = difference(call, expected, outcome);
    if (!what) {
        return 0;
    }
    static int reports[OPERATION_COUNT];
    if (reports[call->operation]++ >= GREATEST_REPORTS) {
        return 1;
    }
    char text[160];
    fprintf(stderr, "MISMATCH (%s) %s: %s\n", what, label, call_text(call, text));
    for (int i = 0; i < CELLS; i++) {
        if (row->in[i].data) {
            hex_print(stderr, "    in   ", row->in[i].data, row->in[i].width);
        }
    }
    fprintf(stderr, "    got  status %u (%s)\n", outcome->status, gecc_item_text(outcome->status));
    values_print(call, outcome->out);
    fprintf(stderr, "    want statuses %08x\n", expected->statuses);
    values_print(call, expected->out);
    return 1;
}

int outcome_equal(const struct outcome *a, const struct outcome *b) {
    int equal = a->status == b->status;
    for (int i = 0; i < OUTPUTS; i++) {
        equal &= a->out[i].width == b->out[i].width && memcmp(a->out[i].bytes, b->out[i].bytes, OUTCOME_BYTES) == 0;
    }
    return equal;
}

int test_context_is_fake_cuda(void) {
    const char *backend = getenv("GECC_TEST_BACKEND");
    return backend && strcmp(backend, "fake-cuda") == 0;
}

gecc_context *test_context_with(const gecc_config *wanted) {
    gecc_config config = *wanted;
    gecc_context *context = NULL;
    gecc_result result = GECC_OK;
    if (test_context_is_fake_cuda()) {
        context = fake_context_new(&config);
    } else {
        config.backend = getenv("GECC_TEST_BACKEND");
        result = gecc_open(&context, &config);
    }
    if (result != GECC_OK) {
        fprintf(stderr, "gecc_open: %s\n", gecc_error_text());
    }
    REQUIRE(context != NULL);
    return context;
}

gecc_context *test_context(void) {
    gecc_config config = GECC_CONFIG_INIT;
    return test_context_with(&config);
}

size_t environment_number(const char *name, size_t otherwise) {
    const char *text = getenv(name);
    return text && *text ? (size_t)strtoull(text, NULL, 0) : otherwise;
}
