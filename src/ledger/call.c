#include "ledger/call.h"

#include "api/context.h"
#include "api/error.h"
#include "api/sized.h"

/* Bytes of the options in their first version; and rows that are worth a thread, of some 300 ns each. */
enum { OPTIONS_LEAST = offsetof(gecc_ethereum_options, report) + sizeof(gecc_report *), ROWS_OF_A_THREAD = 1024 };

static bool is_on_device(const gecc_context *context, const void *address) {
    const struct instance *instance = &context->instance;
    return address != NULL && instance->backend->on_device != NULL &&
           instance->backend->on_device(instance->state, address);
}

static gecc_result take_options(struct ledger_call *call, const gecc_ethereum_options *options) {
    gecc_ethereum_options *own = &call->options;
    *own = (gecc_ethereum_options)GECC_ETHEREUM_OPTIONS_INIT;
    if (options != NULL && !gecc_sized_take(own, sizeof *own, OPTIONS_LEAST, options, options->size))
        return gecc_error(GECC_ERROR_ARGUMENT, "options: size is %zu, which this version (%s) does not know",
                          options->size, gecc_version());
    if ((own->flags & ~(uint32_t)(GECC_ANY_S | GECC_LOW_S)) != 0)
        return gecc_error(GECC_ERROR_ARGUMENT, "options: flags has bits other than GECC_ANY_S: 0x%x", own->flags);
    if ((own->flags & GECC_LOW_S) != 0 && (own->flags & GECC_ANY_S) != 0)
        return gecc_error(GECC_ERROR_ARGUMENT, "options: flags has both GECC_LOW_S and GECC_ANY_S");
    if (own->report != NULL && own->report->size < sizeof own->report->size)
        return gecc_error(GECC_ERROR_ARGUMENT, "options: report's size is %zu", own->report->size);
    return GECC_OK;
}

gecc_result ledger_take(struct ledger_call *call, gecc_context *context, gecc_rows transactions, size_t count,
                        const gecc_ethereum_options *options) {
    bool empty = count == 0 || (transactions.widths == NULL && transactions.width == 0);
    *call = (struct ledger_call){context, transactions, count, GECC_ETHEREUM_OPTIONS_INIT};
    if (context == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "context is NULL");
    if (transactions.data == NULL && !empty)
        return gecc_error(GECC_ERROR_ARGUMENT, "transactions: data is NULL");
    if (transactions.widths == NULL && transactions.width > UINT32_MAX)
        return gecc_error(GECC_ERROR_ARGUMENT, "transactions: rows of %zu bytes, where %u are the most",
                          transactions.width, UINT32_MAX);
    if (is_on_device(context, transactions.data) || is_on_device(context, transactions.widths) ||
        is_on_device(context, transactions.offsets))
        return gecc_error(GECC_ERROR_ARGUMENT, "transactions: they are in a device's memory");
    return take_options(call, options);
}

gecc_result ledger_take_output(const struct ledger_call *call, const char *name, gecc_out out, size_t rows,
                               size_t width, bool is_optional) {
    if (out.data == NULL && (is_optional || rows == 0))
        return GECC_OK;
    if (out.data == NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "%s: data is NULL", name);
    if (out.widths != NULL)
        return gecc_error(GECC_ERROR_ARGUMENT, "%s: widths is not NULL, and all rows have %zu bytes", name, width);
    if (rows > 1 && (out.stride < width || out.stride > (PTRDIFF_MAX - width) / (rows - 1)))
        return gecc_error(GECC_ERROR_ARGUMENT, "%s: %zu rows of %zu bytes cannot be %zu bytes apart", name, rows, width,
                          out.stride);
    if (is_on_device(call->context, out.data))
        return gecc_error(GECC_ERROR_ARGUMENT, "%s: it is in a device's memory", name);
    return GECC_OK;
}

unsigned ledger_threads(const struct ledger_call *call) {
    gecc_backend_info info = GECC_BACKEND_INFO_INIT;
    unsigned threads = 1;
    size_t worth = call->count / ROWS_OF_A_THREAD;
    for (size_t i = 0; worth > 1 && i < gecc_backends(call->context, i, &info); i++)
        threads = info.threads > threads ? info.threads : threads;
    return worth < threads ? (unsigned)(worth == 0 ? 1 : worth) : threads;
}
