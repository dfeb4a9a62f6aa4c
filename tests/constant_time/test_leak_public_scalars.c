/* Planted leaks: scalars said to be public, which index tables, but are secret.
 *
 * Test: fast */
#include "leak.h"

#include <cmocka.h>

#include <stdlib.h>

#include <gecc/gecc.h>

#include "support/prng.h"

enum { BYTES = 32, POINT_BYTES = 65 };

static gecc_context *context;
static uint8_t k[BYTES], point[POINT_BYTES], out[POINT_BYTES], status;
static gecc_options options = GECC_OPTIONS_INIT;

static gecc_out status_row(void) { return gecc_out_packed(&status, 1); }

/* In a child: leaks_of fails where it ends early. */
static void succeed(gecc_result result) {
    if (result != GECC_OK)
        abort();
}

static void mul_base(void) {
    succeed(gecc_ec_mul_base(context, GECC_P256, gecc_out_packed(out, POINT_BYTES), status_row(),
                             gecc_rows_packed(k, BYTES), 1, &options));
}

static void mul(void) {
    succeed(gecc_ec_mul(context, GECC_P256, gecc_out_packed(out, POINT_BYTES), status_row(), gecc_rows_packed(k, BYTES),
                        gecc_rows_packed(point, POINT_BYTES), 1, &options));
}

static void mul_add(void) {
    succeed(gecc_ec_mul_add(context, GECC_P256, gecc_out_packed(out, POINT_BYTES), status_row(),
                            gecc_rows_packed(k, BYTES), gecc_rows_packed(k, BYTES),
                            gecc_rows_packed(point, POINT_BYTES), 1, &options));
}

static void public_scalars_leak(void **state) {
    (void)state;
    options.flags = GECC_PUBLIC_SCALARS;
    expect_leak("mul_base by index", mul_base);
    expect_leak("mul by index", mul);
    expect_leak("mul_add by index", mul_add);
}

static void secret_scalars_do_not(void **state) {
    (void)state;
    options.flags = 0;
    assert_int_equal(leaks_of(mul_base), 0);
    assert_int_equal(leaks_of(mul), 0);
    assert_int_equal(leaks_of(mul_add), 0);
}

static int open_context(void **state) {
    struct prng prng = prng_for("planted leaks");
    gecc_config config = GECC_CONFIG_INIT;
    (void)state;
    config.backend = "cpu";
    config.threads = 1;
    if (gecc_open(&context, &config) != GECC_OK)
        return -1;
    prng_bytes(&prng, k, sizeof k);
    succeed(gecc_ec_mul_base(context, GECC_P256, gecc_out_packed(point, POINT_BYTES), status_row(),
                             gecc_rows_packed(k, BYTES), 1, NULL));
    prng_bytes(&prng, k, sizeof k);
    secret(k, sizeof k);
    return status == GECC_ITEM_OK ? 0 : -1;
}

static int close_context(void **state) {
    (void)state;
    gecc_close(context);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(public_scalars_leak),
        cmocka_unit_test(secret_scalars_do_not),
    };
    if (without_memcheck())
        return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, open_context, close_context);
}
