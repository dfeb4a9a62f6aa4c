/* What a CPU machine (portable, IFMA) offers to the thread pool: lane programs over chunks of rows.
 *
 * One translation unit per machine and curve (or width of modulus) defines one `struct program_set`. */
#ifndef GECC_BACKEND_CPU_MACHINE_H
#define GECC_BACKEND_CPU_MACHINE_H

#include "batch/arena.h"
#include "scheme/job.h"

/* Run the operation on rows first .. first + count - 1 of the job; count <= chunk. Writes the rows' outputs and, last,
 * their statuses. Returns GECC_OK, or GECC_ERROR_DEVICE if a signature failed its check (its row then reads
 * GECC_ITEM_NOT_PROCESSED). */
typedef gecc_result lane_program(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                 size_t count);

struct program_set {
    size_t chunk;        /* the most rows of one call of a program */
    size_t lanes;        /* rows that are computed at once: chunks are cut at multiples of it */
    size_t arena_bytes;  /* enough for any program on a chunk */
    size_t tables_bytes; /* 0: no tables */
    /* Fill tables (64-byte aligned, tables_bytes) with multiples of G; arena is a scratch of arena_bytes. */
    void (*tables_build)(void *tables, struct arena *arena);
    lane_program *run[OPERATION_COUNT]; /* NULL: not offered */
};

/* The machines: NULL where the library was built without one or this processor cannot run it. */
struct cpu_machine {
    const char *name; /* "portable-c", "portable-adx", "ifma" */
    int (*supported)(void);
    const struct program_set *(*curve)(gecc_curve curve);
    const struct program_set *(*modulus)(size_t bytes);
    const struct program_set *(*hash)(void);
};

extern const struct cpu_machine gecc_cpu_portable_c;   /* any processor */
extern const struct cpu_machine gecc_cpu_ifma;         /* x86-64 with AVX-512 IFMA, if GECC_HAVE_IFMA */
extern const struct cpu_machine gecc_cpu_portable_adx; /* x86-64 with BMI2 and ADX, if GECC_HAVE_ADX */

#endif
