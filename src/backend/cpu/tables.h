/* Tables of multiples of G. The contexts of a process share them: they hold nothing secret and depend on nothing but
 * the program set. Each is made when a job first needs it, the large one once the rows asked for pay for it, and all
 * are freed with the process's last context. Nobody waits for another thread's table, so that a forked child can make
 * its own. */
#ifndef GECC_BACKEND_CPU_TABLES_H
#define GECC_BACKEND_CPU_TABLES_H

#include "backend/cpu/machine.h"

/* Rows with public scalars, counted over all calls, for which the large table is made: each saves some 20 additions of
 * points where the table takes 80,000, and other threads go on with the small one meanwhile. */
enum { TABLES_LARGE_ROWS = 1024 };

/* A context opens, and closes. */
void gecc_tables_acquire(void);
void gecc_tables_release(void);

/* `count` rows are asked for; uses: job_base_uses(job). */
void gecc_tables_count(const struct program_set *set, unsigned uses, size_t count);

/* *found = the tables that a job needs, members that it does not use NULL; they live as long as a context is open.
 * arena: scratch of at least set->arena_bytes. GECC_OK or GECC_ERROR_MEMORY. */
gecc_result gecc_tables_find(struct base_tables *found, const struct program_set *set, unsigned uses,
                             struct arena *arena);

#endif
