/* Verify a batch of ECDSA signatures and print what came of each. */
#include <gecc/gecc.h>
#include <stdio.h>

#include "rows.h"

int main(void) {
    gecc_context *context;
    if (gecc_open(&context, NULL) != GECC_OK) {
        fprintf(stderr, "%s\n", gecc_error_text());
        return 1;
    }

    uint8_t status[COUNT];
    gecc_result result =
        gecc_ecdsa_verify(context, GECC_P256, gecc_out_packed(status, 1), gecc_rows_same(public_key, 65),
                          gecc_rows_packed(digests, 32), gecc_rows_packed(signatures, 64), COUNT, NULL);
    if (result != GECC_OK) /* then rows that nothing is known of read "not processed" */
        fprintf(stderr, "%s\n", gecc_error_text());
    for (int i = 0; i < COUNT; i++)
        printf("row %d: %s\n", i, gecc_item_text(status[i]));

    gecc_close(context);
    return result != GECC_OK;
}
