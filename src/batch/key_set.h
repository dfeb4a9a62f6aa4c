/* Keys whose tables are made, as lane programs are told of them. Host and device code. */
#ifndef GECC_BATCH_KEY_SET_H
#define GECC_BATCH_KEY_SET_H

#include <stddef.h>
#include <stdint.h>

struct key_set {
    void *rows; /* tables: batch/key_tables.h; NULL: the job has no keys */
    const uint8_t
        *status;    /* a gecc_item for each key: OK, or why it was refused, and its table is that of G; KEY_* besides */
    uint32_t count; /* keys; there is one table at least, */
    uint32_t width; /* bits of a window, */
    uint32_t windows; /* windows of a scalar; entries of all keys, times their rows, are fewer than 2^32 */
    uint32_t have;    /* for a pass that extends windows: see there */
};

/* What the status of a key of Ed25519 has besides a gecc_item, which is why the strictest rule refuses its encoding:
 * that rules that take any encoding of a point do not refuse it, and that its order is small. */
enum { KEY_STATUS = 31, KEY_TAKEN_LOOSELY = 32, KEY_SMALL_ORDER = 64 };

/* Widths that there are programs for; the narrowest decides how many digits a scalar may have. */
enum { KEY_WINDOW_LEAST = 4, KEY_WINDOW_MOST = 16 };

/* Passes that make tables. */
enum key_pass { KEY_PASS_BASES, KEY_PASS_NORMALISE, KEY_PASS_EXTEND, KEY_PASSES };

#endif
