#define _GNU_SOURCE /* explicit_bzero, pipe2, F_SETPIPE_SZ */

#include "files/decompress.h"
#include "files/library.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { CHUNK_BYTES = 256 << 10, PIPE_BYTES = 1 << 20, MOST_FUNCTIONS = 5 };

/* Compressed bytes that are still to be taken, and room for what they become. */
struct flow {
    const uint8_t *in;
    size_t in_size;
    uint8_t *out;
    size_t out_size;
};

/* z_stream of zlib 1 and the two structures of zstd 1, as their documentation has them. zlib is told how long its
 * structure is here and refuses another. */
struct zlib_stream {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *state, *zalloc, *zfree, *opaque;
    int data_type;
    unsigned long adler, reserved;
};

struct zstd_in {
    const void *data;
    size_t size, used;
};

struct zstd_out {
    void *data;
    size_t size, used;
};

enum {
    ZLIB_OK = 0,
    ZLIB_STREAM_END = 1,
    ZLIB_BUF_ERROR = -5, /* no progress was possible, which is no error */
    ZLIB_NO_FLUSH = 0,
    ZLIB_GZIP = 16 + 15 /* windowBits: gzip alone, the largest window */
};

struct zlib {
    int (*inflateInit2_)(struct zlib_stream *stream, int bits, const char *version, int size);
    int (*inflate)(struct zlib_stream *stream, int flush);
    int (*inflateReset)(struct zlib_stream *stream);
    int (*inflateEnd)(struct zlib_stream *stream);
};

struct zstd {
    void *(*ZSTD_createDStream)(void);
    size_t (*ZSTD_decompressStream)(void *stream, struct zstd_out *out, struct zstd_in *in);
    unsigned (*ZSTD_isError)(size_t result);
    const char *(*ZSTD_getErrorName)(size_t result);
    size_t (*ZSTD_freeDStream)(void *stream);
};

struct decompression {
    const struct codec *codec;
    union {
        struct zlib zlib;
        struct zstd zstd;
    } calls;
    struct zlib_stream zlib_stream;
    void *zstd_stream;
    bool begun; /* there is a stream to be freed */
    bool whole; /* no member or frame is begun and not ended */

    int input, pipe[2];
    pthread_t thread;
    bool joined;
    uint8_t *start; /* what was read of the input before */
    size_t start_size;
    char failure[160]; /* empty: none */
};

/* What the two do differently. */
struct codec {
    const char *name;
    const char *endings[2];
    const char *magic;
    size_t magic_size;
    const char *library;
    const char *missing; /* what is said where it is not there */
    const char *functions[MOST_FUNCTIONS];
    bool (*begin)(struct decompression *decompression);
    /* Take some bytes, give some; false: failure says why not. */
    bool (*step)(struct decompression *decompression, struct flow *flow);
    void (*end)(struct decompression *decompression);
};

static bool fail(struct decompression *decompression, const char *text) {
    snprintf(decompression->failure, sizeof decompression->failure, "%s: %.120s", decompression->codec->name, text);
    return false;
}

static bool zlib_begin(struct decompression *d) {
    int size = (int)sizeof d->zlib_stream;
    return d->calls.zlib.inflateInit2_(&d->zlib_stream, ZLIB_GZIP, "1", size) == ZLIB_OK;
}

/* A file of gzip is members one after another, and perhaps zeros that pad it. */
static bool zlib_next_member(struct decompression *d, struct flow *flow) {
    while (flow->in_size && *flow->in == 0) {
        flow->in++;
        flow->in_size--;
    }
    return !flow->in_size || d->calls.zlib.inflateReset(&d->zlib_stream) == ZLIB_OK || fail(d, "cannot go on");
}

static bool zlib_step(struct decompression *d, struct flow *flow) {
    struct zlib_stream *stream = &d->zlib_stream;
    if (d->whole && !zlib_next_member(d, flow))
        return false;
    if (d->whole && !flow->in_size)
        return true;
    stream->next_in = flow->in;
    stream->avail_in = (unsigned)flow->in_size;
    stream->next_out = flow->out;
    stream->avail_out = (unsigned)flow->out_size;
    int result = d->calls.zlib.inflate(stream, ZLIB_NO_FLUSH);
    if (result != ZLIB_OK && result != ZLIB_STREAM_END && result != ZLIB_BUF_ERROR)
        return fail(d, stream->msg ? stream->msg : "broken");
    flow->in = stream->next_in;
    flow->in_size = stream->avail_in;
    flow->out = stream->next_out;
    flow->out_size = stream->avail_out;
    d->whole = result == ZLIB_STREAM_END;
    return true;
}

static void zlib_end(struct decompression *d) { d->calls.zlib.inflateEnd(&d->zlib_stream); }

static bool zstd_begin(struct decompression *d) {
    d->zstd_stream = d->calls.zstd.ZSTD_createDStream();
    return d->zstd_stream != NULL;
}

static bool zstd_step(struct decompression *d, struct flow *flow) {
    struct zstd_in in = {flow->in, flow->in_size, 0};
    struct zstd_out out = {flow->out, flow->out_size, 0};
    if (d->whole && !flow->in_size)
        return true;
    size_t result = d->calls.zstd.ZSTD_decompressStream(d->zstd_stream, &out, &in);
    if (d->calls.zstd.ZSTD_isError(result))
        return fail(d, d->calls.zstd.ZSTD_getErrorName(result));
    flow->in += in.used;
    flow->in_size -= in.used;
    flow->out += out.used;
    flow->out_size -= out.used;
    d->whole = result == 0;
    return true;
}

static void zstd_end(struct decompression *d) { d->calls.zstd.ZSTD_freeDStream(d->zstd_stream); }

static const struct codec codecs[] = {
    [COMPRESSION_GZIP] = {"gzip",
                          {".gz", ".gzip"},
                          "\x1f\x8b",
                          2,
                          "libz.so.1",
                          "compressed with gzip, which needs zlib's libz.so.1 (Debian: zlib1g); or decompress it: "
                          "gzip -dc FILE | gecc ...",
                          {"inflateInit2_", "inflate", "inflateReset", "inflateEnd"},
                          zlib_begin,
                          zlib_step,
                          zlib_end},
    [COMPRESSION_ZSTD] = {"zstd",
                          {".zst", ".zstd"},
                          "\x28\xb5\x2f\xfd",
                          4,
                          "libzstd.so.1",
                          "compressed with zstd, which needs its libzstd.so.1 (Debian: libzstd1); or decompress it: "
                          "zstd -dc FILE | gecc ...",
                          {"ZSTD_createDStream", "ZSTD_decompressStream", "ZSTD_isError", "ZSTD_getErrorName",
                           "ZSTD_freeDStream"},
                          zstd_begin,
                          zstd_step,
                          zstd_end},
};

enum compression compression_of_text(const char *text, size_t size) {
    for (int c = COMPRESSION_GZIP; c <= COMPRESSION_ZSTD; c++)
        if (size >= codecs[c].magic_size && memcmp(text, codecs[c].magic, codecs[c].magic_size) == 0)
            return (enum compression)c;
    return COMPRESSION_NONE;
}

enum compression compression_of_name(const char *name, size_t *length) {
    *length = strlen(name);
    for (int c = COMPRESSION_GZIP; c <= COMPRESSION_ZSTD; c++) {
        for (size_t e = 0; e < 2; e++) {
            size_t ending = strlen(codecs[c].endings[e]);
            if (*length > ending && strcasecmp(name + *length - ending, codecs[c].endings[e]) == 0) {
                *length -= ending;
                return (enum compression)c;
            }
        }
    }
    return COMPRESSION_NONE;
}

static bool load(struct decompression *d) {
    size_t count = 0;
    while (count < MOST_FUNCTIONS && d->codec->functions[count])
        count++;
    return library_load(&d->calls, d->codec->library, d->codec->functions, count);
}

/* false: nobody reads the pipe any more. */
static bool write_all(const struct decompression *d, const uint8_t *bytes, size_t size) {
    while (size) {
        ssize_t count = write(d->pipe[1], bytes, size);
        if (count < 0 && errno != EINTR)
            return false;
        if (count > 0) {
            bytes += count;
            size -= (size_t)count;
        }
    }
    return true;
}

/* Decompress in[0 .. size) into the pipe, by way of out[CHUNK_BYTES]. false: it ends here. */
static bool decompress(struct decompression *d, const uint8_t *in, size_t size, uint8_t *out) {
    struct flow flow = {.in = in, .in_size = size};
    do {
        flow.out = out;
        flow.out_size = CHUNK_BYTES;
        if (!d->codec->step(d, &flow))
            return false;
        if (!write_all(d, out, CHUNK_BYTES - flow.out_size))
            return false;
    } while (flow.in_size || flow.out_size == 0); /* out is full: there may be more of it */
    return true;
}

/* The bytes that were read; 0: the input ended, or there is nobody left to read it for. -1: errno says why not. A pipe
 * that nobody reads is seen while the input is silent. */
static ssize_t read_input(const struct decompression *d, uint8_t *out) {
    for (;;) {
        struct pollfd ready[2] = {{d->input, POLLIN, 0}, {d->pipe[1], 0, 0}};
        int count = poll(ready, 2, -1);
        if (count > 0 && ready[1].revents)
            return 0;
        if (count < 0 && errno == EINTR)
            continue;
        ssize_t got = count < 0 ? -1 : read(d->input, out, CHUNK_BYTES);
        if (got >= 0 || (errno != EINTR && errno != EAGAIN))
            return got;
    }
}

static void *run(void *argument) {
    struct decompression *d = argument;
    uint8_t *in = malloc(CHUNK_BYTES), *out = malloc(CHUNK_BYTES);
    bool more = in && out && decompress(d, d->start, d->start_size, out);
    ssize_t count = 0;
    while (more && (count = read_input(d, in)) > 0)
        more = decompress(d, in, (size_t)count, out);
    if (!in || !out)
        fail(d, "not enough memory");
    else if (more && count < 0)
        fail(d, strerror(errno));
    else if (more && !d->whole)
        fail(d, "it ends in the middle: something of it is missing");
    if (in)
        explicit_bzero(in, CHUNK_BYTES);
    if (out)
        explicit_bzero(out, CHUNK_BYTES);
    free(in);
    free(out);
    close(d->pipe[1]);
    return NULL;
}

/* A write to a pipe that nobody reads fails, and ends nothing else. */
static bool start_thread(struct decompression *d) {
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    bool started = pthread_create(&d->thread, NULL, run, d) == 0;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return started;
}

static bool open_pipe(struct decompression *d) {
    if (pipe2(d->pipe, O_CLOEXEC) < 0)
        return false;
    (void)fcntl(d->pipe[1], F_SETPIPE_SZ, PIPE_BYTES);
    return true;
}

static void release(struct decompression *d) {
    if (d->begun)
        d->codec->end(d);
    if (d->start) {
        explicit_bzero(d->start, d->start_size);
        free(d->start);
    }
    free(d);
}

/* NULL, or why it cannot begin. */
static const char *prepare(struct decompression *d, const char *text, size_t size) {
    d->start = malloc(size + 1);
    if (!d->start)
        return "not enough memory";
    memcpy(d->start, text, size);
    d->start_size = size;
    if (!load(d))
        return d->codec->missing;
    d->begun = d->codec->begin(d);
    return d->begun ? NULL : "its library cannot begin";
}

struct decompression *decompression_begin(enum compression compression, int *descriptor, const char *text, size_t size,
                                          const char **reason) {
    struct decompression *d = calloc(1, sizeof *d);
    *reason = "not enough memory";
    if (!d)
        return NULL;
    *d = (struct decompression){.codec = &codecs[compression], .input = *descriptor};
    *reason = prepare(d, text, size);
    if (!*reason && !open_pipe(d))
        *reason = strerror(errno);
    else if (!*reason && !start_thread(d)) {
        close(d->pipe[0]);
        close(d->pipe[1]);
        *reason = "no thread can be started to decompress it";
    }
    if (*reason) {
        release(d);
        return NULL;
    }
    *descriptor = d->pipe[0];
    return d;
}

static void join(struct decompression *d) {
    if (!d->joined)
        pthread_join(d->thread, NULL);
    d->joined = true;
}

const char *decompression_failure(struct decompression *decompression) {
    join(decompression);
    return decompression->failure[0] ? decompression->failure : NULL;
}

void decompression_end(struct decompression *decompression) {
    if (!decompression)
        return;
    close(decompression->pipe[0]);
    join(decompression);
    release(decompression);
}
