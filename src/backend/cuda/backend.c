#define _GNU_SOURCE
#include "backend/cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/background.h"
#include "backend/clock.h"
#include "backend/cuda/cards/keys.h"
#include "backend/cuda/cards/repeats.h"
#include "backend/cuda/cards/run.h"
#include "backend/cuda/device/open.h"
#include "backend/cuda/device/routes.h"
#include "backend/rates.h"

struct cuda {
    struct cards *cards;
    struct background background; /* that runs submitted jobs */
    struct rates *rates;          /* of jobs as wholes */
    size_t key_table_bytes;       /* gecc_config's */
};

struct ticket {
    struct background_job background;
    struct cuda *cuda;
    struct job job;
    gecc_result result;
    gecc_report report;
};

/* Opens one of the devices, which says nearly everything; the others are asked whether kernels can be built
 * for them. */
void gecc_cuda_probe(const struct driver *driver, const struct image *images, const gecc_config *config,
                     gecc_backend_info *info) {
    struct device_list list;
    struct device *device = NULL;
    char other[sizeof info->reason];
    *info = (gecc_backend_info)GECC_BACKEND_INFO_INIT;
    (void)snprintf(info->name, sizeof info->name, "cuda");
    if (gecc_device_list(&list, driver, config->device, info->reason, sizeof info->reason) != GECC_OK)
        return;
    gecc_result result = GECC_ERROR_NO_BACKEND;
    for (size_t i = 0; i < list.count && result != GECC_OK; i++)
        result = gecc_device_open(&device, driver, images, list.number[i], config->device_table_bytes,
                                  i == 0 ? info->reason : other, sizeof info->reason);
    if (result != GECC_OK)
        return;
    info->available = 1;
    info->reason[0] = 0;
    if (list.count == 1)
        (void)snprintf(info->device, sizeof info->device, "%s", device->name);
    else
        (void)snprintf(info->device, sizeof info->device, "%.40s and %u more", device->name, (unsigned)list.count - 1);
    gecc_device_close(device);
}

gecc_result gecc_cuda_open(void **state, const struct driver *driver, const struct image *images,
                           const gecc_config *config) {
    char reason[sizeof((gecc_backend_info *)NULL)->reason];
    const struct rates_guess guess = gecc_rates_guess_gpu();
    struct cuda *cuda = calloc(1, sizeof *cuda);
    if (cuda == NULL)
        return GECC_ERROR_MEMORY;
    cuda->rates = gecc_rates_new(&guess);
    gecc_result result = cuda->rates == NULL
                             ? GECC_ERROR_MEMORY
                             : gecc_cards_open(&cuda->cards, driver, images, config, reason, sizeof reason);
    if (result != GECC_OK) {
        gecc_rates_free(cuda->rates);
        free(cuda);
        return result;
    }
    cuda->key_table_bytes = config->key_table_bytes;
    background_open(&cuda->background);
    *state = cuda;
    return GECC_OK;
}

gecc_result gecc_cuda_prepare(void *state, const struct job *job) {
    return gecc_cards_prepare(((struct cuda *)state)->cards, job);
}

gecc_result gecc_cuda_run(void *state, const struct job *job, gecc_report *report) {
    struct cuda *cuda = state;
    const double start = seconds_now();
    const uint64_t kind = gecc_rates_kind(job);
    gecc_result result;
    report->kernel_seconds = 0;
    report->reason[0] = report->devices[0] = 0;
    if (!gecc_cards_run_repeats(cuda->cards, job, cuda->key_table_bytes, report, &result))
        result = gecc_cards_run(cuda->cards, job, NULL, report);
    (void)snprintf(report->backend, sizeof report->backend, "cuda");
    report->seconds = seconds_now() - start;
    if (result == GECC_OK)
        gecc_rates_learn(cuda->rates, kind, job->count, report->seconds);
    return result;
}

/* No more than fill a card. Once a job has run its kernel is loaded, so that nothing waits for it here. */
size_t gecc_cuda_enough(void *state, const struct job *job) {
    enum { ROWS = 2 }; /* of a kind that has more than one */
    const struct cuda *cuda = state;
    const uint64_t kind = gecc_rates_kind(job);
    const size_t most = gecc_rates_known(cuda->rates, kind, ROWS) ? gecc_cards_resident(cuda->cards, job) : 0;
    return most == 0 ? 0 : gecc_rates_enough(cuda->rates, kind, most);
}

static void ticket_run(struct background_job *job) {
    struct ticket *ticket = (struct ticket *)job;
    ticket->result = gecc_cuda_run(ticket->cuda, &ticket->job, &ticket->report);
}

gecc_result gecc_cuda_submit(void *state, const struct job *job, struct ticket **submitted) {
    struct cuda *cuda = state;
    struct ticket *ticket = calloc(1, sizeof *ticket);
    if (ticket == NULL)
        return GECC_ERROR_MEMORY;
    ticket->background.run = ticket_run;
    ticket->cuda = cuda;
    ticket->job = *job;
    gecc_result result = background_start(&cuda->background, &ticket->background);
    if (result == GECC_OK)
        *submitted = ticket;
    else
        free(ticket);
    return result;
}

gecc_result gecc_cuda_poll(void *state, struct ticket *ticket) {
    (void)state;
    gecc_result result = background_poll(&ticket->background);
    return result == GECC_OK ? ticket->result : result;
}

gecc_result gecc_cuda_await(void *state, struct ticket *ticket, const struct timespec *until) {
    (void)state;
    gecc_result result = background_await(&ticket->background, until);
    return result == GECC_OK ? ticket->result : result;
}

void gecc_cuda_cancel(void *state, struct ticket *ticket) {
    (void)state;
    background_cancel(&ticket->background);
}

gecc_result gecc_cuda_wait(void *state, struct ticket *ticket, gecc_report *report) {
    (void)state;
    gecc_result result = background_wait(&ticket->background);
    if (result == GECC_OK)
        result = ticket->result;
    *report = ticket->report;
    free(ticket);
    return result;
}

gecc_result gecc_cuda_keys_make(void *state, const struct job *job, const struct key_plan *plan, struct key_set *set,
                                size_t *bytes) {
    return gecc_cards_keys_make(((struct cuda *)state)->cards, job, plan, set, bytes);
}

gecc_result gecc_cuda_keys_add(void *state, const struct job *job, const struct key_set *set, size_t first) {
    return gecc_cards_keys_add(((struct cuda *)state)->cards, job, set, first);
}

void gecc_cuda_keys_free(void *state, const struct key_set *set) {
    gecc_cards_keys_free(((struct cuda *)state)->cards, set);
}

void gecc_cuda_close(void *state) {
    struct cuda *cuda = state;
    background_close(&cuda->background);
    gecc_cards_close(cuda->cards);
    gecc_rates_free(cuda->rates);
    free(cuda);
}

gecc_result gecc_cuda_pin(void *state, void **memory, size_t bytes) {
    struct cards *cards = ((struct cuda *)state)->cards;
    return gecc_card_pin(&cards->card[cards->home], memory, bytes);
}

void gecc_cuda_unpin(void *state, void *memory) {
    struct cards *cards = ((struct cuda *)state)->cards;
    gecc_card_unpin(&cards->card[cards->home], memory);
}

int gecc_cuda_on_device(void *state, const void *address) {
    const struct cards *cards = ((struct cuda *)state)->cards;
    const struct device *device = cards->card[cards->home].device;
    return !gecc_device_forked(device) && gecc_routes_on_device(device, address);
}

size_t gecc_cuda_devices(const struct driver *driver, const void *state, size_t index, gecc_device_info *info) {
    const struct cuda *cuda = state;
    return gecc_cards_describe(cuda == NULL ? NULL : cuda->cards, driver, index, info);
}
