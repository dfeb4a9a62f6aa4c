/* Scripts of Taproot (BIP-342).
 *
 * A signature that is not empty has to be valid, or the script fails. So what such a script does is known before any
 * signature is judged, and it can be run: its result is the signatures that it needs, each with its key. */
#ifndef TOOL_BITCOIN_TAPSCRIPT_H
#define TOOL_BITCOIN_TAPSCRIPT_H

#include "bitcoin/script.h"

/* Run the script of a script path on its witness, without script and control block. Scripts with other operations than
 * pushes, those on signatures, time locks, a few more and data that is passed over are not covered. false: the arena
 * failed. */
bool tapscript_run(struct spend *spend, const struct transaction *transaction, size_t index, struct bytes script,
                   struct stack witness, struct arena *arena);

#endif
