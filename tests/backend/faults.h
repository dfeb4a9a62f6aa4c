/* Bits that turn over while rows are computed: in the arena, in the table for secret scalars, on the stack, in a
 * register, one in each run, when a timer expires. What a program then publishes as OK is compared with what is right,
 * and a signature that is not right is given to an attacker, who has the right one too. Runs that crash or hang are
 * counted apart: batches of runs are processes of their own, and a batch goes on after the run that ended it. */
#ifndef TESTS_BACKEND_FAULTS_H
#define TESTS_BACKEND_FAULTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <fcntl.h>
#include <openssl/bn.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/obj_mac.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ucontext.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "backend/cpu/machines.h"
#include "curve/sizes.h"
#include "support/order.h"
#include "support/prng.h"

enum { ROWS = 16, ROW_BYTES = 2 * GECC_CURVE_BYTES_MOST + 8, SECONDS_MOST = 2 };

enum place { PLACE_ARENA, PLACE_TABLE, PLACE_STACK, PLACE_REGISTER, PLACES };
static const char *const place_names[] = {"arena", "table", "stack", "register"};

/* What came of runs. */
struct tally {
    unsigned long runs, flips; /* flips: the timer expired before the program was done */
    unsigned long crashes, withheld;
    unsigned long silent;  /* runs that withheld a row and yet said that all was well */
    unsigned long wrong;   /* runs that published something that is not right */
    unsigned long reveals; /* of them, those that tell a key */
};

/* A program on rows that are the same in every run. */
struct campaign {
    const struct program_set *set;
    gecc_curve curve;
    enum operation operation;
    uint32_t flags;
    enum place place;
    size_t bytes;
    uint8_t key[ROWS][GECC_CURVE_BYTES_MOST], digest[ROWS][GECC_CURVE_BYTES_MOST],
        peer[ROWS][1 + 2 * GECC_CURVE_BYTES_MOST];
    uint8_t right[ROWS][ROW_BYTES];
    struct arena arena;
    size_t arena_used;
    void *table, *clean_table, *public_table;
    long nanoseconds; /* that a run takes */
};

/* Of a digest that is signed: no wider than those of SHA-512. */
static inline size_t digest_bytes(const struct campaign *c) { return c->bytes < 64 ? c->bytes : 64; }

/* Shared with the processes of batches. */
struct shared {
    struct tally tally;
    bool running; /* a run has begun and not ended */
};

/* Faults are put where x86-64's processors keep the stack; sanitizers mind. */
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
enum { NOT_HERE = 0 };
#define STACK_POINTER(context) ((uintptr_t)(context)->uc_mcontext.gregs[REG_RSP] - 128) /* with the red zone */
#else
enum { NOT_HERE = 1 };
#define STACK_POINTER(context) ((uintptr_t)(context))
#endif

/* One bit of a general register, of the flags that carry, or of a vector register's low half. */
static inline void flip_register(ucontext_t *interrupted, uint64_t choice) {
#if defined(__x86_64__)
    static const int general[] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_R8,
                                  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_EFL};
    enum { CARRY = 1, ZERO = 64, VECTOR_BYTES = 256 };
    if ((choice & 1) == 0) {
        ((uint8_t *)interrupted->uc_mcontext.fpregs->_xmm)[(choice >> 8) % VECTOR_BYTES] ^=
            (uint8_t)(1 << (choice >> 20 & 7));
        return;
    }
    const int number = general[(choice >> 8) % (sizeof general / sizeof general[0])];
    const uint64_t bit = number == REG_EFL ? (choice >> 20 & 1 ? CARRY : ZERO) : UINT64_C(1) << (choice >> 20 & 63);
    interrupted->uc_mcontext.gregs[number] ^= (greg_t)bit;
#else
    (void)interrupted;
    (void)choice;
#endif
}

/* The fault, by the handler of the timer's signal. */
static struct campaign *victim;
static struct shared *shared;
static uint64_t fault_random;
static uint8_t *stack_top; /* of the computing thread: the program's frames are below */
static volatile sig_atomic_t fired;

static inline void on_timer(int number, siginfo_t *information, void *context) {
    ucontext_t *interrupted = context;
    (void)number;
    (void)information;
    uint8_t *from = victim->arena.base;
    size_t bytes = victim->arena_used;
    if (victim->place == PLACE_TABLE) {
        from = victim->table;
        bytes = victim->set->table_bytes[BASE_SECRET];
    } else if (victim->place == PLACE_STACK) {
        from = (uint8_t *)STACK_POINTER(interrupted);
        bytes = from < stack_top ? (size_t)(stack_top - from) : 0;
    }
    if (fired || !shared->running || bytes == 0)
        return;
    fired = 1;
    if (victim->place == PLACE_REGISTER) {
        flip_register(interrupted, fault_random);
        return;
    }
    from[(fault_random >> 8) % bytes] ^= (uint8_t)(1 << (fault_random & 7));
}

/* Does the signature (r, s2) or (r2, s2), published with a fault, tell the key to somebody who has (r, s)? The attacker
 * tries what is one bit beside: the digits of k, so that r differs (any k G does); e, d or k where s was made, or the
 * nonce, in each form in which machines hold them. The caller knows d and k, which saves the attacker's search. */
enum { FORMS = 3 };

struct attack {
    BN_CTX *bn;
    BIGNUM *n, *e, *d, *k, *r, *s;
    BIGNUM *form[FORMS]; /* R of each */
};

/* Is x R = +-2^i mod n, for one of the forms? */
static inline bool is_one_bit(const struct attack *a, const BIGNUM *x) {
    BIGNUM *y = BN_new();
    bool found = false;
    for (int form = 0; form < FORMS && !found; form++)
        for (int negative = 0; negative <= 1 && !found; negative++) {
            int bits = 0;
            BN_mod_mul(y, x, a->form[form], a->n, a->bn);
            if (negative)
                BN_mod_sub(y, a->n, y, a->n, a->bn);
            for (int i = 0; i < BN_num_bits(y); i++)
                bits += BN_is_bit_set(y, i);
            found = bits == 1;
        }
    BN_free(y);
    return found;
}

/* Is x - y one bit times `factor` (NULL: 1)? */
static inline bool differs_by_one_bit(const struct attack *a, const BIGNUM *x, const BIGNUM *y, const BIGNUM *factor) {
    BIGNUM *difference = BN_new(), *inverse = BN_new();
    BN_mod_sub(difference, x, y, a->n, a->bn);
    bool found = false;
    if (factor == NULL)
        found = is_one_bit(a, difference);
    else if (BN_mod_inverse(inverse, factor, a->n, a->bn) != NULL) {
        BN_mod_mul(difference, difference, inverse, a->n, a->bn);
        found = is_one_bit(a, difference);
    }
    BN_free(difference);
    BN_free(inverse);
    return found;
}

/* For t = s2 or -s2: t k against what is signed. */
static inline bool reveals_by(const struct attack *a, bool sm2, const BIGNUM *r2, const BIGNUM *t) {
    BIGNUM *left = BN_new(), *right = BN_new(), *nonce = BN_new(), *inverse = BN_new();
    bool found = BN_cmp(t, a->k) == 0 || BN_cmp(t, a->d) == 0 || BN_cmp(r2, a->k) == 0 || BN_cmp(r2, a->d) == 0;
    if (found) {
        /* published itself */
    } else if (sm2) {
        /* s = k - (r + s) d for the true k: another r with the same nonce. Else a nonce or key one bit beside. */
        BN_mod_add(left, r2, t, a->n, a->bn);
        BN_mod_mul(right, left, a->d, a->n, a->bn);
        BN_mod_add(nonce, t, right, a->n, a->bn); /* the nonce that was used, if the key is d */
        found = (BN_cmp(nonce, a->k) == 0 && BN_cmp(r2, a->r) != 0) || differs_by_one_bit(a, nonce, a->k, NULL) ||
                (!BN_is_zero(left) && differs_by_one_bit(a, nonce, a->k, left));
        found = found && !(BN_cmp(r2, a->r) == 0 && BN_cmp(t, a->s) == 0);
    } else {
        BN_mod_mul(left, t, a->k, a->n, a->bn);
        BN_mod_mul(right, r2, a->d, a->n, a->bn);
        BN_mod_add(right, right, a->e, a->n, a->bn);
        bool same_r = BN_cmp(r2, a->r) == 0;
        if (BN_cmp(left, right) == 0)
            found = !same_r; /* the nonce that made (r, s) */
        else if (same_r)
            found = differs_by_one_bit(a, left, right, NULL) || differs_by_one_bit(a, left, right, a->r) ||
                    differs_by_one_bit(a, left, right, a->d) || differs_by_one_bit(a, t, a->s, right);
        if (!found && BN_mod_inverse(inverse, t, a->n, a->bn) != NULL) {
            BN_mod_mul(nonce, right, inverse, a->n, a->bn);
            found = differs_by_one_bit(a, nonce, a->k, NULL); /* of the nonce, wherever r is from */
        }
    }
    BN_free(left);
    BN_free(right);
    BN_free(nonce);
    BN_free(inverse);
    return found;
}

/* e of BIP-340 for r, the key's x and the row's message. */
static inline BIGNUM *challenge_of(const struct campaign *c, size_t row, const uint8_t *r, const uint8_t *x) {
    static const char tag[] = "BIP0340/challenge";
    uint8_t bytes[5 * 32], hash[32];
    (void)EVP_Digest(tag, sizeof tag - 1, bytes, NULL, EVP_sha256(), NULL);
    memcpy(bytes + 32, bytes, 32);
    memcpy(bytes + 2 * 32, r, 32);
    memcpy(bytes + 3 * 32, x, 32);
    memcpy(bytes + 4 * 32, c->digest[row], 32);
    (void)EVP_Digest(bytes, sizeof bytes, hash, NULL, EVP_sha256(), NULL);
    return BN_bin2bn(hash, 32, NULL);
}

/* d or n - d, which makes an even y; x: its x. */
static inline void even_key(BIGNUM *d, const BIGNUM *n, uint8_t x[32]) {
    EC_GROUP *group = EC_GROUP_new_by_curve_name(NID_secp256k1);
    EC_POINT *point = EC_POINT_new(group);
    uint8_t compressed[33] = {0};
    (void)EC_POINT_mul(group, point, d, NULL, NULL, NULL);
    (void)EC_POINT_point2oct(group, point, POINT_CONVERSION_COMPRESSED, compressed, sizeof compressed, NULL);
    if (compressed[0] == 3)
        BN_sub(d, n, d);
    memcpy(x, compressed + 1, 32);
    EC_POINT_free(point);
    EC_GROUP_free(group);
}

/* The same of Schnorr signatures, s = k + e d: with another challenge the nonce that made (r, s), or one that is one
 * bit beside it; or with the same r one bit of e, d or k. */
static inline bool schnorr_reveals_by(const struct attack *a, const BIGNUM *r2, const BIGNUM *s2, const BIGNUM *e2) {
    BIGNUM *nonce = BN_new(), *minus = BN_new();
    bool found = BN_cmp(s2, a->k) == 0 || BN_cmp(s2, a->d) == 0 || BN_cmp(r2, a->k) == 0 || BN_cmp(r2, a->d) == 0;
    BN_mod_mul(nonce, e2, a->d, a->n, a->bn);
    BN_mod_sub(nonce, s2, nonce, a->n, a->bn);
    BN_mod_sub(minus, a->n, nonce, a->n, a->bn);
    if (BN_cmp(r2, a->r) == 0)
        found = found || differs_by_one_bit(a, s2, a->s, NULL) || differs_by_one_bit(a, s2, a->s, a->d) ||
                differs_by_one_bit(a, s2, a->s, e2);
    else
        found = found || BN_cmp(nonce, a->k) == 0 || BN_cmp(minus, a->k) == 0 ||
                differs_by_one_bit(a, nonce, a->k, NULL) || differs_by_one_bit(a, minus, a->k, NULL);
    BN_free(nonce);
    BN_free(minus);
    return found;
}

static inline bool schnorr_reveals(const struct campaign *c, size_t row, struct attack *a, const uint8_t *published) {
    uint8_t x[32];
    even_key(a->d, a->n, x);
    BIGNUM *e = challenge_of(c, row, c->right[row], x), *e2 = challenge_of(c, row, published, x);
    BIGNUM *r2 = BN_bin2bn(published, 32, NULL), *s2 = BN_bin2bn(published + 32, 32, NULL);
    BN_mod_mul(a->k, e, a->d, a->n, a->bn);
    BN_mod_sub(a->k, a->s, a->k, a->n, a->bn);
    bool found = !BN_is_zero(s2) && schnorr_reveals_by(a, r2, s2, e2);
    BN_free(e);
    BN_free(e2);
    BN_free(r2);
    BN_free(s2);
    return found;
}

/* k of RFC 8032 for R, an encoding of A and the row's message, modulo n. */
static inline BIGNUM *ed25519_challenge_of(const struct attack *a, const struct campaign *c, size_t row,
                                           const uint8_t *r, const uint8_t *public_key) {
    uint8_t bytes[3 * 32], hash[64];
    memcpy(bytes, r, 32);
    memcpy(bytes + 32, public_key, 32);
    memcpy(bytes + 64, c->digest[row], 32);
    (void)EVP_Digest(bytes, sizeof bytes, hash, NULL, EVP_sha512(), NULL);
    BIGNUM *k = BN_lebin2bn(hash, sizeof hash, NULL);
    BN_nnmod(k, k, a->n, a->bn);
    return k;
}

/* With the true R, was S made with the challenge of a key that is one bit beside the true one? */
static inline bool ed25519_reveals_by_key(const struct attack *a, const struct campaign *c, size_t row,
                                          const uint8_t *published, const uint8_t *public_key, const BIGNUM *s2) {
    BIGNUM *nonce = BN_new();
    uint8_t beside[32];
    bool found = false;
    for (unsigned bit = 0; bit < 256 && !found; bit++) {
        memcpy(beside, public_key, sizeof beside);
        beside[bit / 8] ^= (uint8_t)(1 << bit % 8);
        BIGNUM *k = ed25519_challenge_of(a, c, row, published, beside);
        BN_mod_mul(nonce, k, a->d, a->n, a->bn);
        BN_mod_sub(nonce, s2, nonce, a->n, a->bn);
        found = BN_cmp(nonce, a->k) == 0;
        BN_free(k);
    }
    BN_free(nonce);
    return found;
}

/* The same of Ed25519, S = r + k a, which a->k and a->d are here. */
static inline bool ed25519_reveals(const struct campaign *c, size_t row, const uint8_t *published) {
    struct attack a = {.bn = BN_CTX_new(), .k = BN_new(), .form = {BN_new(), BN_new(), BN_new()}};
    uint8_t hash[64], public_key[32];
    size_t bytes = sizeof public_key;
    BN_hex2bn(&a.n, "1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed");
    (void)EVP_Digest(c->key[row], 32, hash, NULL, EVP_sha512(), NULL);
    hash[0] &= 0xf8;
    hash[31] = (hash[31] & 0x7f) | 0x40;
    a.d = BN_lebin2bn(hash, 32, NULL);
    BN_nnmod(a.d, a.d, a.n, a.bn);
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, NULL, c->key[row], 32);
    (void)EVP_PKEY_get_raw_public_key(key, public_key, &bytes);
    EVP_PKEY_free(key);
    a.r = BN_lebin2bn(c->right[row], 32, NULL);
    a.s = BN_lebin2bn(c->right[row] + 32, 32, NULL);
    BIGNUM *r2 = BN_lebin2bn(published, 32, NULL), *s2 = BN_lebin2bn(published + 32, 32, NULL);
    BIGNUM *k = ed25519_challenge_of(&a, c, row, c->right[row], public_key);
    BIGNUM *k2 = ed25519_challenge_of(&a, c, row, published, public_key);
    BN_mod_mul(a.k, k, a.d, a.n, a.bn);
    BN_mod_sub(a.k, a.s, a.k, a.n, a.bn);
    static const int bits_of_r[FORMS] = {0, 256, 260}; /* numbers themselves, and times R of 64- and 52-bit limbs */
    for (int form = 0; form < FORMS; form++) {
        BN_one(a.form[form]);
        BN_lshift(a.form[form], a.form[form], bits_of_r[form]);
        BN_nnmod(a.form[form], a.form[form], a.n, a.bn);
    }
    bool found = !BN_is_zero(s2) &&
                 (schnorr_reveals_by(&a, r2, s2, k2) || ed25519_reveals_by_key(&a, c, row, published, public_key, s2));
    BIGNUM *all[] = {a.n, a.d, a.k, a.r, a.s, r2, s2, k, k2, a.form[0], a.form[1], a.form[2]};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        BN_free(all[i]);
    BN_CTX_free(a.bn);
    return found;
}

static inline bool reveals(const struct campaign *c, size_t row, const uint8_t *published) {
    if (c->operation == OPERATION_ED25519_SIGN)
        return ed25519_reveals(c, row, published);
    bool sm2 = c->operation == OPERATION_SM2_SIGN, found = false;
    int bytes = (int)c->bytes;
    struct attack a = {.bn = BN_CTX_new(),
                       .n = order_of(c->curve),
                       .e = BN_bin2bn(c->digest[row], (int)digest_bytes(c), NULL),
                       .d = BN_bin2bn(c->key[row], bytes, NULL),
                       .k = BN_new(),
                       .r = BN_bin2bn(c->right[row], bytes, NULL),
                       .s = BN_bin2bn(c->right[row] + bytes, bytes, NULL)};
    static const int limb_bits[FORMS] = {64, 64, 52}; /* the first form is the number itself */
    BIGNUM *r2 = BN_bin2bn(published, bytes, NULL), *s2 = BN_bin2bn(published + bytes, bytes, NULL), *x = BN_new();
    for (int form = 0; form < FORMS; form++) {
        a.form[form] = BN_new();
        BN_one(x);
        int width = (8 * bytes + limb_bits[form] - 1) / limb_bits[form] * limb_bits[form];
        if (c->curve == GECC_P521 && limb_bits[form] == 64)
            width = 522; /* nine limbs of 58 bits */
        BN_lshift(x, x, width);
        BN_nnmod(a.form[form], x, a.n, a.bn);
    }
    BN_one(a.form[0]);
    BN_nnmod(a.e, a.e, a.n, a.bn);
    bool is_signature = !BN_is_zero(r2) && !BN_is_zero(s2); /* which is published in full */
    if (c->operation == OPERATION_SCHNORR_SIGN) {
        found = schnorr_reveals(c, row, &a, published);
        is_signature = false;
    } else if (sm2) {
        BN_mod_add(x, a.r, a.s, a.n, a.bn);
        BN_mod_mul(x, x, a.d, a.n, a.bn);
        BN_mod_add(a.k, a.s, x, a.n, a.bn);
    } else {
        BN_mod_mul(x, a.r, a.d, a.n, a.bn);
        BN_mod_add(x, x, a.e, a.n, a.bn);
        BN_mod_inverse(a.k, a.s, a.n, a.bn);
        BN_mod_mul(a.k, a.k, x, a.n, a.bn);
    }
    found = found || (is_signature && reveals_by(&a, sm2, r2, s2));
    if (!sm2 && is_signature && !found) {
        BN_sub(s2, a.n, s2);
        found = reveals_by(&a, sm2, r2, s2);
    }
    BIGNUM *all[] = {a.n, a.e, a.d, a.k, a.r, a.s, r2, s2, x, a.form[0], a.form[1], a.form[2]};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        BN_free(all[i]);
    BN_CTX_free(a.bn);
    return found;
}

static inline size_t result_bytes(const struct campaign *c) {
    return c->operation == OPERATION_EC_PUBLIC_KEY ? 1 + 2 * c->bytes
           : c->operation == OPERATION_ECDH        ? c->bytes
                                                   : 2 * c->bytes;
}

static inline gecc_result run_once(struct campaign *c, uint8_t (*out)[ROW_BYTES], uint8_t *status) {
    struct job job = {.operation = c->operation,
                      .curve = c->curve,
                      .flags = c->flags,
                      .count = ROWS,
                      .status = gecc_out_packed(status, 1)};
    const struct base_tables tables = {c->table, c->public_table, c->set->public_width[BASE_PUBLIC_FEW],
                                       c->set->public_windows[BASE_PUBLIC_FEW]};
    job.hash = curve_hash(c->curve);
    job.in[0] = gecc_rows_strided(c->key, c->bytes, sizeof c->key[0]);
    job.in[1] = c->operation == OPERATION_ECDH ? gecc_rows_strided(c->peer, 1 + 2 * c->bytes, sizeof c->peer[0])
                                               : gecc_rows_strided(c->digest, digest_bytes(c), sizeof c->digest[0]);
    job.out[0] = gecc_out_packed(out, ROW_BYTES);
    job.out_width[0] = result_bytes(c);
    job.point_format = GECC_POINT_UNCOMPRESSED;
    memset(out, 0, ROWS * ROW_BYTES);
    memset(status, 0, ROWS);
    c->arena.used = 0;
    return c->set->run[c->operation](&c->arena, &tables, &job, 0, ROWS);
}

static inline void tally_run(struct campaign *c, gecc_result result, uint8_t (*out)[ROW_BYTES], const uint8_t *status) {
    bool wrong = false, told = false, withheld = false;
    for (size_t row = 0; row < ROWS; row++) {
        withheld |= status[row] == GECC_ITEM_NOT_PROCESSED;
        if (status[row] != GECC_ITEM_OK || memcmp(out[row], c->right[row], result_bytes(c)) == 0)
            continue;
        wrong = true;
        told |= c->operation != OPERATION_EC_PUBLIC_KEY && c->operation != OPERATION_ECDH && reveals(c, row, out[row]);
    }
    shared->tally.wrong += wrong;
    shared->tally.reveals += told;
    shared->tally.withheld += withheld;
    shared->tally.silent += withheld && result == GECC_OK;
}

/* What a program writes, at the end of pages behind which is nothing: a stride or an address with a wrong bit has it
 * crash there, instead of writing over what this attacker knows. */
struct written {
    uint8_t status[ROWS];
    uint8_t out[ROWS][ROW_BYTES];
};

static inline struct written *written_new(void) {
    enum { PAGES = 1 << 20 };
    uint8_t *pages = mmap(NULL, 3 * PAGES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || mprotect(pages + PAGES, PAGES, PROT_READ | PROT_WRITE) != 0)
        _exit(90);
    return (struct written *)(void *)(pages + 2 * PAGES - sizeof(struct written));
}

/* Runs until `runs` are done, in the process of a batch. */
static inline void run_batch(struct campaign *c, struct prng *prng, unsigned long runs) {
    static struct written *written; /* not on the stack */
    written = written_new();
    timer_t timer;
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct sigaction action = {.sa_sigaction = on_timer, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART};
    stack_t handlers = {.ss_sp = malloc(64 * 1024), .ss_size = 64 * 1024};
    uint8_t here;
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}; /* which cmocka catches */
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        (void)signal(crashes[i], SIG_DFL);
    int nowhere = open("/dev/null", O_WRONLY); /* for what libc says of a stack, and a process that has lost its way */
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)dup2(nowhere, STDERR_FILENO);
    if (sigaltstack(&handlers, NULL) != 0 || sigaction(SIGALRM, &action, NULL) != 0 ||
        timer_create(CLOCK_MONOTONIC, &event, &timer) != 0)
        _exit(90);
    victim = c;
    stack_top = &here;
    while (shared->tally.runs < runs) {
        const struct itimerspec when = {.it_value.tv_nsec = 1 + (long)prng_below(prng, (uint64_t)c->nanoseconds)};
        const struct itimerspec never = {.it_value.tv_nsec = 0};
        fault_random = prng_next(prng);
        fired = 0;
        shared->tally.runs++;
        shared->running = true;
        timer_settime(timer, 0, &when, NULL);
        gecc_result result = run_once(c, written->out, written->status);
        shared->running = false;
        timer_settime(timer, 0, &never, NULL);
        shared->tally.flips += (unsigned long)fired;
        tally_run(c, result, written->out, written->status);
        if (c->place == PLACE_TABLE)
            memcpy(c->table, c->clean_table, c->set->table_bytes[BASE_SECRET]);
    }
    _exit(0);
}

/* A batch after another, until `runs` are done. One that ends early has crashed, or hangs. */
static inline struct tally run_campaign(struct campaign *c, struct prng *prng, unsigned long runs) {
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(shared != MAP_FAILED);
    while (shared->tally.runs < runs) {
        struct prng own = {prng_next(prng)};
        unsigned long before = shared->tally.runs;
        pid_t child = fork();
        if (child == 0) {
            run_batch(c, &own, runs);
            _exit(0); /* where a fault has it return: nothing that follows is for a child */
        }
        assert_true(child > 0);
        int status = 0;
        for (unsigned waited = 0; waitpid(child, &status, WNOHANG) == 0; waited++) {
            unsigned long seen = shared->tally.runs;
            (void)usleep(1000);
            waited = seen == shared->tally.runs ? waited : 0;
            if (waited > SECONDS_MOST * 1000)
                (void)kill(child, SIGKILL);
        }
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && shared->tally.runs >= runs)
            break;
        assert_true(shared->tally.runs > before);
        shared->tally.crashes++;
        shared->tally.flips++;
        shared->running = false;
    }
    struct tally tally = shared->tally;
    (void)munmap(shared, sizeof *shared);
    return tally;
}

/* The shortest of some runs. */
static inline void measure(struct campaign *c) {
    static uint8_t out[ROWS][ROW_BYTES], status[ROWS];
    c->nanoseconds = 1000000000;
    for (int i = 0; i < 10; i++) {
        struct timespec start, end;
        (void)clock_gettime(CLOCK_MONOTONIC, &start);
        assert_int_equal(run_once(c, out, status), GECC_OK);
        (void)clock_gettime(CLOCK_MONOTONIC, &end);
        long took = (end.tv_sec - start.tv_sec) * 1000000000 + end.tv_nsec - start.tv_nsec;
        c->nanoseconds = took < c->nanoseconds ? took : c->nanoseconds;
    }
    c->arena_used = c->arena.used;
    memcpy(c->right, out, sizeof out);
    for (size_t row = 0; row < ROWS; row++)
        assert_int_equal(status[row], GECC_ITEM_OK);
}

static inline void open_campaign(struct campaign *c, struct prng *prng, const char *machine, gecc_curve curve,
                                 enum operation operation, uint32_t flags, enum place place) {
    char reason[128];
    memset(c, 0, sizeof *c);
    c->set = gecc_machine_choose(machine, reason, sizeof reason)->curve(curve);
    c->curve = curve;
    c->operation = operation;
    c->flags = flags;
    c->place = place;
    c->bytes = gecc_curve_bytes(curve);
    assert_int_equal(posix_memalign(&c->table, 64, c->set->table_bytes[BASE_SECRET]), 0);
    assert_int_equal(posix_memalign(&c->clean_table, 64, c->set->table_bytes[BASE_SECRET]), 0);
    assert_int_equal(posix_memalign(&c->public_table, 64, c->set->table_bytes[BASE_PUBLIC_FEW]), 0);
    c->arena.base = mmap(NULL, c->set->arena_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(c->arena.base != MAP_FAILED);
    c->arena.bytes = c->set->arena_bytes;
    c->set->table_make(BASE_SECRET, c->table, NULL, &c->arena);
    memcpy(c->clean_table, c->table, c->set->table_bytes[BASE_SECRET]);
    c->arena.used = 0;
    c->set->table_make(BASE_PUBLIC_FEW, c->public_table, NULL, &c->arena);
    prng_bytes(prng, c->key, sizeof c->key);
    prng_bytes(prng, c->digest, sizeof c->digest);
    for (size_t row = 0; row < ROWS; row++)
        c->key[row][0] &= curve_bits(curve) % 8 == 1 ? 0 : 0x7f; /* less than the order */
    if (operation == OPERATION_ECDH) {                           /* a peer each: public keys of the same keys */
        static uint8_t out[ROWS][ROW_BYTES], status[ROWS];
        c->operation = OPERATION_EC_PUBLIC_KEY;
        assert_int_equal(run_once(c, out, status), GECC_OK);
        for (size_t row = 0; row < ROWS; row++)
            memcpy(c->peer[row], out[row], 1 + 2 * c->bytes);
        c->operation = operation;
    }
    measure(c);
}

static inline void close_campaign(struct campaign *c) {
    (void)munmap(c->arena.base, c->arena.bytes);
    free(c->table);
    free(c->clean_table);
    free(c->public_table);
}

static inline struct tally campaign(struct prng *prng, const char *machine, gecc_curve curve, enum operation operation,
                                    uint32_t flags, enum place place, unsigned long runs) {
    static struct campaign c;
    open_campaign(&c, prng, machine, curve, operation, flags, place);
    struct tally t = run_campaign(&c, prng, runs);
    close_campaign(&c);
    print_message("%-12s %-9s %-14s%-10s%-6s %8lu runs %8lu flips %5lu crashes %6lu withheld %5lu silent %5lu wrong "
                  "%5lu reveal a key\n",
                  machine, gecc_curve_name(curve),
                  operation == OPERATION_EC_PUBLIC_KEY  ? "public key"
                  : operation == OPERATION_ECDH         ? "ECDH"
                  : operation == OPERATION_SCHNORR_SIGN ? "sign, Schnorr"
                  : operation == OPERATION_ED25519_SIGN ? "sign, Ed25519"
                                                        : "sign",
                  (flags & GECC_VERIFY_SIGNATURES) != 0 ? "verified" : "", place_names[place], t.runs, t.flips,
                  t.crashes, t.withheld, t.silent, t.wrong, t.reveals);
    return t;
}

static inline struct tally tally_sum(struct tally a, struct tally b) {
    return (struct tally){a.runs + b.runs,     a.flips + b.flips, a.crashes + b.crashes, a.withheld + b.withheld,
                          a.silent + b.silent, a.wrong + b.wrong, a.reveals + b.reveals};
}

/* The k-th machine that can run here, or the only one, if GECC_FAULTS_MACHINE names it; NULL: there are fewer. */
static inline const char *machine_at(unsigned k) {
    static const char *const machines[] = {"portable-c", "portable-adx", "portable-aarch64",
                                           "avx512",     "ifma-256",     "ifma"};
    const char *only = getenv("GECC_FAULTS_MACHINE");
    char reason[128];
    for (unsigned i = 0; i < sizeof machines / sizeof machines[0]; i++)
        if ((only == NULL || strcmp(only, machines[i]) == 0) &&
            gecc_machine_choose(machines[i], reason, sizeof reason) != NULL && k-- == 0)
            return machines[i];
    return NULL;
}

static inline enum operation signing(gecc_curve curve) {
    return curve == GECC_SM2 ? OPERATION_SM2_SIGN : OPERATION_ECDSA_SIGN;
}

#endif
