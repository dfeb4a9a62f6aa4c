/* The checks of arguments, which all functions share that take rows. The first argument that is wrong decides the
 * call's result, and the thread's text names it; checks after that do nothing. */
#ifndef GECC_API_ARGUMENTS_H
#define GECC_API_ARGUMENTS_H

#include "api/error.h"
#include "api/widths.h"
#include "scheme/operation.h"

/* A call on its way: the arguments of gecc_run, checked. */
struct call {
    gecc_context *context;
    gecc_options options;
    gecc_result result; /* GECC_OK, or why the call cannot run */
    bool is_question;   /* what a call would be like: there need be no keys */
    struct job job;
};

/* An argument is wrong, as the words say. */
#define refuse(call, ...)                                                                                              \
    do {                                                                                                               \
        if ((call)->result == GECC_OK)                                                                                 \
            (call)->result = gecc_error(GECC_ERROR_ARGUMENT, __VA_ARGS__);                                             \
    } while (0)

/* More rows have more offsets than memory holds. */
#define ROWS_MOST ((size_t)PTRDIFF_MAX / sizeof(uint64_t))

/* The flags that say how rows are written. Where such a flag means nothing it is ignored; any other flag is refused
 * there. */
enum { FORMAT_FLAGS = GECC_DER | GECC_LITTLE_ENDIAN | GECC_SIGHASH_BYTE };

/* Is the address in memory that only the context's backend can read? */
bool gecc_on_device(const gecc_context *context, const void *address);

/* Begin a call of `count` rows, which is at most `most`: take its statuses, and have those that the host can reach read
 * NOT_PROCESSED, whatever else is wrong with the call. Where count or the statuses' own layout is wrong none is
 * touched. */
void gecc_take_status(struct call *call, gecc_context *context, gecc_out status, size_t count, size_t most);

/* A struct of the caller's whose first field is its size, over *own, which holds the defaults; NULL: these. */
void gecc_take_struct(struct call *call, const char *name, void *own, size_t own_bytes, size_t least, const void *given,
                      size_t size);
void gecc_take_report(struct call *call, const gecc_report *report);
/* The flags are among `meant`, which mean something to the operation named, and `ignored`. */
void gecc_take_flags(struct call *call, const char *operation, uint32_t flags, uint32_t meant, uint32_t ignored);

/* Columns of `count` rows. Returns the rows, whose data is not NULL. */
gecc_rows gecc_take_rows(struct call *call, const gecc_column *column, const gecc_widths *widths, gecc_rows rows,
                         size_t count);
void gecc_take_out(struct call *call, const gecc_column *column, const gecc_widths *widths, gecc_out out, size_t count);

/* The memory has to be the host's. */
void gecc_take_from_host(struct call *call, const char *name, const void *address);
void gecc_take_rows_from_host(struct call *call, const char *name, const gecc_rows *rows);

#endif
