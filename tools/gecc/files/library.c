#include "files/library.h"

#include <dlfcn.h>
#include <string.h>

bool library_load(void *functions, const char *library, const char *const *names, size_t count) {
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; handle && i < count; i++) {
        void *function = dlsym(handle, names[i]);
        if (!function)
            return false;
        memcpy((char *)functions + i * sizeof function, &function, sizeof function);
    }
    return handle != NULL;
}
