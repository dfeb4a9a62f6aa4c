#include "bitcoin/record.h"
#include "text/hex.h"
#include "text/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record that is being read. */
struct record {
    struct inputs *inputs;
    uint64_t line;
    uint32_t height;
    size_t number;    /* of the transaction in its block, from 0 up; NO_NUMBER: it stands alone */
    char reason[192]; /* why it is none; empty: it may be one */
};

enum { NO_NUMBER = -1 };

struct text {
    const char *data; /* NULL: not there */
    size_t size;
};

static bool refuse(struct record *record, const char *name, const char *reason) {
    if (record->reason[0])
        return false;
    int used = snprintf(record->reason, sizeof record->reason, "line %llu: ", (unsigned long long)record->line);
    char *end = record->reason + used;
    if (record->number != (size_t)NO_NUMBER)
        end += snprintf(end, 64, "transaction %zu: ", record->number);
    snprintf(end, sizeof record->reason - (size_t)(end - record->reason), "%s%s%s", name, *name ? ": " : "", reason);
    return false;
}

static bool refuse_bytes(struct record *record, const struct defect *defect) {
    char reason[96];
    if (!defect->reason)
        return false;
    snprintf(reason, sizeof reason, "byte %zu: %s", defect->byte, defect->reason);
    return refuse(record, "raw", reason);
}

static bool out_of_memory(const struct record *record) { return record->inputs->arena.failed; }

static bool decode(struct record *record, const char *name, struct text text, struct bytes *bytes) {
    if (!text.data)
        return refuse(record, name, "no value");
    hex_skip_prefix(&text.data, &text.size);
    if (text.size % 2)
        return refuse(record, name, "an odd number of hexadecimal digits");
    uint8_t *data = arena_take(&record->inputs->arena, text.size / 2);
    if (!data)
        return false;
    if (!hex_decode(data, text.data, text.size))
        return refuse(record, name, "a character that is not a hexadecimal digit");
    *bytes = (struct bytes){data, text.size / 2};
    return true;
}

/* Prevouts that grow. */
struct prevouts {
    struct prevout *list; /* in the arena */
    size_t count, room;
};

static struct prevout *add_prevout(struct record *record, struct prevouts *prevouts) {
    if (prevouts->count == prevouts->room) {
        size_t room = prevouts->room ? 2 * prevouts->room : 4;
        struct prevout *list = arena_array(&record->inputs->arena, room, sizeof *list);
        if (!list)
            return NULL;
        if (prevouts->count)
            memcpy(list, prevouts->list, prevouts->count * sizeof *list);
        prevouts->list = list;
        prevouts->room = room;
    }
    return &prevouts->list[prevouts->count++];
}

/* A decimal number with at most `decimals` digits after the point, times 10^decimals. */
static bool decimal(uint64_t *value, struct text text, size_t decimals) {
    size_t after = 0;
    bool point = false;
    *value = 0;
    if (!text.size || text.size > 20)
        return false;
    for (size_t i = 0; i < text.size; i++) {
        char c = text.data[i];
        if (c == '.' && !point && i > 0 && i + 1 < text.size && decimals > 0) {
            point = true;
            continue;
        }
        if (c < '0' || c > '9' || *value > (UINT64_MAX - 9) / 10 || (after += point) > decimals)
            return false;
        *value = 10 * *value + (uint64_t)(c - '0');
    }
    for (; after < decimals; after++) {
        if (*value > UINT64_MAX / 10)
            return false;
        *value *= 10;
    }
    return true;
}

static struct text value_text(const struct json_member *member) {
    return (struct text){member->value, member->value_length};
}

static bool is_string(const struct json_member *member) {
    return member->type == JSON_STRING_VALUE && !member->value_escaped;
}

static struct text string_text(const struct json_member *member) {
    if (!is_string(member))
        return (struct text){NULL, 0};
    return (struct text){member->value + 1, member->value_length - 2};
}

static bool named(const struct json_member *member, const char *name) {
    size_t length = strlen(name);
    return !member->name_escaped && member->name_length == length + 2 && memcmp(member->name + 1, name, length) == 0;
}

/* The member of that name; false: there is none. */
static bool find_member(struct text object, const char *name, struct json_member *member) {
    struct json_walk walk;
    json_walk_init(&walk, object.data, object.size);
    while (json_walk_next(&walk, member))
        if (named(member, name))
            return true;
    return false;
}

/* [satoshi, script] */
static bool take_pair(struct record *record, struct text pair, struct prevouts *prevouts) {
    struct json_walk walk;
    struct json_member amount, script, more;
    struct prevout *prevout = add_prevout(record, prevouts);
    if (!prevout)
        return false;
    json_walk_init(&walk, pair.data, pair.size);
    if (!json_walk_next_element(&walk, &amount) || amount.type != JSON_NUMBER_VALUE ||
        !decimal(&prevout->satoshi, value_text(&amount), 0))
        return refuse(record, "prevouts", "no amount in satoshi, an integer");
    if (!json_walk_next_element(&walk, &script) || !is_string(&script) || json_walk_next_element(&walk, &more))
        return refuse(record, "prevouts", "not an amount and a script");
    return decode(record, "prevouts", string_text(&script), &prevout->script);
}

static bool take_pairs(struct record *record, struct text array, struct prevouts *prevouts) {
    struct json_walk walk;
    struct json_member pair;
    json_walk_init(&walk, array.data, array.size);
    while (json_walk_next_element(&walk, &pair))
        if (!take_pair(record, value_text(&pair), prevouts))
            return false;
    return !walk.reason || refuse(record, "prevouts", "not an array");
}

/* {"value": bitcoins, "scriptPubKey": {"hex": script}} */
static bool take_prevout(struct record *record, struct text object, struct prevouts *prevouts) {
    struct json_member value, script, hex;
    struct prevout *prevout = add_prevout(record, prevouts);
    if (!prevout)
        return false;
    if (!find_member(object, "value", &value) || value.type != JSON_NUMBER_VALUE ||
        !decimal(&prevout->satoshi, value_text(&value), 8))
        return refuse(record, "prevout", "no value in bitcoins, a number with at most 8 decimals");
    if (!find_member(object, "scriptPubKey", &script) || !find_member(value_text(&script), "hex", &hex))
        return refuse(record, "prevout", "no scriptPubKey with hex");
    return decode(record, "prevout", string_text(&hex), &prevout->script);
}

/* The inputs of a transaction as Bitcoin Core writes them: each has its prevout, but for a coinbase's. */
static bool take_vin(struct record *record, struct text array, struct prevouts *prevouts) {
    struct json_walk walk;
    struct json_member input, member;
    json_walk_init(&walk, array.data, array.size);
    while (json_walk_next_element(&walk, &input)) {
        if (find_member(value_text(&input), "coinbase", &member))
            continue;
        if (!find_member(value_text(&input), "prevout", &member))
            return refuse(record, "vin", "an input without prevout");
        if (!take_prevout(record, value_text(&member), prevouts))
            return false;
    }
    return !walk.reason || refuse(record, "vin", "not an array");
}

/* Take the prevouts that a transaction spends from those of its block. */
static bool spend_prevouts(struct record *record, const struct transaction *transaction, struct prevouts *prevouts,
                           size_t *next) {
    size_t count = transaction_is_coinbase(transaction) ? 0 : transaction->input_count;
    if (prevouts->count - *next < count)
        return refuse(record, "prevouts", "fewer than the inputs that spend");
    *next += count;
    return true;
}

static bool all_spent(struct record *record, const struct prevouts *prevouts, size_t next) {
    return next == prevouts->count || refuse(record, "prevouts", "more than the inputs that spend");
}

static bool add_transaction(struct record *record, struct bytes raw, struct prevouts *prevouts) {
    struct transaction transaction;
    struct cursor cursor = {.bytes = raw};
    size_t next = 0;
    if (!transaction_parse(&transaction, &record->inputs->arena, &cursor) || !cursor_at_end(&cursor))
        return refuse_bytes(record, &cursor.defect);
    return spend_prevouts(record, &transaction, prevouts, &next) && all_spent(record, prevouts, next) &&
           inputs_add(record->inputs, record->line, record->height, &transaction, prevouts->list);
}

/* Nothing is added of a block that is malformed: which prevouts are whose is not known then. */
static bool add_block(struct record *record, struct bytes raw, struct prevouts *prevouts) {
    struct arena *arena = &record->inputs->arena;
    struct cursor cursor = {.bytes = raw};
    uint64_t count;
    size_t next = 0;
    if (!block_parse_header(&count, &cursor))
        return refuse_bytes(record, &cursor.defect);
    struct transaction *transactions = arena_array(arena, (size_t)count, sizeof *transactions);
    for (size_t i = 0; transactions && i < count; i++) {
        record->number = i;
        if (!transaction_parse(&transactions[i], arena, &cursor))
            return refuse_bytes(record, &cursor.defect);
        if (!spend_prevouts(record, &transactions[i], prevouts, &next))
            return false;
    }
    if (!transactions)
        return false;
    record->number = (size_t)NO_NUMBER;
    if (!cursor_at_end(&cursor))
        return refuse_bytes(record, &cursor.defect);
    if (!all_spent(record, prevouts, next))
        return false;
    const struct prevout *own = prevouts->list;
    for (size_t i = 0; i < count; i++) {
        if (!inputs_add(record->inputs, record->line, record->height, &transactions[i], own))
            return false;
        if (!transaction_is_coinbase(&transactions[i]))
            own += transactions[i].input_count;
    }
    return true;
}

/* The members of an object that matter. */
struct members {
    struct text raw, prevouts, vin, transactions;
};

static bool take_member(struct record *record, struct members *members, const struct json_member *member) {
    struct text *place = named(member, "raw") || named(member, "hex") ? &members->raw
                         : named(member, "prevouts")                  ? &members->prevouts
                         : named(member, "vin")                       ? &members->vin
                         : named(member, "tx")                        ? &members->transactions
                                                                      : NULL;
    if (!place || member->type == JSON_NULL_VALUE)
        return true;
    if (place->data)
        return refuse(record, "", "a name twice");
    if (place != &members->raw)
        *place = value_text(member);
    else if (!is_string(member))
        return refuse(record, "raw", "not a string of hexadecimal digits");
    else
        *place = string_text(member);
    return true;
}

static bool take_transaction(struct record *record, const struct members *members, bool block) {
    struct prevouts prevouts = {0};
    struct bytes raw;
    if (!members->raw.data)
        return refuse(record, "", "no `raw` and no `hex`");
    if (members->prevouts.data && members->vin.data)
        return refuse(record, "", "both `prevouts` and `vin`");
    if (members->prevouts.data && !take_pairs(record, members->prevouts, &prevouts))
        return false;
    if (members->vin.data && !take_vin(record, members->vin, &prevouts))
        return false;
    if (!decode(record, "raw", members->raw, &raw))
        return false;
    return block ? add_block(record, raw, &prevouts) : add_transaction(record, raw, &prevouts);
}

static bool take_members(struct record *record, struct text object, struct members *members, bool *doubtful) {
    struct json_walk walk;
    struct json_member member;
    bool good = true;
    json_walk_init(&walk, object.data, object.size);
    while (json_walk_next(&walk, &member))
        good = good && take_member(record, members, &member);
    *doubtful = walk.doubtful;
    return walk.reason ? refuse(record, "", walk.reason) : good;
}

/* After a transaction that was refused, those after it are still read. */
static bool settle(struct record *record, bool good) {
    if (good || out_of_memory(record) || !record->reason[0])
        return good;
    good = inputs_add_malformed(record->inputs, record->line, record->reason);
    record->reason[0] = 0;
    return good;
}

/* The transactions of a block as Bitcoin Core writes it, each an object. */
static bool take_objects(struct record *record, struct text array) {
    struct json_walk walk;
    struct json_member element;
    bool doubtful;
    json_walk_init(&walk, array.data, array.size);
    for (record->number = 0; json_walk_next_element(&walk, &element); record->number++) {
        struct members members = {0};
        bool good = take_members(record, value_text(&element), &members, &doubtful) &&
                    take_transaction(record, &members, false);
        if (!settle(record, good))
            return false;
    }
    record->number = (size_t)NO_NUMBER;
    return !walk.reason || refuse(record, "tx", "not an array");
}

static bool take_json(struct record *record, struct text text, bool blocks) {
    struct members members = {0};
    bool doubtful;
    bool good = take_members(record, text, &members, &doubtful);
    if (doubtful && !json_is_valid(text.data, text.size)) {
        record->reason[0] = 0;
        return refuse(record, "", "not a JSON object");
    }
    if (!good)
        return false;
    return members.transactions.data ? take_objects(record, members.transactions)
                                     : take_transaction(record, &members, blocks);
}

/* satoshi:script, with a space between each two. */
static bool take_list(struct record *record, struct text list, struct prevouts *prevouts) {
    while (list.size) {
        const char *space = memchr(list.data, ' ', list.size);
        size_t size = space ? (size_t)(space - list.data) : list.size;
        const char *colon = memchr(list.data, ':', size);
        if (size && !colon)
            return refuse(record, "prevouts", "not an amount, a colon and a script");
        if (size) {
            struct prevout *prevout = add_prevout(record, prevouts);
            size_t amount = (size_t)(colon - list.data);
            if (!prevout)
                return false;
            if (!decimal(&prevout->satoshi, (struct text){list.data, amount}, 0))
                return refuse(record, "prevouts", "no amount in satoshi, an integer");
            if (!decode(record, "prevouts", (struct text){colon + 1, size - amount - 1}, &prevout->script))
                return false;
        }
        size += space != NULL;
        list = (struct text){list.data + size, list.size - size};
    }
    return true;
}

static struct text field_text(const struct csv_field *field, const char *text) {
    return (struct text){text + field->start, field->end - field->start};
}

static bool take_csv(struct record *record, const struct record_layout *layout, struct text text) {
    struct csv_record row;
    struct prevouts prevouts = {0};
    struct bytes raw;
    if (csv_scan(text.data, text.size, true, layout->fields, layout->field_count, &row) != SCAN_RECORD)
        return refuse(record, "", row.reason);
    if (row.fields != layout->field_count)
        return refuse(record, "",
                      row.fields < layout->field_count ? "fewer fields than the header has"
                                                       : "more fields than the header has");
    if (!take_list(record, field_text(&layout->fields[layout->prevouts_field], text.data), &prevouts) ||
        !decode(record, "raw", field_text(&layout->fields[layout->raw_field], text.data), &raw))
        return false;
    return layout->blocks ? add_block(record, raw, &prevouts) : add_transaction(record, raw, &prevouts);
}

static bool is_blank(struct text text) {
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] != ' ' && text.data[i] != '\t' && text.data[i] != '\r' && text.data[i] != '\n')
            return false;
    return true;
}

bool record_take(struct inputs *inputs, const struct record_layout *layout, uint64_t line, const char *text,
                 size_t size) {
    struct record record = {.inputs = inputs, .line = line, .height = layout->height, .number = (size_t)NO_NUMBER};
    struct text all = {text, size};
    if (is_blank(all))
        return true;
    bool good = layout->format == FORMAT_CSV ? take_csv(&record, layout, all) : take_json(&record, all, layout->blocks);
    return settle(&record, good);
}

static bool is_field(const struct csv_field *field, const char *text, const char *name) {
    size_t length = strlen(name);
    return field->end - field->start == length && memcmp(text + field->start, name, length) == 0;
}

const char *record_header(struct record_layout *layout, const char *text, size_t size) {
    static const char mark[] = "\xef\xbb\xbf";
    struct csv_record record;
    size_t skipped = size >= 3 && memcmp(text, mark, 3) == 0 ? 3 : 0;
    layout->fields = calloc(MAX_RECORD_FIELDS, sizeof *layout->fields);
    if (!layout->fields)
        return gecc_result_text(GECC_ERROR_MEMORY);
    if (csv_scan(text + skipped, size - skipped, true, layout->fields, MAX_RECORD_FIELDS, &record) != SCAN_RECORD)
        return record.reason;
    if (record.fields > MAX_RECORD_FIELDS)
        return "more than 4096 columns";
    layout->field_count = layout->raw_field = layout->prevouts_field = record.fields;
    for (size_t f = 0; f < record.fields; f++) {
        const struct csv_field *field = &layout->fields[f];
        bool raw = is_field(field, text + skipped, "raw") || is_field(field, text + skipped, "hex");
        size_t *place = raw                                           ? &layout->raw_field
                        : is_field(field, text + skipped, "prevouts") ? &layout->prevouts_field
                                                                      : NULL;
        if (place && *place < record.fields)
            return "a column twice";
        if (place)
            *place = f;
    }
    if (layout->raw_field == record.fields || layout->prevouts_field == record.fields)
        return "no columns `raw` and `prevouts`";
    return NULL;
}

void record_layout_free(struct record_layout *layout) {
    free(layout->fields);
    layout->fields = NULL;
}
