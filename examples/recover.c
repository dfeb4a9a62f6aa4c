/* Find the public keys that made signatures, and hash them to addresses as Ethereum does. */
#include <gecc/gecc.h>
#include <stdio.h>

enum { COUNT = 4 };

static int fail(void) {
    fprintf(stderr, "%s\n", gecc_error_text());
    return 1;
}

int main(void) {
    /* Keys 1 to 4 sign the same 32 bytes: what a node reads from a block is r, s and the recovery id. */
    static const uint8_t digest[32] = {0xd1, 0x9e, 0x57};
    uint8_t private_key[COUNT][32] = {{0}}, signature[COUNT][64], recovery_id[COUNT], status[COUNT];
    uint8_t public_key[COUNT][64], hash[COUNT][32];
    gecc_context *context;
    for (int i = 0; i < COUNT; i++)
        private_key[i][31] = (uint8_t)(i + 1);
    if (gecc_open(&context, NULL) != GECC_OK ||
        gecc_ecdsa_sign(context, GECC_SECP256K1, gecc_out_packed(signature, 64), gecc_out_packed(recovery_id, 1),
                        gecc_out_packed(status, 1), gecc_rows_packed(private_key, 32), gecc_rows_same(digest, 32),
                        gecc_rows_none(), COUNT, NULL) != GECC_OK)
        return fail();

    /* One digest serves for all rows. Keys are wanted as x || y, which is what an address is the hash of. */
    gecc_options raw = GECC_OPTIONS_INIT;
    raw.point_format = GECC_POINT_RAW;
    recovery_id[3] = 7; /* what a broken row looks like */
    if (gecc_ecdsa_recover(context, GECC_SECP256K1, gecc_out_packed(public_key, 64), gecc_out_packed(status, 1),
                           gecc_rows_same(digest, 32), gecc_rows_packed(signature, 64),
                           gecc_rows_packed(recovery_id, 1), COUNT, &raw) != GECC_OK)
        return fail();

    uint8_t hashed[COUNT];
    if (gecc_digest(context, GECC_KECCAK256, gecc_out_packed(hash, 32), gecc_out_packed(hashed, 1),
                    gecc_rows_packed(public_key, 64), COUNT, NULL) != GECC_OK)
        return fail();
    for (int i = 0; i < COUNT; i++) {
        printf("row %d: ", i);
        for (int k = 12; status[i] == GECC_ITEM_OK && k < 32; k++)
            printf("%02x", hash[i][k]);
        printf("%s\n", status[i] == GECC_ITEM_OK ? "" : gecc_item_text(status[i]));
    }
    gecc_close(context);
    return 0;
}
