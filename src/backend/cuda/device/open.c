#define _GNU_SOURCE
#include "backend/cuda/device/open.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "backend/cuda/device/program.h"

/* Turing, 7.5. */
enum { CAPABILITY_LEAST = 75 };

static size_t count_images(const struct image *images) {
    size_t count = 0;
    while (images[count].name != NULL)
        count++;
    return count;
}

/* A function of the driver that failed before there was a device. */
static gecc_result no_device(const struct driver *driver, CUresult code, const char *call, char *reason, size_t size) {
    (void)snprintf(reason, size, "%s: %s", call, gecc_device_error(driver, code));
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
    gecc_result result =
        device->programs == 0 ? GECC_ERROR_UNSUPPORTED : gecc_program_load(device, &device->program[0]);
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

/* Give everything back, even if some of it fails. */
static void device_empty(struct device *device) {
    const struct driver *driver = device->driver;
    if (gecc_device_enter_to_close(device)) {
        for (size_t i = 0; i < device->programs; i++) {
            if (device->program[i].tables != 0)
                (void)driver->cuMemFree(device->program[i].tables);
            gecc_program_unload(device, &device->program[i]);
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
