/* The raw Wycheproof files: DER, P1363 and Bitcoin signatures; ECDH with points, SPKI (DER and PEM) and JWK keys.
 *
 * The library reads signatures and SEC 1 points, not SPKI: the point is taken out of a key that names its curve. Keys
 * with explicit parameters or another curve, and keys OpenSSL cannot parse, are counted as skipped; none of them is
 * "valid".
 *
 * Test: fast; needs jansson libcrypto; no threads */
#define _POSIX_C_SOURCE 200809L
#include "support/operation.h"
#include "support/reference.h"
#include "support/vectors.h"

#include <glob.h>
#include <openssl/err.h>
#include <openssl/obj_mac.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct item {
    struct row row;
    struct expectation expected;
    char label[120];
};

/* The cases of one file that share a call. */
struct file {
    const char *path;
    struct call call;
    struct item *items;
    size_t count, skipped, total;
    struct arena arena;
};

static struct item *next_item(struct file *file, const json_t *test) {
    struct item *item = &file->items[file->count++];
    memset(item, 0, sizeof *item);
    const char *name = strrchr(file->path, '/');
    snprintf(item->label, sizeof item->label, "%s #%lld, %s", name ? name + 1 : file->path,
             (long long)json_integer_value(json_object_get(test, "tcId")), json_text(test, "comment"));
    return item;
}

static int has_result(const json_t *test, const char *result) { return strcmp(json_text(test, "result"), result) == 0; }

static int has_flag(const json_t *test, const char *flag) {
    size_t i;
    json_t *text;
    json_array_foreach(json_object_get(test, "flags"), i, text) {
        if (strcmp(json_string_value(text), flag) == 0) {
            return 1;
        }
    }
    return 0;
}

/* SubjectPublicKeyInfo that names the curve: its point, undecoded. Else width 0. */
static struct cell spki_point(struct arena *arena, struct cell spki, gecc_curve curve) {
    const unsigned char *cursor = spki.data, *point;
    X509_PUBKEY *key = d2i_X509_PUBKEY(NULL, &cursor, spki.width);
    struct cell cell = {NULL, 0};
    X509_ALGOR *algorithm;
    int width, type;
    const void *parameter;
    if (key && cursor == spki.data + spki.width && X509_PUBKEY_get0_param(NULL, &point, &width, &algorithm, key)) {
        const ASN1_OBJECT *oid;
        X509_ALGOR_get0(&oid, &type, &parameter, algorithm);
        int named = OBJ_obj2nid(oid) == NID_X9_62_id_ecPublicKey && type == V_ASN1_OBJECT &&
                    OBJ_obj2nid(parameter) == EC_GROUP_get_curve_name(reference_curve(curve)->group);
        cell = named ? arena_copy(arena, point, (size_t)width) : cell;
    }
    X509_PUBKEY_free(key);
    ERR_clear_error();
    return cell;
}

static struct cell pem_bytes(struct arena *arena, const char *text) {
    BIO *bio = BIO_new_mem_buf(text, -1);
    char *name = NULL, *header = NULL;
    unsigned char *data = NULL;
    long width = 0;
    struct cell cell = {NULL, 0};
    if (PEM_read_bio(bio, &name, &header, &data, &width)) {
        cell = arena_copy(arena, data, (size_t)width);
        OPENSSL_free(name);
        OPENSSL_free(header);
        OPENSSL_free(data);
    }
    BIO_free(bio);
    ERR_clear_error();
    return cell;
}

static struct cell pem_private_key(struct arena *arena, const char *text, size_t length) {
    BIO *bio = BIO_new_mem_buf(text, -1);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(bio, NULL, NULL, NULL);
    BIGNUM *d = NULL;
    uint8_t bytes[GECC_CURVE_BYTES_MOST];
    REQUIRE(key && EVP_PKEY_get_bn_param(key, "priv", &d) && BN_bn2binpad(d, bytes, (int)length) > 0);
    BN_free(d);
    EVP_PKEY_free(key);
    BIO_free(bio);
    return arena_copy(arena, bytes, length);
}

/* base64url without padding, RFC 7515, 2. */
static struct cell base64url(struct arena *arena, const char *text) {
    const char *digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    uint8_t *bytes = arena_new(arena, strlen(text));
    uint32_t width = 0, bits = 0, held = 0;
    for (const char *c = text; *c; c++) {
        const char *digit = strchr(digits, *c);
        REQUIRE(digit);
        held = held << 6 | (uint32_t)(digit - digits);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes[width++] = (uint8_t)(held >> bits);
        }
    }
    return (struct cell){bytes, width};
}

static struct cell left_padded(struct arena *arena, struct cell number, size_t length) {
    uint8_t *bytes = arena_new(arena, length);
    REQUIRE(number.width <= length);
    memcpy(bytes + length - number.width, number.data, number.width);
    return (struct cell){bytes, (uint32_t)length};
}

/* 04 || x || y; coordinates of another width give a row of another width. */
static struct cell jwk_point(struct arena *arena, const json_t *jwk, gecc_curve curve) {
    if (gecc_curve_named(json_text(jwk, "crv")) != curve || !json_object_get(jwk, "x") || !json_object_get(jwk, "y")) {
        return (struct cell){NULL, 0};
    }
    struct cell x = base64url(arena, json_text(jwk, "x")), y = base64url(arena, json_text(jwk, "y"));
    uint8_t *bytes = arena_new(arena, 1 + x.width + y.width);
    bytes[0] = 4;
    memcpy(bytes + 1, x.data, x.width);
    memcpy(bytes + 1 + x.width, y.data, y.width);
    return (struct cell){bytes, 1 + x.width + y.width};
}

enum key_encoding { KEY_POINT, KEY_SPKI, KEY_PEM, KEY_JWK };

static enum key_encoding encoding_named(const char *name) {
    return strcmp(name, "ecpoint") == 0 ? KEY_POINT
           : strcmp(name, "asn") == 0   ? KEY_SPKI
           : strcmp(name, "pem") == 0   ? KEY_PEM
                                        : KEY_JWK;
}

/* Private key and point of a case; data NULL where the key names no curve or another one. */
static void read_keys(struct file *file, const json_t *test, enum key_encoding encoding, struct cell in[2]) {
    size_t length = gecc_curve_bytes(file->call.curve);
    const json_t *public_key = json_object_get(test, "public"), *private_key = json_object_get(test, "private");
    if (encoding == KEY_JWK) {
        in[0] = left_padded(&file->arena, base64url(&file->arena, json_text(private_key, "d")), length);
        in[1] = jwk_point(&file->arena, public_key, file->call.curve);
    } else if (encoding == KEY_PEM) {
        struct cell spki = pem_bytes(&file->arena, json_string_value(public_key));
        in[0] = pem_private_key(&file->arena, json_string_value(private_key), length);
        in[1] = spki.data ? spki_point(&file->arena, spki, file->call.curve) : spki;
    } else {
        struct cell key = hex_cell(&file->arena, json_string_value(public_key));
        in[0] = hex_number(&file->arena, json_string_value(private_key), length);
        in[1] = encoding == KEY_POINT ? key : spki_point(&file->arena, key, file->call.curve);
    }
}

/* valid, and acceptable for a compressed point: computed. Other acceptable cases: computed, or refused for the point.
 * invalid: refused. */
static uint32_t ecdh_statuses(const json_t *test) {
    if (has_result(test, "valid") || (has_result(test, "acceptable") && has_flag(test, "CompressedPoint"))) {
        return STATUS(OK);
    }
    return STATUS_ANY_MALFORMED | (has_result(test, "acceptable") ? STATUS(OK) : 0);
}

static void read_ecdh(struct file *file, const json_t *group) {
    size_t i;
    json_t *test;
    enum key_encoding encoding = encoding_named(json_text(group, "encoding"));
    file->call.operation = OPERATION_ECDH;
    file->call.curve = gecc_curve_named(json_text(group, "curve"));
    REQUIRE(file->call.curve);
    json_array_foreach(json_object_get(group, "tests"), i, test) {
        struct item *item = next_item(file, test);
        read_keys(file, test, encoding, item->row.in);
        item->expected.statuses = ecdh_statuses(test);
        struct cell shared = hex_cell(&file->arena, json_text(test, "shared"));
        REQUIRE(shared.width <= OUTCOME_BYTES);
        memcpy(item->expected.out[0].bytes, shared.data, shared.width);
        item->expected.out[0].width = shared.width;
        if (!item->row.in[1].data) {
            REQUIRE(!has_result(test, "valid"));
            file->count--;
            file->skipped++;
        }
    }
}

static const EVP_MD *hash_named(const char *name) {
    return strcmp(name, "SHA-256") == 0   ? EVP_sha256()
           : strcmp(name, "SHA-384") == 0 ? EVP_sha384()
           : strcmp(name, "SHA-512") == 0 ? EVP_sha512()
                                          : NULL;
}

static void read_ecdsa(struct file *file, const json_t *group, const char *type) {
    size_t i;
    json_t *test;
    const json_t *key = json_object_get(group, "publicKey");
    const EVP_MD *hash = hash_named(json_text(group, "sha"));
    file->call.operation = OPERATION_ECDSA_VERIFY;
    file->call.curve = gecc_curve_named(json_text(key, "curve"));
    file->call.flags = strcmp(type, "EcdsaP1363Verify") == 0     ? 0
                       : strcmp(type, "EcdsaBitcoinVerify") == 0 ? GECC_DER | GECC_LOW_S
                                                                 : GECC_DER;
    struct cell point = hex_cell(&file->arena, json_text(key, "uncompressed"));
    struct cell spki = hex_cell(&file->arena, json_text(group, "publicKeyDer"));
    struct cell again = spki_point(&file->arena, spki, file->call.curve);
    REQUIRE(file->call.curve && hash && again.width == point.width && !memcmp(again.data, point.data, point.width));
    json_array_foreach(json_object_get(group, "tests"), i, test) {
        struct item *item = next_item(file, test);
        struct cell message = hex_cell(&file->arena, json_text(test, "msg"));
        uint8_t digest[64];
        unsigned width;
        REQUIRE(EVP_Digest(message.data, message.width, digest, &width, hash, NULL));
        item->row.in[0] = point;
        item->row.in[1] = arena_copy(&file->arena, digest, width);
        item->row.in[2] = hex_cell(&file->arena, json_text(test, "sig"));
        REQUIRE(has_result(test, "valid") || has_result(test, "invalid"));
        item->expected.statuses = has_result(test, "valid") ? STATUS(OK) : STATUS(INVALID) | STATUS_ANY_MALFORMED;
    }
}

static size_t run_file(struct file *file, gecc_context *context, struct prng *prng) {
    struct row *rows = memory_new(file->count, sizeof *rows);
    struct outcome *outcomes = memory_new(file->count, sizeof *outcomes);
    size_t mismatches = 0;
    for (size_t i = 0; i < file->count; i++) {
        rows[i] = file->items[i].row;
    }
    run_rows(context, &file->call, rows, file->count, prng, outcomes);
    for (size_t i = 0; i < file->count; i++) {
        const struct item *item = &file->items[i];
        mismatches += (size_t)outcome_mismatch(&file->call, &item->row, &item->expected, &outcomes[i], item->label);
    }
    free(rows);
    free(outcomes);
    return mismatches;
}

static size_t check_file(const char *path, gecc_context *context, struct prng *prng) {
    json_error_t error;
    json_t *json = json_load_file(path, 0, &error), *group;
    REQUIRE(json);
    struct file file = {.path = path, .total = (size_t)json_integer_value(json_object_get(json, "numberOfTests"))};
    file.items = memory_new(file.total, sizeof *file.items);
    size_t i;
    json_array_foreach(json_object_get(json, "testGroups"), i, group) {
        const char *type = json_text(group, "type");
        if (strncmp(type, "Ecdsa", 5) == 0) {
            read_ecdsa(&file, group, type);
        } else {
            read_ecdh(&file, group);
        }
    }
    printf("%s: %zu cases, %zu of them skipped: no key on a named curve\n", strrchr(path, '/') + 1, file.total,
           file.skipped);
    assert_int_equal(file.count + file.skipped, file.total);
    assert_true(file.count > file.total / 2);
    size_t mismatches = run_file(&file, context, prng);
    arena_free(&file.arena);
    free(file.items);
    json_decref(json);
    return mismatches;
}

/* Files whose names match: none must be missing. */
static void check_files(const char *pattern, size_t least) {
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/wycheproof/%s", getenv("GECC_VECTORS"), pattern);
    glob_t files;
    assert_int_equal(glob(path, 0, NULL, &files), 0);
    assert_true(files.gl_pathc >= least);
    gecc_context *context = test_context();
    struct prng prng = prng_for(pattern);
    size_t mismatches = 0;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        mismatches += check_file(files.gl_pathv[i], context, &prng);
    }
    gecc_close(context);
    globfree(&files);
    assert_int_equal(mismatches, 0);
}

static void ecdsa_signatures(void **state) {
    (void)state;
    check_files("ecdsa_*.json", 14);
}

static void ecdh_points(void **state) {
    (void)state;
    check_files("ecdh_*_ecpoint_test.json", 2);
}

static void ecdh_public_key_info(void **state) {
    (void)state;
    check_files("ecdh_secp???r1_test.json", 2);
    check_files("ecdh_secp256k1_test.json", 1);
}

static void ecdh_pem(void **state) {
    (void)state;
    check_files("ecdh_*_pem_test.json", 2);
}

static void ecdh_webcrypto(void **state) {
    (void)state;
    check_files("ecdh_*_webcrypto_test.json", 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ecdsa_signatures), cmocka_unit_test(ecdh_points),    cmocka_unit_test(ecdh_public_key_info),
        cmocka_unit_test(ecdh_pem),         cmocka_unit_test(ecdh_webcrypto),
    };
    return data_folder("GECC_VECTORS") ? cmocka_run_group_tests_name("wycheproof", tests, NULL, NULL) : NOT_RUN;
}
