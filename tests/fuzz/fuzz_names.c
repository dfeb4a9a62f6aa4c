/* Names are found whole, in any case, or not at all. A format that is told from the first bytes stays when more
 * follow. */
#define _DEFAULT_SOURCE /* strcasecmp */

#include "files/magic.h"
#include "rows/reader.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* name_find by strcasecmp; `string` is the text with a zero after it. */
static int value_of(const struct name *names, const char *string, size_t size) {
    if (strlen(string) == size)
        for (; names->text; names++)
            if (strcasecmp(names->text, string) == 0)
                return names->value;
    return -1;
}

static void check_names(const char *text, const char *string, size_t size) {
    static const struct name *const lists[] = {names_of_curves,        names_of_hashes,
                                               names_of_formats,       names_of_signature_formats,
                                               names_of_point_formats, names_of_modular_operations,
                                               names_of_backends};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        int value = name_find(lists[i], text, size);
        if (value != value_of(lists[i], string, size))
            abort();
        if (value >= 0 && name_find(lists[i], name_of(lists[i], value), strlen(name_of(lists[i], value))) != value)
            abort();
    }
}

static void check_formats(const char *text, const char *string, size_t size) {
    char *copy = malloc(size / 2), *file = malloc(strlen(string) + sizeof ".ndJSON");
    memcpy(copy, text, size / 2);
    enum format format = format_of_text(text, size), early = format_of_text(copy, size / 2);
    if (early != FORMAT_UNKNOWN && early != format)
        abort();
    format_of_name(string);
    strcat(strcpy(file, string), ".ndJSON");
    if (format_of_name(file) != FORMAT_JSONL)
        abort();
    free(copy);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size), *string = malloc(size + 1);
    memcpy(text, data, size);
    memcpy(string, data, size);
    string[size] = 0;
    check_names(text, string, size);
    check_formats(text, string, size);
    free(text);
    free(string);
    return 0;
}
