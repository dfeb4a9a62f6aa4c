/* keys: the public keys of a file, with their names. */
#include "commands/commands.h"
#include "files/magic.h"
#include "files/target.h"
#include "text/csv.h"
#include "text/json_text.h"
#include "text/say.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 6 };

static const struct column_text columns[COLUMNS + 1] = {
    {"kid", "its name in a JSON Web Key"},
    {"thumbprint", "its name by RFC 7638; of curves that JSON Web Keys have"},
    {"curve", "its curve"},
    {"scheme", "ed25519 or x25519, of keys on Curve25519"},
    {"pub", "the public key, in hexadecimal: an uncompressed point, or 32 bytes; none of keys of other kinds"},
    {"reason", "why it is not used for signatures; none: it is"},
    {NULL, NULL}};

/* The cells of a key; NULL: it has none in that column. */
static void cells_of(const char *cells[COLUMNS], char pub[KEY_FILE_DIGITS + 1], const struct set_key *key) {
    const bool is_read = key->key.count != 0;
    memcpy(pub, key->key.digits, key->key.count);
    pub[key->key.count] = 0;
    cells[0] = key->kid;
    cells[1] = key->thumbprint[0] ? key->thumbprint : NULL;
    cells[2] = is_read ? gecc_curve_name(key->key.curve) : NULL;
    cells[3] = !is_read || key->key.curve != GECC_CURVE25519 ? NULL
               : key->key.scheme == SCHEME_X25519            ? "x25519"
                                                             : "ed25519";
    cells[4] = is_read ? pub : NULL;
    cells[5] = key->refusal;
}

static void put_csv(struct buffer *out, const char *const cells[COLUMNS]) {
    for (size_t c = 0; c < COLUMNS; c++) {
        if (c)
            buffer_put(out, ",", 1);
        if (cells[c])
            csv_put_field(out, cells[c], strlen(cells[c]));
    }
    buffer_put(out, "\n", 1);
}

static void put_json(struct buffer *out, const char *const cells[COLUMNS]) {
    for (size_t c = 0; c < COLUMNS; c++) {
        buffer_put(out, c ? ",\"" : "{\"", 2);
        buffer_put(out, columns[c].name, strlen(columns[c].name));
        buffer_put(out, cells[c] ? "\":\"" : "\":null", cells[c] ? 3 : 6);
        if (cells[c]) {
            json_put_text(out, cells[c], strlen(cells[c]), false);
            buffer_put(out, "\"", 1);
        }
    }
    buffer_put(out, "}\n", 2);
}

static bool put_rows(struct buffer *out, const struct key_set *set, bool json) {
    const char *cells[COLUMNS];
    char pub[KEY_FILE_DIGITS + 1];
    for (size_t c = 0; c < COLUMNS; c++)
        cells[c] = columns[c].name;
    if (buffer_reserve(out, 1) && !json)
        put_csv(out, cells);
    for (size_t i = 0; i < set->count; i++) {
        cells_of(cells, pub, &set->keys[i]);
        (json ? put_json : put_csv)(out, cells);
    }
    return out->bytes && !out->failed;
}

static int write_keys(const struct options *options, const struct key_set *set) {
    struct buffer out = {.bytes = NULL};
    struct target target;
    const char *reason = target_open(&target, options->output, false, -1);
    if (!reason && !put_rows(&out, set, options->output_format == FORMAT_JSONL))
        reason = "not enough memory";
    if (!reason && !target_write(&target, out.bytes, out.used))
        reason = strerror(errno);
    buffer_free(&out);
    if (target.descriptor >= 0 && close(target.descriptor) < 0 && !reason)
        reason = strerror(errno);
    if (!reason && !target_finish(&target))
        reason = strerror(errno);
    if (reason)
        say("gecc: %s: %s", target.name, reason);
    target_free(&target);
    return reason ? EXIT_TROUBLE : EXIT_GOOD;
}

static int keys(const struct options *options) {
    struct key_set set = {.keys = NULL};
    char error[512] = "";
    int status = EXIT_TROUBLE;
    signal(SIGPIPE, SIG_IGN);
    const bool is_standard = !options->input || strcmp(options->input, "-") == 0;
    if (key_set_read(&set, is_standard ? "/dev/stdin" : options->input, error, sizeof error))
        status = write_keys(options, &set);
    else
        say("gecc: %s", error);
    key_set_free(&set);
    return status;
}

static const char *check(const struct options *options) {
    return options->output_format == FORMAT_RAW ? NOT_RAW_OUTPUT : NULL;
}

const struct command command_keys = {
    .name = "keys",
    .summary = "list the keys of a file",
    .description =
        "The public keys of a file, as gecc verify reads it for tokens, a row each with its names. Private keys "
        "are not written: of one the row is its public key. A key that is not used for signatures has a `reason`.",
    .examples = "gecc keys jwks.json\n"
                "gecc keys --output-format jsonl ~/.ssh/authorized_keys\n",
    .options = OPTIONS_COMMON | OPTIONS_KEYS,
    .check = check,
    .records = "FILE is a JSON Web Key or a set of them, PEM with any number of keys or certificates, DER, or lines of "
               "OpenSSH, as authorized_keys has them. Private keys in it may not be encrypted.",
    .columns = columns,
    .exit_status =
        "0: the keys are written. 2: the command line is wrong, the file cannot be read or has no keys, or the "
        "output cannot be written.",
    .main = keys,
    .curve25519 = true};
