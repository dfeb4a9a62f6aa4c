#define _GNU_SOURCE
#include "fake_driver.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/cpu/machine.h"
#include "backend/cuda/launch.h"
#include "batch/rows.h"

#define REQUIRE(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: required of the CUDA backend: %s\n", __FILE__, __LINE__, #condition);              \
            abort();                                                                                                   \
        }                                                                                                              \
    } while (0)

enum {
    ORDINAL = 0,
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
    uint8_t *mapped; /* guard, memory, guard; whole pages */
    size_t mapped_bytes;
    uint8_t *memory;
    size_t bytes;
    bool counted; /* against the settings' limits */
    bool tables;  /* of multiples of G: no secrets */
};

enum work_kind { WORK_COPY, WORK_SET, WORK_KERNEL, WORK_RECORD, WORK_WAIT };

struct work {
    struct work *next;
    enum work_kind kind;
    uint8_t *to;
    const uint8_t *from;
    size_t bytes;
    uint8_t byte;
    CUfunction function;
    unsigned blocks;
    struct launch launch;
    CUevent event;
    unsigned long generation;
};

struct CUstream_st {
    struct CUstream_st *next;
    struct work *first, **last;
};

struct CUevent_st {
    struct CUevent_st *next;
    CUstream stream;
    unsigned long recorded, reached;
};

struct CUfunc_st {
    CUmodule module;
    char name[48];
    lane_program *program; /* NULL: builds tables */
    unsigned pass;
};

enum { FUNCTIONS_MOST = OPERATION_COUNT + 4 };

struct CUmod_st {
    struct CUmod_st *next;
    const struct program_set *set;
    struct block *info;
    unsigned tables_pass; /* the next one */
    struct CUfunc_st function[FUNCTIONS_MOST];
    size_t functions;
};

struct CUctx_st {
    int any;
};

static struct {
    pthread_mutex_t mutex;
    struct fake_settings settings;
    pid_t process;
    struct block *blocks, *spare; /* spare: freed */
    struct CUstream_st *streams;  /* the default stream last */
    struct CUstream_st default_stream;
    struct CUmod_st *modules;
    struct CUevent_st *events;
    size_t contexts;
    size_t used, used_most, pinned_used;
    unsigned long calls, launches, failing;
    bool from_then_on;
    CUresult error;
    size_t secrets;
    uint8_t secret[SECRETS_MOST][SECRET_BYTES_MOST];
    size_t secret_bytes[SECRETS_MOST];
    unsigned found_on_device, found_pinned;
} fake = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static struct CUctx_st the_context;
static _Thread_local unsigned entered;

/* Memory. */

static void protect(const struct block *block, int protection) {
    if (block->device)
        REQUIRE(mprotect(block->mapped, block->mapped_bytes, protection) == 0);
}

/* The device's memory is within reach of the device's work alone. */
static void reach_memory(bool reach) {
    for (struct block *block = fake.blocks; block != NULL; block = block->next)
        protect(block, reach ? PROT_READ | PROT_WRITE : PROT_NONE);
}

/* A block of `mapped` bytes: one that was freed, since mapping pages takes longer than all else here, or a new one. */
static struct block *block_map(size_t mapped) {
    struct block **at = &fake.spare;
    while (*at != NULL && (*at)->mapped_bytes != mapped)
        at = &(*at)->next;
    struct block *block = *at;
    if (block != NULL) {
        *at = block->next;
        *block = (struct block){.mapped = block->mapped, .mapped_bytes = mapped};
        return block;
    }
    block = calloc(1, sizeof *block);
    REQUIRE(block != NULL);
    block->mapped_bytes = mapped;
    block->mapped = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(block->mapped != MAP_FAILED);
    return block;
}

static struct block *block_new(size_t bytes, bool device, bool counted) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct block *block = block_map((bytes + 2 * GUARD_BYTES + page - 1) / page * page);
    memset(block->mapped, GUARD, GUARD_BYTES);
    block->memory = block->mapped + GUARD_BYTES;
    memset(block->memory, DIRT, bytes);
    memset(block->memory + bytes, GUARD, block->mapped_bytes - GUARD_BYTES - bytes);
    block->bytes = bytes;
    block->device = device;
    block->counted = counted;
    protect(block, PROT_NONE);
    block->next = fake.blocks;
    fake.blocks = block;
    return block;
}

static struct block *block_at(const void *address, size_t bytes) {
    const uint8_t *byte = address;
    for (struct block *block = fake.blocks; block != NULL; block = block->next)
        if (byte >= block->memory && bytes <= block->bytes && (size_t)(byte - block->memory) <= block->bytes - bytes)
            return block;
    return NULL;
}

static bool is_on_device(const void *address, size_t bytes) {
    const struct block *block = block_at(address, bytes);
    return block != NULL && block->device;
}

static void check_guards(const struct block *block) {
    for (size_t i = 0; i < GUARD_BYTES; i++)
        REQUIRE(block->mapped[i] == GUARD && block->memory[block->bytes + i] == GUARD);
}

static void search(const struct block *block, unsigned *found_on_device, unsigned *found_pinned) {
    for (size_t i = 0; i < fake.secrets && !block->tables; i++)
        if (memmem(block->memory, block->bytes, fake.secret[i], fake.secret_bytes[i]) != NULL)
            ++*(block->device ? found_on_device : found_pinned);
}

static void block_free(struct block *block) {
    struct block **at = &fake.blocks;
    while (*at != block)
        at = &(*at)->next;
    *at = block->next;
    protect(block, PROT_READ | PROT_WRITE);
    check_guards(block);
    search(block, &fake.found_on_device, &fake.found_pinned);
    if (block->counted)
        *(block->device ? &fake.used : &fake.pinned_used) -= block->bytes;
    block->next = fake.spare;
    fake.spare = block;
}

/* Work. */

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

/* Tables are the same each time, so they are built once. */
static const void *built_tables(const struct program_set *set) {
    static struct {
        const struct program_set *set;
        void *tables;
    } built[16];
    size_t i = 0;
    while (built[i].set != NULL && built[i].set != set)
        i++;
    if (built[i].set != NULL)
        return built[i].tables;
    void *scratch;
    REQUIRE(posix_memalign(&built[i].tables, 64, set->tables_bytes) == 0);
    REQUIRE(posix_memalign(&scratch, 64, set->arena_bytes) == 0);
    struct arena arena = {scratch, set->arena_bytes, 0};
    set->tables_build(built[i].tables, &arena);
    free(scratch);
    built[i].set = set;
    return built[i].tables;
}

static void run_tables(const struct CUfunc_st *function, const struct launch *launch) {
    CUmodule module = function->module;
    const struct program_set *set = module->set;
    REQUIRE(function->pass == 0 || function->pass == module->tables_pass);
    REQUIRE(launch->first == 0 && launch->count == function->pass + 1);
    REQUIRE(is_on_device(launch->tables, set->tables_bytes) && (uintptr_t)launch->tables % 256 == 0);
    REQUIRE(launch->workspace_bytes >= set->arena_bytes);
    memset(launch->workspace, DIRT, launch->workspace_bytes);
    module->tables_pass = function->pass + 1;
    block_at(launch->tables, 0)->tables = true;
    if (function->pass == 1)
        memcpy(launch->tables, built_tables(set), set->tables_bytes);
}

/* As many rows as a program takes at once, until all are done. Something of the rows stays in the workspace. */
static void run_program(const struct CUfunc_st *function, const struct launch *launch) {
    const struct program_set *set = function->module->set;
    REQUIRE(launch->workspace_bytes >= ROW_BYTES * launch->count + set->arena_bytes + GUARD_BYTES);
    REQUIRE(set->tables_bytes == 0 || function->module->tables_pass == 2);
    check_rows(&launch->job, launch->count);
    REQUIRE(is_on_device(launch->job.status, launch->count) && launch->job.count == launch->count);
    for (size_t i = 0; i < launch->count; i++)
        REQUIRE(launch->job.status[i] == GECC_ITEM_NOT_PROCESSED);
    struct arena arena = {launch->workspace, set->arena_bytes, 0};
    for (size_t done = 0; done < launch->count; done += set->chunk) {
        size_t rows = launch->count - done < set->chunk ? launch->count - done : set->chunk;
        arena.used = 0;
        if (function->program(&arena, launch->tables, &launch->job, launch->first + done, rows) != GECC_OK)
            *launch->faults = 1;
    }
    size_t width;
    const uint8_t *row = rows_at(&launch->job.in[0], 0, &width);
    memcpy((uint8_t *)launch->workspace + launch->workspace_bytes - GUARD_BYTES, row,
           width < GUARD_BYTES ? width : GUARD_BYTES);
}

static void run_kernel(const struct work *work) {
    const struct launch *launch = &work->launch;
    REQUIRE(work->blocks >= 1 && launch->count >= 1 && work->blocks <= (launch->count + THREADS - 1) / THREADS);
    REQUIRE(is_on_device(launch->workspace, launch->workspace_bytes) && (uintptr_t)launch->workspace % 256 == 0);
    REQUIRE(is_on_device(launch->faults, sizeof *launch->faults));
    if (work->function->program == NULL)
        run_tables(work->function, launch);
    else
        run_program(work->function, launch);
}

static void run_until(CUstream stream, CUevent event, unsigned long generation);

static void work_run(const struct work *work) {
    switch (work->kind) {
    case WORK_COPY:
        memcpy(work->to, work->from, work->bytes);
        break;
    case WORK_SET:
        memset(work->to, work->byte, work->bytes);
        break;
    case WORK_KERNEL:
        run_kernel(work);
        break;
    case WORK_RECORD:
        work->event->reached = work->generation;
        break;
    case WORK_WAIT:
        run_until(work->event->stream, work->event, work->generation);
        break;
    }
}

/* Until the event is reached, for NULL until nothing is left. */
static void run_until(CUstream stream, CUevent event, unsigned long generation) {
    while (stream->first != NULL && (event == NULL || event->reached < generation)) {
        struct work *work = stream->first;
        work_run(work);
        stream->first = work->next;
        if (stream->first == NULL)
            stream->last = &stream->first;
        free(work);
    }
}

static void run_stream(CUstream stream) {
    if (stream->first == NULL)
        return;
    reach_memory(true);
    run_until(stream, NULL, 0);
    reach_memory(false);
}

static void run_all(void) {
    for (CUstream stream = fake.streams; stream != NULL; stream = stream->next)
        run_stream(stream);
}

static CUstream stream_of(CUstream stream) { return stream == NULL ? &fake.default_stream : stream; }

static struct work *queue(CUstream stream, enum work_kind kind) {
    struct work *work = calloc(1, sizeof *work);
    REQUIRE(work != NULL);
    work->kind = kind;
    *stream->last = work;
    stream->last = &work->next;
    return work;
}

static void queued(CUstream stream) {
    if (!fake.settings.lazy)
        run_stream(stream);
}

static void stream_clear(CUstream stream) {
    while (stream->first != NULL) {
        struct work *work = stream->first;
        stream->first = work->next;
        free(work);
    }
    stream->last = &stream->first;
}

static void stream_unlink(CUstream stream) {
    CUstream *at = &fake.streams;
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
}

/* Every function begins with begin() and ends with end(result). */

/* Lock; what the call fails with, if it does. */
static CUresult begin(bool needs_context) {
    REQUIRE(getpid() == fake.process);
    REQUIRE(!needs_context || entered != 0);
    pthread_mutex_lock(&fake.mutex);
    fake.calls++;
    bool fails = fake.failing != 0 && (fake.from_then_on ? fake.calls >= fake.failing : fake.calls == fake.failing);
    return fails ? fake.error : CUDA_SUCCESS;
}

static CUresult end(CUresult result) {
    pthread_mutex_unlock(&fake.mutex);
    return result;
}

/* A call that gives something back, and fails once, has given it back: nobody can try again. */
static bool gives_back(CUresult result) { return result == CUDA_SUCCESS || !fake.from_then_on; }

static CUresult fake_init(unsigned flags) {
    CUresult result = begin(false);
    REQUIRE(flags == 0);
    return end(result);
}

static CUresult fake_error_name(CUresult error, const char **name) {
    *name = error == CUDA_ERROR_LAUNCH_FAILED ? "CUDA_ERROR_LAUNCH_FAILED"
            : error == CUDA_ERROR_NO_DEVICE   ? "CUDA_ERROR_NO_DEVICE"
                                              : NULL;
    return *name == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

static CUresult fake_device_count(int *count) {
    CUresult result = begin(false);
    *count = fake.settings.devices;
    return end(result);
}

static CUresult fake_device_get(CUdevice *device, int ordinal) {
    CUresult result = begin(false);
    REQUIRE(ordinal >= 0 && ordinal < fake.settings.devices);
    *device = ORDINAL;
    return end(result);
}

static CUresult fake_device_name(char *name, int size, CUdevice device) {
    CUresult result = begin(false);
    REQUIRE(device == ORDINAL);
    (void)snprintf(name, (size_t)size, "a fake GPU");
    return end(result);
}

static CUresult fake_device_attribute(int *value, int attribute, CUdevice device) {
    CUresult result = begin(false);
    REQUIRE(device == ORDINAL);
    *value = attribute == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT       ? fake.settings.multiprocessors
             : attribute == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR ? fake.settings.capability / 10
                                                                         : fake.settings.capability % 10;
    return end(result);
}

static CUresult fake_context_retain(CUcontext *context, CUdevice device) {
    CUresult result = begin(false);
    REQUIRE(device == ORDINAL);
    *context = &the_context;
    fake.contexts += result == CUDA_SUCCESS;
    return end(result);
}

static CUresult fake_context_release(CUdevice device) {
    CUresult result = begin(false);
    REQUIRE(device == ORDINAL && fake.contexts != 0);
    fake.contexts -= gives_back(result);
    return end(result);
}

static CUresult fake_context_push(CUcontext context) {
    CUresult result = begin(false);
    REQUIRE(context == &the_context);
    entered += result == CUDA_SUCCESS;
    return end(result);
}

static CUresult fake_context_pop(CUcontext *context) {
    CUresult result = begin(true);
    *context = &the_context;
    entered--;
    return end(result);
}

static CUresult fake_context_synchronize(void) {
    CUresult result = begin(true);
    if (result == CUDA_SUCCESS)
        run_all();
    return end(result);
}

static CUresult fake_module_load(CUmodule *module, const void *image) {
    CUresult result = begin(true);
    if (result != CUDA_SUCCESS)
        return end(result);
    const struct program_set *set = image;
    *module = calloc(1, sizeof **module);
    REQUIRE(*module != NULL);
    (*module)->set = set;
    struct launch_info info = {
        .abi = fake.settings.abi,
        .job_bytes = sizeof(struct job),
        .threads = THREADS,
        .rows_a_thread = ROWS_A_THREAD,
        .row_bytes = ROW_BYTES,
        .chunk_bytes = set->arena_bytes + GUARD_BYTES,
        .tables_bytes = set->tables_bytes,
        .tables_scratch = set->arena_bytes,
        .tables_passes = set->tables_bytes == 0 ? 0 : 2,
        .tables_rows = {1, 2},
    };
    (*module)->info = block_new(sizeof info, true, false);
    protect((*module)->info, PROT_READ | PROT_WRITE);
    memcpy((*module)->info->memory, &info, sizeof info);
    protect((*module)->info, PROT_NONE);
    (*module)->next = fake.modules;
    fake.modules = *module;
    return end(result);
}

static CUresult fake_module_unload(CUmodule module) {
    CUresult result = begin(true);
    if (gives_back(result)) {
        run_all();
        block_free(module->info);
        CUmodule *at = &fake.modules;
        while (*at != module)
            at = &(*at)->next;
        *at = module->next;
        free(module);
    }
    return end(result);
}

static lane_program *program_named(const struct program_set *set, const char *name) {
    static const char *const names[OPERATION_COUNT] = {
#define PROGRAM(operation, function, family, secrets) "gecc_kernel_" #function,
#include "scheme/programs.def"
#undef PROGRAM
    };
    for (size_t i = 0; i < OPERATION_COUNT; i++)
        if (strcmp(names[i], name) == 0)
            return set->run[i];
    return NULL;
}

static CUresult fake_module_function(CUfunction *function, CUmodule module, const char *name) {
    CUresult result = begin(true);
    if (result != CUDA_SUCCESS)
        return end(result);
    struct CUfunc_st found = {.module = module, .program = program_named(module->set, name)};
    bool tables = module->set->tables_bytes != 0 && sscanf(name, "gecc_tables_%u", &found.pass) == 1 && found.pass < 2;
    if (found.program == NULL && !tables)
        return end(CUDA_ERROR_NOT_FOUND);
    REQUIRE(module->functions < FUNCTIONS_MOST);
    module->function[module->functions] = found;
    *function = &module->function[module->functions++];
    return end(result);
}

static CUresult fake_module_global(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
    CUresult result = begin(true);
    REQUIRE(strcmp(name, "gecc_info") == 0);
    *address = (CUdeviceptr)(uintptr_t)module->info->memory;
    *bytes = module->info->bytes;
    return end(result);
}

static CUresult fake_occupancy(int *blocks, CUfunction function, int threads, size_t shared_bytes) {
    CUresult result = begin(true);
    REQUIRE(function != NULL && threads == THREADS && shared_bytes == 0);
    *blocks = BLOCKS_A_MULTIPROCESSOR;
    return end(result);
}

static CUresult fake_memory_info(size_t *free_bytes, size_t *total) {
    CUresult result = begin(true);
    *free_bytes = fake.settings.memory - fake.used;
    *total = fake.settings.memory;
    return end(result);
}

static CUresult fake_memory_take(CUdeviceptr *address, size_t bytes) {
    CUresult result = begin(true);
    REQUIRE(bytes != 0);
    if (result == CUDA_SUCCESS && bytes > fake.settings.memory - fake.used)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result != CUDA_SUCCESS)
        return end(result);
    *address = (CUdeviceptr)(uintptr_t)block_new(bytes, true, true)->memory;
    fake.used += bytes;
    if (fake.used > fake.used_most)
        fake.used_most = fake.used;
    return end(result);
}

static void *pointer(CUdeviceptr address) { return (void *)(uintptr_t)address; }

static CUresult fake_memory_free(CUdeviceptr address) {
    CUresult result = begin(true);
    struct block *block = block_at(pointer(address), 0);
    REQUIRE(block != NULL && block->device && block->memory == pointer(address));
    if (gives_back(result)) {
        run_all();
        block_free(block);
    }
    return end(result);
}

static CUresult fake_pinned_take(void **address, size_t bytes, unsigned flags) {
    CUresult result = begin(true);
    REQUIRE(bytes != 0 && flags == 0);
    if (result == CUDA_SUCCESS && bytes > fake.settings.pinned - fake.pinned_used)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result != CUDA_SUCCESS)
        return end(result);
    *address = block_new(bytes, false, true)->memory;
    fake.pinned_used += bytes;
    return end(result);
}

static CUresult fake_pinned_give(void *address) {
    CUresult result = begin(true);
    struct block *block = block_at(address, 0);
    REQUIRE(block != NULL && !block->device && block->memory == address);
    if (gives_back(result)) {
        run_all();
        block_free(block);
    }
    return end(result);
}

static CUresult copy(void *to, const void *from, size_t bytes, CUstream stream) {
    stream = stream_of(stream);
    struct work *work = queue(stream, WORK_COPY);
    work->to = to;
    work->from = from;
    work->bytes = bytes;
    queued(stream);
    return CUDA_SUCCESS;
}

static CUresult fake_send(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    CUresult result = begin(true);
    REQUIRE(bytes != 0 && is_on_device(pointer(to), bytes) && !is_on_device(from, 0));
    REQUIRE(block_at(from, bytes) != NULL);
    return end(result == CUDA_SUCCESS ? copy(pointer(to), from, bytes, stream) : result);
}

static CUresult fake_fetch(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    CUresult result = begin(true);
    REQUIRE(bytes != 0 && is_on_device(pointer(from), bytes) && !is_on_device(to, 0));
    REQUIRE(stream == NULL || block_at(to, bytes) != NULL);
    return end(result == CUDA_SUCCESS ? copy(to, pointer(from), bytes, stream) : result);
}

static CUresult fake_copy(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    CUresult result = begin(true);
    REQUIRE(bytes != 0 && is_on_device(pointer(to), bytes) && is_on_device(pointer(from), bytes));
    return end(result == CUDA_SUCCESS ? copy(pointer(to), pointer(from), bytes, stream) : result);
}

static CUresult fake_set(CUdeviceptr to, unsigned char byte, size_t bytes, CUstream stream) {
    CUresult result = begin(true);
    REQUIRE(bytes != 0 && is_on_device(pointer(to), bytes));
    if (result != CUDA_SUCCESS)
        return end(result);
    stream = stream_of(stream);
    struct work *work = queue(stream, WORK_SET);
    work->to = pointer(to);
    work->byte = byte;
    work->bytes = bytes;
    queued(stream);
    return end(result);
}

static CUresult fake_stream_create(CUstream *stream, unsigned flags) {
    CUresult result = begin(true);
    REQUIRE(flags == CU_STREAM_NON_BLOCKING);
    if (result != CUDA_SUCCESS)
        return end(result);
    *stream = calloc(1, sizeof **stream);
    REQUIRE(*stream != NULL);
    (*stream)->last = &(*stream)->first;
    (*stream)->next = fake.streams;
    fake.streams = *stream;
    return end(result);
}

static CUresult fake_stream_destroy(CUstream stream) {
    CUresult result = begin(true);
    if (gives_back(result)) {
        run_stream(stream);
        stream_unlink(stream);
        free(stream);
    }
    return end(result);
}

static CUresult fake_stream_synchronize(CUstream stream) {
    CUresult result = begin(true);
    if (result == CUDA_SUCCESS)
        run_stream(stream_of(stream));
    return end(result);
}

static CUresult fake_stream_wait(CUstream stream, CUevent event, unsigned flags) {
    CUresult result = begin(true);
    REQUIRE(flags == 0 && event->recorded != 0);
    if (result != CUDA_SUCCESS)
        return end(result);
    struct work *work = queue(stream, WORK_WAIT);
    work->event = event;
    work->generation = event->recorded;
    queued(stream);
    return end(result);
}

static CUresult fake_event_create(CUevent *event, unsigned flags) {
    CUresult result = begin(true);
    REQUIRE(flags == CU_EVENT_DEFAULT);
    if (result != CUDA_SUCCESS)
        return end(result);
    *event = calloc(1, sizeof **event);
    REQUIRE(*event != NULL);
    (*event)->next = fake.events;
    fake.events = *event;
    return end(result);
}

static CUresult fake_event_destroy(CUevent event) {
    CUresult result = begin(true);
    if (gives_back(result)) {
        run_all();
        CUevent *at = &fake.events;
        while (*at != event)
            at = &(*at)->next;
        *at = event->next;
        free(event);
    }
    return end(result);
}

static CUresult fake_event_record(CUevent event, CUstream stream) {
    CUresult result = begin(true);
    if (result != CUDA_SUCCESS)
        return end(result);
    stream = stream_of(stream);
    event->stream = stream;
    struct work *work = queue(stream, WORK_RECORD);
    work->event = event;
    work->generation = ++event->recorded;
    queued(stream);
    return end(result);
}

/* A millisecond for each kernel: the events are told apart, not timed. */
static CUresult fake_event_elapsed(float *milliseconds, CUevent start, CUevent stop) {
    CUresult result = begin(true);
    REQUIRE(start != stop && start->recorded != 0 && stop->recorded != 0);
    if (result == CUDA_SUCCESS && (start->reached < start->recorded || stop->reached < stop->recorded))
        result = 600; /* CUDA_ERROR_NOT_READY */
    *milliseconds = 1;
    return end(result);
}

static CUresult fake_launch(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                            unsigned block_y, unsigned block_z, unsigned shared_bytes, CUstream stream,
                            void **parameters, void **extra) {
    CUresult result = begin(true);
    REQUIRE(grid_y == 1 && grid_z == 1 && block_x == THREADS && block_y == 1 && block_z == 1);
    REQUIRE(shared_bytes == 0 && extra == NULL && stream != NULL);
    if (result != CUDA_SUCCESS)
        return end(result);
    struct work *work = queue(stream, WORK_KERNEL);
    work->function = function;
    work->blocks = grid_x;
    memcpy(&work->launch, parameters[0], sizeof work->launch);
    fake.launches++;
    queued(stream);
    return end(result);
}

static CUresult fake_pointer_attribute(void *value, int attribute, CUdeviceptr address) {
    REQUIRE(getpid() == fake.process);
    pthread_mutex_lock(&fake.mutex);
    const struct block *block = block_at(pointer(address), 1);
    int answer = ORDINAL;
    if (block != NULL && attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
        answer = block->device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    memcpy(value, &answer, sizeof answer);
    return end(block == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

const struct driver fake_driver = {
    .cuInit = fake_init,
    .cuGetErrorName = fake_error_name,
    .cuDeviceGetCount = fake_device_count,
    .cuDeviceGet = fake_device_get,
    .cuDeviceGetName = fake_device_name,
    .cuDeviceGetAttribute = fake_device_attribute,
    .cuDevicePrimaryCtxRetain = fake_context_retain,
    .cuDevicePrimaryCtxRelease = fake_context_release,
    .cuCtxPushCurrent = fake_context_push,
    .cuCtxPopCurrent = fake_context_pop,
    .cuCtxSynchronize = fake_context_synchronize,
    .cuModuleLoadData = fake_module_load,
    .cuModuleUnload = fake_module_unload,
    .cuModuleGetFunction = fake_module_function,
    .cuModuleGetGlobal = fake_module_global,
    .cuOccupancyMaxActiveBlocksPerMultiprocessor = fake_occupancy,
    .cuMemGetInfo = fake_memory_info,
    .cuMemAlloc = fake_memory_take,
    .cuMemFree = fake_memory_free,
    .cuMemHostAlloc = fake_pinned_take,
    .cuMemFreeHost = fake_pinned_give,
    .cuMemcpyHtoDAsync = fake_send,
    .cuMemcpyDtoHAsync = fake_fetch,
    .cuMemcpyDtoDAsync = fake_copy,
    .cuMemsetD8Async = fake_set,
    .cuStreamCreate = fake_stream_create,
    .cuStreamDestroy = fake_stream_destroy,
    .cuStreamSynchronize = fake_stream_synchronize,
    .cuStreamWaitEvent = fake_stream_wait,
    .cuEventCreate = fake_event_create,
    .cuEventDestroy = fake_event_destroy,
    .cuEventRecord = fake_event_record,
    .cuEventElapsedTime = fake_event_elapsed,
    .cuLaunchKernel = fake_launch,
    .cuPointerGetAttribute = fake_pointer_attribute,
};

const struct image *fake_driver_images(void) {
    static struct image images[16];
    const struct cpu_machine *machine = &gecc_cpu_portable_c;
    if (images[0].name == NULL) {
        const struct image all[] = {
            {"hash", machine->hash()},           {"secp256k1", machine->curve(GECC_SECP256K1)},
            {"p256", machine->curve(GECC_P256)}, {"p384", machine->curve(GECC_P384)},
            {"sm2", machine->curve(GECC_SM2)},   {"mod_512", machine->modulus(64)},
            {"mod_256", machine->modulus(32)},   {"mod_384", machine->modulus(48)},
            {"mod_128", machine->modulus(16)},
        };
        memcpy(images, all, sizeof all);
    }
    return images;
}

/* The test's side. */

struct fake_settings fake_settings_good(void) {
    return (struct fake_settings){(size_t)1 << 30, (size_t)1 << 30, 1, 90, 4, true, LAUNCH_ABI};
}

void fake_driver_start(const struct fake_settings *settings) {
    pthread_mutex_lock(&fake.mutex);
    while (fake.streams != NULL) {
        CUstream stream = fake.streams;
        stream_clear(stream);
        fake.streams = stream->next;
        if (stream != &fake.default_stream)
            free(stream);
    }
    while (fake.events != NULL) {
        CUevent event = fake.events;
        fake.events = event->next;
        free(event);
    }
    while (fake.modules != NULL) {
        CUmodule module = fake.modules;
        fake.modules = module->next;
        free(module);
    }
    while (fake.blocks != NULL)
        block_free(fake.blocks);
    fake.default_stream.last = &fake.default_stream.first;
    fake.streams = &fake.default_stream;
    fake.settings = *settings;
    fake.process = getpid();
    fake.contexts = 0;
    entered = 0;
    fake.used = fake.used_most = fake.pinned_used = 0;
    fake.calls = fake.launches = fake.failing = 0;
    fake.secrets = fake.found_on_device = fake.found_pinned = 0;
    pthread_mutex_unlock(&fake.mutex);
}

void fake_driver_fail(unsigned long call, bool from_then_on, CUresult error) {
    fake.failing = call;
    fake.from_then_on = from_then_on;
    fake.error = error;
}

unsigned long fake_driver_calls(void) { return fake.calls; }
unsigned long fake_driver_launches(void) { return fake.launches; }
size_t fake_driver_memory_most(void) { return fake.used_most; }

size_t fake_driver_pending(void) {
    size_t pending = 0;
    for (const struct CUstream_st *stream = fake.streams; stream != NULL; stream = stream->next)
        for (const struct work *work = stream->first; work != NULL; work = work->next)
            pending++;
    return pending;
}

size_t fake_driver_held(void) {
    size_t held = fake.contexts;
    for (const struct CUmod_st *module = fake.modules; module != NULL; module = module->next)
        held++;
    for (const struct CUstream_st *stream = fake.streams; stream != &fake.default_stream; stream = stream->next)
        held++;
    for (const struct CUevent_st *event = fake.events; event != NULL; event = event->next)
        held++;
    for (const struct block *block = fake.blocks; block != NULL; block = block->next)
        held++;
    return held;
}

void fake_driver_plant(const void *secret, size_t bytes) {
    REQUIRE(fake.secrets < SECRETS_MOST && bytes <= SECRET_BYTES_MOST);
    memcpy(fake.secret[fake.secrets], secret, bytes);
    fake.secret_bytes[fake.secrets++] = bytes;
}

unsigned fake_driver_secrets(bool device) {
    unsigned found_on_device = fake.found_on_device, found_pinned = fake.found_pinned;
    reach_memory(true);
    for (const struct block *block = fake.blocks; block != NULL; block = block->next)
        search(block, &found_on_device, &found_pinned);
    reach_memory(false);
    return found_pinned + (device ? found_on_device : 0);
}

void *fake_device_new(size_t bytes) { return block_new(bytes, true, false)->memory; }
void *fake_pinned_new(size_t bytes) { return block_new(bytes, false, false)->memory; }
void fake_device_free(void *memory) { block_free(block_at(memory, 1)); }
void fake_pinned_free(void *memory) { block_free(block_at(memory, 1)); }

void fake_device_write(void *to, const void *from, size_t bytes) {
    REQUIRE(is_on_device(to, bytes));
    reach_memory(true);
    memcpy(to, from, bytes);
    reach_memory(false);
}

void fake_device_read(void *to, const void *from, size_t bytes) {
    REQUIRE(is_on_device(from, bytes));
    reach_memory(true);
    memcpy(to, from, bytes);
    reach_memory(false);
}

CUstream fake_stream_new(void) {
    CUstream stream = NULL;
    entered++;
    REQUIRE(fake_stream_create(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    entered--;
    return stream;
}

void fake_stream_write(CUstream stream, void *to, const void *from, size_t bytes) {
    REQUIRE(is_on_device(to, bytes));
    (void)copy(to, from, bytes, stream);
}

void fake_stream_free(CUstream stream) {
    entered++;
    REQUIRE(fake_stream_destroy(stream) == CUDA_SUCCESS);
    entered--;
}
