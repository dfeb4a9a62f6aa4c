/* What the rows of a task sign: digests that they bring, or hashes of their messages. */
#ifndef TOOL_TASK_H
#define TOOL_TASK_H

#include "rows/batch.h"

/* The rows' digests: their column `digest`, or the hashes of `msg` (with SM2 of Z and msg, for which public_key is
 * needed). Where there are both, rows in which they differ are refused. Rows of which the digest could not be computed
 * are noted for task_merge. */
gecc_result task_digests(struct task *task, gecc_rows public_key, gecc_rows *digest);

/* Refuse the rows whose digest, the first column, is not the second: they have no results. */
void task_compare(struct task *task, gecc_rows digest, gecc_rows expected, const char *reason);

/* Rows noted as failed lose their results and get the status of that failure, unless they are malformed already: a key
 * comes before the digest. */
void task_merge(struct task *task);

#endif
