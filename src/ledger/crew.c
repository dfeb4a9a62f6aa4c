#include "ledger/crew.h"

#include "backend/threads.h"

static void take_blocks(struct crew *crew) {
    for (;;) {
        size_t first = atomic_fetch_add(&crew->next, CREW_BLOCK);
        if (first >= crew->count)
            return;
        size_t end = crew->count - first < CREW_BLOCK ? crew->count : first + CREW_BLOCK;
        crew->work(crew->argument, first, end);
    }
}

static void *crew_main(void *argument) {
    struct crew *crew = argument;
    unsigned long round = 0;
    pthread_mutex_lock(&crew->mutex);
    for (;;) {
        while (crew->round == round && !crew->closing)
            pthread_cond_wait(&crew->begun, &crew->mutex);
        if (crew->closing)
            break;
        round = crew->round;
        pthread_mutex_unlock(&crew->mutex);
        take_blocks(crew);
        pthread_mutex_lock(&crew->mutex);
        if (--crew->busy == 0)
            pthread_cond_signal(&crew->ended);
    }
    pthread_mutex_unlock(&crew->mutex);
    return NULL;
}

void crew_open(struct crew *crew, unsigned wanted) {
    *crew = (struct crew){.threads = 0};
    pthread_mutex_init(&crew->mutex, NULL);
    pthread_cond_init(&crew->begun, NULL);
    pthread_cond_init(&crew->ended, NULL);
    while (crew->threads + 1 < wanted && crew->threads < CREW_MOST &&
           thread_start(&crew->thread[crew->threads], crew_main, crew) == 0)
        crew->threads++;
}

void crew_run(struct crew *crew, crew_work *work, void *argument, size_t count) {
    pthread_mutex_lock(&crew->mutex);
    crew->work = work;
    crew->argument = argument;
    crew->count = count;
    atomic_store(&crew->next, 0);
    crew->busy = crew->threads;
    crew->round++;
    pthread_cond_broadcast(&crew->begun);
    pthread_mutex_unlock(&crew->mutex);
    take_blocks(crew);
    pthread_mutex_lock(&crew->mutex);
    while (crew->busy != 0)
        pthread_cond_wait(&crew->ended, &crew->mutex);
    pthread_mutex_unlock(&crew->mutex);
}

void crew_close(struct crew *crew) {
    pthread_mutex_lock(&crew->mutex);
    crew->closing = true;
    pthread_cond_broadcast(&crew->begun);
    pthread_mutex_unlock(&crew->mutex);
    for (unsigned i = 0; i < crew->threads; i++)
        pthread_join(crew->thread[i], NULL);
    pthread_cond_destroy(&crew->begun);
    pthread_cond_destroy(&crew->ended);
    pthread_mutex_destroy(&crew->mutex);
}
