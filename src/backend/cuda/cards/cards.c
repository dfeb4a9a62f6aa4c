#define _GNU_SOURCE
#include "backend/cuda/cards/cards.h"

#include <stdio.h>
#include <stdlib.h>

#include "backend/auto.h"
#include "backend/cuda/device/info.h"
#include "backend/least.h"

static void cards_free(struct cards *cards) {
    for (size_t i = 0; i < cards->count; i++)
        gecc_rates_free(cards->card[i].rates);
    free(cards);
}

static struct cards *cards_new(const struct driver *driver, const struct image *images, const struct device_list *list,
                               const gecc_config *config) {
    struct cards *cards = calloc(1, sizeof *cards + list->count * sizeof cards->card[0]);
    if (cards == NULL)
        return NULL;
    const struct rates_guess guess = gecc_rates_guess_gpu();
    bool made = true;
    cards->count = list->count;
    for (size_t i = 0; i < list->count && list->count > 1; i++) {
        cards->card[i].rates = gecc_rates_new(&guess);
        made = made && cards->card[i].rates != NULL;
    }
    if (!made) {
        cards_free(cards);
        return NULL;
    }
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

gecc_result gecc_cards_open_all(struct cards *cards, const char **reason) {
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
        result = gecc_cards_open_all(cards, &failure);
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
    cards_free(cards);
}

bool gecc_cards_work(const struct cards *cards) {
    for (size_t i = 0; i < cards->count; i++)
        if (gecc_card_works(&cards->card[i]))
            return true;
    return false;
}

static bool is_closed(const struct card *card) { return atomic_load(&card->state) == CARD_CLOSED; }

double gecc_cards_lost_part(const struct cards *cards, size_t worth) {
    size_t closed = 0, working = 0, idle = 0;
    for (size_t i = 0; i < cards->count; i++) {
        const struct card *card = &cards->card[i];
        closed += is_closed(card);
        working += gecc_card_works(card);
        idle += gecc_card_works(card) && atomic_load(&card->jobs) == 0;
    }
    if (closed == 0)
        return 0;
    worth += worth == 1 && idle == 0;
    return 1 - (double)least(worth, working) / (double)least(worth, working + closed);
}

void gecc_cards_open_for(struct cards *cards, uint64_t kind, size_t rows, double lost) {
    const char *reason;
    const double seconds = gecc_rates_seconds(cards->card[cards->home].rates, kind, rows);
    if (lost != 0 && (!gecc_cards_work(cards) || seconds * lost > AUTO_OPENING_SECONDS))
        (void)gecc_cards_open_all(cards, &reason);
}

void gecc_cards_open_after(struct cards *cards, double loss) {
    pthread_mutex_lock(&cards->mutex);
    const double lost = cards->lost += loss;
    pthread_mutex_unlock(&cards->mutex);
    for (size_t i = 0; i < cards->count && loss != 0 && lost > AUTO_OPENING_SECONDS; i++)
        gecc_card_open_meanwhile(&cards->card[i]);
}

/* What has become of a device in the context. */
static void look(const struct cards *cards, int number, gecc_device_info *info) {
    for (size_t i = 0; i < cards->count; i++) {
        const struct card *card = &cards->card[i];
        if (card->number != number)
            continue;
        info->chosen = 1;
        info->open |= gecc_card_works(card);
        if (!info->open)
            gecc_card_failure(card, info->reason, sizeof info->reason);
    }
}

size_t gecc_cards_describe(const struct cards *cards, const struct driver *driver, size_t index,
                           gecc_device_info *info) {
    *info = (gecc_device_info)GECC_DEVICE_INFO_INIT;
    if (cards != NULL && gecc_device_forked(cards->card[cards->home].device))
        return 0;
    size_t count = gecc_device_describe(driver, index, info);
    if (cards != NULL && index < count)
        look(cards, (int)index, info);
    return count;
}
