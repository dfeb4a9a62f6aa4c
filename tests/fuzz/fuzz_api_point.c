/* SEC 1 points: gecc_ec_convert decodes what EC_POINT_oct2point decodes, hybrid encodings and infinity excepted, and
 * writes the same bytes. */
#include "fuzz_input.h"

#include <openssl/err.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct target {
    gecc_context *context;
    struct arena arena;
    struct cell good[4][3];
    struct fuzz_numbers numbers[4];
};

static struct target *target_new(void) {
    struct target *target = memory_new(1, sizeof *target);
    target->context = test_context();
    for (int curve = 0; curve < 4; curve++) {
        const gecc_curve id = (gecc_curve)(curve + 1);
        for (int format = 0; format < 3; format++) {
            target->good[curve][format] = point_cell(id, 0, (gecc_point_format)format, &target->arena);
        }
        target->numbers[curve] = fuzz_numbers(id, &target->arena);
    }
    return target;
}

/* OpenSSL's decoder, with 04 put before a raw point. */
static int openssl_decodes(const struct reference_curve *curve, struct cell cell, EC_POINT *point) {
    uint8_t bytes[FUZZ_ROW_BYTES + 1] = {4};
    size_t raw = cell.width == 2 * curve->length;
    memcpy(bytes + raw, cell.data, cell.width);
    int plain = cell.width + raw > 1 && bytes[0] >= 2 && bytes[0] <= 4;
    int decoded = plain && EC_POINT_oct2point(curve->group, point, bytes, cell.width + raw, reference_bn());
    ERR_clear_error();
    return decoded;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct target *target;
    if (!target) {
        target = target_new();
    }
    if (size < FUZZ_HEADER_BYTES) {
        return 0;
    }
    struct call call = {.operation = OPERATION_EC_CONVERT, .curve = (gecc_curve)(data[0] % 4 + 1)};
    const struct reference_curve *curve = reference_curve(call.curve);
    call.point_format = (gecc_point_format)(data[1] % 3);
    struct fuzz_row bytes =
        fuzz_row(data, size, target->good[data[0] % 4][data[1] / 3 % 3], &target->numbers[data[0] % 4]);
    struct row row = {{{bytes.bytes, (uint32_t)bytes.width}}};
    struct expectation expected = {.statuses = 0};
    struct outcome outcome;
    struct prng shape = {size};
    EC_POINT *point = EC_POINT_new(curve->group);
    int decodes = openssl_decodes(curve, row.in[0], point);
    if (decodes) {
        expected.statuses = STATUS(OK);
        expected.out[0].width = reference_point_encode(curve, call.point_format, point, expected.out[0].bytes);
    } else {
        expected.statuses = reference_point(curve, row.in[0], point);
    }
    EC_POINT_free(point);
    run_rows(target->context, &call, &row, 1, &shape, &outcome);
    REQUIRE(!outcome_mismatch(&call, &row, &expected, &outcome, "point"));
    return 0;
}
