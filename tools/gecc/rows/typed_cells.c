#include "rows/typed_cells.h"
#include "rows/documents.h"
#include "rows/typed_data.h"

#include <stdlib.h>

const char *typed_cell_decode(struct batch *batch, struct span *out, const struct cell *cell) {
    const char *reason = batch_take(batch, TYPED_DATA_BYTES, out);
    struct arena arena = {.chunk_bytes = 16 << 10};
    size_t size = cell->length;
    char *copy = cell->doubled ? cell_copy(cell, &size) : NULL;
    if (!reason)
        reason = cell->doubled && !copy
                     ? "not enough memory"
                     : typed_data_encode(batch->bytes + out->offset, copy ? copy : cell->text, size, &arena);
    free(copy);
    arena_free(&arena);
    return reason;
}

const char *typed_cell_refusal(const struct options *options, const struct group *key, uint32_t columns,
                               const struct cell *cells) {
    const gecc_hash hash = group_hash_given(key, options);
    return cells[COLUMN_MSG].text || (columns & COLUMN_BIT(MSG_TEXT)) ? "a message of its own beside typed data"
           : key->curve && key->curve != GECC_SECP256K1               ? "typed data is signed on secp256k1"
           : options->personal_message                                ? "--personal-message, and typed data is none"
           : hash != GECC_HASH_DEFAULT && hash != GECC_KECCAK256 ? "a hash, and typed data is hashed with keccak256"
                                                                 : NULL;
}
