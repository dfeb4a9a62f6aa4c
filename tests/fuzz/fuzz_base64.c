/* Base64: what is decoded and encoded again is the same text but for padding, in either form; bytes come back as they
 * were. */
#include "text/base64.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t without_padding(const char *text, size_t length) {
    while (length && text[length - 1] == '=')
        length--;
    return length;
}

static void check(const uint8_t *data, size_t size, bool url) {
    uint8_t *bytes = malloc(size + 1);
    char *text = malloc(4 * (size / 3 + 1) + 1);
    size_t count, again;
    if (base64_decode(bytes, &count, (const char *)data, size, url)) {
        size_t length = without_padding(text, (size_t)(base64_encode(text, bytes, count, url) - text));
        if (length != without_padding((const char *)data, size) || memcmp(text, data, length) != 0)
            abort();
    }
    size_t length = (size_t)(base64_encode(text, data, size, url) - text);
    free(bytes);
    bytes = malloc(3 * length / 4 + 1);
    if (!base64_decode(bytes, &again, text, length, url) || again != size || memcmp(bytes, data, size) != 0)
        abort();
    free(bytes);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    check(data, size, false);
    check(data, size, true);
    return 0;
}
