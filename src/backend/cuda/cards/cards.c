#define _GNU_SOURCE
#include "backend/cuda/cards/cards.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/auto.h"
#include "backend/job_rows.h"

static double seconds_now(void) {
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static struct cards *cards_new(const struct driver *driver, const struct image *images, const struct device_list *list,
                               const gecc_config *config) {
    struct cards *cards = calloc(1, sizeof *cards + list->count * sizeof cards->card[0]);
    if (cards == NULL)
        return NULL;
    cards->cost = gecc_cost_of("", 1);
    cards->count = list->count;
    pthread_mutex_init(&cards->mutex, NULL);
    for (size_t i = 0; i < list->count; i++)
        gecc_card_init(&cards->card[i], driver, images, list->number[i], list->count > 1, config);
    return cards;
}

/* Open the first one that opens. */
static gecc_result open_home(struct cards *cards, const char **reason) {
    gecc_result first = GECC_ERROR_NO_BACKEND;
    *reason = cards->card[0].failure;
    for (cards->home = 0; cards->home < cards->count; cards->home++) {
        gecc_result result = gecc_card_open(&cards->card[cards->home]);
        if (result == GECC_OK)
            return GECC_OK;
        if (cards->home == 0)
            first = result;
    }
    return first;
}

/* Open all of them, each by a thread of its own. */
static gecc_result open_all(struct cards *cards, const char **reason) {
    gecc_result result = GECC_OK;
    for (size_t i = 0; i < cards->count; i++)
        gecc_card_open_meanwhile(&cards->card[i]);
    for (size_t i = 0; i < cards->count; i++) {
        gecc_result here = gecc_card_open(&cards->card[i]);
        if (here != GECC_OK && result == GECC_OK) {
            result = here;
            *reason = cards->card[i].failure;
        }
    }
    return result;
}

gecc_result gecc_cards_open(struct cards **opened, const struct driver *driver, const struct image *images,
                            const gecc_config *config, char *reason, size_t size) {
    struct device_list list;
    const char *failure = "";
    gecc_result result = gecc_device_list(&list, driver, config->device, reason, size);
    if (result != GECC_OK)
        return result;
    struct cards *cards = cards_new(driver, images, &list, config);
    if (cards == NULL)
        return GECC_ERROR_MEMORY;
    result = open_home(cards, &failure);
    if (result == GECC_OK && list.named && list.count > 1)
        result = open_all(cards, &failure);
    if (result != GECC_OK) {
        (void)snprintf(reason, size, "%s", failure);
        gecc_cards_close(cards);
        return result;
    }
    *opened = cards;
    return GECC_OK;
}

void gecc_cards_close(struct cards *cards) {
    bool forked = background_forked(&cards->card[0].background);
    for (size_t i = 0; i < cards->count; i++)
        gecc_card_close(&cards->card[i]);
    if (!forked)
        pthread_mutex_destroy(&cards->mutex);
    free(cards);
}

bool gecc_cards_work(const struct cards *cards) {
    for (size_t i = 0; i < cards->count; i++)
        if (gecc_card_works(&cards->card[i]))
            return true;
    return false;
}

/* A part of a job, and the card that computes it. Or, where the card prepares for the job, all of it. */
struct share {
    struct background_job background;
    struct card *card;
    bool is_usable, prepares, is_taken; /* is_taken: it has rows, or is to prepare */
    struct job job;
    gecc_result result;
    double seconds, kernel_seconds;
    size_t rows; /* that the card has done of the whole job */
};

/* A job that cards share. */
struct sharing {
    struct cards *cards;
    double kernel_seconds;
    struct share *failed; /* the first card that left rows, and */
    char failure[64];     /* why */
    struct share share[];
};

static bool is_closed(const struct card *card) { return atomic_load(&card->state) == CARD_CLOSED; }

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Open the cards that are closed, or have them opened, if this job, which `worth` cards could share, and those before it are worth
 * that. What one card alone computes loses time where others are under way on all that are open. */
static void consider_opening(struct cards *cards, const struct job *job, size_t worth) {
    size_t closed = 0, working = 0, idle = 0;
    const char *reason;
    for (size_t i = 0; i < cards->count; i++) {
        const struct card *card = &cards->card[i];
        closed += is_closed(card);
        working += gecc_card_works(card);
        idle += gecc_card_works(card) && atomic_load(&card->jobs) == 0;
    }
    if (closed == 0)
        return;
    worth += worth == 1 && idle == 0;
    double loss =
        gecc_cost_gpu(&cards->cost, job) * (1 - (double)least(worth, working) / (double)least(worth, working + closed));
    pthread_mutex_lock(&cards->mutex);
    double lost = cards->lost += loss;
    pthread_mutex_unlock(&cards->mutex);
    if (working == 0 || loss > AUTO_OPENING_SECONDS)
        (void)open_all(cards, &reason);
    else if (lost > AUTO_OPENING_SECONDS)
        for (size_t i = 0; i < cards->count; i++)
            gecc_card_open_meanwhile(&cards->card[i]);
}

/* The cards that work, and have tables of the job's keys. */
static void find_usable(struct sharing *s, const struct job *job) {
    for (size_t i = 0; i < s->cards->count; i++)
        s->share[i].is_usable = gecc_card_works(s->share[i].card) &&
                                (job->keys.rows == NULL || gecc_cards_keys_of(s->cards, &job->keys, i).rows != NULL);
}

static struct sharing *sharing_new(struct cards *cards, const struct job *job) {
    struct sharing *s = calloc(1, sizeof *s + cards->count * sizeof s->share[0]);
    if (s == NULL)
        return NULL;
    s->cards = cards;
    for (size_t i = 0; i < cards->count; i++)
        s->share[i].card = &cards->card[i];
    find_usable(s, job);
    return s;
}

static struct share *first_usable(const struct sharing *s) {
    for (size_t i = 0; i < s->cards->count; i++)
        if (s->share[i].is_usable)
            return (struct share *)&s->share[i];
    return NULL;
}

/* How many cards the rows can fill, at least one. */
static size_t cards_worth(const struct sharing *s, const struct job *job) {
    const struct share *first = first_usable(s);
    size_t resident = 0;
    if (first == NULL || gecc_card_resident(first->card, job, &resident) != GECC_OK || resident == 0)
        return 1;
    return job->count / resident > 1 ? job->count / resident : 1;
}

/* Take up to `wanted` usable cards, those with the fewest jobs first; how many. */
static size_t take_cards(struct sharing *s, size_t wanted) {
    size_t taken = 0;
    for (size_t i = 0; i < s->cards->count; i++)
        s->share[i].is_taken = false;
    while (taken < wanted) {
        struct share *best = NULL;
        for (size_t i = 0; i < s->cards->count; i++) {
            struct share *share = &s->share[i];
            if (share->is_usable && !share->is_taken &&
                (best == NULL || atomic_load(&share->card->jobs) < atomic_load(&best->card->jobs)))
                best = share;
        }
        if (best == NULL)
            break;
        best->is_taken = true;
        taken++;
    }
    return taken;
}

/* The rate of a card that was taken, or what it is before it was measured; the caller holds the cards' mutex. */
static double rate_of(const struct share *share, const struct job *job) {
    const double rate = share->card->rate[job->operation];
    return rate != 0 ? rate : share->card->device->strength;
}

/* Give each card that was taken its rows: those from the sum of the rates before it on. */
static void partition(struct sharing *s, const struct job *job) {
    double sum = 0, before = 0;
    size_t first = 0;
    pthread_mutex_lock(&s->cards->mutex);
    for (size_t i = 0; i < s->cards->count; i++)
        sum += s->share[i].is_taken ? rate_of(&s->share[i], job) : 0;
    for (size_t i = 0; i < s->cards->count; i++) {
        struct share *share = &s->share[i];
        if (!share->is_taken)
            continue;
        before += rate_of(share, job);
        size_t end = before < sum ? (size_t)((double)job->count * (before / sum)) : job->count;
        share->job = job_rows(job, first, end - first);
        first = end;
    }
    pthread_mutex_unlock(&s->cards->mutex);
}

/* Sums over the cards that were taken. */
struct rates {
    double known, measured;
    bool are_new; /* one of the cards has run no job of this operation yet, and had to take memory */
};

/* By how much a rate is off, for its part of the sum. */
static double deviation(const struct share *share, const struct job *job, const struct rates *sum) {
    double known = rate_of(share, job) / sum->known;
    double measured = (double)share->job.count / share->seconds / sum->measured;
    return measured > known ? measured / known - 1 : known / measured - 1;
}

/* Correct the rates by what this job's shares took: halfway where one is far off, else less, so that noise does not move them.
 * Their sum stays what it is. The caller holds the cards' mutex. */
static void correct(struct sharing *s, const struct job *job, const struct rates *sum) {
    double step = 1.0 / 8;
    for (size_t i = 0; i < s->cards->count && !sum->are_new; i++)
        if (s->share[i].is_taken && deviation(&s->share[i], job, sum) > 0.05)
            step = 1.0 / 2;
    for (size_t i = 0; i < s->cards->count; i++) {
        const struct share *share = &s->share[i];
        if (!share->is_taken)
            continue;
        const double rate = rate_of(share, job);
        const double measured = sum->known * ((double)share->job.count / share->seconds) / sum->measured;
        share->card->rate[job->operation] = sum->are_new ? rate : rate + step * (measured - rate);
    }
}

/* Learn from the shares of a job. */
static void learn(struct sharing *s, const struct job *job) {
    struct rates sum = {0};
    for (size_t i = 0; i < s->cards->count; i++) {
        const struct share *share = &s->share[i];
        if (share->is_taken && (share->job.count == 0 || share->seconds <= 0))
            return;
        sum.measured += share->is_taken ? (double)share->job.count / share->seconds : 0;
    }
    pthread_mutex_lock(&s->cards->mutex);
    for (size_t i = 0; i < s->cards->count; i++) {
        const struct share *share = &s->share[i];
        sum.known += share->is_taken ? rate_of(share, job) : 0;
        sum.are_new |= share->is_taken && share->card->rate[job->operation] == 0;
    }
    correct(s, job, &sum);
    pthread_mutex_unlock(&s->cards->mutex);
}

/* Run the share by this thread. What the card needs before its first row does not count as its speed. */
static void share_run(struct share *share) {
    share->seconds = share->kernel_seconds = 0;
    share->result = gecc_card_prepare(share->card, &share->job);
    if (share->result != GECC_OK || share->prepares)
        return;
    double start = seconds_now();
    share->result = gecc_card_run(share->card, &share->job, &share->kernel_seconds);
    share->seconds = seconds_now() - start;
}

static void share_run_near(struct background_job *job) {
    struct share *share = (struct share *)job;
    gecc_near_move(&share->card->near);
    share_run(share);
}

/* Run what was taken, each share by a thread of its card; by this one where none can be had. */
static void run_shares(struct sharing *s) {
    for (size_t i = 0; i < s->cards->count; i++) {
        struct share *share = &s->share[i];
        share->background.run = NULL;
        if (!share->is_taken)
            continue;
        share->background.run = share_run_near;
        if (background_start(&share->card->background, &share->background) != GECC_OK)
            share->background.run = NULL;
    }
    for (size_t i = 0; i < s->cards->count; i++) {
        struct share *share = &s->share[i];
        if (share->is_taken && share->background.run == NULL)
            share_run(share);
    }
    for (size_t i = 0; i < s->cards->count; i++) {
        struct share *share = &s->share[i];
        if (share->background.run != NULL && background_wait(&share->background) != GECC_OK)
            share->result = GECC_ERROR_DEVICE;
    }
}

/* Why the card left rows, if it is the first one that did. */
static void note_failure(struct sharing *s, struct share *share) {
    char failure[64];
    if (s->failed != NULL)
        return;
    s->failed = share;
    gecc_card_failure(share->card, failure, sizeof failure);
    (void)snprintf(s->failure, sizeof s->failure, "%s",
                   share->result == GECC_ERROR_MEMORY        ? "not enough device memory"
                   : share->result == GECC_ERROR_UNSUPPORTED ? "no kernel for this"
                   : share->result == GECC_ERROR_FAULT       ? "a result failed its check"
                   : failure[0] != 0                         ? failure
                                                             : "the device failed");
}

/* What came of the shares: the first error. Cards that left rows which others can compute take no more part in the job. */
static gecc_result collect(struct sharing *s) {
    gecc_result result = GECC_OK;
    double kernel_seconds = 0;
    for (size_t i = 0; i < s->cards->count; i++) {
        struct share *share = &s->share[i];
        if (!share->is_taken)
            continue;
        if (share->kernel_seconds > kernel_seconds)
            kernel_seconds = share->kernel_seconds;
        if (share->result == GECC_OK) {
            share->rows += share->job.count;
        } else {
            result = result == GECC_OK ? share->result : result;
            share->is_usable = false;
            note_failure(s, share);
        }
    }
    s->kernel_seconds += kernel_seconds;
    return result;
}

/* Run these rows on the cards that are usable, as many as they can fill. Rows without a result are of cards that are usable
 * no more. */
static gecc_result run_rows(struct sharing *s, const struct job *job) {
    size_t taken = take_cards(s, cards_worth(s, job));
    if (taken == 0)
        return GECC_ERROR_DEVICE;
    partition(s, job);
    for (size_t i = 0; job->keys.rows != NULL && i < s->cards->count; i++)
        if (s->share[i].is_taken)
            s->share[i].job.keys = gecc_cards_keys_of(s->cards, &job->keys, i);
    if (taken > 1) {
        run_shares(s);
    } else {
        for (size_t i = 0; i < s->cards->count; i++)
            if (s->share[i].is_taken) {
                s->share[i].seconds = s->share[i].kernel_seconds = 0;
                s->share[i].result = gecc_card_run(s->share[i].card, &s->share[i].job, &s->share[i].kernel_seconds);
            }
    }
    gecc_result result = collect(s);
    if (result == GECC_OK && taken > 1)
        learn(s, job);
    return result;
}

/* What was left of the job, on the cards that are usable. Each turn rows get their results, or there is a card fewer. */
static gecc_result run_rest(struct sharing *s, const struct job *job, gecc_result result) {
    size_t first = job_find_row(job, 0, true);
    while (first < job->count && job_can_go_on(result) && first_usable(s) != NULL) {
        const size_t end = job_find_row(job, first + 1, false);
        const struct job part = job_rows(job, first, end - first);
        gecc_result here = run_rows(s, &part);
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

/* The card whose memory a column of the job is in, NULL: none of these. Of two on the same device, the one that has fewer jobs
 * under way. */
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
    if (address == NULL ||
        cards->card[0].driver->cuPointerGetAttribute(&number, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
                                                     (CUdeviceptr)(uintptr_t)address) != CUDA_SUCCESS)
        return NULL;
    for (size_t i = 0; i < cards->count; i++) {
        struct card *card = &cards->card[i];
        if (card->number == number && (found == NULL || atomic_load(&card->jobs) < atomic_load(&found->jobs)))
            found = card;
    }
    return found;
}

/* On one card, or say why not. */
static gecc_result run_alone(struct card *card, const struct job *job, gecc_report *report) {
    gecc_result result = gecc_card_run(card, job, &report->kernel_seconds);
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
    return run_alone(card, &own, report);
}

static gecc_result run_shared(struct cards *cards, const struct job *job, gecc_report *report) {
    struct sharing *s = sharing_new(cards, job);
    if (s == NULL)
        return GECC_ERROR_MEMORY;
    consider_opening(cards, job, cards_worth(s, job));
    find_usable(s, job);
    gecc_result result = run_rows(s, job);
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

gecc_result gecc_cards_run(struct cards *cards, const struct job *job, gecc_report *report) {
    struct card *home = &cards->card[cards->home];
    if (cards->count == 1)
        return run_alone(home, job, report);
    (void)snprintf(report->detail, sizeof report->detail, "%s", home->device->name);
    if (gecc_device_forked(home->device) || job->count == 0)
        return run_alone(home, job, report);
    if (job->on_device != 0)
        return run_where_rows_are(cards, job, report);
    return run_shared(cards, job, report);
}

/* On all cards, if the job's rows can fill more than one. GECC_OK: on one of them at least. */
static gecc_result prepare_shared(struct cards *cards, struct sharing *s, const struct job *job) {
    const char *reason;
    size_t worth = cards_worth(s, job);
    if (worth == 1)
        return gecc_card_prepare(first_usable(s)->card, job);
    (void)open_all(cards, &reason);
    for (size_t i = 0; i < cards->count; i++) {
        s->share[i].is_usable = gecc_card_works(&cards->card[i]);
        s->share[i].prepares = true;
        s->share[i].job = *job;
    }
    (void)take_cards(s, cards->count);
    run_shares(s);
    gecc_result result = collect(s);
    return first_usable(s) != NULL ? GECC_OK : result;
}

gecc_result gecc_cards_prepare(struct cards *cards, const struct job *job) {
    if (cards->count == 1)
        return gecc_card_prepare(&cards->card[0], job);
    struct sharing *s = gecc_cards_work(cards) ? sharing_new(cards, job) : NULL;
    if (s == NULL)
        return gecc_cards_work(cards) ? GECC_ERROR_MEMORY : GECC_ERROR_DEVICE;
    gecc_result result = first_usable(s) == NULL ? GECC_ERROR_DEVICE : prepare_shared(cards, s, job);
    free(s);
    return result;
}
