#include "files/library.h"

#include "text/wiped.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>

typedef void *give_memory(size_t size, const char *file, int line);
typedef void *change_memory(void *memory, size_t size, const char *file, int line);
typedef void take_memory(void *memory, const char *file, int line);

/* As OpenSSL calls them; its own give no memory for a size of 0. */
static void *give(size_t size, const char *file, int line) {
    (void)file;
    (void)line;
    return size ? wiped_malloc(size) : NULL;
}

static void take_back(void *memory, const char *file, int line) {
    (void)file;
    (void)line;
    wiped_free(memory);
}

static void *change(void *memory, size_t size, const char *file, int line) {
    if (size)
        return wiped_realloc(memory, size);
    take_back(memory, file, line);
    return NULL;
}

/* libcrypto leaves copies of private keys in memory that it frees. It takes other functions until it first has used its
 * own: in a process where another library has done so, memory is as it was. */
static void wipe_libcrypto(void) {
    int (*set)(give_memory *, change_memory *, take_memory *) = NULL;
    void *handle = dlopen(LIBCRYPTO, RTLD_NOW | RTLD_LOCAL), *function = NULL;
    if (handle && (function = dlsym(handle, "CRYPTO_set_mem_functions")) != NULL) {
        memcpy(&set, &function, sizeof function);
        (void)set(give, change, take_back);
    }
}

bool library_load(void *functions, const char *library, const char *const *names, size_t count) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (strcmp(library, LIBCRYPTO) == 0)
        pthread_once(&once, wipe_libcrypto);
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; handle && i < count; i++) {
        void *function = dlsym(handle, names[i]);
        if (!function)
            return false;
        memcpy((char *)functions + i * sizeof function, &function, sizeof function);
    }
    return handle != NULL;
}
