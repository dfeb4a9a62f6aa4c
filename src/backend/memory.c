#define _GNU_SOURCE
#include "backend/memory.h"

#include <string.h>
#include <sys/mman.h>

#include "backend/registers.h"
#include "backend/threads.h"

/* The head of a mapping; the arena's bytes follow. */
struct arena_block {
    struct arena arena;
    struct arena_block *next;
    size_t mapped;
};

enum { ARENA_HEAD = 64 };
_Static_assert(sizeof(struct arena_block) <= ARENA_HEAD, "an arena starts on a cache line of its own");

void gecc_wipe(void *bytes, size_t count) {
    memset(bytes, 0, count);
    __asm__ volatile("" : : "r"(bytes) : "memory");
}

/* Registers first: who wipes the stack, or is called after that for the first time and has the dynamic linker look for
 * it, saves them there. */
__attribute__((noinline)) void gecc_wipe_stack(void) {
    uint8_t stack[STACK_WIPED];
    registers_wipe();
    gecc_wipe(stack, sizeof stack);
}

/* The bounds of the calling thread's stack, asked for once: of a process's first thread they are in a file. */
static void find_stack(uintptr_t *low, uintptr_t *high) {
    static _Thread_local uintptr_t bounds[2];
    pthread_attr_t attributes;
    void *stack;
    size_t bytes;
    if (bounds[1] == 0 && pthread_getattr_np(pthread_self(), &attributes) == 0) {
        if (pthread_attr_getstack(&attributes, &stack, &bytes) == 0) {
            bounds[0] = (uintptr_t)stack;
            bounds[1] = (uintptr_t)stack + bytes;
        }
        pthread_attr_destroy(&attributes);
    }
    *low = bounds[0];
    *high = bounds[1];
}

_Static_assert(STACK_WIPED + 16 * 1024 <= CALL_STACK, "the part of a stack that is wiped is there");

bool gecc_stack_suffices(void) {
    uintptr_t low, high, here = (uintptr_t)__builtin_frame_address(0);
    find_stack(&low, &high);
    return here < low || here >= high || here - low >= CALL_STACK;
}

bool gecc_is_zero(const void *bytes, size_t count) {
    const uint8_t *byte = bytes;
    while (count != 0 && *byte == 0)
        byte++, count--;
    return count == 0;
}

/* NULL: not enough memory. The advice is only that: where the system does not know it, nothing else changes. */
static struct arena_block *block_map(size_t bytes) {
    if (bytes > PTRDIFF_MAX - ARENA_HEAD)
        return NULL;
    size_t mapped = bytes + ARENA_HEAD;
    void *pages = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    (void)madvise(pages, mapped, MADV_DONTDUMP);
    (void)madvise(pages, mapped, MADV_WIPEONFORK);
    struct arena_block *block = pages;
    block->mapped = mapped;
    block->arena = (struct arena){(uint8_t *)pages + ARENA_HEAD, bytes, 0};
    return block;
}

static void block_unmap(struct arena_block *block) { (void)munmap(block, block->mapped); }

void gecc_arena_cache_open(struct arena_cache *cache, size_t most) {
    *cache = (struct arena_cache){.most = most};
    pthread_mutex_init(&cache->mutex, NULL);
}

void gecc_arena_cache_close(struct arena_cache *cache) {
    while (cache->first != NULL) {
        struct arena_block *block = cache->first;
        cache->first = block->next;
        block_unmap(block);
    }
    pthread_mutex_destroy(&cache->mutex);
}

/* The arena that was used last, if any: its memory is warm. */
static struct arena_block *cache_pop(struct arena_cache *cache) {
    pthread_mutex_lock(&cache->mutex);
    struct arena_block *block = cache->first;
    if (block != NULL) {
        cache->first = block->next;
        cache->bytes -= block->mapped;
    }
    pthread_mutex_unlock(&cache->mutex);
    return block;
}

static bool cache_push(struct arena_cache *cache, struct arena_block *block) {
    pthread_mutex_lock(&cache->mutex);
    const bool keeps =
        cache->first == NULL || (cache->bytes <= cache->most && block->mapped <= cache->most - cache->bytes);
    if (keeps) {
        block->next = cache->first;
        cache->first = block;
        cache->bytes += block->mapped;
    }
    pthread_mutex_unlock(&cache->mutex);
    return keeps;
}

struct arena *gecc_arena_take(struct arena_cache *cache, size_t bytes) {
    struct arena_block *block = cache == NULL ? NULL : cache_pop(cache);
    if (block != NULL && block->arena.bytes < bytes) {
        block_unmap(block);
        block = NULL;
    }
    if (block == NULL)
        block = block_map(bytes);
    return block == NULL ? NULL : &block->arena;
}

void gecc_arena_give(struct arena_cache *cache, struct arena *arena) {
    struct arena_block *block = (struct arena_block *)arena;
    if (cache == NULL || !cache_push(cache, block))
        block_unmap(block);
}
