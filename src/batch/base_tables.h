/* Tables of multiples of G, as the CPU's lane programs are given them. What is in them: batch/tables.h. */
#ifndef GECC_BATCH_BASE_TABLES_H
#define GECC_BATCH_BASE_TABLES_H

struct base_tables {
    const void *secret;      /* for secret scalars; NULL if the program multiplies G by none */
    const void *public_rows; /* for public scalars; NULL likewise */
    unsigned public_width;   /* bits of a window of public_rows, */
    unsigned public_windows; /* and how many windows a scalar has */
};

#endif
