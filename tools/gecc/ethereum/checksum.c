#include "ethereum/checksum.h"
#include "text/hex.h"

#include <stdlib.h>

enum { HASH_BYTES = 32 };

/* A letter is a capital where the hash has a digit of 8 or more. */
static void capitalize(char text[ADDRESS_DIGITS], const uint8_t hash[HASH_BYTES]) {
    for (size_t i = 0; i < ADDRESS_DIGITS; i++) {
        uint8_t digit = i % 2 ? hash[i / 2] & 15 : hash[i / 2] >> 4;
        if (text[i] >= 'a' && digit >= 8)
            text[i] = (char)(text[i] - 'a' + 'A');
    }
}

gecc_result checksum_addresses(gecc_context *context, char (*texts)[ADDRESS_DIGITS],
                               const uint8_t (*addresses)[GECC_ADDRESS_BYTES], size_t count) {
    uint8_t(*hashes)[HASH_BYTES] = malloc(count * HASH_BYTES + 1), *status = malloc(count + 1);
    gecc_result result = GECC_ERROR_MEMORY;
    for (size_t i = 0; i < count; i++)
        hex_encode(texts[i], addresses[i], GECC_ADDRESS_BYTES);
    if (hashes && status)
        result = gecc_digest(context, GECC_KECCAK256, gecc_out_packed(hashes, HASH_BYTES), gecc_out_packed(status, 1),
                             gecc_rows_packed(texts, ADDRESS_DIGITS), count, NULL);
    for (size_t i = 0; result == GECC_OK && i < count; i++)
        capitalize(texts[i], hashes[i]);
    free(hashes);
    free(status);
    return result;
}
