/* Make keys, hash messages, sign the hashes, and check the signatures. */
#include <gecc/gecc.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 3 };

/* What a call returned, and how many rows it computed. */
static int done(const char *what, gecc_result result, const uint8_t *status) {
    int good = 0;
    for (int i = 0; i < COUNT; i++)
        good += status[i] == GECC_ITEM_OK;
    printf("%s: %s, %d of %d rows\n", what, result == GECC_OK ? "done" : gecc_error_text(), good, COUNT);
    return result == GECC_OK && good == COUNT;
}

int main(void) {
    static const char *const message[COUNT] = {"pay Alice 5", "pay Bob 7", "pay Carol 11"};
    uint8_t private_key[COUNT][32] = {{0}}, public_key[COUNT][33], digest[COUNT][32], signature[COUNT][64];
    uint8_t recovery_id[COUNT], statuses[COUNT];
    char text[64];
    uint64_t offset[COUNT];
    uint32_t width[COUNT];
    gecc_context *context;
    if (gecc_open(&context, NULL) != GECC_OK) {
        fprintf(stderr, "%s\n", gecc_error_text());
        return 1;
    }

    /* Keys for an example: nobody's secrets. Real ones come from a generator of random bytes. */
    for (int i = 0; i < COUNT; i++)
        private_key[i][31] = (uint8_t)(i + 1);

    /* Messages of any width lie anywhere: each row has an offset and a width. */
    size_t used = 0;
    for (int i = 0; i < COUNT; i++) {
        offset[i] = used;
        width[i] = (uint32_t)strlen(message[i]);
        memcpy(text + used, message[i], width[i]);
        used += width[i];
    }
    gecc_rows messages = {text, 0, 0, width, offset};

    gecc_out status = gecc_out_packed(statuses, 1);
    gecc_rows keys = gecc_rows_packed(private_key, 32), digests = gecc_rows_packed(digest, 32);
    gecc_options compressed = GECC_OPTIONS_INIT;
    compressed.point_format = GECC_POINT_COMPRESSED;
    int good =
        done("hash", gecc_digest(context, GECC_SHA256, gecc_out_packed(digest, 32), status, messages, COUNT, NULL),
             statuses);
    good &= done(
        "public keys",
        gecc_ec_public_key(context, GECC_SECP256K1, gecc_out_packed(public_key, 33), status, keys, COUNT, &compressed),
        statuses);
    good &= done("sign",
                 gecc_ecdsa_sign(context, GECC_SECP256K1, gecc_out_packed(signature, 64),
                                 gecc_out_packed(recovery_id, 1), status, keys, digests, gecc_rows_none(), COUNT, NULL),
                 statuses);
    good &= done("verify",
                 gecc_ecdsa_verify(context, GECC_SECP256K1, status, gecc_rows_packed(public_key, 33), digests,
                                   gecc_rows_packed(signature, 64), COUNT, NULL),
                 statuses);
    gecc_close(context);
    return !good;
}
