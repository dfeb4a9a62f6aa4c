/* Events of Nostr (NIP-01), one an object of JSON Lines: the `id` is the SHA-256 of their content, written as one
 * array, and `sig` is BIP-340's signature of the id by `pubkey`. */
#include "rows/decode.h"
#include "rows/documents.h"
#include "text/hex.h"
#include "text/json.h"

#include <string.h>

/* The members that an event has, each once. */
enum member { MEMBER_ID, MEMBER_PUBKEY, MEMBER_CREATED, MEMBER_KIND, MEMBER_TAGS, MEMBER_CONTENT, MEMBER_SIG, MEMBERS };

static const struct {
    const char *text;
    size_t length;
} names[MEMBERS] = {{"id", 2}, {"pubkey", 6}, {"created_at", 10}, {"kind", 4}, {"tags", 4}, {"content", 7}, {"sig", 3}};

struct event {
    bool has[MEMBERS];
    struct json_member at[MEMBERS];
};

/* Is it one of the event's? false: it is, and was there before. */
static bool take_member(struct event *event, const struct json_member *member) {
    bool once = true;
    for (unsigned m = 0; m < MEMBERS; m++)
        if ((member->name_escaped || member->name_length == names[m].length + 2) &&
            json_string_is(member->name, member->name_length, member->name_escaped, names[m].text)) {
            once = !event->has[m];
            event->has[m] = true;
            event->at[m] = *member;
        }
    return once;
}

/* The members that the reader has found in the object, or where they are too many all anew. NULL, or why it is no
 * event. */
static const char *read_event(struct event *event, const struct batch *batch, const char *text, size_t size) {
    struct json_walk walk;
    struct json_member member;
    const bool is_walked = batch->member_count <= OBJECT_MEMBERS;
    bool twice = false;
    *event = (struct event){.has = {false}};
    for (size_t i = 0; is_walked && i < batch->member_count; i++)
        twice |= !take_member(event, &batch->members[i]);
    json_walk_init(&walk, text, size);
    while (!is_walked && json_walk_next(&walk, &member))
        twice |= !take_member(event, &member);
    if (twice)
        return "a member twice";
    for (unsigned m = 0; m < MEMBERS; m++)
        if (!event->has[m])
            return "not all of id, pubkey, created_at, kind, tags, content and sig";
    return NULL;
}

static uint32_t digit_of(char c) {
    return c >= '0' && c <= '9' ? (uint32_t)(c - '0') : (uint32_t)((c | 0x20) - 'a') + 10;
}

/* The number of \uXXXX, of which text[6] is one in valid JSON. */
static uint32_t unit_of(const char *text) {
    return digit_of(text[2]) << 12 | digit_of(text[3]) << 8 | digit_of(text[4]) << 4 | digit_of(text[5]);
}

static char *put_utf8(char *out, uint32_t c) {
    if (c < 0x80) {
        *out++ = (char)c;
        return out;
    }
    const unsigned more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *out++ = (char)((0xf0 << (3 - more) & 0xff) | c >> 6 * more);
    for (unsigned i = more; i-- > 0;)
        *out++ = (char)(0x80 | (c >> 6 * i & 0x3f));
    return out;
}

/* A character as NIP-01 writes it: of seven there are escapes, the others stand for themselves. */
static char *put_character(char *out, uint32_t c) {
    static const char escaped[] = "\"\\\n\r\t\b\f", letters[] = "\"\\nrtbf";
    const char *found = c != 0 && c < 0x80 ? strchr(escaped, (int)c) : NULL;
    if (!found)
        return put_utf8(out, c);
    *out++ = '\\';
    *out++ = letters[found - escaped];
    return out;
}

/* The string that begins at *at, as NIP-01 writes it, which is no longer; *at goes behind it. NULL: half of a surrogate
 * pair. */
static char *put_string(char *out, const char **at) {
    const char *text = *at;
    *out++ = *text++;
    while (*text != '"') {
        uint32_t c = (unsigned char)*text;
        if (c != '\\') {
            *out++ = *text++;
        } else if (text[1] != 'u') {
            if (text[1] != '/')
                *out++ = '\\';
            *out++ = text[1];
            text += 2;
        } else {
            c = unit_of(text);
            text += 6;
            if (c >= 0xdc00 && c < 0xe000)
                return NULL;
            if (c >= 0xd800 && c < 0xdc00) {
                const uint32_t low = text[0] == '\\' && text[1] == 'u' ? unit_of(text) : 0;
                if (low < 0xdc00 || low >= 0xe000)
                    return NULL;
                c = 0x10000 + ((c & 0x3ff) << 10 | (low & 0x3ff));
                text += 6;
            }
            out = put_character(out, c);
        }
    }
    *out++ = '"';
    *at = text + 1;
    return out;
}

/* An array of arrays of strings without blanks. NULL, or *reason is why it is none. */
static char *put_tags(char *out, const struct json_member *tags, const char **reason) {
    unsigned depth = 0;
    *reason = "tags are no array of arrays of strings";
    for (const char *at = tags->value, *end = at + tags->value_length; at < end;) {
        const char c = *at;
        if (c == '"') {
            if (depth != 2)
                return NULL;
            out = put_string(out, &at);
            if (!out) {
                *reason = "half of a surrogate pair";
                return NULL;
            }
            continue;
        }
        depth += c == '[';
        if (depth > 2 || (c != '[' && c != ']' && c != ',' && c != ' ' && c != '\t' && c != '\r' && c != '\n'))
            return NULL;
        depth -= c == ']';
        if (c == '[' || c == ']' || c == ',')
            *out++ = c;
        at++;
    }
    return out;
}

static bool is_integer(const struct json_member *member, uint64_t most) {
    bool right = member->type == JSON_NUMBER_VALUE;
    uint64_t value = 0;
    for (size_t i = 0; right && i < member->value_length; i++) {
        const uint64_t digit = (uint64_t)member->value[i] - '0';
        right = digit <= 9 && value <= (most - digit) / 10;
        value = 10 * value + digit;
    }
    return right;
}

/* [0,"pubkey",created_at,kind,tags,"content"], in no more bytes than the event has. NULL, or why there is none. */
static const char *put_event(char *out, size_t *size, const struct event *event) {
    const struct json_member *tags = &event->at[MEMBER_TAGS], *content = &event->at[MEMBER_CONTENT];
    const char *const start = out, *at, *reason = NULL;
    if (!is_integer(&event->at[MEMBER_CREATED], INT64_MAX) || !is_integer(&event->at[MEMBER_KIND], UINT16_MAX))
        return "created_at or kind is no integer from 0 up, of kind to 65535";
    if (content->type != JSON_STRING_VALUE || *tags->value != '[')
        return content->type != JSON_STRING_VALUE ? "content is no string" : "tags are no array";
    *out++ = '[';
    *out++ = '0';
    *out++ = ',';
    for (unsigned m = MEMBER_PUBKEY; m <= MEMBER_KIND; m++) {
        memcpy(out, event->at[m].value, event->at[m].value_length);
        out += event->at[m].value_length;
        *out++ = ',';
    }
    if (!(out = put_tags(out, tags, &reason)))
        return reason;
    *out++ = ',';
    at = content->value;
    if (!content->value_escaped)
        out = (char *)memcpy(out, content->value, content->value_length) + content->value_length;
    else if (!(out = put_string(out, &at)))
        return "half of a surrogate pair";
    *out++ = ']';
    *size = (size_t)(out - start);
    return NULL;
}

/* The bytes of a member of so many lower-case digits, which go to a cell. NULL, or `reason`. */
static const char *take_hex(struct batch *batch, struct span *span, const struct json_member *member, size_t bytes,
                            const char *reason) {
    bool right = member->type == JSON_STRING_VALUE && member->value_length == 2 + 2 * bytes;
    for (size_t i = 1; right && i <= 2 * bytes; i++)
        right = member->value[i] < 'A' || member->value[i] > 'F';
    const char *full = right ? batch_take(batch, bytes, span) : reason;
    return full || hex_decode(batch->bytes + span->offset, member->value + 1, 2 * bytes) ? full : reason;
}

static const char *take_event(struct batch *batch, size_t i, const char *text, size_t size) {
    struct event event;
    size_t used = 0;
    const char *reason = read_event(&event, batch, text, size);
    if (!reason)
        reason = take_hex(batch, &batch->cells[COLUMN_DIGEST][i], &event.at[MEMBER_ID], 32,
                          "id is not 64 lower-case hexadecimal digits");
    if (!reason)
        reason = take_hex(batch, &batch->cells[COLUMN_PUB][i], &event.at[MEMBER_PUBKEY], 32,
                          "pubkey is not 64 lower-case hexadecimal digits");
    if (!reason)
        reason = take_hex(batch, &batch->cells[COLUMN_SIG][i], &event.at[MEMBER_SIG], 64,
                          "sig is not 128 lower-case hexadecimal digits");
    if (!reason && size > batch_room(batch))
        reason = batch_is_full;
    if (!reason)
        reason = put_event((char *)batch->bytes + batch->bytes_used, &used, &event);
    return reason ? reason : batch_take(batch, used, &batch->cells[COLUMN_MSG][i]);
}

void event_open(struct batch *batch, struct row *row, const struct cell *cells) {
    const struct cell *cell = &cells[COLUMN_EVENT];
    const char *reason = take_event(batch, (size_t)(row - batch->rows), cell->text, cell->length);
    if (reason)
        row_refuse(row, COLUMN_EVENT, reason);
    else
        row_join(batch, row,
                 &(struct group){.curve = GECC_SECP256K1,
                                 .hash = GECC_HASH_DEFAULT,
                                 .form = COLUMN_BIT(PUB) | COLUMN_BIT(MSG) | COLUMN_BIT(DIGEST) | COLUMN_BIT(SIG)});
}
