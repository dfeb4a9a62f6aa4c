/* The device, the driver's table, failures, and the test's side. */
#include "fake_state.h"

struct fake_state fake = {.mutex = PTHREAD_MUTEX_INITIALIZER};
_Thread_local unsigned contexts_entered;
static struct CUctx_st the_context;

/* Lock; what the call fails with, if it does. */
CUresult call_begin(bool needs_context) {
    REQUIRE(getpid() == fake.process);
    REQUIRE(!needs_context || contexts_entered != 0);
    pthread_mutex_lock(&fake.mutex);
    fake.calls++;
    bool fails = fake.failing != 0 && (fake.from_then_on ? fake.calls >= fake.failing : fake.calls == fake.failing);
    return fails ? fake.error : CUDA_SUCCESS;
}

CUresult call_end(CUresult result) {
    pthread_mutex_unlock(&fake.mutex);
    return result;
}

/* A call that gives something back, and fails once, has given it back: nobody can try again. */
bool call_gives_back(CUresult result) { return result == CUDA_SUCCESS || !fake.from_then_on; }

static CUresult fake_init(unsigned flags) {
    CUresult result = call_begin(false);
    REQUIRE(flags == 0);
    return call_end(result);
}

static CUresult fake_error_name(CUresult error, const char **name) {
    *name = error == CUDA_ERROR_LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED"
            : error == CUDA_ERROR_NO_DEVICE   ? "CUDA_ERROR_NO_DEVICE"
                                              : NULL;
    return *name == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult fake_device_count(int *count) {
    CUresult result = call_begin(false);
    *count = fake.settings.devices;
    return call_end(result);
}

static CUresult fake_device_get(CUdevice *device, int ordinal) {
    CUresult result = call_begin(false);
    REQUIRE(ordinal >= 0 && ordinal < fake.settings.devices);
    *device = ORDINAL;
    return call_end(result);
}

static CUresult fake_device_name(char *name, int size, CUdevice device) {
    CUresult result = call_begin(false);
    REQUIRE(device == ORDINAL);
    (void)snprintf(name, (size_t)size, "a fake GPU");
    return call_end(result);
}

static CUresult fake_device_attribute(int *value, int attribute, CUdevice device) {
    CUresult result = call_begin(false);
    REQUIRE(device == ORDINAL);
    *value = attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT       ? fake.settings.multiprocessors
             : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? fake.settings.capability / 10
                                                                         : fake.settings.capability % 10;
    return call_end(result);
}

static CUresult fake_context_retain(CUcontext *context, CUdevice device) {
    CUresult result = call_begin(false);
    REQUIRE(device == ORDINAL);
    *context = &the_context;
    fake.contexts += result == CUDA_SUCCESS;
    return call_end(result);
}

static CUresult fake_context_release(CUdevice device) {
    CUresult result = call_begin(false);
    REQUIRE(device == ORDINAL && fake.contexts != 0);
    fake.contexts -= call_gives_back(result);
    return call_end(result);
}

static CUresult fake_context_push(CUcontext context) {
    CUresult result = call_begin(false);
    REQUIRE(context == &the_context);
    contexts_entered += result == CUDA_SUCCESS;
    return call_end(result);
}

static CUresult fake_context_pop(CUcontext *context) {
    CUresult result = call_begin(true);
    *context = &the_context;
    contexts_entered--;
    return call_end(result);
}

static CUresult fake_context_synchronize(void) {
    CUresult result = call_begin(true);
    if (result == CUDA_SUCCESS)
        streams_run();
    return call_end(result);
}

const struct driver fake_driver = {
    .cuInit = fake_init,
    .cuGetErrorName = fake_error_name,
    .cuDeviceGetCount = fake_device_count,
    .cuDeviceGet = fake_device_get,
    .cuDeviceGetName = fake_device_name,
    .cuDeviceGetAttribute = fake_device_attribute,
    .cuDevicePrimaryCtxRetain = fake_context_retain,
    .cuDevicePrimaryCtxRelease = fake_context_release,
    .cuCtxPushCurrent = fake_context_push,
    .cuCtxPopCurrent = fake_context_pop,
    .cuCtxSynchronize = fake_context_synchronize,
    .cuModuleLoadData = fake_module_load,
    .cuModuleUnload = fake_module_unload,
    .cuModuleGetFunction = fake_module_function,
    .cuModuleGetGlobal = fake_module_global,
    .cuFuncGetAttribute = fake_function_attribute,
    .cuOccupancyMaxActiveBlocksPerMultiprocessor = fake_occupancy,
    .cuMemGetInfo = fake_memory_info,
    .cuMemAlloc = fake_memory_take,
    .cuMemFree = fake_memory_free,
    .cuMemHostAlloc = fake_pinned_take,
    .cuMemFreeHost = fake_pinned_give,
    .cuMemcpyHtoDAsync = fake_send,
    .cuMemcpyDtoHAsync = fake_fetch,
    .cuMemcpyDtoDAsync = fake_copy,
    .cuMemsetD8Async = fake_set,
    .cuMemsetD2D8Async = fake_set_rows,
    .cuMemcpy2DAsync = fake_copy_rows,
    .cuStreamCreate = fake_stream_create,
    .cuStreamDestroy = fake_stream_destroy,
    .cuStreamSynchronize = fake_stream_synchronize,
    .cuStreamWaitEvent = fake_stream_wait,
    .cuEventCreate = fake_event_create,
    .cuEventDestroy = fake_event_destroy,
    .cuEventRecord = fake_event_record,
    .cuEventElapsedTime = fake_event_elapsed,
    .cuLaunchKernel = fake_launch,
    .cuPointerGetAttribute = fake_pointer_attribute,
};

struct fake_settings fake_settings_good(void) {
    return (struct fake_settings){(size_t)1 << 30, (size_t)1 << 30, 1, 90, 4, true, LAUNCH_ABI};
}

void fake_driver_start(const struct fake_settings *settings) {
    pthread_mutex_lock(&fake.mutex);
    while (fake.streams != NULL) {
        CUstream stream = fake.streams;
        stream_clear(stream);
        fake.streams = stream->next;
        if (stream != &fake.default_stream)
            free(stream);
    }
    while (fake.events != NULL) {
        CUevent event = fake.events;
        fake.events = event->next;
        free(event);
    }
    while (fake.modules != NULL) {
        CUmodule module = fake.modules;
        fake.modules = module->next;
        free(module);
    }
    while (fake.blocks != NULL)
        block_free(fake.blocks);
    fake.default_stream.last = &fake.default_stream.first;
    fake.streams = &fake.default_stream;
    fake.settings = *settings;
    fake.process = getpid();
    fake.contexts = 0;
    fake.milliseconds = 0;
    contexts_entered = 0;
    fake.used = fake.used_most = fake.pinned_used = 0;
    fake.calls = fake.launches = fake.failing = 0;
    fake.withheld_every = 0;
    fake.secrets = fake.found_on_device = fake.found_pinned = 0;
    pthread_mutex_unlock(&fake.mutex);
}

void fake_driver_fail(unsigned long call, bool from_then_on, CUresult error) {
    fake.failing = call;
    fake.from_then_on = from_then_on;
    fake.error = error;
}

void fake_driver_withhold(size_t every) { fake.withheld_every = every; }

unsigned long fake_driver_calls(void) { return fake.calls; }
unsigned long fake_driver_launches(void) { return fake.launches; }
size_t fake_driver_memory_most(void) { return fake.used_most; }

size_t fake_driver_pending(void) {
    size_t pending = 0;
    for (const struct CUstream_st *stream = fake.streams; stream != NULL; stream = stream->next)
        for (const struct work *work = stream->first; work != NULL; work = work->next)
            pending++;
    return pending;
}

size_t fake_driver_held(void) {
    size_t held = fake.contexts;
    for (const struct CUmod_st *module = fake.modules; module != NULL; module = module->next)
        held++;
    for (const struct CUstream_st *stream = fake.streams; stream != &fake.default_stream; stream = stream->next)
        held++;
    for (const struct CUevent_st *event = fake.events; event != NULL; event = event->next)
        held++;
    for (const struct block *block = fake.blocks; block != NULL; block = block->next)
        held++;
    return held;
}
