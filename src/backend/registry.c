#define _GNU_SOURCE
#include "backend/registry.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/auto.h"

/* text = what, or as much of it as there is room for. */
static void say(char *text, size_t size, const char *what) {
    size_t length = strlen(what);
    if (length >= size)
        length = size - 1;
    memcpy(text, what, length);
    text[length] = 0;
}

/* The module that an open shared object exports, NULL: none that fits this library. */
static const struct module *module_find(void *object, char *reason, size_t size) {
    const struct module *module = dlsym(object, "gecc_module");
    if (module == NULL) {
        say(reason, size, dlerror());
    } else if (module->abi != MODULE_ABI || module->job_bytes != sizeof(struct job)) {
        say(reason, size, "the module was built for another version of the library");
        module = NULL;
    }
    return module;
}

const struct backend *gecc_module_load(const char *file, char *reason, size_t size) {
    void *object = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (object == NULL) {
        say(reason, size, dlerror());
        return NULL;
    }
    const struct module *module = module_find(object, reason, size);
    (void)dlclose(object);
    return module == NULL ? NULL : module->backend;
}

static const struct backend *find_cuda(char *reason, size_t size) {
    return gecc_module_load("libgecc_cuda.so.1", reason, size);
}

static const struct backend *find_cpu(char *reason, size_t size) {
    say(reason, size, "");
    return &gecc_backend_cpu;
}

const struct candidate gecc_candidates[CANDIDATES] = {{"cuda", find_cuda}, {"cpu", find_cpu}};

const struct backend *gecc_candidate_probe(const struct candidate *candidate, const gecc_config *config,
                                           gecc_backend_info *info) {
    *info = (gecc_backend_info)GECC_BACKEND_INFO_INIT;
    const struct backend *backend = candidate->find(info->reason, sizeof info->reason);
    if (backend != NULL)
        backend->probe(config, info);
    else
        say(info->name, sizeof info->name, candidate->name);
    return backend;
}

/* Open it if it can be used; if it does not open, `failure` says why. */
static gecc_result backend_open(struct instance *instance, const struct backend *backend, const gecc_config *config,
                                char *failure, size_t size) {
    gecc_backend_info info;
    backend->probe(config, &info);
    if (!info.available) {
        say(failure, size, info.reason);
        return GECC_ERROR_NO_BACKEND;
    }
    gecc_result result = backend->open(&instance->state, config);
    if (result == GECC_OK)
        instance->backend = backend;
    else
        say(failure, size, "found, but not opened");
    return result;
}

static gecc_result candidate_open(struct instance *instance, const struct candidate *candidate,
                                  const gecc_config *config, char *failure, size_t size) {
    const struct backend *backend = candidate->find(failure, size);
    return backend == NULL ? GECC_ERROR_NO_BACKEND : backend_open(instance, backend, config, failure, size);
}

static gecc_result open_named(struct instance *instance, const struct candidate *candidates, size_t count,
                              const char *name, const gecc_config *config, char *failure, size_t size) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, candidates[i].name) == 0) {
            say(instance->reason, sizeof instance->reason, "asked for");
            return candidate_open(instance, &candidates[i], config, failure, size);
        }
    say(failure, size, "there is no backend of that name");
    return GECC_ERROR_NO_BACKEND;
}

/* The one that the user's environment names, where the caller leaves the choice to the library. */
static gecc_result open_by_environment(struct instance *instance, const struct candidate *candidates, size_t count,
                                       const char *name, const gecc_config *config, char *failure, size_t size) {
    char why[64] = "";
    gecc_result result = open_named(instance, candidates, count, name, config, why, sizeof why);
    if (result == GECC_OK)
        say(instance->reason, sizeof instance->reason, "asked for by GECC_BACKEND");
    else
        (void)snprintf(failure, size, "GECC_BACKEND=%.32s: %s", name, why);
    return result;
}

static void close_instance(const struct instance *instance) { instance->backend->close(instance->state); }

/* Is the driver of a GPU in use by anybody in this process? Then rows may be in the GPU's memory. */
static int driver_in_use(void) {
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (driver == NULL)
        return 0;
    (void)dlclose(driver);
    return 1;
}

static gecc_result open_gpu(const struct gpu_opener *opener, struct instance *gpu, char *reason, size_t size) {
    return backend_open(gpu, opener->backend, &opener->config, reason, size);
}

/* Make one of the CPU and a GPU that is not open yet. */
static gecc_result join(struct instance *instance, const struct backend *gpu, const struct instance *cpu,
                        const gecc_config *config) {
    const struct gpu_opener opener = {.open = open_gpu, .in_use = driver_in_use, .backend = gpu, .config = *config};
    gecc_backend_info info;
    cpu->backend->probe(config, &info);
    const struct rates_guess guess[2] = {gecc_rates_guess_cpu(info.threads), gecc_rates_guess_gpu()};
    gecc_result result = gecc_auto_open(&instance->state, &opener, cpu, guess);
    if (result != GECC_OK) {
        close_instance(cpu);
        return result;
    }
    instance->backend = &gecc_backend_auto;
    say(instance->reason, sizeof instance->reason, "the CPU for small jobs, the GPU for large ones");
    return GECC_OK;
}

/* The last, which must open, joined with the first of the others that is there; the reason says what kept the very
 * first from it. */
static gecc_result open_automatic(struct instance *instance, const struct candidate *candidates, size_t count,
                                  const gecc_config *config, char *failure, size_t size) {
    char first[64] = "", other[64] = "";
    struct instance cpu;
    gecc_result result = candidate_open(&cpu, &candidates[count - 1], config, failure, size);
    if (result != GECC_OK)
        return result;
    for (size_t i = 0; i < count - 1; i++) {
        const struct backend *gpu = candidates[i].find(i == 0 ? first : other, sizeof first);
        if (gpu != NULL)
            return join(instance, gpu, &cpu, config);
    }
    *instance = cpu;
    if (count == 1)
        say(instance->reason, sizeof instance->reason, "the only one available");
    else
        (void)snprintf(instance->reason, sizeof instance->reason, "the only one available (%s: %s)", candidates[0].name,
                       first);
    return GECC_OK;
}

static bool is_any(const char *name) { return name == NULL || strcmp(name, "auto") == 0; }

gecc_result gecc_backend_open(struct instance *instance, const struct candidate *candidates, size_t count,
                              const gecc_config *config, char *failure, size_t size) {
    const char *set = secure_getenv("GECC_BACKEND");
    if (!is_any(config->backend))
        return open_named(instance, candidates, count, config->backend, config, failure, size);
    if (!is_any(set))
        return open_by_environment(instance, candidates, count, set, config, failure, size);
    return open_automatic(instance, candidates, count, config, failure, size);
}

size_t gecc_backend_devices(const struct instance *instance, const struct candidate *candidates, size_t count,
                            size_t index, gecc_device_info *info) {
    char reason[sizeof((gecc_backend_info *)NULL)->reason];
    if (instance != NULL && instance->backend->devices != NULL)
        return instance->backend->devices(instance->state, index, info);
    for (size_t i = 0; i < count; i++) {
        const struct backend *backend = candidates[i].find(reason, sizeof reason);
        if (backend != NULL && backend->devices != NULL)
            return backend->devices(NULL, index, info);
    }
    return 0;
}

int gecc_instance_uses(const struct instance *instance, const struct backend *backend) {
    if (instance->backend == &gecc_backend_auto)
        return gecc_auto_uses(instance->state, backend);
    return backend == instance->backend;
}
