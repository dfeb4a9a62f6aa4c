/* Operations on prepared keys beside those that take the points: the same rows, whose points are a set of keys. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

enum { NO_KEY_EVERY = 251 }; /* rows of which one names a key that is not there */

const gecc_operation *operation_of_points(const gecc_operation *keyed) {
    char name[64];
    size_t length = strlen(keyed->name) - strlen("_keys");
    snprintf(name, sizeof name, "%.*s", (int)length, keyed->name);
    return gecc_operation_find(name);
}

int input_of_keys(const gecc_operation *keyed) {
    int input = 0;
    while (gecc_operation_input(keyed, (size_t)input)->kind != GECC_KIND_KEY_NUMBER)
        input++;
    return input;
}

bool is_key_of_points(const struct call *call, int input, size_t width) {
    bool x_only = call_kind(call, input) == GECC_KIND_X_ONLY_POINT;
    return call->curve != GECC_SECP256K1 || (width == 32) == x_only;
}

/* The numbers of the points: row i has that of key i % keys. Some rows of operations that only judge have none. */
static void add_numbers(struct column *numbers, size_t count, size_t keys, bool judges) {
    column_clear(numbers);
    for (size_t i = 0; i < count; i++) {
        size_t key = judges && i % NO_KEY_EVERY == NO_KEY_EVERY - 1 ? keys + i : i % keys;
        const uint8_t number[4] = {(uint8_t)key, (uint8_t)(key >> 8), (uint8_t)(key >> 16), (uint8_t)(key >> 24)};
        column_add(numbers, number, sizeof number);
    }
}

static gecc_keys *open_keys(gecc_context *context, const struct call *call, const struct column *points, size_t keys,
                            unsigned window) {
    gecc_keys_config config = GECC_KEYS_CONFIG_INIT;
    gecc_keys *set = NULL;
    uint8_t *status = memory_new(keys, 1);
    const gecc_rows rows = {points->data, 0, 0, points->widths, points->offsets};
    config.window = window;
    gecc_result result = gecc_keys_open(context, &set, call->curve, gecc_out_packed(status, 1), rows, keys, &config);
    if (result != GECC_OK)
        trouble("%s: a set of %zu keys: %s", call->operation->name, keys, gecc_error_text());
    free(status);
    return set;
}

void keys_run(const struct batch *batch, const gecc_operation *keyed, size_t keys, unsigned window,
              enum memory_kind kind, gecc_context *context, struct outcome *outcome) {
    const int input = input_of_keys(keyed);
    struct batch numbered = *batch;
    numbered.in[input] = (struct column){.data = NULL};
    add_numbers(&numbered.in[input], batch->count, keys, call_out_bytes(&batch->call) == 0);
    numbered.call.operation = keyed;
    numbered.call.keys = open_keys(context, &batch->call, &batch->in[input], keys, window);
    batch_run(&numbered, kind, context, outcome);
    gecc_keys_close(numbered.call.keys);
    column_free(&numbered.in[input]);
}

void keys_expect(const struct batch *batch, struct outcome *outcome) {
    if (call_out_bytes(&batch->call) == 0)
        for (size_t i = NO_KEY_EVERY - 1; i < batch->count; i += NO_KEY_EVERY)
            outcome->status[i] = GECC_ITEM_MALFORMED_KEY_NUMBER;
}
