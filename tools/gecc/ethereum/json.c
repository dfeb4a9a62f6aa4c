#include "ethereum/json.h"
#include "text/hex.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 32, ADDRESS = 20, TYPES = 5 };

static const char missing[] = "it is missing", no_text[] = "it is no string of hexadecimal digits",
                  no_list[] = "it is no list", too_wide[] = "the number is wider than 32 bytes";

static const char *const names[] = {
#define X(name) #name
    MEMBERS(X)
#undef X
};

bool complain(struct complaint *complaint, const char *format, ...) {
    if (complaint->text[0])
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(complaint->text, sizeof complaint->text, format, arguments);
    va_end(arguments);
    for (char *c = complaint->text; *c; c++)
        if (*c < 0x20 || *c > 0x7e || *c == '"' || *c == '\\')
            *c = *c == '"' ? '\'' : '?';
    return false;
}

/* For a complaint: the text of a value, cut where it is long. */
enum { SHOWN = 70 };
#define SHOW(member) (int)((member)->value_length < SHOWN ? (member)->value_length : SHOWN), (member)->value

static int name_of(const struct json_member *member) {
    for (int name = 0; name < MEMBER_COUNT; name++)
        if (member_is(member, names[name]))
            return name;
    return -1;
}

bool object_read(struct object *object, struct complaint *complaint, const char *text, size_t size) {
    struct json_walk walk;
    struct json_member member;
    *object = (struct object){0};
    json_walk_init(&walk, text, size);
    while (json_walk_next(&walk, &member)) {
        int name = name_of(&member);
        if (name < 0) {
            object->has_others = true;
            continue;
        }
        if (object->named >> name & 1)
            return complain(complaint, "%s: it is there twice: %.*s and %.*s", names[name],
                            SHOW(&object->members[name]), SHOW(&member));
        object->named |= (uint64_t)1 << name;
        object->present |= (uint64_t)(member.type != JSON_NULL_VALUE) << name;
        object->members[name] = member;
    }
    return true;
}

void object_keep(struct buffer *kept, result_list results, const char *text, size_t size, uint64_t read) {
    struct json_walk walk;
    struct json_member member;
    json_walk_init(&walk, text, size);
    while (json_walk_next(&walk, &member)) {
        int name = name_of(&member);
        if (name < 0 || !(read >> name & 1))
            kept_put_member(kept, results, &member);
    }
}

void bytes_put(struct bytes *bytes, const void *data, size_t count) {
    if (bytes->room - bytes->used < count) {
        size_t room = 2 * bytes->room + count + 4096;
        uint8_t *larger = bytes->failed ? NULL : realloc(bytes->data, room);
        bytes->failed = larger == NULL;
        if (bytes->failed)
            return;
        bytes->data = larger;
        bytes->room = room;
    }
    if (count != 0)
        memcpy(bytes->data + bytes->used, data, count);
    bytes->used += count;
}

/* The head of a string (offset 0x80) or a list (0xc0), of `width` bytes; returns its own. */
static size_t write_head(uint8_t head[9], uint8_t offset, size_t width) {
    size_t count = 0;
    if (width <= 55) {
        head[0] = (uint8_t)(offset + width);
        return 1;
    }
    for (size_t rest = width; rest != 0; rest >>= 8)
        count++;
    head[0] = (uint8_t)(offset + 55 + count);
    for (size_t i = 0; i < count; i++)
        head[1 + i] = (uint8_t)(width >> 8 * (count - 1 - i));
    return 1 + count;
}

static void put_head(struct bytes *bytes, size_t start, uint8_t offset) {
    uint8_t head[9];
    size_t width = bytes->used - start, count = write_head(head, offset, width);
    bytes_put(bytes, head, count);
    if (bytes->failed)
        return;
    memmove(bytes->data + start + count, bytes->data + start, width);
    memcpy(bytes->data + start, head, count);
}

void bytes_make_list(struct bytes *bytes, size_t start) { put_head(bytes, start, 0xc0); }

/* The same for a string; a byte below 0x80 needs none. */
static void make_string(struct bytes *bytes, size_t start) {
    if (bytes->used - start != 1 || bytes->failed || bytes->data[start] >= 0x80)
        put_head(bytes, start, 0x80);
}

bool bytes_put_hex(struct bytes *bytes, const char *text, size_t digits) {
    uint8_t part[512];
    hex_skip_prefix(&text, &digits);
    if (digits % 2 != 0)
        return false;
    for (size_t done = 0; done < digits;) {
        size_t now = digits - done < 2 * sizeof part ? digits - done : 2 * sizeof part;
        if (!hex_decode(part, text + done, now))
            return false;
        bytes_put(bytes, part, now / 2);
        done += now;
    }
    return true;
}

/* The characters of a string; NULL: it is none, or one with escapes. */
static const char *string_of(const struct json_member *value, size_t *length) {
    if (value == NULL || value->type != JSON_STRING_VALUE || value->value_escaped)
        return NULL;
    *length = value->value_length - 2;
    return value->value + 1;
}

static const struct json_member *member_of(const struct object *object, enum member_name name) {
    return object->named >> name & 1 ? &object->members[name] : NULL;
}

/* A string of bytes; null stands for none. */
static const char *put_data(struct bytes *bytes, const struct json_member *value) {
    size_t start = bytes->used, length;
    if (value == NULL)
        return missing;
    const char *text = string_of(value, &length);
    if (value->type != JSON_NULL_VALUE && (!text || !bytes_put_hex(bytes, text, length)))
        return no_text;
    make_string(bytes, start);
    return NULL;
}

/* A number below 2^256, in any number of digits. NULL, or what is wrong with it. */
static const char *take_quantity(uint8_t out[WORD], const struct json_member *value) {
    size_t digits = 0;
    const char *text = string_of(value, &digits);
    char padded[2 * WORD];
    if (value == NULL || value->type == JSON_NULL_VALUE)
        return missing;
    if (text == NULL || digits < 3 || text[0] != '0' || (text[1] | 32) != 'x')
        return no_text;
    hex_skip_prefix(&text, &digits);
    for (; digits > 1 && *text == '0'; digits--)
        text++;
    if (digits > sizeof padded)
        return too_wide;
    memset(padded, '0', sizeof padded);
    memcpy(padded + sizeof padded - digits, text, digits);
    return hex_decode(out, padded, sizeof padded) ? NULL : no_text;
}

static bool is_same_number(const struct object *object, enum member_name a, enum member_name b) {
    uint8_t first[WORD], second[WORD];
    return !take_quantity(first, member_of(object, a)) && !take_quantity(second, member_of(object, b)) &&
           memcmp(first, second, WORD) == 0;
}

/* A number without zeros before it. */
static const char *put_quantity(struct bytes *bytes, const struct json_member *value) {
    size_t start = bytes->used, skipped = 0;
    uint8_t word[WORD];
    const char *reason = take_quantity(word, value);
    if (reason)
        return reason;
    while (skipped < WORD && word[skipped] == 0)
        skipped++;
    bytes_put(bytes, word + skipped, WORD - skipped);
    make_string(bytes, start);
    return NULL;
}

typedef const char *put_function(struct bytes *bytes, const struct json_member *value);

/* What is missing, or null, is an empty list. */
static const char *put_array(struct bytes *bytes, const struct json_member *value, put_function *put) {
    size_t start = bytes->used;
    struct json_walk walk;
    struct json_member item;
    const char *reason = NULL;
    if (value != NULL && value->type != JSON_NULL_VALUE) {
        if (value->value[0] != '[')
            return no_list;
        json_walk_init(&walk, value->value, value->value_length);
        while (reason == NULL && json_walk_next_element(&walk, &item))
            reason = put(bytes, &item);
    }
    bytes_make_list(bytes, start);
    return reason; /* cppcheck-suppress returnDanglingLifetime ; texts are static */
}

static const char *put_hashes(struct bytes *bytes, const struct json_member *value) {
    return put_array(bytes, value, put_data);
}

static const char *put_blobs(struct bytes *bytes, const struct json_member *value) {
    return value ? put_hashes(bytes, value) : missing;
}

struct item {
    enum member_name name;
    put_function *put;
};

/* The items of an entry of a list, which has no other members: nothing would compare these. */
static const char *put_entry(struct bytes *bytes, const struct json_member *entry, const struct item *items) {
    struct object object;
    struct complaint complaint = {{0}};
    size_t start = bytes->used;
    uint64_t read = 0;
    if (entry->value[0] != '{')
        return "an entry is no object";
    if (!object_read(&object, &complaint, entry->value, entry->value_length))
        return "a member of an entry is there twice";
    for (; items->name != MEMBER_COUNT; items++) {
        const char *reason = items->put(bytes, member_of(&object, items->name));
        if (reason)
            return reason;
        read |= (uint64_t)1 << items->name;
    }
    if (object_has(&object, MEMBER_v) && is_same_number(&object, MEMBER_v, MEMBER_yParity))
        read |= (uint64_t)1 << MEMBER_v;
    if (object.has_others || object.named & ~read)
        return "an entry has a member that is not read, or not what another says";
    bytes_make_list(bytes, start);
    return NULL;
}

static const char *put_access(struct bytes *bytes, const struct json_member *entry) {
    static const struct item items[] = {
        {MEMBER_address, put_data}, {MEMBER_storageKeys, put_hashes}, {MEMBER_COUNT, NULL}};
    return put_entry(bytes, entry, items);
}

static const char *put_access_list(struct bytes *bytes, const struct json_member *value) {
    return put_array(bytes, value, put_access);
}

static const char *put_authorization(struct bytes *bytes, const struct json_member *entry) {
    static const struct item items[] = {{MEMBER_chainId, put_quantity},
                                        {MEMBER_address, put_data},
                                        {MEMBER_nonce, put_quantity},
                                        {MEMBER_yParity, put_quantity},
                                        {MEMBER_r, put_quantity},
                                        {MEMBER_s, put_quantity},
                                        {MEMBER_COUNT, NULL}};
    return put_entry(bytes, entry, items);
}

static const char *put_authorizations(struct bytes *bytes, const struct json_member *value) {
    return value ? put_array(bytes, value, put_authorization) : missing;
}

#define SIGNATURE(v)                                                                                                   \
    {v, put_quantity}, {MEMBER_r, put_quantity}, {MEMBER_s, put_quantity}, { MEMBER_COUNT, NULL }
#define FEES                                                                                                           \
    {MEMBER_chainId, put_quantity}, {MEMBER_nonce, put_quantity}, {MEMBER_maxPriorityFeePerGas, put_quantity},         \
        {MEMBER_maxFeePerGas, put_quantity}, {MEMBER_gas, put_quantity}, {MEMBER_to, put_data},                        \
        {MEMBER_value, put_quantity}, {MEMBER_input, put_data}, {                                                      \
        MEMBER_accessList, put_access_list                                                                             \
    }

/* The items of a transaction, by its type, in their order. */
static const struct item items_of[TYPES][16] = {
    {{MEMBER_nonce, put_quantity},
     {MEMBER_gasPrice, put_quantity},
     {MEMBER_gas, put_quantity},
     {MEMBER_to, put_data},
     {MEMBER_value, put_quantity},
     {MEMBER_input, put_data},
     SIGNATURE(MEMBER_v)},
    {{MEMBER_chainId, put_quantity},
     {MEMBER_nonce, put_quantity},
     {MEMBER_gasPrice, put_quantity},
     {MEMBER_gas, put_quantity},
     {MEMBER_to, put_data},
     {MEMBER_value, put_quantity},
     {MEMBER_input, put_data},
     {MEMBER_accessList, put_access_list},
     SIGNATURE(MEMBER_yParity)},
    {FEES, SIGNATURE(MEMBER_yParity)},
    {FEES, {MEMBER_maxFeePerBlobGas, put_quantity}, {MEMBER_blobVersionedHashes, put_blobs}, SIGNATURE(MEMBER_yParity)},
    {FEES, {MEMBER_authorizationList, put_authorizations}, SIGNATURE(MEMBER_yParity)}};

/* The member that stands for an item: where it has another name, under that. */
static const struct json_member *find_item(const struct object *object, enum member_name name) {
    static const struct json_member null = {.value = "null", .value_length = 4, .type = JSON_NULL_VALUE};
    if (name == MEMBER_input && !object_has(object, MEMBER_input) && object->named >> MEMBER_data & 1)
        name = MEMBER_data;
    if (name == MEMBER_yParity && !object_has(object, MEMBER_yParity))
        name = MEMBER_v;
    const struct json_member *member = member_of(object, name);
    return member == NULL && name == MEMBER_to ? &null : member;
}

const char *ethereum_type_text(unsigned type) {
    return type == 0x7e || type == 0x64 ? "a deposit, which carries no signature"
                                        : "there is no such type of transaction";
}

/* A number from 0 to 255, as JSON's or in hexadecimal digits. */
static bool take_type(uint8_t *type, const struct json_member *member) {
    uint8_t word[WORD];
    unsigned value = 0;
    if (member->type != JSON_NUMBER_VALUE) {
        if (take_quantity(word, member))
            return false;
        for (int i = 0; i < WORD - 1; i++)
            value |= word[i];
        *type = word[WORD - 1];
        return value == 0;
    }
    for (size_t i = 0; i < member->value_length; i++) {
        if (member->value[i] < '0' || member->value[i] > '9' ||
            (value = 10 * value + (unsigned)(member->value[i] - '0')) > 255)
            return false;
    }
    *type = (uint8_t)value;
    return true;
}

/* The type of a transaction that can be encoded; none is 0. */
static bool find_type(uint8_t *type, struct complaint *complaint, const struct object *object) {
    const struct json_member *member = member_of(object, MEMBER_type);
    *type = 0;
    if (!object_has(object, MEMBER_type))
        return true;
    if (!take_type(type, member))
        return complain(complaint, "type: %.*s: it is no number of a type", SHOW(member));
    return *type < TYPES || complain(complaint, "type: 0x%02x: %s", *type, ethereum_type_text(*type));
}

/* Both members are there, and say different things. */
static bool differ(struct complaint *complaint, const struct object *object, enum member_name a, enum member_name b) {
    return complain(complaint, "%s and %s differ: %.*s and %.*s", names[a], names[b], SHOW(&object->members[a]),
                    SHOW(&object->members[b]));
}

/* input and data are the same bytes. */
static bool check_data(struct complaint *complaint, const struct object *object) {
    if (!object_has(object, MEMBER_input) || !object_has(object, MEMBER_data))
        return true;
    struct bytes both = {0};
    size_t half = 0;
    bool same = put_data(&both, &object->members[MEMBER_input]) == NULL;
    half = both.used;
    same = same && put_data(&both, &object->members[MEMBER_data]) == NULL && both.used == 2 * half && !both.failed &&
           memcmp(both.data, both.data + half, half) == 0;
    free(both.data);
    return same || differ(complaint, object, MEMBER_input, MEMBER_data);
}

/* value = (value - 35) / 2, the chain's id in v (EIP-155); *parity: the remainder. false: v is below 35. */
static bool chain_of_v(uint8_t value[WORD], unsigned *parity) {
    unsigned high = 0, carry = 35;
    for (int i = 0; i < WORD - 1; i++)
        high |= value[i];
    if (high == 0 && value[WORD - 1] < 35)
        return false;
    for (int i = WORD - 1; i >= 0; i--) {
        unsigned digit = value[i] + 256u - carry;
        value[i] = (uint8_t)digit;
        carry = digit < 256;
    }
    *parity = value[WORD - 1] & 1;
    for (int i = 0; i < WORD; i++) {
        unsigned digit = carry << 8 | value[i];
        carry = digit & 1;
        value[i] = (uint8_t)(digit >> 1);
    }
    return true;
}

/* What of v and its parity is said twice: a typed transaction's v is the parity; v of one from before has the chain's
 * id, too. */
static bool check_v(struct complaint *complaint, const struct object *object, uint8_t type, uint64_t *read) {
    static const enum member_name parities[] = {MEMBER_yParity, MEMBER_standardV};
    uint8_t v[WORD], other[WORD];
    unsigned parity = 0;
    const struct json_member *member = find_item(object, type ? MEMBER_yParity : MEMBER_v);
    if (take_quantity(v, member))
        return true;
    const enum member_name named = member == &object->members[MEMBER_v] ? MEMBER_v : MEMBER_yParity;
    if (type && object_has(object, MEMBER_v) &&
        (take_quantity(other, &object->members[MEMBER_v]) || memcmp(v, other, WORD) != 0))
        return differ(complaint, object, named, MEMBER_v);
    bool has_chain = !type && chain_of_v(v, &parity);
    if (has_chain && object_has(object, MEMBER_chainId)) {
        if (take_quantity(other, &object->members[MEMBER_chainId]) || memcmp(v, other, WORD) != 0)
            return differ(complaint, object, MEMBER_chainId, MEMBER_v);
        *read |= (uint64_t)1 << MEMBER_chainId;
    }
    if (!has_chain)
        parity = type ? v[WORD - 1] : v[WORD - 1] - 27u;
    for (size_t i = 0; i < sizeof parities / sizeof *parities; i++) {
        if (!object_has(object, parities[i]))
            continue;
        memset(v, 0, WORD);
        v[WORD - 1] = (uint8_t)parity;
        if (take_quantity(other, &object->members[parities[i]]) || memcmp(v, other, WORD) != 0)
            return differ(complaint, object, parities[i], named);
    }
    return true;
}

/* A string of zeros or of nothing, or a list of nothing. */
static bool is_empty(const struct json_member *member) {
    size_t length = 0;
    const char *text = string_of(member, &length);
    if (!text)
        return !member->value || strspn(member->value, "[] \t\r\n") >= member->value_length;
    return strspn(text, "0x") >= length;
}

/* What transactions of other types sign must not be there, unless a hash says what was signed. */
static bool check_foreign(struct complaint *complaint, const struct object *object, uint8_t type, uint64_t read) {
    static const enum member_name signed_by_others[] = {MEMBER_accessList,          MEMBER_maxPriorityFeePerGas,
                                                        MEMBER_maxFeePerGas,        MEMBER_maxFeePerBlobGas,
                                                        MEMBER_blobVersionedHashes, MEMBER_authorizationList};
    for (size_t i = 0; i < sizeof signed_by_others / sizeof *signed_by_others; i++) {
        enum member_name name = signed_by_others[i];
        if (object_has(object, name) && !(read >> name & 1) && !object_has(object, MEMBER_hash) &&
            !is_empty(&object->members[name]))
            return complain(complaint, "%s: a transaction of type %u has none, and there is no hash to compare",
                            names[name], type);
    }
    return true;
}

bool ethereum_json_encode(struct bytes *bytes, struct complaint *complaint, uint64_t *read,
                          const struct object *object) {
    uint8_t type;
    *read = (uint64_t)1 << MEMBER_type | (uint64_t)1 << MEMBER_data | (uint64_t)1 << MEMBER_v |
            (uint64_t)1 << MEMBER_yParity | (uint64_t)1 << MEMBER_standardV | (uint64_t)1 << MEMBER_from |
            (uint64_t)1 << MEMBER_sender | (uint64_t)1 << MEMBER_hash;
    if (!find_type(&type, complaint, object))
        return false;
    size_t begin = bytes->used, start = begin + (type > 0);
    if (type > 0)
        bytes_put(bytes, &type, 1);
    for (const struct item *item = items_of[type]; item->name != MEMBER_COUNT; item++) {
        const char *reason = item->put(bytes, find_item(object, item->name));
        if (reason)
            complain(complaint, "%s: %s", names[item->name], reason);
        *read |= (uint64_t)1 << item->name;
    }
    bool good = !complaint->text[0] && check_data(complaint, object) && check_v(complaint, object, type, read) &&
                check_foreign(complaint, object, type, *read);
    if (good)
        bytes_make_list(bytes, start);
    else
        bytes->used = begin;
    return good;
}

static bool told_bytes(uint8_t *out, size_t width, struct complaint *complaint, const char *name, const char *text,
                       size_t size) {
    const char *digits = text;
    size_t count = size;
    hex_skip_prefix(&digits, &count);
    return (count == 2 * width && hex_decode(out, digits, count)) ||
           complain(complaint, "%s: %.*s: it is not %zu bytes in hexadecimal digits", name,
                    (int)(size < SHOWN ? size : SHOWN), text, width);
}

bool told_hash(struct told *told, struct complaint *complaint, const char *text, size_t size) {
    told->has_hash = size != 0 && told_bytes(told->hash, sizeof told->hash, complaint, "hash", text, size);
    return size == 0 || told->has_hash;
}

bool told_sender(struct told *told, struct complaint *complaint, const char *name, const char *text, size_t size) {
    uint8_t before[ADDRESS];
    bool twice = told->has_sender;
    memcpy(before, told->sender, sizeof before);
    if (size == 0)
        return true;
    if (!told_bytes(told->sender, sizeof told->sender, complaint, name, text, size))
        return false;
    told->has_sender = true;
    return !twice || memcmp(before, told->sender, sizeof before) == 0 ||
           complain(complaint, "from and sender differ: %s is %.*s", name, (int)size, text);
}

bool object_tell(struct told *told, struct complaint *complaint, const struct object *object) {
    static const enum member_name texts[] = {MEMBER_hash, MEMBER_from, MEMBER_sender};
    bool good = true;
    *told = (struct told){0};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct json_member *member = &object->members[texts[i]];
        size_t size = 0;
        if (!object_has(object, texts[i]))
            continue;
        const char *text = string_of(member, &size);
        if (!text)
            good = complain(complaint, "%s: %s", names[texts[i]], no_text);
        else if (texts[i] == MEMBER_hash)
            good &= told_hash(told, complaint, text, size);
        else
            good &= told_sender(told, complaint, names[texts[i]], text, size);
    }
    told->has_type = object_has(object, MEMBER_type) && take_type(&told->type, &object->members[MEMBER_type]);
    return good;
}
