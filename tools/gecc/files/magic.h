/* What a file is that holds no rows as they are read here, told by its first bytes or its name. */
#ifndef TOOL_MAGIC_H
#define TOOL_MAGIC_H

#include "text/names.h"

#include <stdbool.h>
#include <stddef.h>

/* Why an input with nothing in it is refused. */
#define EMPTY_INPUT "it is empty; if it may be, say --allow-empty"

enum { MAGIC_BYTES = 8 /* enough to tell */ };

/* What it is and how to use it; NULL: it may be text. */
const char *magic_refusal(const char *text, size_t size);

/* What a file is to be by its name, which is not read here or, if it is written, not written; NULL: it may be text. */
const char *name_refusal(const char *name, bool written);

/* Why --output-format or the name in -o FILE is refused. */
#define ONLY_RAW_OF_RAW                                                                                                \
    "raw rows, which --output-format or the name in -o FILE asks for, are written of raw rows alone (--format raw)"
#define NOT_RAW_OUTPUT "--output-format, or what the name in -o FILE says: csv or jsonl, not raw rows (.raw, .bin)"

/* The format that a file's name tells; FORMAT_UNKNOWN: it does not. */
enum format format_of_name(const char *name);

/* The bytes of a byte-order mark of UTF-8 at its start: 3 or 0. */
size_t byte_order_mark(const char *text, size_t size);

#endif
