/* Tables of public keys that outlive a call: gecc_config.key_cache_bytes. A key that came back often enough gets one,
 * while there is room; its rows are then verified by its number. */
#ifndef GECC_API_KEY_CACHE_H
#define GECC_API_KEY_CACHE_H

#include "scheme/job.h"

struct key_cache;

/* Tables take at most so many bytes. NULL: no memory, or no random bytes. */
struct key_cache *gecc_key_cache_new(gecc_context *context, size_t bytes);
/* Before the context's backend is closed. */
void gecc_key_cache_free(struct key_cache *cache);

/* Run a job of the context's, its rows whose key has a table by that key's number, and give its result in *result.
 * Counts the keys of good signatures, for calls to come. Returns false, and has done nothing, where the operation has
 * no keys, where rows are in device memory or little-endian, where there is no memory, and in a child of the process
 * that opened the cache. Any number of threads may call it at once. */
bool gecc_key_cache_run(struct key_cache *cache, const struct job *job, gecc_report *report, gecc_result *result);

#endif
