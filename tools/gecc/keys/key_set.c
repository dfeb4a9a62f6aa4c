#define _DEFAULT_SOURCE /* explicit_bzero */

#include "keys/key_set.h"
#include "keys/jwk_text.h"
#include "text/base64.h"
#include "text/hex.h"

#include <stdlib.h>
#include <string.h>

struct set_key *key_set_add(struct key_set *set) {
    if (set->count == set->capacity) {
        const size_t capacity = 2 * set->capacity + 4;
        struct set_key *keys = realloc(set->keys, capacity * sizeof *keys);
        if (!keys)
            return NULL;
        set->keys = keys;
        set->capacity = capacity;
    }
    set->keys[set->count] = (struct set_key){.refusal = NULL};
    return &set->keys[set->count++];
}

void key_set_free(struct key_set *set) {
    for (size_t i = 0; i < set->count; i++)
        free(set->keys[i].kid);
    free(set->keys);
    free(set->names);
    *set = (struct key_set){.keys = NULL};
}

/* Check the point, and make the thumbprint. NULL, or why not. */
static const char *finish(gecc_context *context, struct set_key *key) {
    uint8_t bytes[1 + 2 * GECC_CURVE_BYTES_MOST], status = GECC_ITEM_NOT_PROCESSED, hash[GECC_HASH_BYTES_MOST];
    const gecc_out statuses = gecc_out_packed(&status, 1);
    char text[JWK_BYTES];
    if (!key->key.count)
        return NULL;
    hex_decode(bytes, key->key.digits, key->key.count);
    if (key->key.curve != GECC_CURVE25519 &&
        (gecc_ec_validate(context, key->key.curve, statuses, gecc_rows_packed(bytes, key->key.count / 2), 1, NULL) !=
             GECC_OK ||
         status != GECC_ITEM_OK))
        return "a key whose point is not on its curve";
    const size_t length = jwk_canonical(text, key->key.curve, key->key.scheme, bytes);
    if (length == 0)
        return NULL;
    if (gecc_digest(context, gecc_hash_named("SHA-256"), gecc_out_packed(hash, 32), statuses,
                    gecc_rows_packed(text, length), 1, NULL) != GECC_OK)
        return "its thumbprint cannot be made";
    *base64_encode(key->thumbprint, hash, 32, true) = 0;
    return NULL;
}

static int compare_text(const struct key_name *a, const struct key_name *b) {
    const size_t length = a->length < b->length ? a->length : b->length;
    const int order = length ? memcmp(a->text, b->text, length) : 0;
    return order ? order : (a->length > b->length) - (a->length < b->length);
}

/* By their text, and keys of one name as they stand in the set. */
static int compare_names(const void *a, const void *b) {
    const struct key_name *x = a, *y = b;
    const int order = compare_text(x, y);
    return order ? order : (x->key > y->key) - (x->key < y->key);
}

bool same_key(const struct key_file *a, const struct key_file *b) {
    return a->curve == b->curve && a->scheme == b->scheme && a->count == b->count &&
           memcmp(a->digits, b->digits, a->count) == 0;
}

static void note_fit(struct key_set *set, const struct set_key *key) {
    const struct set_key **first = &set->first[key->key.curve];
    unsigned *fits = &set->fits[key->key.curve];
    if (!*first)
        *first = key;
    if (*first == key || (*fits < SEVERAL_FIT && !same_key(&(*first)->key, &key->key)))
        ++*fits;
}

static const char *make_names(struct key_set *set) {
    set->names = calloc(2 * set->count + 1, sizeof *set->names);
    if (!set->names)
        return "not enough memory";
    for (size_t i = 0; i < set->count; i++) {
        const struct set_key *key = &set->keys[i];
        if (!key->refusal)
            note_fit(set, key);
        if (key->kid)
            set->names[set->name_count++] = (struct key_name){key->kid, strlen(key->kid), key};
        if (key->thumbprint[0] && !(key->kid && strcmp(key->kid, key->thumbprint) == 0))
            set->names[set->name_count++] = (struct key_name){key->thumbprint, THUMBPRINT_CHARACTERS, key};
    }
    qsort(set->names, set->name_count, sizeof *set->names, compare_names);
    return NULL;
}

static const char unchecked[] = "its keys cannot be checked: gecc does not run here";

gecc_context *key_context_open(void) {
    gecc_config config = GECC_CONFIG_INIT;
    gecc_context *context = NULL;
    config.backend = "cpu";
    config.threads = 1;
    return gecc_open(&context, &config) == GECC_OK ? context : NULL;
}

const char *key_pair_check(const struct key_file *private_key, const struct key_file *public_key) {
    uint8_t bytes[GECC_CURVE_BYTES_MOST], found[1 + 2 * GECC_CURVE_BYTES_MOST], status = GECC_ITEM_NOT_PROCESSED;
    char digits[KEY_FILE_DIGITS];
    gecc_context *context = key_context_open();
    const gecc_out out = gecc_out_packed(found, public_key->count / 2), statuses = gecc_out_packed(&status, 1);
    const gecc_rows key = gecc_rows_packed(bytes, private_key->count / 2);
    if (!context)
        return unchecked;
    hex_decode(bytes, private_key->digits, private_key->count);
    gecc_result result = private_key->scheme == SCHEME_ED25519
                             ? gecc_ed25519_public_key(context, out, statuses, key, 1, NULL)
                         : private_key->scheme == SCHEME_X25519
                             ? gecc_x25519_public_key(context, out, statuses, key, 1, NULL)
                             : gecc_ec_public_key(context, private_key->curve, out, statuses, key, 1, NULL);
    gecc_close(context);
    explicit_bzero(bytes, sizeof bytes);
    hex_encode(digits, found, public_key->count / 2);
    return result == GECC_OK && status == GECC_ITEM_OK && memcmp(digits, public_key->digits, public_key->count) == 0
               ? NULL
               : "a private key that is not the public one's beside it";
}

const char *key_set_seal(struct key_set *set) {
    gecc_context *context = key_context_open();
    const char *reason = NULL;
    if (!context)
        return unchecked;
    for (size_t i = 0; i < set->count && !reason; i++)
        reason = finish(context, &set->keys[i]);
    gecc_close(context);
    return reason ? reason : make_names(set);
}

const struct key_name *key_set_find(const struct key_set *set, const char *name, size_t length, size_t *count) {
    const struct key_name wanted = {name, length, NULL};
    size_t from = 0, to = set->name_count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (compare_text(&set->names[middle], &wanted) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    for (to = from; to < set->name_count && compare_text(&set->names[to], &wanted) == 0;)
        to++;
    *count = to - from;
    return set->names + from;
}
