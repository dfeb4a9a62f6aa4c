/* The text of a certificate's serial number stays within what its caller gives, however long the number is.
 *
 * Test: fast; the tool's reader */
#include "keys/certificate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_BYTES = 3 * MOST_SERIAL_BYTES, GUARD = 0x5a };

static void check_serial(const uint8_t *bytes, size_t size) {
    char out[SERIAL_CHARACTERS + 8];
    const struct certificate certificate = {.serial = {bytes, size}};
    memset(out, GUARD, sizeof out);
    const size_t length = certificate_serial(out, &certificate);
    assert_true(length >= 2 && length <= SERIAL_CHARACTERS);
    assert_int_equal(length > 3 && memcmp(out + length - 3, "...", 3) == 0, size > MOST_SERIAL_BYTES);
    assert_int_equal(out[0] == '-', bytes[0] >= 0x80);
    for (size_t i = length; i < sizeof out; i++)
        assert_int_equal(out[i], GUARD);
}

static void test_serials(void **state) {
    (void)state;
    static const uint8_t firsts[] = {0x00, 0x01, 0x7f, 0x80, 0x81, 0xff}, others[] = {0x00, 0x01, 0xff};
    uint8_t bytes[MOST_BYTES];
    for (size_t first = 0; first < sizeof firsts; first++)
        for (size_t other = 0; other < sizeof others; other++)
            for (size_t size = 2; size <= MOST_BYTES; size++) {
                memset(bytes, others[other], size);
                bytes[0] = firsts[first];
                check_serial(bytes, size);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_serials)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
