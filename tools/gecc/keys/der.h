/* The heads of elements in DER (X.690), as far as keys and certificates are looked into here. */
#ifndef TOOL_DER_H
#define TOOL_DER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Tags of the universal class (X.690, 8.1.2), and of the fields that keys and certificates number themselves. */
enum {
    DER_BOOLEAN = 0x01,
    DER_INTEGER = 0x02,
    DER_BIT_STRING = 0x03,
    DER_OCTET_STRING = 0x04,
    DER_NULL = 0x05,
    DER_OBJECT_IDENTIFIER = 0x06,
    DER_UTC_TIME = 0x17,
    DER_GENERALIZED_TIME = 0x18,
    DER_SEQUENCE = 0x30,
    DER_PRIMITIVE_0 = 0x80, /* [0] IMPLICIT of a string, and so on */
    DER_PRIMITIVE_1 = 0x81,
    DER_PRIMITIVE_2 = 0x82,
    DER_CONSTRUCTED_0 = 0xa0, /* [0], and so on */
    DER_CONSTRUCTED_1 = 0xa1,
    DER_CONSTRUCTED_3 = 0xa3,
    DER_CONSTRUCTED_4 = 0xa4
};

/* What is left to be read. */
struct der {
    const uint8_t *at, *end;
};

/* The head of the element at the start: its bytes and those of its contents, which may go on beyond the end. false:
 * there is none with such a tag. */
bool der_head(const struct der *in, uint8_t tag, size_t *head, size_t *size);

/* Step over an element: its contents, and *whole (may be NULL) with its head. false: there is none that is whole. */
bool der_take(struct der *in, uint8_t tag, struct der *inner, struct der *whole);

/* The same of an INTEGER with that tag (X.690, 8.3): its contents, two's complement in as few bytes as it can be. */
bool der_take_integer(struct der *in, uint8_t tag, struct der *number);

/* The bytes of the SEQUENCE that begins bytes[size]; 0: none does. Above size: it does not end. */
size_t der_sequence_size(const uint8_t *bytes, size_t size);

/* Is an element with the tag next? */
bool der_is(const struct der *in, uint8_t tag);

/* The bytes that are left. */
size_t der_left(const struct der *in);

#endif
