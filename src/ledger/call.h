/* What the calls over transactions have in common: arguments that are checked, and rows that the crew reads. */
#ifndef GECC_LEDGER_CALL_H
#define GECC_LEDGER_CALL_H

#include "batch/rows.h"
#include "ledger/crew.h"
#include "ledger/transaction.h"

enum { DIGEST_BYTES = 32 };

struct ledger_call {
    gecc_context *context;
    gecc_rows transactions;
    size_t count;
    gecc_ethereum_options options;
};

/* Take over what both calls have. */
gecc_result ledger_take(struct ledger_call *call, gecc_context *context, gecc_rows transactions, size_t count,
                        const gecc_ethereum_options *options);

/* Refuse an output column that has no room for rows of `width` bytes, is in a device's memory, or is missing where it has to be. */
gecc_result ledger_take_output(const struct ledger_call *call, const char *name, gecc_out out, size_t rows,
                               size_t width, bool is_optional);

/* How many threads read so many rows. */
unsigned ledger_threads(const struct ledger_call *call);

/* The column from row `first` on. */
static inline gecc_out out_from(gecc_out out, size_t first) {
    if (out.data != NULL)
        out.data = out_at(&out, first);
    if (out.widths != NULL)
        out.widths += first;
    return out;
}

#endif
