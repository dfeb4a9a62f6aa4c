#include "text/decimal.h"

#include <string.h>

/* What is left to read. */
struct text {
    const char *data;
    size_t size;
};

/* value *= 10^power, exactly. */
static bool scale(uint64_t *value, long power) {
    for (; power > 0 && *value; power--) {
        if (*value > UINT64_MAX / 10)
            return false;
        *value *= 10;
    }
    for (; power < 0 && *value; power++) {
        if (*value % 10)
            return false;
        *value /= 10;
    }
    return true;
}

static bool take_digits(uint64_t *value, struct text *text, long *count) {
    size_t start = text->size;
    for (; text->size && text->data[0] >= '0' && text->data[0] <= '9'; text->data++, text->size--) {
        if (*value > (UINT64_MAX - 9) / 10)
            return false;
        *value = 10 * *value + (uint64_t)(text->data[0] - '0');
    }
    *count = (long)(start - text->size);
    return *count > 0;
}

static bool take_letter(struct text *text, const char *letters) {
    bool there = text->size && strchr(letters, text->data[0]) && text->data[0];
    text->data += there;
    text->size -= there;
    return there;
}

bool decimal_read(uint64_t *value, const char *data, size_t size, long decimals) {
    struct text text = {data, size};
    long whole, fraction = 0, digits;
    uint64_t exponent = 0;
    bool negative = false;
    *value = 0;
    if (!take_digits(value, &text, &whole) || (take_letter(&text, ".") && !take_digits(value, &text, &fraction)))
        return false;
    if (take_letter(&text, "eE")) {
        negative = take_letter(&text, "-");
        if ((!negative && take_letter(&text, "+") && !text.size) || !take_digits(&exponent, &text, &digits) ||
            exponent > 1000)
            return false;
    }
    return text.size == 0 && scale(value, decimals - fraction + (negative ? -(long)exponent : (long)exponent));
}
