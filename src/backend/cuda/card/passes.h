/* Passes that make tables of multiples of points in a GPU's memory, those of keys and G's: batch/key_tables.h. */
#ifndef GECC_BACKEND_CUDA_CARD_PASSES_H
#define GECC_BACKEND_CUDA_CARD_PASSES_H

#include "backend/cuda/device/program.h"

struct passes {
    struct device *device;
    struct program *program;
    CUstream stream;
    struct launch launch; /* of which job.keys is the set, and the workspace is there */
    size_t rows;          /* that there is workspace for in a launch */
};

/* Queue a kernel over so many rows. */
gecc_result gecc_passes_run(struct passes *p, const struct kernel *kernel, size_t rows);

/* Queue the passes after the first one for so many windows, of which the last has `last` entries besides 0, as a table
 * of one key may, and the others as many as there are digits. */
gecc_result gecc_passes_finish(struct passes *p, size_t windows, size_t last);

#endif
