#define _GNU_SOURCE
#include "backend/cuda/cards/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/clock.h"
#include "backend/cuda/cards/keys.h"
#include "backend/cuda/cards/sharing.h"
#include "backend/cuda/device/routes.h"
#include "backend/job_rows.h"

/* What was left of the job, on the cards that are usable. Each turn rows get their results, or there is a card
 * fewer. */
static gecc_result run_rest(struct sharing *s, const struct job *job, gecc_result result) {
    size_t first = job_find_row(job, 0, true);
    while (first < job->count && job_can_go_on(result) && gecc_sharing_first_usable(s) != NULL) {
        const size_t end = job_find_row(job, first + 1, false);
        const struct job part = job_rows(job, first, end - first);
        gecc_result here = gecc_sharing_run(s, &part);
        if (here != GECC_OK)
            result = here;
        first = job_find_row(job, here == GECC_OK ? end : first, true);
    }
    return first == job->count ? GECC_OK : result;
}

/* Say which cards did what. */
static void describe(const struct sharing *s, gecc_report *report) {
    const struct share *one = NULL;
    size_t used = 0, length = 0;
    bool are_alike = true;
    for (size_t i = 0; i < s->cards->count; i++) {
        const struct share *share = &s->share[i];
        if (share->rows == 0)
            continue;
        used++;
        one = one == NULL ? share : one;
        are_alike &= strcmp(one->card->device->name, share->card->device->name) == 0;
        if (length < sizeof report->devices)
            length += (size_t)snprintf(report->devices + length, sizeof report->devices - length, "%s%d: %zu",
                                       length == 0 ? "" : ", ", share->card->number, share->rows);
    }
    if (one == NULL)
        return;
    if (used == 1)
        (void)snprintf(report->detail, sizeof report->detail, "%s", one->card->device->name);
    else if (are_alike)
        (void)snprintf(report->detail, sizeof report->detail, "%zu x %.40s", used, one->card->device->name);
    else
        (void)snprintf(report->detail, sizeof report->detail, "%zu GPUs", used);
}

/* The card whose memory a column of the job is in, NULL: none of these. Of two on the same device, the one that has
 * fewer jobs under way. */
static struct card *card_of_rows(struct cards *cards, const struct job *job) {
    const void *address = (job->on_device & JOB_STATUS_ON_DEVICE) != 0 ? job->status.data : NULL;
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        if ((job->on_device & (uint32_t)JOB_IN_ON_DEVICE << i) != 0)
            address = job->in[i].data;
    for (unsigned i = 0; i < JOB_OUTPUTS; i++)
        if ((job->on_device & (uint32_t)JOB_OUT_ON_DEVICE << i) != 0)
            address = job->out[i].data;
    struct card *found = NULL;
    int number = -1;
    if (address == NULL || !gecc_routes_device_of(cards->card[0].driver, address, &number))
        return NULL;
    for (size_t i = 0; i < cards->count; i++) {
        struct card *card = &cards->card[i];
        if (card->number == number && (found == NULL || atomic_load(&card->jobs) < atomic_load(&found->jobs)))
            found = card;
    }
    return found;
}

/* On one card, or say why not. */
static gecc_result run_alone(struct card *card, const struct job *job, const struct packer *packer,
                             gecc_report *report) {
    gecc_result result = gecc_card_run(card, job, packer, &report->kernel_seconds);
    if (card->device != NULL)
        (void)snprintf(report->detail, sizeof report->detail, "%s", card->device->name);
    if (result == GECC_OK && job->count != 0)
        (void)snprintf(report->devices, sizeof report->devices, "%d: %zu", card->number, job->count);
    gecc_card_failure(card, report->reason, sizeof report->reason);
    return result;
}

static gecc_result run_where_rows_are(struct cards *cards, const struct job *job, gecc_report *report) {
    struct card *card = card_of_rows(cards, job);
    struct job own = *job;
    if (card == NULL) {
        (void)snprintf(report->reason, sizeof report->reason, "rows are in the memory of a GPU that the context lacks");
        return GECC_ERROR_ARGUMENT;
    }
    (void)gecc_card_open(card);
    if (job->keys.rows != NULL) {
        own.keys = gecc_cards_keys_of(cards, &job->keys, (size_t)(card - cards->card));
        if (own.keys.rows == NULL) {
            (void)snprintf(report->reason, sizeof report->reason, "GPU %d has no tables of these keys", card->number);
            return GECC_ERROR_UNSUPPORTED;
        }
    }
    return run_alone(card, &own, NULL, report);
}

static gecc_result run_shared(struct cards *cards, const struct job *job, const struct packer *packer,
                              gecc_report *report) {
    struct sharing *s = gecc_sharing_new(cards, job, packer);
    if (s == NULL)
        return GECC_ERROR_MEMORY;
    const double lost = gecc_cards_lost_part(cards, gecc_sharing_worth(s, job));
    gecc_cards_open_for(cards, s->kind, job->count, lost);
    gecc_sharing_find_usable(s, job);
    const double start = seconds_now();
    gecc_result result = gecc_sharing_run(s, job);
    gecc_cards_open_after(cards, lost * (seconds_now() - start));
    if (job_can_go_on(result))
        result = run_rest(s, job, result);
    report->kernel_seconds = s->kernel_seconds;
    describe(s, report);
    if (s->failed != NULL && result == GECC_OK)
        (void)snprintf(report->reason, sizeof report->reason, "GPU %d: %s; others did the rest",
                       s->failed->card->number, s->failure);
    else if (result != GECC_OK)
        gecc_card_failure(s->failed != NULL ? s->failed->card : &cards->card[cards->home], report->reason,
                          sizeof report->reason);
    free(s);
    return result;
}

gecc_result gecc_cards_run(struct cards *cards, const struct job *job, const struct packer *packer,
                           gecc_report *report) {
    struct card *home = &cards->card[cards->home];
    if (cards->count == 1)
        return run_alone(home, job, packer, report);
    (void)snprintf(report->detail, sizeof report->detail, "%s", home->device->name);
    if (gecc_device_forked(home->device) || job->count == 0)
        return run_alone(home, job, packer, report);
    if (job->on_device != 0)
        return run_where_rows_are(cards, job, report);
    return run_shared(cards, job, packer, report);
}

size_t gecc_cards_resident(struct cards *cards, const struct job *job) {
    size_t rows = 0;
    for (size_t i = 0; i < cards->count && rows == 0; i++)
        if (gecc_card_works(&cards->card[i]))
            (void)gecc_card_resident(&cards->card[i], job, &rows);
    return rows;
}

/* On all cards, if the job's rows can fill more than one. GECC_OK: on one of them at least. */
static gecc_result prepare_shared(struct cards *cards, struct sharing *s, const struct job *job) {
    const char *reason;
    size_t worth = gecc_sharing_worth(s, job);
    if (worth == 1)
        return gecc_card_prepare(gecc_sharing_first_usable(s)->card, job);
    (void)gecc_cards_open_all(cards, &reason);
    return gecc_sharing_prepare(s, job);
}

gecc_result gecc_cards_prepare(struct cards *cards, const struct job *job) {
    if (cards->count == 1)
        return gecc_card_prepare(&cards->card[0], job);
    struct sharing *s = gecc_cards_work(cards) ? gecc_sharing_new(cards, job, NULL) : NULL;
    if (s == NULL)
        return gecc_cards_work(cards) ? GECC_ERROR_MEMORY : GECC_ERROR_DEVICE;
    gecc_result result = gecc_sharing_first_usable(s) == NULL ? GECC_ERROR_DEVICE : prepare_shared(cards, s, job);
    free(s);
    return result;
}
