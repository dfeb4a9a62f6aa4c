/* Outputs over inputs, apart from them and in memory that is copied from and to directly, on a GPU that fails: what the
 * CPU then computes is computed from the inputs as the caller gave them.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "backend/auto_contexts.h"
#include "support/prng.h"

enum { ROWS = 40, COLUMNS = 4, ROW_BYTES_MOST = 80 };

/* What the inputs are placed from, packed. */
struct source {
    uint8_t key[ROWS][32], digest[ROWS][64], point[ROWS][64], signature[ROWS][64];
};

/* All that a call reads and writes. */
struct memory {
    uint8_t column[COLUMNS][ROWS * ROW_BYTES_MOST];
    uint32_t widths[2][ROWS];
    uint64_t offsets[ROWS];
    uint8_t ids[ROWS], status[ROWS];
};

static const uint8_t modulus[32] = {0x7f, [30] = 0x11, [31] = 0x97};

/* Rows of `width` bytes of `from`, `stride` apart. */
static gecc_rows place(struct memory *m, unsigned column, const void *from, size_t from_stride, size_t width,
                       size_t stride) {
    for (size_t i = 0; i < ROWS; i++)
        memcpy(m->column[column] + i * stride, (const uint8_t *)from + i * from_stride, width);
    return gecc_rows_strided(m->column[column], width, stride);
}

static gecc_rows keys(struct memory *m, const struct source *s, size_t stride) {
    return place(m, 0, s->key, 32, 32, stride);
}

static gecc_rows digests(struct memory *m, const struct source *s, size_t width, size_t stride) {
    return place(m, 1, s->digest, 64, width, stride);
}

static gecc_out over(gecc_rows rows) { return gecc_out_packed((void *)(uintptr_t)rows.data, rows.stride); }

typedef gecc_result aliased_call(gecc_context *context, struct memory *m, const struct source *s,
                                 gecc_options *options);

static gecc_result sign_with(gecc_context *context, gecc_out out, struct memory *m, gecc_rows key, gecc_rows digest,
                             gecc_rows entropy, const gecc_options *options) {
    return gecc_ecdsa_sign(context, GECC_P256, out, gecc_out_packed(m->ids, 1), gecc_out_packed(m->status, 1), key,
                           digest, entropy, ROWS, options);
}

static gecc_result sign(gecc_context *context, gecc_out out, struct memory *m, gecc_rows key, gecc_rows digest,
                        const gecc_options *options) {
    return sign_with(context, out, m, key, digest, gecc_rows_none(), options);
}

static gecc_result sign_apart(gecc_context *context, struct memory *m, const struct source *s, gecc_options *options) {
    return sign(context, gecc_out_packed(m->column[2], 64), m, keys(m, s, 32), digests(m, s, 64, 64), options);
}

static gecc_result sign_over_digest(gecc_context *context, struct memory *m, const struct source *s,
                                    gecc_options *options) {
    gecc_rows digest = digests(m, s, 64, 64);
    return sign(context, over(digest), m, keys(m, s, 32), digest, options);
}

static gecc_result sign_over_key(gecc_context *context, struct memory *m, const struct source *s,
                                 gecc_options *options) {
    gecc_rows key = keys(m, s, 64);
    return sign(context, over(key), m, key, digests(m, s, 20, 20), options);
}

/* Digests of 20 to 64 bytes; widths over widths. */
static gecc_result sign_der_over_widths(gecc_context *context, struct memory *m, const struct source *s,
                                        gecc_options *options) {
    gecc_rows digest = digests(m, s, 64, ROW_BYTES_MOST);
    gecc_out out = over(digest);
    for (uint32_t i = 0; i < ROWS; i++)
        m->widths[0][i] = 20 + i;
    digest.widths = out.widths = m->widths[0];
    options->flags = GECC_DER;
    return sign(context, out, m, keys(m, s, 32), digest, options);
}

/* The signature of row i over the digest of row ROWS - 1 - i would be an overlap: row i's digest is where row i is. */
static gecc_result sign_der_at_offsets(gecc_context *context, struct memory *m, const struct source *s,
                                       gecc_options *options) {
    gecc_rows digest = digests(m, s, 64, 72);
    gecc_out out = over(digest);
    for (uint32_t i = 0; i < ROWS; i++) {
        m->widths[0][i] = 20 + i;
        m->offsets[i] = 72 * i + 72;
    }
    out.widths = m->widths[1];
    digest.widths = m->widths[0];
    digest.offsets = m->offsets;
    digest.data = (const uint8_t *)digest.data - 72;
    options->flags = GECC_DER;
    return sign(context, out, m, keys(m, s, 32), digest, options);
}

static gecc_result sign_over_entropy(gecc_context *context, struct memory *m, const struct source *s,
                                     gecc_options *options) {
    gecc_rows entropy = place(m, 2, s->point, 64, 32, 64);
    return sign_with(context, over(entropy), m, keys(m, s, 32), digests(m, s, 32, 32), entropy, options);
}

static gecc_result sm2_sign_over_e(gecc_context *context, struct memory *m, const struct source *s,
                                   gecc_options *options) {
    gecc_rows e = digests(m, s, 32, 64);
    return gecc_sm2_sign(context, over(e), gecc_out_packed(m->status, 1), keys(m, s, 32), e, gecc_rows_none(), ROWS,
                         options);
}

static gecc_result ecdh_over_key(gecc_context *context, struct memory *m, const struct source *s,
                                 gecc_options *options) {
    gecc_rows key = keys(m, s, 32);
    return gecc_ecdh(context, GECC_P256, over(key), gecc_out_packed(m->status, 1), key,
                     place(m, 2, s->point, 64, 64, 64), ROWS, options);
}

static gecc_result multiply_over_point(gecc_context *context, struct memory *m, const struct source *s,
                                       gecc_options *options) {
    gecc_rows point = place(m, 2, s->point, 64, 64, 64);
    options->point_format = GECC_POINT_RAW;
    return gecc_ec_mul(context, GECC_P256, over(point), gecc_out_packed(m->status, 1), keys(m, s, 32), point, ROWS,
                       options);
}

static gecc_result public_key_over_key(gecc_context *context, struct memory *m, const struct source *s,
                                       gecc_options *options) {
    gecc_rows key = keys(m, s, 33);
    options->point_format = GECC_POINT_COMPRESSED;
    return gecc_ec_public_key(context, GECC_P256, over(key), gecc_out_packed(m->status, 1), key, ROWS, options);
}

static gecc_result recover_over_signature(gecc_context *context, struct memory *m, const struct source *s,
                                          gecc_options *options) {
    gecc_rows signature = place(m, 2, s->signature, 64, 64, 64);
    options->point_format = GECC_POINT_RAW;
    return gecc_ecdsa_recover(context, GECC_P256, over(signature), gecc_out_packed(m->status, 1), digests(m, s, 32, 32),
                              signature, gecc_rows_same("\1", 1), ROWS, options);
}

static gecc_result inverse_in_place(gecc_context *context, struct memory *m, const struct source *s,
                                    gecc_options *options) {
    gecc_rows a = keys(m, s, 32);
    return gecc_mod_inverse(context, (gecc_modulus){modulus, 32}, over(a), gecc_out_packed(m->status, 1), a, ROWS,
                            options);
}

static const struct {
    const char *name;
    aliased_call *call;
} calls[] = {
    {"sign, apart", sign_apart},
    {"sign over digest", sign_over_digest},
    {"sign over key", sign_over_key},
    {"sign, DER over digest, widths over widths", sign_der_over_widths},
    {"sign, DER over digest at offsets", sign_der_at_offsets},
    {"sign over entropy", sign_over_entropy},
    {"SM2, sign over e", sm2_sign_over_e},
    {"ECDH over key", ecdh_over_key},
    {"multiply over point", multiply_over_point},
    {"public key over key", public_key_over_key},
    {"recover over signature", recover_over_signature},
    {"inverse in place", inverse_in_place},
};

enum { CALLS = sizeof calls / sizeof calls[0] };

static struct source source;
static struct memory expected[CALLS];
static gecc_context *cpu; /* open throughout, so that its tables are kept */

static int set_up(void **state) {
    (void)state;
    struct prng prng = prng_for("outputs over inputs");
    gecc_options raw = GECC_OPTIONS_INIT;
    uint8_t status[ROWS];
    prng_bytes(&prng, &source, sizeof source);
    for (size_t i = 0; i < ROWS; i++)
        source.key[i][0] &= 0x3f;
    memset(source.key[3], 0, sizeof source.key[3]); /* decided, whatever is withheld: there is no result */
    assert_int_equal(context_on(&cpu, &gecc_backend_cpu), GECC_OK);
    raw.point_format = GECC_POINT_RAW;
    assert_int_equal(gecc_ec_public_key(cpu, GECC_P256, gecc_out_packed(source.point, 64), gecc_out_packed(status, 1),
                                        gecc_rows_packed(source.key, 32), ROWS, &raw),
                     GECC_OK);
    assert_int_equal(gecc_ecdsa_sign(cpu, GECC_P256, gecc_out_packed(source.signature, 64), gecc_out_none(),
                                     gecc_out_packed(status, 1), gecc_rows_packed(source.key, 32),
                                     gecc_rows_packed(source.digest, 64), gecc_rows_none(), ROWS, NULL),
                     GECC_OK);
    for (size_t i = 0; i < CALLS; i++) {
        gecc_options options = GECC_OPTIONS_INIT;
        assert_int_equal(calls[i].call(cpu, &expected[i], &source, &options), GECC_OK);
    }
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    gecc_close(cpu);
    return 0;
}

/* Open a context, whose GPU takes every job, break the GPU, call, and compare. Returns the calls of the driver. */
static unsigned long check(size_t which, bool pinned, size_t withheld, unsigned long failing, bool from_then_on) {
    struct speeds speeds = made_up();
    speeds.of[1].call = 0;
    start(2);
    gecc_context *context = open_with(&speeds);
    unsigned long opened = fake_driver_calls();
    struct memory *m = pinned ? fake_pinned_new(sizeof *m) : malloc(sizeof *m);
    memset(m, 0, sizeof *m);
    gecc_options options = GECC_OPTIONS_INIT;
    gecc_report report = GECC_REPORT_INIT;
    options.report = &report;
    fake_driver_withhold(withheld);
    if (failing != 0)
        fake_driver_fail(opened + failing, from_then_on, CUDA_ERROR_LAUNCH_FAILED);
    assert_int_equal(calls[which].call(context, m, &source, &options), GECC_OK);
    unsigned long used = fake_driver_calls() - opened;
    if (memcmp(m, &expected[which], sizeof *m) != 0)
        fail_msg("%s: %s memory, one row of %zu withheld, call %lu %s: other rows than the CPU's", calls[which].name,
                 pinned ? "pinned" : "ordinary", withheld, failing, from_then_on ? "and all later ones fail" : "fails");
    if (withheld == 1 || withheld == 2) /* of every sixteenth row there are two, which may have no result to withhold */
        assert_string_equal(report.backend, "cuda, cpu");
    fake_driver_withhold(0);
    if (pinned)
        fake_pinned_free(m);
    else
        free(m);
    gecc_close(context);
    return used;
}

static void test_withheld_rows(void **state) {
    (void)state;
    static const size_t every[] = {1, 2, 7, 16};
    for (size_t which = 0; which < CALLS; which++)
        for (size_t i = 0; i < sizeof every / sizeof every[0]; i++)
            for (int pinned = 0; pinned <= 1; pinned++)
                check(which, pinned, every[i], 0, false);
}

/* Each call of the driver fails, once or from then on, and before that rows are withheld, or none. */
static void test_failing_calls(void **state) {
    (void)state;
    for (size_t which = 0; which < CALLS; which++)
        for (int pinned = 0; pinned <= 1; pinned++) {
            unsigned long used = check(which, pinned, 0, 0, false);
            for (unsigned long failing = 1; failing <= used; failing++)
                for (int from_then_on = 0; from_then_on <= 1; from_then_on++)
                    check(which, pinned, 0, failing, from_then_on);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_withheld_rows),
        cmocka_unit_test(test_failing_calls),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
