#include "backend/cuda/card/tables.h"

#include "backend/cuda/card/passes.h"
#include "backend/least.h"

/* A program's tables take at most such shares of the memory, and of its free bytes; tables of all programs together
 * such a share of the memory. The workspace of the passes that make them is a share of theirs. */
enum { TABLES_SHARE = 7, FREE_SHARE = 4, ALL_TABLES_SHARE = 4, WORKSPACE_SHARE = 16 };

/* May tables of so many bytes be made? Within the limit that a context has set; where none has, tables take no more
 * than their shares, but the smallest ones are made in any case. */
static bool allowed(const struct device *device, uint64_t bytes, bool are_smallest, size_t free_bytes, size_t total) {
    if (device->table_bytes_most != 0)
        return bytes <= device->table_bytes_most && device->table_bytes <= device->table_bytes_most - bytes &&
               (are_smallest || bytes <= free_bytes / FREE_SHARE);
    return are_smallest || (bytes <= total / TABLES_SHARE && bytes <= free_bytes / FREE_SHARE &&
                            bytes + device->table_bytes <= total / ALL_TABLES_SHARE);
}

/* Memory for the largest tables that may be made and that leave enough to others. */
static gecc_result allocate(struct device *device, struct program *program) {
    const struct launch_info *info = &program->info;
    size_t free_bytes = 0, total = 0;
    gecc_result result = gecc_device_check(device, device->driver->cuMemGetInfo(&free_bytes, &total), "cuMemGetInfo");
    for (program->tables_choice = 0; result == GECC_OK; program->tables_choice++) {
        uint64_t bytes = info->tables[program->tables_choice].bytes;
        bool is_last = program->tables_choice + 1 == info->tables_choices;
        if (!allowed(device, bytes, is_last, free_bytes, total)) {
            if (is_last)
                return GECC_ERROR_MEMORY;
            continue;
        }
        result = gecc_device_check(device, device->driver->cuMemAlloc(&program->tables, bytes), "cuMemAlloc");
        if (result == GECC_OK) {
            device->table_bytes += bytes;
            return GECC_OK;
        }
        program->tables = 0;
        if (result == GECC_ERROR_MEMORY && !is_last)
            result = GECC_OK;
    }
    return result;
}

/* Tell the kernels which tables there are. */
static gecc_result announce(struct device *device, struct program *program) {
    const struct driver *driver = device->driver;
    const struct launch_tables *tables = &program->info.tables[program->tables_choice];
    const uint32_t windows[2] = {tables->width, tables->windows};
    CUdeviceptr address;
    size_t bytes = 0;
    gecc_result result =
        gecc_device_check(device, driver->cuModuleGetGlobal(&address, &bytes, program->module, "gecc_public_windows"),
                          "cuModuleGetGlobal");
    if (result == GECC_OK && bytes != sizeof windows)
        result = gecc_device_check(device, CUDA_ERROR_NOT_FOUND, "gecc_public_windows");
    if (result == GECC_OK)
        result = gecc_device_check(device, driver->cuMemcpyHtoDAsync(address, windows, sizeof windows, NULL),
                                   "cuMemcpyHtoDAsync");
    if (result == GECC_OK)
        result = gecc_device_check(device, driver->cuStreamSynchronize(NULL), "cuStreamSynchronize");
    return result;
}

/* Queue the kernel called `name` over so many rows. */
static gecc_result run_named(struct passes *p, const char *name, size_t rows) {
    struct kernel kernel;
    gecc_result result = gecc_program_kernel(p->device, p->program, name, &kernel);
    if (result == GECC_OK && kernel.function == NULL)
        result = gecc_device_check(p->device, CUDA_ERROR_NOT_FOUND, name);
    return result == GECC_OK ? gecc_passes_run(p, &kernel, rows) : result;
}

/* Queue what makes the table of a set whose only key is G. */
static gecc_result make_set(struct passes *p, const struct key_set *set, size_t last) {
    p->launch.job.keys = *set;
    gecc_result result = run_named(p, "gecc_tables_bases", 1);
    return result == GECC_OK ? gecc_passes_finish(p, set->windows, last) : result;
}

static size_t secret_set_bytes(const struct launch_info *info) {
    size_t bytes = (size_t)info->secret.windows * (info->secret.entries + 1) * info->key_entry_bytes;
    return (bytes + 255) / 256 * 256;
}

/* Room for the secret set, and workspace behind it: for fewer rows where memory is short. */
static gecc_result reserve(struct passes *p, struct slot *slot) {
    const struct launch_info *info = &p->program->info;
    const struct launch_tables *tables = &info->tables[p->program->tables_choice];
    const struct kernel *extend;
    gecc_result result = gecc_program_key_pass(p->device, p->program, KEY_PASS_EXTEND, &extend);
    if (result != GECC_OK)
        return result;
    p->rows = least(extend->resident * info->rows_a_thread, tables->bytes / WORKSPACE_SHARE / info->entry_bytes);
    p->rows = most(least(p->rows, (size_t)tables->windows << (tables->width - 2)), 1);
    do {
        p->launch.workspace_bytes = p->rows * info->entry_bytes + info->chunk_bytes;
        const struct slot_sizes sizes = {.workspace = secret_set_bytes(info) + p->launch.workspace_bytes,
                                         .out = sizeof(uint32_t)};
        result = gecc_slot_reserve(slot, p->device, &sizes);
    } while (result == GECC_ERROR_MEMORY && (p->rows /= 2) > 0);
    p->stream = slot->stream;
    p->launch.workspace = (void *)(uintptr_t)(slot->workspace + secret_set_bytes(info));
    p->launch.faults = (uint32_t *)(uintptr_t)slot->out;
    return result;
}

/* Queue the passes. */
static gecc_result run_passes(struct passes *p, struct slot *slot) {
    const struct launch_info *info = &p->program->info;
    const struct launch_tables *tables = &info->tables[p->program->tables_choice];
    const struct key_set secret = {.rows = (void *)(uintptr_t)slot->workspace,
                                   .count = 1,
                                   .width = info->secret.width,
                                   .windows = info->secret.windows},
                         public_set = {.rows = (void *)(uintptr_t)(p->program->tables + info->secret.bytes),
                                       .count = 1,
                                       .width = tables->width,
                                       .windows = tables->windows};
    p->launch.tables = (void *)(uintptr_t)p->program->tables;
    gecc_result result = make_set(p, &secret, info->secret.entries);
    if (result == GECC_OK)
        result = run_named(p, "gecc_tables_scan", (size_t)info->secret.windows * info->secret.entries);
    return result == GECC_OK ? make_set(p, &public_set, tables->last) : result;
}

static gecc_result make(struct device *device, struct program *program, struct slot *slot) {
    struct passes passes = {.device = device, .program = program};
    gecc_result result = program->tables == 0 ? allocate(device, program) : GECC_OK;
    if (result == GECC_OK)
        result = announce(device, program);
    if (result == GECC_OK)
        result = reserve(&passes, slot);
    if (result == GECC_OK)
        result = run_passes(&passes, slot);
    if (result == GECC_OK)
        result = gecc_device_check(device, device->driver->cuStreamSynchronize(slot->stream), "cuStreamSynchronize");
    program->has_tables = result == GECC_OK;
    return result;
}

bool gecc_cuda_wants_tables(struct device *device, struct program *program) {
    pthread_mutex_lock(&device->building);
    bool wants = program->info.tables_choices != 0 && !program->has_tables;
    pthread_mutex_unlock(&device->building);
    return wants;
}

gecc_result gecc_cuda_make_tables(struct device *device, struct program *program, struct slot *slot) {
    if (program->info.tables_choices == 0)
        return GECC_OK;
    pthread_mutex_lock(&device->building);
    gecc_result result = program->has_tables ? GECC_OK : make(device, program, slot);
    pthread_mutex_unlock(&device->building);
    return result;
}
