#define _GNU_SOURCE
#include "backend/cuda/cards/sharing.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/clock.h"
#include "backend/cuda/cards/keys.h"
#include "backend/job_rows.h"

void gecc_sharing_find_usable(struct sharing *s, const struct job *job) {
    for (size_t i = 0; i < s->cards->count; i++)
        s->share[i].is_usable = gecc_card_works(s->share[i].card) &&
                                (job->keys.rows == NULL || gecc_cards_keys_of(s->cards, &job->keys, i).rows != NULL);
}

struct sharing *gecc_sharing_new(struct cards *cards, const struct job *job, const struct packer *packer) {
    struct sharing *s = calloc(1, sizeof *s + cards->count * sizeof s->share[0]);
    if (s == NULL)
        return NULL;
    s->cards = cards;
    s->kind = gecc_rates_kind(job);
    for (size_t i = 0; i < cards->count; i++) {
        s->share[i].card = &cards->card[i];
        s->share[i].packer = packer;
    }
    gecc_sharing_find_usable(s, job);
    return s;
}

struct share *gecc_sharing_first_usable(const struct sharing *s) {
    for (size_t i = 0; i < s->cards->count; i++)
        if (s->share[i].is_usable)
            return (struct share *)&s->share[i];
    return NULL;
}

size_t gecc_sharing_worth(const struct sharing *s, const struct job *job) {
    const struct share *first = gecc_sharing_first_usable(s);
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

/* Rows a second of a card with so many of them; as strong as the device is, in any unit, where not all cards are
 * known. */
static double rate_of(const struct sharing *s, const struct share *share, size_t rows, bool all_known) {
    if (!all_known)
        return share->card->device->strength;
    const double seconds = gecc_rates_seconds(share->card->rates, s->kind, rows);
    return seconds > 0 ? (double)rows / seconds : 1;
}

/* Give each of the `taken` cards its rows: those from the sum of the rates before it on. */
static void partition(struct sharing *s, const struct job *job, size_t taken) {
    const size_t rows = job->count / taken;
    double sum = 0, before = 0;
    size_t first = 0;
    bool all_known = rows != 0;
    for (size_t i = 0; i < s->cards->count; i++)
        all_known &= !s->share[i].is_taken || gecc_rates_known(s->share[i].card->rates, s->kind, rows);
    for (size_t i = 0; i < s->cards->count; i++)
        sum += s->share[i].is_taken ? rate_of(s, &s->share[i], rows, all_known) : 0;
    for (size_t i = 0; i < s->cards->count; i++) {
        struct share *share = &s->share[i];
        if (!share->is_taken)
            continue;
        before += rate_of(s, share, rows, all_known);
        size_t end = before < sum ? (size_t)((double)job->count * (before / sum)) : job->count;
        share->job = job_rows(job, first, end - first);
        first = end;
    }
}

/* Run the share by this thread. What the card needs before its first row does not count as its speed. */
static void share_run(struct share *share) {
    share->seconds = share->kernel_seconds = 0;
    share->result = gecc_card_prepare(share->card, &share->job);
    if (share->result != GECC_OK || share->prepares)
        return;
    double start = seconds_now();
    share->result = gecc_card_run(share->card, &share->job, share->packer, &share->kernel_seconds);
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

/* What came of the shares: the first error. Cards that left rows which others can compute take no more part in the
 * job. */
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
            gecc_rates_learn(share->card->rates, s->kind, share->job.count, share->seconds);
        } else {
            result = result == GECC_OK ? share->result : result;
            share->is_usable = false;
            note_failure(s, share);
        }
    }
    s->kernel_seconds += kernel_seconds;
    return result;
}

gecc_result gecc_sharing_run(struct sharing *s, const struct job *job) {
    size_t taken = take_cards(s, gecc_sharing_worth(s, job));
    if (taken == 0)
        return GECC_ERROR_DEVICE;
    partition(s, job, taken);
    for (size_t i = 0; job->keys.rows != NULL && i < s->cards->count; i++)
        if (s->share[i].is_taken)
            s->share[i].job.keys = gecc_cards_keys_of(s->cards, &job->keys, i);
    if (taken > 1) {
        run_shares(s);
    } else {
        for (size_t i = 0; i < s->cards->count; i++)
            if (s->share[i].is_taken)
                share_run(&s->share[i]);
    }
    return collect(s);
}

gecc_result gecc_sharing_prepare(struct sharing *s, const struct job *job) {
    for (size_t i = 0; i < s->cards->count; i++) {
        s->share[i].is_usable = gecc_card_works(&s->cards->card[i]);
        s->share[i].prepares = true;
        s->share[i].job = *job;
    }
    (void)take_cards(s, s->cards->count);
    run_shares(s);
    gecc_result result = collect(s);
    return gecc_sharing_first_usable(s) != NULL ? GECC_OK : result;
}
