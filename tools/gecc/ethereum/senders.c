/* senders: who sent transactions. Piles of them go round in a ring: read, computed, printed, written. */
#define _DEFAULT_SOURCE /* stpcpy */

#include "ethereum/senders.h"
#include "ethereum/checksum.h"
#include "text/hex.h"
#include "rows/ring.h"
#include "rows/stream.h"
#include "files/magic.h"
#include "files/target.h"
#include "text/say.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PILES = 4 };

struct run {
    const struct options *options;
    gecc_context *context;
    struct source source;
    struct target target;
    FILE *out;
    bool read_failed;
    int write_error;    /* errno */
    atomic_bool stop;   /* read and compute no more: the output failed, or the library did */
    uint64_t counts[4]; /* of rows, by enum outcome */
    double seconds;
    gecc_report report;
    gecc_result result;
    struct pile piles[PILES];
};

enum outcome { OUTCOME_OK, OUTCOME_INVALID, OUTCOME_MALFORMED, OUTCOME_UNPROCESSED };

static void *grown(void *memory, size_t count, size_t size, bool *fits) {
    void *larger = realloc(memory, count * size);
    if (larger == NULL) {
        *fits = false;
        return memory;
    }
    return larger;
}

static bool pile_allocate(struct pile *pile, size_t rows) {
    bool fits = true;
    pile->room = rows;
    pile->offsets = grown(NULL, rows, sizeof *pile->offsets, &fits);
    pile->lines = grown(NULL, rows, sizeof *pile->lines, &fits);
    pile->places = grown(NULL, rows, sizeof *pile->places, &fits);
    pile->kept_ends = grown(NULL, rows, sizeof *pile->kept_ends, &fits);
    pile->widths = grown(NULL, rows, sizeof *pile->widths, &fits);
    pile->complaints = grown(NULL, rows, sizeof *pile->complaints, &fits);
    pile->told = grown(NULL, rows, sizeof *pile->told, &fits);
    pile->is_encoded = grown(NULL, rows, sizeof *pile->is_encoded, &fits);
    pile->senders = grown(NULL, rows, sizeof *pile->senders, &fits);
    pile->hashes = grown(NULL, rows, sizeof *pile->hashes, &fits);
    pile->types = grown(NULL, rows, 1, &fits);
    pile->reasons = grown(NULL, rows, 1, &fits);
    pile->statuses = grown(NULL, rows, 1, &fits);
    pile->positions = grown(NULL, rows, sizeof *pile->positions, &fits);
    pile->authority_offsets = grown(NULL, rows + 1, sizeof *pile->authority_offsets, &fits);
    pile->sender_texts = grown(NULL, rows, sizeof *pile->sender_texts, &fits);
    return fits;
}

static void pile_clear(struct pile *pile) {
    for (size_t i = 0; i < pile->count; i++)
        free(pile->complaints[i]);
    pile->count = pile->raw.used = 0;
    buffer_clear(&pile->kept);
}

static void pile_free(struct pile *pile) {
    pile_clear(pile);
    buffer_free(&pile->kept);
    free(pile->places);
    print_free(&pile->rows);
    void *const all[] = {pile->raw.data,       pile->offsets,
                         pile->lines,          pile->kept_ends,
                         pile->widths,         pile->complaints,
                         pile->told,           pile->is_encoded,
                         pile->senders,        pile->hashes,
                         pile->types,          pile->reasons,
                         pile->statuses,       pile->positions,
                         pile->authorities,    pile->authority_offsets,
                         pile->sender_texts,   pile->authority_statuses,
                         pile->authority_texts};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
}

/* The library's part. */

static gecc_ethereum_options options_of(const struct run *run) {
    gecc_ethereum_options options = GECC_ETHEREUM_OPTIONS_INIT;
    options.flags = run->options->any_s ? GECC_ANY_S : 0;
    options.chain_id = run->options->chain_id;
    return options;
}

static gecc_result find_authorities(struct run *run, struct pile *pile, gecc_rows rows) {
    gecc_ethereum_options options = options_of(run);
    bool fits = true;
    gecc_result result = gecc_ethereum_authorities(run->context, pile->authority_offsets, gecc_out_none(),
                                                   gecc_out_none(), 0, rows, pile->count, &options);
    size_t count = result == GECC_OK ? (size_t)pile->authority_offsets[pile->count] : 0;
    pile->authority_count = count;
    if (count == 0)
        return result;
    if (count > pile->authority_room) {
        pile->authorities = grown(pile->authorities, count, sizeof *pile->authorities, &fits);
        pile->authority_statuses = grown(pile->authority_statuses, count, 1, &fits);
        pile->authority_texts = grown(pile->authority_texts, count, sizeof *pile->authority_texts, &fits);
        pile->authority_room = fits ? count : 0;
    }
    if (!fits)
        return GECC_ERROR_MEMORY;
    result = gecc_ethereum_authorities(
        run->context, pile->authority_offsets, gecc_out_packed(pile->authorities, sizeof *pile->authorities),
        gecc_out_packed(pile->authority_statuses, 1), count, rows, pile->count, &options);
    if (result != GECC_OK)
        return result;
    return checksum_addresses(run->context, pile->authority_texts, (const uint8_t(*)[20])pile->authorities, count);
}

static bool has_hash(const struct pile *pile, size_t i) {
    return pile->complaints[i] == NULL && pile->statuses[i] != GECC_ITEM_MALFORMED_TRANSACTION &&
           pile->statuses[i] != GECC_ITEM_NOT_PROCESSED;
}

/* What its record says of a row's transaction, and what its bytes say. */
static void compare(struct complaint *complaint, const struct pile *pile, size_t i) {
    const struct told *told = &pile->told[i];
    char said[65] = {0}, found[65] = {0};
    if (told->has_hash && memcmp(told->hash, pile->hashes[i], sizeof told->hash) != 0) {
        hex_encode(said, told->hash, sizeof told->hash);
        hex_encode(found, pile->hashes[i], sizeof told->hash);
        complain(complaint, "hash: it says 0x%s, and the transaction's is 0x%s", said, found);
    } else if (told->has_type && told->type != pile->types[i]) {
        complain(complaint, "type: it says %u, and the transaction's is %u", told->type, pile->types[i]);
    } else if (pile->statuses[i] == GECC_ITEM_OK && told->has_sender &&
               memcmp(told->sender, pile->senders[i], sizeof told->sender) != 0) {
        hex_encode(said, told->sender, sizeof told->sender);
        complain(complaint, "sender: it says 0x%s, and 0x%.40s has signed", said, pile->sender_texts[i]);
    }
}

/* false: not enough memory. */
static bool check_told(struct pile *pile) {
    for (size_t i = 0; i < pile->count; i++) {
        struct complaint complaint = {{0}};
        if (has_hash(pile, i))
            compare(&complaint, pile, i);
        if (complaint.text[0] && !(pile->complaints[i] = strdup(complaint.text)))
            return false;
    }
    return true;
}

static gecc_result compute(struct run *run, struct pile *pile) {
    gecc_rows rows = {pile->raw.data ? (const void *)pile->raw.data : "", 0, 0, pile->widths, pile->offsets};
    gecc_ethereum_options options = options_of(run);
    options.report = &run->report;
    gecc_result result = gecc_ethereum_senders(run->context, gecc_out_packed(pile->senders, sizeof *pile->senders),
                                               gecc_out_packed(pile->hashes, sizeof *pile->hashes),
                                               gecc_out_packed(pile->types, 1), gecc_out_packed(pile->reasons, 1),
                                               gecc_out_packed(pile->positions, sizeof *pile->positions),
                                               gecc_out_packed(pile->statuses, 1), rows, pile->count, &options);
    if (result == GECC_OK)
        result = find_authorities(run, pile, rows);
    if (result == GECC_OK)
        result = checksum_addresses(run->context, pile->sender_texts, (const uint8_t(*)[20])pile->senders, pile->count);
    run->seconds += run->report.seconds;
    return result == GECC_OK && !check_told(pile) ? GECC_ERROR_MEMORY : result;
}

/* The writer. */

static enum outcome outcome_of(const struct pile *pile, size_t i) {
    if (pile->complaints[i] || gecc_item_is_malformed(pile->statuses[i]))
        return OUTCOME_MALFORMED;
    return pile->statuses[i] == GECC_ITEM_OK        ? OUTCOME_OK
           : pile->statuses[i] == GECC_ITEM_INVALID ? OUTCOME_INVALID
                                                    : OUTCOME_UNPROCESSED;
}

/* "byte 7: a number begins with a byte of zero"; nothing in it needs an escape. */
static void print_malformed(const struct pile *pile, size_t i, FILE *out) {
    uint8_t reason = pile->reasons[i];
    if (reason == GECC_ETHEREUM_CHAIN && pile->is_encoded[i])
        fputs("chainId: ", out);
    else if (!pile->is_encoded[i])
        fprintf(out, "byte %u: ", pile->positions[i]);
    if (reason == GECC_ETHEREUM_TYPE) {
        unsigned type = pile->raw.data[pile->offsets[i] + pile->positions[i]];
        fprintf(out, "type 0x%02x: %s", type, ethereum_type_text(type));
    } else {
        fputs(gecc_ethereum_reason_text(reason), out);
    }
}

static void print_reason(const struct pile *pile, size_t i, FILE *out) {
    if (pile->complaints[i])
        fputs(pile->complaints[i], out);
    else if (pile->statuses[i] == GECC_ITEM_MALFORMED_TRANSACTION)
        print_malformed(pile, i, out);
    else if (pile->statuses[i] == GECC_ITEM_INVALID)
        fputs("no key has this signature", out);
    else
        fputs(gecc_item_text(pile->statuses[i]), out);
}

static void print_address(const char text[ADDRESS_DIGITS], FILE *out) {
    fputs("0x", out);
    fwrite(text, 1, ADDRESS_DIGITS, out);
}

/* Of a row that has none, the one that its object says: it may be all that tells which it is. */
static bool print_hash(const struct pile *pile, size_t i, const char *before, FILE *out) {
    char text[64];
    bool own = has_hash(pile, i);
    if (!own && !(pile->is_encoded[i] && pile->told[i].has_hash))
        return false;
    hex_encode(text, own ? pile->hashes[i] : pile->told[i].hash, sizeof *pile->hashes);
    fputs(before, out);
    fputs("0x", out);
    fwrite(text, 1, sizeof text, out);
    return true;
}

static void print_kept(const struct pile *pile, size_t i, FILE *out) {
    size_t start = i ? pile->kept_ends[i - 1] : 0, size = pile->kept_ends[i] - start;
    if (size)
        fwrite(pile->kept.bytes + start, 1, size, out);
}

static bool has_authorities(const struct pile *pile, size_t i) { return has_hash(pile, i) && pile->types[i] == 4; }

static const char *const outcome_texts[] = {"ok", "invalid", "malformed", "unprocessed"};

static void print_csv(const struct pile *pile, size_t i, enum outcome outcome, FILE *out) {
    print_kept(pile, i, out);
    fprintf(out, "%llu,%s,", (unsigned long long)pile->lines[i], outcome_texts[outcome]);
    if (outcome != OUTCOME_OK) {
        putc('"', out);
        print_reason(pile, i, out);
        putc('"', out);
    }
    putc(',', out);
    (void)print_hash(pile, i, "", out);
    putc(',', out);
    if (has_hash(pile, i))
        fprintf(out, "%u", pile->types[i]);
    putc(',', out);
    if (outcome == OUTCOME_OK)
        print_address(pile->sender_texts[i], out);
    putc(',', out);
    for (uint64_t k = pile->authority_offsets[i]; has_authorities(pile, i) && k < pile->authority_offsets[i + 1]; k++) {
        if (k != pile->authority_offsets[i])
            putc(' ', out);
        if (pile->authority_statuses[k] == GECC_ITEM_OK)
            print_address(pile->authority_texts[k], out);
        else
            putc('-', out);
    }
    putc(',', out);
    if (pile->places[i])
        fprintf(out, "%u", pile->places[i] - 1);
    putc('\n', out);
}

static void print_json(const struct pile *pile, size_t i, enum outcome outcome, FILE *out) {
    putc('{', out);
    print_kept(pile, i, out);
    fprintf(out, "\"line\":%llu,\"status\":\"%s\"", (unsigned long long)pile->lines[i], outcome_texts[outcome]);
    if (outcome != OUTCOME_OK) {
        fputs(",\"reason\":\"", out);
        print_reason(pile, i, out);
        putc('"', out);
    }
    if (print_hash(pile, i, ",\"hash\":\"", out))
        putc('"', out);
    if (has_hash(pile, i))
        fprintf(out, ",\"type\":%u", pile->types[i]);
    if (outcome == OUTCOME_OK) {
        fputs(",\"sender\":\"", out);
        print_address(pile->sender_texts[i], out);
        putc('"', out);
    }
    if (has_authorities(pile, i)) {
        fputs(",\"authorities\":[", out);
        for (uint64_t k = pile->authority_offsets[i]; k < pile->authority_offsets[i + 1]; k++) {
            if (k != pile->authority_offsets[i])
                putc(',', out);
            if (pile->authority_statuses[k] == GECC_ITEM_OK) {
                putc('"', out);
                print_address(pile->authority_texts[k], out);
                putc('"', out);
            } else {
                fputs("null", out);
            }
        }
        putc(']', out);
    }
    if (pile->places[i])
        fprintf(out, ",\"transaction\":%u", pile->places[i] - 1);
    fputs("}\n", out);
}

/* The stages. */

static enum ring_answer read_pile(void *owner, void *item) {
    struct run *run = owner;
    struct pile *pile = item;
    pile_clear(pile);
    if (!atomic_load(&run->stop) && !source_fill(&run->source, pile))
        run->read_failed = true;
    return run->read_failed || pile->count == 0 ? RING_LAST : RING_ON;
}

/* A call that failed is the last one. */
static enum ring_answer compute_pile(void *owner, void *item) {
    struct run *run = owner;
    struct pile *pile = item;
    pile->is_computed = pile->count != 0 && !atomic_load(&run->stop);
    const gecc_result result = pile->is_computed ? compute(run, pile) : GECC_OK;
    if (result != GECC_OK) {
        pile->is_computed = false;
        run->result = result;
        atomic_store(&run->stop, true);
    }
    return RING_ON;
}

/* Rows that are not computed, as a call failed, read `unprocessed`, and have no authorities. */
static enum ring_answer print_pile(void *owner, void *item) {
    const struct run *run = owner;
    struct pile *pile = item;
    memset(pile->counts, 0, sizeof pile->counts);
    if (!pile->is_computed) {
        memset(pile->statuses, GECC_ITEM_NOT_PROCESSED, pile->count);
        memset(pile->authority_offsets, 0, (pile->count + 1) * sizeof *pile->authority_offsets);
    }
    if (!print_begin(&pile->rows))
        return RING_ON;
    for (size_t i = 0; i < pile->count; i++) {
        enum outcome outcome = outcome_of(pile, i);
        pile->counts[outcome]++;
        if (run->source.as_json)
            print_json(pile, i, outcome, pile->rows.file);
        else
            print_csv(pile, i, outcome, pile->rows.file);
    }
    return RING_ON;
}

static enum ring_answer write_pile(void *owner, void *item) {
    struct run *run = owner;
    struct pile *pile = item;
    if (run->write_error)
        return RING_ON;
    for (size_t o = 0; o < sizeof run->counts / sizeof *run->counts; o++)
        run->counts[o] += pile->counts[o];
    errno = 0;
    if (!pile->rows.file || !print_end(&pile->rows))
        run->write_error = ENOMEM;
    else if (fwrite(pile->rows.text, 1, pile->rows.size, run->out) != pile->rows.size || fflush(run->out) != 0)
        run->write_error = errno ? errno : EIO;
    if (run->write_error)
        atomic_store(&run->stop, true);
    return RING_ON;
}

static const struct ring_stage stages[] = {
    {read_pile, RING_IN_TURN, false, NULL},
    {compute_pile, RING_IN_TURN, true, NULL},
    {print_pile, RING_ANY, false, NULL},
    {write_pile, RING_IN_TURN, false, NULL},
};

static int trouble(const char *text) {
    say("gecc: senders: %s", text);
    return EXIT_TROUBLE;
}

static int run_ring(struct run *run) {
    struct ring ring = {.owner = run,
                        .stages = stages,
                        .stage_count = sizeof stages / sizeof *stages,
                        .item_count = PILES,
                        .workers = ring_workers(PILES),
                        .callers = 1};
    for (size_t i = 0; i < PILES; i++)
        ring.items[i] = &run->piles[i];
    if (!ring_run(&ring))
        return trouble(gecc_result_text(GECC_ERROR_THREAD));
    if (run->result != GECC_OK)
        return trouble(gecc_result_text(run->result));
    if (run->read_failed)
        return trouble(run->source.error);
    if (run->source.found == 0 && !run->options->allow_empty) {
        say("gecc: senders: %s: there is no transaction in it; if that may be, say --allow-empty",
            run->source.records.name);
        return EXIT_TROUBLE;
    }
    if (run->source.has_left)
        say("gecc: senders: %s", run->source.as_json
                                     ? "members of objects that are longer than 4096 bytes are in no row"
                                     : MEMBERS_LEFT_OUT);
    return run->counts[OUTCOME_INVALID] || run->counts[OUTCOME_MALFORMED] ? EXIT_BAD_ROWS : EXIT_GOOD;
}

static void summarize(const struct run *run) {
    say("senders: %llu ok, %llu invalid, %llu malformed; %.3f s on %s (%s)",
        (unsigned long long)run->counts[OUTCOME_OK], (unsigned long long)run->counts[OUTCOME_INVALID],
        (unsigned long long)run->counts[OUTCOME_MALFORMED], run->seconds, run->report.backend, run->report.detail);
}

const char *const sender_results[] = {"line",   "status",      "reason",      "hash", "type",
                                      "sender", "authorities", "transaction", NULL};

static void print_header(const struct run *run) {
    source_put_header(&run->source, run->out);
    for (size_t i = 0; sender_results[i]; i++)
        fprintf(run->out, "%s%s", i ? "," : "", sender_results[i]);
    putc('\n', run->out);
}

static bool open_output(struct run *run) {
    const char *reason = target_open(&run->target, run->options->output, false, run->source.records.input);
    if (!reason) {
        run->out = run->target.descriptor == STDOUT_FILENO ? stdout : fdopen(run->target.descriptor, "w");
        reason = run->out ? NULL : strerror(errno);
    }
    if (reason)
        return say("gecc: %s: %s", run->target.name, reason), false;
    if (!run->source.as_json)
        print_header(run);
    return true;
}

static bool allocate(struct run *run) {
    size_t rows = run->options->batch ? run->options->batch : batch_default(run->context);
    bool fits = true;
    for (size_t i = 0; i < PILES && fits; i++)
        fits = pile_allocate(&run->piles[i], rows);
    return fits;
}

static int senders(const struct options *options) {
    static struct run run;
    int status = EXIT_TROUBLE;
    run = (struct run){.options = options, .report = GECC_REPORT_INIT};
    signal(SIGPIPE, SIG_IGN);
    if (!source_open(&run.source, options, &run.stop))
        (void)trouble(run.source.error);
    else if ((run.context = context_open(options, 0)) != NULL && !allocate(&run))
        (void)trouble(gecc_result_text(GECC_ERROR_MEMORY));
    else if (run.context != NULL && open_output(&run))
        status = run_ring(&run);
    errno = 0;
    const bool closed = run.out == NULL || (fflush(run.out) == 0 && (run.out == stdout || fclose(run.out) == 0));
    if (run.write_error == 0 && (!closed || (status != EXIT_TROUBLE && !target_finish(&run.target))))
        run.write_error = errno ? errno : EIO;
    if (run.write_error)
        status = run.write_error == EPIPE ? EXIT_TROUBLE : trouble("the output could not be written");
    else if (status != EXIT_TROUBLE && !options->quiet)
        summarize(&run);
    for (size_t i = 0; i < PILES; i++)
        pile_free(&run.piles[i]);
    gecc_close(run.context);
    source_close(&run.source);
    target_free(&run.target);
    return status;
}

static const char *check(const struct options *options) {
    return options->output_format == FORMAT_RAW ? NOT_RAW_OUTPUT : NULL;
}

static const struct column_text columns[] = {
    {"line", "the number of the line that the transaction was in, or of the block where blocks are bytes"},
    {"status", "ok, invalid (no key has this signature) or malformed"},
    {"reason", "why the row is not ok; of bytes that are no transaction also the first that is wrong, counted from 0"},
    {"hash", "the transaction's; of a malformed object of JSON-RPC the one that it says itself"},
    {"type", "0 to 4"},
    {"sender", "the address, with its checksum in the case of its letters (EIP-55)"},
    {"authorities", "those of a transaction of type 4; - (in JSON null) where an authorization has none"},
    {"transaction",
     "the transaction's index, from 0 up, in its record, if that is a block or has an array of transactions"},
    {NULL, NULL}};

const struct command command_senders = {
    .name = "senders",
    .summary = "find who sent Ethereum transactions",
    .description =
        "The hash, type and sender of each signed transaction, and of type 4 the authorities that signed its "
        "authorizations. Every type is taken: legacy, before and after EIP-155, 1, 2, 3, with blobs or without, and 4. "
        "Those of other chains are malformed rows that say their type.\n\n"
        "What a record says twice has to agree: `hash`, `from` and `sender` with what comes of the bytes, `v` with "
        "`yParity` and `chainId`, `input` with `data`. Where two differ, or a name stands twice, the row is malformed, "
        "and its reason names both. An object from which the transaction cannot be encoded as it was signed is found "
        "out by its `hash` alone.",
    .examples = "gecc senders transactions.txt > senders.csv\n"
                "curl -s $NODE -H 'content-type: application/json' -d '{\"jsonrpc\":\"2.0\",\"id\":1,"
                "\"method\":\"eth_getBlockByNumber\",\"params\":[\"latest\",true]}' | gecc senders\n"
                "gecc senders --chain-id 1 --output-format jsonl blocks.rlp\n",
    .options = OPTIONS_COMMON | OPTIONS_CONTEXT | OPTIONS_SENDERS,
    .check = check,
    .records =
        "FILE or standard input, compressed with gzip or zstd or not, has one of these: a line of hexadecimal "
        "digits, with or without 0x, for each "
        "transaction or block; CSV with a column `raw` of them; JSON-RPC's transaction objects, one a line or "
        "in arrays, "
        "in blocks (eth_getBlockByNumber) or in answers, encoded as RLP again, or objects with a member `raw`; "
        "or blocks "
        "in RLP, as bytes, one after the other. The rows are JSON Lines where the input is JSON, else CSV.\n\n"
        "Other columns and members but `priv`, the `id` of an answer too, come first in its rows; one that is called "
        "like a "
        "column below is then called input_NAME. CSV has no columns for members of objects: a word on standard "
        "error says so. Of a block, what the execution API has besides the transactions is passed over. A line, an "
        "object or a block has 64 MiB at most, and a record of several transactions 4096 bytes that are kept. "
        "JSON may be on lines or over several; in the first case a line that is no JSON is a malformed row, in "
        "the second, as after a cell of CSV whose quotation marks do not end, it is an error, since it is not "
        "known where the next record begins.",
    .columns = columns,
    .main = senders};
