/* A file or standard input as a stream, decompressed if its first bytes say that it is compressed. */
#ifndef TOOL_INPUT_FILE_H
#define TOOL_INPUT_FILE_H

#include "files/decompress.h"
#include "files/magic.h"

#include <stdio.h>

struct input_file {
    int input;                           /* what was opened */
    int descriptor;                      /* what is read: the input, or what it decompresses to */
    struct decompression *decompression; /* NULL: it is not compressed */
    char start[MAGIC_BYTES];             /* what was read to tell, */
    size_t used, given;                  /* and how much of it was given on */
    const char *failure;                 /* why reading failed */
};

/* path NULL or "-": standard input. The stream keeps *file, which must not move, until fclose. NULL: file->failure. */
FILE *input_file_open(struct input_file *file, const char *path);

#endif
