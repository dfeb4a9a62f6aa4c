/* Who sent transactions: each row is the bytes of one, of whatever type and width. The last one is no transaction. */
#include <gecc/gecc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 3, MOST = 256 };

/* A transfer from before EIP-155, a call with dynamic fees (type 2), and the first without its last byte. */
static const char *const texts[COUNT] = {
    "f85f800182520894000000000000000000000000000b9331677e6ebf0a801ca098ff921201554726367d2be8c804a7ff89ccf285ebc57dff8a"
    "e4c44b9c19ac4aa01887321be575c8095f789dd4c743dfe42c1820f9231f98a962b210e3ac2452a3",
    "02f8800120843b9aca0084764cc5c1830186a0945109651e0e75c476c07c3bdcb1acfbafceedf9b78095004fe44bced63a68f3bb5cda9ca6"
    "df8275f2550db1c001a0ad4448f1258f4bece0e3964f5d1c212e1ef73d29dab637c554f9fb8ee4f1b62ba0536b2f4394b7fa44eb66fec5bc"
    "d1c466f101a9d7275de87baebe2efbc0c67146",
    "f85f800182520894000000000000000000000000000b9331677e6ebf0a801ca098ff921201554726367d2be8c804a7ff89ccf285ebc57dff8a"
    "e4c44b9c19ac4aa01887321be575c8095f789dd4c743dfe42c1820f9231f98a962b210e3ac2452"};

static uint32_t decode(uint8_t *out, const char *text) {
    size_t width = strlen(text) / 2;
    for (size_t i = 0; i < width; i++) {
        const char digits[3] = {text[2 * i], text[2 * i + 1], 0};
        out[i] = (uint8_t)strtoul(digits, NULL, 16);
    }
    return (uint32_t)width;
}

static void print(const uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        printf("%02x", bytes[i]);
}

int main(void) {
    uint8_t bytes[COUNT][MOST], sender[COUNT][GECC_ADDRESS_BYTES], hash[COUNT][32], type[COUNT], reason[COUNT];
    uint8_t status[COUNT];
    uint32_t widths[COUNT], position[COUNT];
    gecc_context *context;
    if (gecc_open(&context, NULL) != GECC_OK) {
        fprintf(stderr, "%s\n", gecc_error_text());
        return 1;
    }
    for (int i = 0; i < COUNT; i++)
        widths[i] = decode(bytes[i], texts[i]);

    gecc_rows transactions = {bytes, MOST, 0, widths, NULL};
    gecc_result result = gecc_ethereum_senders(
        context, gecc_out_packed(sender, sizeof sender[0]), gecc_out_packed(hash, sizeof hash[0]),
        gecc_out_packed(type, 1), gecc_out_packed(reason, 1), gecc_out_packed(position, sizeof position[0]),
        gecc_out_packed(status, 1), transactions, COUNT, NULL);
    if (result != GECC_OK)
        fprintf(stderr, "%s\n", gecc_error_text());
    for (int i = 0; i < COUNT && result == GECC_OK; i++) {
        printf("row %d: ", i);
        if (status[i] == GECC_ITEM_OK) {
            printf("type %u, from 0x", type[i]);
            print(sender[i], sizeof sender[i]);
            printf(", hash 0x");
            print(hash[i], sizeof hash[i]);
        } else {
            printf("%s", gecc_item_text(status[i]));
            if (status[i] == GECC_ITEM_MALFORMED_TRANSACTION)
                printf(": byte %u: %s", position[i], gecc_ethereum_reason_text(reason[i]));
        }
        printf("\n");
    }
    gecc_close(context);
    return result != GECC_OK || status[0] != GECC_ITEM_OK || status[1] != GECC_ITEM_OK ||
           status[2] != GECC_ITEM_MALFORMED_TRANSACTION;
}
