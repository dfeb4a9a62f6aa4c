/* The first GPU of this machine, for kernels that no job of the library runs: papers/kernels. */
#ifndef PAPERS_PROGRAM_GPU_H
#define PAPERS_PROGRAM_GPU_H

#include <stdbool.h>

#include "backend/cuda/device/driver.h"
#include "papers/kernels/papers.h"

enum { RUNS_MOST = 16 };

struct gpu {
    const struct driver *driver;
    CUdevice device;
    CUcontext context;
    CUstream stream;
    CUevent start, stop;
    CUdeviceptr clocks; /* of blocks of a kernel */
    char name[64];
    unsigned multiprocessors, nominal_mhz, capability; /* capability: 90 is 9.0 */
    size_t l2_bytes, persisting_bytes;                 /* of the L2 cache; that can be set aside */
};

struct gpu_kernel {
    CUfunction function;
    int registers;
};

/* How a kernel is launched, and how often it counts at most; one run before does not. */
struct gpu_launch {
    unsigned blocks, threads, runs;
    struct launch launch;
    struct papers_options options;
};

/* What launches took, and the clock of the multiprocessors while they ran. */
struct gpu_time {
    double seconds; /* the median */
    double low, high;
    unsigned runs; /* that count */
    double cycles; /* of a block, on average, in the last run */
    double mhz;
};

/* What follows says on stderr what failed, and returns false. */

/* *none: there is no GPU or no driver. */
bool gpu_open(struct gpu *gpu, bool *none);
void gpu_close(struct gpu *gpu);
bool gpu_check(const struct gpu *gpu, CUresult result, const char *call);
/* The kernel gecc_papers_<name> of an image of this program. */
bool gpu_find(const struct gpu *gpu, const char *image, const char *name, struct gpu_kernel *kernel);
/* How many blocks of so many threads a multiprocessor has at once. */
bool gpu_resident(const struct gpu *gpu, const struct gpu_kernel *kernel, unsigned threads, unsigned *blocks);
/* A variable of an image, as gecc_papers_sizes. */
bool gpu_symbol(const struct gpu *gpu, const char *image, const char *name, void *value, size_t bytes);
/* Memory of the device; zeros. */
bool gpu_new(const struct gpu *gpu, CUdeviceptr *memory, size_t bytes);
void gpu_free(const struct gpu *gpu, CUdeviceptr memory);
bool gpu_clear(const struct gpu *gpu, CUdeviceptr memory, size_t bytes);
bool gpu_write(const struct gpu *gpu, CUdeviceptr to, const void *from, size_t bytes);
bool gpu_read(const struct gpu *gpu, void *to, CUdeviceptr from, size_t bytes);
/* Copies of the first `from` bytes behind them, until there are `bytes`. */
bool gpu_repeat(const struct gpu *gpu, CUdeviceptr memory, size_t from, size_t bytes);
/* Is another run needed, after `runs` of at most `most`? Not where they took half a second: long ones differ little. */
bool time_lacks(const double *seconds, unsigned runs, unsigned most);
/* The median of runs, which are sorted. */
struct gpu_time time_of(double *seconds, unsigned runs);
bool gpu_run(const struct gpu *gpu, const struct gpu_kernel *kernel, const struct gpu_launch *launch,
             struct gpu_time *time);
/* What the L2 cache does with memory: nothing special; keeps it in the part that is set aside, as far as that goes, and
 * lets the rest of it stream through; or keeps it so, and treats the rest as any other memory. */
enum cache { NOT_KEPT, KEPT, KEPT_REST_NORMAL };

bool gpu_persist(const struct gpu *gpu, enum cache cache, CUdeviceptr memory, size_t bytes);

#endif
