/* Every operation that promises constant time, on secrets, through the public functions and on a given machine. Run
 * under valgrind's memcheck in a build with GECC_CONSTANT_TIME_TEST; docs/constant-time.md says what is tested and what
 * is not. */
#ifndef TESTS_CONSTANT_TIME_SECRET_PATHS_H
#define TESTS_CONSTANT_TIME_SECRET_PATHS_H

#include "secret.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gecc/gecc.h>

#include "api/context.h"
#include "backend/cpu/cpu.h"

#include "support/effort.h"
#include "support/prng.h"

enum {
    ROWS = 4,
    LENGTH_MOST = GECC_CURVE_BYTES_MOST,
    POINT_MOST = 1 + 2 * LENGTH_MOST,
    SIGNATURE_MOST = 2 * LENGTH_MOST + 8
};

static gecc_context *context;
static unsigned calls[OPERATION_COUNT]; /* so far */
static const struct cpu_machine *chosen;
static uint8_t statuses[ROWS];
static uint8_t output[ROWS][SIGNATURE_MOST], recovery_ids[ROWS];
static uint32_t widths[ROWS];

/* Columns: secret integers, public points and digests. */
static uint8_t scalars[2][ROWS][LENGTH_MOST], points[ROWS][POINT_MOST], digests[ROWS][32], entropy[ROWS][32];

static const gecc_curve curves[] = {
#define CURVE(curve, ...) curve,
    GECC_CURVE_LIST(CURVE)
#undef CURVE
};
enum { CURVES = sizeof curves / sizeof curves[0], WIDE_BYTES = 64 };

/* GECC_TEST_PART: narrow, the curves of 64 bytes at most; wide, those above, which take as long; without it all. The
 * model of the IFMA machine takes ten times as long as the others: short tests leave curves out there. */
static int is_tried(gecc_curve curve) {
    const char *part = getenv("GECC_TEST_PART");
    if (strcmp(chosen->name, "ifma") == 0 && !curve_is_tried(curve))
        return 0;
    return part == NULL || (gecc_curve_bytes(curve) > WIDE_BYTES) == (strcmp(part, "wide") == 0);
}

#define IDENTIFIER(identifier, ...) identifier,
static const gecc_hash nonce_hashes[] = {GECC_NONCE_HASH_LIST(IDENTIFIER)};
#undef IDENTIFIER
enum { NONCE_HASHES = sizeof nonce_hashes / sizeof nonce_hashes[0] };

static gecc_out status_rows(void) { return gecc_out_packed(statuses, 1); }
static gecc_out id_rows(void) { return gecc_out_packed(recovery_ids, 1); }
static gecc_rows entropy_rows(void) { return gecc_rows_packed(entropy, sizeof entropy[0]); }
static gecc_rows secret_rows(int column, size_t width) {
    return gecc_rows_strided(scalars[column], width, LENGTH_MOST);
}
static gecc_rows point_rows(gecc_curve curve) {
    return gecc_rows_strided(points, gecc_point_bytes(curve, GECC_POINT_UNCOMPRESSED), POINT_MOST);
}
static gecc_rows digest_rows(void) { return gecc_rows_packed(digests, sizeof digests[0]); }
static gecc_out output_rows(void) {
    gecc_out out = {output, SIGNATURE_MOST, widths};
    return out;
}

/* Make a number less than the order of every curve, whichever of its ends is the lower one. */
static void less_than_orders(uint8_t number[LENGTH_MOST]) {
    number[0] = number[LENGTH_MOST - 1] = 0;
    number[32 - 1] &= 0x7f;
    number[48 - 1] &= 0x7f;
}

/* Numbers below every order, but small ones and 0 among them where `any`. */
static void draw_secrets(struct prng *prng, int any) {
    revealed(scalars, sizeof scalars);
    for (int column = 0; column < 2; column++)
        for (int row = 0; row < ROWS; row++) {
            prng_bytes(prng, scalars[column][row], LENGTH_MOST);
            less_than_orders(scalars[column][row]);
        }
    if (any)
        memset(scalars[0][ROWS - 1], 0, LENGTH_MOST);
    secret(scalars, sizeof scalars);
}

static void draw_points(struct prng *prng, gecc_curve curve) {
    draw_secrets(prng, 0);
    revealed(scalars, sizeof scalars);
    assert_int_equal(gecc_ec_mul_base(context, curve, gecc_out_packed(points, POINT_MOST), status_rows(),
                                      secret_rows(1, gecc_curve_bytes(curve)), ROWS, NULL),
                     GECC_OK);
}

static void draw_inputs(struct prng *prng, int any) {
    prng_bytes(prng, digests, sizeof digests);
    prng_bytes(prng, entropy, sizeof entropy);
    draw_secrets(prng, any);
    secret(entropy, sizeof entropy);
    memset(statuses, 0xff, sizeof statuses);
}

/* The call worked, and every row but the last, whose scalar may have been 0, has a result. */
static void expect_results(gecc_result result) {
    assert_int_equal(result, GECC_OK);
    revealed(output, sizeof output);
    for (int row = 0; row < ROWS - 1; row++)
        assert_int_equal(statuses[row], GECC_ITEM_OK);
    assert_int_equal(leaks(), 0);
}

static void multiplication(void **state) {
    struct prng prng = prng_for("multiplication");
    gecc_options options = GECC_OPTIONS_INIT;
    (void)state;
    for (size_t i = 0; i < CURVES; i++) {
        if (!is_tried(curves[i]))
            continue;
        gecc_curve curve = curves[i];
        size_t bytes = gecc_curve_bytes(curve);
        draw_points(&prng, curve);
        for (int format = GECC_POINT_UNCOMPRESSED; format <= GECC_POINT_RAW; format++) {
            options.point_format = (gecc_point_format)format;
            draw_inputs(&prng, 1);
            expect_results(gecc_ec_public_key(context, curve, output_rows(), status_rows(), secret_rows(0, bytes), ROWS,
                                              &options));
        }
        for (uint32_t flags = 0; flags <= GECC_LITTLE_ENDIAN; flags += GECC_LITTLE_ENDIAN) {
            options.flags = flags;
            draw_inputs(&prng, 1);
            expect_results(
                gecc_ec_mul_base(context, curve, output_rows(), status_rows(), secret_rows(0, bytes), ROWS, &options));
            draw_inputs(&prng, 1);
            expect_results(gecc_ec_mul(context, curve, output_rows(), status_rows(), secret_rows(0, bytes),
                                       point_rows(curve), ROWS, &options));
            draw_inputs(&prng, 1);
            expect_results(gecc_ec_mul_add(context, curve, output_rows(), status_rows(), secret_rows(0, bytes),
                                           secret_rows(1, bytes), point_rows(curve), ROWS, &options));
        }
        options.flags = 0;
        draw_inputs(&prng, 1);
        expect_results(gecc_ecdh(context, curve, output_rows(), status_rows(), secret_rows(0, bytes), point_rows(curve),
                                 ROWS, NULL));
    }
}

/* Enough rows that k G is added up by affine sums. */
static void many_rows(void **state) {
    enum { SLOTS = 17, LANES_MOST = 8, MANY = SLOTS * LANES_MOST };
    static uint8_t keys[MANY][LENGTH_MOST], public_keys[MANY][POINT_MOST], status[MANY];
    struct prng prng = prng_for("many rows");
    (void)state;
    for (size_t i = 0; i < CURVES; i++) {
        if (!is_tried(curves[i]))
            continue;
        size_t count = SLOTS * chosen->curve(curves[i])->lanes;
        assert_true(count <= MANY);
        prng_bytes(&prng, keys, sizeof keys);
        for (int row = 0; row < MANY; row++)
            less_than_orders(keys[row]);
        secret(keys, sizeof keys);
        gecc_result result =
            gecc_ec_public_key(context, curves[i], gecc_out_packed(public_keys, POINT_MOST), gecc_out_packed(status, 1),
                               gecc_rows_strided(keys, gecc_curve_bytes(curves[i]), LENGTH_MOST), count, NULL);
        assert_int_equal(result, GECC_OK);
        revealed(keys, sizeof keys);
        revealed(public_keys, sizeof public_keys);
        for (size_t row = 0; row < count; row++)
            assert_int_equal(status[row], GECC_ITEM_OK);
        assert_int_equal(leaks(), 0);
    }
}

/* u G + v P where the parts are equal, opposite, or infinity: they meet in one addition. */
static void exceptional_sums(void **state) {
    static const uint8_t pairs[ROWS][2] = {{6, 3}, {1, 0}, {0, 1}, {2, 1}};
    struct prng prng = prng_for("exceptional sums");
    (void)state;
    for (size_t i = 0; i < CURVES; i++) {
        if (!is_tried(curves[i]))
            continue;
        size_t bytes = gecc_curve_bytes(curves[i]);
        draw_inputs(&prng, 0);
        revealed(scalars, sizeof scalars);
        memset(scalars, 0, sizeof scalars);
        for (int row = 0; row < ROWS; row++)
            scalars[0][row][bytes - 1] = 2;
        assert_int_equal(gecc_ec_mul_base(context, curves[i], gecc_out_packed(points, POINT_MOST), status_rows(),
                                          secret_rows(0, bytes), ROWS, NULL),
                         GECC_OK);
        for (int row = 0; row < ROWS; row++)
            for (int column = 0; column < 2; column++)
                scalars[column][row][bytes - 1] = pairs[row][column];
        secret(scalars, sizeof scalars);
        expect_results(gecc_ec_mul_add(context, curves[i], output_rows(), status_rows(), secret_rows(0, bytes),
                                       secret_rows(1, bytes), point_rows(curves[i]), ROWS, NULL));
    }
}

static void ecdsa_signatures(void **state) {
    static const uint32_t flags[] = {0, GECC_LOW_S, GECC_ANY_S, GECC_DER, GECC_VERIFY_SIGNATURES | GECC_LOW_S};
    struct prng prng = prng_for("ECDSA");
    (void)state;
    for (size_t i = 0; i < CURVES; i++)
        for (size_t f = 0; is_tried(curves[i]) && f < sizeof flags / sizeof flags[0]; f++) {
            gecc_options options = GECC_OPTIONS_INIT;
            size_t bytes = gecc_curve_bytes(curves[i]);
            options.flags = flags[f];
            draw_inputs(&prng, 1);
            expect_results(gecc_ecdsa_sign(context, curves[i], output_rows(), id_rows(), status_rows(),
                                           secret_rows(0, bytes), digest_rows(), gecc_rows_none(), ROWS, &options));
            draw_inputs(&prng, 1);
            expect_results(gecc_ecdsa_sign_with_dangerous_nonce(context, curves[i], output_rows(), id_rows(),
                                                                status_rows(), secret_rows(0, bytes), digest_rows(),
                                                                secret_rows(1, bytes), ROWS, &options));
        }
}

static void ecdsa_nonces(void **state) {
    struct prng prng = prng_for("RFC 6979");
    (void)state;
    for (size_t i = 0; i < CURVES; i++)
        for (size_t h = 0; is_tried(curves[i]) && h < NONCE_HASHES; h++)
            for (int hedged = 0; hedged < 2; hedged++) {
                gecc_options options = GECC_OPTIONS_INIT;
                options.nonce_hash = nonce_hashes[h];
                draw_inputs(&prng, 0);
                expect_results(gecc_ecdsa_sign(context, curves[i], output_rows(), gecc_out_none(), status_rows(),
                                               secret_rows(0, gecc_curve_bytes(curves[i])), digest_rows(),
                                               hedged ? entropy_rows() : gecc_rows_none(), ROWS, &options));
            }
}

static void sm2_signatures(void **state) {
    struct prng prng = prng_for("SM2");
    (void)state;
    for (size_t h = 0; h < NONCE_HASHES; h++)
        for (int hedged = 0; hedged < 2; hedged++) {
            gecc_options options = GECC_OPTIONS_INIT;
            options.nonce_hash = nonce_hashes[h];
            options.flags = hedged ? GECC_VERIFY_SIGNATURES : GECC_DER;
            draw_inputs(&prng, 1);
            expect_results(gecc_sm2_sign(context, output_rows(), status_rows(), secret_rows(0, 32), digest_rows(),
                                         hedged ? entropy_rows() : gecc_rows_none(), ROWS, &options));
            draw_inputs(&prng, 1);
            expect_results(gecc_sm2_sign_with_dangerous_nonce(context, output_rows(), status_rows(), secret_rows(0, 32),
                                                              digest_rows(), secret_rows(1, 32), ROWS, &options));
        }
}

/* Messages, of which some have other widths, and roots are public. */
static void schnorr_signatures(void **state) {
    static const size_t message_widths[] = {32, 20};
    struct prng prng = prng_for("Schnorr signatures");
    (void)state;
    for (int way = 0; way < 8; way++) {
        gecc_options options = GECC_OPTIONS_INIT;
        options.flags = way & 2 ? GECC_LITTLE_ENDIAN : 0;
        gecc_options signing = options;
        signing.flags |= way & 1 ? GECC_VERIFY_SIGNATURES : 0;
        gecc_rows message = gecc_rows_strided(digests, message_widths[way & 1], sizeof digests[0]);
        gecc_rows root = gecc_rows_strided(digests, way & 1 ? 32 : 0, sizeof digests[0]);
        draw_inputs(&prng, 1);
        expect_results(
            gecc_schnorr_public_key(context, output_rows(), status_rows(), secret_rows(0, 32), ROWS, &options));
        draw_inputs(&prng, 1);
        expect_results(gecc_schnorr_sign(context, output_rows(), status_rows(), secret_rows(0, 32), message,
                                         way & 4 ? entropy_rows() : gecc_rows_none(), ROWS, &signing));
        draw_inputs(&prng, 1);
        expect_results(gecc_schnorr_tweak_private_key(context, output_rows(), status_rows(), secret_rows(0, 32),
                                                      way & 4 ? root : gecc_rows_none(), ROWS, &options));
    }
}

/* Seeds and private keys are secret; messages, contexts and peers are public. */
static void curve25519(void **state) {
    struct prng prng = prng_for("Curve25519");
    gecc_rows message = gecc_rows_strided(digests, 20, sizeof digests[0]), seeds = secret_rows(0, 32);
    (void)state;
    for (int way = 0; way < 4; way++) {
        gecc_options options = GECC_OPTIONS_INIT;
        options.flags = (way & 1 ? GECC_VERIFY_SIGNATURES : 0) | (way & 2 ? GECC_PREHASH : 0);
        draw_inputs(&prng, 1);
        expect_results(gecc_ed25519_public_key(context, output_rows(), status_rows(), seeds, ROWS, NULL));
        draw_inputs(&prng, 1);
        expect_results(gecc_ed25519_sign(context, output_rows(), status_rows(), seeds, message,
                                         way & 1 ? message : gecc_rows_none(), ROWS, &options));
        draw_inputs(&prng, 1);
        expect_results(gecc_x25519_public_key(context, output_rows(), status_rows(), seeds, ROWS, NULL));
        draw_inputs(&prng, 1);
        expect_results(gecc_x25519(context, output_rows(), status_rows(), seeds, digest_rows(), ROWS, NULL));
    }
}

/* Operands are secret, the modulus is public. The moduli are primes, 2^128 - 159 and so on up, so that all but 0 have
 * an inverse. */
static void modular_arithmetic(void **state) {
    static const struct {
        size_t bytes;
        unsigned below; /* 2^(8 bytes) - below is prime */
    } moduli[] = {{16, 159}, {20, 47}, {28, 63}, {32, 189}, {48, 317}, {64, 569}};
    struct prng prng = prng_for("modular arithmetic");
    (void)state;
    for (size_t i = 0; i < sizeof moduli / sizeof moduli[0]; i++) {
        uint8_t value[LENGTH_MOST];
        size_t bytes = moduli[i].bytes;
        gecc_modulus modulus = {value, bytes};
        memset(value, 0xff, sizeof value);
        value[bytes - 2] = (uint8_t)(0xff - (moduli[i].below - 1) / 256);
        value[bytes - 1] = (uint8_t)(0xff - (moduli[i].below - 1) % 256);
        gecc_options little = GECC_OPTIONS_INIT;
        little.flags = GECC_LITTLE_ENDIAN;
        gecc_rows a = secret_rows(0, bytes), b = secret_rows(1, bytes);
        gecc_out out = gecc_out_packed(output, SIGNATURE_MOST);
        draw_secrets(&prng, 1);
        expect_results(gecc_mod_add(context, modulus, out, status_rows(), a, b, ROWS, NULL));
        expect_results(gecc_mod_sub(context, modulus, out, status_rows(), a, b, ROWS, NULL));
        expect_results(gecc_mod_mul(context, modulus, out, status_rows(), a, b, ROWS, NULL));
        expect_results(gecc_mod_square(context, modulus, out, status_rows(), a, ROWS, NULL));
        expect_results(gecc_mod_power(context, modulus, out, status_rows(), a, secret_rows(1, 8), ROWS, NULL));
        expect_results(gecc_mod_inverse(context, modulus, out, status_rows(), a, ROWS, NULL));
        expect_results(gecc_mod_power(context, modulus, out, status_rows(), a, secret_rows(1, 8), ROWS, &little));
    }
}

/* The tests above have called all that handles secrets. */
static void every_operation_with_secrets(void **state) {
    (void)state;
    for (size_t i = 0; i < OPERATION_COUNT; i++)
        if (gecc_operations(i)->secrecy != GECC_PUBLIC && calls[i] == 0)
            fail_msg("%s handles secrets, and was not called", gecc_operations(i)->name);
}

static gecc_result run_and_count(void *state, const struct job *job, gecc_report *report) {
    calls[job->operation]++;
    return gecc_backend_cpu.run(state, job, report);
}

/* A context on a machine that the test names, whatever CPUID says: valgrind hides ADX, which it can run. */
static int open_context(void **state) {
    static struct backend counting;
    gecc_config config = GECC_CONFIG_INIT;
    (void)state;
    config.backend = "cpu";
    config.threads = 1;
    if (gecc_open(&context, &config) != GECC_OK)
        return -1;
    context->instance.backend->close(context->instance.state);
    counting = gecc_backend_cpu;
    counting.run = run_and_count;
    context->instance.backend = &counting;
    return gecc_cpu_open(&context->instance.state, chosen, NULL, &config) == GECC_OK ? 0 : -1;
}

static int close_context(void **state) {
    (void)state;
    gecc_close(context);
    return 0;
}

/* Runs them all; the result is main's. */
static int secret_paths(const struct cpu_machine *machine) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(multiplication),     cmocka_unit_test(many_rows),
        cmocka_unit_test(exceptional_sums),   cmocka_unit_test(ecdsa_signatures),
        cmocka_unit_test(ecdsa_nonces),       cmocka_unit_test(sm2_signatures),
        cmocka_unit_test(schnorr_signatures), cmocka_unit_test(curve25519),
        cmocka_unit_test(modular_arithmetic), cmocka_unit_test(every_operation_with_secrets),
    };
    if (without_memcheck())
        return EXIT_SKIPPED;
    chosen = machine;
    return cmocka_run_group_tests(tests, open_context, close_context);
}

#endif
