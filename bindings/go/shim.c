#include "shim.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *words(gecc_result result) { return result == GECC_OK ? NULL : strdup(gecc_error_text()); }

char *shim_open(gecc_context **context, const char *backend, const char *device, const gecc_config *config,
                gecc_result *result) {
    gecc_config chosen = *config;
    chosen.backend = backend;
    chosen.device = device;
    *result = gecc_open(context, &chosen);
    return words(*result);
}

static gecc_parameters parameters_of(const struct shim_call *call, gecc_keys *keys, const uint8_t *modulus) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.curve = call->curve;
    parameters.hash = call->hash;
    parameters.modulus = (gecc_modulus){modulus, call->modulus_bytes};
    parameters.keys = keys;
    return parameters;
}

static gecc_options options_of(const struct shim_call *call) {
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = call->flags;
    options.nonce_hash = call->nonce_hash;
    options.point_format = call->point_format;
    options.output_bytes = call->output_bytes;
    return options;
}

void shim_widths(struct shim_call *call, const gecc_operation *operation, gecc_keys *keys, const uint8_t *modulus) {
    gecc_parameters parameters = parameters_of(call, keys, modulus);
    gecc_options options = options_of(call);
    const gecc_column *column;
    for (size_t i = 0; i < SHIM_OUTPUTS && (column = gecc_operation_output(operation, i)) != NULL; i++) {
        gecc_widths widths = gecc_column_widths(operation, column, &parameters, &options);
        call->least[i] = widths.least;
        call->most[i] = widths.most;
    }
}

static gecc_rows rows_of(const struct shim_call *call, int i, const uint8_t *data, const uint32_t *widths,
                         const uint64_t *offsets) {
    return (gecc_rows){data, call->stride[i], call->width[i], widths, offsets};
}

char *shim_run(struct shim_call *call, gecc_context *context, const gecc_operation *operation, gecc_keys *keys,
               const uint8_t *modulus, const uint8_t *data0, const uint32_t *widths0, const uint64_t *offsets0,
               const uint8_t *data1, const uint32_t *widths1, const uint64_t *offsets1, const uint8_t *data2,
               const uint32_t *widths2, const uint64_t *offsets2, const uint8_t *data3, const uint32_t *widths3,
               const uint64_t *offsets3, const uint8_t *data4, const uint32_t *widths4, const uint64_t *offsets4,
               const uint8_t *data5, const uint32_t *widths5, const uint64_t *offsets5, uint8_t *out0,
               uint32_t *out_widths0, uint8_t *out1, uint32_t *out_widths1, uint8_t *out2, uint32_t *out_widths2,
               uint8_t *status) {
    gecc_parameters parameters = parameters_of(call, keys, modulus);
    gecc_options options = options_of(call);
    const gecc_rows inputs[SHIM_INPUTS] = {
        rows_of(call, 0, data0, widths0, offsets0), rows_of(call, 1, data1, widths1, offsets1),
        rows_of(call, 2, data2, widths2, offsets2), rows_of(call, 3, data3, widths3, offsets3),
        rows_of(call, 4, data4, widths4, offsets4), rows_of(call, 5, data5, widths5, offsets5)};
    const gecc_out outputs[SHIM_OUTPUTS] = {{out0, call->out_stride[0], out_widths0},
                                            {out1, call->out_stride[1], out_widths1},
                                            {out2, call->out_stride[2], out_widths2}};
    call->result =
        gecc_run(context, operation, &parameters, outputs, gecc_out_packed(status, 1), inputs, call->count, &options);
    return words(call->result);
}

char *shim_keys(struct shim_call *call, gecc_context *context, gecc_keys **keys, size_t *first,
                const gecc_keys_config *config, const uint8_t *data, const uint32_t *widths, const uint64_t *offsets,
                uint8_t *status) {
    gecc_rows rows = rows_of(call, 0, data, widths, offsets);
    gecc_out out = gecc_out_packed(status, 1);
    call->result = *keys != NULL ? gecc_keys_add(*keys, out, rows, call->count, first)
                                 : gecc_keys_open(context, keys, call->curve, out, rows, call->count, config);
    return words(call->result);
}

int shim_has_room(size_t bytes) {
    /* Systems that promise more memory than they have give malloc any amount. */
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0 && bytes / (size_t)page > (size_t)pages)
        return 0;
    void *volatile memory = malloc(bytes); /* volatile: compilers leave out memory that nobody uses */
    free(memory);
    return memory != NULL;
}
