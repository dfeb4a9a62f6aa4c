#define _GNU_SOURCE /* explicit_bzero, memrchr */

#include "text/hex.h"
#include "files/magic.h"
#include "rows/reader.h"
#include "text/say.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    READ_BYTES = 256 << 10,
    READ_LEAST = 4096,
    PAUSE_MS = 20,      /* without input for so long, rows that wait are computed */
    STOP_MS = 100,      /* how often a reader without input looks whether to stop */
    SNIFF_BYTES = 4096, /* enough to tell a format */
    MAX_COMPLAINTS = 10 /* lines that are named on standard error */
};

size_t skip_blank(const char *text, size_t size) {
    size_t blank = 0;
    while (blank < size && (text[blank] == ' ' || text[blank] == '\t' || text[blank] == '\r' || text[blank] == '\n'))
        blank++;
    return blank;
}

/* JSON begins with a brace, or a bracket where it is not what is read; text has a line end before any other control
 * character; binary has not. */
enum format format_of_text(const char *text, size_t size) {
    size_t mark = byte_order_mark(text, size), blank = mark + skip_blank(text + mark, size - mark);
    if (size < 3 && memcmp(text, "\xef\xbb\xbf", size) == 0)
        return FORMAT_UNKNOWN;
    for (size_t i = blank; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (i == blank && (c == '{' || c == '['))
            return FORMAT_JSONL;
        if (c == '\n')
            return FORMAT_CSV;
        if ((c < 0x20 && c != '\t' && c != '\r') || c >= 0x7f)
            return FORMAT_RAW;
    }
    return FORMAT_UNKNOWN;
}

static bool fail(struct reader *reader, const char *text) {
    snprintf(reader->error, sizeof reader->error, "%.100s: %.150s", reader->name, text);
    return false;
}

enum wait { WAIT_READY, WAIT_PAUSE, WAIT_STOP };

static enum wait wait_for_input(const struct reader *reader, bool may_pause) {
    for (;;) {
        int count = input_wait(reader->input, reader->decompression, may_pause ? PAUSE_MS : STOP_MS);
        if (atomic_load(reader->stop))
            return WAIT_STOP;
        if (count != 0)
            return WAIT_READY;
        if (may_pause)
            return WAIT_PAUSE;
    }
}

/* Append what there is to read to text[*used .. capacity). */
static bool read_some(struct reader *reader, char *text, size_t *used, size_t capacity, bool may_pause, bool *paused) {
    enum wait wait = wait_for_input(reader, may_pause);
    *paused = wait == WAIT_PAUSE;
    if (wait == WAIT_STOP)
        reader->ended = reader->stopped = true;
    if (wait != WAIT_READY)
        return true;
    size_t room = capacity - *used < READ_BYTES ? capacity - *used : READ_BYTES;
    ssize_t count = input_read(reader->input, reader->decompression, text + *used, room);
    if (count < 0 && errno != EINTR && errno != EAGAIN)
        return fail(reader, strerror(errno));
    if (count == 0)
        reader->ended = true;
    const char *broken = count == 0 ? decompression_failure(reader->decompression) : NULL;
    if (broken)
        return fail(reader, broken);
    if (count > 0) {
        *used += (size_t)count;
        reader->bytes_read += (uint64_t)count;
    }
    return true;
}

static bool carry_reserve(struct reader *reader, size_t size) {
    if (size <= reader->carry_capacity)
        return true;
    char *larger = calloc(size + 1, 1);
    if (!larger)
        return fail(reader, "not enough memory");
    if (reader->carry) {
        memcpy(larger, reader->carry, reader->carry_used);
        explicit_bzero(reader->carry, reader->carry_capacity);
        free(reader->carry);
    }
    reader->carry = larger;
    reader->carry_capacity = size;
    return true;
}

bool carry_fill(struct reader *reader, size_t size) {
    bool paused;
    if (!carry_reserve(reader, size + READ_BYTES))
        return false;
    while (reader->carry_used < size && !reader->ended)
        if (!read_some(reader, reader->carry, &reader->carry_used, reader->carry_capacity, false, &paused))
            return false;
    return true;
}

static void carry_drop(struct reader *reader, size_t count) {
    memmove(reader->carry, reader->carry + count, reader->carry_used - count);
    reader->carry_used -= count;
}

static bool open_input(struct reader *reader) {
    const char *path = reader->options->input;
    struct stat status;
    if (!path || strcmp(path, "-") == 0) {
        reader->name = "standard input";
        reader->input = STDIN_FILENO;
    } else {
        reader->name = path;
        reader->input = open(path, O_RDONLY | O_CLOEXEC);
    }
    if (reader->input < 0 || fstat(reader->input, &status) < 0)
        return fail(reader, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return fail(reader, strerror(EISDIR));
    if (S_ISREG(status.st_mode))
        reader->bytes_total = (uint64_t)status.st_size;
    return true;
}

/* A whole line, or as many bytes as a file's kind may take. */
static bool enough_to_tell(const char *text, size_t size) {
    return size >= MAGIC_BYTES || (size && memchr(text, '\n', size));
}

/* Raw rows may begin with whatever bytes: of them a file's name says whether it is compressed. */
static enum compression find_compression(const struct reader *reader) {
    const char *path = reader->options->input;
    size_t ignored;
    if (reader->decompression || reader->empty)
        return COMPRESSION_NONE;
    if (reader->format != FORMAT_RAW)
        return compression_of_text(reader->carry, reader->carry_used);
    return path ? compression_of_name(path, &ignored) : COMPRESSION_NONE;
}

/* From here on what is read is decompressed; how much there is of it is not known. */
static bool decompress(struct reader *reader, enum compression compression) {
    const char *reason;
    reader->decompression = decompression_begin(compression, reader->carry, reader->carry_used, &reason);
    if (!reader->decompression)
        return fail(reader, reason);
    explicit_bzero(reader->carry, reader->carry_used);
    reader->carry_used = reader->bytes_read = reader->bytes_total = 0;
    reader->ended = false;
    return true;
}

/* How many bytes at its start are none of the text: a byte-order mark, and white space. */
static size_t text_start(const char *text, size_t size) {
    const size_t mark = byte_order_mark(text, size);
    return mark + skip_blank(text + mark, size - mark);
}

/* Read what tells text from something else, and whether there is anything. */
static bool look(struct reader *reader) {
    bool raw = reader->format == FORMAT_RAW;
    size_t blank = 0;
    do {
        if (!carry_fill(reader, reader->carry_used + 1))
            return false;
        blank = raw ? 0 : text_start(reader->carry, reader->carry_used);
    } while (!raw && !reader->ended && !enough_to_tell(reader->carry + blank, reader->carry_used - blank) &&
             blank < SNIFF_BYTES);
    reader->empty = reader->ended && blank == reader->carry_used;
    const bool may_be_empty =
        reader->options->allow_empty || (reader->options->expect_rows_given && reader->options->expect_rows == 0);
    if (reader->empty && !may_be_empty)
        return fail(reader, EMPTY_INPUT);
    enum compression compression = find_compression(reader);
    if (compression != COMPRESSION_NONE)
        return decompress(reader, compression) && look(reader);
    const char *refusal = raw ? NULL : magic_refusal(reader->carry, reader->carry_used);
    if (refusal)
        return fail(reader, refusal);
    if (!raw)
        carry_drop(reader, byte_order_mark(reader->carry, reader->carry_used));
    return true;
}

static bool find_format(struct reader *reader) {
    reader->format = reader->options->format;
    if (!reader->format && reader->options->input)
        reader->format = format_of_name(reader->options->input);
    bool told = reader->format != FORMAT_UNKNOWN;
    if (!look(reader))
        return false;
    if (!told)
        reader->format = format_of_text(reader->carry, reader->carry_used);
    while (!reader->format && !reader->ended && reader->carry_used < SNIFF_BYTES) {
        if (!carry_fill(reader, reader->carry_used + 1))
            return false;
        reader->format = format_of_text(reader->carry, reader->carry_used);
    }
    if (!told && reader->format == FORMAT_RAW)
        return fail(reader, "neither CSV nor JSON Lines; if these are raw rows, say --format raw");
    if (!reader->format)
        reader->format = FORMAT_CSV;
    if (reader->empty)
        reader->format = FORMAT_JSONL;
    return true;
}

static bool read_header(struct reader *reader) {
    size_t used, size = 1;
    reader->dialect = &dialect_csv;
    do {
        if (size > RECORD_BYTES)
            return fail(reader, "the header does not end");
        if (!carry_fill(reader, size))
            return false;
        reader->error[0] = 0;
        if (csv_header(reader, reader->carry, reader->carry_used, reader->ended, &used)) {
            carry_drop(reader, used);
            return true;
        }
        size = reader->carry_used + 1;
    } while (!reader->error[0]);
    return false;
}

/* The end of text[start .. end) without blanks. */
static size_t trimmed(const char *text, size_t start, size_t end) {
    while (end > start && skip_blank(text + end - 1, 1))
        end--;
    return end;
}

static bool is_one_of(char c, const char *characters) { return c && strchr(characters, c); }

/* Why JSON that starts with this text is not an object on each line; NULL: it may be. */
static const char *json_refusal(const char *text, size_t size) {
    size_t start = skip_blank(text, size), used, end = start + line_length(text + start, size - start, &used);
    size_t next = start + used + skip_blank(text + start + used, size - start - used);
    if (start < size && text[start] == '[')
        return "a JSON array; rows are objects, one on each line: jq -c '.[]' FILE | gecc ...";
    end = trimmed(text, start, end);
    bool goes_on = start < size && text[start] == '{' && is_one_of(text[end - 1], "{[,:");
    return goes_on && next < size && text[next] != '{'
               ? "JSON over several lines; rows are objects, one on each line: jq -c . FILE | gecc ..."
               : NULL;
}

/* Of the first object CSV has its columns. */
static bool read_first_object(struct reader *reader) {
    for (;;) {
        const size_t blank = skip_blank(reader->carry, reader->carry_used);
        size_t used, length = line_length(reader->carry + blank, reader->carry_used - blank, &used);
        if (used > length || reader->ended)
            return jsonl_header(reader, reader->carry + blank, length);
        if (length > RECORD_BYTES)
            return fail(reader, "CSV has the columns of the first row, which is longer than 16 MiB");
        if (!carry_fill(reader, reader->carry_used + 1))
            return false;
    }
}

/* Rows of JSON Lines are there, or nothing; what is JSON otherwise would be a broken row for each line. */
static bool open_json(struct reader *reader) {
    reader->dialect = &dialect_jsonl;
    if (reader->mapping->of_objects && reader->options->map)
        return fail(reader, "--map names columns, and each object is read as a whole");
    while (!reader->ended && reader->carry_used < SNIFF_BYTES) {
        size_t blank = skip_blank(reader->carry, reader->carry_used), used;
        size_t length = line_length(reader->carry + blank, reader->carry_used - blank, &used);
        bool ends = used > length && reader->carry[trimmed(reader->carry, blank, blank + length) - 1] == '}';
        if (ends || blank + used < reader->carry_used)
            break;
        if (!carry_fill(reader, reader->carry_used + 1))
            return false;
    }
    const char *refusal = json_refusal(reader->carry, reader->carry_used);
    const bool has_columns = reader->output == FORMAT_CSV && !reader->mapping->sums;
    return refusal ? fail(reader, refusal) : !has_columns || read_first_object(reader);
}

bool reader_keep_names(struct reader *reader) {
    const char *name = reader->options->group_by;
    struct buffer header = {0};
    reader->kept_fields = name != NULL;
    reader->run_count = reader->made_fields = 0;
    memset(reader->stands, 0, sizeof reader->stands);
    if (!buffer_reserve(&header, BUFFER_LEAST))
        return fail(reader, "not enough memory");
    if (name)
        csv_put_field(&header, name, strlen(name));
    free(reader->header);
    reader->header = header.bytes;
    reader->header_length = header.used;
    return true;
}

/* The format of the rows that are written: that which is asked for, or the input's. */
static bool choose_output(struct reader *reader) {
    reader->output = reader->format ? reader->format : FORMAT_JSONL;
    if (reader->empty && !is_jwk(reader->options->output_format))
        reader->output = FORMAT_JSONL; /* without a header there is none to write */
    else if (reader->options->output_format)
        reader->output = reader->options->output_format;
    return reader->output != FORMAT_RAW || reader->format == FORMAT_RAW || fail(reader, ONLY_RAW_OF_RAW);
}

bool reader_open(struct reader *reader, const struct mapping *mapping, const struct options *options,
                 const atomic_bool *stop) {
    *reader = (struct reader){.input = -1, .mapping = mapping, .options = options, .stop = stop, .line = 1};
    pthread_mutex_init(&reader->course.lock, NULL);
    if (!open_input(reader))
        return false;
    if (!(mapping->open && !mapping->of_objects ? look(reader) && documents_find_table(reader) : find_format(reader)) ||
        !choose_output(reader))
        return false;
    switch (reader->format) {
    case FORMAT_UNKNOWN:
        return (options->jwt ? jwt_open : x509_open)(reader);
    case FORMAT_CSV:
        return read_header(reader) && (mapping->sums ? reader_keep_names : reader_name_columns)(reader);
    case FORMAT_RAW:
        reader->dialect = &dialect_raw;
        return raw_layout(reader);
    default:
        return open_json(reader) && (mapping->sums ? reader_keep_names : reader_name_columns)(reader);
    }
}

void reader_close(struct reader *reader) {
    pthread_mutex_destroy(&reader->course.lock);
    decompression_end(reader->decompression);
    if (reader->input > STDIN_FILENO)
        close(reader->input);
    if (reader->carry) {
        explicit_bzero(reader->carry, reader->carry_capacity);
        free(reader->carry);
    }
    free(reader->field_columns);
    free(reader->header);
    free(reader->columns);
    free(reader->names);
}

static void count_reason(struct reader *reader, const struct refusal *refusal) {
    struct tally *tally = reader->tallies;
    struct tally *last = tally + MAX_TALLIES - 1;
    while (tally < last && tally->reason && (tally->reason != refusal->text || tally->column != refusal->column))
        tally++;
    if (tally < last)
        *tally = (struct tally){refusal->text, refusal->column, tally->count};
    tally->count++;
}

static void say_unread(struct reader *reader) {
    char text[200];
    for (uint64_t left = reader->unread & ~reader->unread_said; left; left &= left - 1) {
        unread_say(text, sizeof text, reader->mapping, (unsigned)__builtin_ctzll(left));
        say("gecc: %s: %s", reader->name, text);
    }
    reader->unread_said |= reader->unread;
}

/* Cells are not shown, they may be secret. */
void reader_complain(struct reader *reader, const struct batch *batch) {
    if (batch->dropped)
        reader->dropped = true;
    reader->unread |= batch->unread;
    say_unread(reader);
    for (size_t i = 0; batch->has_broken && i < batch->count; i++) {
        const struct row *row = &batch->rows[i];
        if (!row->refusal.broken)
            continue;
        count_reason(reader, &row->refusal);
        if (++reader->complaints > MAX_COMPLAINTS)
            continue;
        const char *column = row->refusal.column < COLUMN_COUNT ? column_names[row->refusal.column] : "";
        say("gecc: %s: %s %llu: %s%s%s", reader->name, reader->format == FORMAT_RAW ? "row" : "line",
            (unsigned long long)row->line, column, *column ? ": " : "", row->refusal.text);
    }
}

void reader_say_tallies(const struct reader *reader) {
    if (reader->complaints <= MAX_COMPLAINTS)
        return;
    say("gecc: %s: %llu broken lines, of which the first %d are named above", reader->name,
        (unsigned long long)reader->complaints, MAX_COMPLAINTS);
    for (const struct tally *tally = reader->tallies; tally < reader->tallies + MAX_TALLIES; tally++) {
        if (!tally->count)
            continue;
        const char *column = tally->reason && tally->column < COLUMN_COUNT ? column_names[tally->column] : "";
        say("gecc: %10llu  %s%s%s", (unsigned long long)tally->count, column, *column ? ": " : "",
            tally->reason ? tally->reason : "other reasons");
    }
}

/* Begin with what the last batch left. */
static void load_carry(struct reader *reader, struct batch *batch) {
    if (reader->carry_used)
        memcpy(batch->text, reader->carry, reader->carry_used);
    batch->text_used = reader->carry_used;
}

/* Leave text[at ..] for the next batch. */
static bool save_carry(struct reader *reader, const struct batch *batch, size_t at) {
    reader->carry_used = 0;
    if (!carry_reserve(reader, batch->text_used - at))
        return false;
    reader->carry_used = batch->text_used - at;
    if (reader->carry_used)
        memcpy(reader->carry, batch->text + at, reader->carry_used);
    return true;
}

/* A record that is not read goes over text[0 .. size), and has a line end that may be within it. */
static bool may_go_on(const struct reader *reader, const char *text, size_t size) {
    return strchr(reader->dialect->ends, '"') && memchr(text, '"', size);
}

/* Whether a record may end with the bytes that have come since the last look. */
static bool may_end(const struct reader *reader, const struct batch *batch, size_t from, const struct split *split) {
    const char *ends = reader->dialect->ends;
    if (!*ends || reader->ended || batch->text_used == batch->text_capacity ||
        batch->text_used - split->bytes >= RECORD_BYTES)
        return true;
    while (*ends && !memchr(batch->text + from, *ends, batch->text_used - from))
        ends++;
    return *ends != 0;
}

/* Drop the rest of a record that was too long, as far as it has been read. */
static void skip_rest(struct reader *reader, struct batch *batch) {
    const char *newline = memchr(batch->text, '\n', batch->text_used);
    size_t rest = newline ? (size_t)(newline - batch->text) + 1 : batch->text_used;
    reader->lost = may_go_on(reader, batch->text, rest);
    if (reader->lost)
        rest = batch->text_used;
    reader->skipping = newline == NULL && !reader->lost;
    memmove(batch->text, batch->text + rest, batch->text_used - rest);
    batch->text_used -= rest;
    explicit_bzero(batch->text + batch->text_used, rest);
}

/* How much to read: what the records that are wanted will take if they are like those that are there, so that little is
 * left for the next batch. */
static size_t text_wanted(const struct batch *batch, const struct split *split) {
    size_t wanted = READ_BYTES, room = batch->text_capacity - batch->text_used;
    if (split->records)
        wanted = (split->most - split->records) * (split->bytes / split->records) + READ_LEAST;
    wanted = wanted < READ_BYTES ? wanted : READ_BYTES;
    return batch->text_used + (wanted < room ? wanted : room);
}

enum { CUT_GOES_ON, CUT_IS_WHOLE, CUT_BEFORE_LONG_RECORD };

static int split_records(struct reader *reader, struct batch *batch, struct split *split) {
    if (reader->skipping)
        skip_rest(reader, batch);
    if (!reader->skipping)
        reader->dialect->split(reader, batch->text, batch->text_used, reader->ended, split);
    reader->lost |= split->lost;
    reader->ended |= reader->lost;
    if (reader->ended || split->records == split->most)
        return CUT_IS_WHOLE;
    if (batch->text_used - split->bytes >= RECORD_BYTES) {
        reader->ended = reader->lost = may_go_on(reader, batch->text + split->bytes, batch->text_used - split->bytes);
        return CUT_BEFORE_LONG_RECORD;
    }
    return batch->text_used == batch->text_capacity ? CUT_IS_WHOLE : CUT_GOES_ON;
}

bool reader_read(struct reader *reader, struct batch *batch) {
    struct split split = {.most = batch->capacity};
    bool paused = false, good = true;
    load_carry(reader, batch);
    int state = split_records(reader, batch, &split);
    while (good && !reader->stopped && state == CUT_GOES_ON && !paused) {
        const size_t seen = batch->text_used;
        good =
            read_some(reader, batch->text, &batch->text_used, text_wanted(batch, &split), split.records > 0, &paused);
        if (good && !reader->stopped && may_end(reader, batch, seen, &split))
            state = split_records(reader, batch, &split);
    }
    if (reader->stopped)
        split = (struct split){0};
    batch->number = reader->records;
    batch->records = split.records;
    batch->lines = split.lines;
    reader->records += split.records;
    batch->text_whole = split.bytes;
    batch->text_ends = reader->ended;
    batch->long_record = state == CUT_BEFORE_LONG_RECORD;
    reader->skipping |= batch->long_record && !reader->lost;
    return save_carry(reader, batch, reader->lost ? batch->text_used : split.bytes) && good;
}

bool reader_reached_end(struct reader *reader) {
    if (!reader->lost)
        return true;
    snprintf(reader->error, sizeof reader->error,
             "%.100s: nothing after line %llu is read: where the next record begins is not known", reader->name,
             (unsigned long long)reader->line - 1);
    return false;
}

void reader_parse(const struct reader *reader, struct batch *batch) {
    const bool may_lie = reader->output == FORMAT_RAW && !reader->mapping->sums;
    if (reader->dialect == &dialect_raw && may_lie && rows_lay(batch, &reader->layout))
        return;
    for (size_t at = batch->text_start; at < batch->text_whole;)
        at += reader->dialect->take(reader, batch, batch->text + at, batch->text_used - at);
    if (batch->long_record)
        row_break(batch_add(batch, batch->line), COLUMN_COUNT, "longer than 16 MiB");
}

/* Counted in pieces that compilers turn into vectors. */
size_t count_lines(const char *text, size_t size) {
    enum { PIECE = 128 };
    size_t lines = 0, at = 0;
    for (; at + PIECE <= size; at += PIECE) {
        uint8_t count = 0;
        for (size_t i = 0; i < PIECE; i++)
            count = (uint8_t)(count + (text[at + i] == '\n'));
        lines += count;
    }
    for (; at < size; at++)
        lines += text[at] == '\n';
    return lines;
}

/* The end of the line, past its last character. */
static size_t line_end(const char *text, size_t size) {
    const char *newline = memchr(text, '\n', size);
    return newline ? (size_t)(newline - text) + 1 : 0;
}

size_t scan_lines(const char *text, size_t size, bool last, struct split *split) {
    enum { PIECE = 4096 };
    size_t at = 0, lines = 0, most = split->most - split->records;
    for (size_t piece = 0; piece < size && lines < most; piece += PIECE) {
        size_t length = size - piece < PIECE ? size - piece : PIECE, count = count_lines(text + piece, length);
        if (lines + count > most || piece + PIECE >= size)
            break;
        const char *newline = count ? memrchr(text + piece, '\n', length) : NULL;
        at = newline ? (size_t)(newline - text) + 1 : at;
        lines += count;
    }
    for (size_t length; lines < most && (length = line_end(text + at, size - at)) != 0; lines++)
        at += length;
    if (last && lines < most && at < size) {
        at = size;
        lines++;
    }
    split->bytes += at;
    split->records += lines;
    split->lines += lines;
    return at;
}

size_t line_length(const char *text, size_t size, size_t *used) {
    const char *newline = memchr(text, '\n', size);
    *used = newline ? (size_t)(newline - text) + 1 : size;
    return newline ? *used - 1 : size;
}

void split_lines(const struct reader *reader, const char *text, size_t size, bool last, struct split *split) {
    (void)reader;
    scan_lines(text + split->bytes, size - split->bytes, last, split);
}
