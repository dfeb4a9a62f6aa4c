/* Every operation that promises constant time, on secrets, through the public functions and on a given machine. Run
 * under valgrind's memcheck in a build with GECC_CONSTANT_TIME_TEST; docs/constant-time.md says what is tested and what
 * is not. */
#ifndef TESTS_CONSTANT_TIME_SECRET_PATHS_H
#define TESTS_CONSTANT_TIME_SECRET_PATHS_H

#include "secret.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <gecc/gecc.h>

#include "api/context.h"
#include "backend/cpu/cpu.h"
#include "curve/sizes.h"

#include "support/effort.h"
#include "support/flags.h"
#include "support/prng.h"

enum {
    ROWS = 4,
    LENGTH_MOST = GECC_CURVE_BYTES_MOST,
    POINT_MOST = 1 + 2 * LENGTH_MOST,
    TEXT_BYTES = 40,
    OUTPUT_MOST = 2 * LENGTH_MOST + 48 /* a signature, a ciphertext */
};

static gecc_context *context;
static unsigned calls[OPERATION_COUNT]; /* so far */
static const struct cpu_machine *chosen;
static uint8_t statuses[ROWS];
static uint8_t output[ROWS][OUTPUT_MOST], recovery_ids[ROWS], confirmations[2][ROWS][32];
static uint8_t ciphertexts[ROWS][OUTPUT_MOST];
static uint32_t widths[ROWS], ciphertext_widths[ROWS];

/* Columns: secret integers, public points and digests. */
enum { SECRETS = 3 };
static uint8_t scalars[SECRETS][ROWS][LENGTH_MOST], points[ROWS][POINT_MOST], digests[ROWS][32];

static const gecc_curve curves[] = {
#define CURVE(curve, ...) curve,
    GECC_CURVE_LIST(CURVE)
#undef CURVE
};
enum { CURVES = sizeof curves / sizeof curves[0], WIDE_BYTES = 64 };

/* GECC_TEST_PART: narrow, the curves of 64 bytes at most; wide, those above, which take as long; without it all. The
 * models of vector machines take ten times as long as the others: short tests leave curves out there. */
static int is_tried(gecc_curve curve) {
    const char *part = getenv("GECC_TEST_PART");
    if (strncmp(chosen->name, "ifma", 4) == 0 && !curve_is_tried(curve))
        return 0;
    return part == NULL || (gecc_curve_bytes(curve) > WIDE_BYTES) == (strcmp(part, "wide") == 0);
}

#define IDENTIFIER(identifier, ...) identifier,
static const gecc_hash nonce_hashes[] = {GECC_NONCE_HASH_LIST(IDENTIFIER)};
#undef IDENTIFIER
enum { NONCE_HASHES = sizeof nonce_hashes / sizeof nonce_hashes[0] };

static gecc_out status_rows(void) { return gecc_out_packed(statuses, 1); }
static gecc_rows secret_rows(int column, size_t width) {
    return gecc_rows_strided(scalars[column], width, LENGTH_MOST);
}
static gecc_rows point_rows(gecc_curve curve) {
    return gecc_rows_strided(points, gecc_point_bytes(curve, GECC_POINT_UNCOMPRESSED), POINT_MOST);
}
static gecc_out output_rows(void) {
    gecc_out out = {output, OUTPUT_MOST, widths};
    return out;
}

/* Make a number less than the order of every curve, whichever of its ends is the lower one. */
static void less_than_orders(uint8_t number[LENGTH_MOST]) {
    number[0] = number[LENGTH_MOST - 1] = 0;
    number[32 - 1] &= 0x7f;
    number[48 - 1] &= 0x7f;
    number[64 - 1] &= 0x7f;
}

/* Numbers below every order, but small ones and 0 among them where `any`. */
static void draw_secrets(struct prng *prng, int any) {
    revealed(scalars, sizeof scalars);
    for (int column = 0; column < SECRETS; column++)
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
    draw_secrets(prng, any);
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

/* A call of an operation. Of `way`, the number of the call, the lowest bit chooses GECC_LITTLE_ENDIAN and GECC_PREHASH,
 * the second one columns that may be left out, the third one widths; the first and the third the nonces' hash. */
struct secret_call {
    const gecc_operation *operation;
    gecc_parameters parameters;
    gecc_options options;
    unsigned way;
    size_t secrets; /* columns of them so far */
};

static size_t width_of(const struct secret_call *c, const gecc_column *column) {
    gecc_widths possible = gecc_column_widths(c->operation, column, &c->parameters, &c->options);
    switch (column->kind) {
    case GECC_KIND_EXPONENT:
        return 8;
    case GECC_KIND_MESSAGE:
        return c->way & 4 ? 20 : 32;
    case GECC_KIND_SCALARS: /* of one term */
        return gecc_curve_bytes(c->parameters.curve);
    case GECC_KIND_POINTS:
        return 2 * gecc_curve_bytes(c->parameters.curve);
    case GECC_KIND_MERKLE_ROOT:
        return c->way & 4 ? 0 : 32;
    case GECC_KIND_CONTEXT:
        return 20;
    case GECC_KIND_DIGEST:
        return 32;
    case GECC_KIND_PLAINTEXT:
        return c->way & 4 ? TEXT_BYTES : 3;
    case GECC_KIND_SM2_ID:
        return 11;
    default:
        assert_int_equal(possible.least, possible.most);
        return possible.most;
    }
}

/* Texts encrypted to the keys of the first column of secrets, of which the last one may be 0: there the generator. */
static gecc_rows ciphertext_rows(const struct secret_call *c) {
    static uint8_t keys[ROWS][POINT_MOST];
    const gecc_rows own = secret_rows(0, 32), texts = gecc_rows_strided(digests, 32, sizeof digests[0]);
    const gecc_options options = c->options;
    gecc_options keys_options = GECC_OPTIONS_INIT;
    keys_options.flags = options.flags & GECC_LITTLE_ENDIAN;
    revealed(scalars, sizeof scalars);
    gecc_result result = gecc_ec_public_key(context, GECC_SM2, gecc_out_packed(keys, POINT_MOST), status_rows(), own,
                                            ROWS, &keys_options);
    if (statuses[ROWS - 1] != GECC_ITEM_OK)
        memcpy(keys[ROWS - 1], keys[0], POINT_MOST);
    if (result == GECC_OK)
        result = gecc_sm2_encrypt(context, (gecc_out){ciphertexts, OUTPUT_MOST, ciphertext_widths}, status_rows(),
                                  gecc_rows_strided(keys, 65, POINT_MOST), secret_rows(1, 32), texts, ROWS, &options);
    assert_int_equal(result, GECC_OK);
    secret(scalars, sizeof scalars);
    memset(statuses, 0xff, sizeof statuses);
    return (gecc_rows){ciphertexts, OUTPUT_MOST, 0, ciphertext_widths, NULL};
}

static gecc_rows rows_of(struct secret_call *c, const gecc_column *column) {
    if (column->is_optional && !(c->way & 2))
        return gecc_rows_none();
    if (column->kind == GECC_KIND_POINT)
        return point_rows(c->parameters.curve);
    if (column->kind == GECC_KIND_CIPHERTEXT)
        return ciphertext_rows(c);
    size_t width = width_of(c, column);
    if (column->secrecy == GECC_PUBLIC)
        return gecc_rows_strided(digests, width, sizeof digests[0]);
    assert_true(c->secrets < SECRETS);
    return secret_rows((int)c->secrets++, width);
}

static void call_once(struct secret_call c, struct prng *prng) {
    gecc_rows in[JOB_INPUTS];
    gecc_out out[JOB_OUTPUTS] = {output_rows(), gecc_out_none(), gecc_out_none()};
    const gecc_column *column;
    c.options.flags |= c.way & 1 ? c.operation->flags & (GECC_LITTLE_ENDIAN | GECC_PREHASH) : 0;
    c.options.point_format = (gecc_point_format)(c.way % 3);
    if (gecc_operation_output(c.operation, 2))
        out[2] = gecc_out_packed(confirmations[1], 32);
    if (gecc_operation_output(c.operation, 1) && c.way & 2)
        out[1] = gecc_operation_output(c.operation, 1)->kind == GECC_KIND_CONFIRMATION
                     ? gecc_out_packed(confirmations[0], 32)
                     : gecc_out_packed(recovery_ids, 1);
    draw_inputs(prng, 1);
    for (size_t i = 0; (column = gecc_operation_input(c.operation, i)) != NULL; i++) {
        in[i] = rows_of(&c, column);
        if (column->kind == GECC_KIND_ENTROPY)
            c.options.nonce_hash = nonce_hashes[((c.way & 1) | (c.way >> 1 & 2)) % NONCE_HASHES];
    }
    expect_results(gecc_run(context, c.operation, &c.parameters, out, status_rows(), in, ROWS, &c.options));
}

/* Every set of flags with which there are secrets, and no fewer calls than choices. */
static void call_operation(const gecc_operation *operation, const gecc_parameters *parameters, struct prng *prng) {
    struct secret_call c = {operation, *parameters, GECC_OPTIONS_INIT, 0, 0};
    const gecc_column *column = gecc_operation_output(operation, 0);
    unsigned least = column->kind == GECC_KIND_POINT ? 3 : 2;
    for (size_t i = 0; (column = gecc_operation_input(operation, i)) != NULL; i++)
        least = column->is_optional ? 8 : least;
    do {
        if (!(c.options.flags & GECC_PUBLIC_SCALARS)) {
            call_once(c, prng);
            c.way++;
        }
        c.options.flags = next_flags(operation, parameters->curve, c.options.flags);
    } while (c.options.flags != 0 || c.way < least);
}

/* All that handle secrets on the curve, or modulo a number; points, messages, digests and the modulus are public. */
static void call_all(gecc_curve curve, gecc_modulus modulus, struct prng *prng) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    const gecc_operation *operation;
    parameters.curve = curve;
    parameters.modulus = modulus;
    if (curve_is_weierstrass(curve))
        draw_points(prng, curve);
    for (size_t i = 0; (operation = gecc_operations(i)) != NULL; i++) {
        unsigned before = calls[i];
        bool fits = curve != 0 ? operation->curves >> curve & 1 : operation->selector == GECC_SELECT_MODULUS;
        if (fits && operation->secrecy != GECC_PUBLIC) {
            call_operation(operation, &parameters, prng);
            assert_true(calls[i] > before);
        }
    }
}

static void on_every_curve(void **state) {
    struct prng prng = prng_for("every curve");
    (void)state;
    for (size_t i = 0; i < CURVES; i++)
        if (is_tried(curves[i]))
            call_all(curves[i], (gecc_modulus){NULL, 0}, &prng);
    call_all(GECC_CURVE25519, (gecc_modulus){NULL, 0}, &prng);
}

/* The moduli are primes, 2^128 - 159 and so on up, so that all but 0 have an inverse. */
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
        memset(value, 0xff, sizeof value);
        value[bytes - 2] = (uint8_t)(0xff - (moduli[i].below - 1) / 256);
        value[bytes - 1] = (uint8_t)(0xff - (moduli[i].below - 1) % 256);
        call_all((gecc_curve)0, (gecc_modulus){value, bytes}, &prng);
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
        cmocka_unit_test(on_every_curve),
        cmocka_unit_test(modular_arithmetic),
        cmocka_unit_test(many_rows),
        cmocka_unit_test(exceptional_sums),
    };
    if (without_memcheck())
        return EXIT_SKIPPED;
    chosen = machine;
    return cmocka_run_group_tests(tests, open_context, close_context);
}

#endif
