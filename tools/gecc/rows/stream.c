/* Batches go round in a ring (rows/ring.h). Reading, and of files that can be read in parts the giving out of ranges,
 * putting in order, and writing are done by one worker at a time, in the order of the batches; loading of ranges,
 * parsing and formatting by all of them at once. Callers of the library have their turn in between: one thread, or, so
 * that rows move to a GPU while it computes others, a few. */
#define _DEFAULT_SOURCE /* setenv */

#include "rows/stream.h"
#include "rows/documents.h"
#include "rows/progress.h"
#include "rows/ring.h"
#include "rows/sums.h"
#include "text/say.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_BATCH = 16384, DEFAULT_BATCH_OF_GPU = 262144, CALLERS_OF_GPU = 4, MOST_BATCHES_OF_GPU = 16 };

struct stream {
    const struct command *command;
    const struct options *options;
    gecc_context *context;
    struct reader reader;
    struct writer writer;
    struct sums sums; /* where rows are terms of sums */
    struct progress progress;
    atomic_bool stop; /* the output failed, or the library did */
    struct ring ring;
    pthread_mutex_t lock;
    struct buffer
        outputs[RING_ITEMS]; /* that no batch has: one has it from where it is formatted to where it is written */
    size_t output_count;
    gecc_result outcome; /* of the first call that failed */
    char fault[256];     /* why not all was read */
};

const char *const cpu_codes[] = {"ifma",         "ifma-256",         "avx512", /* vectors */
                                 "portable-adx", "portable-aarch64", "portable-c", NULL};

static const char variable[] = "GECC_CPU";

/* Set it; `kept` keeps what it was. */
static void code_set(const char *code, char kept[32], bool *was_set) {
    const char *set = getenv(variable);
    *was_set = set != NULL;
    snprintf(kept, 32, "%s", set ? set : "");
    setenv(variable, code, 1);
}

static void code_restore(const char kept[32], bool was_set) {
    if (was_set)
        setenv(variable, kept, 1);
    else
        unsetenv(variable);
}

void cpu_code_probe(const char *code, gecc_backend_info *info) {
    char kept[32];
    bool was_set;
    code_set(code, kept, &was_set);
    for (size_t i = 0; i < gecc_backends(NULL, i, info) && strcmp(info->name, "cpu") != 0; i++)
        ;
    code_restore(kept, was_set);
}

/* The CPU's code that can run here. */
static void list_machines(char *out, size_t size) {
    out[0] = 0;
    for (size_t i = 0; cpu_codes[i] != NULL; i++) {
        gecc_backend_info info = GECC_BACKEND_INFO_INIT;
        cpu_code_probe(cpu_codes[i], &info);
        if (info.available)
            snprintf(out + strlen(out), size - strlen(out), "%s, ", cpu_codes[i]);
    }
}

gecc_context *context_open(const struct options *options, unsigned default_threads) {
    gecc_context *context = NULL;
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = options->backend;
    config.device = options->device;
    config.key_cache_bytes = options->key_cache;
    config.threads = options->threads_given ? (unsigned)options->threads : default_threads;
    if (gecc_open(&context, &config) != GECC_OK) {
        const char *machine = getenv("GECC_CPU");
        char reason[256], kept[41], machines[96];
        snprintf(reason, sizeof reason, "%s", gecc_error_text());
        snprintf(kept, sizeof kept, "%s", machine ? machine : "");
        if (machine)
            list_machines(machines, sizeof machines);
        if (machine)
            say("gecc: GECC_CPU=%s: %s; here it may be %sportable or left out", kept, reason, machines);
        else
            say("gecc: backend %s", reason);
        return NULL;
    }
    return context;
}

gecc_context *cpu_context_open(const char *machine) {
    char kept[32];
    bool was_set = false;
    gecc_context *context = NULL;
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cpu";
    if (machine)
        code_set(machine, kept, &was_set);
    gecc_result result = gecc_open(&context, &config);
    if (machine)
        code_restore(kept, was_set);
    if (result != GECC_OK)
        say("gecc: the CPU's code: %s", gecc_error_text());
    return context;
}

/* The stages. */

static enum ring_answer read_batch(void *owner, void *item) {
    struct stream *stream = owner;
    struct batch *batch = item;
    reader_take(&stream->reader, batch);
    return batch->is_last ? RING_LAST : RING_ON;
}

static enum ring_answer load_batch(void *owner, void *item) {
    const struct stream *stream = owner;
    reader_load(&stream->reader, item);
    return RING_ON;
}

static enum ring_answer order_batch(void *owner, void *item) {
    struct stream *stream = owner;
    return reader_order(&stream->reader, item) ? RING_REOPEN : RING_ON;
}

static enum ring_answer parse_batch(void *owner, void *item) {
    const struct stream *stream = owner;
    reader_parse(&stream->reader, item);
    batch_close(item);
    return RING_ON;
}

/* In the order of batches, so that none is left out before one that is computed. */
static void begin_to_compute(void *owner, void *item) {
    const struct stream *stream = owner;
    struct batch *batch = item;
    batch->stopped = atomic_load(&stream->stop);
    batch->skipped = interrupt_caught() != 0;
}

/* A failed call stops the stream after its batch, of which the rows read `unprocessed`. */
static enum ring_answer compute_batch(void *owner, void *item) {
    struct stream *stream = owner;
    struct batch *batch = item;
    if (!batch->stopped)
        batch_run(batch, stream->context);
    if (batch->mapping->sums)
        sums_compute(batch, stream->context);
    if (batch->outcome != GECC_OK)
        atomic_store(&stream->stop, true);
    return RING_ON;
}

static enum ring_answer format_batch(void *owner, void *item) {
    struct stream *stream = owner;
    struct batch *batch = item;
    pthread_mutex_lock(&stream->lock);
    batch->output = stream->outputs[--stream->output_count];
    pthread_mutex_unlock(&stream->lock);
    if (!batch->mapping->sums)
        writer_format(&stream->writer, batch);
    return RING_ON;
}

static void give_output_back(struct stream *stream, struct batch *batch) {
    buffer_clear(&batch->output);
    pthread_mutex_lock(&stream->lock);
    stream->outputs[stream->output_count++] = batch->output;
    pthread_mutex_unlock(&stream->lock);
    batch->output = (struct buffer){0};
}

static enum ring_answer write_batch(void *owner, void *item) {
    struct stream *stream = owner;
    struct batch *batch = item;
    reader_complain(&stream->reader, batch);
    if (!batch->skipped && batch->mapping->sums && !sums_take(&stream->sums, batch))
        atomic_store(&stream->stop, true);
    if (!batch->skipped && !writer_write(&stream->writer, batch))
        atomic_store(&stream->stop, true);
    give_output_back(stream, batch);
    if (stream->outcome == GECC_OK)
        stream->outcome = batch->outcome;
    if (batch->fault[0])
        memcpy(stream->fault, batch->fault, sizeof stream->fault);
    progress_update(&stream->progress, batch, &stream->writer, stream->reader.bytes_total);
    return RING_ON;
}

static const struct ring_stage stages[] = {
    {read_batch, RING_IN_TURN, false, NULL},
    {load_batch, RING_ANY, false, NULL},
    {order_batch, RING_IN_TURN, false, NULL},
    {parse_batch, RING_ANY, false, NULL},
    {compute_batch, RING_BEGUN, true, begin_to_compute},
    {format_batch, RING_ANY, false, NULL},
    {write_batch, RING_IN_TURN, false, NULL},
};

static bool uses_gpu(const gecc_context *context) {
    gecc_backend_info info = GECC_BACKEND_INFO_INIT;
    for (size_t i = 0; i < gecc_backends(context, i, &info); i++)
        if (info.chosen && strcmp(info.name, "cuda") == 0)
            return true;
    return false;
}

size_t batch_default(const gecc_context *context) { return uses_gpu(context) ? DEFAULT_BATCH_OF_GPU : DEFAULT_BATCH; }

static bool allocate_batches(struct stream *stream) {
    const size_t rows = stream->options->batch ? stream->options->batch : batch_default(stream->context);
    struct ring *ring = &stream->ring;
    ring->owner = stream;
    ring->stages = stages;
    ring->stage_count = sizeof stages / sizeof *stages;
    ring->workers = ring_workers(stream->options->threads);
    ring->callers = uses_gpu(stream->context) ? CALLERS_OF_GPU : 1;
    size_t count = ring->workers + ring->callers + 2;
    if (ring->callers > 1 && count > MOST_BATCHES_OF_GPU)
        count = MOST_BATCHES_OF_GPU;
    for (; ring->item_count < count; ring->item_count++) {
        struct batch *batch = batch_create(stream->command->mapping, stream->options, rows);
        if (!batch)
            return false;
        ring->items[ring->item_count] = batch;
        give_output_back(stream, batch);
    }
    reader_use_ranges(&stream->reader, rows);
    return true;
}

static int fail(const char *name, const char *text) {
    say("gecc: %s: %s", name, text);
    return EXIT_TROUBLE;
}

/* Nobody reads the output any more: they know, and need not be told. */
static int output_failed(const struct writer *writer) {
    if (writer->refusal[0])
        return fail(writer->target.name, writer->refusal);
    return writer->error == EPIPE ? EXIT_TROUBLE : fail(writer->target.name, strerror(writer->error));
}

static int run(struct stream *stream) {
    if (!allocate_batches(stream))
        return fail(stream->command->name, gecc_result_text(GECC_ERROR_MEMORY));
    writer_header(&stream->writer);
    progress_init(&stream->progress, stream->options);
    if (!ring_run(&stream->ring))
        return fail(stream->command->name, gecc_result_text(GECC_ERROR_THREAD));
    progress_clear(&stream->progress);
    reader_say_tallies(&stream->reader);
    int status = EXIT_GOOD;
    if (stream->fault[0] || !reader_reached_end(&stream->reader))
        status = fail("input", stream->fault[0] ? stream->fault : stream->reader.error);
    if (stream->outcome != GECC_OK)
        status = fail(stream->command->name, gecc_result_text(stream->outcome));
    return status;
}

static int status_of_rows(const uint64_t counts[VERDICT_COUNT]) {
    if (counts[VERDICT_UNPROCESSED])
        return EXIT_TROUBLE;
    return counts[VERDICT_INVALID] || counts[VERDICT_MALFORMED] || counts[VERDICT_NO_KEY] ? EXIT_BAD_ROWS : EXIT_GOOD;
}

static bool as_many_as_expected(const struct stream *stream) {
    uint64_t rows = 0;
    for (int v = 0; v < VERDICT_COUNT; v++)
        rows += stream->writer.counts[v];
    const bool expected = stream->options->expect_rows_given && rows == stream->options->expect_rows;
    if (rows == 0 && !expected && !stream->options->allow_empty) {
        say("gecc: %s: there are no rows; if it may be so, say --allow-empty", stream->reader.name);
        return false;
    }
    if (!stream->options->expect_rows_given || expected)
        return true;
    say("gecc: %s: %llu rows, and --expect-rows says %zu", stream->reader.name, (unsigned long long)rows,
        stream->options->expect_rows);
    return false;
}

/* The sum that had more terms until the input's end. */
static int finish_sums(struct stream *stream) {
    struct batch *batch = stream->ring.items[0];
    batch_reset(batch);
    batch->output = stream->outputs[--stream->output_count];
    sums_finish(&stream->sums, batch);
    const bool written = writer_write(&stream->writer, batch);
    give_output_back(stream, batch);
    return written ? EXIT_GOOD : EXIT_TROUBLE;
}

static int write_and_run(struct stream *stream) {
    const bool sums = stream->command->mapping->sums;
    const char *reason = writer_open(&stream->writer, stream->command->mapping, stream->options, &stream->reader);
    if (sums && !sums_init(&stream->sums, stream->context, &stream->writer, stream->options))
        return fail(stream->command->name, gecc_result_text(GECC_ERROR_MEMORY));
    if (reason)
        return fail(stream->writer.target.name, reason);
    if (stream->writer.target.path)
        interrupts_catch(&stream->stop);
    int status = run(stream);
    if (status == EXIT_GOOD && !interrupt_caught() && !as_many_as_expected(stream))
        status = EXIT_TROUBLE;
    if (sums && status == EXIT_GOOD && !interrupt_caught())
        status = finish_sums(stream);
    bool whole = status == EXIT_GOOD && !interrupt_caught();
    if (!writer_close(&stream->writer, whole))
        status = output_failed(&stream->writer);
    if (!whole || status != EXIT_GOOD)
        return EXIT_TROUBLE;
    if (!stream->options->quiet)
        progress_summary(&stream->progress, stream->command, &stream->writer);
    if (!stream->options->quiet && stream->options->key_cache)
        say("gecc %s: kept tables of %zu keys", stream->command->name, stream->progress.report.kept_keys);
    if (!stream->options->quiet && sums)
        sums_summary(&stream->sums, stream->command->name);
    return status_of_rows(sums ? stream->sums.counts : stream->writer.counts);
}

int stream_run(const struct command *command, const struct options *options) {
    struct stream stream = {.command = command, .options = options};
    char error[256];
    if (options->authorities && !authorities_find_in_input(command->mapping, options, error, sizeof error))
        return fail(command->name, error);
    pthread_mutex_init(&stream.lock, NULL);
    signal(SIGPIPE, SIG_IGN);
    int status = EXIT_TROUBLE;
    if (!reader_open(&stream.reader, command->mapping, options, &stream.stop))
        say("gecc: %s: %s; see gecc %s --help", command->name, stream.reader.error, command->name);
    else if ((stream.context = context_open(options, 0)) != NULL)
        status = write_and_run(&stream);
    for (size_t i = 0; i < stream.ring.item_count; i++)
        batch_free(stream.ring.items[i]);
    for (size_t i = 0; i < stream.output_count; i++)
        buffer_free(&stream.outputs[i]);
    sums_free(&stream.sums);
    pthread_mutex_destroy(&stream.lock);
    gecc_close(stream.context);
    reader_close(&stream.reader);
    target_free(&stream.writer.target);
    if (interrupt_caught())
        interrupt_raise();
    return status;
}
