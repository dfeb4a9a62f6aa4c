/* The CUDA driver: functions of libcuda.so.1, as one table, so that this backend is compiled without CUDA and tested
 * with another driver in its place. Types and values are those of the CUDA Driver API reference. */
#ifndef GECC_BACKEND_CUDA_DEVICE_DRIVER_H
#define GECC_BACKEND_CUDA_DEVICE_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef int CUresult;
typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef unsigned long long CUdeviceptr;

enum {
    CUDA_SUCCESS = 0,
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_NOT_INITIALIZED = 3,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_NO_BINARY_FOR_GPU = 209,
    CUDA_ERROR_INVALID_HANDLE = 400,
    CUDA_ERROR_NOT_FOUND = 500,
    CUDA_ERROR_LAUNCH_FAILED = 719
};

/* CUdevice_attribute. */
enum {
    CU_DEVICE_ATTRIBUTE_CLOCK_RATE = 13,
    CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76
};

/* CUfunction_attribute. */
enum { CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0 };

/* CUpointer_attribute, and CUmemorytype. */
enum { CU_POINTER_ATTRIBUTE_MEMORY_TYPE = 2, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL = 9 };
enum { CU_MEMORYTYPE_HOST = 1, CU_MEMORYTYPE_DEVICE = 2 };

/* Height rows of WidthInBytes bytes, their starts srcPitch and dstPitch apart. */
typedef struct CUDA_MEMCPY2D {
    size_t srcXInBytes, srcY;
    int srcMemoryType;
    const void *srcHost;
    CUdeviceptr srcDevice;
    void *srcArray;
    size_t srcPitch;
    size_t dstXInBytes, dstY;
    int dstMemoryType;
    void *dstHost;
    CUdeviceptr dstDevice;
    void *dstArray;
    size_t dstPitch;
    size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;

enum { CU_STREAM_NON_BLOCKING = 1, CU_EVENT_DEFAULT = 0 };

/* Handles of default streams, beside NULL: they are streams of the context that is current. */
enum { CU_STREAM_LEGACY = 1, CU_STREAM_PER_THREAD = 2 };

typedef struct CUuuid {
    unsigned char bytes[16];
} CUuuid;

/* X(function, name in libcuda.so.1, parameters). A function whose parameters have changed has a suffix there. */
#define DRIVER_LIST(X)                                                                                                 \
    X(cuInit, cuInit, (unsigned flags))                                                                                \
    X(cuGetErrorName, cuGetErrorName, (CUresult error, const char **name))                                             \
    X(cuDeviceGetCount, cuDeviceGetCount, (int *count))                                                                \
    X(cuDeviceGet, cuDeviceGet, (CUdevice * device, int ordinal))                                                      \
    X(cuDeviceGetName, cuDeviceGetName, (char *name, int size, CUdevice device))                                       \
    X(cuDeviceGetAttribute, cuDeviceGetAttribute, (int *value, int attribute, CUdevice device))                        \
    X(cuDeviceGetUuid, cuDeviceGetUuid, (CUuuid * uuid, CUdevice device))                                              \
    X(cuDeviceGetPartUuid, cuDeviceGetUuid_v2, (CUuuid * uuid, CUdevice device))                                       \
    X(cuDeviceGetPCIBusId, cuDeviceGetPCIBusId, (char *id, int size, CUdevice device))                                 \
    X(cuDeviceTotalMem, cuDeviceTotalMem_v2, (size_t * bytes, CUdevice device))                                        \
    X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (CUcontext * context, CUdevice device))                      \
    X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease_v2, (CUdevice device))                                      \
    X(cuCtxPushCurrent, cuCtxPushCurrent_v2, (CUcontext context))                                                      \
    X(cuCtxPopCurrent, cuCtxPopCurrent_v2, (CUcontext * context))                                                      \
    X(cuCtxSynchronize, cuCtxSynchronize, (void))                                                                      \
    X(cuModuleLoadData, cuModuleLoadData, (CUmodule * module, const void *image))                                      \
    X(cuModuleUnload, cuModuleUnload, (CUmodule module))                                                               \
    X(cuModuleGetFunction, cuModuleGetFunction, (CUfunction * function, CUmodule module, const char *name))            \
    X(cuModuleGetGlobal, cuModuleGetGlobal_v2,                                                                         \
      (CUdeviceptr * address, size_t * bytes, CUmodule module, const char *name))                                      \
    X(cuOccupancyMaxActiveBlocksPerMultiprocessor, cuOccupancyMaxActiveBlocksPerMultiprocessor,                        \
      (int *blocks, CUfunction function, int threads, size_t shared_bytes))                                            \
    X(cuFuncGetAttribute, cuFuncGetAttribute, (int *value, int attribute, CUfunction function))                        \
    X(cuMemGetInfo, cuMemGetInfo_v2, (size_t * free, size_t * total))                                                  \
    X(cuMemAlloc, cuMemAlloc_v2, (CUdeviceptr * address, size_t bytes))                                                \
    X(cuMemFree, cuMemFree_v2, (CUdeviceptr address))                                                                  \
    X(cuMemHostAlloc, cuMemHostAlloc, (void **address, size_t bytes, unsigned flags))                                  \
    X(cuMemFreeHost, cuMemFreeHost, (void *address))                                                                   \
    X(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void *from, size_t bytes, CUstream stream))      \
    X(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, (void *to, CUdeviceptr from, size_t bytes, CUstream stream))            \
    X(cuMemcpyDtoDAsync, cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream))      \
    X(cuMemsetD8Async, cuMemsetD8Async, (CUdeviceptr to, unsigned char byte, size_t bytes, CUstream stream))           \
    X(cuMemsetD2D8Async, cuMemsetD2D8Async,                                                                            \
      (CUdeviceptr to, size_t pitch, unsigned char byte, size_t width, size_t height, CUstream stream))                \
    X(cuMemcpy2DAsync, cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *copy, CUstream stream))                               \
    X(cuStreamCreate, cuStreamCreate, (CUstream * stream, unsigned flags))                                             \
    X(cuStreamDestroy, cuStreamDestroy_v2, (CUstream stream))                                                          \
    X(cuStreamSynchronize, cuStreamSynchronize, (CUstream stream))                                                     \
    X(cuStreamGetCtx, cuStreamGetCtx, (CUstream stream, CUcontext * context))                                          \
    X(cuStreamWaitEvent, cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags))                          \
    X(cuEventCreate, cuEventCreate, (CUevent * event, unsigned flags))                                                 \
    X(cuEventDestroy, cuEventDestroy_v2, (CUevent event))                                                              \
    X(cuEventRecord, cuEventRecord, (CUevent event, CUstream stream))                                                  \
    X(cuEventElapsedTime, cuEventElapsedTime, (float *milliseconds, CUevent start, CUevent end))                       \
    X(cuLaunchKernel, cuLaunchKernel,                                                                                  \
      (CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,     \
       unsigned block_z, unsigned shared_bytes, CUstream stream, void **parameters, void **extra))                     \
    X(cuPointerGetAttribute, cuPointerGetAttribute, (void *value, int attribute, CUdeviceptr address))

struct driver {
#define DRIVER_FUNCTION(function, symbol, parameters) CUresult(*function) parameters;
    DRIVER_LIST(DRIVER_FUNCTION)
#undef DRIVER_FUNCTION
};

/* The driver of this machine, loaded when first asked for, until the process ends. NULL: there is none; then `reason`,
 * of `size` bytes, says why. */
const struct driver *gecc_driver_load(char *reason, size_t size);

#endif
