/* What an input asks for, by the scripts of the output that it spends.
 *
 * But for Taproot's, scripts are not run: they are compared with a few forms. A script of another form is `not
 * covered`. The rules are those of all soft forks up to Taproot (BIP 16, 65, 66, 112, 141, 143, 147, 341,
 * 342), but for two that old blocks do not keep. */
#ifndef TOOL_BITCOIN_SPEND_H
#define TOOL_BITCOIN_SPEND_H

#include "bitcoin/script.h"

/* What input number `index` asks for, which spends *prevout, in a block of that height. false: the arena failed. */
bool spend_find(struct spend *spend, const struct transaction *transaction, size_t index, const struct prevout *prevout,
                uint32_t height, struct arena *arena);

#endif
