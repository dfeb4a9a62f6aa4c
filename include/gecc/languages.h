/* For other languages: values of enums by name, and functions of gecc/operations.h and gecc/keys.h with every struct
 * passed by address. A program in a language that does not read these headers asks here what a value is, instead of
 * repeating a number, and calls functions whose arguments are numbers and addresses alone. Conventions:
 * gecc/context.h.
 *
 * gecc_curve_named and gecc_hash_named are in gecc/context.h. Here, too, letters are alike in either case, and nothing
 * has a name that is NULL. A column whose address is NULL is one that is left out, gecc_rows_none() or gecc_out_none().
 */
#ifndef GECC_LANGUAGES_H
#define GECC_LANGUAGES_H

#include <gecc/context.h>
#include <gecc/keys.h>
#include <gecc/operations.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The gecc_flag of that short name, "low_s", as gecc_flag_name gives it. 0: no flag has it. */
GECC_API uint32_t gecc_flag_named(const char *name);
/* The kind of that short name, "private key", as gecc_kind_name gives it. 0: no kind has it. */
GECC_API gecc_kind gecc_kind_named(const char *name);

/* The name of a status: that of its gecc_item without GECC_ITEM_, "OK", "MALFORMED_POINT_RANGE". NULL for a value that
 * is none. */
GECC_API const char *gecc_item_name(uint8_t item);
/* The gecc_item of that name; -1: no status has it. */
GECC_API int gecc_item_named(const char *name);
/* The name of a result: its gecc_result without GECC_, "OK", "ERROR_ARGUMENT", "PENDING". NULL for a value that is
 * none. */
GECC_API const char *gecc_result_name(gecc_result result);
/* The gecc_result of that name; -1: no result has it. */
GECC_API int gecc_result_named(const char *name);
/* The gecc_point_format of that name, "uncompressed", "compressed" or "raw"; -1: no format has it. */
GECC_API int gecc_point_format_named(const char *name);

/* gecc_run. */
GECC_CALL gecc_result gecc_run_by_address(gecc_context *context, const gecc_operation *operation,
                                          const gecc_parameters *parameters, const gecc_out *outputs,
                                          const gecc_out *status, const gecc_rows *inputs, size_t count,
                                          const gecc_options *options);
/* gecc_column_widths, whose result *widths receives; where widths is NULL nothing happens. */
GECC_API void gecc_column_widths_by_address(const gecc_operation *operation, const gecc_column *column,
                                            const gecc_parameters *parameters, const gecc_options *options,
                                            gecc_widths *widths);
/* gecc_keys_open. */
GECC_CALL gecc_result gecc_keys_open_by_address(gecc_context *context, gecc_keys **keys, gecc_curve curve,
                                                const gecc_out *status, const gecc_rows *public_keys, size_t count,
                                                const gecc_keys_config *config);
/* gecc_keys_add. */
GECC_CALL gecc_result gecc_keys_add_by_address(gecc_keys *keys, const gecc_out *status, const gecc_rows *public_keys,
                                               size_t count, size_t *first);

#ifdef __cplusplus
}
#endif
#endif
