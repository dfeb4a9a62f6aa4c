/* How fast the cards of a context are beside each other, learnt for each operation from the jobs that they share. */
#ifndef GECC_BACKEND_CUDA_CARDS_RATES_H
#define GECC_BACKEND_CUDA_CARDS_RATES_H

#include "backend/cuda/cards/cards.h"

/* A card's part of a job: its rows, and how many seconds they took. */
struct part {
    struct card *card;
    size_t rows;
    double seconds;
};

/* The rate of a card that is open, in any unit, or what it is before it was measured; the caller holds the cards'
 * mutex. */
double gecc_rate_of(const struct card *card, enum operation operation);

/* Learn from the parts of a job that the cards did side by side. */
void gecc_rates_learn(struct cards *cards, enum operation operation, const struct part *parts, size_t count);

#endif
