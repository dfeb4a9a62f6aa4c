/* How long a job takes on the CPU and on a GPU: enough to choose between them. */
#ifndef GECC_BACKEND_COST_H
#define GECC_BACKEND_COST_H

#include <stdbool.h>

#include "scheme/job.h"

/* Seconds on so many threads. */
double gecc_cost_cpu(const struct job *job, unsigned threads);
/* Seconds on a GPU, copies included. */
double gecc_cost_gpu(const struct job *job);

#endif
