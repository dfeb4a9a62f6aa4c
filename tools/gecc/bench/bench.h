/* The command that measures. */
#ifndef TOOL_BENCH_H
#define TOOL_BENCH_H

#include "command_line/command.h"

extern const struct command command_bench;

#endif
