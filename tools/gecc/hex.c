/* Eight characters at a time in one 64-bit word: byte lanes that never carry into each other. */
#define _DEFAULT_SOURCE /* le64toh */

#include "hex.h"

#include <endian.h>
#include <string.h>

#define EACH(byte) (0x0101010101010101u * (uint64_t)(byte))

/* Bit 7 of each lane: whether low <= character <= high, for characters below 0x80. */
static inline uint64_t in_range(uint64_t characters, unsigned low, unsigned high) {
    return (characters + EACH(0x80 - low)) & ~(characters + EACH(0x7f - high)) & EACH(0x80);
}

/* The four bytes that eight characters write, the first in the low bits; *bad gets bit 7 of each wrong character. */
static inline uint32_t decode8(uint64_t word, uint64_t *bad) {
    uint64_t characters = word & EACH(0x7f);
    uint64_t good = in_range(characters, '0', '9') | in_range(characters | EACH(0x20), 'a', 'f');
    *bad |= (~good | word) & EACH(0x80);
    uint64_t nibbles = (characters & EACH(0x0f)) + 9 * ((characters >> 6) & EACH(0x01));
    uint64_t pairs = (nibbles << 4 | nibbles >> 8) & 0x00ff00ff00ff00ffu;
    pairs = (pairs | pairs >> 8) & 0x0000ffff0000ffffu;
    return (uint32_t)(pairs | pairs >> 16);
}

int hex_decode(uint8_t *out, const char *text, size_t digits) {
    uint64_t bad = 0, word;
    uint32_t bytes;
    size_t i = 0;
    for (; i + 8 <= digits; i += 8) {
        memcpy(&word, text + i, 8);
        bytes = htole32(decode8(le64toh(word), &bad));
        memcpy(out + i / 2, &bytes, 4);
    }
    if (i < digits) {
        word = EACH('0');
        memcpy(&word, text + i, digits - i);
        bytes = htole32(decode8(le64toh(word), &bad));
        memcpy(out + i / 2, &bytes, (digits - i) / 2);
    }
    return bad == 0;
}

static inline uint64_t encode4(uint32_t bytes) {
    uint64_t spread = ((uint64_t)bytes | (uint64_t)bytes << 16) & 0x0000ffff0000ffffu;
    spread = (spread | spread << 8) & 0x00ff00ff00ff00ffu;
    uint64_t nibbles = (spread >> 4 | spread << 8) & EACH(0x0f);
    uint64_t letters = ((nibbles + EACH(6)) >> 4) & EACH(1);
    return nibbles + EACH('0') + letters * ('a' - '0' - 10);
}

char *hex_encode(char *out, const uint8_t *bytes, size_t count) {
    uint64_t word;
    uint32_t four;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        memcpy(&four, bytes + i, 4);
        word = htole64(encode4(le32toh(four)));
        memcpy(out + 2 * i, &word, 8);
    }
    if (i < count) {
        four = 0;
        memcpy(&four, bytes + i, count - i);
        word = htole64(encode4(le32toh(four)));
        memcpy(out + 2 * i, &word, 2 * (count - i));
    }
    return out + 2 * count;
}

void hex_skip_prefix(const char **text, size_t *digits) {
    if (*digits >= 2 && (*text)[0] == '0' && ((*text)[1] == 'x' || (*text)[1] == 'X')) {
        *text += 2;
        *digits -= 2;
    }
}
