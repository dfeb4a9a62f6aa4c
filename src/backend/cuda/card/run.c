#include "backend/cuda/card/run.h"

#include "backend/cuda/card/plan.h"
#include "backend/cuda/card/tables.h"
#include "backend/cuda/device/program.h"
#include "backend/cuda/device/transfer.h"
#include "backend/job_rows.h"
#include "backend/registers.h"
#include "scheme/operation.h"

/* A chunk in flight, and the slot that this run keeps for it. */
struct flight {
    struct slot *slot;
    bool busy;
    struct chunk chunk;
};

struct run {
    struct device *device;
    struct slots *slots;
    const struct job *job;
    struct program *program;
    const struct kernel *kernel;
    struct routes routes;
    struct plan plan;
    unsigned flight_count;
    unsigned next; /* the one to use, which has been busy longest */
    struct flight flights[PLAN_SLOTS];
    CUevent origin;                   /* reached before any kernel of the run starts */
    double kernel_seconds, last_stop; /* last_stop: of the kernels so far, in seconds after the origin */
    bool fault;                       /* a signature failed its check */
};

static gecc_result first_error(gecc_result a, gecc_result b) { return a != GECC_OK ? a : b; }

static gecc_result seconds_after_origin(struct run *run, CUevent event, double *seconds) {
    float milliseconds = 0;
    gecc_result result = gecc_device_check(
        run->device, run->device->driver->cuEventElapsedTime(&milliseconds, run->origin, event), "cuEventElapsedTime");
    *seconds = 1e-3 * (double)milliseconds;
    return result;
}

/* Add how long the chunk's kernel had the device. Kernels of two streams take turns: time that one has waited for the
 * other since its start was recorded does not count twice. */
static gecc_result measure_kernel(struct run *run, const struct slot *slot) {
    double start = 0, stop = 0;
    gecc_result result = seconds_after_origin(run, slot->started, &start);
    if (result == GECC_OK)
        result = seconds_after_origin(run, slot->stopped, &stop);
    if (start < run->last_stop)
        start = run->last_stop;
    if (stop > start) {
        run->kernel_seconds += stop - start;
        run->last_stop = stop;
    }
    return result;
}

/* Wait for its chunk, if there is one, and give it to the caller. */
static gecc_result collect(struct run *run, struct flight *flight) {
    if (!flight->busy)
        return GECC_OK;
    flight->busy = false;
    gecc_result result = gecc_slot_wait(flight->slot, run->device);
    if (result == GECC_OK)
        result = gecc_transfer_publish(&run->routes, &flight->chunk, flight->slot, run->device,
                                       gecc_slots_pool(run->slots, flight->chunk.sizes.out_staged), &run->fault);
    if (result == GECC_OK && run->routes.any_on_device)
        result = gecc_slot_wait(flight->slot, run->device);
    return result == GECC_OK ? measure_kernel(run, flight->slot) : result;
}

/* In the order in which they were started, which measure_kernel counts on. */
static struct flight *nth_started(struct run *run, unsigned i) {
    return &run->flights[(run->next + i) % run->flight_count];
}

static gecc_result collect_all(struct run *run) {
    gecc_result result = GECC_OK;
    for (unsigned i = 0; i < run->flight_count; i++)
        result = first_error(result, collect(run, nth_started(run, i)));
    return result;
}

/* Room for the rest of the job is gone: give up what other slots hold. Returns whether there was anything to give
 * up. */
static bool make_room(struct run *run, const struct flight *keep, gecc_result *result) {
    size_t before = 0;
    *result = collect_all(run);
    for (unsigned i = 0; i < run->flight_count; i++) {
        struct slot *slot = run->flights[i].slot;
        before += gecc_slot_bytes(slot);
        if (&run->flights[i] != keep)
            gecc_slot_empty(slot, run->device);
    }
    gecc_slots_trim(run->slots, run->device);
    gecc_slot_empty(keep->slot, run->device);
    return before != 0;
}

/* Memory for a chunk at row `first`, with fewer rows if need be. */
static gecc_result reserve(struct run *run, struct flight *flight, size_t first) {
    bool emptied = false;
    for (;;) {
        struct chunk *chunk = &flight->chunk;
        gecc_chunk_measure(&run->routes, chunk, first, run->plan.rows, run->slots->chunk_bytes);
        chunk->sizes.workspace = gecc_plan_workspace(chunk->count, &run->kernel->info);
        gecc_result result = gecc_slot_reserve(flight->slot, run->device, &chunk->sizes);
        if (result != GECC_ERROR_MEMORY)
            return result;
        size_t fewer = gecc_plan_halve(chunk->count, &run->kernel->info);
        if (fewer != 0) {
            run->plan.rows = fewer;
        } else if (!emptied) {
            emptied = true;
            if (!make_room(run, flight, &result))
                return first_error(result, GECC_ERROR_MEMORY);
            if (result != GECC_OK)
                return result;
        } else {
            return GECC_ERROR_MEMORY;
        }
    }
}

static gecc_result launch(struct run *run, const struct flight *flight) {
    const struct slot *slot = flight->slot;
    const struct driver *driver = run->device->driver;
    struct launch argument = {.workspace = (void *)(uintptr_t)slot->workspace,
                              .workspace_bytes = flight->chunk.sizes.workspace,
                              .tables = (void *)(uintptr_t)run->program->tables};
    gecc_chunk_bind(&run->routes, &flight->chunk, slot, &argument);
    gecc_result result =
        gecc_device_check(run->device, driver->cuEventRecord(slot->started, slot->stream), "cuEventRecord");
    if (result == GECC_OK)
        result = gecc_kernel_launch(run->device, run->kernel, &argument, slot->stream);
    if (result == GECC_OK)
        result = gecc_device_check(run->device, driver->cuEventRecord(slot->stopped, slot->stream), "cuEventRecord");
    return result;
}

/* Start the chunk at row `first` in an idle one. */
static gecc_result start_chunk(struct run *run, struct flight *flight, size_t first) {
    gecc_result result = reserve(run, flight, first);
    if (result != GECC_OK)
        return result;
    flight->slot->secrets = job_has_secrets(run->job);
    result = gecc_transfer_send(&run->routes, &flight->chunk, flight->slot, run->device,
                                gecc_slots_pool(run->slots, flight->chunk.sizes.in_staged));
    if (result == GECC_OK)
        result = launch(run, flight);
    if (result == GECC_OK)
        result = gecc_transfer_fetch(&run->routes, &flight->chunk, flight->slot, run->device);
    flight->busy = result == GECC_OK;
    return result;
}

/* Chunk after chunk, each in the one that has been busy longest. */
static gecc_result run_chunks(struct run *run) {
    gecc_result result = GECC_OK;
    for (size_t first = 0; first < run->job->count && result == GECC_OK;
         run->next = (run->next + 1) % run->flight_count) {
        struct flight *flight = &run->flights[run->next];
        result = collect(run, flight);
        if (result == GECC_OK && atomic_load(&run->device->dead))
            result = GECC_ERROR_DEVICE;
        if (result == GECC_OK && job_is_cancelled(run->job))
            result = GECC_ERROR_CANCELLED;
        if (result == GECC_OK)
            result = start_chunk(run, flight, first);
        first += flight->chunk.count;
    }
    return result;
}

/* The origin, in a stream that all kernels of the run come after or that is waited for before the others. */
static gecc_result mark_origin(struct run *run) {
    struct slot *slot = run->flights[0].slot;
    CUstream stream = run->routes.any_on_device ? (CUstream)run->job->stream : slot->stream;
    run->origin = slot->before;
    return gecc_device_check(run->device, run->device->driver->cuEventRecord(slot->before, stream), "cuEventRecord");
}

/* What the caller has queued in its stream, up to the origin, comes first; and statuses in device memory start as
 * NOT_PROCESSED. */
static gecc_result follow_caller(struct run *run) {
    const struct driver *driver = run->device->driver;
    struct slot *slot = run->flights[0].slot;
    gecc_result result = GECC_OK;
    for (unsigned i = 0; i < run->flight_count && result == GECC_OK; i++)
        result = gecc_device_check(
            run->device, driver->cuStreamWaitEvent(run->flights[i].slot->stream, slot->before, 0), "cuStreamWaitEvent");
    if (result == GECC_OK && run->routes.status_on_device) {
        result = gecc_transfer_clear_status(&run->routes, slot, run->device);
        result = first_error(result, gecc_slot_wait(slot, run->device));
    }
    return result;
}

/* Device bytes that the run may use: the bytes of its slots, and of the free ones all but an eighth. */
static gecc_result usable_memory(struct run *run, size_t *bytes) {
    size_t free_bytes = 0, total = 0;
    gecc_result result =
        gecc_device_check(run->device, run->device->driver->cuMemGetInfo(&free_bytes, &total), "cuMemGetInfo");
    *bytes = free_bytes - free_bytes / 8;
    for (unsigned i = 0; i < run->flight_count; i++)
        *bytes += gecc_slot_bytes(run->flights[i].slot);
    return result;
}

static gecc_result make_plan(struct run *run) {
    struct plan_input input = {.count = run->job->count,
                               .resident = run->kernel->resident,
                               .staged = run->routes.in_row + run->routes.out_row,
                               .staging = run->slots->chunk_bytes,
                               .slots = run->flight_count};
    gecc_result result = usable_memory(run, &input.memory);
    if (result != GECC_OK)
        return result;
    run->plan = gecc_plan(&input, &run->kernel->info);
    while (run->flight_count > run->plan.slots)
        gecc_slots_give(run->slots, run->flights[--run->flight_count].slot);
    for (unsigned i = 0; i < run->flight_count && result == GECC_OK; i++)
        result = gecc_slot_prepare(run->flights[i].slot, run->device);
    return result;
}

static gecc_result run_on_slots(struct run *run) {
    gecc_result result = make_plan(run);
    if (result == GECC_OK)
        result = mark_origin(run);
    if (result == GECC_OK && run->routes.any_on_device)
        result = follow_caller(run);
    if (result == GECC_OK)
        result = gecc_cuda_make_tables(run->device, run->program, run->flights[0].slot);
    if (result == GECC_OK)
        result = run_chunks(run);
    return result;
}

/* Collect what is under way, leave no secrets, give the slots back. One is wiped while another is at work; all are kept
 * until the last is done, whose kernel is measured by the first one's event. A slot whose chunk was not started whole
 * may still be at work on what was queued. */
static gecc_result finish(struct run *run) {
    gecc_result result = GECC_OK;
    for (unsigned i = 0; i < run->flight_count; i++) {
        struct flight *flight = nth_started(run, i);
        struct slot *slot = flight->slot;
        result = first_error(result, collect(run, flight));
        result = first_error(result, gecc_slot_wait(slot, run->device));
        if (slot->secrets)
            result = first_error(
                result, gecc_slot_wipe(slot, run->device, gecc_slots_pool(run->slots, gecc_slot_wiped_bytes(slot))));
    }
    for (unsigned i = 0; i < run->flight_count; i++)
        gecc_slots_give(run->slots, run->flights[i].slot);
    if (job_has_secrets(run->job))
        registers_wipe(); /* rows were copied through them */
    return result;
}

/* Take as many of the slots that a run has. */
static void take_slots(struct run *run) {
    struct slot *taken[PLAN_SLOTS];
    run->flight_count = gecc_slots_take(run->slots, taken, PLAN_SLOTS);
    for (unsigned i = 0; i < run->flight_count; i++)
        run->flights[i].slot = taken[i];
}

gecc_result gecc_cuda_prepare_job(struct device *device, struct slots *slots, const struct job *job) {
    struct run run = {.device = device, .slots = slots, .job = job};
    gecc_result result = gecc_program_find(device, job, &run.program, &run.kernel);
    if (result != GECC_OK || !gecc_cuda_wants_tables(device, run.program))
        return result;
    take_slots(&run);
    for (unsigned i = 0; i < run.flight_count && result == GECC_OK; i++)
        result = gecc_slot_prepare(run.flights[i].slot, device);
    if (result == GECC_OK)
        result = gecc_cuda_make_tables(device, run.program, run.flights[0].slot);
    return first_error(result, finish(&run));
}

gecc_result gecc_cuda_run_job(struct device *device, struct slots *slots, const struct job *job,
                              const struct packer *packer, double *kernel_seconds) {
    struct run run = {.device = device, .slots = slots, .job = job};
    gecc_result result = gecc_program_find(device, job, &run.program, &run.kernel);
    if (result == GECC_OK)
        result = gecc_routes_open(&run.routes, device, job, packer);
    if (result != GECC_OK)
        return result;
    take_slots(&run);
    result = run_on_slots(&run);
    result = first_error(result, finish(&run));
    *kernel_seconds += run.kernel_seconds;
    return result == GECC_OK && run.fault ? GECC_ERROR_FAULT : result;
}
