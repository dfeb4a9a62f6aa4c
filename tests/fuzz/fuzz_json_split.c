/* Text of any bytes: its records are the same when it comes byte by byte, lie one after the other within it, and of
 * JSON on lines each line that is a value is found. */
#include "text/json_split.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The next record of what the split has seen up to *known, which grows by `piece` bytes whenever that is not enough. */
static enum json_split_step next(struct json_split *split, const char *text, size_t size, size_t *known, size_t piece) {
    for (;;) {
        enum json_split_step step = json_split_next(split, text, *known, *known == size);
        if (step != JSON_SPLIT_MORE || *known == size)
            return step;
        *known += size - *known < piece ? size - *known : piece;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = (const char *)data;
    struct json_split whole = json_split_start(), cut = json_split_start();
    size_t known = size, cut_known = 0, last = 0;
    for (;;) {
        enum json_split_step step = next(&whole, text, size, &known, size);
        if (next(&cut, text, size, &cut_known, 1) != step)
            abort();
        if (step == JSON_SPLIT_MORE || step == JSON_SPLIT_FAILED)
            return 0;
        if (whole.begin != cut.begin || whole.at != cut.at || whole.begun != cut.begun || whole.line != cut.line)
            abort();
        if (whole.begin < last || whole.at < whole.begin || whole.at > size)
            abort();
        last = whole.at;
    }
}
