#include "rows/result_names.h"

#include <stdio.h>
#include <string.h>

static const char *bare_name(const struct mapping *mapping, size_t index) {
    static const char *const verdict[] = {"status", "reason"};
    if (index < 2)
        return verdict[index];
    return index < RESULT_NAMES ? mapping->results[index - 2].name : NULL;
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

size_t kept_name(char out[RESULT_NAME_BYTES], const struct mapping *mapping, const struct options *options,
                 size_t index, unsigned number) {
    char name[RESULT_NAME_BYTES];
    result_name(name, mapping, options, index);
    if (number < 2)
        return (size_t)snprintf(out, RESULT_NAME_BYTES, "input_%.60s", name);
    return (size_t)snprintf(out, RESULT_NAME_BYTES, "input_%.60s_%u", name, number);
}
