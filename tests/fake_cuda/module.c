/* libgecc_cuda.so.1 on the fake driver, and libcuda.so.1 as far as programs that measure use it: one shared object
 * under both names, so that what they do with a GPU is tested without one. */
#include "backend/registry.h"
#include "fake_cuda/backend.h"

static void start(void) {
    static bool started;
    struct fake_settings settings = fake_settings_good();
    const char *devices = getenv("GECC_FAKE_DEVICES");
    if (devices != NULL)
        settings.devices = (int)strtol(devices, NULL, 10);
    if (!started)
        fake_driver_start(&settings);
    started = true;
}

static void probe(const gecc_config *config, gecc_backend_info *info) {
    start();
    fake_cuda_probe(config, info);
}

static gecc_result open_started(void **state, const gecc_config *config) {
    start();
    return fake_cuda_open(state, config);
}

/* Does the test want to see that wrong results are found? */
static bool plants(void) { return getenv("GECC_FAKE_PLANT") != NULL; }

/* Is it to be a module of the breakdown, with two kernels and no more? */
static bool lacks(enum operation operation) {
    return getenv("GECC_FAKE_BREAKDOWN") != NULL && operation != OPERATION_EC_MUL_BASE &&
           operation != OPERATION_ECDSA_VERIFY;
}

/* A bit of the last row's first result, which is in memory of the host. */
static gecc_result run(void *state, const struct job *job, gecc_report *report) {
    if (lacks(job->operation))
        return GECC_ERROR_UNSUPPORTED;
    gecc_result result = gecc_cuda_run(state, job, report);
    if (plants() && job->count != 0 && job->out[0].data != NULL && !gecc_cuda_on_device(state, job->out[0].data))
        ((uint8_t *)job->out[0].data)[(job->count - 1) * job->out[0].stride] ^= 1;
    return result;
}

static size_t devices_started(const void *state, size_t index, gecc_device_info *info) {
    start();
    return fake_cuda_devices(state, index, info);
}

static const struct backend backend = {.name = "cuda",
                                       .probe = probe,
                                       .open = open_started,
                                       .run = run,
                                       .submit = gecc_cuda_submit,
                                       .poll = gecc_cuda_poll,
                                       .await = gecc_cuda_await,
                                       .wait = gecc_cuda_wait,
                                       .enough = gecc_cuda_enough,
                                       .prepare = gecc_cuda_prepare,
                                       .close = gecc_cuda_close,
                                       .on_device = gecc_cuda_on_device,
                                       .devices = devices_started};

GECC_API const struct module gecc_module;
const struct module gecc_module = {MODULE_ABI, sizeof(struct job), &backend};

gecc_result gecc_cuda_measure(struct gecc_cuda_measurement *measurement) {
    start();
    gecc_result result = gecc_cuda_measure_on(&fake_driver, fake_driver_images(), measurement);
    if (plants() && result == GECC_OK)
        measurement->out[measurement->rows * measurement->modulus.bytes - 1] ^= 1;
    return result;
}

/* libcuda.so.1: names and types of the CUDA Driver API reference. */

GECC_API CUresult cuInit(unsigned flags);
GECC_API CUresult cuDeviceGet(CUdevice *device, int ordinal);
GECC_API CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
GECC_API CUresult cuCtxSetCurrent(CUcontext context);
GECC_API CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags);
GECC_API CUresult cuMemFreeHost(void *address);
GECC_API CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes);
GECC_API CUresult cuMemFree_v2(CUdeviceptr address);
GECC_API CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes);
GECC_API CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes);

CUresult cuInit(unsigned flags) { return (void)flags, start(), CUDA_SUCCESS; }
CUresult cuDeviceGet(CUdevice *device, int ordinal) { return *device = ordinal, CUDA_SUCCESS; }
CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    return (void)device, *context = NULL, CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext context) { return (void)context, CUDA_SUCCESS; }
CUresult cuMemHostAlloc(void **address, size_t bytes, unsigned flags) {
    return (void)flags, *address = fake_pinned_new(bytes), CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void *address) { return fake_pinned_free(address), CUDA_SUCCESS; }
CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t bytes) {
    return *address = (CUdeviceptr)(uintptr_t)fake_device_new(bytes), CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr address) { return fake_device_free((void *)(uintptr_t)address), CUDA_SUCCESS; }
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
    return fake_device_write((void *)(uintptr_t)to, from, bytes), CUDA_SUCCESS;
}
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
    return fake_device_read(to, (void *)(uintptr_t)from, bytes), CUDA_SUCCESS;
}
