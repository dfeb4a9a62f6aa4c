/* Random rows for selftest, demo and bench: keys, digests, signatures that belong together. */
#ifndef TOOL_KEYS_H
#define TOOL_KEYS_H

#include <gecc/gecc.h>

#include <stdbool.h>

struct keys {
    gecc_curve curve;
    size_t count, bytes;   /* bytes: L */
    size_t digest_bytes;   /* L, but 64 at most */
    uint8_t *private_keys; /* [count][L], below the order with a margin */
    uint8_t *public_keys;  /* [count][1 + 2L] */
    uint8_t *digests;      /* [count][L], of which digest_bytes are a digest; below the order as private keys are */
    uint8_t *signatures;   /* [count][2L] */
    uint8_t *recovery_ids; /* [count]; not of SM2 */
    uint8_t *status;       /* [count] */
};

gecc_rows keys_digests(const struct keys *keys);

/* Random bytes of the system; false: it has none. */
bool random_bytes(void *out, size_t count);
/* A number below bound > 0, from random bytes. */
bool random_below(size_t *out, size_t bound);

/* Random private keys and digests, and the public keys. false: no memory, no random bytes, or a failed call (*result).
 */
bool keys_make(struct keys *keys, gecc_context *context, gecc_curve curve, size_t count, gecc_result *result);
/* Sign the digests, with SM2 signatures on SM2's curve. */
gecc_result keys_sign(struct keys *keys, gecc_context *context, const gecc_options *options);
gecc_result keys_verify(const struct keys *keys, gecc_context *context, uint8_t *statuses, const gecc_options *options);
/* Wipe and free. */
void keys_free(struct keys *keys);

/* How many of status[0 .. count - 1] are `item`. */
size_t count_items(const uint8_t *status, size_t count, gecc_item item);

#endif
