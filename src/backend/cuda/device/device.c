#define _GNU_SOURCE
#include "backend/cuda/device/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/card/plan.h"
#include <gecc/curves.h>
#include "scheme/operation.h"

/* Turing, 7.5. */
enum { CAPABILITY_LEAST = 75 };

bool gecc_device_forked(const struct device *device) { return getpid() != device->process; }

static const char *error_name(const struct driver *driver, CUresult result) {
    const char *name = NULL;
    if (driver->cuGetErrorName(result, &name) != CUDA_SUCCESS || name == NULL)
        return "an unknown error";
    return name;
}

gecc_result gecc_device_check(struct device *device, CUresult result, const char *call) {
    if (result == CUDA_SUCCESS)
        return GECC_OK;
    if (result == CUDA_ERROR_OUT_OF_MEMORY)
        return GECC_ERROR_MEMORY;
    pthread_mutex_lock(&device->text);
    if (!atomic_load(&device->dead))
        (void)snprintf(device->failure, sizeof device->failure, "%s: %s", call, error_name(device->driver, result));
    atomic_store(&device->dead, true);
    pthread_mutex_unlock(&device->text);
    return GECC_ERROR_DEVICE;
}

void gecc_device_failure(struct device *device, char *text, size_t size) {
    if (gecc_device_forked(device)) {
        (void)snprintf(text, size, "a GPU cannot be used after fork()");
        return;
    }
    pthread_mutex_lock(&device->text);
    (void)snprintf(text, size, "the device failed: %.70s", device->failure);
    pthread_mutex_unlock(&device->text);
}

gecc_result gecc_device_enter(struct device *device) {
    return gecc_device_check(device, device->driver->cuCtxPushCurrent(device->context), "cuCtxPushCurrent");
}

bool gecc_device_enter_to_close(struct device *device) {
    return gecc_device_enter(device) == GECC_OK || gecc_device_enter(device) == GECC_OK;
}

gecc_result gecc_device_leave(struct device *device) {
    CUcontext context;
    return gecc_device_check(device, device->driver->cuCtxPopCurrent(&context), "cuCtxPopCurrent");
}

/* Read the image's launch_info; *fits: whether host and device agree. */
static gecc_result read_info(struct device *device, struct program *program, bool *fits) {
    const struct driver *driver = device->driver;
    CUdeviceptr address;
    size_t bytes;
    CUresult code = driver->cuModuleGetGlobal(&address, &bytes, program->module, "gecc_info");
    *fits = code != CUDA_ERROR_NOT_FOUND && (code != CUDA_SUCCESS || bytes == sizeof program->info);
    if (!*fits)
        return GECC_OK;
    gecc_result result = gecc_device_check(device, code, "cuModuleGetGlobal");
    if (result == GECC_OK)
        result =
            gecc_device_check(device, driver->cuMemcpyDtoHAsync(&program->info, address, sizeof program->info, NULL),
                              "cuMemcpyDtoHAsync");
    if (result == GECC_OK)
        result = gecc_device_check(device, driver->cuStreamSynchronize(NULL), "cuStreamSynchronize");
    const struct launch_info *info = &program->info;
    *fits = result != GECC_OK ||
            (info->abi == LAUNCH_ABI && info->job_bytes == sizeof(struct job) && info->threads != 0 &&
             info->rows_a_thread != 0 && info->tables_choices <= sizeof info->tables / sizeof info->tables[0]);
    return result;
}

static void program_unload(struct device *device, struct program *program) {
    if (!program->loaded)
        return;
    program->loaded = false;
    (void)gecc_device_check(device, device->driver->cuModuleUnload(program->module), "cuModuleUnload");
}

/* Put the image on the device. GECC_ERROR_UNSUPPORTED: it is not for this device, or not for this library. */
static gecc_result program_load(struct device *device, struct program *program) {
    if (program->loaded)
        return GECC_OK;
    CUresult code = device->driver->cuModuleLoadData(&program->module, program->image->bytes);
    if (code == CUDA_ERROR_NO_BINARY_FOR_GPU)
        return GECC_ERROR_UNSUPPORTED;
    gecc_result result = gecc_device_check(device, code, "cuModuleLoadData");
    if (result != GECC_OK)
        return result;
    program->loaded = true;
    bool fits;
    result = read_info(device, program, &fits);
    if (result == GECC_OK && !fits)
        result = GECC_ERROR_UNSUPPORTED;
    if (result != GECC_OK)
        program_unload(device, program);
    return result;
}

static size_t count_images(const struct image *images) {
    size_t count = 0;
    while (images[count].name != NULL)
        count++;
    return count;
}

/* A function of the driver that failed before there was a device. */
static gecc_result no_device(const struct driver *driver, CUresult code, const char *call, char *reason, size_t size) {
    (void)snprintf(reason, size, "%s: %s", call, error_name(driver, code));
    return code == CUDA_ERROR_OUT_OF_MEMORY ? GECC_ERROR_MEMORY : GECC_ERROR_NO_BACKEND;
}

gecc_result gecc_device_count(const struct driver *driver, int *count, char *reason, size_t size) {
    *count = 0;
    CUresult code = driver->cuInit(0);
    if (code != CUDA_SUCCESS)
        return no_device(driver, code, "cuInit", reason, size);
    code = driver->cuDeviceGetCount(count);
    if (code != CUDA_SUCCESS || *count < 1)
        return no_device(driver, code == CUDA_SUCCESS ? CUDA_ERROR_NO_DEVICE : code, "cuDeviceGetCount", reason, size);
    return GECC_OK;
}

/* Take the driver's device of this number, if it is one that the kernels can be built for. */
static gecc_result choose(struct device *device, int number, char *reason, size_t size) {
    const struct driver *driver = device->driver;
    int multiprocessors = 0, major = 0, minor = 0, clock = 0;
    CUresult code = driver->cuDeviceGet(&device->ordinal, number);
    if (code == CUDA_SUCCESS)
        code = driver->cuDeviceGetName(device->name, (int)sizeof device->name, device->ordinal);
    if (code == CUDA_SUCCESS)
        code =
            driver->cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device->ordinal);
    if (code == CUDA_SUCCESS)
        code = driver->cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device->ordinal);
    if (code == CUDA_SUCCESS)
        code = driver->cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device->ordinal);
    if (code == CUDA_SUCCESS)
        code = driver->cuDeviceGetAttribute(&clock, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device->ordinal);
    if (code != CUDA_SUCCESS)
        return no_device(driver, code, "the device cannot be asked", reason, size);
    device->multiprocessors = multiprocessors > 0 ? (size_t)multiprocessors : 1;
    device->strength = (double)device->multiprocessors * (clock > 0 ? (double)clock : 1);
    if (10 * major + minor < CAPABILITY_LEAST) {
        (void)snprintf(reason, size, "%s has compute capability %d.%d, at least %d.%d is needed", device->name, major,
                       minor, CAPABILITY_LEAST / 10, CAPABILITY_LEAST % 10);
        return GECC_ERROR_NO_BACKEND;
    }
    return GECC_OK;
}

gecc_result gecc_device_is_usable(const struct driver *driver, int number, char *reason, size_t size) {
    struct device device = {.driver = driver};
    return choose(&device, number, reason, size);
}

/* Does the first image run here? All of them were built together. */
static gecc_result try_image(struct device *device, char *reason, size_t size) {
    gecc_result result = device->programs == 0 ? GECC_ERROR_UNSUPPORTED : program_load(device, &device->program[0]);
    if (result == GECC_ERROR_UNSUPPORTED) {
        (void)snprintf(reason, size, "the kernels were built for another device or another version of the library");
        return GECC_ERROR_NO_BACKEND;
    }
    if (result == GECC_ERROR_MEMORY)
        (void)snprintf(reason, size, "not enough device memory for the kernels");
    else if (result != GECC_OK)
        gecc_device_failure(device, reason, size);
    return result;
}

static gecc_result start(struct device *device, char *reason, size_t size) {
    CUresult code = device->driver->cuDevicePrimaryCtxRetain(&device->context, device->ordinal);
    if (code != CUDA_SUCCESS) {
        device->context = NULL;
        return no_device(device->driver, code, "cuDevicePrimaryCtxRetain", reason, size);
    }
    gecc_result result = gecc_device_enter(device);
    if (result != GECC_OK) {
        gecc_device_failure(device, reason, size);
        return result;
    }
    result = try_image(device, reason, size);
    if (gecc_device_leave(device) != GECC_OK && result == GECC_OK) {
        gecc_device_failure(device, reason, size);
        result = GECC_ERROR_DEVICE;
    }
    return result;
}

/* The devices that are open. The mutex is held while one opens or closes, and by a thread that forks, so that the child
 * finds it free. */
static struct {
    pthread_mutex_t mutex;
    pthread_once_t once;
    struct device *first;
} devices = {.mutex = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

static void lock_devices(void) { pthread_mutex_lock(&devices.mutex); }
static void unlock_devices(void) { pthread_mutex_unlock(&devices.mutex); }
static void survive_fork(void) { (void)pthread_atfork(lock_devices, unlock_devices, unlock_devices); }

/* The open device like this one, of this process and not dead; NULL: there is none. */
static struct device *find_open(const struct device *like) {
    struct device *device = devices.first;
    while (device != NULL &&
           !(device->driver == like->driver && device->images == like->images && device->ordinal == like->ordinal &&
             device->process == like->process && !atomic_load(&device->dead)))
        device = device->next;
    return device;
}

static struct device *device_new(const struct driver *driver, const struct image *images) {
    size_t count = count_images(images);
    struct device *device = calloc(1, sizeof *device + count * sizeof device->program[0]);
    if (device == NULL)
        return NULL;
    device->driver = driver;
    device->images = images;
    device->process = getpid();
    device->programs = count;
    for (size_t i = 0; i < count; i++)
        device->program[i].image = &images[i];
    atomic_init(&device->dead, false);
    pthread_mutex_init(&device->text, NULL);
    pthread_mutex_init(&device->building, NULL);
    pthread_mutex_init(&device->loading, NULL);
    return device;
}

static void device_free(struct device *device);

/* Share an open device, or open this one, which was chosen; the caller holds the lock of all devices. */
static gecc_result share_or_start(struct device **opened, struct device *device, char *reason, size_t size) {
    struct device *open = find_open(device);
    if (open != NULL) {
        device_free(device);
        open->contexts++;
        *opened = open;
        return GECC_OK;
    }
    gecc_result result = start(device, reason, size);
    if (result != GECC_OK) {
        device_free(device);
        return result;
    }
    device->contexts = 1;
    device->next = devices.first;
    devices.first = device;
    *opened = device;
    return GECC_OK;
}

gecc_result gecc_device_open(struct device **opened, const struct driver *driver, const struct image *images,
                             int number, size_t table_bytes, char *reason, size_t size) {
    struct device *device = device_new(driver, images);
    if (device == NULL) {
        (void)snprintf(reason, size, "not enough memory");
        return GECC_ERROR_MEMORY;
    }
    gecc_result result = choose(device, number, reason, size);
    if (result != GECC_OK) {
        device_free(device);
        return result;
    }
    pthread_once(&devices.once, survive_fork);
    lock_devices();
    result = share_or_start(opened, device, reason, size);
    unlock_devices();
    if (result == GECC_OK && table_bytes != 0) {
        pthread_mutex_lock(&(*opened)->building);
        (*opened)->table_bytes_most = table_bytes;
        pthread_mutex_unlock(&(*opened)->building);
    }
    return result;
}

/* Give everything back, whatever fails meanwhile. */
static void device_empty(struct device *device) {
    const struct driver *driver = device->driver;
    if (gecc_device_enter_to_close(device)) {
        for (size_t i = 0; i < device->programs; i++) {
            if (device->program[i].tables != 0)
                (void)driver->cuMemFree(device->program[i].tables);
            program_unload(device, &device->program[i]);
        }
        (void)gecc_device_leave(device);
    }
    (void)driver->cuDevicePrimaryCtxRelease(device->ordinal);
}

static void device_free(struct device *device) {
    if (!gecc_device_forked(device)) {
        if (device->context != NULL)
            device_empty(device);
        pthread_mutex_destroy(&device->text);
        pthread_mutex_destroy(&device->loading);
        pthread_mutex_destroy(&device->building);
    }
    free(device);
}

void gecc_device_close(struct device *device) {
    lock_devices();
    if (--device->contexts == 0) {
        struct device **link = &devices.first;
        while (*link != device)
            link = &(*link)->next;
        *link = device->next;
        device_free(device);
    }
    unlock_devices();
}

static struct program *program_named(struct device *device, const char *name) {
    for (size_t i = 0; i < device->programs; i++)
        if (strcmp(device->program[i].image->name, name) == 0)
            return &device->program[i];
    return NULL;
}

/* The narrowest image mod_<bits> that holds the modulus. */
static struct program *program_for_modulus(struct device *device, size_t bytes) {
    struct program *narrowest = NULL;
    size_t least = SIZE_MAX;
    for (size_t i = 0; i < device->programs; i++) {
        const char *name = device->program[i].image->name;
        if (strncmp(name, "mod_", 4) != 0)
            continue;
        size_t bits = strtoul(name + 4, NULL, 10);
        if (bits >= 8 * bytes && bits < least) {
            least = bits;
            narrowest = &device->program[i];
        }
    }
    return narrowest;
}

static struct program *program_for(struct device *device, const struct job *job) {
#define IMAGE_NAME(curve, number, name, ...) [(curve)] = #name,
    static const char *const curves[] = {GECC_CURVE_LIST(IMAGE_NAME) GECC_EDWARDS_CURVE_LIST(IMAGE_NAME)};
#undef IMAGE_NAME
    switch (operation_info(job)->family) {
    case FAMILY_CURVE:
    case FAMILY_SM2:
    case FAMILY_SECP256K1:
    case FAMILY_CURVE25519:
        return program_named(device, curves[job->curve]);
    case FAMILY_MOD:
        return program_for_modulus(device, job->modulus_bytes);
    default:
        return program_named(device, "hash");
    }
}

/* The kernel called `name`; its function stays NULL where the program has none. */
static gecc_result kernel_load(struct device *device, const struct program *program, const char *name,
                               struct kernel *kernel) {
    const struct driver *driver = device->driver;
    int blocks = 0, threads = 0;
    CUresult code = driver->cuModuleGetFunction(&kernel->function, program->module, name);
    if (code == CUDA_ERROR_NOT_FOUND) {
        kernel->function = NULL;
        return GECC_OK;
    }
    gecc_result result = gecc_device_check(device, code, "cuModuleGetFunction");
    if (result == GECC_OK)
        result = gecc_device_check(
            device, driver->cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, kernel->function),
            "cuFuncGetAttribute");
    kernel->info = program->info;
    if (threads > 0 && (uint32_t)threads < kernel->info.threads)
        kernel->info.threads = (uint32_t)threads;
    if (result == GECC_OK)
        result = gecc_device_check(device,
                                   driver->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel->function,
                                                                                       (int)kernel->info.threads, 0),
                                   "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    kernel->resident = device->multiprocessors * (blocks > 0 ? (size_t)blocks : 1) * kernel->info.threads;
    return result;
}

static gecc_result load(struct device *device, struct program *program, enum operation operation) {
    gecc_result result = program_load(device, program);
    if (result == GECC_OK && !program->looked_up[operation]) {
        char name[64];
        (void)snprintf(name, sizeof name, "gecc_kernel_%s", gecc_operation_table[operation].function);
        result = kernel_load(device, program, name, &program->kernel[operation]);
        program->looked_up[operation] = result == GECC_OK;
    }
    return result;
}

gecc_result gecc_device_find(struct device *device, const struct job *job, struct program **program,
                             const struct kernel **kernel) {
    *program = program_for(device, job);
    if (*program == NULL)
        return GECC_ERROR_UNSUPPORTED;
    pthread_mutex_lock(&device->loading);
    gecc_result result = load(device, *program, job->operation);
    pthread_mutex_unlock(&device->loading);
    *kernel = &(*program)->kernel[job->operation];
    return result == GECC_OK && (*kernel)->function == NULL ? GECC_ERROR_UNSUPPORTED : result;
}

static gecc_result load_key_passes(struct device *device, struct program *program) {
    static const char *const names[KEY_PASSES] = {"gecc_kernel_keys_bases", "gecc_kernel_keys_normalise",
                                                  "gecc_kernel_keys_extend"};
    gecc_result result = GECC_OK;
    for (size_t i = 0; i < KEY_PASSES && result == GECC_OK && !program->key_passes_looked_up; i++)
        result = kernel_load(device, program, names[i], &program->key_pass[i]);
    program->key_passes_looked_up |= result == GECC_OK;
    return result;
}

gecc_result gecc_device_key_pass(struct device *device, struct program *program, enum key_pass pass,
                                 const struct kernel **kernel) {
    pthread_mutex_lock(&device->loading);
    gecc_result result = load_key_passes(device, program);
    pthread_mutex_unlock(&device->loading);
    *kernel = &program->key_pass[pass];
    return result == GECC_OK && (*kernel)->function == NULL ? GECC_ERROR_UNSUPPORTED : result;
}

gecc_result gecc_device_kernel(struct device *device, const struct program *program, const char *name,
                               struct kernel *kernel) {
    pthread_mutex_lock(&device->loading);
    gecc_result result = kernel_load(device, program, name, kernel);
    pthread_mutex_unlock(&device->loading);
    return result;
}

gecc_result gecc_device_launch(struct device *device, const struct kernel *kernel, struct launch *launch,
                               CUstream stream) {
    void *parameters[] = {launch};
    struct plan_grid grid = gecc_plan_grid(launch->count, kernel->resident, &kernel->info);
    return gecc_device_check(device,
                             device->driver->cuLaunchKernel(kernel->function, grid.blocks, 1, 1, grid.threads, 1, 1, 0,
                                                            stream, parameters, NULL),
                             "cuLaunchKernel");
}
