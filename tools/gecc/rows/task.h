/* A task through the library. */
#ifndef TOOL_TASK_H
#define TOOL_TASK_H

#include "rows/batch.h"

/* The task's operation on its rows: on their columns, the digests or messages that they sign and, where they are given,
 * the task's public keys and entropy. */
gecc_result task_run(struct task *task);

/* The rows' digests: their column `digest`, or the hashes of `msg` (with SM2 of Z and msg; Z is made with
 * task->public_key). Where there are both, rows in which they differ are refused. */
gecc_result task_digests(struct task *task, gecc_rows *digest);

#endif
