/* What the library says of its operations, and the one function that runs them all. */
#include <gecc/operations.h>

#include <string.h>

#include "api/call.h"
#include "api/error.h"
#include "api/widths.h"

const char *gecc_kind_name(gecc_kind kind) {
    switch (kind) {
#define NAME(identifier, value, secrecy, name, text)                                                                   \
    case identifier:                                                                                                   \
        return name;
        GECC_KIND_LIST(NAME)
#undef NAME
    }
    return "unknown";
}

const char *gecc_kind_text(gecc_kind kind) {
    switch (kind) {
#define TEXT(identifier, value, secrecy, name, text)                                                                   \
    case identifier:                                                                                                   \
        return text;
        GECC_KIND_LIST(TEXT)
#undef TEXT
    }
    return "unknown";
}

const char *gecc_flag_name(uint32_t flag) {
    switch (flag) {
#define NAME(identifier, bit, name, text)                                                                              \
    case identifier:                                                                                                   \
        return name;
        GECC_FLAG_LIST(NAME)
#undef NAME
    default:
        return NULL;
    }
}

const char *gecc_flag_text(uint32_t flag) {
    switch (flag) {
#define TEXT(identifier, bit, name, text)                                                                              \
    case identifier:                                                                                                   \
        return text;
        GECC_FLAG_LIST(TEXT)
#undef TEXT
    default:
        return NULL;
    }
}

const gecc_operation *gecc_operations(size_t index) {
    return index < OPERATION_COUNT ? &gecc_operation_table[index].described : NULL;
}

const gecc_operation *gecc_operation_find(const char *name) {
    for (size_t i = 0; name != NULL && i < OPERATION_COUNT; i++)
        if (strcmp(gecc_operation_table[i].described.name, name) == 0)
            return &gecc_operation_table[i].described;
    return NULL;
}

const struct operation_info *gecc_operation_entry(const gecc_operation *operation) {
    for (size_t i = 0; i < OPERATION_COUNT; i++)
        if (operation == &gecc_operation_table[i].described)
            return &gecc_operation_table[i];
    return NULL;
}

/* columns[index] of a list that ends with a column without a name. */
static const gecc_column *column_at(const gecc_column *columns, size_t index) {
    for (size_t i = 0; columns[i].name != NULL; i++)
        if (i == index)
            return &columns[i];
    return NULL;
}

/* Is it one of the list's? */
static bool is_of(const gecc_column *columns, const gecc_column *column) {
    for (size_t i = 0; columns[i].name != NULL; i++)
        if (column == &columns[i])
            return true;
    return false;
}

const gecc_column *gecc_operation_input(const gecc_operation *operation, size_t index) {
    const struct operation_info *info = gecc_operation_entry(operation);
    return info == NULL ? NULL : column_at(info->in, index);
}

const gecc_column *gecc_operation_output(const gecc_operation *operation, size_t index) {
    const struct operation_info *info = gecc_operation_entry(operation);
    return info == NULL ? NULL : column_at(info->out, index);
}

gecc_widths gecc_column_widths(const gecc_operation *operation, const gecc_column *column,
                               const gecc_parameters *parameters, const gecc_options *options) {
    const struct operation_info *info = gecc_operation_entry(operation);
    gecc_widths none = {.least = 0};
    struct call call;
    if (info == NULL || !(is_of(info->in, column) || is_of(info->out, column)))
        return none;
    gecc_call_describe(&call, NULL, (enum operation)(info - gecc_operation_table), parameters, options);
    return call.result == GECC_OK ? gecc_job_widths(&call.job, column) : none;
}

gecc_result gecc_run(gecc_context *context, const gecc_operation *operation, const gecc_parameters *parameters,
                     const gecc_out *outputs, gecc_out status, const gecc_rows *inputs, size_t count,
                     const gecc_options *options) {
    const struct operation_info *info = gecc_operation_entry(operation);
    if (info == NULL) {
        gecc_call_clear(context, status, count);
        return gecc_error(GECC_ERROR_ARGUMENT, "operation: not one of gecc_operations");
    }
    return gecc_call(context, (enum operation)(info - gecc_operation_table), parameters, outputs, status, inputs, count,
                     options);
}

gecc_result gecc_prepare(gecc_context *context, const gecc_operation *operation, const gecc_parameters *parameters,
                         size_t count, const gecc_options *options) {
    const struct operation_info *info = gecc_operation_entry(operation);
    struct call call;
    if (info == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "operation: not one of gecc_operations");
    if (context == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "context is NULL");
    gecc_call_describe(&call, context, (enum operation)(info - gecc_operation_table), parameters, options);
    return call.result == GECC_OK ? gecc_call_prepare(context, &call, count) : call.result;
}
