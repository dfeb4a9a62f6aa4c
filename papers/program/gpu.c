#include "gpu.h"

#include "summary.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS_MOST = 1 << 20 };
static const double SECONDS_ENOUGH = 0.5;

/* CUdevice_attribute and CUfunction_attribute, besides those of driver.h. */
enum {
    CLOCK_RATE = 13, /* kHz */
    L2_CACHE_SIZE = 38,
    MAX_PERSISTING_L2_CACHE_SIZE = 108,
    MAX_ACCESS_POLICY_WINDOW_SIZE = 109,
    NUM_REGS = 4
};

bool gpu_check(const struct gpu *gpu, CUresult result, const char *call) {
    const char *name = NULL;
    if (result == CUDA_SUCCESS)
        return true;
    if (gpu->driver->cuGetErrorName(result, &name) != CUDA_SUCCESS || name == NULL)
        name = "an unknown error";
    fprintf(stderr, "gecc-papers: %s: %s\n", call, name);
    return false;
}

/* 0 where the driver does not know it. */
static unsigned attribute(const struct gpu *gpu, int which) {
    int value = 0;
    return gpu->driver->cuDeviceGetAttribute(&value, which, gpu->device) == CUDA_SUCCESS && value > 0 ? (unsigned)value
                                                                                                      : 0;
}

static void read_attributes(struct gpu *gpu) {
    gpu->multiprocessors = attribute(gpu, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    gpu->nominal_mhz = attribute(gpu, CLOCK_RATE) / 1000;
    gpu->capability = 10 * attribute(gpu, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                      attribute(gpu, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
    gpu->l2_bytes = attribute(gpu, L2_CACHE_SIZE);
    gpu->persisting_bytes = attribute(gpu, MAX_PERSISTING_L2_CACHE_SIZE);
}

bool gpu_open(struct gpu *gpu, bool *none) {
    char reason[128];
    int count = 0;
    *none = true;
    *gpu = (struct gpu){.driver = gecc_driver_load(reason, sizeof reason)};
    if (gpu->driver == NULL) {
        fprintf(stderr, "gecc-papers: %s\n", reason);
        return false;
    }
    if (gpu->driver->cuInit(0) != CUDA_SUCCESS || gpu->driver->cuDeviceGetCount(&count) != CUDA_SUCCESS || count == 0) {
        fprintf(stderr, "gecc-papers: no GPU\n");
        return false;
    }
    *none = false;
    if (!gpu_check(gpu, gpu->driver->cuDeviceGet(&gpu->device, 0), "cuDeviceGet") ||
        !gpu_check(gpu, gpu->driver->cuDevicePrimaryCtxRetain(&gpu->context, gpu->device),
                   "cuDevicePrimaryCtxRetain") ||
        !gpu_check(gpu, gpu->driver->cuCtxPushCurrent(gpu->context), "cuCtxPushCurrent"))
        return false;
    (void)gpu->driver->cuDeviceGetName(gpu->name, sizeof gpu->name, gpu->device);
    read_attributes(gpu);
    return gpu_check(gpu, gpu->driver->cuStreamCreate(&gpu->stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate") &&
           gpu_check(gpu, gpu->driver->cuEventCreate(&gpu->start, CU_EVENT_DEFAULT), "cuEventCreate") &&
           gpu_check(gpu, gpu->driver->cuEventCreate(&gpu->stop, CU_EVENT_DEFAULT), "cuEventCreate") &&
           gpu_new(gpu, &gpu->clocks, BLOCKS_MOST * sizeof(struct papers_clock));
}

void gpu_close(struct gpu *gpu) {
    gpu_free(gpu, gpu->clocks);
    (void)gpu->driver->cuEventDestroy(gpu->start);
    (void)gpu->driver->cuEventDestroy(gpu->stop);
    (void)gpu->driver->cuStreamDestroy(gpu->stream);
    (void)gpu->driver->cuDevicePrimaryCtxRelease(gpu->device);
}

/* The image's module, loaded once; NULL: there is none, or it failed. */
static CUmodule module_of(const struct gpu *gpu, const char *image) {
    enum { IMAGES_MOST = 64 };
    static CUmodule loaded[IMAGES_MOST];
    for (size_t i = 0; i < IMAGES_MOST && gecc_cuda_images[i].name != NULL; i++)
        if (strcmp(gecc_cuda_images[i].name, image) == 0) {
            if (loaded[i] == NULL &&
                !gpu_check(gpu, gpu->driver->cuModuleLoadData(&loaded[i], gecc_cuda_images[i].bytes), image))
                return NULL;
            return loaded[i];
        }
    fprintf(stderr, "gecc-papers: no image %s\n", image);
    return NULL;
}

bool gpu_find(const struct gpu *gpu, const char *image, const char *name, struct gpu_kernel *kernel) {
    char symbol[96];
    CUmodule module = module_of(gpu, image);
    (void)snprintf(symbol, sizeof symbol, "gecc_papers_%s", name);
    return module != NULL &&
           gpu_check(gpu, gpu->driver->cuModuleGetFunction(&kernel->function, module, symbol), symbol) &&
           gpu_check(gpu, gpu->driver->cuFuncGetAttribute(&kernel->registers, NUM_REGS, kernel->function), symbol);
}

bool gpu_resident(const struct gpu *gpu, const struct gpu_kernel *kernel, unsigned threads, unsigned *blocks) {
    int most = 0;
    if (!gpu_check(gpu,
                   gpu->driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(&most, kernel->function, (int)threads, 0),
                   "cuOccupancyMaxActiveBlocksPerMultiprocessor"))
        return false;
    if (most < 1)
        fprintf(stderr, "gecc-papers: no block of %u threads fits a multiprocessor\n", threads);
    *blocks = (unsigned)most;
    return most >= 1;
}

static bool wait(const struct gpu *gpu, const char *call) {
    return gpu_check(gpu, gpu->driver->cuStreamSynchronize(gpu->stream), call);
}

bool gpu_symbol(const struct gpu *gpu, const char *image, const char *name, void *value, size_t bytes) {
    CUmodule module = module_of(gpu, image);
    CUdeviceptr address = 0;
    size_t found = 0;
    if (module == NULL || !gpu_check(gpu, gpu->driver->cuModuleGetGlobal(&address, &found, module, name), name))
        return false;
    if (found != bytes)
        fprintf(stderr, "gecc-papers: %s has %zu bytes, not %zu\n", name, found, bytes);
    return found == bytes && gpu_read(gpu, value, address, bytes);
}

bool gpu_clear(const struct gpu *gpu, CUdeviceptr memory, size_t bytes) {
    return gpu_check(gpu, gpu->driver->cuMemsetD8Async(memory, 0, bytes, gpu->stream), "cuMemsetD8Async") &&
           wait(gpu, "cuMemsetD8Async");
}

bool gpu_new(const struct gpu *gpu, CUdeviceptr *memory, size_t bytes) {
    return gpu_check(gpu, gpu->driver->cuMemAlloc(memory, bytes != 0 ? bytes : 1), "cuMemAlloc") &&
           gpu_clear(gpu, *memory, bytes);
}

void gpu_free(const struct gpu *gpu, CUdeviceptr memory) {
    if (memory != 0)
        (void)gpu->driver->cuMemFree(memory);
}

bool gpu_write(const struct gpu *gpu, CUdeviceptr to, const void *from, size_t bytes) {
    return gpu_check(gpu, gpu->driver->cuMemcpyHtoDAsync(to, from, bytes, gpu->stream), "cuMemcpyHtoDAsync") &&
           wait(gpu, "cuMemcpyHtoDAsync");
}

bool gpu_read(const struct gpu *gpu, void *to, CUdeviceptr from, size_t bytes) {
    return gpu_check(gpu, gpu->driver->cuMemcpyDtoHAsync(to, from, bytes, gpu->stream), "cuMemcpyDtoHAsync") &&
           wait(gpu, "cuMemcpyDtoHAsync");
}

bool gpu_repeat(const struct gpu *gpu, CUdeviceptr memory, size_t from, size_t bytes) {
    for (size_t done = from; done < bytes;) {
        size_t more = done < bytes - done ? done : bytes - done;
        if (!gpu_check(gpu, gpu->driver->cuMemcpyDtoDAsync(memory + done, memory, more, gpu->stream),
                       "cuMemcpyDtoDAsync") ||
            !wait(gpu, "cuMemcpyDtoDAsync"))
            return false;
        done += more;
    }
    return true;
}

static bool run_once(const struct gpu *gpu, const struct gpu_kernel *kernel, const struct gpu_launch *l,
                     double *seconds) {
    const struct driver *driver = gpu->driver;
    struct launch launch = l->launch;
    struct papers_options options = l->options;
    CUdeviceptr clocks = gpu->clocks;
    void *parameters[] = {&launch, &options, &clocks};
    float milliseconds = 0;
    bool good = gpu_check(gpu, driver->cuEventRecord(gpu->start, gpu->stream), "cuEventRecord") &&
                gpu_check(gpu,
                          driver->cuLaunchKernel(kernel->function, l->blocks, 1, 1, l->threads, 1, 1, 0, gpu->stream,
                                                 parameters, NULL),
                          "cuLaunchKernel") &&
                gpu_check(gpu, driver->cuEventRecord(gpu->stop, gpu->stream), "cuEventRecord") && wait(gpu, "kernel") &&
                gpu_check(gpu, driver->cuEventElapsedTime(&milliseconds, gpu->start, gpu->stop), "cuEventElapsedTime");
    *seconds = 1e-3 * (double)milliseconds;
    return good;
}

static bool read_clocks(const struct gpu *gpu, unsigned blocks, struct gpu_time *time) {
    double cycles = 0, nanoseconds = 0;
    struct papers_clock *clocks = malloc(blocks * sizeof *clocks);
    bool good = clocks != NULL && gpu_read(gpu, clocks, gpu->clocks, blocks * sizeof *clocks);
    for (unsigned i = 0; i < blocks && good; i++) {
        cycles += (double)clocks[i].cycles;
        nanoseconds += (double)clocks[i].nanoseconds;
    }
    free(clocks);
    time->cycles = cycles / blocks;
    time->mhz = nanoseconds > 0 ? 1e3 * cycles / nanoseconds : 0;
    return good;
}

bool time_lacks(const double *seconds, unsigned runs, unsigned most) {
    double sum = 0;
    for (unsigned i = 0; i < runs; i++)
        sum += seconds[i];
    return runs < most && sum < SECONDS_ENOUGH;
}

struct gpu_time time_of(double *seconds, unsigned runs) {
    struct summary summary = summary_of(seconds, runs);
    return (struct gpu_time){.seconds = summary.median, .low = summary.low, .high = summary.high, .runs = runs};
}

bool gpu_run(const struct gpu *gpu, const struct gpu_kernel *kernel, const struct gpu_launch *launch,
             struct gpu_time *time) {
    double seconds[RUNS_MOST];
    unsigned runs = 0;
    if (launch->blocks == 0 || launch->blocks > BLOCKS_MOST || launch->runs == 0 || launch->runs > RUNS_MOST) {
        fprintf(stderr, "gecc-papers: %u blocks, %u runs: not from 1 to the most\n", launch->blocks, launch->runs);
        return false;
    }
    if (!run_once(gpu, kernel, launch, &seconds[0]))
        return false;
    for (; time_lacks(seconds, runs, launch->runs); runs++)
        if (!run_once(gpu, kernel, launch, &seconds[runs]))
            return false;
    *time = time_of(seconds, runs);
    return read_clocks(gpu, launch->blocks, time);
}

/* CUaccessPolicyWindow, as the attribute of a stream that it is (CUstreamAttrValue has 64 bytes). */
union stream_attribute {
    struct {
        CUdeviceptr base;
        size_t bytes;
        float hit_ratio;
        int hit, miss; /* NORMAL, STREAMING or PERSISTING */
    } window;
    char padding[64];
};

enum { LIMIT_PERSISTING_L2_CACHE_SIZE = 6, STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW = 1 };
enum { NORMAL, STREAMING, PERSISTING };

typedef CUresult set_limit_function(int limit, size_t value);
typedef CUresult set_attribute_function(CUstream stream, int attribute, const union stream_attribute *value);
typedef CUresult reset_function(void);

/* A function that drivers before CUDA 11 lack; ISO C has no conversion between pointers to objects and to functions,
 * POSIX promises that they have the same representation. */
static void find_function(const char *symbol, void (**function)(void)) {
    union {
        void *object;
        void (*function)(void);
    } address = {NULL};
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (library) {
        address.object = dlsym(library, symbol);
        dlclose(library);
    }
    *function = address.function;
}

bool gpu_persist(const struct gpu *gpu, enum cache cache, CUdeviceptr memory, size_t bytes) {
    void (*set_limit)(void), (*set_attribute)(void), (*reset)(void);
    union stream_attribute value = {.window = {.base = memory}};
    bool keeps = cache != NOT_KEPT;
    size_t aside = !keeps ? 0 : gpu->persisting_bytes, most = attribute(gpu, MAX_ACCESS_POLICY_WINDOW_SIZE);
    find_function("cuCtxSetLimit", &set_limit);
    find_function("cuStreamSetAttribute", &set_attribute);
    find_function("cuCtxResetPersistingL2Cache", &reset);
    if (set_limit == NULL || set_attribute == NULL || reset == NULL || gpu->persisting_bytes == 0 || most == 0) {
        fprintf(stderr, "gecc-papers: the driver or the GPU keeps nothing in its L2 cache\n");
        return false;
    }
    value.window.bytes = !keeps ? 0 : bytes < most ? bytes : most;
    value.window.hit_ratio = value.window.bytes > aside ? (float)((double)aside / (double)value.window.bytes) : 1;
    value.window.hit = keeps ? PERSISTING : NORMAL;
    value.window.miss = cache == KEPT ? STREAMING : NORMAL;
    return gpu_check(gpu, ((set_limit_function *)set_limit)(LIMIT_PERSISTING_L2_CACHE_SIZE, aside), "cuCtxSetLimit") &&
           gpu_check(
               gpu,
               ((set_attribute_function *)set_attribute)(gpu->stream, STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW, &value),
               "cuStreamSetAttribute") &&
           (keeps || gpu_check(gpu, ((reset_function *)reset)(), "cuCtxResetPersistingL2Cache"));
}
