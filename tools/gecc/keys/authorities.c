#define _DEFAULT_SOURCE /* reallocarray */

#include "keys/authorities.h"
#include "keys/der_key.h"
#include "keys/key_file.h"
#include "text/hex.h"
#include "text/say.h"

#include <stdlib.h>
#include <string.h>

static const char no_memory[] = "not enough memory",
                  does_not_run[] = "its certificates cannot be checked: gecc does not run here",
                  no_way[] = "its issuer is of the input, and no CA of --keys vouches for it";

/* Who issued what. */

static int compare_parts(struct certificate_part a, struct certificate_part b) {
    const size_t size = a.size < b.size ? a.size : b.size;
    const int order = size ? memcmp(a.bytes, b.bytes, size) : 0;
    return order ? order : (a.size > b.size) - (a.size < b.size);
}

static bool vouches(const struct authority *one) { return one->allowance >= 0; }

/* Of one name those that vouch for others, and those of the set, as they stand there. The rest in an order that is not
 * the input's: those refused for a reason of their own before those that no chain leads to. */
static int compare_names(const void *a, const void *b) {
    const struct authority *x = a, *y = b;
    int order = compare_parts(x->certificate.subject, y->certificate.subject);
    order = order ? order : vouches(y) - vouches(x);
    order = order ? order : y->is_trusted - x->is_trusted;
    order = order ? order : (y->verdict == VERDICT_INVALID) - (x->verdict == VERDICT_INVALID);
    return order           ? order
           : x->is_trusted ? (x->number > y->number) - (x->number < y->number)
                           : memcmp(x->fingerprint, y->fingerprint, FINGERPRINT_DIGITS);
}

static const char *make_fingerprints(struct authorities *set, gecc_context *context) {
    for (size_t i = 0; i < set->count; i++) {
        struct authority *one = &set->all[i];
        uint8_t hash[GECC_HASH_BYTES_MOST], status = GECC_ITEM_NOT_PROCESSED;
        if (!one->fingerprint[0] &&
            gecc_digest(context, gecc_hash_named("SHA-256"), gecc_out_packed(hash, FINGERPRINT_DIGITS / 2),
                        gecc_out_packed(&status, 1), gecc_rows_packed(one->bytes, one->size), 1, NULL) != GECC_OK)
            return "fingerprints cannot be made";
        if (!one->fingerprint[0])
            hex_encode(one->fingerprint, hash, FINGERPRINT_DIGITS / 2);
    }
    return NULL;
}

/* Copies of certificates that are there already go. Hostile inputs may have many of one name. */
static int compare_all(const void *a, const void *b) {
    const struct authority *x = a, *y = b;
    const int order = memcmp(x->fingerprint, y->fingerprint, FINGERPRINT_DIGITS);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

static const char *drop_copies(struct authorities *set, gecc_context *context) {
    const char *reason = make_fingerprints(set, context);
    size_t count = 0, untrusted = 0;
    if (reason)
        return reason;
    if (set->count)
        qsort(set->all, set->count, sizeof *set->all, compare_all);
    for (size_t i = 0; i < set->count; i++) {
        struct authority *one = &set->all[i];
        if (count && memcmp(one->fingerprint, set->all[count - 1].fingerprint, FINGERPRINT_DIGITS) == 0) {
            set->all[count - 1].is_limited |= one->is_limited;
            free(one->bytes);
            free(one->name);
        } else {
            set->all[count++] = *one;
        }
    }
    set->count = count;
    set->gathered = 0;
    if (count)
        qsort(set->all, count, sizeof *set->all, compare_names);
    for (size_t i = 0; i < count; i++)
        untrusted += !set->all[i].is_trusted;
    return untrusted > AUTHORITIES_MOST ? "the input has more than 8192 certificates of CAs that --keys has not" : NULL;
}

const char *authorities_gather(struct authorities *set, const uint8_t *bytes, size_t size) {
    const char *wrong = authorities_add(set, bytes, size, false);
    if (wrong && strcmp(wrong, no_memory) == 0) /* rows say what else is wrong */
        return no_memory;
    if (set->gathered <= AUTHORITIES_MOST)
        return NULL;
    gecc_context *context = key_context_open();
    const char *reason = context ? drop_copies(set, context) : does_not_run;
    gecc_close(context);
    return reason;
}

/* The first of the set that has the name, and *count of them. */
static struct authority *find(const struct authorities *set, struct certificate_part name, size_t *count) {
    size_t from = 0, to = set->count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (compare_parts(set->all[middle].certificate.subject, name) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    while (to < set->count && same_part(set->all[to].certificate.subject, name))
        to++;
    *count = to - from;
    return *count ? set->all + from : NULL;
}

/* Do the identifiers that a certificate or list has of its issuer allow this one? What either does not say excludes
 * nothing (RFC 5280, 4.2.1.1). */
static bool is_meant(const struct certificate_terms *terms, const struct authority *issuer) {
    const struct certificate_terms *own = &issuer->terms;
    return (!terms->issuer_key_id.size || !own->key_id.size || same_part(terms->issuer_key_id, own->key_id)) &&
           (!terms->issuer_serial.size || same_part(terms->issuer_serial, issuer->certificate.serial)) &&
           (!terms->issuer_issuer.size || same_part(terms->issuer_issuer, issuer->certificate.issuer));
}

/* Authorities that have changed, in order. */
struct fresh {
    size_t *numbers, count;
};

/* Those of them that have the name, and *count of them. */
static const size_t *fresh_of(const struct authorities *set, const struct fresh *fresh, struct certificate_part name,
                              size_t *count) {
    size_t from = 0, to = fresh->count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (compare_parts(set->all[fresh->numbers[middle]].certificate.subject, name) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    while (to < fresh->count && same_part(set->all[fresh->numbers[to]].certificate.subject, name))
        to++;
    *count = to - from;
    return fresh->numbers + from;
}

/* Sealing. */

static const char not_begun[] = "its issuer's time has not come", ended[] = "its issuer has expired";

static const char *out_of_time(const struct authorities *set, const struct certificate_terms *terms, const char *before,
                               const char *after) {
    return !set->has_at ? NULL : set->at < terms->begins ? before : set->at > terms->ends ? after : NULL;
}

static void refuse(struct authority *one, enum verdict verdict, const char *reason) {
    one->verdict = verdict;
    one->reason = reason;
}

/* Its key, and why it vouches for nothing, even where another authority vouches for it; nothing is tried yet. */
static void judge(const struct authorities *set, struct authority *one) {
    struct key_file none = {.count = 0};
    const struct certificate_terms *terms = &one->terms;
    const char *of_key = der_key_read(&one->key, &none, one->bytes, one->size);
    const char *time = out_of_time(set, terms, not_begun, ended);
    if (of_key)
        one->key.count = 0;
    one->reason = NULL;
    one->allowance = -1;
    one->tried_count = 0;
    one->signers = one->list_count = 0;
    one->has_untried = false;
    if (one->is_revoked)
        refuse(one, VERDICT_INVALID, "its issuer is revoked, whoever trusts it");
    else if (one->is_limited)
        refuse(one, VERDICT_INVALID, "its issuer is not trusted for all uses (TRUSTED CERTIFICATE)");
    else if (!terms->is_ca)
        refuse(one, VERDICT_INVALID, "its issuer is no CA (basicConstraints)");
    else if (!terms->signs_certificates)
        refuse(one, VERDICT_INVALID, "its issuer's key is not for certificates (keyUsage)");
    else if (terms->unknown_critical)
        refuse(one, VERDICT_INVALID, "its issuer has a critical extension that is not looked at");
    else if (time)
        refuse(one, VERDICT_INVALID, time);
    else if (of_key)
        refuse(one, VERDICT_NO_KEY, of_key);
    else if (one->key.scheme == SCHEME_X25519)
        refuse(one, VERDICT_NO_KEY, "its key is of X25519, which has no signatures");
    else if (one->is_trusted)
        one->allowance = terms->path_length;
    else
        refuse(one, VERDICT_NO_KEY, no_way);
    one->may_vouch = one->reason == no_way;
    one->is_fresh = vouches(one);
}

static bool has_revoked(const struct authorities *set, const struct authority *issuer, struct certificate_part serial) {
    bool found = false;
    for (size_t i = 0; i < issuer->list_count && !found; i++)
        found = is_revoked(serial, set->lists[issuer->lists[i]].serials, set->lists[issuer->lists[i]].count);
    return found;
}

/* Has the issuer revoked it, or must it have said whom it revoked, and has not? */
static const char *revoked_by(const struct authorities *set, const struct authority *issuer,
                              struct certificate_part serial) {
    bool holds = false;
    if (has_revoked(set, issuer, serial))
        return "its issuer has revoked it";
    for (size_t i = 0; i < issuer->list_count; i++)
        holds |= !out_of_time(set, &set->lists[issuer->lists[i]].terms, not_begun, ended);
    return holds || !set->wants_lists ? NULL
           : issuer->list_count       ? "no list of --crl that its issuer signed holds at the time of --at"
                                      : "no list of --crl is its issuer's";
}

/* What is to be verified at once: an authority's certificate or a list, each under a candidate's key. */
struct pile {
    struct signed_item *items;
    size_t count, capacity;
};

static bool pile_add(struct pile *pile, const struct certificate *certificate, const struct authority *issuer,
                     size_t tag, size_t other) {
    if (pile->count == pile->capacity) {
        const size_t capacity = 2 * pile->capacity + 64;
        struct signed_item *items = reallocarray(pile->items, capacity, sizeof *items);
        if (!items)
            return false;
        pile->items = items;
        pile->capacity = capacity;
    }
    pile->items[pile->count++] =
        (struct signed_item){.signed_bytes = certificate, .key = &issuer->key, .tags = {tag, other}};
    return true;
}

static bool take_list(struct authorities *set, struct authority *issuer, size_t list) {
    for (size_t i = 0; i < issuer->list_count; i++)
        if (issuer->lists[i] == list)
            return true;
    size_t *lists = reallocarray(issuer->lists, issuer->list_count + 1, sizeof *lists);
    if (!lists)
        return false;
    issuer->lists = lists;
    issuer->lists[issuer->list_count++] = list;
    issuer->is_fresh = vouches(issuer);
    set->lists[list].refusal = NULL;
    return true;
}

/* A list is that of all certificates of the name and key that signed it. */
static bool take_list_of_key(struct authorities *set, const struct authority *signer, size_t list) {
    size_t count;
    struct authority *first = find(set, signer->certificate.subject, &count);
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++)
        if (same_part(first[i].certificate.key, signer->certificate.key))
            fits = take_list(set, first + i, list);
    return fits;
}

/* The lists of authorities that have come to vouch for others. */
static const char *settle_lists(struct authorities *set, const struct fresh *fresh, gecc_context *context) {
    struct pile pile = {.count = 0};
    bool fits = true;
    for (size_t i = 0; i < set->list_count; i++) {
        const struct revocations *list = &set->lists[i];
        size_t count;
        const size_t *issuers = fresh_of(set, fresh, list->list.issuer, &count);
        for (size_t c = 0; c < count && fits; c++)
            if (set->all[issuers[c]].terms.signs_lists && is_meant(&list->terms, &set->all[issuers[c]]))
                fits = pile_add(&pile, &list->list, &set->all[issuers[c]], issuers[c], i);
    }
    gecc_result result = fits ? signed_verify(context, pile.items, pile.count, &set->rules) : GECC_ERROR_MEMORY;
    for (size_t i = 0; i < pile.count && result == GECC_OK; i++)
        if (pile.items[i].valid && !take_list_of_key(set, &set->all[pile.items[i].tags[0]], pile.items[i].tags[1]))
            result = GECC_ERROR_MEMORY;
    free(pile.items);
    return result == GECC_OK ? NULL : gecc_result_text(result);
}

static bool was_tried(const struct authority *one, size_t issuer) {
    bool found = false;
    for (unsigned t = 0; t < one->tried_count && !found; t++)
        found = one->tried[t] == issuer;
    return found;
}

/* Verify those that are not of the set under issuers that have come to vouch for others. */
static const char *try_issuers(struct authorities *set, const struct fresh *fresh, gecc_context *context) {
    struct pile pile = {.count = 0};
    bool fits = true;
    for (size_t i = 0; i < set->count; i++) {
        struct authority *one = &set->all[i];
        size_t count;
        const size_t *issuers = fresh_of(set, fresh, one->certificate.issuer, &count);
        for (size_t c = 0; c < count && one->may_vouch && fits; c++) {
            if (!is_meant(&one->terms, &set->all[issuers[c]]))
                continue;
            one->is_stale = true;
            if (was_tried(one, issuers[c]))
                continue;
            one->has_untried |= one->tried_count == CANDIDATES_MOST;
            if (one->has_untried)
                continue;
            one->tried[one->tried_count] = (uint32_t)issuers[c];
            fits = pile_add(&pile, &one->certificate, &set->all[issuers[c]], i, one->tried_count++);
        }
    }
    gecc_result result = fits ? signed_verify(context, pile.items, pile.count, &set->rules) : GECC_ERROR_MEMORY;
    for (size_t i = 0; i < pile.count && result == GECC_OK; i++)
        if (pile.items[i].valid)
            set->all[pile.items[i].tags[0]].signers |= (uint64_t)1 << pile.items[i].tags[1];
    free(pile.items);
    return result == GECC_OK ? NULL : gecc_result_text(result);
}

static const char too_many[] = "more than 64 CAs that vouch for others have its issuer's name, and nothing tells them "
                               "apart";

/* How many may stand below it, as its issuers' allowances are; else it stays, and why. */
static int allowance_of(const struct authorities *set, struct authority *one, const int *allowances) {
    int most = one->allowance;
    const char *reason = one->has_untried ? too_many : "its issuer's own signature is not valid";
    for (unsigned t = 0; t < one->tried_count; t++) {
        if (!(one->signers >> t & 1))
            continue;
        const struct authority *issuer = &set->all[one->tried[t]];
        const int above = allowances[one->tried[t]],
                  left = above == PATH_UNLIMITED || one->terms.self_issued ? above : above - 1,
                  own = one->terms.path_length < left ? one->terms.path_length : left;
        const char *revoked = revoked_by(set, issuer, one->certificate.serial);
        if (revoked)
            reason = "its issuer is revoked, or no list of --crl says that it is not";
        else if (left < 0)
            reason = "more CAs stand above it than one of them allows (pathLenConstraint)";
        else if (own > most)
            most = own;
    }
    if (most >= 0)
        one->reason = NULL;
    else
        refuse(one, reason == too_many ? VERDICT_NO_KEY : VERDICT_INVALID, reason);
    return most;
}

static void collect_fresh(const struct authorities *set, struct fresh *fresh) {
    fresh->count = 0;
    for (size_t i = 0; i < set->count; i++)
        if (set->all[i].is_fresh)
            fresh->numbers[fresh->count++] = i;
}

/* Try all under those that have changed, which makes others change. */
static const char *make_step(struct authorities *set, const struct fresh *fresh, int *before, gecc_context *context) {
    for (size_t i = 0; i < set->count; i++) {
        before[i] = set->all[i].allowance;
        set->all[i].is_fresh = set->all[i].is_stale = false;
    }
    const char *reason = try_issuers(set, fresh, context);
    for (size_t i = 0; i < set->count && !reason; i++) {
        struct authority *one = &set->all[i];
        if (one->is_stale)
            one->allowance = allowance_of(set, one, before);
        one->is_fresh = one->allowance != before[i];
    }
    return reason;
}

/* Some would be tried under those that have changed, if --depth allowed. */
static void refuse_deeper(struct authorities *set, const struct fresh *fresh) {
    for (size_t i = 0; i < set->count; i++) {
        struct authority *one = &set->all[i];
        size_t count;
        const size_t *issuers = fresh_of(set, fresh, one->certificate.issuer, &count);
        for (size_t c = 0; c < count && one->may_vouch && !vouches(one); c++)
            if (is_meant(&one->terms, &set->all[issuers[c]]) && !was_tried(one, issuers[c]))
                refuse(one, VERDICT_INVALID, "more CAs stand above it than --depth allows");
    }
}

/* From those of the set down, one step more each round (Bellman, Ford): allowances are the best that chains of so many
 * steps give. A round looks only below those that the one before it has changed. */
static const char *make_chains(struct authorities *set, gecc_context *context) {
    int *before = malloc((set->count + 1) * sizeof *before);
    struct fresh fresh = {malloc((set->count + 1) * sizeof *fresh.numbers), 0};
    const char *reason = before && fresh.numbers ? NULL : no_memory;
    for (size_t step = 0; step <= set->depth && !reason; step++) {
        collect_fresh(set, &fresh);
        if (!fresh.count)
            break;
        reason = settle_lists(set, &fresh, context);
        collect_fresh(set, &fresh);
        if (!reason && step < set->depth)
            reason = make_step(set, &fresh, before, context);
        else if (!reason && set->depth)
            refuse_deeper(set, &fresh);
    }
    free(before);
    free(fresh.numbers);
    return reason;
}

/* Find authorities that vouch for others though a list revokes them: those of the set, which nobody has to vouch for,
 * and those whose chains were made before the list was known. Returns whether there are more of them. */
static bool find_revoked(struct authorities *set) {
    bool more = false;
    for (size_t i = 0; i < set->count; i++) {
        struct authority *one = &set->all[i];
        size_t count = 0;
        const bool may_be = vouches(one) && set->list_count && !one->terms.self_issued;
        const struct authority *first = may_be && one->is_trusted ? find(set, one->certificate.issuer, &count) : NULL;
        for (size_t c = 0; c < count && !one->is_revoked; c++)
            one->is_revoked = vouches(first + c) && is_meant(&one->terms, first + c) &&
                              has_revoked(set, first + c, one->certificate.serial);
        for (unsigned t = 0; t < one->tried_count && may_be && !one->is_revoked; t++)
            one->is_revoked =
                (one->signers >> t & 1) && has_revoked(set, &set->all[one->tried[t]], one->certificate.serial);
        more |= vouches(one) && one->is_revoked;
    }
    return more;
}

/* Whom a list revokes vouches for nobody, so that what follows from it is found once more without it. */
static const char *settle_all(struct authorities *set, gecc_context *context) {
    const char *reason;
    do {
        for (size_t i = 0; i < set->count; i++)
            judge(set, &set->all[i]);
        reason = make_chains(set, context);
    } while (!reason && find_revoked(set));
    if (set->count)
        qsort(set->all, set->count, sizeof *set->all, compare_names);
    return reason;
}

const char *authorities_seal(struct authorities *set) {
    gecc_context *context = key_context_open();
    if (!context)
        return does_not_run;
    const char *reason = drop_copies(set, context);
    if (!reason)
        reason = settle_all(set, context);
    gecc_close(context);
    return reason;
}

void authorities_say(const struct authorities *set) {
    for (size_t i = 0; i < set->count; i++)
        if (set->all[i].is_limited || (set->all[i].is_trusted && set->all[i].is_revoked))
            say("gecc: a CA of --keys, %.200s, is not used: %s", set->all[i].name ? set->all[i].name : "",
                set->all[i].is_limited ? "it is a TRUSTED CERTIFICATE that is not trusted for all uses"
                                       : "a list of --crl revokes it");
    if (set->too_long)
        say("gecc: certificates of CAs in the input that are passed over, since they have more than 64 KiB: %zu",
            set->too_long);
    for (size_t i = 0; i < set->list_count; i++)
        if (set->lists[i].refusal) {
            char *name = certificate_name(set->lists[i].list.issuer);
            say("gecc: the list of revoked certificates number %zu, of %.200s, is not used: %s", i + 1,
                name ? name : "", set->lists[i].refusal);
            free(name);
        }
}

/* Choosing. */

/* One that vouches for others may not have issued this one. */
static void consider(struct choice_of_issuers *choice, const struct authorities *set, const struct authority *one,
                     const struct certificate *certificate) {
    const char *reason = revoked_by(set, one, certificate->serial), *other = NULL;
    enum verdict verdict = VERDICT_INVALID;
    gecc_hash hash;
    if (!reason && signed_scheme(certificate, &one->key, &hash, &other) == SCHEME_OF_CURVE) {
        reason = other;
        verdict = VERDICT_MALFORMED;
    }
    if (!reason)
        choice->found[choice->count++] = one;
    else if (!choice->reason || (verdict == VERDICT_INVALID && choice->verdict != VERDICT_INVALID)) {
        choice->reason = reason;
        choice->verdict = verdict;
    }
}

void authorities_choose(struct choice_of_issuers *choice, const struct authorities *set,
                        const struct certificate *certificate, const struct certificate_terms *terms) {
    const struct authority *found[CANDIDATES_MOST], *refused = NULL;
    size_t of_name, count = 0, i = 0;
    const struct authority *first = find(set, certificate->issuer, &of_name);
    const char *time = out_of_time(set, terms, "notBefore: its time has not come", "notAfter: it has expired");
    for (; i < of_name && vouches(first + i) && count <= CANDIDATES_MOST; i++)
        if (is_meant(terms, first + i) && ++count <= CANDIDATES_MOST)
            found[count - 1] = first + i;
    for (; i < of_name && !count && !refused; i++)
        if (is_meant(terms, first + i))
            refused = first + i;
    choice->count = 0;
    choice->verdict = VERDICT_NO_KEY;
    choice->reason = !of_name                  ? "no CA of --keys has its issuer's name"
                     : !count && !refused      ? "no CA of its issuer's name has the key identifier that it names"
                     : count > CANDIDATES_MOST ? too_many
                                               : NULL;
    if (choice->reason)
        return;
    if (time || terms->unknown_critical) {
        choice->verdict = VERDICT_INVALID;
        choice->reason = time ? time : "a critical extension that is not looked at";
        return;
    }
    if (refused) {
        choice->verdict = refused->verdict;
        choice->reason = refused->reason;
    }
    for (size_t c = 0; c < count; c++)
        consider(choice, set, found[c], certificate);
}
