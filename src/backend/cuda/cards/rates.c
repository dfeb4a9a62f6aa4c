#include "backend/cuda/cards/rates.h"

double gecc_rate_of(const struct card *card, enum operation operation) {
    const double rate = card->rate[operation];
    return rate != 0 ? rate : card->device->strength;
}

/* Rows a second. */
static double speed(const struct part *part) { return (double)part->rows / part->seconds; }

/* Sums over the parts. */
struct rates {
    double known, measured;
    bool are_new; /* one of the cards has run no job of this operation yet, and had to take memory */
};

/* By how much a rate is off, for its part of the sum. */
static double deviation(const struct part *part, enum operation operation, const struct rates *sum) {
    double known = gecc_rate_of(part->card, operation) / sum->known;
    double measured = speed(part) / sum->measured;
    return measured > known ? measured / known - 1 : known / measured - 1;
}

/* Correct the rates by what this job's parts took: halfway where one is far off, else less, so that noise does not move
 * them. Their sum stays what it is. The caller holds the cards' mutex. */
static void correct(enum operation operation, const struct part *parts, size_t count, const struct rates *sum) {
    double step = 1.0 / 8;
    for (size_t i = 0; i < count && !sum->are_new; i++)
        if (deviation(&parts[i], operation, sum) > 0.05)
            step = 1.0 / 2;
    for (size_t i = 0; i < count; i++) {
        const double rate = gecc_rate_of(parts[i].card, operation);
        const double measured = sum->known * speed(&parts[i]) / sum->measured;
        parts[i].card->rate[operation] = sum->are_new ? rate : rate + step * (measured - rate);
    }
}

void gecc_rates_learn(struct cards *cards, enum operation operation, const struct part *parts, size_t count) {
    struct rates sum = {0};
    for (size_t i = 0; i < count; i++) {
        if (parts[i].rows == 0 || parts[i].seconds <= 0)
            return;
        sum.measured += speed(&parts[i]);
    }
    pthread_mutex_lock(&cards->mutex);
    for (size_t i = 0; i < count; i++) {
        sum.known += gecc_rate_of(parts[i].card, operation);
        sum.are_new |= parts[i].card->rate[operation] == 0;
    }
    correct(operation, parts, count, &sum);
    pthread_mutex_unlock(&cards->mutex);
}
