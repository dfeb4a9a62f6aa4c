/* Signatures of few signers: their keys are prepared once, and rows name them by number. */
#include <gecc/gecc.h>
#include <stdio.h>

enum { SIGNERS = 3, COUNT = 600 };

static uint8_t private_key[SIGNERS][32], public_key[SIGNERS][65], signer_status[SIGNERS];
static uint8_t signer[COUNT][4], signing_key[COUNT][32], digest[COUNT][32], signature[COUNT][64], statuses[COUNT];

/* What a call returned, and how many rows read OK. */
static int done(const char *what, gecc_result result, const uint8_t *status, int count) {
    int good = 0;
    for (int i = 0; i < count; i++)
        good += status[i] == GECC_ITEM_OK;
    printf("%s: %s, %d of %d rows\n", what, result == GECC_OK ? "done" : gecc_error_text(), good, count);
    return result == GECC_OK && good == count;
}

int main(void) {
    gecc_context *context;
    if (gecc_open(&context, NULL) != GECC_OK) {
        fprintf(stderr, "%s\n", gecc_error_text());
        return 1;
    }

    /* Keys and digests for an example. Real keys come from a generator of random bytes. */
    for (int i = 0; i < SIGNERS; i++)
        private_key[i][31] = (uint8_t)(i + 1);
    for (int i = 0; i < COUNT; i++) {
        signer[i][0] = (uint8_t)(i % SIGNERS); /* 4 bytes, the lowest first */
        signing_key[i][31] = (uint8_t)(i % SIGNERS + 1);
        digest[i][0] = (uint8_t)i;
        digest[i][1] = (uint8_t)(i >> 8);
    }
    gecc_rows digests = gecc_rows_packed(digest, 32), signatures = gecc_rows_packed(signature, 64);
    gecc_out status = gecc_out_packed(statuses, 1), key_status = gecc_out_packed(signer_status, 1);
    int good = done("public keys",
                    gecc_ec_public_key(context, GECC_P256, gecc_out_packed(public_key, 65), key_status,
                                       gecc_rows_packed(private_key, 32), SIGNERS, NULL),
                    signer_status, SIGNERS);
    good &= done("sign",
                 gecc_ecdsa_sign(context, GECC_P256, gecc_out_packed(signature, 64), gecc_out_none(), status,
                                 gecc_rows_packed(signing_key, 32), digests, gecc_rows_none(), COUNT, NULL),
                 statuses, COUNT);

    /* How wide their tables are follows from the rows that each is expected to have. */
    gecc_keys_config config = GECC_KEYS_CONFIG_INIT;
    gecc_keys_info info = {.size = sizeof info};
    gecc_keys *keys;
    config.rows = COUNT / SIGNERS;
    good &=
        done("prepare",
             gecc_keys_open(context, &keys, GECC_P256, key_status, gecc_rows_packed(public_key, 65), SIGNERS, &config),
             signer_status, SIGNERS);
    gecc_keys_describe(keys, &info);
    printf("%zu keys with windows of %u bits\n", info.count, info.window);
    good &= done(
        "verify",
        gecc_ecdsa_verify_keys(context, keys, status, gecc_rows_packed(signer, 4), digests, signatures, COUNT, NULL),
        statuses, COUNT);
    gecc_keys_close(keys);
    gecc_close(context);
    return good ? 0 : 1;
}
