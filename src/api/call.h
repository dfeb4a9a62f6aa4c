/* From the arguments of a public function to a job. */
#ifndef GECC_API_CALL_H
#define GECC_API_CALL_H

#include "api/arguments.h"

/* gecc_run for an operation of the table; the typed functions are thin fronts of it. */
gecc_result gecc_call(gecc_context *context, enum operation operation, const gecc_parameters *parameters,
                      const gecc_out *outputs, gecc_out status, const gecc_rows *inputs, size_t count,
                      const gecc_options *options);

/* The first half of gecc_run, for rows and outputs in host memory: *call is the job, its arguments checked. Returns
 * call->result. info NULL: it is none of the table's. */
gecc_result gecc_call_take(struct call *call, gecc_context *context, const struct operation_info *info,
                           const gecc_parameters *parameters, const gecc_out *outputs, gecc_out status,
                           const gecc_rows *inputs, size_t count, const gecc_options *options);
/* The second half: compute. Statuses read NOT_PROCESSED. */
gecc_result gecc_call_run(const struct call *call);
/* So many rows gain nothing by others in their job: struct backend's `enough`; SIZE_MAX where nobody can say. */
size_t gecc_call_enough(const struct call *call);

/* The operation's entry of the table, NULL: it is none of ours. */
const struct operation_info *gecc_operation_entry(const gecc_operation *operation);

/* Statuses that can be reached read NOT_PROCESSED: of a call that is refused before there is an operation. */
void gecc_call_clear(gecc_context *context, gecc_out status, size_t count);

/* The same for an operation that a curve selects. */
gecc_result gecc_call_curve(gecc_context *context, enum operation operation, gecc_curve curve, const gecc_out *outputs,
                            gecc_out status, const gecc_rows *inputs, size_t count, const gecc_options *options);

/* The same for an operation on numbers of keys. */
gecc_result gecc_call_keys(gecc_context *context, enum operation operation, gecc_keys *keys, const gecc_out *outputs,
                           gecc_out status, const gecc_rows *inputs, size_t count, const gecc_options *options);

/* A call without columns and rows, from its parameters and options; call->result says that one is wrong. context
 * NULL: it is only asked what a call would be like. */
void gecc_call_describe(struct call *call, gecc_context *context, enum operation operation,
                        const gecc_parameters *parameters, const gecc_options *options);

/* Have made what such a call of `count` rows needs: see gecc_prepare. */
gecc_result gecc_call_prepare(gecc_context *context, const struct call *call, size_t count);

#endif
