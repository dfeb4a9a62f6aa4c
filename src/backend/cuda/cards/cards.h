/* The GPUs of a context: which of them are open, and how they share a job.
 *
 * The first one is open from the start. The others, each of which takes a third of a second, are opened when jobs have lost
 * as much time without them, at once for a job that is worth the wait; or at the start, where the caller named them.
 *
 * A job whose rows are in host memory is divided into a share for each card, in proportion to the rates that were measured in
 * earlier jobs of the same operation, so that all finish together. It has as many shares as can fill a card each; one that
 * has no more than one runs on the card that has the fewest jobs under way. What a card leaves because it lacks memory or
 * failed, the others share. A job with rows in a card's memory runs on that card alone. */
#ifndef GECC_BACKEND_CUDA_CARDS_CARDS_H
#define GECC_BACKEND_CUDA_CARDS_CARDS_H

#include "backend/cost.h"
#include "backend/cuda/card/card.h"
#include "backend/cuda/device/list.h"

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

struct cards {
    struct cost cost;
    size_t home;           /* the card that was opened first: pinned memory is its */
    pthread_mutex_t mutex; /* for `lost`, `keys` and the cards' rates */
    double lost;           /* seconds that jobs took longer than they would have on all cards */
    struct key_copies *keys;
    size_t count;
    struct card card[];
};

/* Open them. Otherwise `reason`, of `size` bytes, says why not. */
gecc_result gecc_cards_open(struct cards **opened, const struct driver *driver, const struct image *images,
                            const gecc_config *config, char *reason, size_t size);
void gecc_cards_close(struct cards *cards);

/* Does any of them work? */
bool gecc_cards_work(const struct cards *cards);

/* As in struct backend; fills in what the report says of cards: detail, devices, kernel_seconds, and reason if one failed. */
gecc_result gecc_cards_run(struct cards *cards, const struct job *job, gecc_report *report);
gecc_result gecc_cards_prepare(struct cards *cards, const struct job *job);

/* What gecc_devices says of the driver's device of number `index`; how many there are. cards NULL: nobody has chosen any. */
size_t gecc_cards_describe(const struct cards *cards, const struct driver *driver, size_t index,
                           gecc_device_info *info);

/* Tables on every card that is open: those of the first one that has them are *set, and stand for all. GECC_OK: one has. */
gecc_result gecc_cards_keys_make(struct cards *cards, const struct job *job, const struct key_plan *plan,
                                 struct key_set *set, size_t *bytes);
/* A card that fails is not used with these keys any more. */
gecc_result gecc_cards_keys_add(struct cards *cards, const struct job *job, const struct key_set *set, size_t first);
void gecc_cards_keys_free(struct cards *cards, const struct key_set *set);
/* What the set is on card number `index` of the context; rows NULL: it has no such tables. */
struct key_set gecc_cards_keys_of(struct cards *cards, const struct key_set *set, size_t index);

#endif
