/* gecc: the command line. */
#include "rows/decode.h"
#include "command_line/completion.h"
#include "command_line/help.h"
#include "rows/documents.h"
#include "rows/stream.h"
#include "text/say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is wrong, and a list of the names that would be right. */
enum { ERROR_BYTES = NAMES_LIST_BYTES + 128 };

static int usage_error(const char *name, const char *text) {
    say("gecc%s%s: %s; see gecc %s%s--help", *name ? " " : "", name, text, name, *name ? " " : "");
    return EXIT_TROUBLE;
}

/* What was printed has arrived. */
static int flushed(void) { return fflush(stdout) == 0 && !ferror(stdout) ? EXIT_GOOD : EXIT_TROUBLE; }

static int run_tool_options(int count, char **arguments) {
    struct options options;
    char error[ERROR_BYTES];
    options_init(&options);
    if (!options_parse(&options, OPTIONS_VERSION, arguments + 1, (size_t)(count - 1), error, sizeof error))
        return usage_error("", error);
    if (options.version)
        printf("gecc %d.%d.%d\n", GECC_VERSION_MAJOR, GECC_VERSION_MINOR, GECC_VERSION_PATCH);
    else if (!options.completion || !completion_write(stdout, options.completion))
        help_tool(stdout, options.man);
    return flushed();
}

/* The command with its keys, which the caller frees and wipes. */
static int run_with_keys(const struct command *command, struct options *options) {
    char error[ERROR_BYTES];
    if (!options_read_keys(options, error, sizeof error))
        return usage_error(command->name, error);
    const char *reason = command->check ? command->check(options) : NULL;
    const bool curve25519 = command->mapping ? command->mapping->curve25519 : command->curve25519;
    if (!reason && options->curve == GECC_CURVE25519 && !curve25519)
        reason = curve25519_refusal;
    if (reason)
        return usage_error(command->name, reason);
    if (options->jwt && options->private_key.count && !(options->token_header = token_header(options)))
        return usage_error(command->name, "not enough memory");
    struct command chosen = *command;
    if (chosen.jwk_mapping && is_jwk(options->output_format))
        chosen.mapping = chosen.jwk_mapping;
    if (options->sum)
        chosen.mapping = command->sum_mapping;
    if (options->address || options->jwt || options->x509 || options->nostr)
        chosen.mapping = options->address       ? command->address_mapping
                         : options->jwt         ? options->detached ? command->detached_mapping
                                                  : options->sd_jwt ? command->sd_jwt_mapping
                                                                    : command->jwt_mapping
                         : options->nostr       ? command->nostr_mapping
                         : options->authorities ? command->authorities_mapping
                                                : command->x509_mapping;
    if (chosen.mapping && (!map_is_right(chosen.mapping, options, error, sizeof error) ||
                           !required_is_right(chosen.mapping, options, error, sizeof error)))
        return usage_error(command->name, error);
    return chosen.mapping ? stream_run(&chosen, options) : command->main(options);
}

static int run_command(const struct command *command, int count, char **arguments) {
    struct options options;
    char error[ERROR_BYTES];
    options_init(&options);
    options.curve = command->curve;
    if (!options_parse(&options, command->options, arguments, (size_t)count, error, sizeof error))
        return usage_error(command->name, error);
    if (options.help) {
        help_command(stdout, command, options.man);
        return flushed();
    }
    const int status = run_with_keys(command, &options);
    options_free_keys(&options);
    return status;
}

int main(int count, char **arguments) {
    if (count < 2) {
        help_tool(stderr, false);
        return EXIT_TROUBLE;
    }
    if (arguments[1][0] == '-')
        return run_tool_options(count, arguments);
    const struct command *command = command_find(arguments[1]);
    if (!command) {
        char error[ERROR_BYTES];
        snprintf(error, sizeof error, "no such command: '%.60s'", arguments[1]);
        return usage_error("", error);
    }
    return run_command(command, count - 2, arguments + 2);
}
