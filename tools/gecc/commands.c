#include "commands.h"

#include <string.h>

const struct command *const commands[] = {
    &command_verify, &command_sign,   &command_recover, &command_pubkey,   &command_ecdh, &command_mul,   &command_add,
    &command_mod,    &command_digest, &command_devices, &command_selftest, &command_demo, &command_bench, NULL};

const struct command *command_find(const char *name) {
    for (const struct command *const *command = commands; *command; command++)
        if (strcmp((*command)->name, name) == 0)
            return *command;
    return NULL;
}
