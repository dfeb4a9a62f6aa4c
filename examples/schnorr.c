/* Taproot's key path: output keys of internal ones (BIP-341), signatures under them (BIP-340), and their
 * verification. */
#include <gecc/gecc.h>
#include <stdio.h>

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
    uint8_t private_key[COUNT][32] = {{0}}, tweaked[COUNT][32], internal[COUNT][32], output[COUNT][32];
    uint8_t parity[COUNT], digest[COUNT][32], signature[COUNT][65], statuses[COUNT];
    static const uint32_t root_widths[COUNT] = {0, 32, 0}; /* the second output has scripts, too */
    static const uint8_t roots[COUNT][32] = {{0}, {0x5b, 0x75, 0xad, 0xc4}, {0}};
    gecc_context *context;
    if (gecc_open(&context, NULL) != GECC_OK) {
        fprintf(stderr, "%s\n", gecc_error_text());
        return 1;
    }

    /* Keys and digests for an example. Real keys come from a generator of random bytes. */
    for (int i = 0; i < COUNT; i++)
        for (int j = 0; j < 32; j++) {
            private_key[i][j] = (uint8_t)(i + 1);
            digest[i][j] = (uint8_t)(7 * i + j);
        }

    gecc_out status = gecc_out_packed(statuses, 1);
    gecc_rows keys = gecc_rows_packed(private_key, 32), tweaked_keys = gecc_rows_packed(tweaked, 32);
    gecc_rows internal_keys = gecc_rows_packed(internal, 32), output_keys = gecc_rows_packed(output, 32);
    gecc_rows merkle_roots = {roots, 32, 0, root_widths, NULL};
    gecc_rows digests = gecc_rows_packed(digest, 32);
    int good =
        done("internal keys",
             gecc_schnorr_public_key(context, gecc_out_packed(internal, 32), status, keys, COUNT, NULL), statuses);
    good &= done("output keys",
                 gecc_schnorr_tweak_public_key(context, gecc_out_packed(output, 32), gecc_out_packed(parity, 1), status,
                                               internal_keys, merkle_roots, COUNT, NULL),
                 statuses);
    good &= done(
        "their private keys",
        gecc_schnorr_tweak_private_key(context, gecc_out_packed(tweaked, 32), status, keys, merkle_roots, COUNT, NULL),
        statuses);

    /* Without auxiliary randomness the key and the digest determine the signature. In a witness a byte may follow it,
     * which says what was hashed: here it does in the last row. */
    good &= done("sign",
                 gecc_schnorr_sign(context, gecc_out_packed(signature, 65), status, tweaked_keys, digests,
                                   gecc_rows_none(), COUNT, NULL),
                 statuses);
    uint32_t signature_widths[COUNT] = {64, 64, 65};
    signature[COUNT - 1][64] = 0x83;
    gecc_rows signatures = {signature, 65, 0, signature_widths, NULL};
    gecc_options witness = GECC_OPTIONS_INIT;
    witness.flags = GECC_SIGHASH_BYTE;
    good &= done("verify", gecc_schnorr_verify(context, status, output_keys, digests, signatures, COUNT, &witness),
                 statuses);
    gecc_close(context);
    return !good;
}
