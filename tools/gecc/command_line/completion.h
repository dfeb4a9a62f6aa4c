/* Completion for shells, from the tables that make the help. */
#ifndef TOOL_COMPLETION_H
#define TOOL_COMPLETION_H

#include <stdbool.h>
#include <stdio.h>

/* Write the script for a shell, "bash", "zsh" or "fish". false: there is none for it. */
bool completion_write(FILE *out, const char *shell);

#endif
