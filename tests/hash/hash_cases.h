/* Hashes of messages, the lane program DIGEST and the digest of SM2, against published answers and OpenSSL, on the
 * lanes of the including file. */
#ifndef GECC_TESTS_HASH_HASH_CASES_H
#define GECC_TESTS_HASH_HASH_CASES_H

#include "common.h"

#include "hash/tagged.h"
#include "scheme/digest.h"

#define IDENTIFIER(identifier, ...) identifier,
static const gecc_hash all_hashes[] = {GECC_HASH_LIST(IDENTIFIER)};
#undef IDENTIFIER

enum { WIDTH_MAX = 300, HASHES = sizeof all_hashes / sizeof all_hashes[0] };

static size_t digest_bytes(gecc_hash kind) {
#define BYTES(identifier, value, name, title, bytes) kind == identifier ? bytes:
    return GECC_HASH_LIST(BYTES) 0;
#undef BYTES
}

static void hash_segments(gecc_hash kind, uint8_t *const *out, const struct segment *segments, int count) {
#define OF(identifier, ...)                                                                                            \
    if (kind == identifier)                                                                                            \
        hash_message(identifier, out, segments, count);
    GECC_HASH_LIST(OF)
#undef OF
}

/* The sponge of rate 136, byte by byte in lane 0. mark: 0x01 for Keccak-256, 0x06 for SHA3-256. */
static void sponge(uint8_t out[32], const uint8_t *message, size_t width, uint8_t mark) {
    lane64 state[25];
    uint64_t word[25] = {0};
    for (size_t i = 0, end = (width / 136 + 1) * 136; i < end; i++) {
        uint64_t byte = i < width ? message[i] : i == width ? mark : 0;
        if (i + 1 == end)
            byte ^= 0x80;
        word[i % 136 / 8] ^= byte << (8 * (i % 8));
        if (i % 136 != 135)
            continue;
        for (int j = 0; j < 25; j++)
            state[j] = lane64_insert(lane64_set(0), 0, word[j]);
        keccak_permute(state);
        for (int j = 0; j < 25; j++)
            word[j] = lane64_extract(state[j], 0);
    }
    for (int i = 0; i < 32; i++)
        out[i] = (uint8_t)(word[i / 8] >> (8 * (i % 8)));
}

static void expect_digest(uint8_t *expected, gecc_hash kind, const uint8_t *message, size_t width) {
    if (kind == GECC_KECCAK256)
        sponge(expected, message, width, 0x01);
    else
        assert_int_equal(EVP_Digest(message, width, expected, NULL, reference_hash(kind), NULL), 1);
}

/* FIPS 180-4's examples (NIST CSRC), GM/T 0004 appendix A, the Keccak team's and Ethereum's Keccak-256. */
static const struct {
    gecc_hash kind;
    const char *message;
    size_t repeat;
    const char *digest;
} answers[] = {
    {GECC_SHA256, "", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {GECC_SHA256, "abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {GECC_SHA256, "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {GECC_SHA256, "a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    {GECC_SHA384, "abc", 1,
     "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7"},
    {GECC_SHA384,
     "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     1, "09330c33f71147e83d192fc782cd1b4753111b173b3b05d22fa08086e3b0f712fcc7c71a557e2db966c3e9fa91746039"},
    {GECC_SHA512, "abc", 1,
     "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd"
     "454d4423643ce80e2a9ac94fa54ca49f"},
    {GECC_SHA512,
     "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
     1,
     "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018501d289e4900f7e4331b99dec4b5433a"
     "c7d329eeb6dd26545e96e55b874be909"},
    {GECC_SM3, "abc", 1, "66c7f0f462eeedd9d1f2d46bdc10e4e24167c4875cf2f7a2297da02b8f4ba8e0"},
    {GECC_SM3, "abcd", 16, "debe9ff92275b8a138604889c18e5a4d6fdb70e5387e5765293dcba39c0c5732"},
    {GECC_KECCAK256, "", 1, "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"},
    {GECC_KECCAK256, "abc", 1, "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45"},
};

/* The answer in one lane, the empty message in the others. */
static void check_answer(gecc_hash kind, const uint8_t *message, size_t width, const uint8_t *expected, int lane) {
    struct segment segment;
    uint8_t out[LANES][GECC_HASH_BYTES_MOST], *out_at[LANES], empty[GECC_HASH_BYTES_MOST];
    for (int l = 0; l < LANES; l++) {
        segment.data[l] = l == lane ? message : NULL;
        segment.width[l] = l == lane ? width : 0;
        out_at[l] = out[l];
    }
    hash_segments(kind, out_at, &segment, 1);
    expect_digest(empty, kind, (const uint8_t *)"", 0);
    for (int l = 0; l < LANES; l++)
        assert_memory_equal(out[l], l == lane ? expected : empty, digest_bytes(kind));
}

static void known_answers(void **unused) {
    (void)unused;
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        const size_t once = strlen(answers[i].message), width = once * answers[i].repeat;
        uint8_t expected[GECC_HASH_BYTES_MOST], *message = malloc(width + 1);
        assert_non_null(message);
        for (size_t j = 0; j < answers[i].repeat; j++)
            memcpy(message + once * j, answers[i].message, once);
        assert_int_equal(from_hex(expected, answers[i].digest), digest_bytes(answers[i].kind));
        for (int lane = 0; lane < LANES; lane++)
            check_answer(answers[i].kind, message, width, expected, lane);
        free(message);
    }
}

/* The permutation under SHA3-256's padding, which OpenSSL has. */
static void permutation_makes_sha3(void **unused) {
    (void)unused;
    struct prng prng = prng_for("permutation_makes_sha3");
    uint8_t message[WIDTH_MAX], out[32], expected[32];
    prng_bytes(&prng, message, sizeof message);
    for (size_t width = 0; width <= WIDTH_MAX; width++) {
        sponge(out, message, width, 0x06);
        assert_int_equal(EVP_Digest(message, width, expected, NULL, EVP_sha3_256(), NULL), 1);
        assert_memory_equal(out, expected, 32);
    }
}

/* Hash `width[lane]` bytes of message[lane], cut at cut[lane][0] <= ... <= cut[lane][count - 2], and compare. */
static void check_cut(gecc_hash kind, uint8_t message[LANES][WIDTH_MAX], const size_t width[LANES],
                      size_t cut[LANES][MESSAGE_SEGMENTS - 1], int count) {
    struct segment segments[MESSAGE_SEGMENTS] = {{{NULL}, {0}}};
    uint8_t out[LANES][GECC_HASH_BYTES_MOST], *out_at[LANES], *copy[LANES][MESSAGE_SEGMENTS],
        expected[GECC_HASH_BYTES_MOST];
    for (int lane = 0; lane < LANES; lane++) {
        size_t from = 0;
        for (int s = 0; s < count; s++) {
            const size_t to = s == count - 1 ? width[lane] : cut[lane][s];
            copy[lane][s] = malloc(to - from ? to - from : 1);
            memcpy(copy[lane][s], message[lane] + from, to - from);
            segments[s].data[lane] = copy[lane][s];
            segments[s].width[lane] = to - from;
            from = to;
        }
        out_at[lane] = out[lane];
    }
    hash_segments(kind, out_at, segments, count);
    for (int lane = 0; lane < LANES; lane++) {
        expect_digest(expected, kind, message[lane], width[lane]);
        assert_memory_equal(out[lane], expected, digest_bytes(kind));
        for (int s = 0; s < count; s++)
            free(copy[lane][s]);
    }
}

static void every_width(void **unused) {
    (void)unused;
    struct prng prng = prng_for("every_width");
    uint8_t message[LANES][WIDTH_MAX];
    size_t width[LANES], cut[LANES][MESSAGE_SEGMENTS - 1];
    prng_bytes(&prng, message[0], sizeof message);
    for (int h = 0; h < HASHES; h++) {
        for (size_t w = 0; w <= WIDTH_MAX; w++) {
            for (size_t lane = 0; lane < LANES; lane++)
                width[lane] = (w + 37 * lane) % (WIDTH_MAX + 1);
            check_cut(all_hashes[h], message, width, cut, 1);
        }
    }
}

static void every_cut(void **unused) {
    (void)unused;
    struct prng prng = prng_for("every_cut");
    uint8_t message[LANES][WIDTH_MAX];
    size_t width[LANES], cut[LANES][MESSAGE_SEGMENTS - 1];
    prng_bytes(&prng, message[0], sizeof message);
    for (int h = 0; h < HASHES; h++) {
        for (size_t at = 0; at <= WIDTH_MAX; at++) {
            for (size_t lane = 0; lane < LANES; lane++) {
                width[lane] = WIDTH_MAX - (lane * 29 + at) % 8;
                cut[lane][0] = at < width[lane] ? at : width[lane];
            }
            check_cut(all_hashes[h], message, width, cut, 2);
        }
    }
}

/* Four segments, about a third of them empty. */
static void random_cuts(void **unused) {
    (void)unused;
    struct prng prng = prng_for("random_cuts");
    uint8_t message[LANES][WIDTH_MAX];
    size_t width[LANES], cut[LANES][MESSAGE_SEGMENTS - 1];
    for (int i = 0; i < 2000; i++) {
        prng_bytes(&prng, message[0], sizeof message);
        for (int lane = 0; lane < LANES; lane++) {
            width[lane] = prng_below(&prng, WIDTH_MAX + 1);
            size_t from = 0;
            for (int s = 0; s < MESSAGE_SEGMENTS - 1; s++) {
                if (prng_below(&prng, 3))
                    from += prng_below(&prng, width[lane] - from + 1);
                cut[lane][s] = from;
            }
        }
        check_cut(all_hashes[i % HASHES], message, width, cut, MESSAGE_SEGMENTS);
    }
}

enum { ROWS = 3 * LANES + 5, STRIDE = 80 };

/* The program hashes the rows it is given, by offset and width, and touches no other row. */
static void program_hashes_its_rows(void **unused) {
    (void)unused;
    struct prng prng = prng_for("program_hashes_its_rows");
    uint8_t data[ROWS * STRIDE], out[ROWS * STRIDE], status[ROWS], expected[GECC_HASH_BYTES_MOST], untouched[STRIDE];
    uint64_t offsets[ROWS];
    uint32_t widths[ROWS];
    prng_bytes(&prng, data, sizeof data);
    memset(untouched, 0xee, sizeof untouched);
    for (size_t i = 0; i < ROWS; i++) {
        widths[i] = (uint32_t)prng_below(&prng, 2 * STRIDE);
        offsets[i] = prng_below(&prng, sizeof data - widths[i]);
    }
    for (int h = 0; h < HASHES; h++) {
        const size_t first = (size_t)h % 3, count = ROWS - 2 - (size_t)h, bytes = digest_bytes(all_hashes[h]);
        struct job job = {.hash = all_hashes[h], .status = {status, 1, NULL}, .count = ROWS};
        job.in[0] = (gecc_rows){data, 0, 0, widths, offsets};
        job.out[0] = gecc_out_packed(out, STRIDE);
        memset(out, 0xee, sizeof out);
        memset(status, GECC_ITEM_NOT_PROCESSED, sizeof status);
        assert_int_equal(digest(NULL, NULL, &job, first, count), GECC_OK);
        for (size_t i = 0; i < ROWS; i++) {
            const int mine = i >= first && i < first + count;
            expect_digest(expected, all_hashes[h], data + offsets[i], widths[i]);
            assert_memory_equal(out + i * STRIDE, mine ? expected : untouched, bytes);
            assert_memory_equal(out + i * STRIDE + bytes, untouched, STRIDE - bytes);
            assert_int_equal(status[i], mine ? GECC_ITEM_OK : GECC_ITEM_NOT_PROCESSED);
        }
    }
}

/* The output may be the input, row for row. */
static void program_hashes_in_place(void **unused) {
    (void)unused;
    struct prng prng = prng_for("program_hashes_in_place");
    for (int h = 0; h < HASHES; h++) {
        uint8_t data[ROWS * STRIDE], before[ROWS * STRIDE], status[ROWS], expected[GECC_HASH_BYTES_MOST];
        struct job job = {.hash = all_hashes[h], .status = {status, 1, NULL}, .count = ROWS};
        prng_bytes(&prng, data, sizeof data);
        memcpy(before, data, sizeof data);
        job.in[0] = gecc_rows_packed(data, STRIDE);
        job.out[0] = gecc_out_packed(data, STRIDE);
        assert_int_equal(digest(NULL, NULL, &job, 0, ROWS), GECC_OK);
        for (size_t i = 0; i < ROWS; i++) {
            expect_digest(expected, all_hashes[h], before + i * STRIDE, STRIDE);
            assert_memory_equal(data + i * STRIDE, expected, digest_bytes(all_hashes[h]));
        }
    }
}

/* a, b and G of sm2p256v1 (GB/T 32918.5). */
static const char sm2_constants[] = "fffffffeffffffffffffffffffffffffffffffff00000000fffffffffffffffc"
                                    "28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93"
                                    "32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7"
                                    "bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0";

/* e by one hash of OpenSSL after the other. */
static void expect_sm2_digest(uint8_t e[32], const uint8_t *constants, const uint8_t *key, const uint8_t *id,
                              size_t id_bytes, const uint8_t *message, size_t message_bytes) {
    const uint8_t entl[2] = {(uint8_t)(8 * id_bytes >> 8), (uint8_t)(8 * id_bytes)};
    uint8_t za[32];
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    assert_int_equal(EVP_DigestInit_ex(context, EVP_sm3(), NULL), 1);
    EVP_DigestUpdate(context, entl, 2);
    EVP_DigestUpdate(context, id, id_bytes);
    EVP_DigestUpdate(context, constants, SM2_CONSTANTS_BYTES);
    EVP_DigestUpdate(context, key, 64);
    EVP_DigestFinal_ex(context, za, NULL);
    assert_int_equal(EVP_DigestInit_ex(context, EVP_sm3(), NULL), 1);
    EVP_DigestUpdate(context, za, 32);
    EVP_DigestUpdate(context, message, message_bytes);
    EVP_DigestFinal_ex(context, e, NULL);
    EVP_MD_CTX_free(context);
}

/* Lane 0: GB/T 32918.5, appendix A.2. The others: ids of 0 to 8191 bytes, messages of 0 to 200. */
static void sm2_digests(void **unused) {
    (void)unused;
    struct prng prng = prng_for("sm2_digests");
    static uint8_t text[SM2_ID_BYTES_MAX + 1];
    uint8_t constants[SM2_CONSTANTS_BYTES], key[LANES][64], e[LANES][32], expected[32];
    const uint8_t *key_at[LANES];
    uint8_t *e_at[LANES];
    struct segment id, message;
    from_hex(constants, sm2_constants);
    prng_bytes(&prng, text, sizeof text);
    for (int i = 0; i < 50; i++) {
        prng_bytes(&prng, key[0], sizeof key);
        for (int lane = 0; lane < LANES; lane++) {
            key_at[lane] = key[lane];
            e_at[lane] = e[lane];
            id.width[lane] = i == 2 ? SM2_ID_BYTES_MAX : prng_below(&prng, i % 4 ? 40 : SM2_ID_BYTES_MAX + 1);
            id.data[lane] = text + prng_below(&prng, sizeof text - id.width[lane]);
            message.width[lane] = prng_below(&prng, 201);
            message.data[lane] = text + prng_below(&prng, 1000);
        }
        if (i == 0) {
            from_hex(key[0], "09f9df311e5421a150dd7d161e4bc5c672179fad1833fc076bb08ff356f35020"
                             "ccea490ce26775a52dc6ea718cc1aa600aed05fbf35e084a6632f6072da9ad13");
            id.data[0] = (const uint8_t *)"1234567812345678";
            id.width[0] = 16;
            message.data[0] = (const uint8_t *)"message digest";
            message.width[0] = 14;
        }
        sm2_digest_lanes(e_at, constants, key_at, &id, &message);
        for (int lane = 0; lane < LANES; lane++) {
            expect_sm2_digest(expected, constants, key[lane], id.data[lane], id.width[lane], message.data[lane],
                              message.width[lane]);
            assert_memory_equal(e[lane], expected, 32);
        }
        if (i == 0) {
            from_hex(expected, "f0b43e94ba45accaace692ed534382eb17e6ab5a19ce7b31f4486fdfc0d28640");
            assert_memory_equal(e[0], expected, 32);
        }
    }
}

/* Runs them all; the result is main's. */
/* Tagged hashes (BIP-340), from the names of the tags. */

static const char *const tag_names[TAGS] = {"BIP0340/aux", "BIP0340/nonce", "BIP0340/challenge", "TapTweak"};

/* What each lane hashes, and a message in the middle of it. */
struct tagged_rows {
    uint8_t bytes[LANES][64 + WIDTH_MAX];
    struct segment message;
    uint32_t both[LANES]; /* all ones or zeros */
};

static void check_tagged(enum tag tag, const lane32 hash[8], int lane, const uint8_t *x, size_t width) {
    uint8_t bytes[64 + 64 + WIDTH_MAX], found[32], expected[32];
    assert_int_equal(EVP_Digest(tag_names[tag], strlen(tag_names[tag]), bytes, NULL, EVP_sha256(), NULL), 1);
    memcpy(bytes + 32, bytes, 32);
    memcpy(bytes + 64, x, width);
    assert_int_equal(EVP_Digest(bytes, 64 + width, expected, NULL, EVP_sha256(), NULL), 1);
    for (int i = 0; i < 8; i++)
        store32_big_endian(found + 4 * i, lane32_extract(hash[i], lane));
    assert_memory_equal(found, expected, 32);
}

/* x of 32 bytes, or of 32 and 64, or of 64 and 32 more, or of 64 and a message of any width. */
LANE_INLINE void check_forms(enum tag tag, const struct tagged_rows *rows) {
    lane32 x[24], hash[8];
    for (int i = 0; i < 24; i++) {
        uint32_t word[LANES];
        for (int lane = 0; lane < LANES; lane++)
            word[lane] = load32_big_endian(rows->bytes[lane] + 4 * i);
        x[i] = lane32_load(word);
    }
    tagged_hash32(tag, hash, x);
    for (int lane = 0; lane < LANES; lane++)
        check_tagged(tag, hash, lane, rows->bytes[lane], 32);
    tagged_hash32_or_64(tag, hash, x, x + 8, lane32_load(rows->both));
    for (int lane = 0; lane < LANES; lane++)
        check_tagged(tag, hash, lane, rows->bytes[lane], rows->both[lane] ? 64 : 32);
    tagged_hash_block(tag, hash, x, x + 8);
    tagged_hash_last32(hash, x + 16);
    for (int lane = 0; lane < LANES; lane++)
        check_tagged(tag, hash, lane, rows->bytes[lane], 96);
    tagged_hash_block(tag, hash, x, x + 8);
    tagged_hash_last(hash, &rows->message);
    for (int lane = 0; lane < LANES; lane++)
        check_tagged(tag, hash, lane, rows->bytes[lane], 64 + rows->message.width[lane]);
}

static void tagged_hashes(void **unused) {
    (void)unused;
    struct prng prng = prng_for("tagged_hashes");
    struct tagged_rows rows;
    for (size_t width = 0; width <= WIDTH_MAX; width++) {
        prng_bytes(&prng, rows.bytes[0], sizeof rows.bytes);
        for (int lane = 0; lane < LANES; lane++) {
            rows.both[lane] = prng_below(&prng, 2) ? ~(uint32_t)0 : 0;
            rows.message.data[lane] = rows.bytes[lane] + 64;
            rows.message.width[lane] = (width + 41 * (size_t)lane) % (WIDTH_MAX + 1);
        }
        check_forms(TAG_AUX, &rows);
        check_forms(TAG_NONCE, &rows);
        check_forms(TAG_CHALLENGE, &rows);
        check_forms(TAG_TWEAK, &rows);
    }
}

static void tagged_aux_of_zeros(void **unused) {
    (void)unused;
    lane32 hash[8];
    const uint8_t zeros[32] = {0};
    for (int i = 0; i < 8; i++)
        hash[i] = lane32_set(tagged_aux_zero[i]);
    check_tagged(TAG_AUX, hash, 0, zeros, 32);
}

static int hash_cases(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(permutation_makes_sha3),
        cmocka_unit_test(every_width),
        cmocka_unit_test(every_cut),
        cmocka_unit_test(random_cuts),
        cmocka_unit_test(program_hashes_its_rows),
        cmocka_unit_test(program_hashes_in_place),
        cmocka_unit_test(sm2_digests),
        cmocka_unit_test(tagged_hashes),
        cmocka_unit_test(tagged_aux_of_zeros),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
