#include "keys/signed.h"
#include "text/hex.h"

#include <stdlib.h>
#include <string.h>

const char *const signer_ids[SIGNER_IDS] = {[SIGNER_DEFAULT] = "1234567812345678", [SIGNER_EMPTY] = ""};

enum scheme signed_scheme_of_key(const struct key_file *key) {
    if (key->curve == GECC_CURVE25519)
        return key->scheme;
    return key->curve == GECC_SM2 ? SCHEME_SM2 : SCHEME_ECDSA;
}

uint32_t signed_flags(enum scheme scheme, uint32_t flags) {
    return scheme == SCHEME_ED25519 ? flags & ~(uint32_t)GECC_LOW_S : scheme == SCHEME_ECDSA ? flags & GECC_LOW_S : 0;
}

enum scheme signed_scheme(const struct certificate *certificate, const struct key_file *key, gecc_hash *hash,
                          const char **reason) {
    const enum scheme scheme = certificate_scheme(certificate, hash, reason);
    if (scheme == SCHEME_OF_CURVE || scheme == signed_scheme_of_key(key))
        return scheme;
    *reason = scheme == SCHEME_ED25519 ? "signed with Ed25519, and the issuer's key is for another scheme"
              : scheme == SCHEME_SM2   ? "signed with SM2, and the issuer's key is for another scheme"
                                       : "signed with ECDSA, and the issuer's key is for another scheme";
    return SCHEME_OF_CURVE;
}

/* The columns of items that one call of the library takes. */
struct call {
    size_t count;
    struct signed_item *all;
    size_t *chosen; /* numbers of those of all that it takes */
    gecc_curve curve;
    enum scheme scheme;
    gecc_hash hash;
    uint8_t *bytes;
    size_t used;
    uint64_t *offsets[3];
    uint32_t *widths[3];
    uint8_t *digests, *statuses;
};
enum { KEY, MESSAGE, SIGNATURE };

static gecc_rows rows(const struct call *call, unsigned column) {
    return (gecc_rows){call->bytes, 0, 0, call->widths[column], call->offsets[column]};
}

static uint8_t *lay(struct call *call, unsigned column, size_t i, size_t size) {
    call->offsets[column][i] = call->used;
    call->widths[column][i] = (uint32_t)size;
    call->used += size;
    return call->bytes + call->used - size;
}

static gecc_result run(gecc_context *context, const struct call *call, const char *id, uint32_t flags) {
    gecc_options options = GECC_OPTIONS_INIT;
    const gecc_out status = gecc_out_packed(call->statuses, 1);
    const size_t width = gecc_hash_bytes(call->hash);
    const gecc_rows digests = gecc_rows_packed(call->digests, width);
    options.flags = signed_flags(call->scheme, flags) | (call->scheme == SCHEME_ED25519 ? 0u : GECC_DER);
    if (call->scheme == SCHEME_ED25519)
        return gecc_ed25519_verify(context, status, rows(call, KEY), rows(call, MESSAGE), rows(call, SIGNATURE),
                                   gecc_rows_none(), call->count, &options);
    const gecc_out out = gecc_out_packed(call->digests, width);
    gecc_result result = call->scheme == SCHEME_SM2
                             ? gecc_sm2_digest(context, out, status, rows(call, KEY), gecc_rows_same(id, strlen(id)),
                                               rows(call, MESSAGE), call->count, NULL)
                             : gecc_digest(context, call->hash, out, status, rows(call, MESSAGE), call->count, NULL);
    if (result != GECC_OK)
        return result;
    return call->scheme == SCHEME_SM2 ? gecc_sm2_verify(context, status, rows(call, KEY), digests,
                                                        rows(call, SIGNATURE), call->count, &options)
                                      : gecc_ecdsa_verify(context, call->curve, status, rows(call, KEY), digests,
                                                          rows(call, SIGNATURE), call->count, &options);
}

static gecc_result run_ids(gecc_context *context, const struct call *call, const struct signed_rules *rules) {
    const unsigned ids = call->scheme == SCHEME_SM2 && !rules->id ? SIGNER_IDS : 1;
    gecc_result result = GECC_OK;
    for (unsigned id = 0; id < ids && result == GECC_OK; id++) {
        result = run(context, call, rules->id ? rules->id : signer_ids[id], rules->flags);
        for (size_t i = 0; i < call->count && result == GECC_OK; i++)
            if (call->statuses[i] == GECC_ITEM_OK && !call->all[call->chosen[i]].valid) {
                call->all[call->chosen[i]].valid = true;
                call->all[call->chosen[i]].signer = id;
            }
    }
    return result;
}

/* The items are there; lay them out. false: there is no memory. */
static bool fill(struct call *call) {
    size_t size = 0;
    for (size_t i = 0; i < call->count; i++) {
        const struct signed_item *item = &call->all[call->chosen[i]];
        size += item->key->count / 2 + item->signed_bytes->tbs.size + item->signed_bytes->signature.size;
    }
    bool fits = (call->bytes = malloc(size)) != NULL && (call->digests = malloc(call->count * GECC_HASH_BYTES_MOST)) &&
                (call->statuses = calloc(call->count, 1));
    for (unsigned c = 0; c < 3; c++)
        fits = (call->offsets[c] = calloc(call->count, sizeof *call->offsets[c])) != NULL &&
               (call->widths[c] = calloc(call->count, sizeof *call->widths[c])) != NULL && fits;
    for (size_t i = 0; i < call->count && fits; i++) {
        const struct signed_item *item = &call->all[call->chosen[i]];
        const struct certificate_part *tbs = &item->signed_bytes->tbs, *signature = &item->signed_bytes->signature;
        hex_decode(lay(call, KEY, i, item->key->count / 2), item->key->digits, item->key->count);
        memcpy(lay(call, MESSAGE, i, tbs->size), tbs->bytes, tbs->size);
        memcpy(lay(call, SIGNATURE, i, signature->size), signature->bytes, signature->size);
    }
    return fits;
}

/* Those of items[from .. count) that are not `done` and go with the first, which is not. */
static gecc_result verify_like(gecc_context *context, struct signed_item *items, size_t from, size_t count, bool *done,
                               const struct signed_rules *rules) {
    enum { MOST = 4096 };
    struct call call = {.all = items, .chosen = calloc(MOST, sizeof *call.chosen), .curve = items[from].key->curve};
    const char *reason;
    gecc_hash of_first = GECC_HASH_DEFAULT;
    call.scheme = signed_scheme(items[from].signed_bytes, items[from].key, &of_first, &reason);
    call.hash = of_first;
    for (size_t i = from; i < count && call.chosen && call.count < MOST; i++) {
        gecc_hash hash = GECC_HASH_DEFAULT;
        const enum scheme scheme = signed_scheme(items[i].signed_bytes, items[i].key, &hash, &reason);
        done[i] |= scheme == SCHEME_OF_CURVE;
        if (done[i] || scheme != call.scheme || items[i].key->curve != call.curve ||
            (scheme != SCHEME_ED25519 && hash != call.hash))
            continue;
        done[i] = true;
        call.chosen[call.count++] = i;
    }
    gecc_result result = call.chosen ? GECC_OK : GECC_ERROR_MEMORY;
    if (call.count)
        result = fill(&call) ? run_ids(context, &call, rules) : GECC_ERROR_MEMORY;
    for (unsigned c = 0; c < 3; c++) {
        free(call.offsets[c]);
        free(call.widths[c]);
    }
    free(call.bytes);
    free(call.digests);
    free(call.statuses);
    free(call.chosen);
    return result;
}

gecc_result signed_verify(gecc_context *context, struct signed_item *items, size_t count,
                          const struct signed_rules *rules) {
    bool *done = calloc(count + 1, sizeof *done);
    gecc_result result = done ? GECC_OK : GECC_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++)
        items[i].valid = false;
    for (size_t i = 0; i < count && result == GECC_OK; i++)
        if (!done[i])
            result = verify_like(context, items, i, count, done, rules);
    free(done);
    return result;
}
