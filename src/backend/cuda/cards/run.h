/* A job on the cards of a context. */
#ifndef GECC_BACKEND_CUDA_CARDS_RUN_H
#define GECC_BACKEND_CUDA_CARDS_RUN_H

#include "backend/cuda/cards/cards.h"

/* As in struct backend; fills in the fields of the report on cards: detail, devices, kernel_seconds, and reason if one
 * failed. packer: see gecc_routes_open. */
gecc_result gecc_cards_run(struct cards *cards, const struct job *job, const struct packer *packer,
                           gecc_report *report);
gecc_result gecc_cards_prepare(struct cards *cards, const struct job *job);

/* Rows of the job that a card which works computes at once: as many as it takes to fill one. 0: none has a kernel. */
size_t gecc_cards_resident(struct cards *cards, const struct job *job);

#endif
