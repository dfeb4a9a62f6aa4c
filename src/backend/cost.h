/* How long a job takes on the CPU and on a GPU: enough to choose between them. */
#ifndef GECC_BACKEND_COST_H
#define GECC_BACKEND_COST_H

#include <stdbool.h>

#include "scheme/job.h"
#include <gecc/curves.h>

/* What a job's time on a GPU is made of. */
enum cost_term {
    COST_CALL,  /* once: launches, copies, waiting */
    COST_CHAIN, /* a unit of the work of one row, one after the other in a thread */
    COST_UNIT,  /* a unit of the whole work, when the GPU is full */
    COST_BYTE,  /* a byte there or back */
    COST_TERMS
};

/* Seconds. A unit of work is a field multiplication, with its share of what else there is to do. */
struct cost {
    unsigned lanes;               /* of the CPU's machine */
    unsigned threads;             /* of the CPU, each of which takes */
    double curve[GECC_CURVE_END]; /* for a unit modulo the prime of a curve, */
    double modular;               /* for one modulo any odd number of 256 bits, */
    double block;                 /* for a block of a hash, */
    double byte;                  /* for a byte read or written; */
    double waking;                /* until threads that share a job have all woken */
    double gpu[COST_TERMS];
};

/* Of the CPU's machine with that name (gecc_backend_info's `device`), the slowest where the name is none; and of the
 * GPU. */
struct cost gecc_cost_of(const char *machine, unsigned threads);

/* How many rows are worth a thread of their own on a machine with so many lanes: they take some 10 to 250 microseconds;
 * waking a thread takes 10 to 50. */
size_t gecc_rows_worth_a_thread(enum operation operation, size_t lanes);

double gecc_cost_cpu(const struct cost *cost, const struct job *job);
/* Copies included. */
double gecc_cost_gpu(const struct cost *cost, const struct job *job);
/* How much of each term there is: the sum of terms[t] * cost->gpu[t] is gecc_cost_gpu. */
void gecc_cost_gpu_terms(const struct job *job, double terms[COST_TERMS]);

#endif
