#include "backend/cuda/device/slot.h"

#include "backend/least.h"

#include <string.h>

/* Memory is taken in multiples of this. */
enum { GRAIN = 64 << 10 };

void gecc_slots_open(struct slots *slots, size_t pinned_bytes, unsigned threads) {
    memset(slots, 0, sizeof *slots);
    slots->chunk_bytes = pinned_bytes / (2 * SLOTS);
    slots->threads = threads;
    pthread_mutex_init(&slots->mutex, NULL);
    pthread_cond_init(&slots->given, NULL);
}

void gecc_slot_close(struct slot *slot, struct device *device) {
    const struct driver *driver = device->driver;
    if (!slot->opened)
        return;
    gecc_slot_empty(slot, device);
    if (slot->stream != NULL)
        (void)driver->cuStreamDestroy(slot->stream);
    CUevent events[] = {slot->before, slot->started, slot->stopped};
    for (size_t i = 0; i < sizeof events / sizeof events[0]; i++)
        if (events[i] != NULL)
            (void)driver->cuEventDestroy(events[i]);
}

void gecc_slots_close(struct slots *slots, struct device *device) {
    if (gecc_device_enter_to_close(device)) {
        for (size_t i = 0; i < SLOTS; i++)
            gecc_slot_close(&slots->slot[i], device);
        (void)gecc_device_leave(device);
    }
    if (slots->pool != NULL)
        gecc_pool_close(slots->pool);
    pthread_mutex_destroy(&slots->mutex);
    pthread_cond_destroy(&slots->given);
}

static unsigned take_idle(struct slots *slots, struct slot **taken, unsigned wanted) {
    unsigned count = 0;
    for (size_t i = 0; i < SLOTS && count < wanted; i++)
        if (!slots->slot[i].taken) {
            slots->slot[i].taken = true;
            taken[count++] = &slots->slot[i];
        }
    return count;
}

unsigned gecc_slots_take(struct slots *slots, struct slot **taken, unsigned wanted) {
    unsigned count;
    pthread_mutex_lock(&slots->mutex);
    while ((count = take_idle(slots, taken, wanted)) == 0)
        pthread_cond_wait(&slots->given, &slots->mutex);
    pthread_mutex_unlock(&slots->mutex);
    return count;
}

void gecc_slots_give(struct slots *slots, struct slot *slot) {
    pthread_mutex_lock(&slots->mutex);
    slot->taken = false;
    pthread_cond_signal(&slots->given);
    pthread_mutex_unlock(&slots->mutex);
}

struct pool *gecc_slots_pool(struct slots *slots, size_t bytes) {
    if (bytes <= PIECE_BYTES)
        return NULL;
    pthread_mutex_lock(&slots->mutex);
    if (slots->pool == NULL && slots->threads > 1 && gecc_pool_open(&slots->pool, slots->threads) != GECC_OK)
        slots->threads = 1;
    struct pool *pool = slots->pool;
    pthread_mutex_unlock(&slots->mutex);
    return pool;
}

void gecc_slots_trim(struct slots *slots, struct device *device) {
    struct slot *idle[SLOTS];
    pthread_mutex_lock(&slots->mutex);
    unsigned count = take_idle(slots, idle, SLOTS);
    pthread_mutex_unlock(&slots->mutex);
    for (unsigned i = 0; i < count; i++) {
        gecc_slot_empty(idle[i], device);
        gecc_slots_give(slots, idle[i]);
    }
}

gecc_result gecc_slot_prepare(struct slot *slot, struct device *device) {
    const struct driver *driver = device->driver;
    gecc_result result = GECC_OK;
    slot->opened = true;
    if (slot->stream == NULL)
        result =
            gecc_device_check(device, driver->cuStreamCreate(&slot->stream, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
    CUevent *events[] = {&slot->before, &slot->started, &slot->stopped};
    for (size_t i = 0; i < sizeof events / sizeof events[0] && result == GECC_OK; i++)
        if (*events[i] == NULL)
            result = gecc_device_check(device, driver->cuEventCreate(events[i], CU_EVENT_DEFAULT), "cuEventCreate");
    return result;
}

static gecc_result take_device(struct device *device, CUdeviceptr *memory, size_t *has, size_t needed) {
    if (*has >= needed)
        return GECC_OK;
    size_t bytes = (needed + GRAIN - 1) / GRAIN * GRAIN;
    gecc_result result = GECC_OK;
    if (*has != 0)
        result = gecc_device_check(device, device->driver->cuMemFree(*memory), "cuMemFree");
    *has = 0;
    if (result == GECC_OK)
        result = gecc_device_check(device, device->driver->cuMemAlloc(memory, bytes), "cuMemAlloc");
    if (result == GECC_OK)
        *has = bytes;
    return result;
}

static gecc_result take_pinned(struct device *device, void **memory, size_t *has, size_t needed) {
    if (*has >= needed)
        return GECC_OK;
    size_t bytes = (needed + GRAIN - 1) / GRAIN * GRAIN;
    gecc_result result = GECC_OK;
    if (*has != 0)
        result = gecc_device_check(device, device->driver->cuMemFreeHost(*memory), "cuMemFreeHost");
    *has = 0;
    if (result == GECC_OK)
        result = gecc_device_check(device, device->driver->cuMemHostAlloc(memory, bytes, 0), "cuMemHostAlloc");
    if (result == GECC_OK)
        *has = bytes;
    return result;
}

static bool slot_fits(const struct slot_sizes *has, const struct slot_sizes *needed) {
    return has->workspace >= needed->workspace && has->in >= needed->in && has->in_staged >= needed->in_staged &&
           has->out >= needed->out && has->out_staged >= needed->out_staged;
}

gecc_result gecc_slot_reserve(struct slot *slot, struct device *device, const struct slot_sizes *needed) {
    struct slot_sizes *has = &slot->has, *used = &slot->used;
    gecc_result result = GECC_OK;
    if (!slot_fits(has, needed) && slot->secrets)
        result = gecc_slot_wipe(slot, device, NULL);
    if (result == GECC_OK)
        result = take_device(device, &slot->workspace, &has->workspace, needed->workspace);
    if (result == GECC_OK)
        result = take_device(device, &slot->in, &has->in, needed->in);
    if (result == GECC_OK)
        result = take_device(device, &slot->out, &has->out, needed->out);
    if (result == GECC_OK)
        result = take_pinned(device, &slot->in_host, &has->in_staged, needed->in_staged);
    if (result == GECC_OK)
        result = take_pinned(device, &slot->out_host, &has->out_staged, needed->out_staged);
    if (result != GECC_OK)
        return result;
    *used = (struct slot_sizes){most(used->workspace, needed->workspace), most(used->in, needed->in),
                                most(used->in_staged, needed->in_staged), most(used->out, needed->out),
                                most(used->out_staged, needed->out_staged)};
    return GECC_OK;
}

size_t gecc_slot_bytes(const struct slot *slot) { return slot->has.workspace + slot->has.in + slot->has.out; }

void gecc_slot_empty(struct slot *slot, struct device *device) {
    const struct driver *driver = device->driver;
    if (slot->secrets)
        (void)gecc_slot_wipe(slot, device, NULL);
    CUdeviceptr memories[] = {slot->has.workspace != 0 ? slot->workspace : 0, slot->has.in != 0 ? slot->in : 0,
                              slot->has.out != 0 ? slot->out : 0};
    for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++)
        if (memories[i] != 0)
            (void)gecc_device_check(device, driver->cuMemFree(memories[i]), "cuMemFree");
    if (slot->has.in_staged != 0)
        (void)gecc_device_check(device, driver->cuMemFreeHost(slot->in_host), "cuMemFreeHost");
    if (slot->has.out_staged != 0)
        (void)gecc_device_check(device, driver->cuMemFreeHost(slot->out_host), "cuMemFreeHost");
    slot->has = slot->used = (struct slot_sizes){.workspace = 0};
}

gecc_result gecc_slot_wait(struct slot *slot, struct device *device) {
    if (slot->stream == NULL)
        return GECC_OK;
    gecc_result result =
        gecc_device_check(device, device->driver->cuStreamSynchronize(slot->stream), "cuStreamSynchronize");
    if (result != GECC_OK)
        (void)device->driver->cuCtxSynchronize();
    return result;
}

/* Once more where it fails: the driver has then said all it had to about earlier work. */
static CUresult zero(const struct driver *driver, CUdeviceptr memory, size_t bytes, CUstream stream) {
    if (bytes == 0)
        return CUDA_SUCCESS;
    CUresult code = driver->cuMemsetD8Async(memory, 0, bytes, stream);
    if (code != CUDA_SUCCESS)
        (void)driver->cuMemsetD8Async(memory, 0, bytes, stream);
    return code;
}

/* Zero the bytes, even if nobody reads them again. */
static void secret_wipe(void *bytes, size_t count) {
    if (count != 0)
        memset(bytes, 0, count);
    __asm__ volatile("" : : "r"(bytes) : "memory");
}

struct wiping {
    uint8_t *memory;
    size_t bytes;
};

static void wipe_piece(void *argument, size_t index) {
    const struct wiping *wiping = argument;
    const size_t first = index * PIECE_BYTES;
    secret_wipe(wiping->memory + first, least(PIECE_BYTES, wiping->bytes - first));
}

static void wipe_pinned(void *memory, size_t bytes, struct pool *pool) {
    struct wiping wiping = {memory, bytes};
    gecc_pool_for(pool, (bytes + PIECE_BYTES - 1) / PIECE_BYTES, wipe_piece, &wiping);
}

size_t gecc_slot_wiped_bytes(const struct slot *slot) {
    return least(slot->has.in_staged, slot->used.in_staged) + least(slot->has.out_staged, slot->used.out_staged);
}

gecc_result gecc_slot_wipe(struct slot *slot, struct device *device, struct pool *pool) {
    const struct driver *driver = device->driver;
    const struct slot_sizes *has = &slot->has, *used = &slot->used;
    CUresult codes[] = {zero(driver, slot->workspace, least(has->workspace, used->workspace), slot->stream),
                        zero(driver, slot->in, least(has->in, used->in), slot->stream),
                        zero(driver, slot->out, least(has->out, used->out), slot->stream)};
    gecc_result result = GECC_OK;
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
        gecc_result here = gecc_device_check(device, codes[i], "cuMemsetD8Async");
        result = result == GECC_OK ? here : result;
    }
    wipe_pinned(slot->in_host, least(has->in_staged, used->in_staged), pool);
    wipe_pinned(slot->out_host, least(has->out_staged, used->out_staged), pool);
    gecc_result waited = gecc_slot_wait(slot, device);
    slot->used = (struct slot_sizes){.workspace = 0};
    slot->secrets = false;
    return result == GECC_OK ? waited : result;
}
