/* 32 characters at a time where the processor has AVX2, the rest one by one. */
#include "text/base64.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#endif

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

#if defined(__x86_64__) && defined(__GNUC__)
#define HAS_AVX2 __builtin_cpu_supports("avx2")

/* All ones in the bytes from low to high. */
__attribute__((target("avx2"))) static inline __m256i range_avx2(__m256i c, char low, char high) {
    return _mm256_and_si256(_mm256_cmpgt_epi8(c, _mm256_set1_epi8((char)(low - 1))),
                            _mm256_cmpgt_epi8(_mm256_set1_epi8((char)(high + 1)), c));
}

/* The values of 32 characters, 0 to 63; *good loses the bytes of other characters. */
__attribute__((target("avx2"))) static inline __m256i values_avx2(__m256i c, bool url, __m256i *good) {
    const char plus = url ? '-' : '+', slash = url ? '_' : '/';
    __m256i upper = range_avx2(c, 'A', 'Z'), lower = range_avx2(c, 'a', 'z'), digit = range_avx2(c, '0', '9');
    __m256i last = _mm256_cmpeq_epi8(c, _mm256_set1_epi8(plus));
    __m256i very_last = _mm256_cmpeq_epi8(c, _mm256_set1_epi8(slash));
    __m256i add = _mm256_or_si256(_mm256_and_si256(upper, _mm256_set1_epi8(-'A')),
                                  _mm256_and_si256(lower, _mm256_set1_epi8(26 - 'a')));
    add = _mm256_or_si256(add, _mm256_and_si256(digit, _mm256_set1_epi8(52 - '0')));
    add = _mm256_or_si256(add, _mm256_and_si256(last, _mm256_set1_epi8((char)(62 - plus))));
    add = _mm256_or_si256(add, _mm256_and_si256(very_last, _mm256_set1_epi8((char)(63 - slash))));
    __m256i known = _mm256_or_si256(_mm256_or_si256(upper, lower), digit);
    *good = _mm256_and_si256(*good, _mm256_or_si256(known, _mm256_or_si256(last, very_last)));
    return _mm256_add_epi8(c, add);
}

/* out = the bytes of all characters, which are as many as a text may have. Returns whether each stands for a value. */
__attribute__((target("avx2"))) static bool decode_avx2(uint8_t *out, const char *text, size_t length, bool url) {
    const __m256i order = _mm256_setr_epi8(2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, -1, -1, -1, -1, 2, 1, 0, 6, 5, 4, 10,
                                           9, 8, 14, 13, 12, -1, -1, -1, -1);
    __m256i good = _mm256_set1_epi8(-1);
    for (size_t i = 0; i < length; i += 32, out += 24) {
        const size_t left = length - i;
        uint8_t end[28] = {0}; /* four bytes are written too far */
        char block[32];
        if (left < 32)
            memcpy(memset(block, 'A', sizeof block), text + i, left);
        __m256i c = _mm256_loadu_si256((const __m256i *)(const void *)(left < 32 ? block : text + i));
        /* Values of 6 bits to pairs of 12, to fours of 24, to three bytes each. */
        __m256i pairs = _mm256_maddubs_epi16(values_avx2(c, url, &good), _mm256_set1_epi32(0x01400140));
        __m256i fours = _mm256_madd_epi16(pairs, _mm256_set1_epi32(0x00011000));
        __m256i bytes = _mm256_shuffle_epi8(fours, order);
        uint8_t *to = left < 40 ? end : out;
        _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(bytes));
        _mm_storeu_si128((__m128i *)(void *)(to + 12), _mm256_extracti128_si256(bytes, 1));
        if (left < 40)
            memcpy(out, end, left < 32 ? left * 3 / 4 : 24);
    }
    return _mm256_movemask_epi8(good) == -1;
}
#else
#define HAS_AVX2 0
static bool decode_avx2(uint8_t *out, const char *text, size_t length, bool url) {
    (void)out, (void)text, (void)length, (void)url;
    return false;
}
#endif

/* The same one by one. */
static bool decode_each(uint8_t *out, const char *text, size_t length, bool url) {
    uint32_t bits = 0, wrong = 0;
    for (size_t i = 0; i < length; i++) {
        uint32_t value = value_of(text[i], url);
        wrong |= value & 0x100;
        bits = bits << 6 | (value & 63);
        if (i % 4 != 0)
            *out++ = (uint8_t)(bits >> (6 - 2 * (i % 4)));
    }
    return !wrong;
}

bool base64_decode(uint8_t *out, size_t *count, const char *text, size_t length, bool url) {
    size_t padding = 0;
    while (length && padding < 2 && text[length - 1] == '=') {
        length--;
        padding++;
    }
    bool fits = length % 4 != 1 && (padding == 0 || (length + padding) % 4 == 0);
    /* What is left of the last character has to be zero, so that bytes have one text. */
    uint32_t rest = length % 4 > 1 ? value_of(text[length - 1], url) & (length % 4 == 2 ? 15 : 3) : 0;
    *count = length / 4 * 3 + (length % 4 > 1 ? length % 4 - 1 : 0);
    const bool good = HAS_AVX2 ? decode_avx2(out, text, length, url) : decode_each(out, text, length, url);
    return fits && good && !rest;
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
