/* With GECC_LITTLE_ENDIAN the same numbers, in the opposite order of bytes, give the same results in that order.
 *
 * Test: fast; needs libcrypto; columns; no sanitizer on fake-cuda; no threads */
#include "support/effort.h"
#include "support/generate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 67 };

static void reverse(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count / 2; i++) {
        uint8_t first = bytes[i];
        bytes[i] = bytes[count - 1 - i];
        bytes[count - 1 - i] = first;
    }
}

/* What a column of the kind holds in little-endian rows, by what it holds in big-endian ones. */
static void reverse_value(const struct call *call, gecc_kind kind, uint8_t *bytes, size_t width) {
    size_t length = gecc_curve_bytes(call->curve);
    switch (kind) {
    case GECC_KIND_PRIVATE_KEY:
    case GECC_KIND_NONCE:
    case GECC_KIND_SCALAR:
    case GECC_KIND_PUBLIC_SCALAR:
    case GECC_KIND_SHARED_SECRET:
    case GECC_KIND_RESIDUE:
    case GECC_KIND_EXPONENT:
        reverse(bytes, width);
        break;
    case GECC_KIND_POINT:
    case GECC_KIND_SIGNATURE:
        if (width == 2 * length && !(kind == GECC_KIND_SIGNATURE && (call->flags & GECC_DER))) {
            reverse(bytes, length);
            reverse(bytes + length, length);
        }
        break;
    case GECC_KIND_SCALARS:
        for (size_t i = 0; i < width; i += length)
            reverse(bytes + i, length);
        break;
    case GECC_KIND_POINTS: /* rows have so few points that other encodings have no such widths */
        for (size_t i = 0; i < width && width % (2 * length) == 0; i += length)
            reverse(bytes + i, length);
        break;
    case GECC_KIND_DIGEST:
    case GECC_KIND_SM2_DIGEST:
    case GECC_KIND_HASH:
    case GECC_KIND_RECOVERY_ID:
    case GECC_KIND_ENTROPY:
    case GECC_KIND_SM2_ID:
    case GECC_KIND_CIPHERTEXT:
    case GECC_KIND_PLAINTEXT:
    case GECC_KIND_DERIVED_KEY:
    case GECC_KIND_CONFIRMATION:
    case GECC_KIND_MESSAGE:
    case GECC_KIND_X_ONLY_POINT:
    case GECC_KIND_BIP340_SIGNATURE:
    case GECC_KIND_AUXILIARY:
    case GECC_KIND_MERKLE_ROOT:
    case GECC_KIND_PARITY:
    case GECC_KIND_DIGEST32:
    case GECC_KIND_ETHEREUM_SIGNATURE:
    case GECC_KIND_ETHEREUM_NUMBER:
    case GECC_KIND_ADDRESS:
    case GECC_KIND_SEED: /* those of Curve25519 are little-endian in any case */
    case GECC_KIND_ED25519_PUBLIC_KEY:
    case GECC_KIND_ED25519_SIGNATURE:
    case GECC_KIND_CONTEXT:
    case GECC_KIND_X25519_PRIVATE_KEY:
    case GECC_KIND_X25519_PUBLIC_KEY:
    case GECC_KIND_KEY_NUMBER: /* keys are not columns of the call, and numbers have the lowest byte first anyhow */
        break;
    }
}

static struct row reversed_row(const struct call *call, struct row row, struct arena *arena) {
    for (int i = 0; kind_of_input(call->operation, i); i++)
        if (row.in[i].data != NULL) {
            row.in[i] = arena_copy(arena, row.in[i].data, row.in[i].width);
            reverse_value(call, kind_of_input(call->operation, i), row.in[i].data, row.in[i].width);
        }
    return row;
}

static void check_call(gecc_context *context, struct call call, struct prng *prng) {
    struct arena arena = {0};
    struct row rows[ROWS], reversed[ROWS];
    struct outcome expected[ROWS], outcomes[ROWS];
    char text[160];
    size_t good = 0;
    for (size_t i = 0; i < ROWS; i++) {
        rows[i] = row_good(&call, prng, &arena);
        if (i % 4 == 3)
            rows[i] = row_spoiled(&call, rows[i], prng, &arena);
        reversed[i] = reversed_row(&call, rows[i], &arena);
    }
    run_rows(context, &call, rows, ROWS, NULL, expected);
    call.flags |= GECC_LITTLE_ENDIAN;
    run_rows(context, &call, reversed, ROWS, prng, outcomes);
    for (size_t i = 0; i < ROWS; i++) {
        for (int k = 0; kind_of_output(call.operation, k); k++)
            reverse_value(&call, kind_of_output(call.operation, k), outcomes[i].out[k].bytes, outcomes[i].out[k].width);
        if (!outcome_equal(&expected[i], &outcomes[i]))
            fail_msg("%s: row %zu differs", call_text(&call, text), i);
        good += expected[i].status == GECC_ITEM_OK;
    }
    assert_true(good > ROWS / 8); /* of rows modulo a composite number not all have inverses */
    arena_free(&arena);
}

static void check_curves(gecc_context *context, struct call call, struct prng *prng) {
    const gecc_operation *operation = operation_of(call.operation);
    for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++)
        for (int way = 0; way < 4; way++) {
            call.curve = curve;
            call.flags = (way & 1 ? GECC_DER | GECC_PUBLIC_SCALARS : 0) & operation->flags;
            call.point_format = way & 2 ? GECC_POINT_COMPRESSED : GECC_POINT_RAW;
            if ((operation->curves >> curve & 1) != 0 && curve_is_tried(curve))
                check_call(context, call, prng);
        }
}

/* Moduli as wide as a program's numbers, and narrower. */
static void check_moduli(gecc_context *context, struct call call, struct prng *prng) {
    static const size_t widths[] = {16, 20, 28, 32, 40, 48, 64};
    uint8_t modulus[64];
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        prng_bytes(prng, modulus, sizeof modulus);
        modulus[0] |= 0x80;
        modulus[widths[i] - 1] |= 1;
        call.modulus = (gecc_modulus){modulus, widths[i]};
        check_call(context, call, prng);
    }
}

static void test_every_operation(void **state) {
    (void)state;
    struct prng prng = prng_for("little-endian rows");
    gecc_context *context = test_context();
    for (int i = 0; i < OPERATION_COUNT; i++) {
        const struct call call = {.operation = (enum operation)i};
        if (!context_offers(context, call.operation))
            continue;
        switch (operation_of(call.operation)->selector) {
        case GECC_SELECT_CURVE:
            check_curves(context, call, &prng);
            break;
        case GECC_SELECT_MODULUS:
            check_moduli(context, call, &prng);
            break;
        case GECC_SELECT_HASH: /* there are no numbers */
            assert_int_equal(operation_of(call.operation)->flags & GECC_LITTLE_ENDIAN, 0);
            break;
        }
    }
    gecc_close(context);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_operation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
