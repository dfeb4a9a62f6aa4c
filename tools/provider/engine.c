#include "engine.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <openssl/async.h>

#include <gecc/queue.h>

static const char *const names[ENGINE_OPERATIONS] = {
#define ENGINE_X(name, operation) operation,
    ENGINE_OPERATION_LIST(ENGINE_X)
#undef ENGINE_X
};

static pthread_mutex_t engine_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned users;
    unsigned threads;
    const gecc_operation *operations[ENGINE_OPERATIONS];
    gecc_context *context; /* a forked child goes on using it: calls of one row need no thread of it */
    gecc_context *queue_context;
    gecc_queue *queue; /* for paused jobs, made by the first of a process: it has threads, which a child lacks */
    pid_t queue_process;
} engine;

static int library_error(const char *call, gecc_result result) {
    const char *text = gecc_error_text();
    return REFUSE(ERR_R_OPERATION_FAIL, "%s: %s", call, *text != '\0' ? text : gecc_result_text(result));
}

static int engine_start(unsigned threads) {
    for (int i = 0; i < ENGINE_OPERATIONS; i++)
        if ((engine.operations[i] = gecc_operation_find(names[i])) == NULL)
            return REFUSE(PROV_R_ALGORITHM_MISMATCH, "the library (%s) lacks the operation %s", gecc_version(),
                          names[i]);
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = "cpu";
    config.threads = 1;
    gecc_result result = gecc_open(&engine.context, &config);
    if (result != GECC_OK)
        return library_error("the library cannot be opened", result);
    engine.threads = threads;
    return 1;
}

int engine_open(unsigned threads) {
    pthread_mutex_lock(&engine_lock);
    int opened = engine.users != 0 || engine_start(threads);
    engine.users += (unsigned)opened;
    pthread_mutex_unlock(&engine_lock);
    return opened;
}

void engine_close(void) {
    pthread_mutex_lock(&engine_lock);
    if (--engine.users == 0) {
        gecc_queue_close(engine.queue);
        engine.queue = NULL;
        gecc_close(engine.queue_context);
        engine.queue_context = NULL;
        gecc_close(engine.context);
        engine.context = NULL;
    }
    pthread_mutex_unlock(&engine_lock);
}

/* The queue of this process. A child's takes the place of its parent's, of which the memory alone is left. */
static gecc_queue *queue_of_process(void) {
    pthread_mutex_lock(&engine_lock);
    if (engine.queue == NULL || engine.queue_process != getpid()) {
        gecc_config config = GECC_CONFIG_INIT;
        config.backend = "cpu";
        config.threads = engine.threads;
        gecc_context *context = NULL;
        gecc_queue *queue = NULL;
        gecc_result result = gecc_open(&context, &config);
        if (result == GECC_OK)
            result = gecc_queue_open(context, &queue, NULL);
        if (result != GECC_OK) {
            (void)library_error("a queue cannot be opened", result);
            gecc_close(context);
        } else {
            engine.queue_context = context;
            engine.queue_process = getpid();
        }
        engine.queue = queue;
    }
    gecc_queue *queue = engine.queue;
    pthread_mutex_unlock(&engine_lock);
    return queue;
}

/* A row of a paused job. Whether it is done, the eventfd alone says: the job, which may be resumed early, ends only when
 * it has read what the queue's thread writes last. */
struct paused {
    int event;
    gecc_result result;
};

static void paused_done(void *argument, gecc_result result) {
    struct paused *paused = argument;
    const uint64_t one = 1;
    paused->result = result;
    while (write(paused->event, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

static void event_close(ASYNC_WAIT_CTX *wait, const void *key, OSSL_ASYNC_FD event, void *unused) {
    (void)wait;
    (void)key;
    (void)unused;
    (void)close(event);
}

/* The eventfd that the job's owner waits for: one for each wait context, made by its first job. -1: there is none. */
static int event_of(ASYNC_JOB *job) {
    static const char key;
    ASYNC_WAIT_CTX *wait = ASYNC_get_wait_ctx(job);
    OSSL_ASYNC_FD event = -1;
    void *unused = NULL;
    if (ASYNC_WAIT_CTX_get_fd(wait, &key, &event, &unused))
        return event;
    event = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (event >= 0 && !ASYNC_WAIT_CTX_set_wait_fd(wait, &key, event, NULL, event_close)) {
        (void)close(event);
        event = -1;
    }
    return event;
}

/* The job's owner may resume it before the row is done, and where jobs may not be paused (ASYNC_block_pause) pausing
 * returns at once: between two tries it waits for a millisecond. */
static void pause_until_done(const struct paused *paused) {
    uint64_t count = 0;
    struct pollfd event = {.fd = paused->event, .events = POLLIN};
    (void)ASYNC_pause_job();
    while (read(paused->event, &count, sizeof count) != sizeof count) {
        if (poll(&event, 1, 1) == 0)
            (void)ASYNC_pause_job();
    }
}

static gecc_result run_paused(ASYNC_JOB *job, const gecc_operation *operation, const gecc_parameters *parameters,
                              const gecc_out *outputs, gecc_out status, const gecc_rows *inputs,
                              const gecc_options *options) {
    gecc_queue *queue = queue_of_process();
    struct paused paused = {.event = event_of(job), .result = GECC_PENDING};
    if (queue == NULL || paused.event < 0)
        return GECC_ERROR_THREAD;
    gecc_result result;
    while ((result = gecc_queue_submit(queue, operation, parameters, outputs, status, inputs, 1, options, paused_done,
                                       &paused, NULL)) == GECC_ERROR_BUSY)
        if (!ASYNC_pause_job())
            return result;
    if (result != GECC_OK)
        return result;
    pause_until_done(&paused);
    return paused.result;
}

gecc_item engine_run(enum engine_operation operation, gecc_curve curve, const gecc_out *outputs,
                     const gecc_rows *inputs, const gecc_options *options) {
    const gecc_operation *run = engine.operations[operation];
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.curve = curve;
    uint8_t item = GECC_ITEM_NOT_PROCESSED;
    gecc_out status = gecc_out_packed(&item, 1);
    ASYNC_JOB *job = ASYNC_get_current_job();
    gecc_result result = job == NULL ? gecc_run(engine.context, run, &parameters, outputs, status, inputs, 1, options)
                                     : run_paused(job, run, &parameters, outputs, status, inputs, options);
    if (result != GECC_OK) {
        (void)library_error(names[operation], result);
        return GECC_ITEM_NOT_PROCESSED;
    }
    return (gecc_item)item;
}
