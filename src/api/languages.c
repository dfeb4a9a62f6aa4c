/* Functions whose structs come by address: gecc/languages.h. */
#include <gecc/languages.h>

static gecc_out out_at(const gecc_out *column) { return column != NULL ? *column : gecc_out_none(); }

static gecc_rows rows_at(const gecc_rows *column) { return column != NULL ? *column : gecc_rows_none(); }

gecc_result gecc_run_by_address(gecc_context *context, const gecc_operation *operation,
                                const gecc_parameters *parameters, const gecc_out *outputs, const gecc_out *status,
                                const gecc_rows *inputs, size_t count, const gecc_options *options) {
    return gecc_run(context, operation, parameters, outputs, out_at(status), inputs, count, options);
}

void gecc_column_widths_by_address(const gecc_operation *operation, const gecc_column *column,
                                   const gecc_parameters *parameters, const gecc_options *options,
                                   gecc_widths *widths) {
    if (widths != NULL)
        *widths = gecc_column_widths(operation, column, parameters, options);
}

gecc_result gecc_keys_open_by_address(gecc_context *context, gecc_keys **keys, gecc_curve curve, const gecc_out *status,
                                      const gecc_rows *public_keys, size_t count, const gecc_keys_config *config) {
    return gecc_keys_open(context, keys, curve, out_at(status), rows_at(public_keys), count, config);
}

gecc_result gecc_keys_add_by_address(gecc_keys *keys, const gecc_out *status, const gecc_rows *public_keys,
                                     size_t count, size_t *first) {
    return gecc_keys_add(keys, out_at(status), rows_at(public_keys), count, first);
}
