#include "openssl.h"

#ifdef HAVE_OPENSSL

#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stdlib.h>

#include "program.h"

/* By what OpenSSL knows it: a key that is not parsed is NULL. */
static EVP_PKEY *key_parse(const struct openssl_rows *rows, size_t key) {
    EVP_PKEY_CTX *maker = EVP_PKEY_CTX_new_from_name(NULL, rows->curve == GECC_SM2 ? "SM2" : "EC", NULL);
    EVP_PKEY *parsed = NULL;
    OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)gecc_curve_name(rows->curve), 0),
        OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)(rows->points + key * rows->stride),
                                          1 + 2 * rows->length),
        OSSL_PARAM_construct_end()};
    if (EVP_PKEY_fromdata_init(maker) != 1 || EVP_PKEY_fromdata(maker, &parsed, EVP_PKEY_PUBLIC_KEY, parameters) != 1)
        parsed = NULL;
    EVP_PKEY_CTX_free(maker);
    return parsed;
}

/* A signature as EVP takes it. */
struct der {
    uint8_t *bytes;
    int width;
};

static struct der signature_write(const uint8_t *signature, size_t length) {
    struct der der = {NULL, 0};
    ECDSA_SIG *parsed = ECDSA_SIG_new();
    program_require(ECDSA_SIG_set0(parsed, BN_bin2bn(signature, (int)length, NULL),
                                   BN_bin2bn(signature + length, (int)length, NULL)) == 1,
                    "a signature for OpenSSL");
    der.width = i2d_ECDSA_SIG(parsed, &der.bytes);
    ECDSA_SIG_free(parsed);
    return der;
}

static size_t number_of(const struct openssl_rows *rows, size_t row) {
    const uint8_t *n = rows->numbers + 4 * row;
    return n[0] | (size_t)n[1] << 8 | (size_t)n[2] << 16 | (size_t)n[3] << 24;
}

double openssl_rate(const struct openssl_rows *rows) {
    EVP_PKEY_CTX **verifier = program_memory(rows->keys, sizeof *verifier);
    struct der *signature = program_memory(rows->count, sizeof *signature);
    size_t different = 0, made = 0;
    while (made < rows->keys) {
        EVP_PKEY *key = key_parse(rows, made);
        if (key == NULL)
            break;
        verifier[made] = EVP_PKEY_CTX_new(key, NULL);
        program_require(EVP_PKEY_verify_init(verifier[made]) == 1, "OpenSSL");
        EVP_PKEY_free(key);
        made++;
    }
    for (size_t i = 0; i < rows->count; i++)
        signature[i] = signature_write(rows->signatures + i * 2 * rows->length, rows->length);
    const double start = program_now();
    for (size_t i = 0; i < rows->count && made == rows->keys; i++) {
        const int valid = EVP_PKEY_verify(verifier[number_of(rows, i)], signature[i].bytes, (size_t)signature[i].width,
                                          rows->digests + i * rows->digest_bytes, rows->digest_bytes) == 1;
        different += valid != rows->verdict[i];
    }
    const double seconds = program_now() - start;
    program_require(different == 0, "OpenSSL's verdicts differ");
    for (size_t i = 0; i < rows->count; i++)
        OPENSSL_free(signature[i].bytes);
    for (size_t k = 0; k < made; k++)
        EVP_PKEY_CTX_free(verifier[k]);
    free(signature);
    free(verifier);
    return made == rows->keys ? (double)rows->count / seconds : 0;
}

#else

double openssl_rate(const struct openssl_rows *rows) {
    (void)rows;
    return 0;
}

#endif
