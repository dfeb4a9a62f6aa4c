/* The backends that this library knows, and which one a context uses. */
#ifndef GECC_BACKEND_REGISTRY_H
#define GECC_BACKEND_REGISTRY_H

#include "backend/backend.h"

/* What a module exports under the name gecc_module. It is refused unless it has this abi and these job_bytes. */
struct module {
    uint32_t abi; /* MODULE_ABI: changes with struct backend, gecc_config, gecc_report, and what struct job means */
    uint32_t job_bytes; /* sizeof(struct job) */
    const struct backend *backend;
};

enum { MODULE_ABI = 8 };

/* The backend of the module in the shared object `file`, which then stays loaded until the process ends.
 * NULL: there is none; then `reason`, of `size` bytes, says why. */
const struct backend *gecc_module_load(const char *file, char *reason, size_t size);

/* A backend that may be there. */
struct candidate {
    const char *name;
    /* NULL: not there; then `reason`, of `size` bytes, says why. */
    const struct backend *(*find)(char *reason, size_t size);
};

enum { CANDIDATES = 2 };

/* All backends: fastest first, the CPU last. */
extern const struct candidate gecc_candidates[CANDIDATES];

/* The candidate's backend, NULL if there is none. info: whether it can be used here; every field but `chosen`, which is
 * 0. */
const struct backend *gecc_candidate_probe(const struct candidate *candidate, const gecc_config *config,
                                           gecc_backend_info *info);

/* Open the candidate that config->backend names; for NULL or "auto" the one that the environment variable GECC_BACKEND
 * names. Where that, too, is not there or "auto", open the last, and join it (backend/auto.h) with the
 * first of the others that opens. Otherwise `failure`, of `size` bytes, says why not. */
gecc_result gecc_backend_open(struct instance *instance, const struct candidate *candidates, size_t count,
                              const gecc_config *config, char *failure, size_t size);

/* Those of the instance, or of any candidate: see gecc_devices. instance may be NULL. */
size_t gecc_backend_devices(const struct instance *instance, const struct candidate *candidates, size_t count,
                            size_t index, gecc_device_info *info);

/* Does a job that is run on it come to this backend? */
int gecc_instance_uses(const struct instance *instance, const struct backend *backend);

#endif
