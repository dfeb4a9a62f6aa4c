/* Modules are program sets of the portable machine, their functions its lane programs, and launches calls of these. */
#include "fake_cuda/state.h"

#include "batch/rows.h"
#include "scheme/operation.h"

static void check_rows(const struct job *job, size_t count) {
    for (unsigned i = 0; i < JOB_INPUTS; i++) {
        const gecc_rows *rows = &job->in[i];
        if (rows->data == NULL)
            continue;
        REQUIRE(is_on_device(rows->data, 0));
        REQUIRE(rows->widths == NULL || is_on_device(rows->widths, count * sizeof *rows->widths));
        REQUIRE(rows->offsets == NULL || is_on_device(rows->offsets, count * sizeof *rows->offsets));
        if (rows->widths == NULL && rows->offsets == NULL)
            REQUIRE(is_on_device(rows->data, (count - 1) * rows->stride + rows->width));
    }
    for (unsigned i = 0; i < JOB_OUTPUTS; i++) {
        const gecc_out *out = &job->out[i];
        if (out->data == NULL)
            continue;
        REQUIRE(is_on_device(out->data, (count - 1) * out->stride + job->out_width[i]));
        REQUIRE(out->widths == NULL || is_on_device(out->widths, count * sizeof *out->widths));
    }
}

/* What hosts are told of G's secret table, of which nothing is true but that they keep to it. */
enum { SECRET_WIDTH = 3, SECRET_WINDOWS = 2, SECRET_BYTES = 256, ENTRY_BYTES = 512 };

/* In the device's memory the secret table comes first, then a public one, then that for sums with tables of keys, if
 * there is one. */
static size_t table_at(const struct program_set *set, enum base_table which) {
    const enum base_table order[] = {BASE_SECRET, BASE_PUBLIC_FEW, BASE_KEYS};
    size_t at = 0;
    for (size_t i = 0; order[i] != which; i++)
        at += (set->table_bytes[order[i]] + 63) / 64 * 64;
    return at;
}

static size_t tables_bytes(const struct program_set *set) {
    return set->shared == NULL ? 0 : table_at(set, BASE_KEYS) + set->table_bytes[BASE_KEYS];
}

/* As lane programs of a CPU take them. */
static struct base_tables tables_in(const void *memory, const struct program_set *set, const struct job *job) {
    const enum base_table which = (job_base_uses(job) & BASE_USES_KEYS) != 0 ? BASE_KEYS : BASE_PUBLIC_FEW;
    struct base_tables tables = {memory, (const uint8_t *)memory + table_at(set, which), set->public_width[which],
                                 set->public_windows[which]};
    return tables;
}

/* Tables are the same each time, so they are made once. */
static const void *made_tables(const struct program_set *set) {
    static struct {
        const struct program_set *set;
        void *tables;
    } made[16];
    size_t i = 0;
    while (made[i].set != NULL && made[i].set != set)
        i++;
    if (made[i].set != NULL)
        return made[i].tables;
    void *scratch;
    REQUIRE(posix_memalign(&made[i].tables, 64, tables_bytes(set)) == 0);
    REQUIRE(posix_memalign(&scratch, 64, set->arena_bytes) == 0);
    struct arena arena = {scratch, set->arena_bytes, 0};
    set->table_make(BASE_SECRET, made[i].tables, NULL, &arena);
    set->table_make(BASE_PUBLIC_FEW, (uint8_t *)made[i].tables + table_at(set, BASE_PUBLIC_FEW), NULL, &arena);
    if (set->table_bytes[BASE_KEYS] != 0)
        set->table_make(BASE_KEYS, (uint8_t *)made[i].tables + table_at(set, BASE_KEYS), NULL, &arena);
    free(scratch);
    made[i].set = set;
    return made[i].tables;
}

/* A pass that makes tables of G: of a set in the workspace, from which the secret one comes, or of the public one. What
 * they make is written where the public one starts. */
static void run_tables(const struct CUfunc_st *function, const struct launch *launch) {
    CUmodule module = function->module;
    const struct program_set *set = module->set;
    const struct key_set *keys = &launch->job.keys;
    const uint32_t *windows = (const uint32_t *)module->windows->memory;
    const bool is_public = (uint8_t *)keys->rows == (uint8_t *)launch->tables + SECRET_BYTES;
    REQUIRE(windows[0] + windows[1] == 10 && windows[0] < 9); /* the first choice is for more memory than may be used */
    REQUIRE(is_on_device(launch->tables, tables_bytes(set)) && (uintptr_t)launch->tables % 256 == 0);
    REQUIRE(is_on_device(launch->workspace, launch->workspace_bytes) && (uintptr_t)launch->workspace % 256 == 0);
    REQUIRE(launch->workspace_bytes >= ENTRY_BYTES * launch->count + set->arena_bytes + GUARD_BYTES);
    REQUIRE(is_on_device(keys->rows, 1) && keys->count == 1);
    REQUIRE(is_public ? keys->width == windows[0] && keys->windows == windows[1]
                      : keys->width == SECRET_WIDTH && keys->windows == SECRET_WINDOWS);
    memset(launch->workspace, DIRT, launch->workspace_bytes);
    block_at(launch->tables, 0)->tables = true;
    if (function->tables == TABLES_SCAN)
        module->secret_is_made = true;
    if (function->tables != TABLES_BASES || !is_public)
        return;
    REQUIRE(module->secret_is_made);
    memcpy(launch->tables, made_tables(set), tables_bytes(set));
    module->public_is_made = true;
}

/* What a kernel leaves of a row whose signature failed its check: zeros, and no status. */
static void withhold_row(const struct launch *launch, size_t row) {
    const struct job *job = &launch->job;
    for (unsigned i = 0; i < JOB_OUTPUTS; i++) {
        if (job->out[i].data == NULL)
            continue;
        memset(out_at(&job->out[i], row), 0, job->out_width[i]);
        if (job->out[i].widths != NULL)
            job->out[i].widths[row] = 0;
    }
    *out_at(&job->status, row) = GECC_ITEM_NOT_PROCESSED;
    *launch->faults = 1;
}

static void withhold_rows(const struct launch *launch, size_t every) {
    for (size_t i = every; every != 0 && i <= launch->count; i += every)
        if (*out_at(&launch->job.status, i - 1) == GECC_ITEM_OK)
            withhold_row(launch, i - 1);
}

/* A pass that makes tables of keys: rows of its own, memory of the device to write to. */
static void run_key_pass(const struct CUfunc_st *function, const struct launch *launch) {
    const struct program_set *set = function->module->set;
    const struct key_set *keys = &launch->job.keys;
    const size_t entries = ((size_t)1 << (keys->width - 1)) + 1;
    REQUIRE(launch->workspace_bytes >= ROW_BYTES * launch->count + set->arena_bytes + GUARD_BYTES);
    REQUIRE(is_on_device(keys->rows, launch->job.count * keys->windows * entries * set->key_entry_bytes));
    REQUIRE(is_on_device(launch->job.status.data, launch->job.count));
    struct arena arena = {launch->workspace, set->arena_bytes, 0};
    for (size_t done = 0; done < launch->count; done += set->chunk) {
        size_t rows = launch->count - done < set->chunk ? launch->count - done : set->chunk;
        arena.used = 0;
        REQUIRE(function->program(&arena, NULL, &launch->job, launch->first + done, rows) == GECC_OK);
    }
}

/* As many rows as a program takes at once, until all are done. Something of the rows stays in the workspace. */
static void run_program(const struct CUfunc_st *function, const struct launch *launch) {
    const struct program_set *set = function->module->set;
    REQUIRE(launch->workspace_bytes >= ROW_BYTES * launch->count + set->arena_bytes + GUARD_BYTES);
    REQUIRE(tables_bytes(set) == 0 || function->module->public_is_made);
    check_rows(&launch->job, launch->count);
    REQUIRE(launch->job.count == launch->count && launch->job.status.stride == 1);
    REQUIRE(is_on_device(launch->job.status.data, launch->count));
    for (size_t i = 0; i < launch->count; i++)
        REQUIRE(*out_at(&launch->job.status, i) == GECC_ITEM_NOT_PROCESSED);
    struct arena arena = {launch->workspace, set->arena_bytes, 0};
    const struct base_tables base = tables_in(launch->tables, set, &launch->job);
    const void *tables = tables_bytes(set) == 0 ? NULL : &base;
    for (size_t done = 0; done < launch->count; done += set->chunk) {
        size_t rows = launch->count - done < set->chunk ? launch->count - done : set->chunk;
        arena.used = 0;
        if (function->program(&arena, tables, &launch->job, launch->first + done, rows) != GECC_OK)
            *launch->faults = 1;
    }
    withhold_rows(launch, fake.withheld_every);
    size_t width;
    const uint8_t *row = rows_at(&launch->job.in[0], 0, &width);
    memcpy((uint8_t *)launch->workspace + launch->workspace_bytes - GUARD_BYTES, row,
           width < GUARD_BYTES ? width : GUARD_BYTES);
}

/* Rows within the device's memory, and as many threads as rows or some that a block's last threads have no row for. */
static void run_measurement(const struct work *work) {
    const struct launch *launch = &work->launch;
    REQUIRE(launch->first == 0 && launch->count >= 1 && work->blocks == (launch->count + THREADS - 1) / THREADS);
    check_rows(&launch->job, launch->count);
    REQUIRE(launch->job.out[0].data != NULL);
    work->function->measure(launch, work->function->squaring, work->times);
}

void kernel_run(const struct work *work) {
    const struct launch *launch = &work->launch;
    if (work->function->measure != NULL) {
        run_measurement(work);
        return;
    }
    if (work->function->makes_keys && launch->tables == NULL) {
        run_key_pass(work->function, launch);
        return;
    }
    REQUIRE(work->blocks >= 1 && launch->count >= 1 && work->blocks <= (launch->count + THREADS - 1) / THREADS);
    REQUIRE(is_on_device(launch->workspace, launch->workspace_bytes) && (uintptr_t)launch->workspace % 256 == 0);
    REQUIRE(is_on_device(launch->faults, sizeof *launch->faults));
    if (work->function->program == NULL || work->function->makes_keys)
        run_tables(work->function, launch);
    else
        run_program(work->function, launch);
}

CUresult fake_module_load(CUmodule *module, const void *image) {
    CUresult result = call_begin(true);
    if (result != CUDA_SUCCESS)
        return call_end(result);
    const struct program_set *set = image;
    *module = calloc(1, sizeof **module);
    REQUIRE(*module != NULL);
    (*module)->set = set;
    (*module)->owner = fake.acting;
    struct launch_info info = {
        .abi = fake.settings.abi,
        .job_bytes = sizeof(struct job),
        .threads = 2 * THREADS, /* but kernels have THREADS at most */
        .rows_a_thread = ROWS_A_THREAD,
        .row_bytes = ROW_BYTES,
        .chunk_bytes = set->arena_bytes + GUARD_BYTES,
        .entry_bytes = ENTRY_BYTES,
        .key_entry_bytes = set->key_entry_bytes,
        .secret = {SECRET_WIDTH, SECRET_WINDOWS, 1 << (SECRET_WIDTH - 1), SECRET_BYTES},
        .tables_choices = tables_bytes(set) == 0 ? 0 : 3,
        .tables = {{9, 1, 256, memory_of(fake.acting)}, {8, 2, 1, tables_bytes(set)}, {7, 3, 1, tables_bytes(set)}},
    };
    (*module)->info = block_new(sizeof info, true, false);
    (*module)->windows = block_new(2 * sizeof(uint32_t), true, false);
    memory_reach(true);
    memcpy((*module)->info->memory, &info, sizeof info);
    memory_reach(false);
    (*module)->next = fake.modules;
    fake.modules = *module;
    return call_end(result);
}

CUresult fake_module_unload(CUmodule module) {
    CUresult result = call_begin(true);
    if (call_gives_back(result)) {
        streams_run();
        block_free(module->info);
        block_free(module->windows);
        CUmodule *at = &fake.modules;
        while (*at != module)
            at = &(*at)->next;
        *at = module->next;
        free(module);
    }
    return call_end(result);
}

static lane_program *key_pass_named(const struct program_set *set, const char *name) {
    static const char *const names[KEY_PASSES] = {"gecc_kernel_keys_bases", "gecc_kernel_keys_normalise",
                                                  "gecc_kernel_keys_extend"};
    for (size_t i = 0; i < KEY_PASSES; i++)
        if (strcmp(names[i], name) == 0)
            return set->key_pass[i];
    return NULL;
}

static lane_program *program_named(const struct program_set *set, const char *name) {
    static const char prefix[] = "gecc_kernel_";
    if (strncmp(name, prefix, sizeof prefix - 1) != 0)
        return NULL;
    for (size_t i = 0; i < OPERATION_COUNT; i++)
        if (gecc_operation_table[i].family != FAMILY_SUMS && /* of which no GPU has a program */
            strcmp(gecc_operation_table[i].function, name + sizeof prefix - 1) == 0)
            return set->run[i];
    return NULL;
}

/* The measurement that the function called `name` makes; NULL: that is none, or the image has none. */
static fake_measurement *measurement_named(const struct program_set *set, const char *name, int *squaring) {
    static const struct {
        const char *image;
        fake_measurement *measure;
    } measurements[] = {{"p256", fake_measure_p256}, {"mod_256", fake_measure_mod_256}};
    *squaring = strcmp(name, "gecc_measure_square") == 0;
    if (!*squaring && strcmp(name, "gecc_measure_multiply") != 0)
        return NULL;
    for (const struct image *image = fake_driver_images(); image->name != NULL; image++)
        for (size_t i = 0; i < sizeof measurements / sizeof measurements[0]; i++)
            if (image->bytes == set && strcmp(image->name, measurements[i].image) == 0)
                return measurements[i].measure;
    return NULL;
}

CUresult fake_module_function(CUfunction *function, CUmodule module, const char *name) {
    CUresult result = call_begin(true);
    if (result != CUDA_SUCCESS)
        return call_end(result);
    struct CUfunc_st found = {.module = module, .program = key_pass_named(module->set, name)};
    found.makes_keys = found.program != NULL;
    if (found.program == NULL)
        found.program = program_named(module->set, name);
    if (tables_bytes(module->set) != 0 && strcmp(name, "gecc_tables_bases") == 0)
        found.tables = TABLES_BASES;
    if (tables_bytes(module->set) != 0 && strcmp(name, "gecc_tables_scan") == 0)
        found.tables = TABLES_SCAN;
    found.measure = measurement_named(module->set, name, &found.squaring);
    if (found.program == NULL && found.measure == NULL && found.tables == TABLES_NOT)
        return call_end(CUDA_ERROR_NOT_FOUND);
    REQUIRE(module->functions < FUNCTIONS_MOST);
    module->function[module->functions] = found;
    *function = &module->function[module->functions++];
    return call_end(result);
}

CUresult fake_module_global(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
    CUresult result = call_begin(true);
    const struct block *block = strcmp(name, "gecc_info") == 0 ? module->info : module->windows;
    REQUIRE(block == module->info || strcmp(name, "gecc_public_windows") == 0);
    *address = (CUdeviceptr)(uintptr_t)block->memory;
    *bytes = block->bytes;
    return call_end(result);
}

CUresult fake_function_attribute(int *value, int attribute, CUfunction function) {
    CUresult result = call_begin(true);
    REQUIRE(function != NULL && attribute == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
    *value = THREADS;
    return call_end(result);
}

CUresult fake_occupancy(int *blocks, CUfunction function, int threads, size_t shared_bytes) {
    CUresult result = call_begin(true);
    REQUIRE(function != NULL && threads == THREADS && shared_bytes == 0);
    *blocks = BLOCKS_A_MULTIPROCESSOR;
    return call_end(result);
}

CUresult fake_launch(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                     unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream, void **parameters,
                     void **extra) {
    CUresult result = call_begin(true);
    REQUIRE(grid_y == 1 && grid_z == 1 && block_x == THREADS && block_y == 1 && block_z == 1);
    REQUIRE(shared_bytes == 0 && extra == NULL && stream != NULL);
    REQUIRE(stream->owner == fake.acting && function->module->owner == fake.acting);
    if (result != CUDA_SUCCESS)
        return call_end(result);
    struct work *work = work_queue(stream, WORK_KERNEL);
    work->function = function;
    work->blocks = grid_x;
    memcpy(&work->launch, parameters[0], sizeof work->launch);
    if (function->measure != NULL)
        memcpy(&work->times, parameters[1], sizeof work->times);
    fake.launches++;
    fake.context[fake.acting].launches++;
    work_queued(stream);
    return call_end(result);
}

const struct image *fake_driver_images(void) {
    static struct image images[GECC_CURVE_END + 7];
    const struct cpu_machine *machine = &gecc_cpu_portable_c;
    if (images[0].name == NULL) {
        const struct image all[] = {
            {"hash", machine->hash()},
#define CURVE(identifier, value, name, ...) {#name, machine->curve(identifier)},
            GECC_CURVE_LIST(CURVE) GECC_EDWARDS_CURVE_LIST(CURVE)
#undef CURVE
                {"mod_512", machine->modulus(64)},
            {"mod_256", machine->modulus(32)},
            {"mod_384", machine->modulus(48)},
            {"mod_128", machine->modulus(16)},
        };
        _Static_assert(sizeof all < sizeof images, "the last has no name");
        memcpy(images, all, sizeof all);
    }
    return images;
}
