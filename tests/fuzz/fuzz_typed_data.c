/* Typed data: what is read of a document is read of the same document as jansson writes it, with its members in another
 * order and without escapes and blanks, too; jansson finds no name twice in it. */
#include "rows/typed_data.h"
#include "text/json.h"
#include "text/wiped.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition) {
    if (!condition)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    uint8_t read[TYPED_DATA_BYTES], again[TYPED_DATA_BYTES];
    struct arena arena = {.chunk_bytes = 1};
    char *text = malloc(size); /* nothing may be read behind it */
    memcpy(text, data, size);
    json_use_wiped_memory();
    const char *reason = typed_data_encode(read, text, size, &arena);
    if (!reason) {
        json_error_t error;
        json_t *document = json_loadb(text, size, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
        require(json_is_valid(text, size) && read[0] == 0x19 && read[1] == 0x01);
        require(document || json_error_code(&error) == json_error_numeric_overflow);
        char *other = document ? json_dumps(document, JSON_SORT_KEYS | JSON_COMPACT) : NULL;
        if (other) {
            require(!typed_data_encode(again, other, strlen(other), &arena));
            require(memcmp(read, again, sizeof read) == 0);
        }
        wiped_free(other);
        json_decref(document);
    }
    free(text);
    arena_free(&arena);
    return 0;
}
