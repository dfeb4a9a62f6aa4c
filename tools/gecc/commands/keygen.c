/* keygen: key pairs from the system's random numbers. */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "commands/commands.h"
#include "text/hex.h"
#include "bench/keys.h"
#include "keys/jwk_text.h"
#include "rows/stream.h"
#include "files/magic.h"
#include "files/target.h"
#include "text/say.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHUNK_KEYS = 4096, ROW_TEXT_BYTES = JWK_BYTES };

struct chunk {
    uint8_t private_keys[CHUNK_KEYS * GECC_CURVE_BYTES_MOST]; /* packed with the curve's width */
    uint8_t public_keys[CHUNK_KEYS][1 + 2 * GECC_CURVE_BYTES_MOST];
    uint8_t status[CHUNK_KEYS];
    char text[CHUNK_KEYS * ROW_TEXT_BYTES];
    char jwks[CHUNK_KEYS][JWK_BYTES];
};

static int fail(const char *name, const char *text) {
    say("gecc: %s: %s", name, text);
    return EXIT_TROUBLE;
}

static gecc_result public_keys(struct chunk *chunk, gecc_context *context, const struct options *options,
                               gecc_rows keys, size_t count, const gecc_options *call) {
    gecc_out out = gecc_out_packed(chunk->public_keys, sizeof *chunk->public_keys);
    gecc_out status = gecc_out_packed(chunk->status, 1);
    if (options->scheme == SCHEME_ED25519)
        return gecc_ed25519_public_key(context, out, status, keys, count, call);
    if (options->scheme == SCHEME_X25519)
        return gecc_x25519_public_key(context, out, status, keys, count, call);
    return gecc_ec_public_key(context, options->curve, out, status, keys, count, call);
}

/* Keys are uniform: bytes that are no private key of the curve, zero or too large a number, are drawn again. NULL, or
 * what went wrong. */
static const char *draw(struct chunk *chunk, gecc_context *context, const struct options *options, size_t count) {
    size_t bytes = gecc_curve_bytes(options->curve), missing = count;
    uint8_t *keys = chunk->private_keys;
    gecc_options call = GECC_OPTIONS_INIT;
    call.point_format = options->point_format;
    memset(chunk->status, GECC_ITEM_NOT_PROCESSED, count);
    while (missing) {
        for (size_t i = 0; i < count; i++)
            if (chunk->status[i] != GECC_ITEM_OK && !random_bytes(keys + i * bytes, bytes))
                return "the operating system gives no random numbers";
        gecc_result result = public_keys(chunk, context, options, gecc_rows_packed(keys, bytes), count, &call);
        if (result != GECC_OK)
            return gecc_result_text(result);
        missing = count - count_items(chunk->status, count, GECC_ITEM_OK);
    }
    return NULL;
}

static size_t put_rows(struct chunk *chunk, const struct options *options, size_t count) {
    const char *curve = gecc_curve_name(options->curve);
    const bool json = options->output_format == FORMAT_JSONL;
    size_t bytes = gecc_curve_bytes(options->curve);
    size_t width = options->curve == GECC_CURVE25519 ? bytes : gecc_point_bytes(options->curve, options->point_format);
    char *out = chunk->text;
    for (size_t i = 0; i < count; i++) {
        out += sprintf(out, json ? "{\"curve\":\"%s\",\"priv\":\"" : "%s,", curve);
        out = hex_encode(out, chunk->private_keys + i * bytes, bytes);
        out = stpcpy(out, json ? "\",\"pub\":\"" : ",");
        out = hex_encode(out, chunk->public_keys[i], width);
        out = stpcpy(out, json ? "\"}\n" : "\n");
    }
    return (size_t)(out - chunk->text);
}

/* The same of JSON Web Keys; in a set others than the first one stand behind a comma. */
static const char *put_jwks(struct chunk *chunk, gecc_context *context, const struct options *options, size_t count,
                            bool first, size_t *size) {
    gecc_result result = jwk_write(context, chunk->jwks, options->curve, options->scheme, chunk->public_keys[0],
                                   sizeof *chunk->public_keys, chunk->private_keys, count);
    const bool in_set = options->output_format == FORMAT_JWKS;
    char *out = chunk->text;
    for (size_t i = 0; result == GECC_OK && i < count; i++) {
        if (in_set && !(first && i == 0))
            out = stpcpy(out, ",\n");
        out = stpcpy(stpcpy(out, chunk->jwks[i]), in_set ? "" : "\n");
    }
    *size = (size_t)(out - chunk->text);
    return result == GECC_OK ? NULL : gecc_result_text(result);
}

static int make_keys(struct chunk *chunk, gecc_context *context, const struct options *options,
                     const struct target *target) {
    static const char *const headers[] = {"curve,priv,pub\n", "curve,priv,pub\n", "", "", "", "{\"keys\":[\n"};
    const char *header = headers[options->output_format],
               *trailer = options->output_format == FORMAT_JWKS ? "\n]}\n" : "";
    bool written = target_write(target, header, strlen(header));
    const size_t total = options->count ? options->count : 1;
    for (size_t done = 0, count; written && done < total; done += count) {
        count = total - done < CHUNK_KEYS ? total - done : CHUNK_KEYS;
        const char *error = draw(chunk, context, options, count);
        size_t size = 0;
        if (!error && is_jwk(options->output_format))
            error = put_jwks(chunk, context, options, count, done == 0, &size);
        else if (!error)
            size = put_rows(chunk, options, count);
        if (error)
            return fail("keygen", error);
        written = target_write(target, chunk->text, size);
    }
    written = written && target_write(target, trailer, strlen(trailer));
    if (written)
        return EXIT_GOOD;
    return errno == EPIPE ? EXIT_TROUBLE : fail(target->name, strerror(errno));
}

static int keygen(const struct options *options) {
    struct target target;
    signal(SIGPIPE, SIG_IGN);
    const char *reason = target_open(&target, options->output, true, -1);
    if (reason) {
        target_free(&target);
        return fail(target.name, reason);
    }
    struct chunk *chunk = malloc(sizeof *chunk);
    gecc_context *context = chunk ? context_open(options, 0) : NULL;
    int status = context ? make_keys(chunk, context, options, &target) : EXIT_TROUBLE;
    if (chunk)
        explicit_bzero(chunk, sizeof *chunk);
    free(chunk);
    gecc_close(context);
    if (close(target.descriptor) < 0 || (status == EXIT_GOOD && !target_finish(&target)))
        status = fail(target.name, strerror(errno));
    target_free(&target);
    return status;
}

static const char *check(const struct options *options) {
    const bool of_curve25519 = options->scheme == SCHEME_ED25519 || options->scheme == SCHEME_X25519;
    if (!options->curve)
        return "--curve is needed";
    if (options->scheme != SCHEME_OF_CURVE && !of_curve25519)
        return "--scheme: ed25519 or x25519; other keys are those of --curve";
    if (of_curve25519 != (options->curve == GECC_CURVE25519))
        return "keys on Curve25519 are of --scheme ed25519 or of --scheme x25519";
    if (is_jwk(options->output_format))
        return jwk_refusal(options, options->curve);
    return options->output_format == FORMAT_RAW ? NOT_RAW_OUTPUT : NULL;
}

const struct command command_keygen = {
    .name = "keygen",
    .summary = "make key pairs",
    .description =
        "Rows `curve`, `priv`, `pub` of new keys, uniform from 1 to the order less 1 (SM2: less 2), from the random "
        "numbers of the "
        "operating system (getrandom); with --scheme ed25519 or x25519 `priv` is any 32 bytes. A file that -o names "
        "can be read by its owner only.",
    .examples = "gecc keygen --curve P-256 --count 1000 -o keys.csv\n"
                "gecc keygen --curve secp256k1 --point-format compressed --output-format jsonl\n"
                "gecc keygen --scheme ed25519 -o seeds.csv\n"
                "gecc keygen --curve P-256 --jwk -o private.jwk\n",
    .options = OPTIONS_JWK | OPTIONS_COMMON | OPTIONS_CONTEXT | OPTIONS_CURVE | OPTIONS_POINT | OPTIONS_KEYGEN |
               OPTIONS_SCHEME,
    .check = check,
    .main = keygen,
    .curve25519 = true};
