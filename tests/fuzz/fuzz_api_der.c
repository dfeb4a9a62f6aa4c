/* DER signatures: gecc_ecdsa_verify accepts what OpenSSL reads and writes again without a change, and verifies the
 * same. */
#include "fuzz_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct target {
    gecc_context *context;
    struct arena arena;
    struct call call[4][2];
    struct row good[4][2];
    struct fuzz_numbers numbers[4];
};

static struct target *target_new(void) {
    struct target *target = memory_new(1, sizeof *target);
    struct prng prng = {1};
    target->context = test_context();
    for (int curve = 0; curve < 4; curve++) {
        for (int low_s = 0; low_s < 2; low_s++) {
            struct call *call = &target->call[curve][low_s];
            *call = (struct call){.operation = OPERATION_ECDSA_VERIFY, .curve = (gecc_curve)(curve + 1)};
            call->flags = GECC_DER | (low_s ? GECC_LOW_S : 0);
            target->good[curve][low_s] = row_good(call, &prng, &target->arena);
        }
        target->numbers[curve] = fuzz_numbers((gecc_curve)(curve + 1), &target->arena);
    }
    return target;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct target *target;
    if (!target) {
        target = target_new();
    }
    if (size < FUZZ_HEADER_BYTES) {
        return 0;
    }
    const struct call *call = &target->call[data[0] % 4][data[1] % 2];
    struct row row = target->good[data[0] % 4][data[1] % 2];
    struct fuzz_row signature = fuzz_row(data, size, row.in[2], &target->numbers[data[0] % 4]);
    struct prng shape = {size};
    struct expectation expected;
    struct outcome outcome;
    row.in[2] = (struct cell){signature.bytes, (uint32_t)signature.width};
    reference_row(call, &row, &expected);
    run_rows(target->context, call, &row, 1, &shape, &outcome);
    REQUIRE(!outcome_mismatch(call, &row, &expected, &outcome, "DER"));
    return 0;
}
