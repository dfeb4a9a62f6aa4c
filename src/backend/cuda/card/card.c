#define _GNU_SOURCE
#include "backend/cuda/card/card.h"

#include <stdio.h>

#include "backend/cuda/card/keys.h"
#include "backend/cuda/card/run.h"
#include "backend/cuda/device/open.h"
#include "backend/cuda/device/program.h"
#include "backend/processors.h"

enum {
    COPYING_THREADS_MOST = 16, /* a host of 16 cores copies ever faster up to so many: docs/performance.md */
    STAGING_BYTES = 1 << 30    /* gecc_config.staging_bytes, unless the caller says another number */
};

/* As many as there are processors, or as the caller allows. */
static unsigned copying_threads(const gecc_config *config) {
    const unsigned threads = config->threads != 0 ? config->threads : processors_allowed();
    return threads < COPYING_THREADS_MOST ? threads : COPYING_THREADS_MOST;
}

void gecc_card_init(struct card *card, const struct driver *driver, const struct image *images, int number,
                    bool has_others, const gecc_config *config) {
    card->driver = driver;
    card->images = images;
    card->number = number;
    card->has_others = has_others;
    card->table_bytes = config->device_table_bytes;
    card->staging_bytes = config->staging_bytes != 0 ? config->staging_bytes : STAGING_BYTES;
    card->threads = copying_threads(config);
    atomic_init(&card->state, CARD_CLOSED);
    atomic_init(&card->opener_is_started, false);
    atomic_init(&card->jobs, 0);
    pthread_mutex_init(&card->opening, NULL);
    background_open(&card->background);
}

static bool card_is(const struct card *card, enum card_state state) { return atomic_load(&card->state) == (int)state; }

gecc_result gecc_card_open(struct card *card) {
    gecc_result result = GECC_OK;
    if (card_is(card, CARD_OPEN))
        return GECC_OK;
    pthread_mutex_lock(&card->opening);
    if (card_is(card, CARD_CLOSED)) {
        result = gecc_device_open(&card->device, card->driver, card->images, card->number, card->table_bytes,
                                  card->failure, sizeof card->failure);
        if (result == GECC_OK) {
            if (card->has_others)
                gecc_near_find(&card->near, card->driver, card->device->ordinal);
            gecc_slots_open(&card->slots, card->staging_bytes, card->threads);
        }
        atomic_store(&card->state, result == GECC_OK ? CARD_OPEN : CARD_MISSING);
    } else if (card_is(card, CARD_MISSING)) {
        result = GECC_ERROR_NO_BACKEND;
    }
    pthread_mutex_unlock(&card->opening);
    return result;
}

static void opener_run(struct background_job *job) {
    (void)gecc_card_open((struct card *)((char *)job - offsetof(struct card, opener)));
}

void gecc_card_open_meanwhile(struct card *card) {
    if (!card_is(card, CARD_CLOSED) || atomic_exchange(&card->opener_is_started, true))
        return;
    card->opener.run = opener_run;
    if (background_start(&card->background, &card->opener) != GECC_OK)
        atomic_store(&card->opener_is_started, false);
}

void gecc_card_close(struct card *card) {
    bool forked = background_forked(&card->background);
    background_close(&card->background);
    if (card_is(card, CARD_OPEN)) {
        if (!forked)
            gecc_slots_close(&card->slots, card->device);
        gecc_device_close(card->device);
    }
    if (!forked)
        pthread_mutex_destroy(&card->opening);
}

bool gecc_card_works(const struct card *card) {
    return card_is(card, CARD_OPEN) && !gecc_device_forked(card->device) && !atomic_load(&card->device->dead);
}

void gecc_card_failure(const struct card *card, char *text, size_t size) {
    text[0] = 0;
    if (card_is(card, CARD_MISSING))
        (void)snprintf(text, size, "%s", card->failure);
    else if (card_is(card, CARD_OPEN) && !gecc_card_works(card))
        gecc_device_failure(card->device, text, size);
}

/* Enter the device's context, which `leave` leaves. */
static gecc_result enter(struct card *card) {
    return gecc_card_works(card) ? gecc_device_enter(card->device) : GECC_ERROR_DEVICE;
}

static gecc_result leave(struct card *card, gecc_result result) {
    gecc_result left = gecc_device_leave(card->device);
    return result == GECC_OK ? left : result;
}

gecc_result gecc_card_run(struct card *card, const struct job *job, const struct packer *packer,
                          double *kernel_seconds) {
    if (!gecc_card_works(card))
        return GECC_ERROR_DEVICE;
    if (job->count == 0)
        return GECC_OK;
    gecc_result result = enter(card);
    if (result != GECC_OK)
        return result;
    atomic_fetch_add(&card->jobs, 1);
    result = gecc_cuda_run_job(card->device, &card->slots, job, packer, kernel_seconds);
    atomic_fetch_sub(&card->jobs, 1);
    return leave(card, result);
}

gecc_result gecc_card_prepare(struct card *card, const struct job *job) {
    gecc_result result = enter(card);
    return result == GECC_OK ? leave(card, gecc_cuda_prepare_job(card->device, &card->slots, job)) : result;
}

gecc_result gecc_card_keys_make(struct card *card, const struct job *job, const struct key_plan *plan,
                                struct key_set *set, size_t *bytes) {
    gecc_result result = enter(card);
    if (result != GECC_OK)
        return result;
    const gecc_result made = gecc_cuda_make_keys(card->device, &card->slots, job, plan, set, bytes);
    result = leave(card, made);
    if (made == GECC_OK && result != GECC_OK)
        gecc_card_keys_free(card, set);
    return result;
}

gecc_result gecc_card_keys_add(struct card *card, const struct job *job, const struct key_set *set, size_t first) {
    gecc_result result = enter(card);
    return result == GECC_OK ? leave(card, gecc_cuda_add_keys(card->device, &card->slots, job, set, first)) : result;
}

void gecc_card_keys_free(struct card *card, const struct key_set *set) {
    struct device *device = card->device;
    if (gecc_device_forked(device) || !gecc_device_enter_to_close(device))
        return;
    gecc_cuda_free_keys(device, set);
    (void)gecc_device_leave(device);
}

gecc_result gecc_card_pin(struct card *card, void **memory, size_t bytes) {
    struct device *device = card->device;
    gecc_result result = enter(card);
    if (result != GECC_OK)
        return result;
    return leave(card, gecc_device_check(device, device->driver->cuMemHostAlloc(memory, bytes, 0), "cuMemHostAlloc"));
}

void gecc_card_unpin(struct card *card, void *memory) {
    struct device *device = card->device;
    if (gecc_device_forked(device) || !gecc_device_enter_to_close(device))
        return;
    (void)device->driver->cuMemFreeHost(memory);
    (void)gecc_device_leave(device);
}

gecc_result gecc_card_resident(struct card *card, const struct job *job, size_t *rows) {
    struct program *program;
    const struct kernel *kernel;
    gecc_result result = enter(card);
    if (result != GECC_OK)
        return result;
    result = leave(card, gecc_program_find(card->device, job, &program, &kernel));
    *rows = result == GECC_OK ? kernel->resident : 0;
    return result;
}
