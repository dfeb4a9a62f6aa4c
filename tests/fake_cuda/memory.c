#define _GNU_SOURCE
/* Device memory, pinned memory, and the secrets that are searched for in both. */
#include "fake_cuda/state.h"

#include <sys/mman.h>

static void block_protect(const struct block *block, int protection) {
    if (block->device)
        REQUIRE(mprotect(block->mapped, block->mapped_bytes, protection) == 0);
}

/* The device's memory is within reach of the device's work alone. */
void memory_reach(bool reach) {
    for (struct block *block = fake.blocks; block != NULL; block = block->next)
        block_protect(block, reach ? PROT_READ | PROT_WRITE : PROT_NONE);
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

struct block *block_new(size_t bytes, bool device, bool counted) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct block *block = block_map((bytes + 2 * GUARD_BYTES + page - 1) / page * page);
    memset(block->mapped, GUARD, GUARD_BYTES);
    block->memory = block->mapped + GUARD_BYTES;
    memset(block->memory, DIRT, bytes);
    memset(block->memory + bytes, GUARD, block->mapped_bytes - GUARD_BYTES - bytes);
    block->bytes = bytes;
    block->device = device;
    block->owner = fake.acting;
    block->counted = counted;
    block_protect(block, PROT_NONE);
    block->next = fake.blocks;
    fake.blocks = block;
    return block;
}

struct block *block_at(const void *address, size_t bytes) {
    const uint8_t *byte = address;
    for (struct block *block = fake.blocks; block != NULL; block = block->next)
        if (byte >= block->memory && bytes <= block->bytes && (size_t)(byte - block->memory) <= block->bytes - bytes)
            return block;
    return NULL;
}

bool is_on_any_device(const void *address, size_t bytes) {
    const struct block *block = block_at(address, bytes);
    return block != NULL && block->device;
}

bool is_on_device(const void *address, size_t bytes) {
    const struct block *block = block_at(address, bytes);
    return block != NULL && block->device && block->owner == fake.acting;
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

void block_free(struct block *block) {
    struct block **at = &fake.blocks;
    while (*at != block)
        at = &(*at)->next;
    *at = block->next;
    block_protect(block, PROT_READ | PROT_WRITE);
    check_guards(block);
    search(block, &fake.found_on_device, &fake.found_pinned);
    if (block->counted && block->device)
        fake.context[block->owner].used -= block->bytes;
    if (block->counted)
        *(block->device ? &fake.used : &fake.pinned_used) -= block->bytes;
    block->next = fake.spare;
    fake.spare = block;
}

CUresult fake_memory_info(size_t *free_bytes, size_t *total) {
    CUresult result = call_begin(true);
    *total = memory_of(fake.acting);
    *free_bytes = *total - fake.context[fake.acting].used;
    return call_end(result);
}

CUresult fake_memory_take(CUdeviceptr *address, size_t bytes) {
    CUresult result = call_begin(true);
    REQUIRE(bytes != 0);
    if (result == CUDA_SUCCESS && bytes > memory_of(fake.acting) - fake.context[fake.acting].used)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result != CUDA_SUCCESS)
        return call_end(result);
    *address = (CUdeviceptr)(uintptr_t)block_new(bytes, true, true)->memory;
    fake.context[fake.acting].used += bytes;
    fake.used += bytes;
    if (fake.used > fake.used_most)
        fake.used_most = fake.used;
    return call_end(result);
}

CUresult fake_memory_free(CUdeviceptr address) {
    CUresult result = call_begin(true);
    struct block *block = block_at(pointer(address), 0);
    REQUIRE(block != NULL && block->device && block->memory == pointer(address) && block->owner == fake.acting);
    if (call_gives_back(result)) {
        streams_run();
        block_free(block);
    }
    return call_end(result);
}

CUresult fake_pinned_take(void **address, size_t bytes, unsigned flags) {
    CUresult result = call_begin(true);
    REQUIRE(bytes != 0 && flags == 0);
    if (result == CUDA_SUCCESS && bytes > fake.settings.pinned - fake.pinned_used)
        result = CUDA_ERROR_OUT_OF_MEMORY;
    if (result != CUDA_SUCCESS)
        return call_end(result);
    *address = block_new(bytes, false, true)->memory;
    fake.pinned_used += bytes;
    if (fake.pinned_used > fake.pinned_most)
        fake.pinned_most = fake.pinned_used;
    return call_end(result);
}

CUresult fake_pinned_give(void *address) {
    CUresult result = call_begin(true);
    struct block *block = block_at(address, 0);
    REQUIRE(block != NULL && !block->device && block->memory == address);
    if (call_gives_back(result)) {
        streams_run();
        block_free(block);
    }
    return call_end(result);
}

CUresult fake_pointer_attribute(void *value, int attribute, CUdeviceptr address) {
    REQUIRE(getpid() == fake.process);
    pthread_mutex_lock(&fake.mutex);
    const struct block *block = block_at(pointer(address), 1);
    int answer = block == NULL ? 0 : block->owner;
    if (block != NULL && attribute == CU_POINTER_ATTRIBUTE_MEMORY_TYPE)
        answer = block->device ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
    memcpy(value, &answer, sizeof answer);
    return call_end(block == NULL ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

void fake_driver_plant(const void *secret, size_t bytes) {
    REQUIRE(fake.secrets < SECRETS_MOST && bytes <= SECRET_BYTES_MOST);
    memcpy(fake.secret[fake.secrets], secret, bytes);
    fake.secret_bytes[fake.secrets++] = bytes;
}

unsigned fake_driver_secrets(bool device) {
    unsigned found_on_device = fake.found_on_device, found_pinned = fake.found_pinned;
    memory_reach(true);
    for (const struct block *block = fake.blocks; block != NULL; block = block->next)
        search(block, &found_on_device, &found_pinned);
    memory_reach(false);
    return found_pinned + (device ? found_on_device : 0);
}

void *fake_device_new(size_t bytes) { return fake_device_new_on(0, bytes); }
void *fake_device_new_on(int device, size_t bytes) {
    fake.acting = device;
    return block_new(bytes, true, false)->memory;
}
void *fake_pinned_new(size_t bytes) { return block_new(bytes, false, false)->memory; }
void fake_device_free(void *memory) { block_free(block_at(memory, 1)); }
void fake_pinned_free(void *memory) { block_free(block_at(memory, 1)); }

void fake_device_write(void *to, const void *from, size_t bytes) {
    REQUIRE(is_on_any_device(to, bytes));
    memory_reach(true);
    memcpy(to, from, bytes);
    memory_reach(false);
}

void fake_device_read(void *to, const void *from, size_t bytes) {
    REQUIRE(is_on_any_device(from, bytes));
    memory_reach(true);
    memcpy(to, from, bytes);
    memory_reach(false);
}
