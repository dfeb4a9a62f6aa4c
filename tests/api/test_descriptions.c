/* What the library says of its operations: complete, without contradiction, and what calls then do.
 *
 * Test: fast */
#include "attempt.h"

#include <stdio.h>

#include "scheme/operation.h"

static const gecc_operation *operation_at(int index) { return gecc_operations((size_t)index); }

static bool is_text(const char *text) { return text != NULL && text[0] != 0 && text[strlen(text) - 1] != '.'; }

static void test_operations_are_found(void **state) {
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        const gecc_operation *operation = operation_at(i);
        assert_non_null(operation);
        assert_true(is_text(operation->name) && is_text(operation->text));
        assert_ptr_equal(gecc_operation_find(operation->name), operation); /* so names differ */
    }
    assert_null(operation_at(OPERATION_COUNT));
    assert_null(gecc_operations(SIZE_MAX));
    assert_null(gecc_operation_find(NULL));
    assert_null(gecc_operation_find(""));
    assert_null(gecc_operation_find("ecdsa"));
    assert_null(gecc_operation_find("ECDSA.verify"));
    assert_null(gecc_operation_find("ecdsa.verify "));
}

/* Names are stable. */
static void test_names(void **state) {
    (void)state;
    static const char *const names[] = {
        "ec.validate",  "ec.convert",     "ec.mul_add",       "ecdsa.sign",
        "ecdh",         "ecdsa.verify",   "sm2.digest",       "sm2.sign_with_dangerous_nonce",
        "sm2.verify",   "mod.add",        "mod.inverse",      "digest",
        "schnorr.sign", "schnorr.verify", "ethereum.recover", "ecdsa.verify_keys"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_non_null(gecc_operation_find(names[i]));
}

/* "ecdsa.verify" is gecc_ecdsa_verify. */
static void test_typed_functions(void **state) {
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        char name[80];
        (void)snprintf(name, sizeof name, "gecc_%s", operation_at(i)->name);
        for (char *c = name; *c != 0; c++)
            *c = *c == '.' ? '_' : *c;
        assert_string_equal(functions[i].name, name);
    }
}

/* The columns of one list, which ends where the table's does. */
static unsigned check_columns(const gecc_operation *operation, bool outputs, unsigned most) {
    const gecc_column *column;
    unsigned count = 0;
    for (;
         (column = outputs ? gecc_operation_output(operation, count) : gecc_operation_input(operation, count)) != NULL;
         count++) {
        assert_true(is_text(column->name) && is_text(column->text));
        assert_int_equal(column->is_output, outputs);
        assert_true(column->is_optional == 0 || column->is_optional == 1);
        assert_string_not_equal(gecc_kind_name(column->kind), "unknown");
        for (const char *c = column->name; *c != 0; c++)
            assert_true((*c >= 'a' && *c <= 'z') || *c == '_');
    }
    assert_true(count <= most);
    assert_null(outputs ? gecc_operation_output(operation, SIZE_MAX) : gecc_operation_input(operation, SIZE_MAX));
    return count;
}

static void test_columns(void **state) {
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        const gecc_operation *operation = operation_at(i), copy = *operation;
        assert_true(check_columns(operation, false, JOB_INPUTS) > 0);
        (void)check_columns(operation, true, JOB_OUTPUTS);
        assert_null(gecc_operation_input(&copy, 0));
        assert_null(gecc_operation_output(&copy, 0));
    }
    assert_null(gecc_operation_input(NULL, 0));
    assert_null(gecc_operation_output(NULL, 0));
}

/* Arguments of one function have different names, those that all functions have included. */
static void test_names_of_columns(void **state) {
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        const char *names[JOB_INPUTS + JOB_OUTPUTS + 8] = {"context", "status",  "count", "options",
                                                           "curve",   "modulus", "hash",  "keys"};
        size_t used = 8;
        const gecc_column *column;
        for (size_t k = 0; (column = gecc_operation_input(operation_at(i), k)) != NULL; k++)
            names[used++] = column->name;
        for (size_t k = 0; (column = gecc_operation_output(operation_at(i), k)) != NULL; k++)
            names[used++] = column->name;
        for (size_t a = 0; a < used; a++)
            for (size_t b = 0; b < a; b++)
                assert_string_not_equal(names[a], names[b]);
    }
}

/* A number that says how secret: by flag is between. */
static int strength(gecc_secrecy secrecy) {
    return secrecy == GECC_PUBLIC ? 0 : secrecy == GECC_SECRET_BY_FLAG ? 1 : 2;
}

/* What headers say must be kept secret. */
static gecc_secrecy secrecy_of(gecc_kind kind) {
    switch (kind) {
    case GECC_KIND_PRIVATE_KEY:
    case GECC_KIND_NONCE:
    case GECC_KIND_ENTROPY:
    case GECC_KIND_AUXILIARY:
    case GECC_KIND_SEED:
    case GECC_KIND_X25519_PRIVATE_KEY:
    case GECC_KIND_SHARED_SECRET:
    case GECC_KIND_RESIDUE:
    case GECC_KIND_EXPONENT:
    case GECC_KIND_PLAINTEXT:
    case GECC_KIND_DERIVED_KEY:
        return GECC_SECRET;
    case GECC_KIND_SCALAR:
        return GECC_SECRET_BY_FLAG;
    default:
        return GECC_PUBLIC;
    }
}

/* An operation is as secret as the most secret of its inputs; by a flag only where it has the flag. */
static void test_secrecy(void **state) {
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        const gecc_operation *operation = operation_at(i);
        const gecc_column *column;
        int most = 0;
        for (size_t k = 0; (column = gecc_operation_input(operation, k)) != NULL; k++) {
            assert_int_equal(column->secrecy, secrecy_of(column->kind));
            most = strength(column->secrecy) > most ? strength(column->secrecy) : most;
        }
        for (size_t k = 0; (column = gecc_operation_output(operation, k)) != NULL; k++)
            assert_int_equal(column->secrecy, secrecy_of(column->kind));
        assert_int_equal(strength(operation->secrecy), most);
        assert_int_equal(operation->secrecy == GECC_SECRET_BY_FLAG, (operation->flags & GECC_PUBLIC_SCALARS) != 0);
    }
}

/* G is multiplied by secrets where there are some, and only then. */
static void test_multiples_of_g(void **state) {
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        const gecc_operation *operation = operation_at(i);
        struct job job = {.operation = (enum operation)i};
        unsigned uses = job_base_uses(&job);
        assert_int_equal(job_has_secrets(&job), operation->secrecy != GECC_PUBLIC);
        if ((uses & BASE_USES_SECRET) != 0)
            assert_true(job_has_secrets(&job));
        if (uses == BASE_USES_PUBLIC)
            assert_false(job_has_secrets(&job));
        job.flags = GECC_PUBLIC_SCALARS;
        assert_int_equal(job_has_secrets(&job), operation->secrecy == GECC_SECRET);
        if (operation->secrecy == GECC_SECRET_BY_FLAG)
            assert_true(job_base_uses(&job) == (uses == 0 ? 0 : BASE_USES_PUBLIC));
    }
}

static void test_selectors(void **state) {
    (void)state;
    uint32_t all = 0;
    for (gecc_curve curve = GECC_SECP256K1; gecc_curve_bytes(curve) != 0; curve++)
        all |= UINT32_C(1) << curve;
    all |= UINT32_C(1) << GECC_CURVE25519;
    for (int i = 0; i < OPERATION_COUNT; i++) {
        const gecc_operation *operation = operation_at(i);
        bool on_curve = operation->selector == GECC_SELECT_CURVE;
        assert_true(operation->selector >= GECC_SELECT_CURVE && operation->selector <= GECC_SELECT_HASH);
        assert_int_equal(operation->curves != 0, on_curve);
        assert_int_equal(operation->curves & ~all, 0);
        assert_int_equal(operation->selector == GECC_SELECT_MODULUS, takes_kind(i, GECC_KIND_RESIDUE));
        assert_int_equal(operation->selector == GECC_SELECT_HASH, out_kind(i, 0) == GECC_KIND_HASH);
        assert_int_equal(strncmp(operation->name, "sm2.", 4) == 0, operation->curves == 1u << GECC_SM2);
        bool only_secp256k1 =
            strncmp(operation->name, "schnorr.", 8) == 0 || strncmp(operation->name, "ethereum.", 9) == 0;
        assert_int_equal(only_secp256k1, operation->curves == 1u << GECC_SECP256K1);
        assert_int_equal(strstr(operation->name, "25519") != NULL, operation->curves == 1u << GECC_CURVE25519);
        assert_int_equal(strstr(operation->name, "25519") != NULL, (operation->curves >> GECC_CURVE25519 & 1) != 0);
    }
}

static void test_kinds(void **state) {
    (void)state;
    static const struct {
        gecc_kind kind;
        int value;
        const char *name;
    } kinds[] = {
#define KIND(kind, value, secrecy, name, text) {kind, value, name},
        GECC_KIND_LIST(KIND)
#undef KIND
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        assert_int_equal(kinds[i].kind, kinds[i].value);
        assert_string_equal(gecc_kind_name(kinds[i].kind), kinds[i].name);
        assert_true(is_text(gecc_kind_name(kinds[i].kind)) && is_text(gecc_kind_text(kinds[i].kind)));
        for (size_t k = 0; k < i; k++)
            assert_int_not_equal(kinds[i].value, kinds[k].value);
    }
    assert_string_equal(gecc_kind_name((gecc_kind)0), "unknown");
    assert_string_equal(gecc_kind_text((gecc_kind)1000), "unknown");
}

static void test_flags(void **state) {
    (void)state;
    uint32_t known = 0;
    for (uint32_t flag = 1; gecc_flag_name(flag) != NULL; flag <<= 1) {
        assert_true(is_text(gecc_flag_name(flag)) && is_text(gecc_flag_text(flag)));
        for (uint32_t other = 1; other < flag; other <<= 1)
            assert_string_not_equal(gecc_flag_name(flag), gecc_flag_name(other));
        known |= flag;
    }
    for (int i = 0; i < OPERATION_COUNT; i++)
        assert_int_equal(operation_at(i)->flags & ~known, 0);
    assert_string_equal(gecc_flag_name(GECC_LITTLE_ENDIAN), "little_endian");
    assert_null(gecc_flag_name(0));
    assert_null(gecc_flag_text(GECC_DER | GECC_LOW_S));
    assert_null(gecc_flag_name(UINT32_C(1) << 31));
}

/* The widths said to be right are those that calls accept. */
static void check_widths(int operation, gecc_curve curve, uint32_t flags) {
    struct attempt t;
    const gecc_column *column;
    attempt_on(&t, operation, curve, flags);
    for (size_t k = 0; (column = gecc_operation_input(t.operation, k)) != NULL; k++) {
        gecc_widths widths = gecc_column_widths(t.operation, column, &t.a.parameters, &t.options);
        assert_true(widths.least <= widths.most && widths.count <= 4);
        for (size_t width = 0; width <= 8193; width += width == 200 ? 7900 : 1) {
            bool listed = widths.count == 0;
            for (size_t i = 0; i < widths.count; i++)
                listed |= widths.width[i] == width;
            bool right = listed && width >= widths.least && width <= widths.most;
            if (right != width_is_right(column->kind, width, &t.a, flags))
                fail_msg("%s, %s: %zu bytes", t.operation->name, column->name, width);
        }
    }
}

/* Of an output the most is what calls need between rows, and no less. */
static void check_output_widths(int operation, gecc_curve curve, uint32_t flags, gecc_point_format format) {
    struct attempt t;
    const gecc_column *column;
    attempt_on(&t, operation, curve, flags)->options.point_format = format;
    for (size_t k = 0; (column = gecc_operation_output(t.operation, k)) != NULL; k++) {
        gecc_widths widths = gecc_column_widths(t.operation, column, &t.a.parameters, &t.options);
        bool der = has_own_widths(column->kind, flags);
        assert_int_equal(widths.count, der ? 0 : 1);
        assert_true(widths.most >= widths.least &&
                    (der || (widths.most == widths.least && widths.width[0] == widths.most)));
        t.a.out[k].stride = widths.most;
        accepted(&t);
        assert_int_equal(t.recorder.job.out_width[k], widths.most);
        t.a.out[k].stride--;
        refused(&t);
        t.a.out[k].stride++;
    }
}

static void test_widths(void **state) {
    (void)state;
    for (int i = 0; i < OPERATION_COUNT; i++)
        for (gecc_curve curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++)
            for (int way = 0; way < 4; way++) {
                uint32_t flags = (way & 1 ? GECC_DER : 0) | (way & 2 ? GECC_SIGHASH_BYTE : 0);
                if ((flags & ~operation_at(i)->flags) != 0)
                    continue;
                check_widths(i, curve, flags);
                for (gecc_point_format format = 0; format <= GECC_POINT_RAW; format++)
                    check_output_widths(i, curve, flags, format);
            }
}

static void test_widths_of_what_is_wrong(void **state) {
    (void)state;
    static const gecc_widths none = {0};
    const gecc_operation *operation = gecc_operation_find("ecdsa.verify"), copy = *operation;
    const gecc_column *column = gecc_operation_input(operation, 1);
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_widths widths = gecc_column_widths(operation, column, &parameters, &options);
    assert_memory_equal(&widths, &none, sizeof none);
    assert_memory_equal(gecc_error_text(), "curve: ", 7);
    parameters.curve = GECC_P256;
    widths = gecc_column_widths(operation, column, &parameters, NULL);
    assert_int_equal(widths.least, 20);
    widths = gecc_column_widths(NULL, column, &parameters, &options);
    assert_memory_equal(&widths, &none, sizeof none);
    widths = gecc_column_widths(&copy, column, &parameters, &options);
    assert_memory_equal(&widths, &none, sizeof none);
    widths = gecc_column_widths(operation, NULL, &parameters, &options);
    assert_memory_equal(&widths, &none, sizeof none);
    column = gecc_operation_input(gecc_operation_find("ecdsa.sign"), 1);
    widths = gecc_column_widths(operation, column, &parameters, &options);
    assert_memory_equal(&widths, &none, sizeof none);
    column = gecc_operation_input(operation, 1);
    options.flags = UINT32_MAX;
    widths = gecc_column_widths(operation, column, &parameters, &options);
    assert_memory_equal(&widths, &none, sizeof none);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operations_are_found),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_typed_functions),
        cmocka_unit_test(test_columns),
        cmocka_unit_test(test_names_of_columns),
        cmocka_unit_test(test_secrecy),
        cmocka_unit_test(test_multiples_of_g),
        cmocka_unit_test(test_selectors),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_widths_of_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
