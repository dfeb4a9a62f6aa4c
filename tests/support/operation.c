#include "operation.h"

#include "fake_context.h"

#include <string.h>

enum { GREATEST_REPORTS = 5 }; /* of each operation */

const struct operation_info operation_info[OPERATION_COUNT] = {
#define X(name, function, a, b, c, out) {#function, {COLUMN_##a, COLUMN_##b, COLUMN_##c}, OUTPUT_##out},
    OPERATION_LIST(X)
#undef X
};

size_t call_output_bytes(const struct call *call) {
    size_t length = gecc_curve_bytes(call->curve);
    switch (operation_info[call->operation].out) {
    case OUTPUT_POINT:
        return gecc_point_bytes(call->curve, call->point_format);
    case OUTPUT_X:
        return length;
    case OUTPUT_SIGNATURE:
        return call->flags & GECC_DER ? gecc_der_bytes(call->curve) : 2 * length;
    case OUTPUT_DIGEST:
        return call->operation == DIGEST ? gecc_hash_bytes(call->hash) : 32;
    case OUTPUT_RESIDUE:
        return call->modulus.bytes;
    default:
        return 0;
    }
}

int call_has_recovery_id(const struct call *call) {
    return call->operation == ECDSA_SIGN || call->operation == ECDSA_SIGN_NONCE;
}

const char *call_text(const struct call *call, char text[160]) {
    const char *curve = gecc_curve_name(call->curve);
    snprintf(text, 160, "%s %s flags %u hash %d format %d", operation_info[call->operation].name, curve ? curve : "-",
             (unsigned)call->flags, (int)call->hash, (int)call->point_format);
    return text;
}

void run_rows(gecc_context *context, const struct call *call, const struct row *rows, size_t count, struct prng *shape,
              struct outcome *outcomes) {
    struct batch *batch = batch_new(call, rows, count, shape, ALIAS_NONE);
    gecc_result result = batch_call(batch, context, NULL);
    if (result != GECC_OK) {
        char text[160];
        fprintf(stderr, "%s, %zu rows: %s\n", call_text(call, text), count, gecc_result_text(result));
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

static const char *difference(const struct call *call, const struct expectation *expected,
                              const struct outcome *outcome) {
    if (outcome->status >= 32 || !(expected->statuses >> outcome->status & 1)) {
        return "status";
    }
    if (outcome->status != GECC_ITEM_OK) {
        return all_zero(outcome->out, OUTCOME_BYTES) && outcome->recovery_id == 0 ? NULL : "output of a failed row";
    }
    if (operation_info[call->operation].out == OUTPUT_NONE) {
        return NULL;
    }
    if (outcome->width != expected->width || memcmp(outcome->out, expected->out, expected->width) != 0) {
        return "output";
    }
    int same_id = !call_has_recovery_id(call) || expected->recovery_id == RECOVERY_ID_ANY ||
                  expected->recovery_id == outcome->recovery_id;
    return same_id ? NULL : "recovery id";
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
    fprintf(stderr, "    got  status %u (%s), recovery id %u\n", outcome->status, gecc_item_text(outcome->status),
            outcome->recovery_id);
    hex_print(stderr, "         ", outcome->out, outcome->width);
    fprintf(stderr, "    want statuses %08x, recovery id %u\n", expected->statuses, expected->recovery_id);
    hex_print(stderr, "         ", expected->out, expected->width);
    return 1;
}

int outcome_equal(const struct outcome *a, const struct outcome *b) {
    return a->status == b->status && a->recovery_id == b->recovery_id &&
           (a->status != GECC_ITEM_OK || a->width == b->width) && memcmp(a->out, b->out, OUTCOME_BYTES) == 0;
}

gecc_context *test_context(void) {
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = getenv("GECC_TEST_BACKEND");
    gecc_context *context = NULL;
    gecc_result result = GECC_OK;
    if (config.backend && strcmp(config.backend, "fake-cuda") == 0) {
        context = fake_context_new();
    } else {
        result = gecc_open(&context, &config);
    }
    if (result != GECC_OK) {
        fprintf(stderr, "gecc_open: %s\n", gecc_result_text(result));
    }
    REQUIRE(context != NULL);
    return context;
}

size_t environment_number(const char *name, size_t otherwise) {
    const char *text = getenv(name);
    return text && *text ? (size_t)strtoull(text, NULL, 0) : otherwise;
}
