/* JSON Lines: one object on each line. */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "json.h"
#include "reader.h"

#include <stdlib.h>
#include <string.h>

/* A string of the row that had to be copied to take away its escapes. */
struct copies {
    size_t count;
    struct {
        char *text;
        size_t length;
    } at[2 * COLUMN_COUNT];
};

static void copies_free(struct copies *copies) {
    for (size_t i = 0; i < copies->count; i++) {
        explicit_bzero(copies->at[i].text, copies->at[i].length);
        free(copies->at[i].text);
    }
}

/* A string without its quotation marks and escapes. */
static struct cell string_cell(struct copies *copies, const char *text, size_t length, bool escaped) {
    struct cell cell = {text + 1, length - 2, false};
    if (escaped && copies->count < 2 * COLUMN_COUNT) {
        char *copy = json_unescape(text, length, &cell.length);
        cell.text = copy;
        if (copy) {
            copies->at[copies->count].text = copy;
            copies->at[copies->count++].length = cell.length;
        }
    }
    return cell;
}

static const char *bind(const struct reader *reader, struct cell cells[COLUMN_COUNT], struct copies *copies,
                        const struct json_member *member, struct cell name, enum column *column) {
    *column = column_find(reader->mapping, name.text, name.length);
    if (*column == COLUMN_COUNT)
        return NULL;
    struct cell *cell = &cells[*column];
    if (cell->text)
        return "a name twice";
    switch (member->type) {
    case JSON_STRING_VALUE:
        *cell = string_cell(copies, member->value, member->value_length, member->value_escaped);
        return cell->text ? NULL : "a string that cannot be read";
    case JSON_NUMBER_VALUE:
        *cell = (struct cell){member->value, member->value_length, false};
        return reader->mapping->kinds[*column] == KIND_RECID ? NULL : "a number where a string is expected";
    case JSON_NULL_VALUE:
        return NULL;
    case JSON_OTHER_VALUE:
        break;
    }
    return "neither a string nor null";
}

/* Grow the last span, or begin another after a member that is not kept. */
static bool keep_member(const struct batch *batch, struct row *row, const struct json_member *member, bool *keeping) {
    struct span *keep = &batch->keep[(size_t)(row - batch->rows) * KEEP_MAX];
    uint32_t start = (uint32_t)(member->name - batch->text);
    uint32_t end = (uint32_t)(member->value + member->value_length - batch->text);
    if (!*keeping) {
        if (row->keep_count == KEEP_MAX)
            return false;
        keep[row->keep_count++].offset = start;
    }
    struct span *span = &keep[row->keep_count - 1];
    span->length = end - span->offset;
    return *keeping = true;
}

struct finding {
    const char *reason;
    enum column column;
};

static struct finding walk_members(const struct reader *reader, struct batch *batch, struct row *row,
                                   struct json_walk *walk, struct cell cells[COLUMN_COUNT], struct copies *copies) {
    struct finding finding = {NULL, COLUMN_COUNT};
    struct json_member member;
    bool keeping = false;
    while (json_walk_next(walk, &member)) {
        struct cell name = {member.name + 1, member.name_length - 2, false};
        char *copy = NULL;
        if (member.name_escaped) {
            copy = json_unescape(member.name, member.name_length, &name.length);
            name = (struct cell){copy, copy ? name.length : 0, false};
        }
        enum column column;
        const char *reason = bind(reader, cells, copies, &member, name, &column);
        if (reason && !finding.reason)
            finding = (struct finding){reason, column};
        if (column_is_result(reader->mapping, name.text, name.length))
            keeping = false;
        else if (!keep_member(batch, row, &member, &keeping))
            finding = (struct finding){"names of results come more than once", COLUMN_COUNT};
        free(copy);
    }
    return finding;
}

static void take_object(const struct reader *reader, struct batch *batch, struct row *row, const char *text,
                        size_t size) {
    struct cell cells[COLUMN_COUNT] = {0};
    struct copies copies = {0};
    struct json_walk walk;
    json_walk_init(&walk, text, size);
    struct finding finding = walk_members(reader, batch, row, &walk, cells, &copies);
    if (walk.reason || (walk.doubtful && !json_is_valid(text, size))) {
        row->keep_count = 0;
        row_break(row, COLUMN_COUNT, "not a JSON object");
    } else if (finding.reason) {
        row_break(row, finding.column, finding.reason);
    } else {
        row_decode(batch, row, cells);
    }
    copies_free(&copies);
}

static bool is_blank(const char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        if (text[i] != ' ' && text[i] != '\t' && text[i] != '\r')
            return false;
    return true;
}

static enum step take(struct reader *reader, struct batch *batch, const char *text, size_t size, bool last,
                      size_t *used) {
    const char *newline = memchr(text, '\n', size);
    if (!newline && !last)
        return STEP_MORE;
    size_t length = newline ? (size_t)(newline - text) : size;
    *used = newline ? length + 1 : length;
    uint64_t line = reader->line++;
    if (!is_blank(text, length))
        take_object(reader, batch, batch_add(batch, line), text, length);
    return STEP_DONE;
}

const struct dialect dialect_jsonl = {take};
