/* Input that gzip or zstd compressed. Their libraries are loaded when such an input is met and not before. Bytes that
 * pass through are wiped here; those that the libraries and the system keep on the way are not. */
#ifndef TOOL_DECOMPRESS_H
#define TOOL_DECOMPRESS_H

#include <stddef.h>
#include <sys/types.h>

enum compression { COMPRESSION_NONE, COMPRESSION_GZIP, COMPRESSION_ZSTD };

/* What the first bytes of a file say, eight if it has so many. */
enum compression compression_of_text(const char *text, size_t size);
/* What the end of a file's name says; *length becomes that of the name without it: rows.csv of rows.csv.gz. */
enum compression compression_of_name(const char *name, size_t *length);

struct decompression;

/* Text[0 .. size) and then the bytes of an input are to be decompressed. NULL: *reason says why not. */
struct decompression *decompression_begin(enum compression compression, const char *text, size_t size,
                                          const char **reason);

/* As read and as poll of one descriptor for input, of its bytes as they are (NULL) or decompressed. input_read may
 * return -1 with errno EAGAIN, as it waits for nothing but the input's next bytes; where it returns 0,
 * decompression_failure has to be looked at. */
ssize_t input_read(int descriptor, struct decompression *decompression, void *out, size_t size);
int input_wait(int descriptor, const struct decompression *decompression, int milliseconds);

/* NULL, or why the input is broken. It lasts until decompression_end. */
const char *decompression_failure(const struct decompression *decompression);

/* NULL: there is nothing to end. */
void decompression_end(struct decompression *decompression);

#endif
