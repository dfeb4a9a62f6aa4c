/* The subcommands, each in the file of its family. */
#ifndef TOOL_COMMANDS_H
#define TOOL_COMMANDS_H

#include "batch.h"

extern const struct command command_verify, command_sign, command_recover;
extern const struct command command_pubkey, command_ecdh, command_mul, command_add;
extern const struct command command_mod, command_digest;
extern const struct command command_devices, command_selftest, command_demo, command_bench;

/* The rows' digests: their column `digest`, or the hashes of `msg` (with SM2 of Z and msg, for which public_key is
 * needed). Rows of which the digest could not be computed are noted for task_merge. */
gecc_result task_digests(struct task *task, gecc_rows public_key, gecc_rows *digest);

/* Rows noted as failed lose their results and get the status of that failure. */
void task_merge(struct task *task);

#endif
