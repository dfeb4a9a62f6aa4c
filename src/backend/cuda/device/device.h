/* A GPU in use: its context, the programs loaded on it, and whether it still works. */
#ifndef GECC_BACKEND_CUDA_DEVICE_DEVICE_H
#define GECC_BACKEND_CUDA_DEVICE_DEVICE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "backend/cuda/device/driver.h"
#include "backend/cuda/kernels/launch.h"

/* A kernel, loaded when first needed. */
struct kernel {
    CUfunction function;     /* NULL: the program has none */
    struct launch_info info; /* the program's, but with the threads that a block of this kernel may have */
    size_t resident;         /* threads of it that the device runs at once */
};

/* An image on the device. */
struct program {
    const struct image *image;
    CUmodule module;
    bool loaded;
    struct launch_info info;
    bool has_tables;
    CUdeviceptr tables;
    unsigned tables_choice; /* of info.tables */
    struct kernel kernel[OPERATION_COUNT];
    bool looked_up[OPERATION_COUNT];
    struct kernel key_pass[KEY_PASSES]; /* likewise */
    bool key_passes_looked_up;
};

/* The contexts of a process that use the same GPU share one of these, its programs and their tables with it. */
struct device {
    struct device *next; /* of the devices that are open; with `contexts` under the lock of all devices */
    unsigned contexts;
    const struct driver *driver;
    const struct image *images;
    pid_t process; /* that opened it: CUDA does not survive fork() */
    CUdevice ordinal;
    CUcontext context;
    size_t multiprocessors;
    double strength; /* multiprocessors and their clock: about proportional to its speed beside others' */
    char name[48];

    atomic_bool dead;     /* a call of the driver failed, so none is made any more but to give memory back */
    pthread_mutex_t text; /* for failure */
    char failure[96];     /* which call, and how */

    pthread_mutex_t building; /* for the next two, and the programs' tables */
    size_t table_bytes;       /* that tables take */
    size_t table_bytes_most;  /* gecc_config's of the last context that gave one; 0: none did */
    pthread_mutex_t loading;  /* of the fields below */
    size_t programs;
    struct program program[];
};

/* Are we in a child of the process that opened the device? Then nothing of it can be used. */
bool gecc_device_forked(const struct device *device);

/* The device's context becomes, or ceases to be, the one of this thread's calls. Whatever calls the driver for the
 * device needs it. */
gecc_result gecc_device_enter(struct device *device);
gecc_result gecc_device_leave(struct device *device);

/* The same to give memory back, whatever has failed before: a call may report an earlier error, so the second one
 * counts. Returns whether the context is entered. */
bool gecc_device_enter_to_close(struct device *device);

/* What a driver's result means: GECC_OK, GECC_ERROR_MEMORY, or GECC_ERROR_DEVICE, after which the device is dead. */
gecc_result gecc_device_check(struct device *device, CUresult result, const char *call);

/* What the driver calls the error. */
const char *gecc_device_error(const struct driver *driver, CUresult result);

/* Why the device is dead, to `text` of `size` bytes. */
void gecc_device_failure(struct device *device, char *text, size_t size);

#endif
