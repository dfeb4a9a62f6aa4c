/* Memory of three kinds, random numbers, and the way out. */
#include "check.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void trouble(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fputs("gecc-gpu-check: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    exit(2);
}

void *memory_new(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (memory == NULL)
        trouble("not enough memory");
    return memory;
}

void *memory_resize(void *memory, size_t size) {
    void *resized = realloc(memory, size ? size : 1);
    if (resized == NULL)
        trouble("not enough memory");
    return resized;
}

/* SplitMix64 (Steele, Lea, Flood, 2014). */
uint64_t prng_next(struct prng *prng) {
    uint64_t z = (prng->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

uint64_t prng_below(struct prng *prng, uint64_t bound) { return prng_next(prng) % bound; }

void prng_bytes(struct prng *prng, void *bytes, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
        uint64_t word = prng_next(prng);
        memcpy((uint8_t *)bytes + i, &word, count - i < 8 ? count - i : 8);
    }
}

/* The driver: names and types of the CUDA Driver API reference. A device address is 64 bits wide there. */
#define DRIVER_LIST(X)                                                                                                 \
    X(init, "cuInit", (unsigned flags))                                                                                \
    X(device, "cuDeviceGet", (int *device, int ordinal))                                                               \
    X(retain, "cuDevicePrimaryCtxRetain", (void **context, int device))                                                \
    X(set_current, "cuCtxSetCurrent", (void *context))                                                                 \
    X(host_alloc, "cuMemHostAlloc", (void **address, size_t bytes, unsigned flags))                                    \
    X(host_free, "cuMemFreeHost", (void *address))                                                                     \
    X(device_alloc, "cuMemAlloc_v2", (uint64_t * address, size_t bytes))                                               \
    X(device_free, "cuMemFree_v2", (uint64_t address))                                                                 \
    X(write, "cuMemcpyHtoD_v2", (uint64_t to, const void *from, size_t bytes))                                         \
    X(read, "cuMemcpyDtoH_v2", (void *to, uint64_t from, size_t bytes))

static struct {
    bool asked, there;
#define X(name, symbol, parameters) int(*name) parameters;
    DRIVER_LIST(X)
#undef X
} driver;

/* ISO C has no conversion from pointers to objects to pointers to functions; POSIX says that their representation is the
 * same. */
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

bool place_exists(enum place place) {
    if (place == PAGEABLE)
        return true;
    if (!driver.asked)
        driver.there = driver_load();
    driver.asked = true;
    return driver.there;
}

static void check(int code, const char *what) {
    if (code != 0)
        trouble("%s: CUDA error %d", what, code);
}

void *place_new(enum place place, size_t bytes) {
    uint64_t address;
    void *memory;
    bytes = bytes ? bytes : 1;
    switch (place) {
    case PINNED:
        check(driver.host_alloc(&memory, bytes, 0), "cuMemHostAlloc");
        return memory;
    case DEVICE:
        check(driver.device_alloc(&address, bytes), "cuMemAlloc");
        return (void *)(uintptr_t)address;
    default:
        return memory_new(1, bytes);
    }
}

void place_free(enum place place, void *memory) {
    if (memory == NULL)
        return;
    if (place == PINNED)
        check(driver.host_free(memory), "cuMemFreeHost");
    else if (place == DEVICE)
        check(driver.device_free((uintptr_t)memory), "cuMemFree");
    else
        free(memory);
}

void place_write(enum place place, void *to, const void *from, size_t bytes) {
    if (bytes == 0)
        return;
    if (place == DEVICE)
        check(driver.write((uintptr_t)to, from, bytes), "cuMemcpyHtoD");
    else
        memcpy(to, from, bytes);
}

void place_read(enum place place, void *to, const void *from, size_t bytes) {
    if (bytes == 0)
        return;
    if (place == DEVICE)
        check(driver.read(to, (uintptr_t)from, bytes), "cuMemcpyDtoH");
    else
        memcpy(to, from, bytes);
}
