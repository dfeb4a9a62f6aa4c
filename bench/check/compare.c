/* Outcomes side by side. */
#include "check.h"

#include <string.h>

enum { PRINTED_MOST = 3 }; /* rows of a batch */

static void print_hex(const char *label, const uint8_t *bytes, size_t width) {
    printf("    %s %zu:", label, width);
    for (size_t i = 0; i < width && i < 200; i++)
        printf("%s%02x", i == 0 ? " " : "", bytes[i]);
    printf("%s\n", width > 200 ? "..." : "");
}

void row_print(const struct batch *batch, size_t row) {
    for (int i = 0; i < INPUTS; i++)
        if (call_uses(&batch->call, i))
            print_hex("in  ", batch->in[i].data + batch->in[i].offsets[row], batch->in[i].widths[row]);
    if (batch->call.modulus_bytes != 0)
        print_hex("mod ", batch->call.modulus, batch->call.modulus_bytes);
}

static void print_outcome(const char *label, const struct outcome *outcome, size_t row) {
    printf("    %s %s, width %u\n", label, gecc_item_text(outcome->status[row]), (unsigned)outcome->widths[row]);
    print_hex("2nd ", outcome->second + row * outcome->second_width, outcome->second_width);
    if (outcome->width != 0)
        print_hex(label, outcome->out + row * outcome->stride, outcome->width);
}

/* Is something in the gap behind the row that was not there before the call? */
static bool gap_is_written(const struct outcome *outcome, size_t row) {
    bool written = false;
    for (size_t i = outcome->width; i < outcome->stride; i++)
        written |= outcome->out[row * outcome->stride + i] != GUARD;
    return written;
}

/* Every byte of the outputs. */
static bool row_differs(const struct outcome *a, const struct outcome *b, size_t row) {
    return a->status[row] != b->status[row] ||
           memcmp(a->second + row * a->second_width, b->second + row * a->second_width, a->second_width) != 0 ||
           a->widths[row] != b->widths[row] ||
           memcmp(a->out + row * a->stride, b->out + row * b->stride, a->width) != 0 || gap_is_written(a, row) ||
           gap_is_written(b, row);
}

static void print_mismatch(const struct batch *batch, const struct outcome *a, const struct outcome *b, size_t row) {
    char text[128];
    printf("MISMATCH %s: row %zu of %zu\n", call_text(&batch->call, text), row, batch->count);
    row_print(batch, row);
    print_outcome("A", a, row);
    print_outcome("B", b, row);
}

size_t outcomes_compare(const struct batch *batch, const struct outcome *a, const struct outcome *b) {
    char text[128];
    size_t mismatches = 0;
    if (a->result != GECC_OK || b->result != GECC_OK) {
        printf("FAILED %s, %zu rows: A: %s (%s); B: %s\n", call_text(&batch->call, text), batch->count,
               gecc_result_text(a->result), a->report.reason, gecc_result_text(b->result));
        return batch->count;
    }
    for (size_t row = 0; row < batch->count; row++)
        if (row_differs(a, b, row) && mismatches++ < PRINTED_MOST)
            print_mismatch(batch, a, b, row);
    return mismatches;
}

void plant(const struct settings *settings, const struct call *call, struct outcome *outcome) {
    if (settings->plant == 0 || settings->plant > outcome->count)
        return;
    size_t row = settings->plant - 1;
    if (call_out_bytes(call) != 0)
        outcome->out[row * outcome->stride + outcome->width - 1] ^= 1;
    else
        outcome->status[row] ^= 1;
}
