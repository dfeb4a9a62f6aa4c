/* Cells of keys that hold PEM, or DER in hexadecimal or base64, as key files do. */
#ifndef TOOL_KEY_CELLS_H
#define TOOL_KEY_CELLS_H

#include "rows/batch.h"

enum { KEY_COLUMNS = 3 };

/* Keys of one row that were taken from such cells. */
struct key_cells {
    gecc_curve curve;   /* theirs, and of keys from files; 0: there are none */
    enum column column; /* of the last of them */
    bool in_cells;      /* some are not from files */
    size_t count;
    struct key_file keys[KEY_COLUMNS];
};

/* Whether a cell may be PEM, which is no base64. */
bool cell_is_pem(const struct cell *cell);
/* Whether a cell of that column may hold a key in PEM or DER, which says a curve. */
bool cell_may_say_curve(enum column column, const struct cell *cell);

/* Cells that hold such keys become what the others are: points or numbers in hexadecimal, which lie in *keys. Other
 * cells stay as they are, and cost a look at a character. A private key in a column of public ones is refused, and its
 * row's text is not kept, unless the command's output is for secrets. false: the row is refused. key_cells_wipe is due
 * in any case. */
bool key_cells_take(struct key_cells *keys, struct batch *batch, struct row *row, struct cell cells[COLUMN_COUNT]);
void key_cells_wipe(struct key_cells *keys);

/* The key of a file or a cell as a cell in hexadecimal; of a public key for BIP-340 x alone. */
struct cell key_cell(const struct key_file *key, const struct options *options, bool is_private);

/* Why a row on another curve cannot have keys on this one. */
const char *key_curve_refusal(gecc_curve curve);

#endif
