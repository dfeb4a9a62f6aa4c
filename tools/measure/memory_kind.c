#include "memory_kind.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The driver: names and types of the CUDA Driver API reference. A device address has 64 bits there, as pointers have
 * where there is CUDA. */
#define DRIVER_LIST(X)                                                                                                 \
    X(init, "cuInit", (unsigned flags))                                                                                \
    X(device, "cuDeviceGet", (int *device, int ordinal))                                                               \
    X(retain, "cuDevicePrimaryCtxRetain", (void **context, int device))                                                \
    X(set_current, "cuCtxSetCurrent", (void *context))                                                                 \
    X(host_alloc, "cuMemHostAlloc", (void **address, size_t bytes, unsigned flags))                                    \
    X(host_free, "cuMemFreeHost", (void *address))                                                                     \
    X(device_alloc, "cuMemAlloc_v2", (void **address, size_t bytes))                                                   \
    X(device_free, "cuMemFree_v2", (uint64_t address))                                                                 \
    X(write, "cuMemcpyHtoD_v2", (uint64_t to, const void *from, size_t bytes))                                         \
    X(read, "cuMemcpyDtoH_v2", (void *to, uint64_t from, size_t bytes))

static struct {
    bool asked, there;
#define X(name, symbol, parameters) int(*name) parameters;
    DRIVER_LIST(X)
#undef X
} driver;

/* ISO C has no conversion from pointers to objects to pointers to functions; POSIX says that their representation is
 * the same. */
static bool find(void *library, const char *symbol, void *function) {
    void *address = dlsym(library, symbol);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

static bool driver_load(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *context;
    int device;
    if (library == NULL)
        return false;
#define X(name, symbol, parameters)                                                                                    \
    if (!find(library, symbol, &driver.name))                                                                          \
        return false;
    DRIVER_LIST(X)
#undef X
    return driver.init(0) == 0 && driver.device(&device, 0) == 0 && driver.retain(&context, device) == 0 &&
           driver.set_current(context) == 0;
}

bool memory_kind_exists(enum memory_kind kind) {
    if (kind == PAGEABLE)
        return true;
    if (!driver.asked)
        driver.there = driver_load();
    driver.asked = true;
    return driver.there;
}

const char *memory_kind_name(enum memory_kind kind) {
    static const char *const names[] = {"pageable", "pinned", "device"};
    return names[kind];
}

void *memory_allocate(enum memory_kind kind, size_t bytes) {
    void *memory = NULL;
    bytes = bytes ? bytes : 1;
    if (!memory_kind_exists(kind))
        return NULL;
    switch (kind) {
    case PINNED:
        return driver.host_alloc(&memory, bytes, 0) == 0 ? memory : NULL;
    case DEVICE:
        return driver.device_alloc(&memory, bytes) == 0 ? memory : NULL;
    default:
        return calloc(1, bytes);
    }
}

void memory_release(enum memory_kind kind, void *memory) {
    if (memory == NULL)
        return;
    if (kind == PINNED)
        (void)driver.host_free(memory);
    else if (kind == DEVICE)
        (void)driver.device_free((uintptr_t)memory);
    else
        free(memory);
}

bool memory_write(enum memory_kind kind, void *to, const void *from, size_t bytes) {
    if (bytes == 0)
        return true;
    if (kind == DEVICE)
        return driver.write((uintptr_t)to, from, bytes) == 0;
    memcpy(to, from, bytes);
    return true;
}

bool memory_read(enum memory_kind kind, void *to, const void *from, size_t bytes) {
    if (bytes == 0)
        return true;
    if (kind == DEVICE)
        return driver.read(to, (uintptr_t)from, bytes) == 0;
    memcpy(to, from, bytes);
    return true;
}
