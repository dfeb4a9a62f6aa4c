#include "commands.h"

#include <string.h>

const struct command *const commands[] = {
#define COMMAND(name) &command_##name,
    COMMAND_LIST(COMMAND)
#undef COMMAND
        NULL};

const struct command *command_find(const char *name) {
    for (const struct command *const *command = commands; *command; command++)
        if (strcmp((*command)->name, name) == 0)
            return *command;
    return NULL;
}
