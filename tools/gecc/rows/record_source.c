#define _DEFAULT_SOURCE /* S_ISREG */

#include "rows/record_source.h"
#include "files/magic.h"
#include "rows/reader.h"
#include "text/json.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    READ_SIZE = 1 << 20,
    PAUSE_MS = 20, /* without input for so long, records that wait are computed */
    STOP_MS = 100  /* how often a source without input looks whether to stop */
};

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static bool fail(struct record_source *source, const char *text) {
    snprintf(source->error, sizeof source->error, "%.100s: %.150s", source->name, text);
    return false;
}

bool record_source_open(struct record_source *source, const char *path, const atomic_bool *stop) {
    bool standard = !path || strcmp(path, "-") == 0;
    struct stat status;
    *source = (struct record_source){
        .name = standard ? "standard input" : path, .stop = stop, .line = 1, .split = json_split_start()};
    source->input = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (source->input < 0 || fstat(source->input, &status) < 0)
        return fail(source, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return fail(source, strerror(EISDIR));
    if (S_ISREG(status.st_mode))
        source->bytes_total = (uint64_t)status.st_size;
    return true;
}

void record_source_close(struct record_source *source) {
    decompression_end(source->decompression);
    if (source->input > STDIN_FILENO)
        close(source->input);
    free(source->buffer);
}

/* Wait until there is something to read; false: there is nothing for a while, or `stop` is set. */
static bool wait_for_input(const struct record_source *source, bool may_pause) {
    for (;;) {
        int count = input_wait(source->input, source->decompression, may_pause ? PAUSE_MS : STOP_MS);
        if (atomic_load(source->stop))
            return false;
        if (count != 0 || may_pause)
            return count != 0;
    }
}

/* Room for more. Text that was read goes to the front where that is due, so that the buffer holds a record and little
 * else. */
static bool make_room(struct record_source *source) {
    size_t left = source->used - source->start;
    if (source->capacity - source->used >= READ_SIZE)
        return true;
    if (source->start && (left <= source->start || source->capacity >= LONGEST_RECORD_BYTES)) {
        memmove(source->buffer, source->buffer + source->start, left);
        source->used = left;
        source->start = 0;
    }
    if (source->capacity - source->used >= READ_SIZE)
        return true;
    size_t capacity = 2 * source->capacity + READ_SIZE;
    if (capacity > LONGEST_RECORD_BYTES + 2 * READ_SIZE)
        capacity = LONGEST_RECORD_BYTES + 2 * READ_SIZE;
    char *buffer = realloc(source->buffer, capacity);
    if (!buffer)
        return fail(source, gecc_result_text(GECC_ERROR_MEMORY));
    source->buffer = buffer;
    source->capacity = capacity;
    return true;
}

static bool read_more(struct record_source *source, bool may_pause, bool *paused) {
    if (!make_room(source))
        return false;
    *paused = !wait_for_input(source, may_pause);
    if (*paused) {
        source->ended |= atomic_load(source->stop);
        return true;
    }
    ssize_t count = input_read(source->input, source->decompression, source->buffer + source->used, READ_SIZE);
    if (count < 0 && errno != EINTR && errno != EAGAIN)
        return fail(source, strerror(errno));
    source->ended = count == 0;
    const char *broken = source->ended ? decompression_failure(source->decompression) : NULL;
    if (broken)
        return fail(source, broken);
    if (count > 0) {
        source->used += (size_t)count;
        source->bytes_read += (uint64_t)count;
    }
    return true;
}

/* Read enough to tell text from something else. */
static bool look(struct record_source *source) {
    bool paused;
    while (!source->ended && source->used < MAGIC_BYTES)
        if (!read_more(source, false, &paused))
            return false;
    return true;
}

/* From here on what is read is decompressed, if it is compressed; how much there is of it is not known. */
static bool decompress(struct record_source *source) {
    const char *reason;
    enum compression compression = compression_of_text(source->buffer, source->used);
    if (compression == COMPRESSION_NONE)
        return true;
    source->decompression = decompression_begin(compression, source->buffer, source->used, &reason);
    if (!source->decompression)
        return fail(source, reason);
    source->used = source->bytes_read = source->bytes_total = 0;
    source->ended = false;
    return look(source);
}

bool record_source_begin(struct record_source *source, int *first) {
    bool paused;
    size_t skipped = 0;
    *first = -1;
    if (!look(source) || !decompress(source))
        return false;
    const char *refusal = source->used ? magic_refusal(source->buffer, source->used) : NULL;
    if (refusal)
        return fail(source, refusal);
    source->start = source->used ? byte_order_mark(source->buffer, source->used) : 0;
    for (;;) {
        const char *text = source->buffer + source->start;
        for (; skipped < source->used - source->start && is_blank(text[skipped]); skipped++)
            source->line += text[skipped] == '\n';
        if (source->used - source->start > skipped || source->ended)
            break;
        source->start = source->used = skipped = 0;
        if (!read_more(source, false, &paused))
            return false;
    }
    source->split.line = source->line;
    source->start += skipped;
    *first = source->used > source->start ? (unsigned char)source->buffer[source->start] : -1;
    return true;
}

bool record_source_format(struct record_source *source, const struct options *options, enum format *format) {
    bool paused;
    *format = options->format;
    if (!*format && options->input)
        *format = format_of_name(options->input);
    if (!*format && source->used > source->start && strchr("[{", source->buffer[source->start]))
        *format = FORMAT_JSONL;
    while (!*format && !source->ended) {
        *format = format_of_text(source->buffer + source->start, source->used - source->start);
        if (!*format && !read_more(source, false, &paused))
            return false;
    }
    if (*format == FORMAT_UNKNOWN)
        *format = FORMAT_JSONL;
    source->kind = *format == FORMAT_CSV ? RECORD_CSV : RECORD_JSON;
    return *format != FORMAT_RAW || fail(source, "neither CSV nor JSON");
}

/* The end of the line that the text from `scanned` on is in; NULL: it does not end. At the end of the input it does. */
static const char *line_end(const struct record_source *source) {
    const char *line = source->buffer + source->start + source->scanned, *end = source->buffer + source->used;
    const char *newline = line < end ? memchr(line, '\n', (size_t)(end - line)) : NULL;
    return newline || !source->ended ? newline : end;
}

/* Over a line without quotation marks, which is a record. */
static bool pass_plain(struct record_source *source) {
    const char *text = source->buffer + source->start, *end = line_end(source);
    if (!end || memchr(text, '"', (size_t)(end - text)))
        return false;
    source->scanned = (size_t)(end - text);
    return true;
}

/* Over the characters of a record of CSV, up to the end of its last line, which counts as scanned. false: it goes
 * on. */
static bool pass_csv(struct record_source *source, bool *broken) {
    const char *text = source->buffer + source->start, *end = source->buffer + source->used;
    if (source->scanned == 0 && pass_plain(source))
        return true;
    for (const char *at = text + source->scanned; at < end; at++, source->scanned++) {
        bool closed = source->after_quotes;
        source->after_quotes = false;
        if (source->in_quotes) {
            const char *mark = memchr(at, '"', (size_t)(end - at)), *last = mark ? mark : end;
            for (const char *line = at; line < last && (line = memchr(line, '\n', (size_t)(last - line))); line++)
                source->lines++;
            source->in_quotes = !mark;
            source->after_quotes = mark != NULL;
            at = mark ? mark : end - 1;
            source->scanned = (size_t)(at - text);
        } else if (*at == '"' && (closed || !source->in_field)) {
            source->in_quotes = source->in_field = true;
        } else if (*at == '\n') {
            return true;
        } else if (closed && *at != ',' && *at != '\r') {
            *broken = true;
            return true;
        } else {
            source->in_field = *at != ',';
        }
    }
    *broken = source->ended && source->in_quotes;
    return source->ended;
}

/* Find the end of a line, or of the record of CSV. false: it does not end in what was read. */
static bool find_end(struct record_source *source, bool *broken) {
    if (source->kind == RECORD_CSV)
        return pass_csv(source, broken);
    const char *end = line_end(source);
    source->scanned = (size_t)((end ? end : source->buffer + source->used) - (source->buffer + source->start));
    return end != NULL;
}

/* The record is the text that was scanned; its line end goes, too. */
static void take_record(struct record_source *source, struct source_record *record) {
    const char *text = source->buffer + source->start;
    bool line_end = source->start + source->scanned < source->used;
    *record = (struct source_record){text, source->scanned, source->line};
    source->line += source->lines + line_end;
    source->start += source->scanned + line_end;
    if (record->size && text[record->size - 1] == '\r')
        record->size--;
    source->scanned = source->lines = 0;
    source->in_quotes = source->after_quotes = source->in_field = false;
}

static enum source_step fail_at(struct record_source *source, uint64_t line, const char *reason) {
    snprintf(source->error, sizeof source->error, "%.100s: line %llu: %.100s", source->name, (unsigned long long)line,
             reason);
    return SOURCE_FAILED;
}

/* A line or record of CSV in what was read; SOURCE_PAUSE: there is none. */
static enum source_step next_text(struct record_source *source, struct source_record *record) {
    bool broken = false;
    while (source->used > source->start) {
        if (!find_end(source, &broken))
            return SOURCE_PAUSE;
        if (broken)
            return fail_at(source, source->line,
                           source->in_quotes ? "a quotation mark that is never closed"
                                             : "text after a closing quotation mark: where the next record begins is "
                                               "not known");
        bool skipped = source->skipping;
        source->skipping = false;
        take_record(source, record);
        if (!skipped)
            return SOURCE_RECORD;
    }
    return SOURCE_PAUSE;
}

/* Text before a value, or that has been given, is of no use any more. */
static void drop_text(struct record_source *source) {
    struct json_split *split = &source->split;
    size_t count = json_split_is_within(split) && !source->skipping ? split->begin : split->at;
    source->start += count;
    split->at -= count;
    split->begin = json_split_is_within(split) && !source->skipping ? 0 : split->at;
}

static enum source_step next_value(struct record_source *source, struct source_record *record) {
    struct json_split *split = &source->split;
    for (;;) {
        drop_text(source);
        const char *text = source->buffer + source->start;
        enum json_split_step step = json_split_next(split, text, source->used - source->start, source->ended);
        bool skipped = source->skipping && step != JSON_SPLIT_MORE;
        source->skipping &= step == JSON_SPLIT_MORE;
        *record = (struct source_record){text + split->begin, split->at - split->begin, split->begun};
        if (step == JSON_SPLIT_FAILED)
            return fail_at(source, split->line, "what is no JSON: a value from an earlier line does not end well");
        if (step == JSON_SPLIT_MORE)
            return drop_text(source), SOURCE_PAUSE;
        if (skipped)
            continue;
        if (step == JSON_SPLIT_RECORD && json_is_value(record->text, record->size))
            return SOURCE_RECORD;
        if (step == JSON_SPLIT_BROKEN || json_split_distrust(split))
            return SOURCE_BROKEN;
        return fail_at(source, split->begun, "a value that is no JSON");
    }
}

/* The record goes on for too long: its rest is skipped. */
static enum source_step skip_long(struct record_source *source, struct source_record *record) {
    bool is_json = source->kind == RECORD_JSON, known = source->skipping;
    if (source->in_quotes)
        return fail_at(source, source->line,
                       "a quoted cell of more than 64 MiB: where the next record begins is not known");
    *record = (struct source_record){NULL, 0, is_json ? source->split.begun : source->line};
    source->skipping = true;
    if (is_json) {
        drop_text(source);
    } else {
        source->start += source->scanned;
        source->scanned = 0;
    }
    return known ? SOURCE_PAUSE : SOURCE_LONG;
}

enum source_step record_source_next(struct record_source *source, struct source_record *record, bool may_pause) {
    bool paused = false;
    for (;;) {
        enum source_step step = source->kind == RECORD_JSON ? next_value(source, record) : next_text(source, record);
        if (step != SOURCE_PAUSE)
            return step;
        if (source->ended)
            return SOURCE_END;
        if (source->used - source->start >= LONGEST_RECORD_BYTES) {
            step = skip_long(source, record);
            if (step != SOURCE_PAUSE)
                return step;
        }
        if (!read_more(source, may_pause, &paused))
            return SOURCE_FAILED;
        if (paused && !source->ended)
            return SOURCE_PAUSE;
    }
}

bool record_source_bytes(struct record_source *source, struct source_record *record, size_t size, bool take) {
    bool paused;
    while (source->used - source->start < size && !source->ended)
        if (!read_more(source, false, &paused))
            return false;
    size_t left = source->used - source->start;
    *record = (struct source_record){source->buffer + source->start, left < size ? left : size, source->line};
    source->start += take ? record->size : 0;
    return true;
}
