/* The GPUs of a context: which of them are open.
 *
 * The first one is open from the start. The others, each of which takes a third of a second, are opened when jobs have
 * lost as much time without them, at once for a job that is worth the wait; or at the start, where the caller named
 * them. */
#ifndef GECC_BACKEND_CUDA_CARDS_CARDS_H
#define GECC_BACKEND_CUDA_CARDS_CARDS_H

#include "backend/cuda/card/card.h"
#include "backend/cuda/device/list.h"

struct key_copies;

struct cards {
    size_t home;           /* the card that was opened first: pinned memory is its */
    pthread_mutex_t mutex; /* for `lost` and `keys` */
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

/* Open all of them, each by a thread of its own. The first error, and in *reason why. */
gecc_result gecc_cards_open_all(struct cards *cards, const char **reason);

/* The part of a job's time, if `worth` cards could share it, that cards which are closed would have saved. What one
 * card alone computes loses time where others are under way on all that are open. */
double gecc_cards_lost_part(const struct cards *cards, size_t worth);

/* Open the cards that are closed if a job of this kind (backend/rates.h) is expected to lose more time without them
 * than that takes, or none works. */
void gecc_cards_open_for(struct cards *cards, uint64_t kind, size_t rows, double lost);

/* Have them opened if jobs, the last of which lost so many seconds, have lost as much time as that takes. */
void gecc_cards_open_after(struct cards *cards, double loss);

/* What gecc_devices says of the driver's device of number `index`; how many there are. cards NULL: nobody has chosen
 * any. */
size_t gecc_cards_describe(const struct cards *cards, const struct driver *driver, size_t index,
                           gecc_device_info *info);

#endif
