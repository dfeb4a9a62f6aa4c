/* JSON-RPC's objects of any members: what is encoded has an RLP list's head that says how wide it is, what is refused
 * leaves nothing behind. */
#include "ethereum/json.h"
#include "text/json_split.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The width of the list at the start, head included. */
static size_t list_width(const uint8_t *data, size_t size) {
    size_t more, width = 0;
    if (size == 0 || data[0] < 0xc0)
        abort();
    if (data[0] <= 0xf7)
        return 1 + (size_t)data[0] - 0xc0;
    more = (size_t)data[0] - 0xf7;
    if (more >= size)
        abort();
    for (size_t i = 1; i <= more; i++)
        width = width << 8 | data[i];
    return 1 + more + width;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct bytes bytes = {0};
    struct complaint complaint = {{0}};
    struct object object;
    struct told told;
    uint64_t read;
    const char *text = (const char *)data;
    if (size == 0 || text[0] != '{' || !json_is_value(text, size))
        return 0;
    bool good = object_read(&object, &complaint, text, size) && object_tell(&told, &complaint, &object) &&
                ethereum_json_encode(&bytes, &complaint, &read, &object);
    if (good != (complaint.text[0] == 0) || good != (bytes.used != 0))
        abort();
    size_t type = good && bytes.data[0] < 0xc0;
    if (good && list_width(bytes.data + type, bytes.used - type) != bytes.used - type)
        abort();
    free(bytes.data);
    return 0;
}
