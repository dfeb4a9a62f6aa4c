/* The help of the tool and of its commands, as text or as roff: written once, beside what it describes. */
#ifndef TOOL_HELP_H
#define TOOL_HELP_H

#include "command_line/command.h"
#include "command_line/options.h"

void help_tool(FILE *out, bool roff);
void help_command(FILE *out, const struct command *command, bool roff);

#endif
