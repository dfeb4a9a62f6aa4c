/* Signatures in DER, each as long as it is, one after the other in a buffer, as they stand in a file or a packet. */
#include <gecc/gecc.h>
#include <stdio.h>
#include <string.h>

enum { COUNT = 3, DER_MOST = 72 };

static int fail(void) {
    fprintf(stderr, "%s\n", gecc_error_text());
    return 1;
}

int main(void) {
    uint8_t private_key[COUNT][32] = {{0}}, public_key[COUNT][65], digest[COUNT][32] = {{0}}, status[COUNT];
    uint8_t der[COUNT][DER_MOST], buffer[COUNT * DER_MOST];
    uint32_t width[COUNT];
    uint64_t offset[COUNT];
    gecc_context *context;
    for (int i = 0; i < COUNT; i++)
        private_key[i][31] = digest[i][0] = (uint8_t)(i + 1);
    if (gecc_open(&context, NULL) != GECC_OK)
        return fail();

    /* An output whose rows vary needs room for the longest, and an array for the widths. */
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = GECC_DER;
    gecc_out signatures = {der, DER_MOST, width}, statuses = gecc_out_packed(status, 1);
    gecc_rows keys = gecc_rows_packed(private_key, 32), digests = gecc_rows_packed(digest, 32);
    if (gecc_ecdsa_sign(context, GECC_P256, signatures, gecc_out_none(), statuses, keys, digests, gecc_rows_none(),
                        COUNT, &options) != GECC_OK ||
        gecc_ec_public_key(context, GECC_P256, gecc_out_packed(public_key, 65), statuses, keys, COUNT, NULL) != GECC_OK)
        return fail();

    size_t used = 0;
    for (int i = 0; i < COUNT; i++) {
        offset[i] = used;
        memcpy(buffer + used, der[i], width[i]);
        used += width[i];
    }
    width[2]--; /* cut off: this row is malformed, and no other is touched by it */

    /* Where rows lie anywhere they have an offset and a width each; stride and width mean nothing then. */
    gecc_rows packed = {buffer, 0, 0, width, offset};
    if (gecc_ecdsa_verify(context, GECC_P256, statuses, gecc_rows_packed(public_key, 65), digests, packed, COUNT,
                          &options) != GECC_OK)
        return fail();
    for (int i = 0; i < COUNT; i++)
        printf("row %d: %s\n", i, gecc_item_text(status[i]));
    gecc_close(context);
    return 0;
}
