/* Tables of public keys that outlive a batch: --key-cache. A key that came back often enough gets one, while there is
 * room; its rows are then verified by its number. */
#ifndef TOOL_KEY_CACHE_H
#define TOOL_KEY_CACHE_H

#include <gecc/gecc.h>

struct key_cache;

/* Tables take at most so many bytes. NULL: no memory, or no random bytes. */
struct key_cache *key_cache_new(gecc_context *context, size_t bytes);
/* Before the context is closed. */
void key_cache_free(struct key_cache *cache);

#define NO_KEY_NUMBER UINT32_MAX

/* The set of the curve's keys with tables, NULL while there is none; number[i]: of row i's key in it, or NO_KEY_NUMBER.
 * Rows are counted, and keys that have come often enough by then get tables for calls to come. x_only: the rows are
 * keys of BIP-340. Any number of threads may call it at once; the set stays until the cache is freed. */
gecc_keys *key_cache_find(struct key_cache *cache, gecc_curve curve, int x_only, const gecc_rows *rows, size_t count,
                          uint32_t *number);

/* How many keys have tables. */
size_t key_cache_count(struct key_cache *cache);

#endif
