#include "rows/typed_types.h"

#include <stdlib.h>

static const char no_memory[] = "not enough memory";

static bool starts(struct slice slice, const char *word) {
    return slice.length >= strlen(word) && memcmp(slice.text, word, strlen(word)) == 0;
}

static bool is_word(struct slice slice, const char *word) {
    return slice.length == strlen(word) && starts(slice, word);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* The slice behind so many bytes is digits alone, maybe none. */
static bool has_digits(struct slice slice, size_t from) {
    bool all = true;
    for (size_t i = from; i < slice.length; i++)
        all &= is_digit(slice.text[i]);
    return all;
}

/* Digits without a leading zero that write a number from 1 to 999999999; else 0. */
static uint32_t number_of(const char *text, size_t length) {
    uint32_t value = 0;
    if (length == 0 || length > 9 || text[0] == '0')
        return 0;
    for (size_t i = 0; i < length; i++) {
        if (!is_digit(text[i]))
            return 0;
        value = 10 * value + (uint32_t)(text[i] - '0');
    }
    return value;
}

/* Names that atomic types have, or that look like theirs: a struct has none of them. */
static bool is_atomic(struct slice name) {
    static const struct {
        const char *word;
        bool sized;
    } words[] = {{"bool", false}, {"address", false}, {"string", false},
                 {"bytes", true}, {"uint", true},     {"int", true}};
    bool is = false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is |= is_word(name, words[i].word) ||
              (words[i].sized && starts(name, words[i].word) && has_digits(name, strlen(words[i].word)));
    return is;
}

/* What is written of a name has to be read back in one way: it has no blanks, brackets or commas. */
static bool is_name(struct slice name) {
    bool good = name.length != 0;
    for (size_t i = 0; i < name.length; i++)
        good &= name.text[i] > 0x20 && name.text[i] < 0x7f && !strchr("()[],\"\\", name.text[i]);
    return good;
}

/* An atomic type. false: it is none. */
static bool read_atomic(struct typed_type *type, struct slice name) {
    static const char *const words[] = {
        [TYPED_BOOL] = "bool", [TYPED_ADDRESS] = "address", [TYPED_STRING] = "string", [TYPED_BYTES] = "bytes"};
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
        if (is_word(name, words[k])) {
            type->kind = (enum typed_kind)k;
            return true;
        }
    const size_t prefix = starts(name, "bytes") ? 5 : starts(name, "uint") ? 4 : starts(name, "int") ? 3 : 0;
    type->kind = prefix == 5 ? TYPED_FIXED : prefix == 4 ? TYPED_UINT : TYPED_INT;
    type->size = prefix ? number_of(name.text + prefix, name.length - prefix) : 0;
    return type->size && (type->kind == TYPED_FIXED ? type->size <= 32 : type->size <= 256 && type->size % 8 == 0);
}

/* What follows the name of a type: [] or [n], as often as one likes. */
static const char *read_dimensions(struct typed_type *type, const char *text, size_t length) {
    for (size_t at = 0; at < length;) {
        const char *end = text[at] == '[' ? memchr(text + at, ']', length - at) : NULL;
        const size_t digits = end ? (size_t)(end - (text + at)) - 1 : 0;
        const uint32_t count = end ? number_of(text + at + 1, digits) : 0;
        if (!end || (digits && !count))
            return "an array type that is none: it ends with [] or, for n from 1 up, [n]";
        if (type->dimensions == MOST_DIMENSIONS)
            return "an array type of more than 8 dimensions";
        type->counts[type->dimensions++] = count;
        at += digits + 2;
    }
    return NULL;
}

static const char *read_type(struct typed_types *types, struct typed_type *type, struct slice text) {
    const char *bracket = memchr(text.text, '[', text.length);
    const struct slice name = {text.text, bracket ? (size_t)(bracket - text.text) : text.length};
    *type = (struct typed_type){.kind = TYPED_STRUCT};
    if (!read_atomic(type, name)) {
        const struct typed_struct *found = typed_struct_find(types, name);
        if (!found)
            return "a type that is neither atomic nor in `types`";
        *type = (struct typed_type){.kind = TYPED_STRUCT, .size = (unsigned)(found - types->structs)};
    }
    return read_dimensions(type, text.text + name.length, text.length - name.length);
}

/* {"name": ..., "type": ...} */
static const char *read_field(struct typed_types *types, struct typed_field *field, const struct json_member *element) {
    struct json_walk walk;
    struct json_member member;
    bool has_name = false, has_type = false;
    if (*element->value != '{')
        return "a field in `types` is no object of `name` and `type`";
    json_walk_init(&walk, element->value, element->value_length);
    while (json_walk_next(&walk, &member)) {
        const bool is = json_string_is(member.name, member.name_length, member.name_escaped, "name"),
                   is_type = json_string_is(member.name, member.name_length, member.name_escaped, "type");
        if ((!is && !is_type) || (is ? has_name : has_type) || member.type != JSON_STRING_VALUE)
            return "a field in `types` has more than a `name` and a `type`, or one that is no string";
        const char *reason = json_slice(types->arena, is ? &field->name : &field->type_text, member.value,
                                        member.value_length, member.value_escaped);
        if (reason)
            return reason;
        has_name |= is;
        has_type |= is_type;
    }
    if (!has_name || !has_type)
        return "a field in `types` has no `name` or no `type`";
    if (!is_name(field->name))
        return "the name of a field in `types` is none, or has blanks, brackets, commas or other than ASCII";
    return read_type(types, &field->type, field->type_text);
}

static const char *read_fields(struct typed_types *types, struct typed_struct *to, const struct json_member *member) {
    struct json_walk walk;
    struct json_member element;
    size_t count = 0;
    if (*member->value != '[')
        return "a struct in `types` is no array of fields";
    json_walk_init(&walk, member->value, member->value_length);
    while (json_walk_next_element(&walk, &element))
        count++;
    if (count > MOST_FIELDS)
        return "a struct in `types` has more than 128 fields";
    to->fields = arena_array(types->arena, count + 1, sizeof *to->fields);
    if (!to->fields)
        return no_memory;
    json_walk_init(&walk, member->value, member->value_length);
    while (json_walk_next_element(&walk, &element)) {
        struct typed_field *field = &to->fields[to->count];
        const char *reason = read_field(types, field, &element);
        if (reason)
            return reason;
        for (size_t f = 0; f < to->count; f++)
            if (slice_is(to->fields[f].name, field->name))
                return "a struct in `types` has a field twice";
        to->count++;
    }
    return NULL;
}

static const char *read_name(struct typed_types *types, const struct json_member *member) {
    struct slice name;
    const char *reason = json_slice(types->arena, &name, member->name, member->name_length, member->name_escaped);
    if (reason)
        return reason;
    if (types->count == MOST_STRUCTS)
        return "more than 128 types";
    if (!is_name(name) || is_atomic(name))
        return is_atomic(name) ? "a struct in `types` is named like an atomic type"
                               : "the name of a type is none, or has blanks, brackets, commas or other than ASCII";
    if (typed_struct_find(types, name))
        return "a type twice";
    types->structs[types->count++] = (struct typed_struct){.name = name};
    return NULL;
}

const char *typed_types_read(struct typed_types *types, const struct json_member *member) {
    struct json_walk walk;
    struct json_member one;
    const char *reason = *member->value != '{'                     ? "`types` is no object"
                         : member->value_length > MOST_TYPES_BYTES ? "`types` is longer than 65536 bytes"
                                                                   : NULL;
    json_walk_init(&walk, member->value, member->value_length);
    while (!reason && json_walk_next(&walk, &one))
        reason = read_name(types, &one);
    json_walk_init(&walk, member->value, member->value_length);
    for (size_t s = 0; !reason && json_walk_next(&walk, &one); s++)
        reason = read_fields(types, &types->structs[s], &one);
    return reason;
}

struct typed_struct *typed_struct_find(struct typed_types *types, struct slice name) {
    for (size_t s = 0; s < types->count; s++)
        if (slice_is(types->structs[s].name, name))
            return &types->structs[s];
    return NULL;
}

/* Those that the struct refers to, itself too, are marked. */
static void mark(const struct typed_types *types, bool *marked, size_t s) {
    marked[s] = true;
    for (size_t f = 0; f < types->structs[s].count; f++) {
        const struct typed_type *type = &types->structs[s].fields[f].type;
        if (type->kind == TYPED_STRUCT && !marked[type->size])
            mark(types, marked, type->size);
    }
}

static int compare(struct slice a, struct slice b) {
    const int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
    return order ? order : (a.length > b.length) - (a.length < b.length);
}

/* The first by name of the structs that are marked; MOST_STRUCTS: none is. */
static size_t first_marked(const struct typed_types *types, const bool *marked) {
    size_t first = MOST_STRUCTS;
    for (size_t s = 0; s < types->count; s++)
        if (marked[s] && (first == MOST_STRUCTS || compare(types->structs[s].name, types->structs[first].name) < 0))
            first = s;
    return first;
}

static void absorb(struct ethereum_hash *hash, struct slice text) {
    ethereum_hash_absorb(hash, text.text, text.length);
}

/* name(type name,type name,...) */
static void absorb_struct(struct ethereum_hash *hash, const struct typed_struct *of) {
    absorb(hash, of->name);
    ethereum_hash_absorb(hash, "(", 1);
    for (size_t f = 0; f < of->count; f++) {
        if (f)
            ethereum_hash_absorb(hash, ",", 1);
        absorb(hash, of->fields[f].type_text);
        ethereum_hash_absorb(hash, " ", 1);
        absorb(hash, of->fields[f].name);
    }
    ethereum_hash_absorb(hash, ")", 1);
}

const uint8_t *typed_struct_hash(struct typed_types *types, struct typed_struct *of) {
    bool marked[MOST_STRUCTS] = {false};
    struct ethereum_hash hash = {.used = 0};
    if (of->has_hash)
        return of->hash;
    mark(types, marked, (size_t)(of - types->structs));
    marked[of - types->structs] = false;
    absorb_struct(&hash, of);
    for (size_t s; (s = first_marked(types, marked)) != MOST_STRUCTS; marked[s] = false)
        absorb_struct(&hash, &types->structs[s]);
    ethereum_hash_finish(&hash, of->hash);
    of->has_hash = true;
    return of->hash;
}
