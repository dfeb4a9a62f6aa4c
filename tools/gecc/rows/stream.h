/* Rows from a file or pipe through the library to another, in bounded memory. */
#ifndef TOOL_STREAM_H
#define TOOL_STREAM_H

#include "command_line/command.h"

/* Run a command that has a mapping; returns the exit status. */
int stream_run(const struct command *command, const struct options *options);

/* Open a context as the options say; on failure prints why. default_threads: where --threads is not given. */
gecc_context *context_open(const struct options *options, unsigned default_threads);
/* One on the CPU with that machine (GECC_CPU), NULL: its own choice. It has to be the first context, while the program
 * has no other threads. */
gecc_context *cpu_context_open(const char *machine);

/* The CPU's code, by the names that GECC_CPU knows, fastest first; NULL at the end. */
extern const char *const cpu_codes[];
/* Can it run here? The library's words on its CPU backend with GECC_CPU=code go to info. While the program has no other
 * threads. */
void cpu_code_probe(const char *code, gecc_backend_info *info);

/* Rows of a call where --batch is not given. */
size_t batch_default(const gecc_context *context);

#endif
