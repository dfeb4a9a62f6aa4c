/* Any command line is parsed or refused with a reason. The first byte chooses the command, zeros separate arguments. */
#include "command.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ARGUMENTS = 16 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    size_t command_count = 0, count = 0;
    while (commands[command_count])
        command_count++;
    const struct command *command = commands[data[0] % command_count];
    char *text = malloc(size), *arguments[MAX_ARGUMENTS], error[128] = "";
    memcpy(text, data + 1, size - 1);
    text[size - 1] = 0;
    for (char *at = text; at < text + size && count < MAX_ARGUMENTS; at += strlen(at) + 1)
        arguments[count++] = at;
    struct options options;
    options_init(&options);
    bool good = options_parse(&options, command->options, arguments, count, error, sizeof error);
    if (!good != (error[0] != 0))
        abort();
    if (good && command->check)
        command->check(&options);
    free(text);
    return 0;
}
