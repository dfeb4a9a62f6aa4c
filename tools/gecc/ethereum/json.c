#include "ethereum/json.h"
#include "text/hex.h"

#include <stdlib.h>
#include <string.h>

static const char missing[] = "it is missing", no_text[] = "it is no string of hexadecimal digits",
                  no_list[] = "it is no list", too_wide[] = "the number is wider than 32 bytes";

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

/* A string of bytes; null stands for none. */
static const char *put_data(struct bytes *bytes, const json_t *value) {
    size_t start = bytes->used;
    if (value == NULL)
        return missing;
    if (!json_is_null(value) &&
        (!json_is_string(value) || !bytes_put_hex(bytes, json_string_value(value), json_string_length(value))))
        return no_text;
    make_string(bytes, start);
    return NULL;
}

/* A number without zeros before it, written in any number of digits. */
static const char *put_quantity(struct bytes *bytes, const json_t *value) {
    size_t start = bytes->used, digits = json_string_length(value);
    const char *text = json_string_value(value);
    char even[66] = "0";
    if (value == NULL)
        return missing;
    if (text == NULL || digits < 3 || text[0] != '0' || (text[1] | 32) != 'x')
        return no_text;
    hex_skip_prefix(&text, &digits);
    while (digits != 0 && *text == '0') {
        text++;
        digits--;
    }
    if (digits > 64)
        return too_wide;
    memcpy(even + digits % 2, text, digits);
    if (!bytes_put_hex(bytes, even, digits + digits % 2))
        return no_text;
    make_string(bytes, start);
    return NULL;
}

typedef const char *put_function(struct bytes *bytes, const json_t *value);

static const char *put_array(struct bytes *bytes, const json_t *value, put_function *put) {
    size_t start = bytes->used, i;
    const json_t *item;
    const char *reason = NULL;
    if (value == NULL)
        return missing;
    if (!json_is_array(value))
        return no_list;
    json_array_foreach(value, i, item) {
        reason = put(bytes, item);
        if (reason)
            return reason;
    }
    bytes_make_list(bytes, start);
    return NULL;
}

static const char *put_hashes(struct bytes *bytes, const json_t *value) { return put_array(bytes, value, put_data); }

static const char *put_access(struct bytes *bytes, const json_t *entry) {
    size_t start = bytes->used;
    const char *reason = put_data(bytes, json_object_get(entry, "address"));
    if (reason == NULL)
        reason = put_hashes(bytes, json_object_get(entry, "storageKeys"));
    bytes_make_list(bytes, start);
    return reason;
}

static const char *put_access_list(struct bytes *bytes, const json_t *value) {
    return put_array(bytes, value, put_access);
}

struct member {
    const char *name;
    put_function *put;
};

/* Members one after the other; *name: of the one that is wrong. */
static const char *put_members(struct bytes *bytes, const json_t *object, const struct member *members,
                               const char **name) {
    for (; members->name; members++) {
        const json_t *value = json_object_get(object, members->name);
        if (value == NULL && strcmp(members->name, "input") == 0)
            value = json_object_get(object, "data");
        if (value == NULL && strcmp(members->name, "to") == 0)
            value = json_null();
        if (value == NULL && strcmp(members->name, "yParity") == 0)
            value = json_object_get(object, "v");
        const char *reason = members->put(bytes, value);
        if (reason) {
            *name = members->name;
            return reason;
        }
    }
    return NULL;
}

static const char *put_authorization(struct bytes *bytes, const json_t *object) {
    static const struct member members[] = {{"chainId", put_quantity},
                                            {"address", put_data},
                                            {"nonce", put_quantity},
                                            {"yParity", put_quantity},
                                            {"r", put_quantity},
                                            {"s", put_quantity},
                                            {NULL, NULL}};
    const char *name;
    size_t start = bytes->used;
    const char *reason = put_members(bytes, object, members, &name);
    bytes_make_list(bytes, start);
    return reason;
}

static const char *put_authorizations(struct bytes *bytes, const json_t *value) {
    return put_array(bytes, value, put_authorization);
}

#define SIGNATURE(v)                                                                                                   \
    {v, put_quantity}, {"r", put_quantity}, {"s", put_quantity}, { NULL, NULL }
#define FEES                                                                                                           \
    {"chainId", put_quantity}, {"nonce", put_quantity}, {"maxPriorityFeePerGas", put_quantity},                        \
        {"maxFeePerGas", put_quantity}, {"gas", put_quantity}, {"to", put_data}, {"value", put_quantity},              \
        {"input", put_data}, {                                                                                         \
        "accessList", put_access_list                                                                                  \
    }

/* The items of a transaction, by its type, in their order. */
static const struct member members_of[][16] = {
    {{"nonce", put_quantity},
     {"gasPrice", put_quantity},
     {"gas", put_quantity},
     {"to", put_data},
     {"value", put_quantity},
     {"input", put_data},
     SIGNATURE("v")},
    {{"chainId", put_quantity},
     {"nonce", put_quantity},
     {"gasPrice", put_quantity},
     {"gas", put_quantity},
     {"to", put_data},
     {"value", put_quantity},
     {"input", put_data},
     {"accessList", put_access_list},
     SIGNATURE("yParity")},
    {FEES, SIGNATURE("yParity")},
    {FEES, {"maxFeePerBlobGas", put_quantity}, {"blobVersionedHashes", put_hashes}, SIGNATURE("yParity")},
    {FEES, {"authorizationList", put_authorizations}, SIGNATURE("yParity")}};

/* 0 where the object has no type; -1: one that is not known. */
static int type_of(const json_t *object) {
    const json_t *value = json_object_get(object, "type");
    const char *text = json_string_value(value);
    if (value == NULL || json_is_null(value))
        return 0;
    if (text == NULL || text[0] != '0' || (text[1] | 32) != 'x' || text[2] == 0)
        return -1;
    char *end;
    unsigned long type = strtoul(text + 2, &end, 16);
    return *end == 0 && type < sizeof members_of / sizeof *members_of ? (int)type : -1;
}

const char *ethereum_json_encode(struct bytes *bytes, const json_t *object, const char **name) {
    int type = type_of(object);
    *name = "type";
    if (type < 0)
        return "there is no such type of transaction";
    size_t begin = bytes->used, start = begin + (type > 0);
    uint8_t byte = (uint8_t)type;
    if (type > 0)
        bytes_put(bytes, &byte, 1);
    const char *reason = put_members(bytes, object, members_of[type], name);
    if (reason == NULL)
        bytes_make_list(bytes, start);
    else
        bytes->used = begin;
    return reason;
}
