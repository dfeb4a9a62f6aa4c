/* Input that gzip or zstd compressed. Their libraries, which are loaded when such an input is met and not before,
 * decompress it in a thread of its own, into a pipe. What passes through is wiped here; what the libraries and the
 * system keep of it on the way is not. */
#ifndef TOOL_DECOMPRESS_H
#define TOOL_DECOMPRESS_H

#include <stddef.h>

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD };

/* What the first bytes of a file say, eight if it has so many. */
enum compression compression_of_text(const char *text, size_t size);
/* What the end of a file's name says; *length becomes that of the name without it: rows.csv of rows.csv.gz. */
enum compression compression_of_name(const char *name, size_t *length);

struct decompression;

/* What text[0 .. size) and then *descriptor hold is read decompressed from what *descriptor becomes. The caller keeps
 * the old one open until decompression_end. NULL: *reason says why not. */
struct decompression *decompression_begin(enum compression compression, int *descriptor, const char *text, size_t size,
                                          const char **reason);

/* After all was read: NULL, or why the input is broken. It lasts until decompression_end. */
const char *decompression_failure(struct decompression *decompression);

/* Close the pipe, whatever is left in it. NULL: there is nothing to end. */
void decompression_end(struct decompression *decompression);

#endif
