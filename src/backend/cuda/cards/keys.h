/* Tables of keys on several cards. */
#ifndef GECC_BACKEND_CUDA_CARDS_KEYS_H
#define GECC_BACKEND_CUDA_CARDS_KEYS_H

#include "backend/cuda/cards/cards.h"

/* Tables of keys in the memory of a card. */
struct key_copy {
    struct key_set set; /* rows NULL: the card has none */
    size_t bytes;
    bool lacks_keys; /* that were added to the others */
};

/* Those of the same keys, one for each card. */
struct key_copies {
    struct key_copies *next;
    size_t keys;  /* that there is room for */
    size_t first; /* the card whose tables the set that callers have is */
    struct key_copy copy[];
};

/* Tables on every card that is open: those of the first one that has them are *set, and stand for all. GECC_OK: one
 * has. */
gecc_result gecc_cards_keys_make(struct cards *cards, const struct job *job, const struct key_plan *plan,
                                 struct key_set *set, size_t *bytes);
/* A card that fails is not used with these keys any more. */
gecc_result gecc_cards_keys_add(struct cards *cards, const struct job *job, const struct key_set *set, size_t first);
void gecc_cards_keys_free(struct cards *cards, const struct key_set *set);
/* What the set is on card number `index` of the context; rows NULL: it has no such tables. */
struct key_set gecc_cards_keys_of(struct cards *cards, const struct key_set *set, size_t index);

#endif
