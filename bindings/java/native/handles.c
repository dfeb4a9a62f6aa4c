#include "handles.h"

#include <gecc/languages.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    void *object;
    jlong context; /* of keys: they have a share of it */
    uint32_t generation;
    uint32_t users; /* calls under way, what depends on it, and 1 while it is open */
    uint32_t next;  /* of the free entries, by its number + 1; 0: none */
    enum kind kind;
    bool is_open;
};

static struct {
    pthread_mutex_t lock;
    struct entry *entries;
    uint32_t count, free; /* free: the first free entry's number + 1 */
} handles = {PTHREAD_MUTEX_INITIALIZER, NULL, 0, 0};

/* The open entry of that handle and kind, NULL: there is none. The caller holds the lock. */
static struct entry *entry_of(enum kind kind, jlong handle) {
    uint64_t number = (uint64_t)handle & UINT32_MAX, generation = (uint64_t)handle >> 32;
    if (number == 0 || number > handles.count)
        return NULL;
    struct entry *entry = &handles.entries[number - 1];
    return entry->generation == generation && entry->kind == kind && entry->is_open ? entry : NULL;
}

jlong handle_make(enum kind kind, void *object, jlong context) {
    jlong handle = 0;
    pthread_mutex_lock(&handles.lock);
    if (handles.free == 0 && handles.count < UINT32_MAX / 2) {
        uint32_t count = handles.count ? 2 * handles.count : 16;
        struct entry *entries = realloc(handles.entries, count * sizeof *entries);
        if (entries != NULL) {
            memset(entries + handles.count, 0, (count - handles.count) * sizeof *entries);
            for (uint32_t i = handles.count; i < count; i++)
                entries[i].next = i + 1 < count ? i + 2 : 0;
            handles.entries = entries;
            handles.free = handles.count + 1;
            handles.count = count;
        }
    }
    if (handles.free != 0) {
        uint32_t number = handles.free;
        struct entry *entry = &handles.entries[number - 1];
        uint32_t generation = (entry->generation + 1) & INT32_MAX;
        handles.free = entry->next;
        *entry = (struct entry){object, context, generation, 1, 0, kind, true};
        handle = (jlong)((uint64_t)generation << 32 | number);
    }
    pthread_mutex_unlock(&handles.lock);
    return handle;
}

void *handle_use(enum kind kind, jlong handle) {
    void *object = NULL;
    pthread_mutex_lock(&handles.lock);
    struct entry *entry = entry_of(kind, handle);
    if (entry != NULL) {
        entry->users++;
        object = entry->object;
    }
    pthread_mutex_unlock(&handles.lock);
    return object;
}

void handle_release(jlong handle) {
    struct entry gone = {0};
    pthread_mutex_lock(&handles.lock);
    uint32_t number = (uint32_t)((uint64_t)handle & UINT32_MAX);
    struct entry *entry = &handles.entries[number - 1];
    if (--entry->users == 0) {
        gone = *entry;
        *entry = (struct entry){.generation = gone.generation, .next = handles.free};
        handles.free = number;
    }
    pthread_mutex_unlock(&handles.lock);
    if (gone.kind == CONTEXT)
        gecc_close(gone.object);
    if (gone.kind == KEYS) {
        gecc_keys_close(gone.object);
        handle_release(gone.context);
    }
}

void *handle_close(enum kind kind, jlong handle) {
    pthread_mutex_lock(&handles.lock);
    struct entry *entry = entry_of(kind, handle);
    void *object = entry != NULL ? entry->object : NULL;
    if (entry != NULL)
        entry->is_open = false;
    pthread_mutex_unlock(&handles.lock);
    if (object != NULL)
        handle_release(handle);
    return object;
}
