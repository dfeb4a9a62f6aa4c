/* RLP (Yellow Paper, appendix B), strictly: each length and number is written in the shortest way, and all that an item
 * says that it holds is there. */
#ifndef GECC_LEDGER_RLP_H
#define GECC_LEDGER_RLP_H

#include <gecc/ethereum.h>
#include <stdbool.h>
#include <stddef.h>

/* Bytes that are read from `at` to `end`, and the first defect, with its place: the reason is 0 as long as nothing is.
 * Readers of items within a list share the failure. */
struct rlp_failure {
    gecc_ethereum_reason reason;
    size_t position;
};

struct rlp {
    const uint8_t *data;
    size_t at, end;
    struct rlp_failure *failure;
};

/* An item of `width` bytes at `at`, after its head, which starts at `head`. */
struct rlp_item {
    size_t head, at, width;
    bool is_list;
};

enum { RLP_HEAD_MOST = 9 };

/* Note a failure, unless there is one. Returns false. */
bool rlp_fail(const struct rlp *rlp, gecc_ethereum_reason reason, size_t position);

static inline bool rlp_has_more(const struct rlp *rlp) { return rlp->at < rlp->end; }

/* The next item, which is passed. False where there is none that is well formed; then *item is empty. */
bool rlp_next(struct rlp *rlp, struct rlp_item *item);
/* One that is a string; a list, of which *within then reads the items. */
bool rlp_string(struct rlp *rlp, struct rlp_item *item);
bool rlp_list(struct rlp *rlp, struct rlp *within);
/* A string of so many bytes; a number of at most so many, without zeros before it. */
bool rlp_bytes(struct rlp *rlp, struct rlp_item *item, size_t width);
bool rlp_number(struct rlp *rlp, struct rlp_item *item, size_t most);
/* Fails where anything is left. */
bool rlp_ends(const struct rlp *rlp);

/* The head of a list of `width` bytes; returns its own bytes, RLP_HEAD_MOST at most. */
size_t rlp_write_list_head(uint8_t *out, size_t width);

#endif
