/* The exceptional rows of every operation on a curve: what breaks batched inversion, incomplete formulas and
 * decoders. */
#ifndef TESTS_SUPPORT_EXCEPTIONAL_H
#define TESTS_SUPPORT_EXCEPTIONAL_H

#include "generate.h"

enum { EXCEPTIONAL_ROWS = 96 };

/* `statuses` follows from the declarations of the public headers, not from the reference. */
struct exceptional {
    const char *name;
    struct row row;
    uint32_t statuses;
};

/* Fills rows[EXCEPTIONAL_ROWS] and returns how many there are. */
size_t exceptional_rows(const struct call *call, struct prng *prng, struct arena *arena, struct exceptional *rows);

#endif
