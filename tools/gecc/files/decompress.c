#define _DEFAULT_SOURCE /* explicit_bzero */

#include "files/decompress.h"
#include "files/library.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { CHUNK_BYTES = 256 << 10, MOST_FUNCTIONS = 5 };

/* Compressed bytes that are still to be taken, and room for the decompressed ones. */
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

    bool full; /* there may be more to come of bytes that were taken already */
    struct flow flow;
    size_t room; /* of `bytes` */
    uint8_t *bytes;
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

static bool needs_input(const struct decompression *d) { return d->flow.in_size == 0 && !d->full; }

/* Bytes of the input. As read. */
static ssize_t take_input(struct decompression *d, int descriptor) {
    const ssize_t count = read(descriptor, d->bytes, d->room);
    d->flow.in = d->bytes;
    d->flow.in_size = count > 0 ? (size_t)count : 0;
    if (count == 0 && !d->whole)
        fail(d, "it ends in the middle: something of it is missing");
    return count;
}

ssize_t input_read(int descriptor, struct decompression *d, void *out, size_t size) {
    if (!d)
        return read(descriptor, out, size);
    const ssize_t count = needs_input(d) ? take_input(d, descriptor) : 1;
    if (count <= 0)
        return count;
    d->flow.out = out;
    d->flow.out_size = size;
    if (!d->codec->step(d, &d->flow))
        return 0;
    d->full = d->flow.out_size == 0;
    errno = EAGAIN;
    return d->flow.out_size == size ? -1 : (ssize_t)(size - d->flow.out_size);
}

int input_wait(int descriptor, const struct decompression *d, int milliseconds) {
    struct pollfd ready = {descriptor, POLLIN, 0};
    return d && !needs_input(d) ? 1 : poll(&ready, 1, milliseconds);
}

static void release(struct decompression *d) {
    if (d->begun)
        d->codec->end(d);
    if (d->bytes)
        explicit_bzero(d->bytes, d->room);
    free(d->bytes);
    free(d);
}

/* NULL, or why it cannot begin. */
static const char *prepare(struct decompression *d, const char *text, size_t size) {
    d->room = size > CHUNK_BYTES ? size : CHUNK_BYTES;
    d->bytes = malloc(d->room);
    if (!d->bytes)
        return "not enough memory";
    memcpy(d->bytes, text, size);
    d->flow.in = d->bytes;
    d->flow.in_size = size;
    if (!load(d))
        return d->codec->missing;
    d->begun = d->codec->begin(d);
    return d->begun ? NULL : "its library cannot begin";
}

struct decompression *decompression_begin(enum compression compression, const char *text, size_t size,
                                          const char **reason) {
    struct decompression *d = calloc(1, sizeof *d);
    *reason = "not enough memory";
    if (!d)
        return NULL;
    d->codec = &codecs[compression];
    *reason = prepare(d, text, size);
    if (!*reason)
        return d;
    release(d);
    return NULL;
}

const char *decompression_failure(const struct decompression *decompression) {
    return decompression && decompression->failure[0] ? decompression->failure : NULL;
}

void decompression_end(struct decompression *decompression) {
    if (decompression)
        release(decompression);
}
