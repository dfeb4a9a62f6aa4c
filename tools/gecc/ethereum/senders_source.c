/* What `gecc senders` reads: lines of hexadecimal digits, CSV with a column `raw`, JSON-RPC's objects, blocks of RLP.
 *
 * What is read at a time is a record, of a bounded size. Transactions of a record go to the pile one by one, and where
 * the pile is full, what is left of the record waits for the next. */
#include "ethereum/senders.h"
#include "files/magic.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { PILE_BYTES = 16 << 20, HASH_DIGITS = 64, HEAD_BYTES = 9, TRANSACTION_LEAST = 10 /* bytes */ };

#define NO_MEMORY "not enough memory"

static bool fail(struct source *source, const char *text) {
    if (!source->error[0])
        snprintf(source->error, sizeof source->error, "%.80s: %.200s", source->records.name, text);
    return false;
}

static bool is_full(const struct pile *pile) {
    return pile->count >= pile->room || pile->raw.used >= PILE_BYTES || pile->kept.used >= PILE_BYTES;
}

/* A row, of the pile's bytes from `start` on; where there is a complaint, of none. */
static bool add_row(struct source *source, struct pile *pile, size_t start, const struct told *told,
                    const struct complaint *complaint) {
    size_t i = pile->count;
    const char *reason = complaint && complaint->text[0] ? complaint->text : NULL;
    if (reason)
        pile->raw.used = start;
    pile->complaints[i] = reason ? strdup(reason) : NULL;
    if (pile->raw.failed || (reason && !pile->complaints[i]))
        return fail(source, NO_MEMORY);
    pile->offsets[i] = start;
    pile->widths[i] = (uint32_t)(pile->raw.used - start);
    pile->lines[i] = source->record.line;
    pile->places[i] = source->several ? ++source->place : 0;
    pile->told[i] = told ? *told : (struct told){0};
    pile->is_encoded[i] = false;
    if (source->kept.used)
        buffer_put(&pile->kept, source->kept.bytes, source->kept.used);
    pile->kept_ends[i] = pile->kept.used;
    pile->count++;
    source->found++;
    return (!source->kept.failed && !pile->kept.failed) || fail(source, NO_MEMORY);
}

__attribute__((format(printf, 4, 5))) static bool refuse(struct source *source, struct pile *pile,
                                                         const struct told *told, const char *format, ...) {
    struct complaint complaint = {{0}};
    char text[sizeof complaint.text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    complain(&complaint, "%s", text);
    return add_row(source, pile, pile->raw.used, told, &complaint);
}

/* The bytes of the head of a list. */
static size_t head_of(uint8_t first) { return first <= 0xf7 ? 1 : 2u + first - 0xf8u; }

/* Is it a list whose first item is one, too, that has room for 32 bytes and begins with them, as a block's header
 * does? */
static bool is_block(const uint8_t *data, size_t width) {
    if (width == 0 || data[0] < 0xc0)
        return false;
    size_t at = head_of(data[0]);
    if (at >= width || data[at] <= 0xc0 + 32)
        return false;
    at += head_of(data[at]);
    return at < width && data[at] == 0xa0;
}

/* The transactions of the block that wait, as many as there is room for. */
static bool add_block_rows(struct source *source, struct pile *pile) {
    while (source->block_next < source->block_count && !is_full(pile)) {
        size_t i = source->block_next++, start = pile->raw.used;
        bytes_put(&pile->raw, source->block.data + source->offsets[i], source->widths[i]);
        if (!add_row(source, pile, start, NULL, NULL))
            return false;
    }
    return true;
}

/* The bytes are a block, of which the transactions wait then. */
static bool take_block(struct source *source, struct pile *pile, const uint8_t *data, size_t width, size_t start) {
    size_t count = 0;
    gecc_result result = gecc_ethereum_block_transactions(NULL, NULL, 0, &count, data, width);
    const char *reason = result != GECC_OK                            ? gecc_error_text()
                         : count > width / TRANSACTION_LEAST          ? "block: more transactions than it has bytes for"
                         : count > 1 && source->kept.used > KEPT_MOST ? KEPT_TOO_LONG
                                                                      : NULL;
    if (reason) {
        pile->raw.used = start;
        return refuse(source, pile, NULL, "%s", reason);
    }
    source->found++;
    source->several = true;
    source->block.used = 0;
    bytes_put(&source->block, data, width);
    pile->raw.used = start;
    free(source->offsets);
    free(source->widths);
    source->offsets = calloc(count + 1, sizeof *source->offsets);
    source->widths = calloc(count + 1, sizeof *source->widths);
    if (source->block.failed || !source->offsets || !source->widths ||
        gecc_ethereum_block_transactions(source->offsets, source->widths, count, &count, source->block.data, width) !=
            GECC_OK)
        return fail(source, NO_MEMORY);
    source->block_count = count;
    source->block_next = 0;
    return add_block_rows(source, pile);
}

/* The bytes from `start` on are a transaction, or a block. */
static bool take_bytes(struct source *source, struct pile *pile, size_t start, const struct told *told) {
    if (pile->raw.failed)
        return fail(source, NO_MEMORY);
    if (is_block(pile->raw.data + start, pile->raw.used - start))
        return take_block(source, pile, pile->raw.data + start, pile->raw.used - start, start);
    return add_row(source, pile, start, told, NULL);
}

static bool take_hex(struct source *source, struct pile *pile, const char *text, size_t length,
                     const struct told *told) {
    size_t start = pile->raw.used;
    if (bytes_put_hex(&pile->raw, text, length))
        return take_bytes(source, pile, start, told);
    pile->raw.used = start;
    return refuse(source, pile, told, "not hexadecimal digits, two a byte");
}

/* CSV. */

static bool is_name(const struct csv_field *field, const char *text, const char *name) {
    size_t length = strlen(name);
    return field->end - field->start == length && memcmp(text + field->start, name, length) == 0;
}

static enum role role_of(const struct csv_field *field, const char *text) {
    static const char *const names[] = {"raw", "hash", "from", "sender", "type"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_name(field, text, names[i]))
            return (enum role)(ROLE_RAW + i);
    return ROLE_KEPT;
}

static bool is_transaction(const char *text, size_t length) {
    size_t digits = 0;
    while (digits < length && strchr("0123456789abcdefABCDEF", text[digits]) && text[digits])
        digits++;
    return digits == length || (length > 1 && text[0] == '0' && (text[1] | 32) == 'x');
}

/* The first line is a header with a column `raw`. */
static bool take_header(struct source *source, const char *text, size_t length) {
    struct csv_record record;
    unsigned seen = 0;
    source->names = calloc(CSV_FIELDS, sizeof *source->names);
    source->fields = calloc(CSV_FIELDS, sizeof *source->fields);
    source->roles = calloc(CSV_FIELDS, 1);
    source->header = malloc(length + 1);
    if (!source->names || !source->fields || !source->roles || !source->header)
        return fail(source, NO_MEMORY);
    memcpy(source->header, text, length);
    if (csv_scan_record(source->header, length, source->names, CSV_FIELDS, &record) != SCAN_RECORD)
        return fail(source, record.reason);
    if (record.fields > CSV_FIELDS)
        return fail(source, "more than 4096 columns");
    source->field_count = record.fields;
    for (size_t i = 0; i < record.fields; i++) {
        enum role role = role_of(&source->names[i], source->header);
        if (role != ROLE_KEPT && seen >> role & 1)
            return fail(source, "the header: a column twice");
        seen |= 1u << role;
        source->roles[i] = (uint8_t)role;
    }
    return seen >> ROLE_RAW & 1 || fail(source, "neither a transaction nor a header with a column `raw`");
}

static bool take_number(struct told *told, const char *text, size_t length) {
    unsigned value = 0;
    for (size_t i = 0; i < length; i++)
        if (text[i] < '0' || text[i] > '9' || (value = 10 * value + (unsigned)(text[i] - '0')) > 255)
            return false;
    told->type = (uint8_t)value;
    return told->has_type = length != 0;
}

/* What the cells say besides `raw`: all is kept, and some compared. A row has its cells, whatever is wrong with it. */
static void take_cells(struct source *source, struct told *told, struct complaint *complaint, size_t fields) {
    const char *text = source->record.text;
    static const struct csv_field none;
    fields = kept_cells(source->header, source->names, source->field_count, fields);
    for (size_t i = 0; i < source->field_count; i++) {
        const struct csv_field *field = i < fields ? &source->fields[i] : &none;
        const char *cell = text + field->start;
        size_t length = field->end - field->start;
        enum role role = (enum role)source->roles[i];
        if (role == ROLE_RAW)
            continue;
        if (role == ROLE_HASH)
            (void)told_hash(told, complaint, cell, length);
        else if (role == ROLE_FROM || role == ROLE_SENDER)
            (void)told_sender(told, complaint, role == ROLE_FROM ? "from" : "sender", cell, length);
        else if (role == ROLE_TYPE)
            (void)take_number(told, cell, length);
        if (source->as_json)
            kept_put_cell_as_member(&source->kept, sender_results, source->header, &source->names[i], text, field);
        else
            kept_put_cell(&source->kept, source->header, &source->names[i], text, field);
    }
}

static bool take_row(struct source *source, struct pile *pile) {
    const struct source_record *record = &source->record;
    struct told told = {0};
    struct complaint complaint = {{0}};
    struct csv_record row;
    bool scanned = csv_scan_record(record->text, record->size, source->fields, CSV_FIELDS, &row) == SCAN_RECORD;
    size_t fields = scanned ? row.fields : 0;
    if (!scanned)
        complain(&complaint, "%s", row.reason);
    else if (fields != source->field_count)
        complain(&complaint,
                 fields < source->field_count ? "fewer fields than the header has" : "more fields than the header has");
    take_cells(source, &told, &complaint, fields);
    if (complaint.text[0])
        return add_row(source, pile, pile->raw.used, &told, &complaint);
    size_t raw = 0;
    while (source->roles[raw] != ROLE_RAW)
        raw++;
    const struct csv_field *field = &source->fields[raw];
    return take_hex(source, pile, record->text + field->start, field->end - field->start, &told);
}

void source_put_header(const struct source *source, FILE *out) {
    struct buffer header = {0};
    for (size_t i = 0; i < source->field_count; i++)
        if (source->roles[i] != ROLE_RAW)
            kept_put_name(&header, sender_results, source->header, &source->names[i]);
    if (header.used)
        fwrite(header.bytes, 1, header.used, out);
    buffer_free(&header);
}

/* JSON. */

/* An object's members beside those that are read: rows of CSV have no columns for them. */
static void keep_members(struct source *source, const struct json_member *object, uint64_t read) {
    size_t before = source->kept.used;
    object_keep(&source->kept, sender_results, object->value, object->value_length, read);
    source->has_left |= !source->as_json && source->kept.used != before;
    if (!source->as_json)
        source->kept.used = before;
}

/* What a block has by the execution API, which says nothing of one transaction. */
static const char *const block_members[] = {"number",       "hash",          "parentHash",
                                            "sha3Uncles",   "logsBloom",     "transactionsRoot",
                                            "stateRoot",    "receiptsRoot",  "miner",
                                            "difficulty",   "extraData",     "totalDifficulty",
                                            "size",         "gasLimit",      "gasUsed",
                                            "timestamp",    "uncles",        "mixHash",
                                            "nonce",        "baseFeePerGas", "withdrawalsRoot",
                                            "withdrawals",  "blobGasUsed",   "excessBlobGas",
                                            "transactions", "requestsHash",  "parentBeaconBlockRoot"};

static bool is_block_member(const struct json_member *member) {
    for (size_t i = 0; i < sizeof block_members / sizeof *block_members; i++)
        if (member_is(member, block_members[i]))
            return true;
    return false;
}

/* Other members of a block go into its rows, but for those that are too long for that. */
static void keep_block_members(struct source *source, const struct json_member *block) {
    struct json_walk walk;
    struct json_member member;
    json_walk_init(&walk, block->value, block->value_length);
    while (json_walk_next(&walk, &member)) {
        size_t before = source->kept.used;
        if (is_block_member(&member))
            continue;
        if (source->as_json)
            kept_put_member(&source->kept, sender_results, &member);
        if (!source->as_json || source->kept.used > KEPT_MOST) {
            source->kept.used = before;
            source->has_left = true;
        }
    }
}

static bool open_array(struct source *source, struct pile *pile, const struct json_member *array, bool is_block) {
    if (source->depth == MOST_NESTED)
        return refuse(source, pile, NULL, "arrays within %d others", MOST_NESTED);
    if (source->kept.used > KEPT_MOST)
        return refuse(source, pile, NULL, KEPT_TOO_LONG);
    source->is_block[source->depth] = is_block;
    source->kept_of[source->depth] = source->kept.used;
    source->found += is_block;
    source->several = true;
    json_walk_init(&source->walks[source->depth++], array->value, array->value_length);
    return true;
}

/* "code: message", where a node answered so. */
static bool take_error(struct source *source, struct pile *pile, const struct json_member *error) {
    struct json_walk walk;
    struct json_member member, message = *error;
    json_walk_init(&walk, error->value, error->value_length);
    while (error->value[0] == '{' && json_walk_next(&walk, &member))
        if (member_is(&member, "message"))
            message = member;
    size_t shown = message.value_length < 150 ? message.value_length : 150;
    return refuse(source, pile, NULL, "the node answered with an error: %.*s", (int)shown, message.value);
}

static bool take_raw(struct source *source, struct pile *pile, const struct json_member *value,
                     const struct told *told) {
    if (value->type != JSON_STRING_VALUE || value->value_escaped)
        return refuse(source, pile, told, "raw: it is no string of hexadecimal digits");
    return take_hex(source, pile, value->value + 1, value->value_length - 2, told);
}

/* A transaction: {"raw": ...}, or its members. */
static bool take_transaction(struct source *source, struct pile *pile, const struct json_member *value,
                             const struct object *object, struct complaint *complaint) {
    struct told told = {0};
    size_t start = pile->raw.used;
    uint64_t read = (uint64_t)1 << MEMBER_raw;
    if (!complaint->text[0] && object_tell(&told, complaint, object) && !object_has(object, MEMBER_raw))
        (void)ethereum_json_encode(&pile->raw, complaint, &read, object);
    keep_members(source, value, read);
    if (!complaint->text[0] && object_has(object, MEMBER_raw))
        return take_raw(source, pile, &object->members[MEMBER_raw], &told);
    if (!add_row(source, pile, start, &told, complaint))
        return false;
    pile->is_encoded[pile->count - 1] = true;
    return true;
}

/* What holds transactions, or an answer with something: NULL, if the object is a transaction. */
static const struct json_member *container_of(const struct object *object, struct complaint *complaint) {
    static const enum member_name names[] = {MEMBER_result, MEMBER_error, MEMBER_transactions, MEMBER_raw};
    const struct json_member *found = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct json_member *member = &object->members[names[i]];
        if (!object_has(object, names[i]) || (names[i] == MEMBER_transactions && member->value[0] != '['))
            continue;
        if (found)
            complain(complaint, "%.*s and %.*s: one of them can be read", (int)found->name_length, found->name,
                     (int)member->name_length, member->name);
        found = member;
    }
    return found == &object->members[MEMBER_raw] ? NULL : found;
}

static bool take_value(struct source *source, struct pile *pile, const struct json_member *value, bool in_block);

/* An answer of a node, whose id goes into its rows. */
static bool take_answer(struct source *source, struct pile *pile, const struct json_member *answer,
                        const struct object *object) {
    keep_members(source, answer,
                 (uint64_t)1 << MEMBER_jsonrpc | (uint64_t)1 << MEMBER_result | (uint64_t)1 << MEMBER_error);
    if (object_has(object, MEMBER_error))
        return take_error(source, pile, &object->members[MEMBER_error]);
    if (!object_has(object, MEMBER_result))
        return refuse(source, pile, NULL, "the node's answer is null: it has no such transaction or block");
    return take_value(source, pile, &object->members[MEMBER_result], false);
}

static bool take_object(struct source *source, struct pile *pile, const struct json_member *value) {
    struct object object;
    struct complaint complaint = {{0}};
    bool good = object_read(&object, &complaint, value->value, value->value_length);
    const struct json_member *container = container_of(&object, &complaint);
    const uint64_t answers = (uint64_t)1 << MEMBER_result | (uint64_t)1 << MEMBER_error;
    if (!good || complaint.text[0] || (!container && !(object.named & answers)))
        return take_transaction(source, pile, value, &object, &complaint);
    if (container != &object.members[MEMBER_transactions])
        return take_answer(source, pile, value, &object);
    keep_block_members(source, value);
    return open_array(source, pile, container, true);
}

/* A transaction; or many: an array, a block, an answer that has one of these. */
static bool take_value(struct source *source, struct pile *pile, const struct json_member *value, bool in_block) {
    bool is_hash = value->value_length == HASH_DIGITS + 4 && strncmp(value->value, "\"0x", 3) == 0;
    if (value->value[0] == '[')
        return open_array(source, pile, value, false);
    if (value->value[0] == '{')
        return take_object(source, pile, value);
    if (value->type == JSON_STRING_VALUE && is_hash)
        return refuse(source, pile, NULL,
                      "the hash of a transaction%s, not the transaction: ask the node for whole ones",
                      in_block ? " of a block" : "");
    if (value->type == JSON_STRING_VALUE)
        return take_raw(source, pile, value, NULL);
    return refuse(source, pile, NULL, "neither an object nor a string");
}

/* The next value of the record's arrays. */
static bool add_values(struct source *source, struct pile *pile) {
    while (source->depth && !is_full(pile) && source->block_next == source->block_count) {
        struct json_member value;
        size_t top = source->depth - 1;
        source->kept.used = source->kept_of[top];
        if (!json_walk_next_element(&source->walks[top], &value))
            source->depth--;
        else if (!take_value(source, pile, &value, source->is_block[top]))
            return false;
    }
    return true;
}

static bool take_json(struct source *source, struct pile *pile) {
    const struct source_record *record = &source->record;
    struct json_member value = {.value = record->text, .value_length = record->size, .type = JSON_OTHER_VALUE};
    if (record->text[0] == '"') {
        value.type = JSON_STRING_VALUE;
        value.value_escaped = memchr(record->text, '\\', record->size) != NULL;
    }
    return take_value(source, pile, &value, false);
}

/* Blocks one after the other, each a list that says how long it is. */
static bool next_block(struct source *source, bool *ended) {
    struct source_record head, *record = &source->record;
    if (!record_source_bytes(&source->records, &head, HEAD_BYTES, false))
        return fail(source, source->records.error);
    *ended = head.size == 0;
    if (*ended)
        return true;
    const uint8_t *bytes = (const uint8_t *)head.text;
    if (bytes[0] < 0xc0)
        return fail(source, "what follows is no list of RLP");
    size_t more = bytes[0] <= 0xf7 ? 0 : (size_t)bytes[0] - 0xf7,
           width = bytes[0] <= 0xf7 ? (size_t)bytes[0] - 0xc0 : 0;
    for (size_t i = 1; i <= more && i < head.size; i++)
        width = width << 8 | bytes[i];
    if (width > LONGEST_RECORD_BYTES - HEAD_BYTES)
        return fail(source, "a block of more than 64 MiB");
    if (!record_source_bytes(&source->records, record, 1 + more + width, true))
        return fail(source, source->records.error);
    source->records.line++;
    return record->size == 1 + more + width || fail(source, "it ends within a block");
}

static bool take_record(struct source *source, struct pile *pile) {
    size_t start = pile->raw.used;
    switch (source->input) {
    case INPUT_HEX:
        return take_hex(source, pile, source->record.text, source->record.size, NULL);
    case INPUT_CSV:
        return take_row(source, pile);
    case INPUT_JSON:
        return take_json(source, pile);
    case INPUT_BLOCKS:
        break;
    }
    bytes_put(&pile->raw, source->record.text, source->record.size);
    return take_bytes(source, pile, start, NULL);
}

/* Cut blanks at both ends off a line. */
static void trim(struct source_record *record) {
    while (record->size && strchr(" \t\r", record->text[record->size - 1]))
        record->size--;
    while (record->size && strchr(" \t\r", record->text[0])) {
        record->text++;
        record->size--;
    }
}

/* The next record. false: source->error, or *ended, or the input pauses. */
static enum source_step next_record(struct source *source, bool may_pause) {
    bool ended = false;
    if (source->has_first) {
        source->has_first = false;
        return SOURCE_RECORD;
    }
    if (source->input == INPUT_BLOCKS)
        return !next_block(source, &ended) ? SOURCE_FAILED : ended ? SOURCE_END : SOURCE_RECORD;
    enum source_step step = record_source_next(&source->records, &source->record, may_pause);
    if (step == SOURCE_FAILED)
        memcpy(source->error, source->records.error, sizeof source->records.error);
    if (step == SOURCE_RECORD && source->input == INPUT_HEX)
        trim(&source->record);
    return step;
}

static bool is_waiting(const struct source *source) {
    return source->depth || source->block_next < source->block_count;
}

/* A row that nothing is known of but its line: of CSV it has its cells all the same, empty. */
static bool refuse_record(struct source *source, struct pile *pile, const char *reason) {
    struct told told = {0};
    struct complaint complaint = {{0}};
    if (source->input == INPUT_CSV)
        take_cells(source, &told, &complaint, 0);
    return refuse(source, pile, NULL, "%s", reason);
}

bool source_fill(struct source *source, struct pile *pile) {
    while (!is_full(pile)) {
        if (!add_block_rows(source, pile) || !add_values(source, pile))
            return false;
        if (is_waiting(source))
            continue;
        enum source_step step = next_record(source, pile->count > 0);
        source->kept.used = 0;
        source->several = false;
        source->place = 0;
        bool good = true;
        if (step == SOURCE_FAILED || step == SOURCE_END || step == SOURCE_PAUSE)
            return step != SOURCE_FAILED;
        if (step == SOURCE_LONG)
            good = refuse_record(source, pile, "longer than 64 MiB");
        else if (step == SOURCE_BROKEN)
            good = refuse_record(source, pile, "not JSON; what is left of the line is not read");
        else if (source->record.size)
            good = take_record(source, pile);
        if (!good)
            return false;
    }
    return true;
}

/* A line of digits, or the header of CSV. */
static bool tell_text(struct source *source) {
    source->input = INPUT_HEX;
    source->records.kind = RECORD_LINE;
    enum source_step step = next_record(source, false);
    if (step == SOURCE_LONG)
        return fail(source, "the first line is longer than 64 MiB");
    if (step != SOURCE_RECORD)
        return step != SOURCE_FAILED;
    if (is_transaction(source->record.text, source->record.size))
        return source->has_first = true;
    source->input = INPUT_CSV;
    source->records.kind = RECORD_CSV;
    return take_header(source, source->record.text, source->record.size);
}

bool source_open(struct source *source, const struct options *options, const atomic_bool *stop) {
    int first;
    *source = (struct source){.input = INPUT_HEX};
    if (!record_source_open(&source->records, options->input, stop) || !record_source_begin(&source->records, &first)) {
        memcpy(source->error, source->records.error, sizeof source->records.error);
        return false;
    }
    if (first < 0 && !options->allow_empty)
        return fail(source, EMPTY_INPUT);
    if (first == '{' || first == '[') {
        source->input = INPUT_JSON;
        source->records.kind = RECORD_JSON;
    } else if (first >= 0xc0) {
        source->input = INPUT_BLOCKS;
    } else if (first >= 0 && !tell_text(source)) {
        return false;
    }
    enum format format = options->output_format;
    source->as_json = format == FORMAT_JSONL || (format == FORMAT_UNKNOWN && source->input == INPUT_JSON);
    return !source->as_json || kept_names_differ(source->error, sizeof source->error, source->records.name,
                                                 source->header, source->names, source->field_count);
}

void source_close(struct source *source) {
    record_source_close(&source->records);
    free(source->header);
    free(source->names);
    free(source->fields);
    free(source->roles);
    free(source->block.data);
    free(source->offsets);
    free(source->widths);
    buffer_free(&source->kept);
}
