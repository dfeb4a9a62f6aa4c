/* JSON Lines: one object on each line. */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "text/json.h"
#include "rows/reader.h"

#include <stdio.h>
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

/* The column that a member is; none where the object is read as a whole. */
static enum column find_column(const struct reader *reader, const char *name, size_t length) {
    return reader->mapping->of_objects ? COLUMN_COUNT : column_find(reader->mapping, reader->options, name, length);
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

/* Why a column has no value of that type; NULL: it may. */
static const char *type_refusal(const struct reader *reader, enum column column, const struct json_member *member) {
    const enum kind kind = column_kind(reader->mapping, reader->options, column);
    switch (member->type) {
    case JSON_STRING_VALUE:
    case JSON_NULL_VALUE:
        return NULL;
    case JSON_NUMBER_VALUE:
        return kind == KIND_RECID || kind == KIND_NAME ? NULL : "a number where a string is expected";
    case JSON_OTHER_VALUE:
        return *member->value != '{' ? "neither a string nor null"
               : kind == KIND_TYPED  ? NULL
               : column == COLUMN_MSG && mapping_has(reader->mapping, COLUMN_TYPED_DATA)
                   ? "an object, and no string: typed data (EIP-712) is the value of one member `typed_data`"
                   : "neither a string nor null";
    }
    return NULL;
}

static const char *bind(const struct reader *reader, struct cell cells[COLUMN_COUNT], struct copies *copies,
                        const struct json_member *member, enum column column) {
    if (column == COLUMN_COUNT)
        return NULL;
    struct cell *cell = &cells[column];
    if (cell->text)
        return "a name twice, or two names of one column";
    if (member->type == JSON_STRING_VALUE) {
        *cell = string_cell(copies, member->value, member->value_length, member->value_escaped);
        return cell->text ? NULL : "a string that cannot be read";
    }
    if (member->type != JSON_NULL_VALUE)
        *cell = (struct cell){member->value, member->value_length, false};
    return type_refusal(reader, column, member);
}

static struct piece *add_piece(const struct batch *batch, struct row *row, struct piece piece) {
    struct piece *added = &row_pieces(batch, row)[row->keep_count++];
    *added = piece;
    return added;
}

/* Grow the last piece, or begin another after a member that is not kept as it stands. */
static bool keep_member(const struct batch *batch, struct row *row, const struct json_member *member, bool *keeping) {
    uint32_t start = (uint32_t)(member->name - batch->text);
    uint32_t end = (uint32_t)(member->value + member->value_length - batch->text);
    if (!*keeping) {
        if (row->keep_count == KEEP_READ)
            return false;
        add_piece(batch, row, (struct piece){start, 0, PIECE_TEXT, 0, 0});
    }
    struct piece *piece = &row_pieces(batch, row)[row->keep_count - 1];
    piece->length = end - piece->offset;
    return *keeping = true;
}

/* The kept names that members of the object have. */
static void note_names(const struct reader *reader, const struct json_walk *object, struct kept_names *names) {
    struct json_walk walk;
    struct json_member member;
    json_walk_init(&walk, object->text, (size_t)(object->end - object->text));
    while (json_walk_next(&walk, &member)) {
        size_t length = member.name_length - 2;
        char *copy = member.name_escaped ? json_unescape(member.name, member.name_length, &length) : NULL;
        if (copy || !member.name_escaped)
            kept_names_note(names, reader->mapping, reader->options, copy ? copy : member.name + 1, length);
        free(copy);
    }
}

/* A row's members that are passed on. */
struct passing {
    bool keeping; /* the last piece goes on */
    bool noted;   /* `names` are known */
    struct kept_names names;
};

/* A member of the object that is named like a result is kept under a name that no other has. */
static bool rename_member(const struct reader *reader, const struct batch *batch, struct row *row,
                          const struct json_walk *walk, const struct json_member *member, size_t result,
                          struct passing *passing) {
    if (!passing->noted)
        note_names(reader, walk, &passing->names);
    passing->noted = true;
    unsigned number = row->keep_count == KEEP_READ ? 0 : kept_names_take(&passing->names, result);
    if (number)
        add_piece(batch, row,
                  (struct piece){(uint32_t)(member->value - batch->text), (uint32_t)member->value_length, PIECE_RENAMED,
                                 (uint8_t)result, (uint16_t)number});
    return number != 0;
}

struct finding {
    const char *reason;
    enum column column;
};

/* Pass a member on. false: there is no room for another piece. */
static bool pass_member(const struct reader *reader, struct batch *batch, struct row *row, const struct json_walk *walk,
                        const struct json_member *member, struct cell name, enum column column,
                        struct passing *passing) {
    size_t result = result_name_find(reader->mapping, reader->options, name.text, name.length);
    if (column_is_dropped(reader->mapping, name.text, name.length)) {
        batch->dropped = true;
        passing->keeping = false;
        return true;
    }
    if (result == RESULT_NAMES && column == COLUMN_COUNT)
        note_unread(&batch->unread, reader, name.text, name.length);
    if (reader->mapping->sums)
        return true;
    if (result == RESULT_NAMES)
        return keep_member(batch, row, member, &passing->keeping);
    if (column_stands(reader->mapping, column, result)) {
        /* Without a value the result takes its place. */
        bool empty =
            member->type == JSON_NULL_VALUE || (member->type == JSON_STRING_VALUE && member->value_length == 2);
        passing->keeping &= !empty;
        row->stands |= empty ? 0 : 1u << result;
        return empty || keep_member(batch, row, member, &passing->keeping);
    }
    passing->keeping = false;
    return rename_member(reader, batch, row, walk, member, result, passing);
}

static struct finding walk_members(const struct reader *reader, struct batch *batch, struct row *row,
                                   struct json_walk *walk, struct cell cells[COLUMN_COUNT], struct copies *copies) {
    struct finding finding = {NULL, COLUMN_COUNT};
    struct json_member member, message = {.name = NULL};
    struct passing passing = {0};
    batch->member_count = 0;
    while (json_walk_next(walk, &member)) {
        if (batch->member_count < OBJECT_MEMBERS)
            batch->members[batch->member_count] = member;
        batch->member_count += batch->member_count <= OBJECT_MEMBERS;
        struct cell name = {member.name + 1, member.name_length - 2, false};
        char *copy = NULL;
        if (member.name_escaped) {
            copy = json_unescape(member.name, member.name_length, &name.length);
            name = (struct cell){copy, copy ? name.length : 0, false};
        }
        const enum column column = find_column(reader, name.text, name.length);
        const bool waits = !message.name && !(batch->told & COLUMN_BIT(MSG)) &&
                           column_gives_way(reader->options, column, name.text, name.length);
        if (waits)
            message = member;
        const char *reason = waits ? NULL : bind(reader, cells, copies, &member, column);
        if (reason && !finding.reason)
            finding = (struct finding){reason, column};
        if (!pass_member(reader, batch, row, walk, &member, name, column, &passing))
            finding = (struct finding){"too many members with names of results or secrets", COLUMN_COUNT};
        free(copy);
    }
    if (message.name && cells[COLUMN_DIGEST].text) {
        batch->unread |= (uint64_t)1 << UNREAD_MESSAGE;
    } else if (message.name) {
        const char *reason = bind(reader, cells, copies, &message, COLUMN_MSG);
        if (reason && !finding.reason)
            finding = (struct finding){reason, COLUMN_MSG};
    }
    return finding;
}

/* The name of a member as a field of the header, unless it is dropped; false: reader->error says why not. */
static bool put_name(struct reader *reader, struct buffer *header, struct kept_names *names, const char *name,
                     size_t length) {
    char renamed[RESULT_NAME_BYTES];
    const size_t result = result_name_find(reader->mapping, reader->options, name, length);
    const bool stands = column_stands(reader->mapping, find_column(reader, name, length), result);
    if (column_is_dropped(reader->mapping, name, length))
        return reader->dropped = true;
    if (header->used)
        buffer_put(header, ",", 1);
    if (stands)
        reader->stands[result - FIRST_RESULT] = true;
    if (result == RESULT_NAMES || stands) {
        csv_put_field(header, name, length);
    } else {
        const unsigned number = kept_names_take(names, result);
        if (!number)
            return false;
        buffer_put(header, renamed, kept_name(renamed, reader->mapping, reader->options, result, number));
    }
    reader->kept_fields++;
    return true;
}

bool jsonl_header(struct reader *reader, const char *text, size_t size) {
    struct buffer header = {0};
    struct kept_names names = {0};
    struct json_walk walk;
    struct json_member member;
    bool good = true;
    json_walk_init(&walk, text, size);
    note_names(reader, &walk, &names);
    while (good && json_walk_next(&walk, &member)) {
        size_t length = member.name_length - 2;
        char *copy = member.name_escaped ? json_unescape_any(member.name, member.name_length, &length) : NULL;
        good =
            (copy || !member.name_escaped) && put_name(reader, &header, &names, copy ? copy : member.name + 1, length);
        free(copy);
    }
    if (!buffer_reserve(&header, MAX_RESULTS * (RESULT_NAME_BYTES + 1)) || !good || walk.reason ||
        (walk.doubtful && !json_is_valid(text, size))) {
        snprintf(reader->error, sizeof reader->error,
                 "%.100s: the first row is no JSON object that can be read, and CSV has its columns", reader->name);
        buffer_free(&header);
        return false;
    }
    reader->header = header.bytes;
    name_kept_results(reader, header.used);
    return true;
}

/* A line that is no object is kept as one string, unless it may hold a secret that is not to go into the output. */
static void keep_unreadable(struct batch *batch, struct row *row, const char *text, size_t size) {
    row->keep_count = 0;
    if (!mapping_keeps_keys(batch->mapping) && may_hold_secret(text, size))
        batch->dropped = true;
    else
        add_piece(batch, row, (struct piece){(uint32_t)(text - batch->text), (uint32_t)size, PIECE_UNREADABLE, 0, 0});
}

static void take_object(const struct reader *reader, struct batch *batch, struct row *row, const char *text,
                        size_t size) {
    struct cell cells[COLUMN_COUNT];
    struct copies copies;
    struct json_walk walk;
    copies.count = 0;
    cells_clear(batch, cells);
    json_walk_init(&walk, text, size);
    struct finding finding = walk_members(reader, batch, row, &walk, cells, &copies);
    if (walk.reason || (walk.doubtful && !json_is_valid(text, size))) {
        keep_unreadable(batch, row, text, size);
        row_break(row, COLUMN_COUNT, "not a JSON object");
    } else if (finding.reason) {
        row_break(row, finding.column, finding.reason);
        if (finding.column != COLUMN_GROUP)
            row_name(batch, row, cells);
    } else {
        if (batch->mapping->of_objects)
            cells[batch->mapping->document] = (struct cell){text, size, false};
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

static uint32_t told(const struct reader *reader, const char *text, size_t size, size_t *used) {
    struct json_walk walk;
    struct json_member member;
    uint32_t columns = 0;
    bool readable = true, message = false, message_readable = true;
    json_walk_init(&walk, text, line_length(text, size, used));
    while (json_walk_next(&walk, &member)) {
        size_t length = member.name_length - 2;
        char *copy = member.name_escaped ? json_unescape(member.name, member.name_length, &length) : NULL;
        const char *name = copy || !member.name_escaped ? copy ? copy : member.name + 1 : NULL;
        enum column column = name ? find_column(reader, name, length) : COLUMN_COUNT;
        const bool is_readable = column == COLUMN_COUNT || type_refusal(reader, column, &member) == NULL,
                   is_there = column != COLUMN_COUNT && member.type != JSON_NULL_VALUE;
        if (name && column_gives_way(reader->options, column, name, length)) {
            message |= is_there;
            message_readable &= is_readable;
        } else {
            columns |= is_there ? 1u << column : 0;
            readable &= is_readable;
        }
        free(copy);
    }
    if (!(columns & COLUMN_BIT(DIGEST))) {
        columns |= message ? COLUMN_BIT(MSG) : 0;
        readable &= message_readable;
    }
    return walk.reason || !readable ? 0 : columns_told(reader->mapping, columns_meant(reader->mapping, columns));
}

static size_t take(const struct reader *reader, struct batch *batch, const char *text, size_t size) {
    size_t used, length = line_length(text, size, &used);
    uint64_t line = batch->line++;
    if (!is_blank(text, length))
        take_object(reader, batch, batch_add(batch, line), text, length);
    return used;
}

const struct dialect dialect_jsonl = {split_lines, take, told, "\n"};
