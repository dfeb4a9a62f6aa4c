/* gecc-senders: transactions from memory to senders, beside the recovery of the same signatures from digests.
 *
 * usage: gecc-senders [ROWS [THREADS [RUNS]]]       (1048576 rows, of the CPU's threads 0: all, 7 runs)
 *        gecc-senders --write ROWS                  writes the transactions as lines of hexadecimal digits
 *
 * Transactions of type 2 with 120 bytes, each its own, signed here. Runs alternate; medians, with lowest and highest.
 * The backend is what GECC_BACKEND names ("auto"). */
#include <gecc/gecc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program.h"
#include "summary.h"

/* Of the bytes of a transaction the first SIGNED come before its parity. */
enum { SIGNED = 53, TRANSACTION = SIGNED + 1 + 33 + 33, RUNS_MOST = 99 };
_Static_assert(TRANSACTION == 120, "as said above");

struct bench {
    gecc_context *context;
    size_t count;
    uint8_t (*transactions)[TRANSACTION], (*digests)[32], (*signatures)[65], (*senders)[20], (*hashes)[32];
    uint8_t (*keys)[32], (*raw)[64], *ids, *statuses;
};

/* 02 || f8 75 || [1, nonce, fee, fee, gas, to, value, "", []] || parity, r, s. Numbers have no zeros before them. */
static void fill(uint8_t *out, uint64_t *state) {
    static const uint8_t start[] = {0x02, 0xf8, 0x75, 0x01, 0x83}, fees[] = {0x01, 0x83},
                         gas[] = {0x82, 0x52, 0x08, 0x94};
    size_t at = 0;
    for (size_t i = 0; i < TRANSACTION; i++)
        out[i] = (uint8_t)(program_random(state) | 0x80);
    memcpy(out, start, sizeof start);
    at = sizeof start + 3;
    memcpy(out + at, fees, sizeof fees);
    at += sizeof fees + 3;
    memcpy(out + at, gas, sizeof gas);
    at += sizeof gas + 20;
    out[at] = 0x80 + 13;
    at += 14;
    out[at++] = 0x80;
    out[at++] = 0xc0;
    program_require(at == SIGNED, "the transaction's layout");
}

/* The preimage of a transaction: its items but the last three, as a list. */
static void preimage_of(uint8_t out[SIGNED - 1], const uint8_t *transaction) {
    _Static_assert(SIGNED - 3 <= 55, "the list's width fits its head");
    out[0] = 0x02;
    out[1] = 0xc0 + SIGNED - 3;
    memcpy(out + 2, transaction + 3, SIGNED - 3);
}

static void sign(struct bench *b) {
    uint8_t(*preimages)[SIGNED - 1] = program_memory(b->count, SIGNED - 1);
    gecc_out status = gecc_out_packed(b->statuses, 1);
    uint64_t state = 1;
    for (size_t i = 0; i < b->count; i++) {
        fill(b->transactions[i], &state);
        preimage_of(preimages[i], b->transactions[i]);
        for (int k = 0; k < 32; k++)
            b->keys[i][k] = (uint8_t)(program_random(&state) >> (k == 0 ? 57 : 56));
    }
    program_require(gecc_digest(b->context, GECC_KECCAK256, gecc_out_packed(b->digests, 32), status,
                                gecc_rows_packed(preimages, SIGNED - 1), b->count, NULL) == GECC_OK &&
                        gecc_ecdsa_sign(b->context, GECC_SECP256K1, gecc_out_packed(b->raw, 64),
                                        gecc_out_packed(b->ids, 1), status, gecc_rows_packed(b->keys, 32),
                                        gecc_rows_packed(b->digests, 32), gecc_rows_none(), b->count, NULL) == GECC_OK,
                    "signatures");
    free(preimages);
}

/* Signatures whose r or s begins with zeros would be shorter: those rows are copies of the row before. */
static void join(struct bench *b) {
    for (size_t i = 0; i < b->count; i++) {
        uint8_t *transaction = b->transactions[i];
        if (i != 0 && (b->raw[i][0] == 0 || b->raw[i][32] == 0 || b->ids[i] > 1)) {
            memcpy(transaction, b->transactions[i - 1], TRANSACTION);
            memcpy(b->digests[i], b->digests[i - 1], 32);
            memcpy(b->signatures[i], b->signatures[i - 1], 65);
            continue;
        }
        transaction[SIGNED] = b->ids[i] ? 0x01 : 0x80;
        transaction[SIGNED + 1] = transaction[SIGNED + 34] = 0xa0;
        memcpy(transaction + SIGNED + 2, b->raw[i], 32);
        memcpy(transaction + SIGNED + 35, b->raw[i] + 32, 32);
        memcpy(b->signatures[i], b->raw[i], 64);
        b->signatures[i][64] = b->ids[i];
    }
}

static void prepare(struct bench *b, size_t count, unsigned threads) {
    gecc_config config = GECC_CONFIG_INIT;
    config.threads = threads;
    *b = (struct bench){.count = count};
    program_require(gecc_open(&b->context, &config) == GECC_OK, "context");
    b->transactions = program_memory(count, TRANSACTION);
    b->digests = program_memory(count, 32);
    b->signatures = program_memory(count, 65);
    b->senders = program_memory(count, 20);
    b->hashes = program_memory(count, 32);
    b->keys = program_memory(count, 32);
    b->raw = program_memory(count, 64);
    b->ids = program_memory(count, 1);
    b->statuses = program_memory(count, 1);
    sign(b);
    join(b);
}

static double run_senders(struct bench *b, gecc_report *report) {
    gecc_ethereum_options options = GECC_ETHEREUM_OPTIONS_INIT;
    gecc_out none = gecc_out_none();
    double start = program_now();
    options.report = report;
    program_require(gecc_ethereum_senders(b->context, gecc_out_packed(b->senders, 20), gecc_out_packed(b->hashes, 32),
                                          none, none, none, gecc_out_packed(b->statuses, 1),
                                          gecc_rows_packed(b->transactions, TRANSACTION), b->count,
                                          &options) == GECC_OK,
                    "senders");
    return (double)b->count / (program_now() - start);
}

static double run_recover(struct bench *b) {
    gecc_options options = GECC_OPTIONS_INIT;
    double start = program_now();
    options.flags = GECC_LOW_S;
    program_require(gecc_ethereum_recover(b->context, gecc_out_packed(b->senders, 20), gecc_out_packed(b->statuses, 1),
                                          gecc_rows_packed(b->digests, 32), gecc_rows_packed(b->signatures, 65),
                                          b->count, &options) == GECC_OK,
                    "recover");
    return (double)b->count / (program_now() - start);
}

static void print(const char *what, double *rates, size_t runs) {
    struct summary s = summary_of(rates, runs);
    printf("%-10s %12.0f a second  (%.0f to %.0f)\n", what, s.median, s.low, s.high);
}

static void measure(struct bench *b, size_t runs) {
    double senders[RUNS_MOST], recover[RUNS_MOST], ratio[RUNS_MOST];
    gecc_report report = GECC_REPORT_INIT;
    for (size_t i = 0; i < runs; i++) {
        recover[i] = run_recover(b);
        senders[i] = run_senders(b, &report);
        ratio[i] = 100 * senders[i] / recover[i];
        for (size_t k = 0; k < b->count; k++)
            program_require(b->statuses[k] == GECC_ITEM_OK, "a row has no sender");
    }
    printf("%zu transactions of %d bytes from memory; %s (%s); median of %zu\n", b->count, TRANSACTION, report.backend,
           report.detail, runs);
    print("recover", recover, runs);
    print("senders", senders, runs);
    struct summary s = summary_of(ratio, runs);
    printf("senders run at %.1f %% of the rate of recover (%.1f to %.1f)\n", s.median, s.low, s.high);
}

static void write_lines(const struct bench *b) {
    for (size_t i = 0; i < b->count; i++) {
        for (int k = 0; k < TRANSACTION; k++)
            printf("%02x", b->transactions[i][k]);
        putchar('\n');
    }
}

int main(int count, char **arguments) {
    int writes = count > 2 && strcmp(arguments[1], "--write") == 0;
    size_t rows = count > 1 ? strtoul(arguments[1 + writes], NULL, 10) : 1 << 20;
    size_t runs = count > 3 ? strtoul(arguments[3], NULL, 10) : 7;
    struct bench b;
    program_require(rows != 0 && runs != 0 && runs <= RUNS_MOST, "usage: gecc-senders [ROWS [THREADS [RUNS]]]");
    prepare(&b, rows, count > 2 && !writes ? (unsigned)strtoul(arguments[2], NULL, 10) : 0);
    if (writes)
        write_lines(&b);
    else
        measure(&b, runs);
    gecc_close(b.context);
    return fflush(stdout) == 0 ? 0 : 2;
}
