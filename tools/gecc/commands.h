/* The subcommands, each in the file of its family. */
#ifndef TOOL_COMMANDS_H
#define TOOL_COMMANDS_H

#include "batch.h"

/* In the order in which the help shows them. */
#define COMMAND_LIST(X)                                                                                                \
    X(verify)                                                                                                          \
    X(sign) X(recover) X(pubkey) X(ecdh) X(mul) X(add) X(mod) X(digest) X(devices) X(selftest) X(demo) X(bench)

#define COMMAND(name) extern const struct command command_##name;
COMMAND_LIST(COMMAND)
#undef COMMAND

/* The rows' digests: their column `digest`, or the hashes of `msg` (with SM2 of Z and msg, for which public_key is
 * needed). Rows of which the digest could not be computed are noted for task_merge. */
gecc_result task_digests(struct task *task, gecc_rows public_key, gecc_rows *digest);

/* Rows noted as failed lose their results and get the status of that failure. */
void task_merge(struct task *task);

#endif
