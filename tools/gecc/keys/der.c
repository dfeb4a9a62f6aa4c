#include "keys/der.h"

size_t der_left(const struct der *in) { return (size_t)(in->end - in->at); }

bool der_is(const struct der *in, uint8_t tag) { return in->at < in->end && *in->at == tag; }

bool der_head(const struct der *in, uint8_t tag, size_t *head, size_t *size) {
    size_t left = der_left(in);
    if (left < 2 || in->at[0] != tag)
        return false;
    size_t digits = in->at[1] < 0x80 ? 0 : in->at[1] - 0x80u;
    if (digits > 4 || in->at[1] == 0x80 || left < 2 + digits)
        return false;
    *head = 2 + digits;
    *size = digits ? 0 : in->at[1];
    for (size_t i = 0; i < digits; i++)
        *size = *size << 8 | in->at[2 + i];
    return !digits || (in->at[2] != 0 && *size >= 0x80); /* X.690, 10.1: in as few bytes as it can be */
}

bool der_take(struct der *in, uint8_t tag, struct der *inner, struct der *whole) {
    size_t head, size;
    if (!der_head(in, tag, &head, &size) || der_left(in) - head < size)
        return false;
    if (whole)
        *whole = (struct der){in->at, in->at + head + size};
    *inner = (struct der){in->at + head, in->at + head + size};
    in->at = inner->end;
    return true;
}

bool der_take_integer(struct der *in, uint8_t tag, struct der *number) {
    if (!der_take(in, tag, number, NULL) || der_left(number) == 0)
        return false;
    /* The first nine bits are neither all zeros nor all ones. */
    return der_left(number) == 1 || number->at[0] != (number->at[1] & 0x80 ? 0xff : 0);
}

size_t der_sequence_size(const uint8_t *bytes, size_t size) {
    size_t head, inner;
    struct der in = {bytes, bytes + size};
    return der_head(&in, DER_SEQUENCE, &head, &inner) ? head + inner : 0;
}
