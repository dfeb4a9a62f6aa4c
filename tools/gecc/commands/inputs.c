/* inputs: what the inputs of Bitcoin transactions are signed with, and whether it holds. Batches of transactions go
 * round in a ring: read, computed, printed, written. */
#define _DEFAULT_SOURCE /* SIGPIPE */

#include "commands/commands.h"

#include "bitcoin/output.h"
#include "bitcoin/record.h"
#include "rows/record_source.h"
#include "rows/kept.h"
#include "files/magic.h"
#include "rows/progress.h"
#include "rows/ring.h"
#include "rows/stream.h"
#include "text/say.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

enum {
    BATCHES = 4,
    DEFAULT_INPUTS = 16384,
    BATCH_BYTES = 16 << 20, /* of memory that a batch has taken when it is full */
    MAX_COMPLAINTS = 10000  /* records that are named on standard error */
};

struct flow {
    const struct options *options;
    gecc_context *context;
    struct record_source source;
    struct record_layout layout;
    struct output output;
    struct progress progress;
    uint64_t complaints, others; /* of the reader, and of transactions that are not what their records say */
    bool told_left_out, has_left;
    atomic_bool stop; /* the output failed, or the library did, or memory lacks */

    struct batch_of_inputs {
        struct inputs inputs;
        struct output rows; /* its own, in `print` */
        struct print print;
        uint64_t bytes_read;
        bool is_computed;
    } batches[BATCHES];
    bool read_failed;
    gecc_result outcome;
    int write_error; /* errno */
};

static void say_malformed(const struct flow *flow, const struct entry *entry) {
    char place[48] = "";
    if (entry->told.place)
        snprintf(place, sizeof place, "transaction %zu: ", entry->told.place - 1);
    say("gecc: %s: line %llu: %s%s", flow->source.name, (unsigned long long)entry->line, place, entry->malformed);
}

/* Name what is malformed on standard error, from entry number `first` on. */
static void complain(struct flow *flow, const struct inputs *inputs, size_t first) {
    for (size_t e = first; e < inputs->entry_count; e++) {
        if (!inputs->entries[e].malformed || ++flow->complaints > MAX_COMPLAINTS)
            continue;
        say_malformed(flow, &inputs->entries[e]);
        if (flow->complaints == MAX_COMPLAINTS)
            say("gecc: %s: more malformed records are not named here", flow->source.name);
    }
}

/* The same of transactions that are not those that their records say. */
static void complain_of_others(struct flow *flow, const struct inputs *inputs) {
    for (size_t e = 0; e < inputs->entry_count; e++)
        if (inputs->entries[e].is_other && ++flow->others <= MAX_COMPLAINTS)
            say_malformed(flow, &inputs->entries[e]);
}

/* Records until the batch is full, or the input pauses. false: source.error says why there are no more; the batch
 * has those that were read before. */
static bool fill(struct flow *flow, struct inputs *inputs, bool *ended) {
    size_t room = flow->options->batch ? flow->options->batch : DEFAULT_INPUTS;
    *ended = false;
    while (inputs->input_count < room && inputs->entry_count < room && inputs->arena.total < BATCH_BYTES) {
        struct source_record record;
        size_t first = inputs->entry_count;
        enum source_step step = record_source_next(&flow->source, &record, inputs->entry_count > 0);
        if (step == SOURCE_FAILED)
            return false;
        *ended = step == SOURCE_END;
        if (step == SOURCE_END || step == SOURCE_PAUSE)
            return true;
        bool taken = step == SOURCE_RECORD
                         ? record_take(inputs, &flow->layout, record.line, record.text, record.size)
                         : record_refuse(inputs, &flow->layout, record.line,
                                         step == SOURCE_LONG ? "longer than 64 MiB" : "not a JSON object");
        if (!taken) {
            inputs_reset(inputs);
            snprintf(flow->source.error, sizeof flow->source.error, "%s", gecc_result_text(GECC_ERROR_MEMORY));
            return false;
        }
        complain(flow, inputs, first);
        if (inputs->left_out[0] && !flow->told_left_out)
            say("gecc: %s: %s: longer than 4096 bytes: it is left out of the rows, and so are others like it",
                flow->source.name, inputs->left_out);
        flow->told_left_out |= inputs->left_out[0] != 0;
        flow->has_left |= inputs->has_left;
    }
    return true;
}

static enum ring_answer read_batch(void *owner, void *item) {
    struct flow *flow = owner;
    struct batch_of_inputs *batch = item;
    bool ended;
    inputs_reset(&batch->inputs);
    flow->read_failed = !fill(flow, &batch->inputs, &ended);
    batch->bytes_read = flow->source.bytes_read;
    return flow->read_failed || ended || atomic_load(&flow->stop) ? RING_LAST : RING_ON;
}

/* After a call that failed nothing is written any more. */
static enum ring_answer compute_batch(void *owner, void *item) {
    struct flow *flow = owner;
    struct batch_of_inputs *batch = item;
    batch->is_computed = !atomic_load(&flow->stop);
    if (batch->is_computed)
        inputs_run(&batch->inputs, flow->context);
    complain_of_others(flow, &batch->inputs);
    if (batch->inputs.outcome != GECC_OK) {
        batch->is_computed = false;
        flow->outcome = batch->inputs.outcome;
        atomic_store(&flow->stop, true);
    }
    return RING_ON;
}

static enum ring_answer print_batch(void *owner, void *item) {
    const struct flow *flow = owner;
    struct batch_of_inputs *batch = item;
    if (!batch->is_computed || !print_begin(&batch->print))
        return RING_ON;
    batch->rows = (struct output){.file = batch->print.file, .json = flow->output.json, .verify = flow->output.verify};
    output_batch(&batch->rows, &batch->inputs);
    return RING_ON;
}

static uint64_t rows(const struct output *output) {
    uint64_t count = 0;
    for (int o = 0; o < OUTCOMES; o++)
        count += output->counts[o];
    return count;
}

static enum ring_answer write_batch(void *owner, void *item) {
    struct flow *flow = owner;
    struct batch_of_inputs *batch = item;
    if (batch->is_computed && !flow->write_error) {
        errno = 0;
        if (!output_add(&flow->output, &batch->rows, &batch->print))
            flow->write_error = errno ? errno : EIO;
        if (flow->write_error)
            atomic_store(&flow->stop, true);
    }
    flow->progress.call_seconds += batch->inputs.seconds;
    if (batch->inputs.report.backend[0])
        flow->progress.report = batch->inputs.report;
    progress_show(&flow->progress, rows(&flow->output), batch->bytes_read, flow->source.bytes_total);
    return RING_ON;
}

static const struct ring_stage stages[] = {
    {read_batch, RING_IN_TURN, false, NULL},
    {compute_batch, RING_IN_TURN, true, NULL},
    {print_batch, RING_ANY, false, NULL},
    {write_batch, RING_IN_TURN, false, NULL},
};

static bool run_ring(struct flow *flow) {
    struct ring ring = {.owner = flow,
                        .stages = stages,
                        .stage_count = sizeof stages / sizeof *stages,
                        .item_count = BATCHES,
                        .workers = ring_workers(BATCHES),
                        .callers = 1};
    for (size_t i = 0; i < BATCHES; i++) {
        flow->batches[i].inputs.verify = flow->options->verify_inputs;
        ring.items[i] = &flow->batches[i];
    }
    return ring_run(&ring);
}

static int fail(const char *name, const char *text) {
    say("gecc: %s: %s", name, text);
    return EXIT_TROUBLE;
}

static void summary(const struct flow *flow) {
    const struct output *output = &flow->output;
    const struct progress *progress = &flow->progress;
    double elapsed = seconds_now() - progress->start;
    uint64_t count = rows(output);
    const char *separator = ": ";
    fprintf(stderr, "gecc inputs: %llu transactions, %llu inputs, %llu rows", (unsigned long long)output->transactions,
            (unsigned long long)output->inputs, (unsigned long long)count);
    for (int o = 0; o < OUTCOMES; o++) {
        if (!output->counts[o])
            continue;
        const char *text = o == OUTCOME_GOOD && output->verify ? "valid" : outcome_texts[o];
        fprintf(stderr, "%s%llu %s", separator, (unsigned long long)output->counts[o], text);
        separator = ", ";
    }
    fprintf(stderr, "; %.3f s, %.0f rows/s\n", elapsed, elapsed > 0 ? (double)count / elapsed : 0);
    if (progress->report.backend[0])
        say("gecc inputs: on %s (%s); %.3f s in the library", progress->report.backend, progress->report.detail,
            progress->call_seconds);
}

/* Nobody reads the output any more: they know, and need not be told. */
static int output_failed(const struct output *output, int error) {
    return error == EPIPE ? EXIT_TROUBLE : fail(output->target.name, strerror(error));
}

static int run(struct flow *flow) {
    progress_init(&flow->progress, flow->options);
    if (!run_ring(flow))
        return fail("inputs", gecc_result_text(GECC_ERROR_THREAD));
    progress_clear(&flow->progress);
    errno = 0;
    bool whole = !flow->write_error && flow->outcome == GECC_OK && !flow->read_failed;
    if (!output_close(&flow->output, whole) || flow->write_error)
        return output_failed(&flow->output, flow->write_error ? flow->write_error : errno);
    if (flow->outcome != GECC_OK)
        return fail("inputs", gecc_result_text(flow->outcome));
    if (flow->read_failed)
        return fail("input", flow->source.error);
    if (flow->output.records == 0 && !flow->options->allow_empty)
        return fail(flow->source.name, "there is no transaction in it; if that may be, say --allow-empty");
    if (flow->has_left)
        say("gecc: %s: " MEMBERS_LEFT_OUT, flow->source.name);
    if (!flow->options->quiet)
        summary(flow);
    return rows(&flow->output) > flow->output.counts[OUTCOME_GOOD] ? EXIT_BAD_ROWS : EXIT_GOOD;
}

/* NULL, or why the input cannot be read. */
static const char *open_source(struct flow *flow) {
    struct record_source *source = &flow->source;
    struct source_record record;
    int first;
    if (!record_source_open(source, flow->options->input, &flow->stop) || !record_source_begin(source, &first))
        return source->error;
    if (first < 0 && !flow->options->allow_empty) {
        snprintf(source->error, sizeof source->error, "%.100s: %s", source->name, EMPTY_INPUT);
        return source->error;
    }
    if (!record_source_format(source, flow->options, &flow->layout.format))
        return source->error;
    flow->layout.as_json =
        (flow->options->output_format ? flow->options->output_format : flow->layout.format) == FORMAT_JSONL;
    flow->layout.blocks = flow->options->blocks;
    flow->layout.height = (uint32_t)flow->options->height;
    if (flow->layout.format == FORMAT_JSONL)
        return NULL;
    enum source_step step = record_source_next(source, &record, false);
    if (step == SOURCE_FAILED)
        return source->error;
    if (step == SOURCE_END && flow->options->allow_empty)
        return NULL;
    const char *reason = step == SOURCE_END    ? "there is no header"
                         : step == SOURCE_LONG ? "the header does not end"
                                               : record_header(&flow->layout, record.text, record.size);
    if (reason)
        snprintf(source->error, sizeof source->error, "%.80s: the header: %.100s", source->name, reason);
    const bool differ = reason || !flow->layout.as_json ||
                        kept_names_differ(source->error, sizeof source->error, source->name, flow->layout.header,
                                          flow->layout.names, flow->layout.field_count);
    return reason || !differ ? source->error : NULL;
}

static int inputs_main(const struct options *options) {
    static struct flow flow;
    flow.options = options;
    signal(SIGPIPE, SIG_IGN);
    int status = EXIT_TROUBLE;
    const char *reason = open_source(&flow);
    if (reason) {
        fail("inputs", reason);
    } else if ((flow.context = context_open(options, 0)) != NULL) {
        struct buffer kept = {0};
        record_kept_header(&kept, &flow.layout);
        buffer_put(&kept, "", 1);
        reason = output_open(&flow.output, options, flow.layout.as_json, flow.source.input, kept.bytes);
        buffer_free(&kept);
        status = reason ? fail(flow.output.target.name, reason) : run(&flow);
    }
    for (size_t i = 0; i < BATCHES; i++) {
        inputs_free(&flow.batches[i].inputs);
        print_free(&flow.batches[i].print);
    }
    gecc_close(flow.context);
    record_layout_free(&flow.layout);
    record_source_close(&flow.source);
    target_free(&flow.output.target);
    return status;
}

static const char *inputs_check(const struct options *options) {
    return options->format == FORMAT_RAW          ? "--format: csv or jsonl"
           : options->output_format == FORMAT_RAW ? NOT_RAW_OUTPUT
                                                  : NULL;
}

static const struct column_text columns[] = {
    {"txid", "the transaction; of a malformed record the one that it says itself"},
    {"input", "the number of its input, from 0 up"},
    {"kind",
     "p2pk, p2pkh, multisig, the same with p2sh-, p2wsh- or p2sh-p2wsh- before it, p2wpkh, p2sh-p2wpkh, p2tr-key, "
     "p2tr-script; of what is not covered what is known of it"},
    {"scheme", "ecdsa or bip340"},
    {"hash_type", "the byte that says what of the transaction is signed; 0 where a Schnorr signature has none"},
    {"curve", "secp256k1"},
    {"pub", "the key; a hybrid one is written as uncompressed; empty where it is one of several and none fits"},
    {"digest", "what is signed"},
    {"sig", "the signature as it stands, with the byte of its hash type if it has one"},
    {"internal_key", "p2tr-script: the key that the scripts are committed to with"},
    {"merkle_root", "p2tr-script: the root of the scripts"},
    {"output_key", "p2tr-script: the output's key"},
    {"parity", "p2tr-script: of the output key's y, as the control block says"},
    {"status", "valid (without --verify ok), invalid, malformed or not covered"},
    {"reason", "why the row is none of valid and ok"},
    {"line", "the number of the line that the record begins on"},
    {"transaction", "the number of the transaction in its block, from 0 up; empty where it stands alone"},
    {NULL, NULL}};

const struct command command_inputs = {
    .name = "inputs",
    .summary = "find, and judge, the signatures of Bitcoin transactions",
    .description =
        "A row for each signature of the inputs of Bitcoin transactions: the key, what is signed, the signature. With "
        "--verify each is judged. An input is good if all of its rows are `valid`: its signatures verify, the keys and "
        "scripts are those of which the output has the hash, and of a script path of Taproot the output key is that of "
        "the internal key and the scripts.\n\n"
        "Covered are outputs to keys (p2pk, p2pkh, p2wpkh, and that in p2sh), the same and OP_CHECKMULTISIG as scripts "
        "of p2sh, p2wsh and that in p2sh, bare OP_CHECKMULTISIG, key paths of Taproot, and script paths of signatures, "
        "sums of them and time locks, inscriptions included. Every other input is a row that reads `not covered`. "
        "Which "
        "of its keys has made which signature of OP_CHECKMULTISIG is found by trying.\n\n"
        "The rules are those of the soft forks up to Taproot, in every block; but --height leaves out two that old "
        "blocks "
        "do not keep. A high s is valid. Lock times are compared where a script of Taproot asks for it. Amounts, and "
        "whether an output is still there, are not looked at.",
    .records =
        "Records come from FILE or standard input, as JSON Lines or CSV, compressed with gzip or zstd or not. `raw` "
        "(or `hex`) is a transaction, with or "
        "without witnesses, or with --block a block. `prevouts` are the outputs that its inputs spend, in order: in "
        "JSON "
        "[[satoshi, \"script\"], ...], in CSV satoshi:script with spaces between. Objects of Bitcoin Core are read as "
        "well: of getrawtransaction with verbosity 2 (`hex`, `vin` with `prevout`) and of getblock with verbosity 3 "
        "(`tx`), in arrays and in answers (`result`), too, on one line or over several.\n\n"
        "`txid`, `hash` (with witnesses, or the id) and, in `vin`, `txid` and `vout` have to be the transaction's, if "
        "they are "
        "32 bytes in hexadecimal digits: where two differ the row is malformed. What the bytes say as well (version, "
        "size, vsize, weight, locktime, vout) is passed over. All else but `priv` comes first in each row, up to 4096 "
        "bytes; one "
        "that is "
        "called like a column below is then called input_NAME.\n\n"
        "A record that cannot be read is a row that reads `malformed` and is named on standard error, with the byte "
        "where it fails; nothing of a malformed block is judged. The first transaction of a block has to be a "
        "coinbase, which has no "
        "signatures, and no rows; no other may be one, and one alone is not covered. What weighs more than a block "
        "may, "
        "4,000,000, is malformed. Where the first rule would hash more than 2 GiB for a transaction, the signatures "
        "beyond are not covered.",
    .columns = columns,
    .examples =
        "bitcoin-cli getblock $(bitcoin-cli getbestblockhash) 3 | gecc inputs --verify > verdicts.jsonl\n"
        "gecc inputs transactions.csv | grep -E '^txid|,ecdsa,' | gecc verify --sig-format der --sighash-byte\n",
    .options = OPTIONS_COMMON | OPTIONS_CONTEXT | OPTIONS_INPUTS,
    .check = inputs_check,
    .main = inputs_main};
