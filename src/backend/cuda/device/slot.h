/* What a chunk needs on its way: a stream, device memory, pinned memory. Slots and their memory are kept between
 * jobs. */
#ifndef GECC_BACKEND_CUDA_DEVICE_SLOT_H
#define GECC_BACKEND_CUDA_DEVICE_SLOT_H

#include "backend/cuda/device/device.h"
#include "backend/pool.h"

enum { SLOTS = 4 };

/* Bytes of pinned memory that a thread copies or wipes at a time. */
enum { PIECE_BYTES = 256 << 10 };

/* Bytes of each of a slot's memories. */
struct slot_sizes {
    size_t workspace;
    size_t in, in_staged;   /* of columns on their way to the device; the first in_staged have a pinned twin */
    size_t out, out_staged; /* the same of results */
};

struct slot {
    bool opened, taken;
    CUstream stream;
    CUevent before, started, stopped; /* before: the job waits for it; the others enclose the kernel */
    struct slot_sizes has, used;      /* used: since the last wiping, at most */
    CUdeviceptr workspace, in, out;
    void *in_host, *out_host;
    bool secrets; /* what was used may hold secrets */
};

/* All slots of a context. */
struct slots {
    pthread_mutex_t mutex; /* for `taken` and `pool` */
    pthread_cond_t given;
    struct slot slot[SLOTS];
    size_t chunk_bytes; /* pinned bytes of a slot each way, at most, but for a single row that has more */
    unsigned threads;   /* that copy rows */
    struct pool *pool;  /* of them; NULL: it was not needed yet, or none could be had */
};

/* pinned_bytes: of all slots together; threads: the most that copy rows, at least 1. */
void gecc_slots_open(struct slots *slots, size_t pinned_bytes, unsigned threads);
/* Every slot has been given back. */
void gecc_slots_close(struct slots *slots, struct device *device);

/* Take up to `wanted` slots, at least one, waiting for it if need be; how many. */
unsigned gecc_slots_take(struct slots *slots, struct slot **taken, unsigned wanted);
void gecc_slots_give(struct slots *slots, struct slot *slot);
/* Free what slots hold that nobody has taken. */
void gecc_slots_trim(struct slots *slots, struct device *device);

/* The threads that copy or wipe so many bytes, started now if they were not. NULL: the caller alone. */
struct pool *gecc_slots_pool(struct slots *slots, size_t bytes);

/* Give everything back that the slot has, its stream and events too. */
void gecc_slot_close(struct slot *slot, struct device *device);

/* Make streams and events, unless they are there. */
gecc_result gecc_slot_prepare(struct slot *slot, struct device *device);

/* Make room. What the memories held is lost. The slot's stream is idle. */
gecc_result gecc_slot_reserve(struct slot *slot, struct device *device, const struct slot_sizes *needed);

/* Device bytes that it holds. */
size_t gecc_slot_bytes(const struct slot *slot);

/* Free its memories, wiped if they may hold secrets. The slot's stream is idle. */
void gecc_slot_empty(struct slot *slot, struct device *device);

/* Wait for the slot's stream, or, where that fails, for the whole device. */
gecc_result gecc_slot_wait(struct slot *slot, struct device *device);

/* Zero everything used since the last time, device memory too if the device still obeys. The slot's stream is idle.
 * pool: whose threads share it; NULL: the caller alone. */
gecc_result gecc_slot_wipe(struct slot *slot, struct device *device, struct pool *pool);

/* Pinned bytes that would be wiped. */
size_t gecc_slot_wiped_bytes(const struct slot *slot);

#endif
