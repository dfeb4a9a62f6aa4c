#include "rows/typed_data.h"
#include "rows/typed_types.h"
#include "text/hex.h"

#include <stdlib.h>

enum {
    WORD_BYTES = 32,
    MOST_DEPTH = 64 /* of structs and arrays in each other: each is walked over once more */
};

/* A number from 0 up, its lowest limb first. */
struct number {
    uint32_t limbs[8];
    bool overflows;
};

/* number = base * number + digit. */
static void append_digit(struct number *number, unsigned base, unsigned digit) {
    uint64_t carry = digit;
    for (size_t i = 0; i < 8; i++) {
        carry += (uint64_t)number->limbs[i] * base;
        number->limbs[i] = (uint32_t)carry;
        carry >>= 32;
    }
    number->overflows |= carry != 0;
}

static unsigned bits_of(const struct number *number) {
    unsigned bits = 256;
    while (bits && !(number->limbs[(bits - 1) / 32] >> (bits - 1) % 32 & 1))
        bits--;
    return bits;
}

/* Digits, at least one. false: they are none. */
static bool read_digits(struct number *number, unsigned base, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        const char c = text[i];
        const unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
                               : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10
                               : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10
                                                      : 16;
        if (digit >= base)
            return false;
        append_digit(number, base, digit);
    }
    return length != 0;
}

/* Whether -(number) is in the range of so many bits: number <= 2^(bits - 1). */
static bool is_least(const struct number *number, unsigned bits) {
    unsigned ones = 0;
    for (unsigned i = 0; i < bits; i++)
        ones += number->limbs[i / 32] >> i % 32 & 1;
    return bits_of(number) < bits || (bits_of(number) == bits && ones == 1);
}

static void put_number(uint8_t word[WORD_BYTES], const struct number *number, bool negative) {
    uint32_t carry = negative;
    for (size_t i = 0; i < WORD_BYTES; i++) {
        const uint32_t byte = number->limbs[i / 4] >> 8 * (i % 4) & 0xff;
        carry += negative ? byte ^ 0xff : byte;
        word[WORD_BYTES - 1 - i] = (uint8_t)carry;
        carry >>= 8;
    }
}

static bool is_hexadecimal(struct slice text) { return text.length >= 2 && text.text[0] == '0' && text.text[1] == 'x'; }

/* A number of JSON, or a string of decimal digits, or of 0x and hexadecimal ones. */
static const char *encode_number(uint8_t word[WORD_BYTES], const struct typed_type *type, struct slice text,
                                 bool is_string) {
    struct number number = {.overflows = false};
    const bool negative = text.length && text.text[0] == '-', hexadecimal = is_string && is_hexadecimal(text);
    const size_t from = hexadecimal ? 2 : negative;
    if (!read_digits(&number, hexadecimal ? 16 : 10, text.text + from, text.length - from))
        return "a number that is no integer in decimal or, in a string, after 0x in hexadecimal";
    const unsigned bits = bits_of(&number), most = type->kind == TYPED_INT ? type->size - 1 : type->size;
    const bool fits = negative && bits ? type->kind == TYPED_INT && is_least(&number, type->size) : bits <= most;
    if (number.overflows || !fits)
        return "a number that is out of its type's range";
    put_number(word, &number, negative && bits);
    return NULL;
}

/* Bytes after 0x; *out in the arena. */
static const char *read_bytes(struct typed_types *types, struct slice *out, struct slice text) {
    if (!is_hexadecimal(text) || text.length % 2)
        return "bytes that are not 0x and an even number of hexadecimal digits";
    uint8_t *bytes = arena_take(types->arena, text.length / 2);
    if (!bytes)
        return "not enough memory";
    *out = (struct slice){(const char *)bytes, text.length / 2 - 1};
    return hex_decode(bytes, text.text + 2, text.length - 2) ? NULL
                                                             : "bytes with a character that is no hexadecimal digit";
}

static void hash_bytes(uint8_t word[WORD_BYTES], struct slice bytes) {
    struct ethereum_hash hash = {.used = 0};
    ethereum_hash_absorb(&hash, bytes.text, bytes.length);
    ethereum_hash_finish(&hash, word);
}

/* Bytes of exactly so many, at that place of a word of zeros. */
static const char *encode_fixed(struct typed_types *types, uint8_t word[WORD_BYTES], struct slice text, size_t count,
                                size_t at) {
    struct slice bytes;
    const char *reason = read_bytes(types, &bytes, text);
    if (reason)
        return reason;
    if (bytes.length != count)
        return at ? "an address that has not 20 bytes" : "bytes of another number than their type says";
    memset(word, 0, WORD_BYTES);
    memcpy(word + at, bytes.text, count);
    return NULL;
}

static const char *encode_atomic(struct typed_types *types, uint8_t word[WORD_BYTES], const struct typed_type *type,
                                 const struct json_member *value) {
    const bool is_number = type->kind == TYPED_UINT || type->kind == TYPED_INT,
               is_string = value->type == JSON_STRING_VALUE;
    struct slice text = {value->value, value->value_length};
    const char *reason = NULL;
    if (type->kind == TYPED_BOOL) {
        if (value->type != JSON_OTHER_VALUE || (*value->value != 't' && *value->value != 'f'))
            return "a bool that is neither true nor false";
        memset(word, 0, WORD_BYTES);
        word[WORD_BYTES - 1] = *value->value == 't';
        return NULL;
    }
    if (!is_string && !(is_number && value->type == JSON_NUMBER_VALUE))
        return is_number ? "a number that is neither a number nor a string"
                         : "a value that is no string, as its type needs";
    if (is_string)
        reason = json_slice(types->arena, &text, value->value, value->value_length, value->value_escaped);
    if (reason)
        return reason;
    if (is_number)
        return encode_number(word, type, text, is_string);
    if (type->kind == TYPED_ADDRESS || type->kind == TYPED_FIXED)
        return type->kind == TYPED_ADDRESS ? encode_fixed(types, word, text, 20, WORD_BYTES - 20)
                                           : encode_fixed(types, word, text, type->size, 0);
    if (type->kind == TYPED_BYTES && (reason = read_bytes(types, &text, text)) != NULL)
        return reason;
    hash_bytes(word, text);
    return NULL;
}

static const char *encode_value(struct typed_types *types, uint8_t word[WORD_BYTES], const struct typed_type *type,
                                unsigned dimensions, const struct json_member *value, unsigned depth);

/* The hash of encodeData of the elements, of the array type's first `dimensions`. */
static const char *encode_array(struct typed_types *types, uint8_t word[WORD_BYTES], const struct typed_type *type,
                                unsigned dimensions, const struct json_member *value, unsigned depth) {
    struct json_walk walk;
    struct json_member element;
    struct ethereum_hash hash = {.used = 0};
    uint32_t count = 0;
    if (*value->value != '[')
        return "a value that is no array, as its type needs";
    json_walk_init(&walk, value->value, value->value_length);
    for (; json_walk_next_element(&walk, &element); count += count != UINT32_MAX) {
        const char *reason = encode_value(types, word, type, dimensions - 1, &element, depth + 1);
        if (reason)
            return reason;
        ethereum_hash_absorb(&hash, word, WORD_BYTES);
    }
    if (type->counts[dimensions - 1] && count != type->counts[dimensions - 1])
        return "an array with another number of elements than its type says";
    ethereum_hash_finish(&hash, word);
    return NULL;
}

/* The struct's fields among the object's members: values[of->count]. */
static const char *find_fields(struct typed_types *types, const struct typed_struct *of,
                               const struct json_member *object, struct json_member *values) {
    struct json_walk walk;
    struct json_member member;
    for (size_t f = 0; f < of->count; f++)
        values[f].name = NULL;
    json_walk_init(&walk, object->value, object->value_length);
    while (json_walk_next(&walk, &member)) {
        struct slice name;
        size_t f = 0;
        const char *reason = json_slice(types->arena, &name, member.name, member.name_length, member.name_escaped);
        if (reason)
            return reason;
        while (f < of->count && !slice_is(of->fields[f].name, name))
            f++;
        if (f == of->count || values[f].name)
            return f == of->count ? "a member that its struct's type has not" : "a member twice";
        values[f] = member;
    }
    for (size_t f = 0; f < of->count; f++)
        if (!values[f].name)
            return "a member that its struct's type has is missing";
    return NULL;
}

/* word = hashStruct. */
static const char *hash_struct(struct typed_types *types, uint8_t word[WORD_BYTES], struct typed_struct *of,
                               const struct json_member *value, unsigned depth) {
    struct ethereum_hash hash = {.used = 0};
    if (*value->value != '{')
        return "a value that is no object, as a struct is";
    struct json_member *values = calloc(of->count + 1, sizeof *values);
    const char *reason = values ? find_fields(types, of, value, values) : "not enough memory";
    ethereum_hash_absorb(&hash, typed_struct_hash(types, of), HASH_BYTES);
    for (size_t f = 0; !reason && f < of->count; f++) {
        const struct typed_type *type = &of->fields[f].type;
        reason = encode_value(types, word, type, type->dimensions, &values[f], depth + 1);
        ethereum_hash_absorb(&hash, word, WORD_BYTES);
    }
    ethereum_hash_finish(&hash, word);
    free(values);
    return reason;
}

static const char *encode_value(struct typed_types *types, uint8_t word[WORD_BYTES], const struct typed_type *type,
                                unsigned dimensions, const struct json_member *value, unsigned depth) {
    if (depth > MOST_DEPTH || value->value == NULL)
        return "structs and arrays in each other deeper than 64";
    if (dimensions)
        return encode_array(types, word, type, dimensions, value, depth);
    if (type->kind != TYPED_STRUCT)
        return encode_atomic(types, word, type, value);
    if (value->type == JSON_NULL_VALUE) { /* as wallets end recursive structs */
        memset(word, 0, WORD_BYTES);
        return NULL;
    }
    return hash_struct(types, word, &types->structs[type->size], value, depth);
}

/* The members that a document has, each once. */
enum member { MEMBER_TYPES, MEMBER_PRIMARY_TYPE, MEMBER_DOMAIN, MEMBER_MESSAGE, MEMBERS };

static const char *read_members(struct json_member at[MEMBERS], const char *text, size_t size) {
    static const char *const names[MEMBERS] = {"types", "primaryType", "domain", "message"};
    struct json_walk walk;
    struct json_member member;
    const char *reason = NULL;
    for (unsigned m = 0; m < MEMBERS; m++)
        at[m].name = NULL;
    json_walk_init(&walk, text, size);
    while (json_walk_next(&walk, &member)) {
        unsigned m = 0;
        while (m < MEMBERS && !json_string_is(member.name, member.name_length, member.name_escaped, names[m]))
            m++;
        if (m == MEMBERS || at[m].name)
            reason = m < MEMBERS ? "a member twice" : "a member besides types, primaryType, domain and message";
        else
            at[m] = member;
    }
    if (walk.reason || (walk.doubtful && !json_is_valid(text, size)))
        return "not a JSON object";
    for (unsigned m = 0; !reason && m < MEMBERS; m++)
        if (!at[m].name)
            reason = "not all of types, primaryType, domain and message";
    return reason;
}

/* The domain's fields are some of the standard's five. */
static const char *check_domain(const struct typed_struct *domain) {
    static const struct {
        const char *name, *type;
    } known[] = {{"name", "string"},
                 {"version", "string"},
                 {"chainId", "uint256"},
                 {"verifyingContract", "address"},
                 {"salt", "bytes32"}};
    for (size_t f = 0; f < domain->count; f++) {
        bool is = false;
        for (size_t k = 0; k < sizeof known / sizeof *known; k++)
            is |= slice_is(domain->fields[f].name, (struct slice){known[k].name, strlen(known[k].name)}) &&
                  slice_is(domain->fields[f].type_text, (struct slice){known[k].type, strlen(known[k].type)});
        if (!is)
            return "EIP712Domain has a field that is none of the standard's: string name, string version, uint256 "
                   "chainId, address verifyingContract, bytes32 salt";
    }
    return NULL;
}

static const char *encode(struct typed_types *types, uint8_t out[TYPED_DATA_BYTES], const struct json_member *at) {
    const struct slice domain_name = {"EIP712Domain", 12};
    const struct json_member *primary_type = &at[MEMBER_PRIMARY_TYPE];
    struct slice name;
    const char *reason = typed_types_read(types, &at[MEMBER_TYPES]);
    if (!reason && primary_type->type != JSON_STRING_VALUE)
        reason = "primaryType is no string";
    if (!reason)
        reason = json_slice(types->arena, &name, primary_type->value, primary_type->value_length,
                            primary_type->value_escaped);
    if (reason)
        return reason;
    struct typed_struct *domain = typed_struct_find(types, domain_name), *primary = typed_struct_find(types, name);
    if (!domain || !primary || domain == primary)
        return !domain    ? "`types` has no EIP712Domain"
               : !primary ? "primaryType is not in `types`"
                          : "primaryType is EIP712Domain, of which there is no message";
    reason = check_domain(domain);
    if (!reason)
        reason = hash_struct(types, out + 2, domain, &at[MEMBER_DOMAIN], 0);
    out[0] = 0x19;
    out[1] = 0x01;
    return reason ? reason : hash_struct(types, out + 2 + WORD_BYTES, primary, &at[MEMBER_MESSAGE], 0);
}

const char *typed_data_encode(uint8_t out[TYPED_DATA_BYTES], const char *text, size_t size, struct arena *arena) {
    struct json_member at[MEMBERS];
    struct typed_types types;
    types.arena = arena;
    types.count = 0;
    const char *reason = read_members(at, text, size);
    return reason ? reason : encode(&types, out, at);
}
