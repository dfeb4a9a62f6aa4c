#define _DEFAULT_SOURCE /* clock_gettime, isatty */

#include "rows/progress.h"
#include "text/say.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 30 };

double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static uint64_t total(const struct writer *writer) {
    uint64_t rows = 0;
    for (int v = 0; v < VERDICT_COUNT; v++)
        rows += writer->counts[v];
    return rows;
}

void progress_init(struct progress *progress, const struct options *options) {
    *progress = (struct progress){.start = seconds_now()};
    progress->shown = progress->start;
    progress->asked = options->backend != NULL;
    progress->bar = !options->quiet && isatty(STDERR_FILENO);
}

static void show(const struct progress *progress, uint64_t rows, double share) {
    char bar[BAR_WIDTH + 1] = {0};
    for (int i = 0; i < BAR_WIDTH; i++)
        bar[i] = i < share * BAR_WIDTH ? '#' : '.';
    double rate = (double)rows / (progress->shown - progress->start);
    double left = share > 0 ? (progress->shown - progress->start) * (1 - share) / share : 0;
    if (share > 0)
        fprintf(stderr, "\r[%s] %3.0f%%  %llu rows, %.0f rows/s, %d:%02d left\033[K", bar, 100 * share,
                (unsigned long long)rows, rate, (int)left / 60, (int)left % 60);
    else
        fprintf(stderr, "\r%llu rows, %.0f rows/s\033[K", (unsigned long long)rows, rate);
    fflush(stderr);
}

void progress_update(struct progress *progress, const struct batch *batch, const struct writer *writer,
                     uint64_t bytes_total) {
    progress->call_seconds += batch->seconds;
    if (batch->report.backend[0])
        progress->report = batch->report;
    progress_show(progress, total(writer), batch->bytes_read, bytes_total);
}

void progress_show(struct progress *progress, uint64_t rows, uint64_t bytes_read, uint64_t bytes_total) {
    double now = seconds_now();
    if (!progress->bar || now - progress->shown < 0.2)
        return;
    progress->shown = now;
    show(progress, rows, bytes_total ? (double)bytes_read / (double)bytes_total : 0);
}

void progress_clear(const struct progress *progress) {
    if (progress->bar)
        fputs("\r\033[K", stderr);
}

void progress_summary(const struct progress *progress, const struct command *command, const struct writer *writer) {
    static const char *const texts[VERDICT_COUNT] = {"ok", "invalid", "malformed", "no_key", "unprocessed"};
    double elapsed = seconds_now() - progress->start;
    fprintf(stderr, "gecc %s: %llu rows", command->name, (unsigned long long)total(writer));
    const char *separator = ": ";
    for (int v = 0; v < VERDICT_COUNT; v++) {
        if (!writer->counts[v])
            continue;
        const char *text = v == VERDICT_GOOD && command->mapping->judges ? "valid" : texts[v];
        fprintf(stderr, "%s%llu %s", separator, (unsigned long long)writer->counts[v], text);
        separator = ", ";
    }
    fprintf(stderr, "; %.3f s, %.0f rows/s\n", elapsed, elapsed > 0 ? (double)total(writer) / elapsed : 0);
    if (writer->reader->dropped)
        say("gecc %s: private keys and nonces, which it has no use for, are not copied", command->name);
    /* Where rows ran on the CPU, nobody has asked about GPUs, unless it was by --backend. */
    bool explained = progress->asked || strcmp(progress->report.backend, "cpu") != 0;
    if (progress->report.backend[0])
        say("gecc %s: on %s (%s)%s%s; %.3f s in the library", command->name, progress->report.backend,
            progress->report.detail, explained ? ", " : "", explained ? progress->report.reason : "",
            progress->call_seconds);
}
