#include "bitcoin/record.h"
#include "bitcoin/output.h"
#include "rows/kept.h"
#include "text/decimal.h"
#include "text/hex.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A record that is being read. */
struct record {
    struct inputs *inputs;
    bool as_json; /* its rows are JSON Lines */
    uint64_t line;
    uint32_t height;
    size_t number;      /* of the transaction in its block, from 0 up; NO_NUMBER: it stands alone */
    char reason[192];   /* why it is none; empty: it may be one */
    struct buffer kept; /* what goes into each row */
    struct inputs_told told;
};

enum { NO_NUMBER = -1 };

struct text {
    const char *data; /* NULL: not there */
    size_t size;
};

static bool refuse(struct record *record, const char *name, const char *reason) {
    if (!record->reason[0])
        snprintf(record->reason, sizeof record->reason, "%s%s%s", name, *name ? ": " : "", reason);
    return false;
}

/* Other people's text, so that it needs no escape and does nothing to a terminal. */
static void make_plain(char *text) {
    for (; *text; text++)
        *text = *text == '"' ? '\'' : *text < 0x20 || *text > 0x7e || *text == '\\' ? '?' : *text;
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
    if (text.size / 2 > MOST_WEIGHT)
        return refuse(record, name, "longer than 4,000,000 bytes, which is more than a block can have");
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

/* Prevouts that grow, and which outputs they are, where the record says so. */
struct prevouts {
    struct prevout *list; /* in the arena */
    struct outpoint {
        bool has_id, has_number;
        uint8_t bytes[OUTPOINT_BYTES];
    } * outpoints;
    size_t count, room;
};

static struct prevout *add_prevout(struct record *record, struct prevouts *prevouts) {
    if (prevouts->count == MOST_INPUTS) {
        refuse(record, "prevouts", "more than a block can have inputs");
        return NULL;
    }
    if (prevouts->count == prevouts->room) {
        size_t room = prevouts->room ? 2 * prevouts->room : 4;
        struct prevout *list = arena_array(&record->inputs->arena, room, sizeof *list);
        struct outpoint *outpoints = arena_array(&record->inputs->arena, room, sizeof *outpoints);
        if (!list || !outpoints)
            return NULL;
        if (prevouts->count) {
            memcpy(list, prevouts->list, prevouts->count * sizeof *list);
            memcpy(outpoints, prevouts->outpoints, prevouts->count * sizeof *outpoints);
        }
        prevouts->list = list;
        prevouts->outpoints = outpoints;
        prevouts->room = room;
    }
    return &prevouts->list[prevouts->count++];
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

/* The member of that name; false: there is none, or (a reason is there) there are two. */
static bool find_member(struct record *record, struct text object, const char *name, struct json_member *member) {
    struct json_walk walk;
    struct json_member next;
    bool found = false;
    json_walk_init(&walk, object.data, object.size);
    while (json_walk_next(&walk, &next)) {
        if (!member_is(&next, name))
            continue;
        if (found)
            return refuse(record, name, "a name twice");
        *member = next;
        found = true;
    }
    return found;
}

/* An id, of which the last byte is written first, to out[HASH_BYTES]. false: the text is something else. */
static bool decode_id(struct text text, uint8_t out[HASH_BYTES]) {
    uint8_t shown[HASH_BYTES];
    if (!text.data || text.size != 2 * sizeof shown || !hex_decode(shown, text.data, text.size))
        return false;
    for (size_t i = 0; i < sizeof shown; i++)
        out[i] = shown[sizeof shown - 1 - i];
    return true;
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
        !decimal_read(&prevout->satoshi, amount.value, amount.value_length, 0))
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
    if (!find_member(record, object, "value", &value) || value.type != JSON_NUMBER_VALUE ||
        !decimal_read(&prevout->satoshi, value.value, value.value_length, 8))
        return refuse(record, "prevout", "no value in bitcoins, a number with at most 8 decimals");
    if (!find_member(record, object, "scriptPubKey", &script) || !find_member(record, value_text(&script), "hex", &hex))
        return refuse(record, "prevout", "no scriptPubKey with hex");
    return decode(record, "prevout", string_text(&hex), &prevout->script);
}

/* Which output an input says that it spends: txid and vout, if it has them. */
static bool take_outpoint(struct record *record, struct text input, struct outpoint *outpoint) {
    struct json_member id = {0}, number = {0};
    uint64_t value = 0;
    outpoint->has_id = find_member(record, input, "txid", &id) && decode_id(string_text(&id), outpoint->bytes);
    outpoint->has_number = find_member(record, input, "vout", &number);
    if (outpoint->has_number && (!decimal_read(&value, number.value, number.value_length, 0) || value > UINT32_MAX))
        return refuse(record, "vout", "not the number of an output");
    for (size_t i = 0; outpoint->has_number && i < 4; i++)
        outpoint->bytes[HASH_BYTES + i] = (uint8_t)(value >> 8 * i);
    return !record->reason[0];
}

/* The inputs of a transaction as Bitcoin Core writes them: each has its prevout, but for a coinbase's. */
static bool take_vin(struct record *record, struct text array, struct prevouts *prevouts) {
    struct json_walk walk;
    struct json_member input, member;
    json_walk_init(&walk, array.data, array.size);
    while (json_walk_next_element(&walk, &input)) {
        if (find_member(record, value_text(&input), "coinbase", &member))
            continue;
        if (!find_member(record, value_text(&input), "prevout", &member))
            return refuse(record, "vin", "an input without prevout");
        if (!take_prevout(record, value_text(&member), prevouts) ||
            !take_outpoint(record, value_text(&input), &prevouts->outpoints[prevouts->count - 1]))
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
    for (size_t i = 0; i < count; i++) {
        const struct outpoint *said = &prevouts->outpoints[*next + i];
        const uint8_t *spent = transaction->inputs[i].outpoint;
        if (said->has_id && memcmp(said->bytes, spent, HASH_BYTES) != 0)
            return refuse(record, "vin", "an input's txid is not the one in the transaction");
        if (said->has_number && memcmp(said->bytes + HASH_BYTES, spent + HASH_BYTES, 4) != 0)
            return refuse(record, "vin", "an input's vout is not the one in the transaction");
    }
    *next += count;
    return true;
}

static bool all_spent(struct record *record, const struct prevouts *prevouts, size_t next) {
    return next == prevouts->count || refuse(record, "prevouts", "more than the inputs that spend");
}

/* Do the bytes go on like a block: a header, and a coinbase? */
static bool looks_like_block(struct record *record, struct bytes raw) {
    struct transaction first;
    struct cursor cursor = {.bytes = raw};
    uint64_t count;
    return block_parse_header(&count, &cursor) && count && transaction_parse(&first, &record->inputs->arena, &cursor) &&
           transaction_is_coinbase(&first);
}

/* What was kept so far lives as long as the batch then. */
static bool end_kept(struct record *record) {
    if (record->kept.used > KEPT_MOST) {
        record->told.kept.size = 0;
        return refuse(record, "", KEPT_TOO_LONG);
    }
    char *copy = arena_take(&record->inputs->arena, record->kept.used + 1);
    if (!copy || record->kept.failed)
        return !(record->inputs->arena.failed = true);
    if (record->kept.used)
        memcpy(copy, record->kept.bytes, record->kept.used);
    record->told.kept = (struct bytes){(const uint8_t *)copy, record->kept.used};
    return true;
}

static bool add_transaction(struct record *record, struct bytes raw, struct prevouts *prevouts) {
    struct transaction transaction;
    struct cursor cursor = {.bytes = raw};
    size_t next = 0;
    if (!transaction_parse(&transaction, &record->inputs->arena, &cursor) || !cursor_at_end(&cursor))
        return looks_like_block(record, raw) ? refuse(record, "raw", "a block: say --block")
                                             : refuse_bytes(record, &cursor.defect);
    bool first = record->number == 0, coinbase = transaction_is_coinbase(&transaction);
    if (coinbase && record->number != (size_t)NO_NUMBER && !first)
        return refuse(record, "raw", "a coinbase that is not the first transaction of its block");
    record->told.is_coinbase = coinbase && first;
    return spend_prevouts(record, &transaction, prevouts, &next) && all_spent(record, prevouts, next) &&
           inputs_add(record->inputs, record->line, record->height, &transaction, prevouts->list, &record->told);
}

/* What the transactions of a block are, beside each of them. */
static bool check_block(struct record *record, const struct transaction *transactions, size_t count) {
    size_t weight = 4 * BLOCK_HEADER_BYTES;
    for (size_t i = 0; i < count; i++) {
        record->number = i;
        weight += transaction_weight(&transactions[i]);
        if (transaction_is_coinbase(&transactions[i]) != (i == 0))
            return refuse(record, "raw",
                          i ? "a coinbase that is not the first transaction of its block"
                            : "no coinbase, though it is the first transaction of a block");
    }
    record->number = (size_t)NO_NUMBER;
    return weight <= MOST_WEIGHT || refuse(record, "raw", "a block that weighs more than 4,000,000");
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
    if (!all_spent(record, prevouts, next) || !check_block(record, transactions, count))
        return false;
    const struct prevout *own = prevouts->list;
    for (size_t i = 0; i < count; i++) {
        record->told.is_coinbase = i == 0;
        record->told.place = i + 1;
        if (!inputs_add(record->inputs, record->line, record->height, &transactions[i], own, &record->told))
            return false;
        if (!transaction_is_coinbase(&transactions[i]))
            own += transactions[i].input_count;
    }
    return true;
}

/* The members of an object that matter. */
enum { RAW, PREVOUTS, VIN, TRANSACTIONS, TXID, HASH, RESULT, ERROR, JSONRPC, MEMBERS };

static const char *const member_names[MEMBERS] = {"raw",  "prevouts", "vin",   "tx",     "txid",
                                                  "hash", "result",   "error", "jsonrpc"};

struct members {
    struct json_member list[MEMBERS];
    unsigned named, present; /* a bit for each; present: where it is not null */
    bool has_others;
};

static bool has(const struct members *members, int name) { return members->present >> name & 1; }
static struct text text_of(const struct members *members, int name) { return value_text(&members->list[name]); }

static int number_of(const struct json_member *member) {
    if (member_is(member, "hex"))
        return RAW;
    for (int name = 0; name < MEMBERS; name++)
        if (member_is(member, member_names[name]))
            return name;
    return -1;
}

static bool take_members(struct record *record, struct text object, struct members *members) {
    struct json_walk walk;
    struct json_member member;
    *members = (struct members){0};
    json_walk_init(&walk, object.data, object.size);
    while (json_walk_next(&walk, &member)) {
        int name = number_of(&member);
        if (name < 0) {
            members->has_others = true;
            continue;
        }
        if (members->named >> name & 1)
            return refuse(record, "", "a name twice");
        members->list[name] = member;
        members->named |= 1u << name;
        members->present |= (unsigned)(member.type != JSON_NULL_VALUE) << name;
    }
    return !walk.reason || refuse(record, "", walk.reason);
}

/* Whether the bytes of a transaction say the same: then the id tells what they are, if the record has one. */
static bool is_decoded(const struct members *members, const struct json_member *member) {
    static const char *const decoded[] = {"version", "size", "vsize", "weight", "locktime", "vout"};
    for (size_t i = 0; has(members, VIN) && i < sizeof decoded / sizeof *decoded; i++)
        if (member_is(member, decoded[i]))
            return true;
    return false;
}

/* A member that is too long to be in each row is left out, and named; rows of CSV have no columns for members. */
static void keep_member(struct record *record, const struct json_member *member) {
    size_t before = record->kept.used, length = member->name_length;
    struct inputs *inputs = record->inputs;
    kept_put_member(&record->kept, input_results, member);
    if (record->as_json && record->kept.used <= KEPT_MOST)
        return;
    inputs->has_left |= !record->as_json && record->kept.used != before;
    record->kept.used = before;
    if (inputs->left_out[0] || !record->as_json)
        return;
    snprintf(inputs->left_out, sizeof inputs->left_out, "line %llu: %.*s", (unsigned long long)record->line,
             (int)(length < 40 ? length : 40), member->name);
    make_plain(inputs->left_out);
}

/* What the object has besides what is read goes into its rows. A block's id is not a transaction's. */
static bool keep(struct record *record, struct text object, const struct members *members, bool block) {
    uint8_t id[HASH_BYTES];
    struct json_walk walk;
    struct json_member member;
    const unsigned ids = 1u << TXID | 1u << HASH;
    json_walk_init(&walk, object.data, object.size);
    while ((members->has_others || members->named & ids) && json_walk_next(&walk, &member)) {
        int name = number_of(&member);
        bool is_id = (name == TXID || name == HASH) && decode_id(string_text(&member), id);
        bool kept =
            name < 0 || ((name == TXID || name == HASH) && (block || !is_id)) || (name == HASH && !has(members, TXID));
        if (kept && !is_decoded(members, &member))
            keep_member(record, &member);
    }
    return end_kept(record);
}

/* false: not enough memory. */
static bool tell_id(struct record *record, struct text text, const uint8_t **id) {
    uint8_t *copy = arena_take(&record->inputs->arena, HASH_BYTES);
    *id = copy && decode_id(text, copy) ? copy : NULL;
    return copy != NULL;
}

static bool take_transaction(struct record *record, struct text object, const struct members *members, bool block) {
    struct prevouts prevouts = {0};
    struct bytes raw;
    if (!keep(record, object, members, block))
        return false;
    if (!block && has(members, TXID) && !tell_id(record, string_text(&members->list[TXID]), &record->told.txid))
        return false;
    if (!block && has(members, HASH) && !tell_id(record, string_text(&members->list[HASH]), &record->told.hash))
        return false;
    if (!has(members, RAW))
        return refuse(record, "", "no `raw` and no `hex`");
    if (!is_string(&members->list[RAW]))
        return refuse(record, "raw", "not a string of hexadecimal digits");
    if (has(members, PREVOUTS) && has(members, VIN))
        return refuse(record, "", "both `prevouts` and `vin`");
    if (has(members, PREVOUTS) && !take_pairs(record, text_of(members, PREVOUTS), &prevouts))
        return false;
    if (has(members, VIN) && !take_vin(record, text_of(members, VIN), &prevouts))
        return false;
    if (!decode(record, "raw", string_text(&members->list[RAW]), &raw))
        return false;
    return block ? add_block(record, raw, &prevouts) : add_transaction(record, raw, &prevouts);
}

/* After a transaction that was refused, those after it are still read. */
static bool settle(struct record *record, bool good) {
    if (good || out_of_memory(record) || !record->reason[0])
        return good;
    record->told.place = record->number + 1;
    good = inputs_add_malformed(record->inputs, record->line, record->reason, &record->told);
    record->reason[0] = 0;
    return good;
}

/* The transactions of a block as Bitcoin Core writes it, each an object. */
static bool take_objects(struct record *record, struct text array) {
    struct json_walk walk;
    struct json_member element;
    const size_t before = record->kept.used;
    const struct bytes kept = record->told.kept;
    json_walk_init(&walk, array.data, array.size);
    for (record->number = 0; json_walk_next_element(&walk, &element); record->number++) {
        struct members members;
        struct text object = value_text(&element);
        if (record->number == MOST_TRANSACTIONS)
            return refuse(record, "tx", "more transactions than a block can have");
        record->kept.used = before;
        record->told = (struct inputs_told){.kept = kept, .place = record->number + 1};
        bool good = (element.type != JSON_STRING_VALUE ||
                     refuse(record, "tx", "a transaction's id alone: ask for verbosity 3")) &&
                    take_members(record, object, &members) && take_transaction(record, object, &members, false);
        if (!settle(record, good))
            return false;
    }
    record->number = (size_t)NO_NUMBER;
    return !walk.reason || refuse(record, "tx", "not an array");
}

/* "the node answered with an error: ..." */
static bool refuse_error(struct record *record, const struct members *members) {
    char reason[96];
    struct text error = text_of(members, ERROR);
    struct json_member message;
    if (error.data[0] == '{' && find_member(record, error, "message", &message))
        error = value_text(&message);
    snprintf(reason, sizeof reason, "the node answered with an error: %.*s", (int)(error.size < 60 ? error.size : 60),
             error.data);
    make_plain(reason);
    return refuse(record, "", reason);
}

static bool take_json(struct record *record, struct text text, bool blocks) {
    struct members members;
    if (!take_members(record, text, &members))
        return false;
    if (members.named & (1u << RESULT | 1u << ERROR)) {
        if (!keep(record, text, &members, true))
            return false;
        if (has(&members, ERROR))
            return refuse_error(record, &members);
        if (!has(&members, RESULT))
            return refuse(record, "", "the node's answer is null: it has no such transaction or block");
        if (members.present & (1u << RAW | 1u << TRANSACTIONS))
            return refuse(record, "", "both `result` and a transaction or block");
        text = text_of(&members, RESULT);
        if (text.data[0] != '{')
            return refuse(record, "result", "not an object: ask for verbosity 2, of blocks 3");
        if (!take_members(record, text, &members))
            return false;
    }
    if (has(&members, TRANSACTIONS) && has(&members, RAW))
        return refuse(record, "", "both `raw` and `tx`");
    return has(&members, TRANSACTIONS) ? take_objects(record, text_of(&members, TRANSACTIONS))
                                       : take_transaction(record, text, &members, blocks);
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
            if (!decimal_read(&prevout->satoshi, list.data, amount, 0))
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

/* The cells that are kept; a row has them whatever is wrong with it. */
static bool take_cells(struct record *record, const struct record_layout *layout, const char *text, size_t fields) {
    static const struct csv_field none;
    fields = kept_cells(layout->header, layout->names, layout->field_count, fields);
    for (size_t f = 0; f < layout->field_count; f++) {
        const struct csv_field *field = f < fields ? &layout->fields[f] : &none;
        if (f == layout->raw_field || f == layout->prevouts_field)
            continue;
        if (layout->as_json)
            kept_put_cell_as_member(&record->kept, input_results, layout->header, &layout->names[f], text, field);
        else
            kept_put_cell(&record->kept, layout->header, &layout->names[f], text, field);
    }
    return end_kept(record);
}

static bool tell_cell(struct record *record, const struct record_layout *layout, size_t f, const char *text,
                      const uint8_t **id) {
    return layout->blocks || f == layout->field_count || tell_id(record, field_text(&layout->fields[f], text), id);
}

static bool take_csv(struct record *record, const struct record_layout *layout, struct text text) {
    struct csv_record row;
    struct prevouts prevouts = {0};
    struct bytes raw;
    if (csv_scan_record(text.data, text.size, layout->fields, layout->field_count, &row) != SCAN_RECORD)
        return take_cells(record, layout, text.data, 0) && refuse(record, "", row.reason);
    if (!take_cells(record, layout, text.data, row.fields))
        return false;
    if (row.fields != layout->field_count)
        return refuse(record, "",
                      row.fields < layout->field_count ? "fewer fields than the header has"
                                                       : "more fields than the header has");
    if (!tell_cell(record, layout, layout->txid_field, text.data, &record->told.txid) ||
        !tell_cell(record, layout, layout->hash_field, text.data, &record->told.hash) ||
        !take_list(record, field_text(&layout->fields[layout->prevouts_field], text.data), &prevouts) ||
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
    struct record record = {.inputs = inputs,
                            .as_json = layout->as_json,
                            .line = line,
                            .height = layout->height,
                            .number = (size_t)NO_NUMBER};
    struct text all = {text, size};
    if (is_blank(all))
        return true;
    bool good = layout->format == FORMAT_CSV ? take_csv(&record, layout, all)
                : text[0] == '{'             ? take_json(&record, all, layout->blocks)
                                             : refuse(&record, "", "not a JSON object");
    good = settle(&record, good);
    buffer_free(&record.kept);
    return good;
}

bool record_refuse(struct inputs *inputs, const struct record_layout *layout, uint64_t line, const char *reason) {
    struct record record = {.inputs = inputs, .line = line, .number = (size_t)NO_NUMBER};
    bool good = layout->format != FORMAT_CSV || take_cells(&record, layout, "", 0);
    refuse(&record, "", reason);
    good = good && settle(&record, false);
    buffer_free(&record.kept);
    return good;
}

static bool is_field(const struct csv_field *field, const char *text, const char *name) {
    size_t length = strlen(name);
    return field->end - field->start == length && memcmp(text + field->start, name, length) == 0;
}

const char *record_header(struct record_layout *layout, const char *text, size_t size) {
    struct csv_record record;
    layout->fields = calloc(MAX_RECORD_FIELDS, sizeof *layout->fields);
    layout->names = calloc(MAX_RECORD_FIELDS, sizeof *layout->names);
    layout->header = malloc(size + 1);
    if (!layout->fields || !layout->names || !layout->header)
        return gecc_result_text(GECC_ERROR_MEMORY);
    memcpy(layout->header, text, size);
    layout->header[size] = 0;
    if (csv_scan_record(text, size, layout->names, MAX_RECORD_FIELDS, &record) != SCAN_RECORD)
        return record.reason;
    if (record.fields > MAX_RECORD_FIELDS)
        return "more than 4096 columns";
    layout->field_count = layout->raw_field = layout->prevouts_field = layout->txid_field = layout->hash_field =
        record.fields;
    for (size_t f = 0; f < record.fields; f++) {
        const struct csv_field *field = &layout->names[f];
        bool raw = is_field(field, text, "raw") || is_field(field, text, "hex");
        size_t *place = raw                                 ? &layout->raw_field
                        : is_field(field, text, "prevouts") ? &layout->prevouts_field
                        : is_field(field, text, "txid")     ? &layout->txid_field
                        : is_field(field, text, "hash")     ? &layout->hash_field
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

void record_kept_header(struct buffer *out, const struct record_layout *layout) {
    for (size_t f = 0; f < layout->field_count; f++)
        if (f != layout->raw_field && f != layout->prevouts_field)
            kept_put_name(out, input_results, layout->header, &layout->names[f]);
}

void record_layout_free(struct record_layout *layout) {
    free(layout->fields);
    free(layout->names);
    free(layout->header);
    *layout = (struct record_layout){0};
}
