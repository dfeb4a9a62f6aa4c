/* The CUDA backend on columns in device memory and in pinned memory.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "backend/cuda_samples.h"

enum { ROWS = 90 };

static gecc_context *open_on(const struct backend *backend) {
    gecc_context *context;
    assert_int_equal(context_on(&context, backend), GECC_OK);
    return context;
}

static struct fake_settings settings_small(void) {
    struct fake_settings settings = fake_settings_good();
    settings.multiprocessors = 1;
    return settings;
}

static void *to_device(const void *bytes, size_t count) {
    void *memory = fake_device_new(count);
    fake_device_write(memory, bytes, count);
    return memory;
}

/* Which parts of a call are in device memory. SPACED: statuses are STATUS_STRIDE apart, wherever they are. */
enum part {
    POINTS = 1,
    POINT_WIDTHS = 2,
    POINT_OFFSETS = 4,
    KEYS = 8,
    OUTPUTS = 16,
    OUTPUT_WIDTHS = 32,
    STATUSES = 64,
    SPACED = 128,
    PARTS = 256
};

enum { STATUS_STRIDE = 3 };

/* The sample's statuses as far apart, and back; what is between must be as it was. */
static void spread(uint8_t *spaced, size_t stride, const struct sample *s) {
    memset(spaced, UNTOUCHED, SAMPLE_ROWS * STATUS_STRIDE);
    for (size_t i = 0; i < SAMPLE_ROWS; i++)
        spaced[i * stride] = s->status[i];
}

static void collect(struct sample *s, size_t stride, const uint8_t *spaced) {
    for (size_t i = 0; i < SAMPLE_ROWS * STATUS_STRIDE; i++)
        if (i % stride == 0 && i / stride < SAMPLE_ROWS)
            s->status[i / stride] = spaced[i];
        else
            assert_int_equal(spaced[i], UNTOUCHED);
}

/* k P, the points of all widths and at offsets, some parts in device memory. Pulls the results back into the sample. */
static gecc_result multiply_points(gecc_context *context, struct sample *s, unsigned parts, void *stream) {
    gecc_options options = GECC_OPTIONS_INIT;
    options.stream = stream;
    options.flags = GECC_PUBLIC_SCALARS;
    options.point_format = GECC_POINT_RAW;
    options.report = &s->report;
    void *points = parts & POINTS ? to_device(s->in[2], sizeof s->in[2]) : NULL;
    void *widths = parts & POINT_WIDTHS ? to_device(s->in_widths[1], sizeof s->in_widths[1]) : NULL;
    void *offsets = parts & POINT_OFFSETS ? to_device(s->in_offsets, sizeof s->in_offsets) : NULL;
    void *keys = parts & KEYS ? to_device(s->in[0], sizeof s->in[0]) : NULL;
    void *out = parts & OUTPUTS ? to_device(s->out, sizeof s->out) : NULL;
    void *out_widths = parts & OUTPUT_WIDTHS ? to_device(s->out_widths, sizeof s->out_widths) : NULL;
    uint8_t spaced[SAMPLE_ROWS * STATUS_STRIDE];
    size_t stride = parts & SPACED ? STATUS_STRIDE : 1;
    spread(spaced, stride, s);
    void *status = parts & STATUSES ? to_device(spaced, sizeof spaced) : NULL;
    gecc_rows k = gecc_rows_strided(keys ? keys : s->in[0], 32, IN_STRIDE);
    gecc_rows p = {points ? points : s->in[2], 0, 0, widths ? widths : s->in_widths[1],
                   offsets ? offsets : s->in_offsets};
    gecc_out products = {out ? out : s->out, OUT_STRIDE, out_widths ? out_widths : s->out_widths};
    gecc_result result = gecc_ec_mul(context, GECC_P256, products, gecc_out_packed(status ? status : spaced, stride), k,
                                     p, s->count, &options);
    if (out != NULL)
        fake_device_read(s->out, out, sizeof s->out);
    if (out_widths != NULL)
        fake_device_read(s->out_widths, out_widths, sizeof s->out_widths);
    if (status != NULL)
        fake_device_read(spaced, status, sizeof spaced);
    collect(s, stride, spaced);
    void *memories[] = {points, widths, offsets, keys, out, out_widths, status};
    for (size_t i = 0; i < sizeof memories / sizeof memories[0]; i++)
        if (memories[i] != NULL)
            fake_device_free(memories[i]);
    return result;
}

/* Rows whose points are some, so that there is something to multiply. */
static struct sample *sample_with_points(gecc_context *context) {
    struct sample *sample = sample_new(ROWS);
    gecc_options options = GECC_OPTIONS_INIT;
    uint8_t points[ROWS][65], status[ROWS];
    assert_int_equal(gecc_ec_public_key(context, GECC_P256, gecc_out_packed(points, 65), gecc_out_packed(status, 1),
                                        gecc_rows_strided(sample->in[0], 32, IN_STRIDE), ROWS, &options),
                     GECC_OK);
    for (size_t i = 0; i < ROWS; i++)
        if (i % 5 != 4) {
            memcpy(sample->in[2] + sample->in_offsets[i], points[i], 65);
            sample->in_widths[1][i] = 65;
        }
    return sample;
}

/* Wherever the parts are, the result is that of the CPU. Widths and offsets are on the device with their rows alone. */
static void test_parts_on_the_device(void **state) {
    (void)state;
    gecc_context *cpu = open_on(&gecc_backend_cpu);
    struct sample *sample = sample_with_points(cpu), *expected = sample_copy(sample);
    assert_int_equal(multiply_points(cpu, expected, 0, NULL), GECC_OK);
    assert_int_equal(expected->status[0], GECC_ITEM_OK);
    assert_int_equal(expected->out_widths[0], 64);
    gecc_close(cpu);
    struct fake_settings settings = settings_small();
    fake_driver_start(&settings);
    gecc_context *context = open_on(&fake_cuda);
    for (unsigned parts = 0; parts < PARTS; parts++) {
        bool fits = (parts & POINTS) || !(parts & (POINT_WIDTHS | POINT_OFFSETS));
        struct sample *copy = sample_copy(sample);
        gecc_result result = multiply_points(context, copy, parts, NULL);
        assert_int_equal(result, fits ? GECC_OK : GECC_ERROR_ARGUMENT);
        assert_true(!fits || sample_equal(copy, expected));
        free(copy);
    }
    gecc_close(context);
    assert_int_equal(fake_driver_held(), 0);
    free(sample);
    free(expected);
}

/* Whichever call of the driver fails, a status in device memory does not promise a result that is not there. */
static void test_failures_with_statuses_on_the_device(void **state) {
    (void)state;
    gecc_context *cpu = open_on(&gecc_backend_cpu);
    struct sample *sample = sample_with_points(cpu), *expected = sample_copy(sample);
    sample->count = expected->count = 35;
    assert_int_equal(multiply_points(cpu, expected, 0, NULL), GECC_OK);
    gecc_close(cpu);
    struct fake_settings settings = settings_small();
    static const unsigned parts[] = {POINTS | POINT_WIDTHS | KEYS | OUTPUTS | OUTPUT_WIDTHS | STATUSES, STATUSES,
                                     STATUSES | SPACED};
    for (unsigned long calls = 0, call = 0; call <= calls; call++)
        for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            fake_driver_start(&settings);
            gecc_context *context = open_on(&fake_cuda);
            unsigned long opened = fake_driver_calls();
            fake_driver_fail(call == 0 ? 0 : opened + call, false, CUDA_ERROR_LAUNCH_FAILED);
            struct sample *copy = sample_copy(sample);
            gecc_result result = multiply_points(context, copy, parts[i], NULL);
            calls = fake_driver_calls() - opened > calls ? fake_driver_calls() - opened : calls;
            for (size_t row = 0; row < sample->count; row++) {
                bool finished = copy->status[row] == expected->status[row];
                bool same = memcmp(copy->out + row * OUT_STRIDE, expected->out + row * OUT_STRIDE, 64) == 0 &&
                            copy->out_widths[row] == expected->out_widths[row];
                bool untouched = copy->status[row] == GECC_ITEM_NOT_PROCESSED || copy->status[row] == UNTOUCHED;
                assert_true(finished ? same : result != GECC_OK && untouched);
            }
            free(copy);
            gecc_close(context);
            assert_int_equal(fake_driver_held(), 0);
        }
    free(sample);
    free(expected);
}

/* What the caller's stream is still to write is what the call reads. */
static void test_stream(void **state) {
    (void)state;
    struct fake_settings settings = settings_small();
    fake_driver_start(&settings);
    gecc_context *context = open_on(&fake_cuda);
    struct sample *sample = sample_new(ROWS), *expected = sample_copy(sample);
    gecc_rows messages = gecc_rows_strided(sample->in[0], 64, IN_STRIDE);
    assert_int_equal(gecc_digest(context, GECC_SM3, gecc_out_packed(expected->out, OUT_STRIDE),
                                 gecc_out_packed(expected->status, 1), messages, ROWS, NULL),
                     GECC_OK);
    for (int own = 0; own <= 1; own++) {
        gecc_options options = GECC_OPTIONS_INIT;
        CUstream stream = own ? fake_stream_new() : NULL;
        void *device = fake_device_new(sizeof sample->in[0]);
        fake_stream_write(stream, device, sample->in[0], sizeof sample->in[0]);
        messages.data = device;
        options.stream = stream;
        memset(sample->out, UNTOUCHED, sizeof sample->out);
        assert_int_equal(gecc_digest(context, GECC_SM3, gecc_out_packed(sample->out, OUT_STRIDE),
                                     gecc_out_packed(sample->status, 1), messages, ROWS, &options),
                         GECC_OK);
        assert_memory_equal(sample->out, expected->out, sizeof sample->out);
        fake_device_free(device);
        if (own)
            fake_stream_free(stream);
    }
    gecc_close(context);
    free(sample);
    free(expected);
}

enum { MANY = 6000 };

/* Packed rows in pinned memory need no staging: there is no room for any here. */
static void test_pinned(void **state) {
    (void)state;
    static const uint8_t modulus[32] = {0xff, [31] = 0x61}, factor[32] = {[31] = 3};
    struct fake_settings settings = fake_settings_good();
    settings.multiprocessors = 1000;
    settings.pinned = 128 << 10;
    fake_driver_start(&settings);
    gecc_context *context = open_on(&fake_cuda), *cpu = open_on(&gecc_backend_cpu);
    struct prng prng = {7};
    uint8_t *in = fake_pinned_new(MANY * 32), *out = fake_pinned_new(MANY * 32), *expected = malloc(MANY * 32);
    static uint8_t status[MANY], expected_status[MANY];
    prng_bytes(&prng, in, MANY * 32);
    gecc_rows a = gecc_rows_packed(in, 32), one = gecc_rows_same(in + 32, 32);
    gecc_modulus m = {modulus, 32};
    assert_int_equal(
        gecc_mod_mul(cpu, m, gecc_out_packed(expected, 32), gecc_out_packed(expected_status, 1), a, one, MANY, NULL),
        GECC_OK);
    assert_int_equal(gecc_mod_mul(context, m, gecc_out_packed(out, 32), gecc_out_packed(status, 1), a, one, MANY, NULL),
                     GECC_OK);
    assert_int_equal(fake_driver_launches(), 1);
    assert_memory_equal(out, expected, MANY * 32);
    assert_memory_equal(status, expected_status, MANY);
    /* Over its own input it is staged, and so has to go in smaller chunks. */
    assert_int_equal(gecc_mod_mul(context, m, gecc_out_packed(in, 32), gecc_out_packed(status, 1), a,
                                  gecc_rows_same(factor, 32), MANY, NULL),
                     GECC_OK);
    assert_true(fake_driver_launches() > 2);
    gecc_close(context);
    gecc_close(cpu);
    fake_pinned_free(in);
    fake_pinned_free(out);
    free(expected);
    assert_int_equal(fake_driver_held(), 0);
}

/* Where pinned memory runs out, chunks get smaller until they fit. */
static void test_chunks_are_halved(void **state) {
    (void)state;
    struct fake_settings settings = fake_settings_good();
    settings.multiprocessors = 1000;
    settings.pinned = 384 << 10;
    fake_driver_start(&settings);
    gecc_context *context = open_on(&fake_cuda), *cpu = open_on(&gecc_backend_cpu);
    struct sample *sample = sample_new(200), *expected = sample_copy(sample);
    const struct sample_kind growing = {"growing", sample_sign_growing, true};
    assert_int_equal(sample_run(&growing, cpu, expected), GECC_OK);
    assert_int_equal(sample_run(&growing, context, sample), GECC_OK);
    assert_true(sample_equal(sample, expected));
    const unsigned long before = fake_driver_launches(); /* those that make tables among them */
    assert_int_equal(sample_run(&growing, context, sample), GECC_OK);
    assert_true(fake_driver_launches() > before + 4);
    gecc_close(context);
    gecc_close(cpu);
    free(sample);
    free(expected);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts_on_the_device),
        cmocka_unit_test(test_failures_with_statuses_on_the_device),
        cmocka_unit_test(test_stream),
        cmocka_unit_test(test_pinned),
        cmocka_unit_test(test_chunks_are_halved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
