/* What a record has besides what a command reads goes into each of its rows, before the results, in commands that make
 * rows of their own; but for `priv`, a private key, by any of its names. A name that results have, after any number of
 * `input_`, gets one more `input_`, so that names stay apart. */
#ifndef TOOL_KEPT_H
#define TOOL_KEPT_H

#include "text/buffer.h"
#include "text/csv.h"
#include "text/json.h"

/* Bytes that are kept of a record of several rows, at most: work and output stay within a multiple of the input. */
enum { KEPT_MOST = 4096 };
#define KEPT_TOO_LONG "more than 4096 bytes that go into each row, beside what is read"

/* What is said where rows of CSV come of objects. */
#define MEMBERS_LEFT_OUT                                                                                               \
    "members of objects are in no row, as CSV has no columns for them. With --output-format jsonl rows have all but "  \
    "those that are longer than 4096 bytes"

#define NO_MEMBER_TWICE "a column twice, which is no member twice: " /* and its name */

/* The names of results, to NULL. */
typedef const char *const *result_list;

/* Whether the member has that name, however its characters are written. */
bool member_is(const struct json_member *member, const char *name);

/* `"name":value,`, without blanks. */
void kept_put_member(struct buffer *out, result_list results, const struct json_member *member);

/* How many cells of a row may be kept, at most `count`, as there are names. Where a name is `priv`, and the row has
 * more or fewer cells than names, none: nobody knows which of them is the key. */
size_t kept_cells(const char *header, const struct csv_field *names, size_t count, size_t cells);

/* A name of CSV's header, or the cell of that name, as it stands, and a comma. */
void kept_put_name(struct buffer *out, result_list results, const char *header, const struct csv_field *name);
void kept_put_cell(struct buffer *out, const char *header, const struct csv_field *name, const char *text,
                   const struct csv_field *field);

/* Whether no two of the names of CSV's header that are kept are one, as they have to be apart where they are members;
 * else why not, of this input. */
bool kept_names_differ(char *error, size_t size, const char *input, const char *header, const struct csv_field *names,
                       size_t count);

/* `"name":"cell",` */
void kept_put_cell_as_member(struct buffer *out, result_list results, const char *header, const struct csv_field *name,
                             const char *text, const struct csv_field *field);

#endif
