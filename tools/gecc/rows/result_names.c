#include "rows/result_names.h"

#include <stdio.h>
#include <string.h>

static const char kept_start[] = "input_";

static const char *bare_name(const struct mapping *mapping, size_t index) {
    static const char *const verdict[FIRST_RESULT] = {"status", "reason", "line"};
    if (index < FIRST_RESULT)
        return verdict[index];
    return index < RESULT_NAMES ? mapping->results[index - FIRST_RESULT].name : NULL;
}

static const char *prefix_of(const struct options *options) { return options->prefix ? options->prefix : ""; }

size_t result_name(char out[RESULT_NAME_BYTES], const struct mapping *mapping, const struct options *options,
                   size_t index) {
    const char *name = bare_name(mapping, index);
    return name ? (size_t)snprintf(out, RESULT_NAME_BYTES, "%s%s", prefix_of(options), name) : 0;
}

size_t result_name_find(const struct mapping *mapping, const struct options *options, const char *name, size_t length) {
    const char *prefix = prefix_of(options);
    size_t skip = strlen(prefix);
    if (length <= skip || memcmp(name, prefix, skip) != 0)
        return RESULT_NAMES;
    for (size_t i = 0; i < RESULT_NAMES; i++) {
        const char *result = bare_name(mapping, i);
        if (result && result[0] == name[skip] && strlen(result) == length - skip &&
            memcmp(result, name + skip, length - skip) == 0)
            return i;
    }
    return RESULT_NAMES;
}

bool column_stands(const struct mapping *mapping, enum column column, size_t index) {
    return index >= FIRST_RESULT && index < RESULT_NAMES && column != COLUMN_COUNT &&
           (mapping->compared & 1u << column);
}

size_t kept_name(char out[RESULT_NAME_BYTES], const struct mapping *mapping, const struct options *options,
                 size_t index, unsigned number) {
    char name[RESULT_NAME_BYTES];
    result_name(name, mapping, options, index);
    if (number < 2)
        return (size_t)snprintf(out, RESULT_NAME_BYTES, "%s%.60s", kept_start, name);
    return (size_t)snprintf(out, RESULT_NAME_BYTES, "%s%.60s_%u", kept_start, name, number);
}

/* The number k for which a name is kept_name(index, k), or 0 where there is none below 64. */
static unsigned kept_number(const struct mapping *mapping, const struct options *options, size_t index,
                            const char *name, size_t length) {
    char first[RESULT_NAME_BYTES];
    size_t start = kept_name(first, mapping, options, index, 1);
    if (length < start || memcmp(name, first, start) != 0)
        return 0;
    if (length == start)
        return 1;
    unsigned number = 0;
    if (length - start > 3 || name[start] != '_' || length - start < 2 || name[start + 1] == '0')
        return 0;
    for (size_t i = start + 1; i < length; i++) {
        if (name[i] < '0' || name[i] > '9')
            return 0;
        number = 10 * number + (unsigned)(name[i] - '0');
    }
    return number >= 2 && number < 64 ? number : 0;
}

void kept_names_note(struct kept_names *names, const struct mapping *mapping, const struct options *options,
                     const char *name, size_t length) {
    if (length < sizeof kept_start - 1 || memcmp(name, kept_start, sizeof kept_start - 1) != 0)
        return;
    for (size_t i = 0; i < RESULT_NAMES && bare_name(mapping, i); i++)
        names->taken[i] |= (uint64_t)1 << kept_number(mapping, options, i, name, length);
}

unsigned kept_names_take(struct kept_names *names, size_t index) {
    unsigned number = 1;
    while (number < 64 && (names->taken[index] >> number & 1))
        number++;
    if (number == 64)
        return 0;
    names->taken[index] |= (uint64_t)1 << number;
    return number;
}
