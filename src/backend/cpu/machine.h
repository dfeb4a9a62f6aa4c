/* The lane programs over chunks of rows that a CPU machine, portable or of vectors, offers to the thread pool.
 *
 * One translation unit per machine and curve (or width of modulus) defines one `struct program_set`. */
#ifndef GECC_BACKEND_CPU_MACHINE_H
#define GECC_BACKEND_CPU_MACHINE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "batch/arena.h"
#include "batch/base_tables.h"
#include "scheme/job.h"

/* Run the operation on rows first .. first + count - 1 of the job; count <= chunk. tables: a struct base_tables, NULL
 * where the set has none. Writes the rows' outputs and, last,
 * their statuses. Returns GECC_OK, or GECC_ERROR_FAULT if a row failed its check (it then reads
 * GECC_ITEM_NOT_PROCESSED). */
typedef gecc_result lane_program(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                 size_t count);

/* Tables of multiples of G: for secret scalars; for public ones, with narrow windows for few rows and wide ones for
 * many; and for public ones in sums with tables of keys, where the public one has not all windows. */
enum base_table { BASE_SECRET, BASE_PUBLIC_FEW, BASE_PUBLIC_MANY, BASE_KEYS, BASE_TABLES };

/* Those of a program set, which all contexts of a process share: zero at first, and then for backend/cpu/tables.c
 * alone. */
struct shared_tables {
    _Atomic(void *) table[BASE_TABLES];
    atomic_size_t rows; /* with public scalars that were asked for */
    _Atomic(int) maker; /* the process that makes BASE_PUBLIC_MANY; 0: none */
    atomic_bool listed; /* is `next` in use? */
    struct shared_tables *next;
};

struct program_set {
    size_t chunk;                 /* the most rows of one call of a program */
    size_t lanes;                 /* rows that are computed at once: chunks are cut at multiples of it */
    size_t arena_bytes;           /* enough for any program on a chunk, and as the scratch of table_make */
    struct shared_tables *shared; /* NULL: no program multiplies G, and the four below are not set */
    size_t table_bytes[BASE_TABLES];
    unsigned public_width[BASE_TABLES], public_windows[BASE_TABLES]; /* as in struct base_tables; 0 for BASE_SECRET */
    /* Fill a table: 64-byte aligned, table_bytes[which]. few: BASE_PUBLIC_FEW, which may be NULL; where it is there and
     * has the windows of BASE_SECRET, that is taken from it. */
    void (*table_make)(enum base_table which, void *table, const void *few, const struct arena *arena);
    size_t key_entry_bytes; /* of an entry of tables of keys; 0: there are none, nor the passes that make them */
    lane_program *key_pass[KEY_PASSES]; /* without tables; see batch/key_tables.h */
    size_t sum_terms;       /* of the rows of one call of a program whose rows are groups of terms; 0: there is none */
    size_t sum_arena_bytes; /* enough for such a program */
    lane_program *run[OPERATION_COUNT]; /* NULL: not offered */
};

/* The machines: NULL where the library was built without one or this processor cannot run it. */
struct cpu_machine {
    const char *name; /* "portable-c", "portable-adx", "portable-aarch64", "ifma", "ifma-256", "avx512" */
    int (*supported)(void);
    const struct program_set *(*curve)(gecc_curve curve);
    const struct program_set *(*modulus)(size_t bytes);
    const struct program_set *(*hash)(void);
};

extern const struct cpu_machine gecc_cpu_portable_c;       /* any processor */
extern const struct cpu_machine gecc_cpu_ifma;             /* x86-64 with AVX-512 IFMA, if GECC_HAVE_IFMA */
extern const struct cpu_machine gecc_cpu_ifma256;          /* x86-64 with AVX-IFMA, if GECC_HAVE_IFMA256 */
extern const struct cpu_machine gecc_cpu_avx512;           /* x86-64 with AVX-512, if GECC_HAVE_AVX512 */
extern const struct cpu_machine gecc_cpu_portable_adx;     /* x86-64 with BMI2 and ADX, if GECC_HAVE_ADX */
extern const struct cpu_machine gecc_cpu_portable_aarch64; /* 64-bit ARM, if GECC_HAVE_AARCH64 */

#endif
