#include "backend/cuda/device/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gecc/curves.h>

#include "backend/cuda/device/grid.h"
#include "scheme/operation.h"

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

void gecc_program_unload(struct device *device, struct program *program) {
    if (!program->loaded)
        return;
    program->loaded = false;
    (void)gecc_device_check(device, device->driver->cuModuleUnload(program->module), "cuModuleUnload");
}

gecc_result gecc_program_load(struct device *device, struct program *program) {
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
        gecc_program_unload(device, program);
    return result;
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
    case FAMILY_SUMS:
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
    gecc_result result = gecc_program_load(device, program);
    if (result == GECC_OK && !program->looked_up[operation]) {
        char name[64];
        (void)snprintf(name, sizeof name, "gecc_kernel_%s", gecc_operation_table[operation].function);
        result = kernel_load(device, program, name, &program->kernel[operation]);
        program->looked_up[operation] = result == GECC_OK;
    }
    return result;
}

gecc_result gecc_program_find(struct device *device, const struct job *job, struct program **program,
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

gecc_result gecc_program_key_pass(struct device *device, struct program *program, enum key_pass pass,
                                  const struct kernel **kernel) {
    pthread_mutex_lock(&device->loading);
    gecc_result result = load_key_passes(device, program);
    pthread_mutex_unlock(&device->loading);
    *kernel = &program->key_pass[pass];
    return result == GECC_OK && (*kernel)->function == NULL ? GECC_ERROR_UNSUPPORTED : result;
}

gecc_result gecc_program_kernel(struct device *device, const struct program *program, const char *name,
                                struct kernel *kernel) {
    pthread_mutex_lock(&device->loading);
    gecc_result result = kernel_load(device, program, name, kernel);
    pthread_mutex_unlock(&device->loading);
    return result;
}

gecc_result gecc_kernel_launch(struct device *device, const struct kernel *kernel, struct launch *launch,
                               CUstream stream) {
    void *parameters[] = {launch};
    struct grid grid = gecc_grid_of(launch->count, kernel->resident, &kernel->info);
    return gecc_device_check(device,
                             device->driver->cuLaunchKernel(kernel->function, grid.blocks, 1, 1, grid.threads, 1, 1, 0,
                                                            stream, parameters, NULL),
                             "cuLaunchKernel");
}
