/* Any command line is parsed, every number within the range that the option's help states, or refused with a reason.
 * The first byte chooses the command, zeros separate arguments. */
#include "command_line/command.h"
#include "command_line/options.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_range(size_t value, size_t low, size_t high) {
    if (value < low || value > high)
        abort();
}

static void check_options(const struct options *options) {
    check_range(options->threads, 0, 4096);
    check_range(options->digest_bytes, 1, MAX_DIGEST_BYTES);
    check_range(options->message_bytes, 1, 1 << 16);
    check_range(options->batch, 0, 1 << 22); /* 0: not given */
    check_range(options->count, 0, 1 << 22);
    check_range(options->runs, 0, 1000);
    check_range(options->batch_count, 0, MAX_BATCHES);
    for (size_t i = 0; i < options->batch_count; i++)
        check_range(options->batches[i], 1, 1 << 25);
    if (options->bits) {
        check_range(options->bits, 128, 8 * MAX_MODULUS_BYTES);
        check_range(options->bits % 32, 0, 0);
    }
    if (options->id)
        check_range(strlen(options->id), 0, MAX_ID_BYTES);
    if (options->context)
        check_range(strlen(options->context), 0, MAX_CONTEXT_BYTES);
    if (options->low_s && options->any_s)
        abort();
}

/* An operand is a whole argument. */
static void check_input(const char *input, char *const *arguments, size_t count) {
    bool found = !input;
    for (size_t i = 0; i < count; i++)
        found |= input == arguments[i];
    if (!found)
        abort();
}

static size_t count_strings(const char *text, size_t size) {
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += text[i] == 0;
    return count < MAX_ARGUMENTS ? count : MAX_ARGUMENTS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    size_t command_count = 0;
    while (command_at(command_count) != NULL)
        command_count++;
    const struct command *command = command_at(data[0] % command_count);
    char *text = malloc(size), error[128] = "";
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    size_t count = count_strings(text, size);
    char **arguments = malloc(count * sizeof *arguments), *at = text;
    for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
        arguments[i] = at;
    struct options options;
    options_init(&options);
    bool good = options_parse(&options, command->options, arguments, count, error, sizeof error);
    if (!good != (error[0] != 0))
        abort();
    if (good) {
        check_options(&options);
        check_input(options.input, arguments, count);
        if (command->check)
            command->check(&options);
    }
    free(arguments);
    free(text);
    return 0;
}
