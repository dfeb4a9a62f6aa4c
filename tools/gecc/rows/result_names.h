/* The names of what the writer adds to a row, and those under which columns of the input are kept that have such a
 * name. */
#ifndef TOOL_RESULT_NAMES_H
#define TOOL_RESULT_NAMES_H

#include "command_line/command.h"
#include "command_line/options.h"

enum { FIRST_RESULT = 3, RESULT_NAMES = FIRST_RESULT + MAX_RESULTS, RESULT_NAME_BYTES = 96 };

/* Name 0, 1, ...: --prefix and `status`, `reason`, `line`, then the results. Returns its length; 0: there is no such
 * name. */
size_t result_name(char out[RESULT_NAME_BYTES], const struct mapping *mapping, const struct options *options,
                   size_t index);

/* Which of them a name is; RESULT_NAMES: none. */
size_t result_name_find(const struct mapping *mapping, const struct options *options, const char *name, size_t length);

/* The name of the input's column with the name `index`: input_NAME, and input_NAME_2, ... where that is taken. */
size_t kept_name(char out[RESULT_NAME_BYTES], const struct mapping *mapping, const struct options *options,
                 size_t index, unsigned number);

/* Whether a column of the input with the name `index` stands in the place of the result, which is compared with it. */
bool column_stands(const struct mapping *mapping, enum column column, size_t index);

/* The numbers under which columns of the input are called like kept ones: bit k of taken[i] is that of
 * kept_name(..., i, k). */
struct kept_names {
    uint64_t taken[RESULT_NAMES];
};
/* Note that a column of the input has that name. */
void kept_names_note(struct kept_names *names, const struct mapping *mapping, const struct options *options,
                     const char *name, size_t length);
/* The least number that no column has, which then is taken; 0: all below 64 are. */
unsigned kept_names_take(struct kept_names *names, size_t index);

#endif
