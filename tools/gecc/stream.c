/* Three threads, one after another on each batch: reader, library, writer. The batches go round in a ring. */
#define _DEFAULT_SOURCE /* clock_gettime, setenv */

#include "stream.h"
#include "progress.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RING = 3, DEFAULT_BATCH = 16384 };

enum stage { STAGE_EMPTY, STAGE_READ, STAGE_DONE };

struct stream {
    const struct command *command;
    const struct options *options;
    gecc_context *context;
    struct reader reader;
    struct writer writer;
    struct progress progress;
    atomic_bool stop; /* the output failed, or the library did */

    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct slot {
        struct batch *batch;
        enum stage stage;
        bool skipped; /* interrupted before it was computed */
        bool last;    /* no more batches; this one may be empty */
        uint64_t bytes_read;
    } ring[RING];
    bool read_failed;
};

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

gecc_context *context_open(const struct options *options, unsigned default_threads) {
    gecc_context *context = NULL;
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = options->backend;
    config.threads = options->threads_given ? (unsigned)options->threads : default_threads;
    if (gecc_open(&context, &config) != GECC_OK) {
        const char *machine = getenv("GECC_CPU");
        if (machine)
            fprintf(stderr, "gecc: GECC_CPU=%.40s: %s; it may be portable, ifma or left out\n", machine,
                    gecc_error_text());
        else
            fprintf(stderr, "gecc: backend %s\n", gecc_error_text());
        return NULL;
    }
    return context;
}

gecc_context *cpu_context_open(const char *machine) {
    const char *variable = "GECC_CPU", *set = getenv(variable);
    char kept[32];
    gecc_context *context = NULL;
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cpu";
    snprintf(kept, sizeof kept, "%s", set ? set : "");
    if (machine)
        setenv(variable, machine, 1);
    gecc_result result = gecc_open(&context, &config);
    if (set)
        setenv(variable, kept, 1);
    else
        unsetenv(variable);
    if (result != GECC_OK)
        fprintf(stderr, "gecc: the CPU's code: %s\n", gecc_error_text());
    return context;
}

/* Wait until the slot has come to that stage. */
static struct slot *await(struct stream *stream, size_t turn, enum stage stage) {
    struct slot *slot = &stream->ring[turn % RING];
    pthread_mutex_lock(&stream->lock);
    while (slot->stage != stage)
        pthread_cond_wait(&stream->changed, &stream->lock);
    pthread_mutex_unlock(&stream->lock);
    return slot;
}

static void pass(struct stream *stream, struct slot *slot, enum stage stage) {
    pthread_mutex_lock(&stream->lock);
    slot->stage = stage;
    pthread_cond_broadcast(&stream->changed);
    pthread_mutex_unlock(&stream->lock);
}

static void *read_batches(void *argument) {
    struct stream *stream = argument;
    bool last = false;
    for (size_t turn = 0; !last; turn++) {
        struct slot *slot = await(stream, turn, STAGE_EMPTY);
        batch_reset(slot->batch);
        if (!reader_fill(&stream->reader, slot->batch))
            stream->read_failed = true;
        batch_close(slot->batch);
        last = stream->read_failed || slot->batch->count == 0 || atomic_load(&stream->stop);
        slot->last = last;
        slot->bytes_read = stream->reader.bytes_read;
        pass(stream, slot, STAGE_READ);
    }
    return NULL;
}

static void *write_batches(void *argument) {
    struct stream *stream = argument;
    bool last = false;
    for (size_t turn = 0; !last; turn++) {
        struct slot *slot = await(stream, turn, STAGE_DONE);
        last = slot->last;
        if (!slot->skipped && !writer_batch(&stream->writer, slot->batch))
            atomic_store(&stream->stop, true);
        progress_update(&stream->progress, slot->batch, &stream->writer, slot->bytes_read, stream->reader.bytes_total);
        pass(stream, slot, STAGE_EMPTY);
    }
    return NULL;
}

/* The library's turn. A failed call stops the stream after its batch, of which the rows read `unprocessed`. */
static gecc_result compute_batches(struct stream *stream) {
    gecc_result outcome = GECC_OK;
    bool last = false;
    for (size_t turn = 0; !last; turn++) {
        struct slot *slot = await(stream, turn, STAGE_READ);
        last = slot->last;
        slot->skipped = interrupt_caught() != 0;
        if (!atomic_load(&stream->stop))
            batch_run(slot->batch, stream->context);
        if (slot->batch->outcome != GECC_OK) {
            outcome = slot->batch->outcome;
            atomic_store(&stream->stop, true);
        }
        pass(stream, slot, STAGE_DONE);
    }
    return outcome;
}

static bool run_threads(struct stream *stream, gecc_result *outcome) {
    pthread_t reader, writer;
    pthread_mutex_init(&stream->lock, NULL);
    pthread_cond_init(&stream->changed, NULL);
    if (pthread_create(&writer, NULL, write_batches, stream) != 0)
        return false;
    bool reading = pthread_create(&reader, NULL, read_batches, stream) == 0;
    if (reading) {
        *outcome = compute_batches(stream);
        pthread_join(reader, NULL);
    } else {
        stream->ring[0].last = true;
        pass(stream, &stream->ring[0], STAGE_DONE);
    }
    pthread_join(writer, NULL);
    return reading;
}

static bool allocate_ring(struct stream *stream) {
    size_t rows = stream->options->batch ? stream->options->batch : DEFAULT_BATCH;
    for (size_t i = 0; i < RING; i++) {
        stream->ring[i].batch = batch_create(stream->command->mapping, stream->options, rows);
        if (!stream->ring[i].batch)
            return false;
    }
    return true;
}

static int fail(const char *name, const char *text) {
    fprintf(stderr, "gecc: %s: %s\n", name, text);
    return EXIT_TROUBLE;
}

/* Nobody reads the output any more: they know, and need not be told. */
static int output_failed(const struct writer *writer) {
    return writer->error == EPIPE ? EXIT_TROUBLE : fail(writer->target.name, strerror(writer->error));
}

/* Where the rows are that were written before it ended. */
static void say_partial(const struct stream *stream) {
    const struct writer *writer = &stream->writer;
    if (writer->target.path)
        fprintf(stderr, "gecc: %s: not whole, and %s is as it was; it has the first %llu rows\n",
                writer->target.partial, stream->options->output, (unsigned long long)writer->whole_rows);
}

static int run(struct stream *stream) {
    gecc_result outcome = GECC_OK;
    if (!allocate_ring(stream))
        return fail(stream->command->name, gecc_result_text(GECC_ERROR_MEMORY));
    writer_header(&stream->writer);
    progress_init(&stream->progress, stream->options);
    if (!run_threads(stream, &outcome))
        return fail(stream->command->name, gecc_result_text(GECC_ERROR_THREAD));
    progress_clear(&stream->progress);
    reader_say_tallies(&stream->reader);
    int status = EXIT_GOOD;
    if (stream->read_failed)
        status = fail("input", stream->reader.error);
    if (outcome != GECC_OK)
        status = fail(stream->command->name, gecc_result_text(outcome));
    return status;
}

static int status_of_rows(const uint64_t counts[VERDICT_COUNT]) {
    if (counts[VERDICT_UNPROCESSED])
        return EXIT_TROUBLE;
    return counts[VERDICT_INVALID] || counts[VERDICT_MALFORMED] ? EXIT_BAD_ROWS : EXIT_GOOD;
}

static bool as_many_as_expected(const struct stream *stream) {
    uint64_t rows = 0;
    for (int v = 0; v < VERDICT_COUNT; v++)
        rows += stream->writer.counts[v];
    if (!stream->options->expect_rows_given || rows == stream->options->expect_rows)
        return true;
    fprintf(stderr, "gecc: %s: %llu rows, and --expect-rows says %zu\n", stream->reader.name, (unsigned long long)rows,
            stream->options->expect_rows);
    return false;
}

static int write_and_run(struct stream *stream) {
    const char *reason = writer_open(&stream->writer, stream->command->mapping, stream->options, &stream->reader);
    if (reason)
        return fail(stream->writer.target.name, reason);
    if (stream->writer.target.path)
        interrupts_catch(&stream->stop);
    int status = run(stream);
    if (status == EXIT_GOOD && !interrupt_caught() && !as_many_as_expected(stream))
        status = EXIT_TROUBLE;
    bool whole = status == EXIT_GOOD && !interrupt_caught();
    if (!writer_close(&stream->writer, whole))
        status = output_failed(&stream->writer);
    if (!whole || status != EXIT_GOOD) {
        say_partial(stream);
        return EXIT_TROUBLE;
    }
    if (!stream->options->quiet)
        progress_summary(&stream->progress, stream->command, &stream->writer);
    return status_of_rows(stream->writer.counts);
}

int stream_run(const struct command *command, const struct options *options) {
    struct stream stream = {.command = command, .options = options};
    signal(SIGPIPE, SIG_IGN);
    int status = EXIT_TROUBLE;
    if (!reader_open(&stream.reader, command->mapping, options, &stream.stop))
        fprintf(stderr, "gecc: %s: %s; see gecc %s --help\n", command->name, stream.reader.error, command->name);
    else if ((stream.context = context_open(options, 0)) != NULL)
        status = write_and_run(&stream);
    for (size_t i = 0; i < RING; i++)
        batch_free(stream.ring[i].batch);
    gecc_close(stream.context);
    reader_close(&stream.reader);
    target_free(&stream.writer.target);
    if (interrupt_caught())
        interrupt_raise();
    return status;
}
