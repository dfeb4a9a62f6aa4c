/* The device, the driver's table, failures, and the test's side. */
#include "fake_cuda/state.h"

struct fake_state fake = {.mutex = PTHREAD_MUTEX_INITIALIZER};
OF_THREAD unsigned contexts_entered;
OF_THREAD int context_entered[CONTEXTS_ENTERED_MOST];

void context_enter(int device) {
    REQUIRE(contexts_entered < CONTEXTS_ENTERED_MOST);
    context_entered[contexts_entered++] = device;
}

void context_leave(void) { contexts_entered--; }

/* Does this call of the device that acts fail? */
static bool fails_here(void) {
    struct CUctx_st *context = &fake.context[fake.acting];
    return context->fails_every != 0 && ++context->calls % context->fails_every == 0;
}

/* Lock; what the call fails with, if it does. */
CUresult call_begin(bool needs_context) {
    REQUIRE(getpid() == fake.process);
    REQUIRE(!needs_context || contexts_entered != 0);
    pthread_mutex_lock(&fake.mutex);
    fake.calls++;
    bool fails = fake.failing != 0 && (fake.from_then_on ? fake.calls >= fake.failing : fake.calls == fake.failing);
    if (needs_context) {
        fake.acting = context_entered[contexts_entered - 1];
        if (fails_here())
            return fake.context[fake.acting].error;
    }
    return fails ? fake.error : CUDA_SUCCESS;
}

CUresult call_end(CUresult result) {
    pthread_mutex_unlock(&fake.mutex);
    return result;
}

size_t memory_of(int device) {
    return fake.settings.memory_of[device] != 0 ? fake.settings.memory_of[device] : fake.settings.memory;
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
    *device = ordinal;
    return call_end(result);
}

static bool is_device(CUdevice device) { return device >= 0 && device < fake.settings.devices; }

static CUresult fake_device_name(char *name, int size, CUdevice device) {
    CUresult result = call_begin(false);
    REQUIRE(is_device(device));
    (void)snprintf(name, (size_t)size, "a fake GPU");
    return call_end(result);
}

static CUresult fake_device_attribute(int *value, int attribute, CUdevice device) {
    CUresult result = call_begin(false);
    REQUIRE(is_device(device));
    const int own = fake.settings.capability_of[device], capability = own != 0 ? own : fake.settings.capability;
    *value = attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT       ? fake.settings.multiprocessors
             : attribute == CU_DEVICE_ATTRIBUTE_CLOCK_RATE               ? 1000000
             : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? capability / 10
                                                                         : capability % 10;
    return call_end(result);
}

static CUresult fake_device_uuid(CUuuid *uuid, CUdevice device) {
    CUresult result = call_begin(false);
    REQUIRE(is_device(device));
    *uuid = (CUuuid){{0xfa, 0xce, [15] = (unsigned char)device}};
    return call_end(result);
}

static CUresult fake_device_bus(char *id, int size, CUdevice device) {
    CUresult result = call_begin(false);
    REQUIRE(is_device(device));
    (void)snprintf(id, (size_t)size, "FFFF:%02X:00.0", (unsigned)device);
    return call_end(result);
}

static CUresult fake_device_memory(size_t *bytes, CUdevice device) {
    CUresult result = call_begin(false);
    REQUIRE(is_device(device));
    *bytes = memory_of(device);
    return call_end(result);
}

static CUresult fake_context_retain(CUcontext *context, CUdevice device) {
    CUresult result = call_begin(false);
    REQUIRE(is_device(device));
    *context = &fake.context[device];
    fake.context[device].retained += result == CUDA_SUCCESS;
    return call_end(result);
}

static CUresult fake_context_release(CUdevice device) {
    CUresult result = call_begin(false);
    REQUIRE(is_device(device) && fake.context[device].retained != 0);
    fake.context[device].retained -= call_gives_back(result);
    return call_end(result);
}

static CUresult fake_context_push(CUcontext context) {
    CUresult result = call_begin(false);
    REQUIRE(context >= fake.context && context < fake.context + FAKE_DEVICES_MOST && context->retained != 0);
    fake.acting = (int)(context - fake.context);
    if (result == CUDA_SUCCESS && fails_here())
        result = context->error;
    if (result == CUDA_SUCCESS)
        context_enter(fake.acting);
    return call_end(result);
}

static CUresult fake_context_pop(CUcontext *context) {
    CUresult result = call_begin(true);
    *context = &fake.context[fake.acting];
    context_leave();
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
    .cuDeviceGetUuid = fake_device_uuid,
    .cuDeviceGetPartUuid = fake_device_uuid,
    .cuDeviceGetPCIBusId = fake_device_bus,
    .cuDeviceTotalMem = fake_device_memory,
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
    .cuStreamGetCtx = fake_stream_context,
    .cuStreamWaitEvent = fake_stream_wait,
    .cuEventCreate = fake_event_create,
    .cuEventDestroy = fake_event_destroy,
    .cuEventRecord = fake_event_record,
    .cuEventElapsedTime = fake_event_elapsed,
    .cuLaunchKernel = fake_launch,
    .cuPointerGetAttribute = fake_pointer_attribute,
};

struct fake_settings fake_settings_good(void) {
    return (struct fake_settings){.memory = (size_t)1 << 30,
                                  .pinned = (size_t)1 << 30,
                                  .devices = 1,
                                  .capability = 90,
                                  .multiprocessors = 4,
                                  .lazy = true,
                                  .abi = LAUNCH_ABI};
}

static bool is_default(const struct CUstream_st *stream) {
    return stream >= fake.default_stream && stream < fake.default_stream + FAKE_DEVICES_MOST;
}

void fake_driver_start(const struct fake_settings *settings) {
    pthread_mutex_lock(&fake.mutex);
    while (fake.streams != NULL) {
        CUstream stream = fake.streams;
        stream_clear(stream);
        fake.streams = stream->next;
        if (!is_default(stream))
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
    for (int i = 0; i < FAKE_DEVICES_MOST; i++) {
        CUstream stream = &fake.default_stream[i];
        *stream = (struct CUstream_st){.next = fake.streams, .owner = i, .last = &stream->first};
        fake.streams = stream;
        fake.context[i] = (struct CUctx_st){.retained = 0};
    }
    fake.settings = *settings;
    fake.process = getpid();
    fake.milliseconds = 0;
    contexts_entered = 0;
    fake.used = fake.used_most = fake.pinned_used = fake.pinned_most = 0;
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

void fake_driver_fail_on(int device, unsigned long every, CUresult error) {
    pthread_mutex_lock(&fake.mutex);
    fake.context[device].calls = 0;
    fake.context[device].fails_every = every;
    fake.context[device].error = error;
    pthread_mutex_unlock(&fake.mutex);
}

void fake_driver_withhold(size_t every) { fake.withheld_every = every; }

unsigned long fake_driver_calls(void) { return fake.calls; }
unsigned long fake_driver_launches(void) { return fake.launches; }
unsigned long fake_driver_launches_on(int device) { return fake.context[device].launches; }
size_t fake_driver_memory_most(void) { return fake.used_most; }

size_t fake_driver_pinned_most(void) { return fake.pinned_most; }

size_t fake_driver_pending(void) {
    size_t pending = 0;
    for (const struct CUstream_st *stream = fake.streams; stream != NULL; stream = stream->next)
        for (const struct work *work = stream->first; work != NULL; work = work->next)
            pending++;
    return pending;
}

size_t fake_driver_held(void) {
    size_t held = 0;
    for (int i = 0; i < FAKE_DEVICES_MOST; i++)
        held += fake.context[i].retained;
    for (const struct CUmod_st *module = fake.modules; module != NULL; module = module->next)
        held++;
    for (const struct CUstream_st *stream = fake.streams; stream != NULL; stream = stream->next)
        held += !is_default(stream);
    for (const struct CUevent_st *event = fake.events; event != NULL; event = event->next)
        held++;
    for (const struct block *block = fake.blocks; block != NULL; block = block->next)
        held++;
    return held;
}
