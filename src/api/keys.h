/* What a set of prepared keys holds. */
#ifndef GECC_API_KEYS_H
#define GECC_API_KEYS_H

#include <pthread.h>

#include <gecc/keys.h>

#include "batch/key_set.h"

struct gecc_keys {
    gecc_context *context;
    gecc_curve curve;
    size_t bytes;    /* of the tables */
    size_t capacity; /* keys that there is room for */
    /* The tables as the backend made them. Where there were no keys, table 0 is nobody's, and number 0 has table 1. */
    struct key_set made;
    size_t unnamed;         /* tables before that of number 0 */
    pthread_mutex_t adding; /* held by a thread that adds keys */
    pthread_mutex_t lock;   /* of the set */
    struct key_set set;     /* what calls are given */
    uint8_t status[];       /* a gecc_item for each table */
};

/* The keys that there are now. */
struct key_set gecc_keys_now(gecc_keys *keys);

#endif
