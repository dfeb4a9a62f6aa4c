#include "text/base64.h"

/* All ones where low <= c <= high, else zero; both at most 255. */
static uint32_t between(uint32_t c, uint32_t low, uint32_t high) {
    uint32_t outside = (c - low) | (high - c);
    return (outside >> 31) - 1;
}

/* 0 to 63, or a number with bit 8 set where the character stands for none. */
static uint32_t value_of(char character, bool url) {
    uint32_t c = (unsigned char)character, plus = url ? '-' : '+', slash = url ? '_' : '/';
    uint32_t upper = between(c, 'A', 'Z'), lower = between(c, 'a', 'z'), digit = between(c, '0', '9');
    uint32_t last = between(c, plus, plus), very_last = between(c, slash, slash);
    uint32_t value =
        (upper & (c - 'A')) | (lower & (c - 'a' + 26)) | (digit & (c - '0' + 52)) | (last & 62) | (very_last & 63);
    return value | (~(upper | lower | digit | last | very_last) & 0x100);
}

/* The character of a value from 0 to 63. */
static char character_of(uint32_t value, bool url) {
    uint32_t c = (between(value, 0, 25) & ('A' + value)) | (between(value, 26, 51) & ('a' + value - 26)) |
                 (between(value, 52, 61) & ('0' + value - 52)) | (between(value, 62, 62) & (url ? '-' : '+')) |
                 (between(value, 63, 63) & (url ? '_' : '/'));
    return (char)c;
}

bool base64_decode(uint8_t *out, size_t *count, const char *text, size_t length, bool url) {
    uint32_t bits = 0, wrong = 0;
    size_t used = 0, padding = 0;
    while (length && padding < 2 && text[length - 1] == '=') {
        length--;
        padding++;
    }
    bool fits = length % 4 != 1 && (padding == 0 || (length + padding) % 4 == 0);
    for (size_t i = 0; i < length; i++) {
        uint32_t value = value_of(text[i], url);
        wrong |= value & 0x100;
        bits = bits << 6 | (value & 63);
        if (i % 4 != 0)
            out[used++] = (uint8_t)(bits >> (6 - 2 * (i % 4)));
    }
    /* What is left of the last character has to be zero, so that bytes have one text. */
    if (length % 4 > 1)
        wrong |= bits & (length % 4 == 2 ? 15 : 3);
    *count = used;
    return fits && !wrong;
}

char *base64_encode(char *out, const uint8_t *bytes, size_t count, bool url) {
    for (size_t i = 0; i < count; i += 3) {
        size_t left = count - i < 3 ? count - i : 3;
        uint32_t bits =
            (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) | (left > 2 ? bytes[i + 2] : 0);
        for (size_t c = 0; c < 4; c++) {
            if (c <= left)
                *out++ = character_of(bits >> (18 - 6 * c) & 63, url);
            else if (!url)
                *out++ = '=';
        }
    }
    return out;
}
