#include "commands/commands.h"

#include "bench/bench.h"
#include "ethereum/senders.h"

#include <string.h>

static const struct command *const other_commands[] = {&command_keygen,
                                                       &command_keys,
                                                       &command_senders,
                                                       &command_inputs,
                                                       &command_mod,
                                                       &command_digest,
                                                       &command_encrypt,
                                                       &command_decrypt,
                                                       &command_devices,
                                                       &command_selftest,
                                                       &command_demo,
                                                       &command_bench,
                                                       NULL};

const char curve25519_refusal[] =
    "on Curve25519 there are Ed25519 and X25519: verify, sign, pubkey, ecdh, keygen and bench";

const struct command *command_at(size_t index) {
    const struct command *const *const families[] = {signature_commands, point_commands, other_commands};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        for (const struct command *const *command = families[i]; *command; command++)
            if (index-- == 0)
                return *command;
    return NULL;
}

const struct command *command_find(const char *name) {
    const struct command *command;
    for (size_t i = 0; (command = command_at(i)) != NULL; i++)
        if (strcmp(command->name, name) == 0)
            return command;
    return NULL;
}
