/* Batches go round in a ring, each through five stages. Workers, as many as there are processors, read, parse, format
 * and write; callers of the library have their turn in between: one thread, or, so that rows move to a GPU while it
 * computes others, a few. Reading and writing are done by one worker at a time, in the order of the batches; parsing
 * and formatting by all of them at once. */
#define _DEFAULT_SOURCE /* clock_gettime, setenv */

#include "rows/stream.h"
#include "rows/key_cache.h"
#include "rows/progress.h"
#include "text/say.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_BATCH = 16384, DEFAULT_BATCH_OF_GPU = 262144, MOST_WORKERS = 32, LEAST_WORKERS = 2, CALLERS_OF_GPU = 4 };

/* What a batch is waiting for, or what is being done with it. */
enum stage {
    STAGE_EMPTY,
    STAGE_READING,
    STAGE_PARSED,
    STAGE_COMPUTING,
    STAGE_COMPUTED,
    STAGE_FORMATTING,
    STAGE_FORMATTED
};

struct stream {
    const struct command *command;
    const struct options *options;
    gecc_context *context;
    struct key_cache *key_cache; /* NULL: none is wanted */
    struct reader reader;
    struct writer writer;
    struct progress progress;
    atomic_bool stop; /* the output failed, or the library did */

    size_t worker_count, caller_count;
    pthread_t workers[MOST_WORKERS], callers[CALLERS_OF_GPU];

    pthread_mutex_t lock;
    pthread_cond_t changed;
    size_t slot_count;
    struct slot {
        struct batch *batch;
        enum stage stage;
        bool skipped; /* interrupted before it was computed */
        uint64_t bytes_read;
    } slots[MOST_WORKERS + CALLERS_OF_GPU + 2]; /* one more for the library, and one that waits to be written */
    uint64_t read, called, written;             /* batches so far: the next one is in slot `read` % slot_count */
    uint64_t last;                              /* batches there will be; UINT64_MAX: not yet known */
    gecc_result outcome;                        /* of the first call that failed */
    bool reading, writing;                      /* a worker does so */
    bool read_failed;
};

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The CPU's code that can run here. */
static void list_machines(char *out, size_t size) {
    static const char *const machines[] = {"ifma", "portable-adx", "portable-c"};
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cpu";
    out[0] = 0;
    for (size_t i = 0; i < sizeof machines / sizeof *machines; i++) {
        gecc_context *context = NULL;
        setenv("GECC_CPU", machines[i], 1);
        if (gecc_open(&context, &config) == GECC_OK)
            snprintf(out + strlen(out), size - strlen(out), "%s, ", machines[i]);
        gecc_close(context);
    }
}

gecc_context *context_open(const struct options *options, unsigned default_threads) {
    gecc_context *context = NULL;
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = options->backend;
    config.device = options->device;
    config.threads = options->threads_given ? (unsigned)options->threads : default_threads;
    if (gecc_open(&context, &config) != GECC_OK) {
        const char *machine = getenv("GECC_CPU");
        char reason[256], kept[41], machines[64];
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
        say("gecc: the CPU's code: %s", gecc_error_text());
    return context;
}

static struct slot *slot_at(struct stream *stream, uint64_t number) {
    return &stream->slots[number % stream->slot_count];
}

static void pass(struct stream *stream, struct slot *slot, enum stage stage) {
    slot->stage = stage;
    pthread_cond_broadcast(&stream->changed);
}

/* What workers do. They hold the lock before and after it, not while they work. */

static void read_batch(struct stream *stream) {
    struct slot *slot = slot_at(stream, stream->read);
    slot->stage = STAGE_READING;
    stream->reading = true;
    pthread_mutex_unlock(&stream->lock);
    batch_reset(slot->batch);
    bool good = reader_read(&stream->reader, slot->batch);
    bool last = !good || atomic_load(&stream->stop) || (!slot->batch->text_whole && !slot->batch->long_record);
    slot->bytes_read = stream->reader.bytes_read;
    pthread_mutex_lock(&stream->lock);
    stream->reading = false;
    stream->read_failed |= !good;
    stream->read++;
    if (last)
        stream->last = stream->read;
    pthread_cond_broadcast(&stream->changed);
    pthread_mutex_unlock(&stream->lock);
    reader_parse(&stream->reader, slot->batch);
    batch_close(slot->batch);
    pthread_mutex_lock(&stream->lock);
    pass(stream, slot, STAGE_PARSED);
}

static void format_batch(struct stream *stream, struct slot *slot) {
    slot->stage = STAGE_FORMATTING;
    pthread_mutex_unlock(&stream->lock);
    writer_format(&stream->writer, slot->batch);
    pthread_mutex_lock(&stream->lock);
    pass(stream, slot, STAGE_FORMATTED);
}

static void write_batch(struct stream *stream) {
    struct slot *slot = slot_at(stream, stream->written);
    stream->writing = true;
    pthread_mutex_unlock(&stream->lock);
    reader_complain(&stream->reader, slot->batch);
    if (!slot->skipped && !writer_write(&stream->writer, slot->batch))
        atomic_store(&stream->stop, true);
    progress_update(&stream->progress, slot->batch, &stream->writer, slot->bytes_read, stream->reader.bytes_total);
    pthread_mutex_lock(&stream->lock);
    stream->writing = false;
    stream->written++;
    pass(stream, slot, STAGE_EMPTY);
}

/* The first batch that waits to be formatted. NULL: there is none. */
static struct slot *computed(struct stream *stream) {
    for (uint64_t number = stream->written; number < stream->read; number++)
        if (slot_at(stream, number)->stage == STAGE_COMPUTED)
            return slot_at(stream, number);
    return NULL;
}

static bool may_read(struct stream *stream) {
    return !stream->reading && stream->read < stream->last && slot_at(stream, stream->read)->stage == STAGE_EMPTY;
}

static bool may_write(struct stream *stream) {
    return !stream->writing && slot_at(stream, stream->written)->stage == STAGE_FORMATTED;
}

/* What is nearer to the end comes first, so that batches are free again as soon as possible. */
static void *work(void *argument) {
    struct stream *stream = argument;
    struct slot *slot;
    pthread_mutex_lock(&stream->lock);
    while (stream->written < stream->last) {
        if (may_write(stream))
            write_batch(stream);
        else if ((slot = computed(stream)) != NULL)
            format_batch(stream, slot);
        else if (may_read(stream))
            read_batch(stream);
        else
            pthread_cond_wait(&stream->changed, &stream->lock);
    }
    pthread_mutex_unlock(&stream->lock);
    return NULL;
}

/* The next batch for the library, NULL: there are no more. *stopped: it is not to be computed. That is decided in the
 * order of batches, so that none is left out before one that is written. */
static struct slot *await_rows(struct stream *stream, bool *stopped) {
    struct slot *slot = NULL;
    pthread_mutex_lock(&stream->lock);
    while (stream->called < stream->last && slot_at(stream, stream->called)->stage != STAGE_PARSED)
        pthread_cond_wait(&stream->changed, &stream->lock);
    if (stream->called < stream->last) {
        slot = slot_at(stream, stream->called++);
        slot->stage = STAGE_COMPUTING;
        *stopped = atomic_load(&stream->stop);
        slot->skipped = interrupt_caught() != 0;
    }
    pthread_mutex_unlock(&stream->lock);
    return slot;
}

/* Call the library for batch after batch. A failed call stops the stream after its batch, of which the rows read
 * `unprocessed`. */
static void *call(void *argument) {
    struct stream *stream = argument;
    struct slot *slot;
    bool stopped;
    while ((slot = await_rows(stream, &stopped)) != NULL) {
        if (!stopped)
            batch_run(slot->batch, stream->context, stream->key_cache);
        pthread_mutex_lock(&stream->lock);
        if (slot->batch->outcome != GECC_OK) {
            stream->outcome = stream->outcome == GECC_OK ? slot->batch->outcome : stream->outcome;
            atomic_store(&stream->stop, true);
        }
        pass(stream, slot, STAGE_COMPUTED);
        pthread_mutex_unlock(&stream->lock);
    }
    return NULL;
}

static size_t start(pthread_t *threads, size_t count, void *(*run)(void *stream), struct stream *stream) {
    size_t started = 0;
    while (started < count && pthread_create(&threads[started], NULL, run, stream) == 0)
        started++;
    return started;
}

static void join(const pthread_t *threads, size_t count) {
    for (size_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

/* false: no worker could be started. */
static bool run_threads(struct stream *stream) {
    pthread_mutex_init(&stream->lock, NULL);
    pthread_cond_init(&stream->changed, NULL);
    const size_t workers = start(stream->workers, stream->worker_count, work, stream);
    if (workers != 0) {
        const size_t others = start(stream->callers, stream->caller_count - 1, call, stream);
        call(stream);
        join(stream->callers, others);
    }
    join(stream->workers, workers);
    return workers != 0;
}

static bool uses_gpu(const gecc_context *context) {
    gecc_backend_info info = GECC_BACKEND_INFO_INIT;
    for (size_t i = 0; i < gecc_backends(context, i, &info); i++)
        if (info.chosen && strcmp(info.name, "cuda") == 0)
            return true;
    return false;
}

size_t batch_default(const gecc_context *context) { return uses_gpu(context) ? DEFAULT_BATCH_OF_GPU : DEFAULT_BATCH; }

/* At least two workers: one may wait for input while rows are written. */
static size_t count_workers(const struct options *options) {
    long count = options->threads ? (long)options->threads : sysconf(_SC_NPROCESSORS_ONLN);
    return count < LEAST_WORKERS ? LEAST_WORKERS : count > MOST_WORKERS ? MOST_WORKERS : (size_t)count;
}

static bool allocate_slots(struct stream *stream) {
    const size_t rows = stream->options->batch ? stream->options->batch : batch_default(stream->context);
    stream->last = UINT64_MAX;
    stream->worker_count = count_workers(stream->options);
    stream->caller_count = uses_gpu(stream->context) ? CALLERS_OF_GPU : 1;
    stream->slot_count = stream->worker_count + stream->caller_count + 2;
    for (size_t i = 0; i < stream->slot_count; i++) {
        stream->slots[i].batch = batch_create(stream->command->mapping, stream->options, rows);
        if (!stream->slots[i].batch)
            return false;
    }
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
    if (stream->options->key_cache)
        stream->key_cache = key_cache_new(stream->context, stream->options->key_cache);
    if (!allocate_slots(stream) || (stream->options->key_cache && !stream->key_cache))
        return fail(stream->command->name, gecc_result_text(GECC_ERROR_MEMORY));
    writer_header(&stream->writer);
    progress_init(&stream->progress, stream->options);
    if (!run_threads(stream))
        return fail(stream->command->name, gecc_result_text(GECC_ERROR_THREAD));
    progress_clear(&stream->progress);
    reader_say_tallies(&stream->reader);
    int status = EXIT_GOOD;
    if (stream->read_failed || !reader_reached_end(&stream->reader))
        status = fail("input", stream->reader.error);
    if (stream->outcome != GECC_OK)
        status = fail(stream->command->name, gecc_result_text(stream->outcome));
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
    if (!whole || status != EXIT_GOOD)
        return EXIT_TROUBLE;
    if (!stream->options->quiet)
        progress_summary(&stream->progress, stream->command, &stream->writer);
    if (!stream->options->quiet && stream->key_cache)
        say("gecc %s: kept tables of %zu keys", stream->command->name, key_cache_count(stream->key_cache));
    return status_of_rows(stream->writer.counts);
}

int stream_run(const struct command *command, const struct options *options) {
    struct stream stream = {.command = command, .options = options};
    signal(SIGPIPE, SIG_IGN);
    int status = EXIT_TROUBLE;
    if (!reader_open(&stream.reader, command->mapping, options, &stream.stop))
        say("gecc: %s: %s; see gecc %s --help", command->name, stream.reader.error, command->name);
    else if ((stream.context = context_open(options, 0)) != NULL)
        status = write_and_run(&stream);
    for (size_t i = 0; i < stream.slot_count; i++)
        batch_free(stream.slots[i].batch);
    key_cache_free(stream.key_cache);
    gecc_close(stream.context);
    reader_close(&stream.reader);
    target_free(&stream.writer.target);
    if (interrupt_caught())
        interrupt_raise();
    return status;
}
