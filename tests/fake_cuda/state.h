/* What the parts of the fake driver share: driver.c (the device, the table of functions, failures), memory.c,
 * streams.c and modules.c. Functions that begin with fake_ are the driver's, the others are called under its
 * mutex. */
#ifndef TESTS_FAKE_CUDA_STATE_H
#define TESTS_FAKE_CUDA_STATE_H

#include "fake_cuda/driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/cpu/machine.h"
#include "backend/cuda/kernels/launch.h"
#include "fake_cuda/measure.h"

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: required of the CUDA backend: %s\n", __FILE__, __LINE__, #condition);              \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

enum {
    BLOCKS_A_MULTIPROCESSOR = 1,
    THREADS = 8,
    ROWS_A_THREAD = 2,
    ROW_BYTES = 64,
    GUARD_BYTES = 256,
    GUARD = 0xa5,
    DIRT = 0xd1,
    SECRETS_MOST = 64,
    SECRET_BYTES_MOST = 64
};

/* A block of device or pinned memory. */
struct block {
    struct block *next;
    bool device;
    int owner;       /* the device whose context it was made in */
    uint8_t *mapped; /* guard, memory, guard; whole pages */
    size_t mapped_bytes;
    uint8_t *memory;
    size_t bytes;
    bool counted; /* against the settings' limits */
    bool tables;  /* of multiples of G: no secrets */
};

enum work_kind { WORK_COPY, WORK_SET, WORK_COPY_ROWS, WORK_SET_ROWS, WORK_KERNEL, WORK_RECORD, WORK_WAIT };

struct work {
    struct work *next;
    enum work_kind kind;
    uint8_t *to;
    const uint8_t *from;
    size_t bytes;
    size_t to_pitch, from_pitch; /* of the rows of one byte of WORK_COPY_ROWS and WORK_SET_ROWS, `bytes` of them */
    uint8_t byte;
    CUfunction function;
    unsigned blocks;
    struct launch launch;
    uint32_t times; /* the second argument of a measurement */
    CUevent event;
    unsigned long generation;
};

struct CUstream_st {
    struct CUstream_st *next;
    int owner;
    struct work *first, **last;
};

struct CUevent_st {
    struct CUevent_st *next;
    int owner;
    CUstream stream;
    unsigned long recorded, reached;
    unsigned long milliseconds; /* of the device's clock when it was reached */
};

struct CUfunc_st {
    CUmodule module;
    char name[48];
    lane_program *program;     /* NULL: a measurement, */
    fake_measurement *measure; /* or, where this is NULL too, builds tables */
    int squaring;
    bool makes_keys; /* the program is a pass that makes tables of keys, and of G */
    enum { TABLES_NOT, TABLES_BASES, TABLES_SCAN } tables; /* one that makes those of G alone */
};

enum { FUNCTIONS_MOST = OPERATION_COUNT + KEY_PASSES + 6 };

struct CUmod_st {
    struct CUmod_st *next;
    int owner;
    const struct program_set *set;
    struct block *info, *windows;        /* gecc_info, gecc_public_windows */
    bool secret_is_made, public_is_made; /* its tables */
    struct CUfunc_st function[FUNCTIONS_MOST];
    size_t functions;
};

/* A device's primary context. */
struct CUctx_st {
    size_t retained;
    size_t used; /* bytes of its memory */
    unsigned long calls, launches;
    unsigned long fails_every; /* 0: no call of it */
    CUresult error;
    unsigned long nanoseconds; /* that kernels took, and nobody has waited for yet */
};

struct fake_state {
    pthread_mutex_t mutex;
    struct fake_settings settings;
    pid_t process;
    struct block *blocks, *spare; /* spare: freed */
    struct CUstream_st *streams;  /* the default streams last */
    struct CUstream_st default_stream[FAKE_DEVICES_MOST];
    struct CUctx_st context[FAKE_DEVICES_MOST];
    int acting; /* the device of the call, or of the kernel */
    struct CUmod_st *modules;
    struct CUevent_st *events;
    unsigned long milliseconds; /* of the device's clock: a kernel takes one, everything else no time */
    size_t used, used_most, pinned_used, pinned_most;
    unsigned long calls, launches, failing;
    bool from_then_on;
    CUresult error;
    size_t withheld_every; /* 0: no row */
    size_t secrets;
    uint8_t secret[SECRETS_MOST][SECRET_BYTES_MOST];
    size_t secret_bytes[SECRETS_MOST];
    unsigned found_on_device, found_pinned;
};

extern struct fake_state fake;

/* Of each thread, as if the module had been there when it began: what is made for a module that is loaded later, gcc
 * 12's LeakSanitizer mistakes for something else, and ends the program. */
#define OF_THREAD __attribute__((tls_model("initial-exec"))) _Thread_local
enum { CONTEXTS_ENTERED_MOST = 8 };
extern OF_THREAD unsigned contexts_entered;                  /* by this thread, */
extern OF_THREAD int context_entered[CONTEXTS_ENTERED_MOST]; /* and which devices' they are */

/* For a test's own calls, in the context of a device. */
void context_enter(int device);
void context_leave(void);

/* Every function of the driver begins with call_begin() and ends with call_end(result). */

/* Lock; what the call fails with, if it does. */
CUresult call_begin(bool needs_context);
CUresult call_end(CUresult result);
/* A call that gives something back, and fails once, has given it back: nobody can try again. */
bool call_gives_back(CUresult result);

/* Memory. */

static inline void *pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }

struct block *block_new(size_t bytes, bool device, bool counted);
/* Checks the bytes around it. */
void block_free(struct block *block);
/* The block that holds all of these bytes, NULL: none does. */
struct block *block_at(const void *address, size_t bytes);
/* In memory of the device that acts; of any device. */
bool is_on_device(const void *address, size_t bytes);
bool is_on_any_device(const void *address, size_t bytes);
size_t memory_of(int device);
/* The device's memory is within reach of the device's work alone. */
void memory_reach(bool reach);

CUresult fake_memory_info(size_t *free_bytes, size_t *total);
CUresult fake_memory_take(CUdeviceptr *address, size_t bytes);
CUresult fake_memory_free(CUdeviceptr address);
CUresult fake_pinned_take(void **address, size_t bytes, unsigned flags);
CUresult fake_pinned_give(void *address);
CUresult fake_pointer_attribute(void *value, int attribute, CUdeviceptr address);

/* Streams. */

/* The stream, or for NULL the default one. */
CUstream stream_of(CUstream stream);
/* Do all that is queued. */
void stream_run(CUstream stream);
void streams_run(void);
/* Forget what is queued. */
void stream_clear(CUstream stream);
/* A piece of work at the end of the stream, to be filled in; work_queued then does it, unless the driver is lazy. */
struct work *work_queue(CUstream stream, enum work_kind kind);
void work_queued(CUstream stream);

CUresult fake_send(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
CUresult fake_fetch(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult fake_copy(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
CUresult fake_set(CUdeviceptr to, unsigned char byte, size_t bytes, CUstream stream);
CUresult fake_set_rows(CUdeviceptr to, size_t pitch, unsigned char byte, size_t width, size_t height, CUstream stream);
CUresult fake_copy_rows(const CUDA_MEMCPY2D *copy, CUstream stream);
CUresult fake_stream_create(CUstream *stream, unsigned flags);
CUresult fake_stream_destroy(CUstream stream);
CUresult fake_stream_synchronize(CUstream stream);
CUresult fake_stream_context(CUstream stream, CUcontext *context);
CUresult fake_stream_wait(CUstream stream, CUevent event, unsigned flags);
CUresult fake_event_create(CUevent *event, unsigned flags);
CUresult fake_event_destroy(CUevent event);
CUresult fake_event_record(CUevent event, CUstream stream);
CUresult fake_event_elapsed(float *milliseconds, CUevent start, CUevent stop);

/* Modules and launches. */

void kernel_run(const struct work *work);

CUresult fake_module_load(CUmodule *module, const void *image);
CUresult fake_module_unload(CUmodule module);
CUresult fake_module_function(CUfunction *function, CUmodule module, const char *name);
CUresult fake_module_global(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name);
CUresult fake_function_attribute(int *value, int attribute, CUfunction function);
CUresult fake_occupancy(int *blocks, CUfunction function, int threads, size_t shared_bytes);
CUresult fake_launch(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                     unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void **parameters,
                     void **extra);

#endif
