/* A job on several cards: each card's share, and its result.
 *
 * A job whose rows are in host memory is divided into a share for each card, in proportion to times of rows of its kind
 * and size took each card (backend/rates.h), so that all finish together. It has as many shares as can fill a card
 * each; one that has no more than one runs on the card that has the fewest jobs under way. What a card leaves because
 * it lacks memory or failed, the others share. A job with rows in a card's memory runs on that card alone. */
#ifndef GECC_BACKEND_CUDA_CARDS_SHARING_H
#define GECC_BACKEND_CUDA_CARDS_SHARING_H

#include "backend/cuda/cards/cards.h"

/* A part of a job, and the card that computes it. Or, where the card prepares for the job, all of it. */
struct share {
    struct background_job background;
    struct card *card;
    const struct packer *packer;        /* of the job: see gecc_routes_open */
    bool is_usable, prepares, is_taken; /* is_taken: it has rows, or is to prepare */
    struct job job;
    gecc_result result;
    double seconds, kernel_seconds;
    size_t rows; /* that the card has done of the whole job */
};

/* A job that cards share. */
struct sharing {
    struct cards *cards;
    uint64_t kind; /* of the job, to backend/rates.h */
    double kernel_seconds;
    struct share *failed; /* the first card that left rows, and */
    char failure[64];     /* why */
    struct share share[];
};

/* Shares without rows; NULL: there is no memory for them. Given back by free. */
struct sharing *gecc_sharing_new(struct cards *cards, const struct job *job, const struct packer *packer);

/* Look again which cards work and have tables of the job's keys. */
void gecc_sharing_find_usable(struct sharing *s, const struct job *job);
/* NULL: none is usable. */
struct share *gecc_sharing_first_usable(const struct sharing *s);

/* How many cards the rows can fill, at least one. */
size_t gecc_sharing_worth(const struct sharing *s, const struct job *job);

/* Run these rows on the cards that are usable, as many as they can fill. Rows without a result are of cards that are
 * usable no more. */
gecc_result gecc_sharing_run(struct sharing *s, const struct job *job);

/* Have every card that works prepare for the job. GECC_OK: one of them has. */
gecc_result gecc_sharing_prepare(struct sharing *s, const struct job *job);

#endif
