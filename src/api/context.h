/* What a public handle holds. */
#ifndef GECC_API_CONTEXT_H
#define GECC_API_CONTEXT_H

#include "backend/registry.h"

struct gecc_context {
    struct instance instance;
    struct key_cache *key_cache; /* NULL: none is wanted */
    unsigned threads;            /* as configured, */
    char *device;                /* as this; NULL: it was not */
};

#endif
