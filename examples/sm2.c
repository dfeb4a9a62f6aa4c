/* SM2: texts encrypted to one key and decrypted again (GM/T 0003.4), and a key that two sides agree on (part 3). */
#define _DEFAULT_SOURCE /* getentropy */
#include <gecc/gecc.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { COUNT = 3, TEXT_BYTES = 40, CIPHERTEXT_BYTES = TEXT_BYTES + 97, KEY_BYTES = 16 };

/* What a call returned, and how many rows it computed. */
static int done(const char *what, gecc_result result, const uint8_t *status, int count) {
    int good = 0;
    for (int i = 0; i < count; i++)
        good += status[i] == GECC_ITEM_OK;
    printf("%s: %s, %d of %d rows\n", what, result == GECC_OK ? "done" : gecc_error_text(), good, count);
    return result == GECC_OK && good == count;
}

static int encryption(gecc_context *context) {
    static const char texts[COUNT][TEXT_BYTES] = {"the first", "a second text", "of three"};
    uint8_t private_key[32] = {1}, public_key[65], nonces[COUNT][32], status[COUNT];
    uint8_t ciphertexts[COUNT][CIPHERTEXT_BYTES], found[COUNT][TEXT_BYTES];
    uint32_t text_widths[COUNT], widths[COUNT], found_widths[COUNT];
    if (getentropy(private_key + 1, 31) != 0 || getentropy(nonces, sizeof nonces) != 0)
        return 0;
    for (int i = 0; i < COUNT; i++) {
        nonces[i][0] &= 0x7f; /* less than the order */
        text_widths[i] = (uint32_t)strlen(texts[i]);
    }
    gecc_out statuses = gecc_out_packed(status, 1);
    gecc_rows text = {texts, TEXT_BYTES, 0, text_widths, NULL};
    gecc_rows ciphertext = {ciphertexts, CIPHERTEXT_BYTES, 0, widths, NULL};
    int good = done("public key",
                    gecc_ec_public_key(context, GECC_SM2, gecc_out_packed(public_key, 65), statuses,
                                       gecc_rows_packed(private_key, 32), 1, NULL),
                    status, 1);
    good &= done("encrypted",
                 gecc_sm2_encrypt(context, (gecc_out){ciphertexts, CIPHERTEXT_BYTES, widths}, statuses,
                                  gecc_rows_same(public_key, 65), gecc_rows_packed(nonces, 32), text, COUNT, NULL),
                 status, COUNT);
    good &= done("decrypted",
                 gecc_sm2_decrypt(context, (gecc_out){found, TEXT_BYTES, found_widths}, statuses,
                                  gecc_rows_same(private_key, 32), ciphertext, COUNT, NULL),
                 status, COUNT);
    return good && memcmp(found, texts, sizeof texts) == 0;
}

static int exchange(gecc_context *context) {
    uint8_t keys[4][32], points[4][65], key[2][KEY_BYTES], sent[2][32], expected[2][32], status[4];
    gecc_out statuses = gecc_out_packed(status, 1);
    gecc_options options = GECC_OPTIONS_INIT;
    if (getentropy(keys, sizeof keys) != 0)
        return 0;
    for (int i = 0; i < 4; i++)
        keys[i][0] &= 0x7f;
    int good = done("public keys",
                    gecc_ec_public_key(context, GECC_SM2, gecc_out_packed(points, 65), statuses,
                                       gecc_rows_packed(keys, 32), 4, NULL),
                    status, 4);
    for (int side = 0; side < 2; side++) { /* each has a key, and one for this exchange */
        const int peer = !side;
        options.flags = side == 0 ? 0 : GECC_RESPONDER;
        good &= done(side == 0 ? "initiator" : "responder",
                     gecc_sm2_exchange(context, gecc_out_packed(key[side], KEY_BYTES), gecc_out_packed(sent[side], 32),
                                       gecc_out_packed(expected[side], 32), statuses, gecc_rows_packed(keys[side], 32),
                                       gecc_rows_packed(keys[2 + side], 32), gecc_rows_none(),
                                       gecc_rows_packed(points[peer], 65), gecc_rows_packed(points[2 + peer], 65),
                                       gecc_rows_none(), 1, &options),
                     status, 1);
    }
    return good && memcmp(key[0], key[1], KEY_BYTES) == 0 && memcmp(sent[0], expected[1], 32) == 0 &&
           memcmp(sent[1], expected[0], 32) == 0;
}

int main(void) {
    gecc_context *context;
    if (gecc_open(&context, NULL) != GECC_OK) {
        fprintf(stderr, "%s\n", gecc_error_text());
        return 1;
    }
    int good = encryption(context) && exchange(context);
    gecc_close(context);
    return !good;
}
