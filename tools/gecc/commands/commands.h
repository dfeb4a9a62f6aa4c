/* The subcommands, each in the file of its family; commands.c has them all. */
#ifndef TOOL_COMMANDS_H
#define TOOL_COMMANDS_H

#include "command_line/command.h"
#include "command_line/options.h"

/* Up to NULL, in the order in which the help shows them. */
extern const struct command *const signature_commands[], *const point_commands[];
extern const struct command command_recover, command_inputs, command_mod, command_digest, command_encrypt,
    command_decrypt, command_devices, command_selftest, command_demo, command_keygen, command_keys;

struct group;

/* Why a hash that is asked for is not used by rows with these columns; NULL: it is, or none is. */
const char *hash_refuses(const struct options *options, uint32_t present, const struct group *group);

/* Why what the options ask for is not to be had of the signatures of the group's scheme; NULL: it is. */
const char *scheme_has_no(const struct options *options, const struct group *group);

#endif
