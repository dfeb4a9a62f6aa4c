/* SM2 encryption and key exchange beside OpenSSL, whose ciphertexts are the SEQUENCE of GB/T 35276, in every format and
 * width; and the cases of sm2.jsonl in the folder GECC_VECTORS, where there is one.
 *
 * Test: fast; needs jansson libcrypto; columns */
#define _POSIX_C_SOURCE 200809L
#include "support/effort.h"
#include "support/folders.h"
#include "support/generate.h"

#include <jansson.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 48, TEXT_BYTES = 6000, SLACK = 128, STRIDE = TEXT_BYTES + SLACK };

struct suite {
    gecc_context *context;
    struct prng prng;
};

/* Columns of texts, ciphertexts and keys. */
struct columns {
    size_t count;
    uint8_t text[ROWS][STRIDE], cipher[ROWS][STRIDE], key[ROWS][32], nonce[ROWS][32], point[ROWS][65], status[ROWS];
    uint32_t text_width[ROWS], cipher_width[ROWS];
};

static gecc_rows texts(const struct columns *c) { return (gecc_rows){c->text, STRIDE, 0, c->text_width, NULL}; }
static gecc_rows ciphers(const struct columns *c) { return (gecc_rows){c->cipher, STRIDE, 0, c->cipher_width, NULL}; }

static EVP_PKEY *key_new(struct columns *c, size_t row) {
    EVP_PKEY *key = EVP_PKEY_Q_keygen(NULL, NULL, "SM2");
    BIGNUM *d = NULL;
    size_t width = 0;
    assert_true(EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_PRIV_KEY, &d));
    assert_int_equal(BN_bn2binpad(d, c->key[row], 32), 32);
    assert_true(EVP_PKEY_get_octet_string_param(key, "encoded-pub-key", c->point[row], 65, &width));
    BN_free(d);
    return key;
}

static int openssl_crypts(EVP_PKEY *key, int encrypts, uint8_t *out, uint32_t *out_width, const uint8_t *in,
                          size_t width) {
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new(key, NULL);
    size_t room = STRIDE;
    int done;
    if (encrypts)
        done = EVP_PKEY_encrypt_init(context) > 0 && EVP_PKEY_encrypt(context, out, &room, in, width) > 0;
    else
        done = EVP_PKEY_decrypt_init(context) > 0 && EVP_PKEY_decrypt(context, out, &room, in, width) > 0;
    *out_width = (uint32_t)room;
    EVP_PKEY_CTX_free(context);
    ERR_clear_error();
    return done;
}

static uint32_t text_width(struct prng *prng, size_t row) {
    static const uint32_t edges[] = {1, 2, 3, 4, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 5000};
    return row < sizeof edges / sizeof *edges ? edges[row] : 1 + (uint32_t)prng_below(prng, 400);
}

static void fill(struct suite *suite, struct columns *c, EVP_PKEY *keys[ROWS]) {
    c->count = ROWS;
    for (size_t i = 0; i < ROWS; i++) {
        keys[i] = key_new(c, i);
        c->text_width[i] = text_width(&suite->prng, i);
        prng_bytes(&suite->prng, c->text[i], STRIDE);
        prng_bytes(&suite->prng, c->nonce[i], 32);
        c->nonce[i][0] &= 0x7f;
    }
}

/* The same texts, with room to spare, and zeros behind them. */
static void expect_texts(struct suite *suite, const struct columns *c, gecc_rows ciphertexts,
                         const gecc_options *options) {
    static uint8_t made[ROWS][STRIDE];
    uint32_t widths[ROWS];
    uint8_t status[ROWS];
    memset(made, 0xee, sizeof made);
    assert_int_equal(gecc_sm2_decrypt(suite->context, (gecc_out){made, STRIDE, widths}, gecc_out_packed(status, 1),
                                      gecc_rows_packed(c->key, 32), ciphertexts, c->count, options),
                     GECC_OK);
    for (size_t i = 0; i < c->count; i++) {
        assert_int_equal(status[i], GECC_ITEM_OK);
        assert_int_equal(widths[i], c->text_width[i]);
        assert_memory_equal(made[i], c->text[i], widths[i]);
        for (size_t k = widths[i]; k < STRIDE; k++)
            assert_int_equal(made[i][k], 0);
    }
}

static void decrypts_what_openssl_encrypts(void **state) {
    struct suite *suite = *state;
    struct columns *c = memory_new(1, sizeof *c);
    EVP_PKEY *keys[ROWS];
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = GECC_DER;
    fill(suite, c, keys);
    for (size_t i = 0; i < ROWS; i++) {
        assert_true(openssl_crypts(keys[i], 1, c->cipher[i], &c->cipher_width[i], c->text[i], c->text_width[i]));
        EVP_PKEY_free(keys[i]);
    }
    expect_texts(suite, c, ciphers(c), &options);
    free(c);
}

static void openssl_decrypts(void **state) {
    struct suite *suite = *state;
    struct columns *c = memory_new(1, sizeof *c);
    EVP_PKEY *keys[ROWS];
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = GECC_DER;
    fill(suite, c, keys);
    assert_int_equal(gecc_sm2_encrypt(suite->context, (gecc_out){c->cipher, STRIDE, c->cipher_width},
                                      gecc_out_packed(c->status, 1), gecc_rows_packed(c->point, 65),
                                      gecc_rows_packed(c->nonce, 32), texts(c), ROWS, &options),
                     GECC_OK);
    for (size_t i = 0; i < ROWS; i++) {
        uint8_t made[STRIDE];
        uint32_t width;
        if (c->text_width[i] > 2) /* a t of zeros */
            assert_int_equal(c->status[i], GECC_ITEM_OK);
        if (c->status[i] == GECC_ITEM_OK) {
            assert_true(openssl_crypts(keys[i], 0, made, &width, c->cipher[i], c->cipher_width[i]));
            assert_int_equal(width, c->text_width[i]);
            assert_memory_equal(made, c->text[i], width);
        }
        EVP_PKEY_free(keys[i]);
    }
    free(c);
}

/* Every format there and back, where the rows of the outputs are the inputs', too. */
static void formats(void **state) {
    struct suite *suite = *state;
    struct columns *c = memory_new(1, sizeof *c);
    EVP_PKEY *keys[ROWS];
    static const uint32_t flags[] = {0, GECC_C1C2C3, GECC_DER};
    fill(suite, c, keys);
    for (size_t i = 0; i < ROWS; i++) {
        EVP_PKEY_free(keys[i]);
        c->text_width[i] = c->text_width[i] < 3 ? 3 : c->text_width[i];
    }
    for (int way = 0; way < 9; way++) {
        gecc_options options = GECC_OPTIONS_INIT;
        options.flags = flags[way % 3];
        options.point_format = (gecc_point_format)(way / 3);
        memcpy(c->cipher, c->text, sizeof c->cipher);
        const gecc_rows in_place = {c->cipher, STRIDE, 0, c->text_width, NULL};
        assert_int_equal(gecc_sm2_encrypt(suite->context, (gecc_out){c->cipher, STRIDE, c->cipher_width},
                                          gecc_out_packed(c->status, 1), gecc_rows_packed(c->point, 65),
                                          gecc_rows_packed(c->nonce, 32), in_place, ROWS, &options),
                         GECC_OK);
        for (size_t i = 0; i < ROWS; i++) {
            assert_int_equal(c->status[i], GECC_ITEM_OK);
            if (options.flags != GECC_DER)
                assert_int_equal(c->cipher_width[i],
                                 c->text_width[i] + 32 + gecc_point_bytes(GECC_SM2, options.point_format));
        }
        expect_texts(suite, c, ciphers(c), &options);
        static uint8_t again[ROWS][STRIDE];
        uint32_t widths[ROWS];
        memcpy(again, c->cipher, sizeof again);
        assert_int_equal(gecc_sm2_decrypt(suite->context, (gecc_out){again, STRIDE, widths},
                                          gecc_out_packed(c->status, 1), gecc_rows_packed(c->key, 32),
                                          (gecc_rows){again, STRIDE, 0, c->cipher_width, NULL}, ROWS, &options),
                         GECC_OK);
        for (size_t i = 0; i < ROWS; i++)
            assert_memory_equal(again[i], c->text[i], c->text_width[i]);
    }
    free(c);
}

/* A row that does not fit is refused alone, whatever its neighbours are. */
static void room(void **state) {
    struct suite *suite = *state;
    struct columns *c = memory_new(1, sizeof *c);
    EVP_PKEY *keys[ROWS];
    gecc_options options = GECC_OPTIONS_INIT;
    options.output_bytes = 97 + 100;
    fill(suite, c, keys);
    memset(c->cipher, 0xee, sizeof c->cipher);
    assert_int_equal(gecc_sm2_encrypt(suite->context, (gecc_out){c->cipher, STRIDE, c->cipher_width},
                                      gecc_out_packed(c->status, 1), gecc_rows_packed(c->point, 65),
                                      gecc_rows_packed(c->nonce, 32), texts(c), ROWS, &options),
                     GECC_OK);
    for (size_t i = 0; i < ROWS; i++) {
        EVP_PKEY_free(keys[i]);
        if (c->text_width[i] > 100)
            assert_int_equal(c->status[i], GECC_ITEM_MALFORMED_WIDTH);
        else if (c->text_width[i] > 2)
            assert_int_equal(c->status[i], GECC_ITEM_OK);
        for (size_t k = c->status[i] == GECC_ITEM_OK ? c->cipher_width[i] : 0; k < options.output_bytes; k++)
            assert_int_equal(c->cipher[i][k], 0);
        for (size_t k = options.output_bytes; k < STRIDE; k++)
            assert_int_equal(c->cipher[i][k], 0xee);
    }
    free(c);
}

/* A ciphertext with any one bit changed is refused, in C1 as malformed or INVALID, elsewhere as INVALID, and leaves
 * zeros. */
static void every_bit(void **state) {
    struct suite *suite = *state;
    enum { BITS = 8 * (97 + 5) };
    static uint8_t changed[BITS][97 + 5], made[BITS][5], status[BITS];
    uint32_t widths[BITS];
    struct columns *c = memory_new(1, sizeof *c);
    EVP_PKEY *keys[ROWS];
    fill(suite, c, keys);
    for (size_t i = 0; i < ROWS; i++)
        EVP_PKEY_free(keys[i]);
    assert_int_equal(gecc_sm2_encrypt(suite->context, (gecc_out){c->cipher, STRIDE, c->cipher_width},
                                      gecc_out_packed(c->status, 1), gecc_rows_packed(c->point, 65),
                                      gecc_rows_packed(c->nonce, 32), gecc_rows_packed(c->text, 5), 1, NULL),
                     GECC_OK);
    for (size_t i = 0; i < BITS; i++) {
        memcpy(changed[i], c->cipher[0], 97 + 5);
        changed[i][i / 8] ^= (uint8_t)(1 << i % 8);
    }
    memset(made, 0xee, sizeof made);
    assert_int_equal(gecc_sm2_decrypt(suite->context, (gecc_out){made, 5, widths}, gecc_out_packed(status, 1),
                                      gecc_rows_same(c->key, 32), gecc_rows_packed(changed, 97 + 5), BITS, NULL),
                     GECC_OK);
    for (size_t i = 0; i < BITS; i++) {
        static const uint8_t zeros[5];
        assert_true(status[i] == GECC_ITEM_INVALID || (i < 8 * 65 && gecc_item_is_malformed(status[i])));
        assert_int_equal(widths[i], 0);
        assert_memory_equal(made[i], zeros, 5);
    }
    free(c);
}

/* One byte's t is zero once in 256 times: such a row is INVALID, and no other. */
static void zeros_of_t(void **state) {
    struct suite *suite = *state;
    enum { MANY = 4096 };
    static uint8_t nonces[MANY][32], made[MANY][98], status[MANY];
    static uint32_t widths[MANY];
    struct columns *c = memory_new(1, sizeof *c);
    EVP_PKEY *key = key_new(c, 0);
    size_t none = 0;
    prng_bytes(&suite->prng, nonces, sizeof nonces);
    for (size_t i = 0; i < MANY; i++)
        nonces[i][0] &= 0x7f;
    assert_int_equal(gecc_sm2_encrypt(suite->context, (gecc_out){made, 98, widths}, gecc_out_packed(status, 1),
                                      gecc_rows_same(c->point, 65), gecc_rows_packed(nonces, 32),
                                      gecc_rows_same("M", 1), MANY, NULL),
                     GECC_OK);
    for (size_t i = 0; i < MANY; i++) {
        none += status[i] == GECC_ITEM_INVALID;
        if (status[i] == GECC_ITEM_OK)
            assert_int_not_equal(made[i][97], 'M');
        else
            assert_int_equal(status[i], GECC_ITEM_INVALID);
    }
    assert_in_range(none, 1, MANY / 64);
    EVP_PKEY_free(key);
    free(c);
}

/* Hexadecimal text as bytes. */
static struct cell hex(struct arena *arena, const json_t *json, const char *name) {
    const char *text = json_string_value(json_object_get(json, name));
    assert_non_null(text);
    return hex_cell(arena, text);
}

/* One ciphertext is the text, in as many bytes of room as that has; text NULL: it is refused. */
static void expect_text(struct suite *suite, struct cell key, struct cell cipher, const struct cell *text,
                        uint32_t flags) {
    const size_t room = text ? text->width : cipher.width + 1;
    uint8_t *made = memory_new(room, 1), status;
    uint32_t width;
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = flags;
    assert_int_equal(gecc_sm2_decrypt(suite->context, (gecc_out){made, room, &width}, gecc_out_packed(&status, 1),
                                      gecc_rows_packed(key.data, key.width),
                                      (gecc_rows){cipher.data, 0, 0, &cipher.width, NULL}, 1, &options),
                     GECC_OK);
    if (text) {
        assert_int_equal(status, GECC_ITEM_OK);
        assert_int_equal(width, text->width);
        assert_memory_equal(made, text->data, width);
    } else {
        assert_int_not_equal(status, GECC_ITEM_OK);
    }
    free(made);
}

/* The same ciphertexts for the same nonce. */
static void expect_cipher(struct suite *suite, const json_t *json, struct cell cipher, uint32_t flags,
                          struct arena *arena) {
    struct cell key = hex(arena, json, "priv"), nonce = hex(arena, json, "nonce"), text = hex(arena, json, "msg");
    uint8_t *made = memory_new(cipher.width, 1), point[65], status;
    uint32_t width;
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = flags;
    assert_int_equal(gecc_ec_public_key(suite->context, GECC_SM2, gecc_out_packed(point, 65),
                                        gecc_out_packed(&status, 1), gecc_rows_packed(key.data, 32), 1, NULL),
                     GECC_OK);
    assert_int_equal(gecc_sm2_encrypt(suite->context, (gecc_out){made, cipher.width, &width},
                                      gecc_out_packed(&status, 1), gecc_rows_packed(point, 65),
                                      gecc_rows_packed(nonce.data, nonce.width),
                                      gecc_rows_packed(text.data, text.width), 1, &options),
                     GECC_OK);
    assert_int_equal(status, GECC_ITEM_OK);
    assert_int_equal(width, cipher.width);
    assert_memory_equal(made, cipher.data, width);
    free(made);
}

static void decryption_of_vector(struct suite *suite, const json_t *json, struct arena *arena) {
    static const char *const names[] = {"der", "c1c3c2"};
    static const uint32_t flags[] = {GECC_DER, 0};
    const bool valid = json_is_true(json_object_get(json, "valid"));
    struct cell text = valid ? hex(arena, json, "msg") : (struct cell){NULL, 0};
    for (int i = 0; i < 2; i++) {
        if (!json_object_get(json, names[i]))
            continue;
        struct cell cipher = hex(arena, json, names[i]);
        expect_text(suite, hex(arena, json, "priv"), cipher, valid ? &text : NULL, flags[i]);
        if (json_object_get(json, "nonce"))
            expect_cipher(suite, json, cipher, flags[i], arena);
    }
}

/* A side of an exchange: its key, its confirmation and the peer's. */
static void exchange_side(struct suite *suite, const json_t *json, struct arena *arena, const char *const names[6],
                          uint32_t flags, uint8_t *key, size_t width, uint8_t confirmations[2][32]) {
    struct cell cell[6];
    gecc_rows rows[6];
    uint8_t status;
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = flags;
    for (int i = 0; i < 6; i++) {
        cell[i] = hex(arena, json, names[i]);
        rows[i] = gecc_rows_packed(cell[i].data, cell[i].width);
    }
    assert_int_equal(gecc_sm2_exchange(suite->context, gecc_out_packed(key, width),
                                       gecc_out_packed(confirmations[0], 32), gecc_out_packed(confirmations[1], 32),
                                       gecc_out_packed(&status, 1), rows[0], rows[1], rows[2], rows[3], rows[4],
                                       rows[5], 1, &options),
                     GECC_OK);
    assert_int_equal(status, GECC_ITEM_OK);
}

/* Both sides; A is the initiator. */
static void exchange_of_vector(struct suite *suite, const json_t *json, struct arena *arena) {
    static const char *const a[] = {"priv_a", "eph_a", "id_a", "pub_b", "ephpub_b", "id_b"};
    static const char *const b[] = {"priv_b", "eph_b", "id_b", "pub_a", "ephpub_a", "id_a"};
    uint8_t key[200], of_a[2][32], of_b[2][32];
    const struct cell expected = hex(arena, json, "key"), s1 = hex(arena, json, "s1"), s2 = hex(arena, json, "s2");
    assert_true(expected.width <= sizeof key);
    exchange_side(suite, json, arena, a, 0, key, expected.width, of_a);
    assert_memory_equal(key, expected.data, expected.width);
    exchange_side(suite, json, arena, b, GECC_RESPONDER, key, expected.width, of_b);
    assert_memory_equal(key, expected.data, expected.width);
    assert_memory_equal(of_a[0], s2.data, 32); /* SA = S2 */
    assert_memory_equal(of_a[1], s1.data, 32);
    assert_memory_equal(of_b[0], s1.data, 32); /* SB = S1 */
    assert_memory_equal(of_b[1], s2.data, 32);
}

static void vectors(void **state) {
    struct suite *suite = *state;
    const char *folder = data_folder("GECC_VECTORS");
    char path[PATH_BYTES], *line = NULL;
    size_t capacity = 0, decryptions = 0, exchanges = 0;
    if (!folder)
        skip();
    assert_true(snprintf(path, sizeof path, "%s/sm2.jsonl", folder) < (int)sizeof path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (getline(&line, &capacity, file) > 0) {
        struct arena arena = {0};
        json_t *json = json_loads(line, 0, NULL);
        const char *op = json_string_value(json_object_get(json, "op"));
        if (strcmp(op, "sm2_decrypt") == 0) {
            decryption_of_vector(suite, json, &arena);
            decryptions++;
        } else if (strcmp(op, "sm2_kex") == 0) {
            exchange_of_vector(suite, json, &arena);
            exchanges++;
        }
        json_decref(json);
        arena_free(&arena);
    }
    free(line);
    fclose(file);
    assert_true(decryptions >= 50 && exchanges >= 24);
}

static int start(void **state) {
    struct suite *suite = memory_new(1, sizeof *suite);
    suite->context = test_context();
    suite->prng = prng_for("SM2 encryption");
    *state = suite;
    return 0;
}

static int stop(void **state) {
    struct suite *suite = *state;
    gecc_close(suite->context);
    free(suite);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decrypts_what_openssl_encrypts),
        cmocka_unit_test(openssl_decrypts),
        cmocka_unit_test(formats),
        cmocka_unit_test(room),
        cmocka_unit_test(every_bit),
        cmocka_unit_test(zeros_of_t),
        cmocka_unit_test(vectors),
    };
    return cmocka_run_group_tests_name("SM2 encryption", tests, start, stop);
}
