/* Threads that read rows for one call: what they have in common with those of the CPU backend is that there are as
 * many. */
#ifndef GECC_LEDGER_CREW_H
#define GECC_LEDGER_CREW_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

enum { CREW_MOST = 64, CREW_BLOCK = 256 };

/* Rows first .. end - 1 of what the argument says. */
typedef void crew_work(void *argument, size_t first, size_t end);

struct crew {
    pthread_mutex_t mutex;
    pthread_cond_t begun, ended;
    pthread_t thread[CREW_MOST];
    unsigned threads, busy;
    unsigned long round;
    bool closing;
    crew_work *work;
    void *argument;
    size_t count;
    atomic_size_t next;
};

/* Start the threads, one fewer than `wanted`, as the caller works too; fewer where they cannot be had. */
void crew_open(struct crew *crew, unsigned wanted);
/* Do all rows, in blocks that the threads take in turn; returns when they are done. */
void crew_run(struct crew *crew, crew_work *work, void *argument, size_t count);
void crew_close(struct crew *crew);

#endif
