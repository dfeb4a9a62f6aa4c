/* Rows that are fields of structs, with the verdict written back into them: nothing is copied. */
#include <gecc/gecc.h>
#include <stdio.h>
#include <string.h>

#include "rows.h"

struct transfer {
    uint32_t number;
    uint8_t digest[32], signature[64];
    uint8_t verdict; /* a gecc_item */
};

int main(void) {
    struct transfer transfers[COUNT];
    gecc_context *context;
    if (gecc_open(&context, NULL) != GECC_OK)
        return 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        transfers[i].number = 100 + i;
        memcpy(transfers[i].digest, digests[i], 32);
        memcpy(transfers[i].signature, signatures[i], 64);
    }

    /* Row i is `stride` bytes behind row i - 1. */
    size_t stride = sizeof *transfers;
    gecc_out verdict = gecc_out_packed(&transfers[0].verdict, stride);
    gecc_rows digest = gecc_rows_strided(transfers[0].digest, 32, stride),
              signature = gecc_rows_strided(transfers[0].signature, 64, stride);
    gecc_result result =
        gecc_ecdsa_verify(context, GECC_P256, verdict, gecc_rows_same(public_key, 65), digest, signature, COUNT, NULL);
    for (int i = 0; i < COUNT; i++)
        printf("transfer %u: %s\n", (unsigned)transfers[i].number, gecc_item_text(transfers[i].verdict));
    gecc_close(context);
    return result != GECC_OK;
}
