#include "backend/cuda/card/passes.h"

gecc_result gecc_passes_run(struct passes *p, const struct kernel *kernel, size_t rows) {
    gecc_result result = GECC_OK;
    for (size_t first = 0; first < rows && result == GECC_OK; first += p->rows) {
        p->launch.first = first;
        p->launch.count = rows - first < p->rows ? rows - first : p->rows;
        result = gecc_kernel_launch(p->device, kernel, &p->launch, p->stream);
    }
    return result;
}

gecc_result gecc_passes_finish(struct passes *p, size_t windows, size_t last) {
    struct key_set *keys = &p->launch.job.keys;
    const struct kernel *normalise, *extend;
    gecc_result result = gecc_program_key_pass(p->device, p->program, KEY_PASS_NORMALISE, &normalise);
    if (result == GECC_OK)
        result = gecc_program_key_pass(p->device, p->program, KEY_PASS_EXTEND, &extend);
    if (result == GECC_OK)
        result = gecc_passes_run(p, normalise, windows);
    for (uint32_t have = 1; have < 1u << (keys->width - 1) && result == GECC_OK; have *= 2) {
        keys->have = have;
        result = gecc_passes_run(p, extend, (have < last ? windows : windows - 1) * have);
    }
    return result;
}
