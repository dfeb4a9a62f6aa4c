/* A GPU of a context: a device, which contexts may share, with this context's slots and the threads that feed it. */
#ifndef GECC_BACKEND_CUDA_CARD_CARD_H
#define GECC_BACKEND_CUDA_CARD_CARD_H

#include "backend/background.h"
#include "backend/cuda/device/near.h"
#include "backend/cuda/device/routes.h"
#include "backend/cuda/device/slot.h"
#include "backend/key_plan.h"
#include "backend/rates.h"

enum card_state {
    CARD_CLOSED,
    CARD_OPEN,
    CARD_MISSING /* it did not open: `failure` says why */
};

struct card {
    const struct driver *driver;
    const struct image *images;
    int number;      /* of the driver's */
    bool has_others; /* in its context */
    size_t table_bytes, staging_bytes;
    unsigned threads; /* that copy rows */

    pthread_mutex_t opening;
    atomic_int state;             /* leaves CARD_CLOSED once, under `opening` */
    struct background_job opener; /* opens it, if that was started: */
    atomic_bool opener_is_started;

    /* Set before it leaves CARD_CLOSED. */
    char failure[sizeof((gecc_backend_info *)NULL)->reason];
    struct device *device;
    struct near near;
    struct slots slots;

    struct background background; /* threads near the device */
    atomic_uint jobs;             /* under way */

    struct rates *rates; /* of the card beside others of its context; NULL where it has none: nobody asks */
};

/* A card that is closed. Nothing is asked of the driver. */
void gecc_card_init(struct card *card, const struct driver *driver, const struct image *images, int number,
                    bool has_others, const gecc_config *config);
/* Open it, or wait until another thread has. GECC_ERROR_NO_BACKEND and the like: `failure` says why not. */
gecc_result gecc_card_open(struct card *card);
/* Have a thread of its own open it, unless that was started. Where none can be had, a later call tries again. */
void gecc_card_open_meanwhile(struct card *card);
/* Every job is done. */
void gecc_card_close(struct card *card);

/* Is it open, and is there anything to be had of it? */
bool gecc_card_works(const struct card *card);
/* Why it does not work, to `text` of `size` bytes; "" while it does. */
void gecc_card_failure(const struct card *card, char *text, size_t size);

/* Of a card that is open, or was. As in struct backend. packer: see gecc_routes_open. Adds to *kernel_seconds what
 * kernels took. */
gecc_result gecc_card_run(struct card *card, const struct job *job, const struct packer *packer,
                          double *kernel_seconds);
gecc_result gecc_card_prepare(struct card *card, const struct job *job);
gecc_result gecc_card_keys_make(struct card *card, const struct job *job, const struct key_plan *plan,
                                struct key_set *set, size_t *bytes);
gecc_result gecc_card_keys_add(struct card *card, const struct job *job, const struct key_set *set, size_t first);
void gecc_card_keys_free(struct card *card, const struct key_set *set);
gecc_result gecc_card_pin(struct card *card, void **memory, size_t bytes);
void gecc_card_unpin(struct card *card, void *memory);

/* Rows of the job that the card computes at once. GECC_ERROR_UNSUPPORTED: it has no kernel for it. */
gecc_result gecc_card_resident(struct card *card, const struct job *job, size_t *rows);

#endif
