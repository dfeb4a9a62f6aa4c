/* 32 characters at a time where the processor has AVX2, else eight in one 64-bit word: byte lanes that never carry into
 * each other. */
#define _DEFAULT_SOURCE /* le64toh */

#include "text/hex.h"

#include <endian.h>
#include <string.h>
#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

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

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_AVX2 __builtin_cpu_supports("avx2")

/* The same as decode8 and encode4, of 32 digits in a vector. Returns how many of `digits` were decoded. */
__attribute__((target("avx2"))) static size_t decode_avx2(uint8_t *out, const char *text, size_t digits,
                                                          uint64_t *bad) {
    const __m256i weights = _mm256_set1_epi16(0x0110), low = _mm256_set1_epi8(0x0f);
    __m256i good = _mm256_set1_epi8(-1);
    size_t i = 0;
    for (; i + 32 <= digits; i += 32) {
        __m256i characters = _mm256_loadu_si256((const __m256i *)(const void *)(text + i));
        __m256i lower = _mm256_or_si256(characters, _mm256_set1_epi8(0x20));
        __m256i digit = _mm256_and_si256(_mm256_cmpgt_epi8(characters, _mm256_set1_epi8('0' - 1)),
                                         _mm256_cmpgt_epi8(_mm256_set1_epi8('9' + 1), characters));
        __m256i letter = _mm256_and_si256(_mm256_cmpgt_epi8(lower, _mm256_set1_epi8('a' - 1)),
                                          _mm256_cmpgt_epi8(_mm256_set1_epi8('f' + 1), lower));
        __m256i nine = _mm256_and_si256(letter, _mm256_set1_epi8(9));
        __m256i nibbles = _mm256_add_epi8(_mm256_and_si256(characters, low), nine);
        __m256i bytes = _mm256_maddubs_epi16(nibbles, weights);
        bytes = _mm256_permute4x64_epi64(_mm256_packus_epi16(bytes, bytes), 0x08);
        _mm_storeu_si128((__m128i *)(void *)(out + i / 2), _mm256_castsi256_si128(bytes));
        good = _mm256_and_si256(good, _mm256_or_si256(digit, letter));
    }
    *bad |= ~(uint32_t)_mm256_movemask_epi8(good) & UINT32_MAX;
    return i;
}

/* Returns how many of `count` bytes were encoded. */
__attribute__((target("avx2"))) static size_t encode_avx2(char *out, const uint8_t *bytes, size_t count) {
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        __m256i wide = _mm256_cvtepu8_epi16(_mm_loadu_si128((const __m128i *)(const void *)(bytes + i)));
        __m256i nibbles = _mm256_or_si256(_mm256_srli_epi16(wide, 4), _mm256_slli_epi16(wide, 8));
        nibbles = _mm256_and_si256(nibbles, _mm256_set1_epi8(0x0f));
        __m256i letters = _mm256_cmpgt_epi8(nibbles, _mm256_set1_epi8(9));
        __m256i shift = _mm256_and_si256(letters, _mm256_set1_epi8('a' - '0' - 10));
        __m256i digits = _mm256_add_epi8(_mm256_add_epi8(nibbles, _mm256_set1_epi8('0')), shift);
        _mm256_storeu_si256((__m256i *)(void *)(out + 2 * i), digits);
    }
    return i;
}
#else
#define HAS_AVX2 0
static size_t decode_avx2(uint8_t *out, const char *text, size_t digits, uint64_t *bad) {
    (void)out, (void)text, (void)digits, (void)bad;
    return 0;
}
static size_t encode_avx2(char *out, const uint8_t *bytes, size_t count) {
    (void)out, (void)bytes, (void)count;
    return 0;
}
#endif

int hex_decode(uint8_t *out, const char *text, size_t digits) {
    uint64_t bad = 0, word;
    uint32_t bytes;
    size_t i = HAS_AVX2 ? decode_avx2(out, text, digits, &bad) : 0;
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
    size_t i = HAS_AVX2 ? encode_avx2(out, bytes, count) : 0;
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
