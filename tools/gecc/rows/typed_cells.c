#include "rows/typed_cells.h"
#include "rows/typed_data.h"

#include <stdlib.h>
#include <string.h>

const char *typed_cell_decode(struct batch *batch, struct span *out, const struct cell *cell) {
    uint8_t encoded[TYPED_DATA_BYTES]; /* there is room for it in the batch where the cell is a document */
    struct arena arena = {.chunk_bytes = 16 << 10};
    size_t size = cell->length;
    char *copy = cell->doubled ? cell_copy(cell, &size) : NULL;
    const char *reason = "not enough memory";
    if (copy || !cell->doubled)
        reason = typed_data_encode(encoded, copy ? copy : cell->text, size, &arena);
    if (!reason)
        reason = batch_take(batch, sizeof encoded, out);
    if (!reason)
        memcpy(batch->bytes + out->offset, encoded, sizeof encoded);
    free(copy);
    arena_free(&arena);
    return reason;
}

const char *typed_cell_refusal(const struct options *options, struct group *key, uint32_t columns,
                               const struct cell *cells) {
    const gecc_hash hash = group_hash_given(key, options);
    key->hash = GECC_KECCAK256;
    return cells[COLUMN_MSG].text || (columns & COLUMN_BIT(MSG_TEXT)) ? "a message of its own beside typed data"
           : key->curve && key->curve != GECC_SECP256K1               ? "typed data is signed on secp256k1"
           : options->personal_message                                ? "--personal-message, and typed data is none"
           : hash != GECC_HASH_DEFAULT && hash != GECC_KECCAK256 ? "a hash, and typed data is hashed with keccak256"
                                                                 : NULL;
}
