/* Names are found whole or not at all, and formats are told from any bytes. */
#include "reader.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct name *const lists[] = {names_of_curves,        names_of_hashes,
                                               names_of_formats,       names_of_signature_formats,
                                               names_of_point_formats, names_of_modular_operations};
    char *text = malloc(size + 1);
    memcpy(text, data, size);
    text[size] = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        int value = name_find(lists[i], text, size);
        if (value >= 0 && name_of(lists[i], value)[0] == '?')
            abort();
    }
    format_of_text(text, size);
    format_of_name(text);
    free(text);
    return 0;
}
