/* hex_decode agrees with the C library's isxdigit and strtoul, and hex_encode gives the digits back. Buffers are as
 * long as they have to be and no longer, so that a byte too many is an error. */
#include "text/hex.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int value_of(const char *digits) {
    char pair[3] = {digits[0], digits[1], 0};
    return isxdigit((unsigned char)pair[0]) && isxdigit((unsigned char)pair[1]) ? (int)strtoul(pair, NULL, 16) : -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    size &= ~(size_t)1;
    char *text = malloc(size), *digits = malloc(size);
    uint8_t *bytes = malloc(size / 2);
    memcpy(text, data, size);
    int good = hex_decode(bytes, text, size), expected = 1;
    for (size_t i = 0; i < size; i += 2) {
        int value = value_of(text + i);
        expected = expected && value >= 0;
        if (good && value != bytes[i / 2])
            abort();
    }
    if (good != expected || hex_encode(digits, bytes, size / 2) != digits + size)
        abort();
    for (size_t i = 0; good && i < size; i++)
        if (digits[i] != tolower((unsigned char)text[i]))
            abort();
    free(text);
    free(digits);
    free(bytes);
    return 0;
}
