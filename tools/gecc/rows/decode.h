/* From the cells of a row, as a reader found them, to bytes in a batch. */
#ifndef TOOL_DECODE_H
#define TOOL_DECODE_H

#include "rows/batch.h"

/* The column which the mapping reads under that name of the input, or COLUMN_COUNT. */
enum column column_find(const struct mapping *mapping, const struct options *options, const char *name, size_t length);

/* Whether a column of that name, which column_find found, is read only where there is no `digest`: `message`, which in
 * many files is a text, unless --map or --require names it. */
bool column_gives_way(const struct options *options, enum column column, const char *name, size_t length);

/* Whether --map names columns of the mapping; if not, writes why. */
bool map_is_right(const struct mapping *mapping, const struct options *options, char *error, size_t size);

/* Whether the columns of --require are columns of the mapping; if not, writes why. */
bool required_is_right(const struct mapping *mapping, const struct options *options, char *error, size_t size);

/* Whether private keys of rows may go into the output: the command takes some, or numbers that may be some. */
bool mapping_keeps_keys(const struct mapping *mapping);

/* Whether a column of that name holds secrets that the command has no use for: it does not go into the output. */
bool column_is_dropped(const struct mapping *mapping, const char *name, size_t length);

/* Whether a text that could not be read may hold a private key, or what gives one away. */
bool may_hold_secret(const char *text, size_t size);

/* The column of another command, or of an earlier version of this one, that has this name and is not read: a number
 * below UNREAD_MESSAGE, which is a `message` that gave way; UNREAD_NONE: it is none. */
enum { UNREAD_MESSAGE = 63, UNREAD_NONE };
unsigned unread_find(const struct mapping *mapping, const struct options *options, const char *name, size_t length);
/* "the column `id` is not read: ..." */
void unread_say(char *out, size_t size, const struct mapping *mapping, unsigned unread);

/* The form of a row that has the columns `present`; 0: none. */
uint32_t form_choose(const struct mapping *mapping, const struct options *options, uint32_t present);

/* Why no row with these columns can be read: for formats where all rows have the same. NULL: they can. */
const char *columns_refuse(const struct mapping *mapping, const struct options *options, uint32_t present);

/* Of these columns those of which a file's first row decides that all of its rows have them: what is signed. */
uint32_t columns_told(const struct mapping *mapping, uint32_t present);

/* Columns that are the same for all rows, from key files. */
uint32_t columns_given(const struct options *options);

/* Say that none of the mapping's columns is there; row_decode looks at no others. */
static inline void cells_clear(const struct batch *batch, struct cell cells[COLUMN_COUNT]) {
    cells[COLUMN_DIGEST] = (struct cell){NULL, 0, false}; /* is looked for in any row: column_gives_way */
    for (size_t i = 0; i < batch->column_count; i++)
        cells[batch->columns[i]] = (struct cell){NULL, 0, false};
}

/* Keep the name of the sum that the row is a term of, if there is one: batch->cells[COLUMN_GROUP]. */
void row_name(struct batch *batch, const struct row *row, const struct cell cells[COLUMN_COUNT]);

/* Decode the row's cells and put it in its group, or refuse it. */
void row_decode(struct batch *batch, struct row *row, struct cell cells[COLUMN_COUNT]);

/* Put a row, of which the cells but the signer's id are in batch->cells, in the group like *key. */
void row_join(struct batch *batch, struct row *row, const struct group *key);

/* The same of all rows of the batch at once, which stay where they lie in its text, one behind the other. false: they
 * have to be decoded, as some may be refused or their widths differ. */
bool rows_lay(struct batch *batch, const struct layout *layout);

/* As row_decode, of a raw row. */
void row_decode_binary(struct batch *batch, struct row *row, const struct layout *layout, const char *bytes);

/* A modulus from hexadecimal: an odd number from 3, at most 64 bytes, written in 16 bytes or more, in steps of 4, and
 * no fewer than bits / 8. Returns NULL or why not. */
const char *modulus_decode(struct group *group, size_t bits, const char *text, size_t digits);

#endif
