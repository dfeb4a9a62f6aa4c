/* What the calls over transactions have in common: arguments, the threads that read rows, and recoveries, of which a
 * report tells. */
#ifndef GECC_LEDGER_CALL_H
#define GECC_LEDGER_CALL_H

#include "api/arguments.h"
#include "backend/pool.h"
#include "batch/rows.h"
#include "ledger/transaction.h"

enum { DIGEST_BYTES = 32 };

struct ledger_call {
    struct call call; /* whether the arguments are right, so far */
    gecc_rows transactions;
    size_t count;
    gecc_ethereum_options options;
    double started;     /* in seconds of a clock */
    gecc_report report; /* of all recoveries so far */
};

/* Take over what both calls have; `statuses` rows have a status. */
void ledger_take(struct ledger_call *ledger, const char *operation, gecc_context *context, gecc_out status,
                 size_t statuses, gecc_rows transactions, size_t count, const gecc_ethereum_options *options);

/* An output column of rows of `width` bytes. */
void ledger_take_output(struct ledger_call *ledger, const char *name, gecc_out out, size_t rows, size_t width,
                        bool is_optional);

/* Threads that read so many rows, to be closed with gecc_pool_close. NULL: the caller alone. */
struct pool *ledger_pool(const struct ledger_call *ledger);

/* Have work(argument, first, end) run for all rows, by blocks of first .. end - 1 that threads take in turn. */
typedef void ledger_work(void *argument, size_t first, size_t end);
void ledger_for(struct pool *pool, size_t rows, ledger_work *work, void *argument);

/* Count one more recovery in. */
void ledger_add_report(struct ledger_call *ledger, const gecc_report *report);

/* What the call returns, whose report is filled if it is wanted. */
gecc_result ledger_finish(struct ledger_call *ledger, gecc_result result);

/* The column from row `first` on. */
static inline gecc_out out_from(gecc_out out, size_t first) {
    if (out.data != NULL)
        out.data = out_at(&out, first);
    if (out.widths != NULL)
        out.widths += first;
    return out;
}

#endif
