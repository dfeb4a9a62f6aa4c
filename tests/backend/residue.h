/* What is left of secrets in a process's memory after a call, and after the context is closed: nothing.
 *
 * Each run is a process of its own, this program started again: it is told the inputs and, masked, what not to find;
 * calls; wipes its own buffers; and searches every writable page of its own for the secrets. Whoever started it knows
 * the nonces of signatures from what was signed before with the same inputs. A process that does not answer fails the
 * test. */
#ifndef TESTS_BACKEND_RESIDUE_H
#define TESTS_BACKEND_RESIDUE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <inttypes.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/cpu/machines.h"
#include "backend/memory.h"
#include "curve/sizes.h"
#include "support/order.h"
#include "support/prng.h"

enum {
    ROWS = 300,
    THREADS = 2,
    BYTES_MOST = GECC_CURVE_BYTES_MOST,
    NAME_BYTES = 24,
    PATTERNS_MOST = 6400,
    FILTER_BITS = 16,
    OUT_BYTES = 2 * GECC_CURVE_BYTES_MOST + 8,
    ORDER_FD = 3 /* where a run finds its inputs, and answers */
};

/* What is searched for. */
struct pattern {
    char name[NAME_BYTES];
    uint64_t masked;
};

enum { PATTERN_MASK_LOW = 0x5a5a1234 };
static const uint64_t pattern_mask = (uint64_t)0xdeadbeef << 32 | PATTERN_MASK_LOW;

/* What a run leaves out, to show that the search finds what remains then. */
enum leave_out { LEAVE_NOTHING, LEAVE_STACK, LEAVE_ARENAS };

/* What a run is told. */
struct order {
    unsigned operation; /* which residue_operation */
    gecc_curve curve;   /* 0: modular */
    size_t bytes;       /* of a scalar or residue */
    enum leave_out leave_out;
    uint8_t secret[2][BYTES_MOST], public_bytes[1 + 2 * BYTES_MOST], modulus[BYTES_MOST];
    unsigned patterns;
    struct pattern pattern[PATTERNS_MOST];
};

/* What it answers: where it looked, how many words it found, and one of them. */
struct answer {
    gecc_result result;
    uint8_t status;
    unsigned long in_use, after_call, after_close;
    size_t deepest; /* bytes of stack that programs took */
    char name[NAME_BYTES];
};

/* The wipes of the library, which a run can leave out: the linker puts these in their place. */
static enum leave_out leaving_out;
void __real_gecc_wipe(void *bytes, size_t count);
void __real_gecc_wipe_stack(void);
void __wrap_gecc_wipe(void *bytes, size_t count);
void __wrap_gecc_wipe_stack(void);

void __wrap_gecc_wipe(void *bytes, size_t count) {
    if (leaving_out != LEAVE_ARENAS)
        __real_gecc_wipe(bytes, count);
}

/* How deep the first program was that the calling thread ran: below this frame, what is no longer painted. What is
 * wiped then is painted no more. */
enum { PAINT = 0xa5, PAINTED = 2 * STACK_WIPED };
static uint8_t *painted; /* of the thread that painted its stack; NULL: none did */
static size_t deepest;

static inline void measure_depth(void) {
    uint8_t *here = __builtin_frame_address(0), *at = painted;
    if (painted == NULL || here < painted || here - painted > 2 * PAINTED)
        return;
    while (at < here && *at == PAINT)
        at++;
    deepest = (size_t)(here - at);
    painted = NULL;
}

/* The stack below the caller's frame, which it then calls into. */
static __attribute__((noinline, unused)) void paint_stack(void) {
    uint8_t area[PAINTED];
    painted = area;
    memset(area, PAINT, sizeof area);
    __asm__ volatile("" : : "r"(area) : "memory");
}

void __wrap_gecc_wipe_stack(void) {
    measure_depth();
    if (leaving_out != LEAVE_STACK)
        __real_gecc_wipe_stack();
}

/* Operations that have secrets, in the order of the library's table: their secrets are secret[0] and secret[1]. One
 * that takes entropy, as BIP-340's auxiliary randomness is, comes twice, the second time hedged and verified; Ed25519's
 * signing too, the second time verified. */

struct residue_operation {
    const gecc_operation *operation; /* NULL: there are no more */
    bool hedged;
    bool signs;       /* with a nonce of the library's, which is looked for too; of Ed25519 it is another matter */
    unsigned secrets; /* of the inputs */
};

static inline bool is_entropy(const gecc_column *in) {
    return in->kind == GECC_KIND_ENTROPY || in->kind == GECC_KIND_AUXILIARY;
}

static inline bool is_secret_number(const gecc_column *in) { return in->secrecy != GECC_PUBLIC && !is_entropy(in); }

static inline bool is_on_curve25519(const gecc_operation *operation) {
    return operation->curves == 1u << GECC_CURVE25519;
}

static inline bool signs_with_ed25519(const gecc_operation *operation) {
    const gecc_column *out = gecc_operation_output(operation, 0);
    return out != NULL && out->kind == GECC_KIND_ED25519_SIGNATURE;
}

static inline bool takes_entropy(const gecc_operation *operation) {
    const gecc_column *in;
    bool takes = false;
    for (size_t i = 0; (in = gecc_operation_input(operation, i)) != NULL; i++)
        takes |= is_entropy(in);
    return takes;
}

static inline struct residue_operation residue_operation(unsigned index) {
    struct residue_operation found = {.operation = NULL};
    const gecc_operation *operation;
    const gecc_column *in;
    for (size_t i = 0; (operation = gecc_operations(i)) != NULL; i++) {
        const bool twice = takes_entropy(operation) || signs_with_ed25519(operation);
        unsigned ways = operation->secrecy == GECC_PUBLIC ? 0 : twice ? 2 : 1;
        if (index < ways) {
            found.operation = operation;
            found.hedged = index == 1;
            break;
        }
        index -= ways;
    }
    for (size_t i = 0; (in = gecc_operation_input(found.operation, i)) != NULL; i++)
        found.secrets += is_secret_number(in);
    found.signs = takes_entropy(found.operation);
    return found;
}

static inline bool is_modular(const struct residue_operation *o) {
    return o->operation->selector == GECC_SELECT_MODULUS;
}

struct columns {
    gecc_rows secret[2], point, digest, ciphertext;
    gecc_out out, status;
    gecc_modulus modulus;
};

static inline gecc_result residue_call(gecc_context *context, const struct residue_operation *o, gecc_curve curve,
                                       const struct columns *c) {
    uint32_t widths[ROWS];
    const gecc_out outputs[] = {{c->out.data, c->out.stride, widths}, gecc_out_none(), gecc_out_none()};
    gecc_rows inputs[6];
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    gecc_options options = GECC_OPTIONS_INIT;
    const gecc_column *in;
    unsigned secrets = 0;
    parameters.curve = curve;
    parameters.modulus = c->modulus;
    options.flags = o->hedged ? GECC_VERIFY_SIGNATURES : 0;
    for (size_t i = 0; (in = gecc_operation_input(o->operation, i)) != NULL; i++)
        inputs[i] = is_secret_number(in)                 ? c->secret[secrets++]
                    : in->kind == GECC_KIND_POINT        ? c->point
                    : in->kind == GECC_KIND_CONFIRMATION ? gecc_rows_none()
                    : in->kind == GECC_KIND_CIPHERTEXT   ? c->ciphertext
                    : !is_entropy(in)                    ? c->digest
                    : o->hedged                          ? gecc_rows_same(c->digest.data, 32)
                                                         : gecc_rows_none();
    return gecc_run(context, o->operation, &parameters, outputs, c->status, inputs, ROWS, &options);
}

/* The run: what is searched, and how. */

static uint8_t filter[1 << FILTER_BITS];

static inline uint64_t filter_index(uint64_t word) { return (word >> 13) & ((1 << FILTER_BITS) - 1); }

/* Words of the range, at every byte, that are patterns. */
static inline unsigned long search_range(const struct order *order, const uint8_t *from, const uint8_t *to,
                                         char *name) {
    unsigned long found = 0;
    for (const uint8_t *at = from; at + sizeof(uint64_t) <= to; at++) {
        uint64_t word;
        memcpy(&word, at, sizeof word);
        if (word == 0 || !filter[filter_index(word)])
            continue;
        for (unsigned i = 0; i < order->patterns; i++)
            if ((word ^ pattern_mask) == order->pattern[i].masked) {
                found++;
                memcpy(name, order->pattern[i].name, NAME_BYTES);
            }
    }
    return found;
}

/* One line of /proc/self/maps: a range that can be read and written? */
static inline bool maps_line(const char *line, uintptr_t *from, uintptr_t *to) {
    char permissions[5];
    return sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s", from, to, permissions) == 3 && permissions[0] == 'r' &&
           permissions[1] == 'w';
}

static inline unsigned long search(const struct order *order, char *name) {
    static char maps[1 << 16];
    size_t used = 0;
    int fd = open("/proc/self/maps", O_RDONLY);
    for (ssize_t got; (got = read(fd, maps + used, sizeof maps - 1 - used)) > 0;)
        used += (size_t)got;
    close(fd);
    maps[used] = 0;
    unsigned long found = 0;
    for (const char *line = maps; line != NULL && *line != 0;) {
        uintptr_t from, to;
        if (maps_line(line, &from, &to))
            found += search_range(order, (const uint8_t *)from, (const uint8_t *)to, name);
        line = strchr(line, '\n');
        line += line != NULL;
    }
    return found;
}

/* What a child finds before anything is wiped: what it reads is not on this process's stack. */
static inline unsigned long search_in_child(const struct order *order) {
    pid_t child = fork();
    if (child == 0) {
        char name[NAME_BYTES];
        _exit(search(order, name) != 0);
    }
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 1;
}

static inline bool read_all(int fd, void *bytes, size_t count) {
    for (size_t done = 0; done < count;) {
        ssize_t got = read(fd, (uint8_t *)bytes + done, count - done);
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static inline int residue_run(void) {
    static struct order order;
    static struct answer answer;
    static uint8_t out[ROWS * OUT_BYTES], status[ROWS];
    if (!read_all(ORDER_FD, &order, sizeof order))
        return 1;
    const struct residue_operation operation = residue_operation(order.operation);
    if (operation.operation == NULL)
        return 1;
    for (unsigned i = 0; i < order.patterns; i++)
        filter[filter_index(order.pattern[i].masked ^ pattern_mask)] = 1;
    leaving_out = order.leave_out;
    /* C1 is on the curve, C3 is not that of any text: decrypted all the same, and refused. */
    uint8_t ciphertext[65 + 32 + 32] = {0};
    memcpy(ciphertext, order.public_bytes, 65);
    const struct columns columns = {
        .secret = {gecc_rows_same(order.secret[0], order.bytes), gecc_rows_same(order.secret[1], order.bytes)},
        .point = gecc_rows_same(order.public_bytes, 1 + 2 * order.bytes),
        .digest = gecc_rows_same(order.public_bytes + 1, 32),
        .ciphertext = gecc_rows_same(ciphertext, sizeof ciphertext),
        .out = gecc_out_packed(out, OUT_BYTES),
        .status = gecc_out_packed(status, 1),
        .modulus = {order.modulus, order.bytes},
    };
    gecc_config config = GECC_CONFIG_INIT;
    gecc_context *context;
    config.backend = "cpu";
    config.threads = THREADS;
    if (gecc_open(&context, &config) != GECC_OK)
        return 1;
    answer.in_use = search_in_child(&order);
    paint_stack();
    answer.result = residue_call(context, &operation, order.curve, &columns);
    answer.deepest = deepest;
    answer.status = status[0];
    memset(order.secret, 0, sizeof order.secret);
    memset(out, 0, sizeof out);
    answer.after_call = search(&order, answer.name);
    gecc_close(context);
    answer.after_close = search(&order, answer.name);
    return write(ORDER_FD, &answer, sizeof answer) == (ssize_t)sizeof answer ? 0 : 1;
}

/* Who starts it. */

static inline void add_pattern(struct order *order, const char *kind, unsigned part, uint64_t word) {
    struct pattern *pattern = &order->pattern[order->patterns];
    if (word >> 40 == 0) /* may be anything */
        return;
    assert_true(order->patterns < PATTERNS_MOST);
    (void)snprintf(pattern->name, sizeof pattern->name, "%.10s.%u", kind, part);
    pattern->masked = word ^ pattern_mask;
    order->patterns++;
}

static inline uint64_t bits_of(const BIGNUM *value, unsigned first, unsigned count) {
    uint64_t word = 0;
    for (unsigned i = 0; i < count; i++)
        word |= (uint64_t)BN_is_bit_set(value, (int)(first + i)) << i;
    return word;
}

/* Limbs of 64 bits, which are pairs of 32-bit ones too, of 52, of P-521 of 58, of 32 in lanes that hold the same;
 * words of 32 bits from the highest down; bytes from the highest down. */
static inline void add_words(struct order *order, const char *kind, const BIGNUM *value, unsigned bits) {
    for (unsigned i = 0; i < bits; i += 64)
        add_pattern(order, kind, i, bits_of(value, i, 64));
    for (unsigned i = 0; i < bits; i += 52)
        add_pattern(order, kind, i, bits_of(value, i, 52));
    for (unsigned i = 0; i < bits && bits > 512; i += 58)
        add_pattern(order, kind, i, bits_of(value, i, 58));
    for (unsigned i = 0; i < bits; i += 32) {
        uint64_t word = bits_of(value, i, 32);
        if (word >> 24 == 0) /* the few highest bits: may be anything */
            continue;
        add_pattern(order, kind, i, word << 32 | word);
        add_pattern(order, kind, i, word << 32 | bits_of(value, i + 32, 32));
    }
    for (unsigned i = 0; i + 64 <= bits; i += 64)
        add_pattern(order, kind, i, __builtin_bswap64(bits_of(value, i, 64)));
}

/* v, n - v, all forms of v in which machines multiply, and v^-1 in all of them. */
static inline void add_secret(struct order *order, const char *kind, const BIGNUM *value, const BIGNUM *n) {
    BN_CTX *bn = BN_CTX_new();
    unsigned bits = 8 * (unsigned)order->bytes, widths[] = {(bits + 63) / 64 * 64, (bits + 51) / 52 * 52, 522};
    char name[NAME_BYTES];
    BIGNUM *form = BN_new(), *inverse = BN_new();
    if (BN_is_zero(value))
        return;
    bool invertible = BN_mod_inverse(inverse, value, n, bn) != NULL;
    for (int inverted = 0; inverted <= invertible; inverted++) {
        const BIGNUM *v = inverted ? inverse : value;
        (void)snprintf(name, sizeof name, "%s%s", inverted ? "1/" : "", kind);
        add_words(order, name, v, bits);
        (void)snprintf(name, sizeof name, "-%s%s", inverted ? "1/" : "", kind);
        BN_sub(form, n, v);
        if (!BN_is_negative(form))
            add_words(order, name, form, bits);
        for (int i = 0; i < (bits > 512 ? 3 : 2); i++) { /* P-521 has nine limbs of 58 bits */
            (void)snprintf(name, sizeof name, "%s%sR%d", inverted ? "1/" : "", kind, i == 0 ? 64 : i == 1 ? 52 : 58);
            BN_lshift(form, v, (int)widths[i]);
            BN_nnmod(form, form, n, bn);
            add_words(order, name, form, bits);
            BN_add(form, form, n); /* as loose residues are */
            add_words(order, name, form, bits + 8);
        }
    }
    BN_free(form);
    BN_free(inverse);
    BN_CTX_free(bn);
}

static inline BIGNUM *number(const uint8_t *bytes, size_t count) { return BN_bin2bn(bytes, (int)count, NULL); }

/* d or n - d, which makes an even y; x: its x. */
static inline BIGNUM *even_key(const BIGNUM *d, const BIGNUM *n, uint8_t x[32]) {
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_secp256k1);
    EC_POINT *point = EC_POINT_new(group);
    uint8_t compressed[33];
    BIGNUM *even = BN_dup(d);
    assert_int_equal(EC_POINT_mul(group, point, d, NULL, NULL, NULL), 1);
    assert_int_equal(EC_POINT_point2oct(group, point, POINT_CONVERSION_COMPRESSED, compressed, sizeof compressed, NULL),
                     33);
    if (compressed[0] == 3)
        BN_sub(even, n, d);
    memcpy(x, compressed + 1, 32);
    EC_POINT_free(point);
    EC_GROUP_free(group);
    return even;
}

/* The nonce of a Schnorr signature of the message: s - e d, or n less that. */
static inline BIGNUM *schnorr_nonce_of(const struct order *order, const uint8_t *signature, const BIGNUM *n) {
    static const char tag[] = "BIP0340/challenge";
    BN_CTX *bn = BN_CTX_new();
    uint8_t bytes[5 * 32], hash[32];
    BIGNUM *d = number(order->secret[0], 32), *even = even_key(d, n, bytes + 3 * 32), *k = number(signature + 32, 32);
    assert_int_equal(EVP_Digest(tag, sizeof tag - 1, bytes, NULL, EVP_sha256(), NULL), 1);
    memcpy(bytes + 32, bytes, 32);
    memcpy(bytes + 2 * 32, signature, 32);
    memcpy(bytes + 4 * 32, order->public_bytes + 1, 32);
    assert_int_equal(EVP_Digest(bytes, sizeof bytes, hash, NULL, EVP_sha256(), NULL), 1);
    BIGNUM *e = number(hash, 32);
    BN_mod_mul(e, e, even, n, bn);
    BN_mod_sub(k, k, e, n, bn);
    BN_free(d);
    BN_free(even);
    BN_free(e);
    BN_CTX_free(bn);
    return k;
}

/* The nonce of a signature: k = (e + r d) / s, and SM2's k = s + (r + s) d. */
static inline BIGNUM *nonce_of(const struct order *order, const uint8_t *signature, const BIGNUM *n) {
    BN_CTX *bn = BN_CTX_new();
    BIGNUM *r = number(signature, order->bytes), *s = number(signature + order->bytes, order->bytes);
    BIGNUM *d = number(order->secret[0], order->bytes), *e = number(order->public_bytes + 1, 32), *k = BN_new();
    if (order->curve == GECC_SM2) {
        BN_mod_add(k, r, s, n, bn);
        BN_mod_mul(k, k, d, n, bn);
        BN_mod_add(k, k, s, n, bn);
    } else {
        BN_mod_mul(k, r, d, n, bn);
        BN_mod_add(k, k, e, n, bn);
        BN_mod_inverse(s, s, n, bn);
        BN_mod_mul(k, k, s, n, bn);
    }
    BN_free(r);
    BN_free(s);
    BN_free(d);
    BN_free(e);
    BN_CTX_free(bn);
    return k;
}

static inline BIGNUM *little(const uint8_t *bytes, size_t count) { return BN_lebin2bn(bytes, (int)count, NULL); }

/* The 64 bytes of SHA-512(head || middle || tail). */
static inline void sha512_of(uint8_t hash[64], const void *head, size_t head_bytes, const uint8_t *middle,
                             const uint8_t *tail) {
    uint8_t bytes[256];
    assert_true(head_bytes <= 128);
    memcpy(bytes, head, head_bytes);
    memcpy(bytes + head_bytes, middle, 32);
    if (tail != NULL)
        memcpy(bytes + head_bytes + 32, tail, 32);
    assert_int_equal(EVP_Digest(bytes, head_bytes + (tail == NULL ? 32 : 64), hash, NULL, EVP_sha512(), NULL), 1);
}

/* The 32 bytes as they are, and clamped; modulo n what is multiplied by. */
static inline void add_clamped(struct order *order, const char *kind, const uint8_t *bytes, const BIGNUM *n) {
    BN_CTX *bn = BN_CTX_new();
    uint8_t clamped[32];
    memcpy(clamped, bytes, sizeof clamped);
    clamped[0] &= 0xf8;
    clamped[31] = (clamped[31] & 0x7f) | 0x40;
    BIGNUM *raw = little(bytes, 32), *scalar = little(clamped, 32);
    add_words(order, kind, raw, 256);
    add_words(order, kind, scalar, 256);
    BN_nnmod(scalar, scalar, n, bn);
    add_secret(order, kind, scalar, n);
    BN_free(raw);
    BN_free(scalar);
    BN_CTX_free(bn);
}

/* Of an operation on Curve25519: the private key; of Ed25519 the seed, the scalar and the prefix made of it, and the
 * nonce. What residue_call gives as message and context is one column. */
static inline void add_curve25519(struct order *order, const struct residue_operation *what) {
    static const char dom2[] = "SigEd25519 no Ed25519 collisions\0 ";
    BN_CTX *bn = BN_CTX_new();
    BIGNUM *n = NULL;
    uint8_t head[66], hash[64];
    BN_hex2bn(&n, "1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed");
    if (gecc_operation_input(what->operation, 0)->kind != GECC_KIND_SEED) {
        add_clamped(order, "k", order->secret[0], n);
    } else {
        sha512_of(hash, NULL, 0, order->secret[0], NULL);
        BIGNUM *seed = little(order->secret[0], 32), *prefix = little(hash + 32, 32);
        add_words(order, "seed", seed, 256);
        add_clamped(order, "a", hash, n);
        if (signs_with_ed25519(what->operation)) {
            add_words(order, "prefix", prefix, 256);
            memcpy(head, dom2, 34); /* whose last byte is 32, the context's width */
            memcpy(head + 34, order->public_bytes + 1, 32);
            sha512_of(hash, head, sizeof head, hash + 32, order->public_bytes + 1);
            BIGNUM *r = little(hash, 64);
            BN_nnmod(r, r, n, bn);
            add_secret(order, "r", r, n);
            BN_free(r);
        }
        BN_free(seed);
        BN_free(prefix);
    }
    BN_free(n);
    BN_CTX_free(bn);
}

/* A random order; the point is G. */
static inline void make_order(struct order *order, struct prng *prng, unsigned operation, gecc_curve curve,
                              size_t bytes, gecc_context *context) {
    static uint8_t out[ROWS * OUT_BYTES], status[ROWS];
    const struct residue_operation what = residue_operation(operation);
    uint8_t one[BYTES_MOST] = {0};
    *order = (struct order){.operation = operation, .curve = curve, .bytes = bytes};
    prng_bytes(prng, order->secret, sizeof order->secret);
    prng_bytes(prng, order->modulus, bytes);
    for (int i = 0; i < 2; i++)
        order->secret[i][0] &= curve_bits(curve) % 8 == 1 ? 0 : 0x7f; /* less than the order */
    order->modulus[0] |= 0x80;
    order->modulus[bytes - 1] |= 1;
    if (curve == GECC_CURVE25519) {
        prng_bytes(prng, order->public_bytes, 1 + 2 * bytes);
        add_curve25519(order, &what);
        return;
    }
    if (curve != 0) {
        one[bytes - 1] = 1;
        assert_int_equal(gecc_ec_public_key(context, curve,
                                            gecc_out_packed(order->public_bytes, sizeof order->public_bytes),
                                            gecc_out_packed(status, 1), gecc_rows_packed(one, bytes), 1, NULL),
                         GECC_OK);
    }
    BIGNUM *n = curve == 0 ? number(order->modulus, bytes) : order_of(curve);
    for (unsigned i = 0; i < what.secrets; i++) {
        BIGNUM *secret = number(order->secret[i], bytes);
        add_secret(order, i == 0 ? "d" : "k", secret, n);
        BN_free(secret);
    }
    if (what.signs) {
        const struct columns columns = {.secret = {gecc_rows_same(order->secret[0], bytes)},
                                        .digest = gecc_rows_same(order->public_bytes + 1, 32),
                                        .out = gecc_out_packed(out, OUT_BYTES),
                                        .status = gecc_out_packed(status, 1)};
        const struct residue_operation plain = {what.operation, false, true, 1};
        assert_int_equal(residue_call(context, &plain, curve, &columns), GECC_OK);
        bool schnorr = gecc_operation_output(what.operation, 0)->kind == GECC_KIND_BIP340_SIGNATURE;
        BIGNUM *k = schnorr ? schnorr_nonce_of(order, out, n) : nonce_of(order, out, n);
        add_secret(order, "k", k, n);
        BN_free(k);
    }
    BN_free(n);
}

/* Have a new process do it. Returns whether it answered, and ended well. */
static inline bool run_order(const struct order *order, const char *machine, struct answer *answer) {
    int pair[2], status;
    char setting[32];
    char *const arguments[] = {(char *)(uintptr_t) "residue", (char *)(uintptr_t) "run", NULL};
    char *const environment[] = {setting, NULL};
    posix_spawn_file_actions_t actions;
    pid_t child;
    (void)snprintf(setting, sizeof setting, "GECC_CPU=%s", machine);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pair[1], ORDER_FD);
    assert_int_equal(posix_spawn(&child, "/proc/self/exe", &actions, NULL, arguments, environment), 0);
    posix_spawn_file_actions_destroy(&actions);
    close(pair[1]);
    bool answered = write(pair[0], order, sizeof *order) == sizeof *order && read_all(pair[0], answer, sizeof *answer);
    close(pair[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    return answered && status == 0;
}

static size_t stack_most; /* of all runs */

/* Words found in `runs` runs of an operation, after the call and after closing. */
static inline unsigned long count_residue(const char *machine, unsigned operation, gecc_curve curve, size_t bytes,
                                          unsigned runs, enum leave_out leave_out) {
    static struct order order;
    static struct prng prng;
    static gecc_context *context; /* of the one that knows */
    unsigned long found = 0;
    if (context == NULL) {
        prng = prng_for("residue");
        assert_int_equal(gecc_open(&context, NULL), GECC_OK);
    }
    for (unsigned run = 0; run < runs; run++) {
        struct answer answer;
        const struct residue_operation what = residue_operation(operation);
        const char *name = what.operation->name;
        bool may_fail = strcmp(name, "mod.inverse") == 0 || strcmp(name, "sm2.decrypt") == 0;
        make_order(&order, &prng, operation, curve, bytes, context);
        order.leave_out = leave_out;
        if (!run_order(&order, machine, &answer))
            fail_msg("%s, %s, curve %d, %zu bytes: a run ended without an answer", machine, name, curve, bytes);
        if (answer.result != GECC_OK || (answer.status != GECC_ITEM_OK && !may_fail))
            fail_msg("%s, %s, curve %d, %zu bytes: result %d, status %u", machine, name, curve, bytes, answer.result,
                     answer.status);
        assert_true(answer.in_use != 0); /* the caller's buffer */
        if (2 * answer.deepest > STACK_WIPED)
            fail_msg("%s, %s, curve %d: %zu bytes of stack, of which %d are wiped: twice as many should be", machine,
                     name, curve, answer.deepest, STACK_WIPED);
        stack_most = answer.deepest > stack_most ? answer.deepest : stack_most;
        found += answer.after_call + answer.after_close;
        if (leave_out == LEAVE_NOTHING && answer.after_call + answer.after_close != 0)
            print_error("%s, %s, curve %d, %zu bytes, run %u: %lu words after the call, %lu after closing, like %s\n",
                        machine, name, curve, bytes, run, answer.after_call, answer.after_close, answer.name);
    }
    return found;
}

/* The k-th machine that can run here; NULL: there are fewer. */
static inline const char *machine_at(unsigned k) {
    static const char *const machines[] = {"portable-c", "portable-adx", "portable-aarch64",
                                           "avx512",     "ifma-256",     "ifma"};
    char reason[128];
    for (unsigned i = 0; i < sizeof machines / sizeof machines[0]; i++)
        if (gecc_machine_choose(machines[i], reason, sizeof reason) != NULL && k-- == 0)
            return machines[i];
    return NULL;
}

/* Is there one curve that it works on? */
static inline bool is_only_curve(const struct residue_operation *o) {
    return o->operation->curves != 0 && (o->operation->curves & (o->operation->curves - 1)) == 0;
}

static const size_t widths[] = {32, 20, 48, 64}; /* of moduli */

/* On how many curves, or modulo numbers of how many widths, it is tried. */
static inline unsigned kinds_of(const struct residue_operation *o) {
    return is_modular(o) ? sizeof widths / sizeof widths[0] : is_on_curve25519(o->operation) ? 1 : GECC_CURVE_END - 1;
}

/* All secret operations, on each machine, on every curve and some widths of moduli, or, for `some`, on one of each.
 * Signing `signing` times, the others `others` times. */
static inline void check_residue(unsigned signing, unsigned others, bool some) {
    unsigned long found = 0, runs = 0;
    const char *machine;
    struct residue_operation what;
    for (unsigned m = 0; (machine = machine_at(m)) != NULL; m++)
        for (unsigned operation = 0; (what = residue_operation(operation)).operation != NULL; operation++)
            for (unsigned i = 0; i < kinds_of(&what); i++) {
                const bool curve25519 = is_on_curve25519(what.operation);
                gecc_curve curve = is_modular(&what) ? (gecc_curve)0
                                   : curve25519      ? GECC_CURVE25519
                                                     : (gecc_curve)(1 + i);
                size_t bytes = is_modular(&what) ? widths[i] : gecc_curve_bytes(curve);
                bool sign = what.signs && !what.hedged && what.operation->curves >> GECC_P256 & 1;
                sign |= signs_with_ed25519(what.operation) && !what.hedged;
                unsigned here = sign ? signing : others;
                if (!is_modular(&what) && (what.operation->curves >> curve & 1) == 0)
                    continue;
                if (some && !sign && !is_only_curve(&what) && i != (operation + m) % kinds_of(&what))
                    continue;
                found += count_residue(machine, operation, curve, bytes, here, LEAVE_NOTHING);
                runs += here;
            }
    print_message("%lu words of secrets left in %lu runs, %zu bytes of stack used\n", found, runs, stack_most);
    assert_int_equal(found, 0);
}

/* Memory that a sanitizer keeps copies in, or a stack that is not the processor's. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SANITIZED = 1 };
#else
enum { SANITIZED = 0 };
#endif

#endif
