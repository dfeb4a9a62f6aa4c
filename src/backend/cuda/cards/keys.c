/* Tables of keys on several cards: a set stands for its copies, one in the memory of each card that has it. */
#define _GNU_SOURCE
#include "backend/cuda/cards/keys.h"

#include <stdlib.h>

/* Where the link to the copies is that the set, or a part of it, stands for; the caller holds the mutex. */
static struct key_copies **find_copies(struct cards *cards, const struct key_set *set) {
    struct key_copies **link = &cards->keys;
    for (; *link != NULL; link = &(*link)->next) {
        const struct key_copy *first = &(*link)->copy[(*link)->first];
        if ((uintptr_t)set->rows - (uintptr_t)first->set.rows < first->bytes)
            break;
    }
    return link;
}

struct key_set gecc_cards_keys_of(struct cards *cards, const struct key_set *set, size_t index) {
    struct key_set own = {.rows = NULL};
    pthread_mutex_lock(&cards->mutex);
    const struct key_copies *copies = *find_copies(cards, set);
    if (copies != NULL && copies->copy[index].set.rows != NULL && !copies->copy[index].lacks_keys) {
        const struct key_copy *copy = &copies->copy[index];
        const size_t skipped = (size_t)(set->status - copies->copy[copies->first].set.status);
        own = copy->set;
        own.rows = (uint8_t *)own.rows + skipped * (copy->bytes / copies->keys);
        own.status += skipped;
        own.count = set->count;
    }
    pthread_mutex_unlock(&cards->mutex);
    return own;
}

/* Tables that a card is to make. */
struct making {
    struct background_job background;
    struct card *card; /* NULL: none is */
    struct job job;
    const struct key_plan *plan;
    struct key_copy *copy;
    uint8_t *status; /* of its own, since cards make them at once */
    bool is_started; /* by the card's thread */
    gecc_result result;
};

static void make_copy(struct making *m) {
    m->result = gecc_card_keys_make(m->card, &m->job, m->plan, &m->copy->set, &m->copy->bytes);
}

static void make_copy_near(struct background_job *background) {
    struct making *m = (struct making *)background;
    gecc_near_move(&m->card->near);
    make_copy(m);
}

/* Have each card that works make its copy, by a thread of its own. */
static void start_making(struct cards *cards, const struct job *job, const struct key_plan *plan,
                         struct key_copies *copies, const struct key_set *like, struct making *making) {
    for (size_t i = 0; i < cards->count; i++) {
        struct making *m = &making[i];
        *m = (struct making){.background.run = make_copy_near, .job = *job, .plan = plan, .copy = &copies->copy[i]};
        m->result = GECC_ERROR_DEVICE;
        if (!gecc_card_works(&cards->card[i]))
            continue;
        m->result = GECC_ERROR_MEMORY;
        m->status = calloc(job->count, 1);
        if (m->status == NULL)
            continue;
        m->card = &cards->card[i];
        m->job.status = gecc_out_packed(m->status, 1);
        m->copy->set = *like;
        m->is_started = background_start(&m->card->background, &m->background) == GECC_OK;
    }
}

/* Wait for it, or make the copy by this thread if that one could not be had. */
static void finish_making(struct making *m) {
    if (m->card == NULL)
        return;
    if (!m->is_started)
        make_copy(m);
    else if (background_wait(&m->background) != GECC_OK)
        m->result = GECC_ERROR_DEVICE;
    if (m->result != GECC_OK)
        m->copy->set.rows = NULL;
}

/* Copies on all cards that work. */
static gecc_result make_copies(struct cards *cards, const struct job *job, const struct key_plan *plan,
                               struct key_copies *copies, const struct key_set *like) {
    gecc_result result = GECC_ERROR_DEVICE;
    struct making *making = calloc(cards->count, sizeof *making);
    if (making == NULL)
        return GECC_ERROR_MEMORY;
    copies->keys = plan->capacity > job->count ? plan->capacity : job->count;
    copies->first = cards->count;
    start_making(cards, job, plan, copies, like, making);
    for (size_t i = 0; i < cards->count; i++) {
        struct making *m = &making[i];
        finish_making(m);
        if (m->result != GECC_OK) {
            result = m->result;
        } else if (copies->first == cards->count) {
            copies->first = i;
            for (size_t k = 0; k < job->count; k++)
                ((uint8_t *)job->status.data)[k * job->status.stride] = m->status[k];
        }
        free(m->status);
    }
    free(making);
    return copies->first < cards->count ? GECC_OK : result;
}

gecc_result gecc_cards_keys_make(struct cards *cards, const struct job *job, const struct key_plan *plan,
                                 struct key_set *set, size_t *bytes) {
    if (cards->count == 1)
        return gecc_card_keys_make(&cards->card[0], job, plan, set, bytes);
    if (!gecc_cards_work(cards))
        return GECC_ERROR_DEVICE;
    struct key_copies *copies = calloc(1, sizeof *copies + cards->count * sizeof copies->copy[0]);
    if (copies == NULL)
        return GECC_ERROR_MEMORY;
    gecc_result result = make_copies(cards, job, plan, copies, set);
    if (result != GECC_OK) {
        free(copies);
        return result;
    }
    *set = copies->copy[copies->first].set;
    *bytes = copies->copy[copies->first].bytes;
    pthread_mutex_lock(&cards->mutex);
    copies->next = cards->keys;
    cards->keys = copies;
    pthread_mutex_unlock(&cards->mutex);
    return GECC_OK;
}

static void set_lacks_keys(struct cards *cards, const struct key_set *set, size_t index) {
    pthread_mutex_lock(&cards->mutex);
    struct key_copies *copies = *find_copies(cards, set);
    if (copies != NULL)
        copies->copy[index].lacks_keys = true;
    pthread_mutex_unlock(&cards->mutex);
}

gecc_result gecc_cards_keys_add(struct cards *cards, const struct job *job, const struct key_set *set, size_t first) {
    gecc_result result = GECC_ERROR_DEVICE;
    bool any = false, lacks[DEVICES_MOST] = {false};
    if (cards->count == 1)
        return gecc_card_keys_add(&cards->card[0], job, set, first);
    for (size_t i = 0; i < cards->count; i++) {
        const struct key_set own = gecc_cards_keys_of(cards, set, i);
        if (own.rows == NULL)
            continue;
        gecc_result here = gecc_card_keys_add(&cards->card[i], job, &own, first);
        any |= here == GECC_OK;
        lacks[i] = here != GECC_OK;
        if (here != GECC_OK)
            result = here;
    }
    for (size_t i = 0; i < cards->count && any; i++) /* where none has the new keys, all still have the others */
        if (lacks[i])
            set_lacks_keys(cards, set, i);
    return any ? GECC_OK : result;
}

void gecc_cards_keys_free(struct cards *cards, const struct key_set *set) {
    if (cards->count == 1) {
        gecc_card_keys_free(&cards->card[0], set);
        return;
    }
    if (background_forked(&cards->card[0].background))
        return;
    pthread_mutex_lock(&cards->mutex);
    struct key_copies **link = find_copies(cards, set), *copies = *link;
    if (copies != NULL)
        *link = copies->next;
    pthread_mutex_unlock(&cards->mutex);
    for (size_t i = 0; copies != NULL && i < cards->count; i++)
        if (copies->copy[i].set.rows != NULL)
            gecc_card_keys_free(&cards->card[i], &copies->copy[i].set);
    free(copies);
}
