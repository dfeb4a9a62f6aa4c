#include "backend/cuda/device/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

static struct driver loaded;
static char failure[128]; /* why it could not be loaded; "" if it could */
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The address of the function in the library, NULL: it has none. ISO C has no conversion between pointers to objects
 * and to functions; POSIX promises that they have the same representation. */
static void find(void *library, const char *symbol, void (**function)(void)) {
    union {
        void *object;
        void (*function)(void);
    } address = {dlsym(library, symbol)};
    *function = address.function;
    if (address.object == NULL)
        (void)snprintf(failure, sizeof failure, "libcuda.so.1 is too old: it has no %s", symbol);
}

static void load(void) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        (void)snprintf(failure, sizeof failure, "no CUDA driver: %.100s", dlerror());
        return;
    }
    void (*function)(void);
#define DRIVER_FUNCTION(name, symbol, parameters)                                                                      \
    find(library, #symbol, &function);                                                                                 \
    loaded.name = (CUresult(*) parameters)function;
    DRIVER_LIST(DRIVER_FUNCTION)
#undef DRIVER_FUNCTION
}

const struct driver *gecc_driver_load(char *reason, size_t size) {
    (void)pthread_once(&once, load);
    if (failure[0] == 0)
        return &loaded;
    (void)snprintf(reason, size, "%s", failure);
    return NULL;
}
