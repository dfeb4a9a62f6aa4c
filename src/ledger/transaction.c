#include "ledger/transaction.h"

#include <string.h>

/* EIP-2930, EIP-1559, EIP-4844, EIP-7702; and the byte that EIP-7702 puts before an authorization. */
enum { LEGACY = 0, ACCESS_LIST = 1, DYNAMIC_FEE = 2, BLOBS = 3, SET_CODE = 4, MAGIC = 5 };
enum { ADDRESS = 20, HASH = 32, WORD = 32, COUNTER = 8, BLOB = 131072, COMMITMENT = 48, PROOF = 48, CELL_PROOFS = 128 };
/* A parity that recovery refuses. */
enum { NO_PARITY = 2 };

/* What the items of a transaction are, in its order; 0 ends them. The signature follows. */
enum field {
    FIELD_END,
    FIELD_CHAIN_ID,
    FIELD_COUNTER,
    FIELD_WORD,
    FIELD_TO,
    FIELD_ADDRESS,
    FIELD_DATA,
    FIELD_ACCESS,
    FIELD_HASHES,
    FIELD_AUTHORIZATIONS
};

static const uint8_t fields[][13] = {
    [LEGACY] = {FIELD_COUNTER, FIELD_WORD, FIELD_COUNTER, FIELD_TO, FIELD_WORD, FIELD_DATA},
    [ACCESS_LIST] = {FIELD_CHAIN_ID, FIELD_COUNTER, FIELD_WORD, FIELD_COUNTER, FIELD_TO, FIELD_WORD, FIELD_DATA,
                     FIELD_ACCESS},
    [DYNAMIC_FEE] = {FIELD_CHAIN_ID, FIELD_COUNTER, FIELD_WORD, FIELD_WORD, FIELD_COUNTER, FIELD_TO, FIELD_WORD,
                     FIELD_DATA, FIELD_ACCESS},
    [BLOBS] = {FIELD_CHAIN_ID, FIELD_COUNTER, FIELD_WORD, FIELD_WORD, FIELD_COUNTER, FIELD_ADDRESS, FIELD_WORD,
               FIELD_DATA, FIELD_ACCESS, FIELD_WORD, FIELD_HASHES},
    [SET_CODE] = {FIELD_CHAIN_ID, FIELD_COUNTER, FIELD_WORD, FIELD_WORD, FIELD_COUNTER, FIELD_ADDRESS, FIELD_WORD,
                  FIELD_DATA, FIELD_ACCESS, FIELD_AUTHORIZATIONS},
};

/* Items of `width` bytes each; *count: how many. */
static bool read_strings(struct rlp *rlp, size_t width, size_t *count) {
    struct rlp within;
    struct rlp_item item;
    *count = 0;
    bool read = rlp_list(rlp, &within);
    for (; read && rlp_has_more(&within); ++*count)
        read = rlp_bytes(&within, &item, width);
    return read;
}

/* [[address, [key, ...]], ...] (EIP-2930). */
static bool read_access_list(struct rlp *rlp) {
    struct rlp list, entry;
    struct rlp_item item;
    size_t keys;
    bool read = rlp_list(rlp, &list);
    while (read && rlp_has_more(&list))
        read = rlp_list(&list, &entry) && rlp_bytes(&entry, &item, ADDRESS) && read_strings(&entry, HASH, &keys) &&
               rlp_ends(&entry);
    return read;
}

/* r or s, to 32 bytes; or the number that v is. */
static bool read_scalar(struct rlp *rlp, uint8_t *out) {
    struct rlp_item item;
    if (!rlp_number(rlp, &item, WORD))
        return false;
    memset(out, 0, WORD - item.width);
    memcpy(out + WORD - item.width, rlp->data + item.at, item.width);
    return true;
}

static bool is_small(const uint8_t word[WORD]) {
    uint8_t high = 0;
    for (int i = 0; i < WORD - 1; i++)
        high |= word[i];
    return high == 0;
}

static uint8_t parity_of(const uint8_t word[WORD]) {
    return is_small(word) && word[WORD - 1] <= 1 ? word[WORD - 1] : NO_PARITY;
}

/* [chain id, address, nonce, y parity, r, s] (EIP-7702), of which the body has three. */
static bool read_authorization(struct rlp *rlp, struct signing *signing) {
    struct rlp within;
    struct rlp_item item;
    uint8_t parity[WORD];
    if (!rlp_list(rlp, &within))
        return false;
    signing->body.at = within.at;
    bool read =
        rlp_number(&within, &item, WORD) && rlp_bytes(&within, &item, ADDRESS) && rlp_number(&within, &item, COUNTER);
    signing->body.width = within.at - signing->body.at;
    size_t parity_at = within.at;
    read = read && read_scalar(&within, parity) &&
           (is_small(parity) || rlp_fail(&within, GECC_ETHEREUM_NUMBER, parity_at)) &&
           read_scalar(&within, signing->signature) && read_scalar(&within, signing->signature + WORD) &&
           rlp_ends(&within);
    if (!read)
        return false;
    signing->signature[2 * WORD] = parity_of(parity);
    signing->prefix[0] = MAGIC;
    signing->prefix_bytes = 1 + rlp_write_list_head(signing->prefix + 1, signing->body.width);
    signing->suffix_bytes = 0;
    return true;
}

bool authorization_read(struct rlp *authorizations, struct signing *signing) {
    return rlp_has_more(authorizations) && read_authorization(authorizations, signing);
}

static bool read_authorizations(struct rlp *rlp, struct transaction *transaction) {
    struct rlp list;
    struct signing signing;
    bool read = rlp_list(rlp, &list);
    transaction->authorizations = (struct part){list.at, list.end - list.at};
    for (; read && rlp_has_more(&list); transaction->authorization_count++)
        read = read_authorization(&list, &signing);
    return read;
}

/* The number, below 2^256, is the chain's, or any will do. */
static bool check_chain(const struct rlp *rlp, const uint8_t *number, size_t width, uint64_t chain_id,
                        size_t position) {
    uint64_t value = 0;
    bool large = false;
    for (size_t i = 0; i < width; i++) {
        large |= value >> 56 != 0;
        value = value << 8 | number[i];
    }
    return chain_id == 0 || (!large && value == chain_id) || rlp_fail(rlp, GECC_ETHEREUM_CHAIN, position);
}

static bool read_field(struct rlp *rlp, enum field field, struct transaction *transaction, uint64_t chain_id,
                       size_t *hashes) {
    struct rlp_item item;
    switch (field) {
    case FIELD_CHAIN_ID:
        return rlp_number(rlp, &item, WORD) && check_chain(rlp, rlp->data + item.at, item.width, chain_id, item.head);
    case FIELD_COUNTER:
        return rlp_number(rlp, &item, COUNTER);
    case FIELD_WORD:
        return rlp_number(rlp, &item, WORD);
    case FIELD_TO:
        return rlp_string(rlp, &item) &&
               (item.width == 0 || item.width == ADDRESS || rlp_fail(rlp, GECC_ETHEREUM_WIDTH, item.head));
    case FIELD_ADDRESS:
        return rlp_bytes(rlp, &item, ADDRESS);
    case FIELD_DATA:
        return rlp_string(rlp, &item);
    case FIELD_ACCESS:
        return read_access_list(rlp);
    case FIELD_HASHES:
        return read_strings(rlp, HASH, hashes);
    case FIELD_AUTHORIZATIONS:
        return read_authorizations(rlp, transaction);
    case FIELD_END:
        break;
    }
    return false;
}

/* word = (word - 35) / 2, for a word of 35 at least. */
static void chain_of_v(uint8_t word[WORD]) {
    unsigned borrow = 35, carry = 0;
    for (int i = WORD - 1; i >= 0; i--) {
        unsigned digit = 256u + word[i] - borrow;
        word[i] = (uint8_t)digit;
        borrow = digit < 256;
    }
    for (int i = 0; i < WORD; i++) {
        unsigned digit = carry << 8 | word[i];
        word[i] = (uint8_t)(digit >> 1);
        carry = digit & 1;
    }
}

/* v before EIP-155, 27 or 28, or 35 and the parity and twice the chain's id, which is then signed with two zeros after
 * it. */
static bool take_v(const struct rlp *rlp, uint8_t v[WORD], uint64_t chain_id, size_t position,
                   struct signing *signing) {
    uint8_t last = v[WORD - 1], *suffix = signing->suffix, *parity = &signing->signature[2 * WORD];
    size_t skipped = 0;
    signing->suffix_bytes = 0;
    if (is_small(v) && last < 35) {
        *parity = last == 27 || last == 28 ? (uint8_t)(last - 27) : NO_PARITY;
        return true;
    }
    *parity = (last & 1) ^ 1;
    chain_of_v(v);
    while (skipped < WORD && v[skipped] == 0)
        skipped++;
    const size_t width = WORD - skipped;
    if (width != 1 || v[skipped] >= 0x80)
        *suffix++ = (uint8_t)(0x80 + width);
    memcpy(suffix, v + skipped, width);
    suffix += width;
    *suffix++ = 0x80;
    *suffix++ = 0x80;
    signing->suffix_bytes = (size_t)(suffix - signing->suffix);
    return check_chain(rlp, v + skipped, width, chain_id, position);
}

/* The items of a transaction; *hashes: how many blobs it has. */
static bool read_items(struct rlp *rlp, struct transaction *transaction, uint64_t chain_id, size_t *hashes) {
    struct signing *signing = &transaction->signing;
    uint8_t v[WORD];
    signing->body.at = rlp->at;
    for (const uint8_t *field = fields[transaction->type]; *field != FIELD_END; field++)
        if (!read_field(rlp, (enum field) * field, transaction, chain_id, hashes))
            return false;
    signing->body.width = rlp->at - signing->body.at;
    size_t v_at = rlp->at;
    if (!read_scalar(rlp, v) || !read_scalar(rlp, signing->signature) || !read_scalar(rlp, signing->signature + WORD) ||
        !rlp_ends(rlp))
        return false;
    if (transaction->type != LEGACY)
        signing->signature[2 * WORD] = parity_of(v);
    else if (!take_v(rlp, v, chain_id, v_at, signing))
        return false;
    const size_t head = transaction->type != LEGACY;
    signing->prefix[0] = transaction->type;
    signing->prefix_bytes =
        head + rlp_write_list_head(signing->prefix + head, signing->body.width + signing->suffix_bytes);
    return true;
}

/* What follows a transaction in the network's form: blobs, commitments and proofs, as many as hashes (EIP-4844), or a
 * version, 1, and then the same with the proofs of cells (EIP-7594). */
static bool read_sidecar(struct rlp *rlp, size_t hashes) {
    struct rlp_item version;
    size_t start = rlp->at, blobs, commitments, proofs, of_a_blob = 1;
    if (rlp_has_more(rlp) && rlp->data[rlp->at] < 0xc0) {
        of_a_blob = CELL_PROOFS;
        if (!rlp_number(rlp, &version, COUNTER))
            return false;
        if (version.width != 1 || rlp->data[version.at] != 1)
            return rlp_fail(rlp, GECC_ETHEREUM_SIDECAR, version.head);
    }
    if (!read_strings(rlp, BLOB, &blobs) || !read_strings(rlp, COMMITMENT, &commitments) ||
        !read_strings(rlp, PROOF, &proofs) || !rlp_ends(rlp))
        return false;
    bool agree = blobs == hashes && commitments == hashes && proofs == hashes * of_a_blob;
    return agree || rlp_fail(rlp, GECC_ETHEREUM_SIDECAR, start);
}

/* The list that a transaction is, or that of a transaction and its blobs. */
static bool read_lists(struct rlp *rlp, struct transaction *transaction, uint64_t chain_id) {
    struct rlp items, core;
    size_t start = rlp->at, hashes = 0;
    if (!rlp_list(rlp, &items) || !rlp_ends(rlp))
        return false;
    transaction->core = (struct part){start, rlp->at - start};
    transaction->has_blobs = transaction->type == BLOBS && rlp_has_more(&items) && rlp->data[items.at] >= 0xc0;
    if (!transaction->has_blobs)
        return read_items(&items, transaction, chain_id, &hashes);
    start = items.at;
    if (!rlp_list(&items, &core))
        return false;
    transaction->core = (struct part){start, items.at - start};
    return read_items(&core, transaction, chain_id, &hashes) && read_sidecar(&items, hashes);
}

bool transaction_read(struct transaction *transaction, const uint8_t *data, size_t width, uint64_t chain_id) {
    struct rlp rlp = {data, 0, width, &transaction->failure};
    transaction->failure = (struct rlp_failure){GECC_ETHEREUM_PARSED, 0};
    transaction->type = LEGACY;
    transaction->has_blobs = false;
    transaction->authorizations = (struct part){0, 0};
    transaction->authorization_count = 0;
    transaction->signing.suffix_bytes = 0;
    if (width == 0)
        return rlp_fail(&rlp, GECC_ETHEREUM_EMPTY, 0);
    const uint8_t first = data[0];
    if (first < 0xc0) {
        if (first < ACCESS_LIST || first > SET_CODE)
            return rlp_fail(&rlp, GECC_ETHEREUM_TYPE, 0);
        transaction->type = first;
        rlp.at = 1;
    }
    return read_lists(&rlp, transaction, chain_id);
}

void signing_write(uint8_t *out, const struct signing *signing, const uint8_t *data) {
    memcpy(out, signing->prefix, signing->prefix_bytes);
    out += signing->prefix_bytes;
    memcpy(out, data + signing->body.at, signing->body.width);
    memcpy(out + signing->body.width, signing->suffix, signing->suffix_bytes);
}
