#include "prediction.h"

#include "backend/cost.h"

#include <string.h>

_Static_assert((int)PREDICTION_TERMS == (int)COST_TERMS, "one name for each term");

const char *const prediction_terms[PREDICTION_TERMS] = {[COST_CALL] = "gpu_call_seconds",
                                                        [COST_CHAIN] = "gpu_chain_seconds",
                                                        [COST_UNIT] = "gpu_unit_seconds",
                                                        [COST_BYTE] = "gpu_byte_seconds"};

/* Operations have one order, in gecc_operations and in jobs. */
static enum operation number_of(const gecc_operation *operation) {
    size_t i = 0;
    while (i < OPERATION_COUNT - 1 && gecc_operations(i) != operation)
        i++;
    return (enum operation)i;
}

static struct job job_of(const struct predicted_call *call) {
    static uint8_t anything;
    struct job job = {.operation = number_of(call->operation),
                      .curve = call->curve,
                      .flags = call->flags,
                      .modulus_bytes = call->modulus_bytes,
                      .count = call->count};
    for (int i = 0; i < PREDICTION_INPUTS; i++)
        if (call->in_width[i] != 0)
            job.in[i] = gecc_rows_packed(&anything, call->in_width[i]);
    if (call->out_width != 0)
        job.out[0] = gecc_out_packed(&anything, call->out_width);
    job.out_width[0] = call->out_width;
    return job;
}

struct prediction predict(const struct predicted_call *call, const char *machine, unsigned threads) {
    const struct cost cost = gecc_cost_of(machine, threads);
    const struct job job = job_of(call);
    struct prediction prediction = {.cpu = gecc_cost_cpu(&cost, &job), .gpu = gecc_cost_gpu(&cost, &job)};
    gecc_cost_gpu_terms(&job, prediction.terms);
    return prediction;
}

size_t predict_switch(const struct predicted_call *call, const char *machine, unsigned threads) {
    struct predicted_call at = *call;
    size_t low = 0, high = (size_t)1 << 40; /* the CPU takes `low` rows; the GPU `high`, if any */
    while (high - low > 1) {
        at.count = low + (high - low) / 2;
        struct prediction prediction = predict(&at, machine, threads);
        if (prediction.cpu <= prediction.gpu)
            low = at.count;
        else
            high = at.count;
    }
    return high == (size_t)1 << 40 ? SIZE_MAX : high;
}

void predict_constants(double seconds[PREDICTION_TERMS]) {
    const struct cost cost = gecc_cost_of("", 1);
    for (int t = 0; t < PREDICTION_TERMS; t++)
        seconds[t] = cost.gpu[t];
}
