/* What the library expects a job to take, by which "auto" chooses: its own cost model. Apart from the rest, because
 * names in the library's headers are also names here. */
#ifndef BENCH_CHECK_PREDICTION_H
#define BENCH_CHECK_PREDICTION_H

#include <stdint.h>

#include <gecc/gecc.h>

/* As the library calls what a time on a GPU is made of. */
enum { PREDICTION_TERMS = 4, PREDICTION_INPUTS = 4 };
extern const char *const prediction_terms[PREDICTION_TERMS];

/* A call in the terms of the library's jobs. */
struct predicted_call {
    const gecc_operation *operation;
    gecc_curve curve;
    uint32_t flags;
    size_t modulus_bytes;
    size_t in_width[PREDICTION_INPUTS], out_width; /* 0: no column */
    size_t count;
};

struct prediction {
    double cpu, gpu;                /* seconds */
    double terms[PREDICTION_TERMS]; /* how much of each there is; gpu is the sum of terms times seconds */
};

/* On the CPU's machine with that name (gecc_backend_info's device), on so many threads. */
struct prediction predict(const struct predicted_call *call, const char *machine, unsigned threads);
/* The least count from which on "auto" takes the GPU, SIZE_MAX: none up to 2^40. */
size_t predict_switch(const struct predicted_call *call, const char *machine, unsigned threads);
/* Seconds of each term, as they are now. */
void predict_constants(double seconds[PREDICTION_TERMS]);

#endif
