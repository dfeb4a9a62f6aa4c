/* What people see on standard error: a bar while rows run, a summary when they are done. */
#ifndef TOOL_PROGRESS_H
#define TOOL_PROGRESS_H

#include "rows/writer.h"

/* Seconds of a clock that only goes forward. */
double seconds_now(void);

struct progress {
    bool bar;   /* there is a terminal that wants one */
    bool asked; /* for a backend, by --backend */
    double start, shown;
    double call_seconds; /* that calls of the library took */
    gecc_report report;
};

void progress_init(struct progress *progress, const struct options *options);
/* After a batch was written; bytes_total: of the input (0: not known). */
void progress_update(struct progress *progress, const struct batch *batch, const struct writer *writer,
                     uint64_t bytes_total);
/* The bar, if there is one and it was not shown just now. */
void progress_show(struct progress *progress, uint64_t rows, uint64_t bytes_read, uint64_t bytes_total);
void progress_clear(const struct progress *progress);
void progress_summary(const struct progress *progress, const struct command *command, const struct writer *writer);

#endif
