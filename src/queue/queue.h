/* What tests have of a queue besides gecc/queue.h. */
#ifndef GECC_QUEUE_QUEUE_H
#define GECC_QUEUE_QUEUE_H

#include <gecc/queue.h>

/* gecc_queue_open with a clock of the caller's: microseconds, from any time on. */
gecc_result gecc_queue_open_by(gecc_context *context, gecc_queue **opened, const gecc_queue_config *config,
                               uint64_t (*clock)(void));

#endif
