#include "engine.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <openssl/async.h>

#include <gecc/queue.h>

/* Of one row, on every curve: points, secrets, signatures in DER or raw. */
#define OUTPUT_BYTES_MOST (2 * GECC_CURVE_BYTES_MOST + 16)
#define OUTPUTS_MOST 2

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

/* A child has the locks of its parent as they are, but none of the threads that held the locks. */
static void lock(void) { pthread_mutex_lock(&engine_lock); }
static void unlock(void) { pthread_mutex_unlock(&engine_lock); }
static void survive_fork(void) { (void)pthread_atfork(lock, unlock, unlock); }

static int engine_start(unsigned threads) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
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
    /* After the library, whose locks are taken with this one held: fork takes the last one first. */
    pthread_once(&once, survive_fork);
    engine.threads = threads;
    return 1;
}

int engine_open(unsigned threads) {
    lock();
    int opened = engine.users != 0 || engine_start(threads);
    engine.users += (unsigned)opened;
    unlock();
    return opened;
}

void engine_close(void) {
    lock();
    if (--engine.users == 0) {
        gecc_queue_close(engine.queue);
        engine.queue = NULL;
        gecc_close(engine.queue_context);
        engine.queue_context = NULL;
        gecc_close(engine.context);
        engine.context = NULL;
    }
    unlock();
}

/* The queue of this process. A child's takes the place of its parent's, of which the memory alone is left. */
static gecc_queue *queue_of_process(void) {
    lock();
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
    unlock();
    return queue;
}

/* The eventfd that the owner of jobs waits for: one for each wait context, made by its first job. Rows that are under
 * way hold it too, so that its descriptor is nobody else's when the queue's thread writes to it. */
struct event {
    atomic_uint references;
    int descriptor;
    struct paused *row; /* of the job that is paused; NULL: none is */
};

/* A row of a paused job, held by the job and by the queue: the job's owner may give it up, and free all that the job
 * was given, while the queue has the row. */
struct paused {
    atomic_uint references;
    struct event *event;
    gecc_result result;
    atomic_bool done; /* result, status and outputs are there */
    uint8_t status;
    uint32_t widths[OUTPUTS_MOST];
    uint8_t outputs[OUTPUTS_MOST][OUTPUT_BYTES_MOST]; /* may be secret */
};

static void event_free(struct event *event) {
    if (atomic_fetch_sub(&event->references, 1) != 1)
        return;
    (void)close(event->descriptor);
    OPENSSL_free(event);
}

static void paused_free(struct paused *paused) {
    if (atomic_fetch_sub(&paused->references, 1) != 1)
        return;
    event_free(paused->event);
    OPENSSL_clear_free(paused, sizeof *paused);
}

static void event_write(const struct event *event) {
    const uint64_t one = 1;
    while (write(event->descriptor, &one, sizeof one) < 0 && errno == EINTR)
        ;
}

/* In this order: the owner that the event wakes finds the row done. */
static void paused_done(void *argument, gecc_result result) {
    struct paused *paused = argument;
    paused->result = result;
    atomic_store(&paused->done, true);
    event_write(paused->event);
    paused_free(paused);
}

/* The wait context is freed. A job that it leaves paused is never resumed, so its row is the queue's alone. */
static void event_close(ASYNC_WAIT_CTX *wait, const void *key, OSSL_ASYNC_FD descriptor, void *data) {
    struct event *event = data;
    (void)wait;
    (void)key;
    (void)descriptor;
    if (event->row != NULL)
        paused_free(event->row);
    event_free(event);
}

/* NULL, and an error is raised: there is none. */
static struct event *event_of(ASYNC_WAIT_CTX *wait) {
    static const char key;
    OSSL_ASYNC_FD descriptor = -1;
    void *data = NULL;
    if (wait == NULL) { /* and on the stack of a job there is no room to compute the row at once */
        (void)REFUSE(ERR_R_PASSED_NULL_PARAMETER, "a job without a wait context cannot be paused");
        return NULL;
    }
    if (ASYNC_WAIT_CTX_get_fd(wait, &key, &descriptor, &data))
        return data;
    struct event *event = OPENSSL_zalloc(sizeof *event);
    if (event == NULL)
        return NULL;
    atomic_init(&event->references, 1);
    event->descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    if (event->descriptor < 0) {
        (void)REFUSE(ERR_R_SYS_LIB, "no eventfd for a paused job: %s", strerror(errno));
        OPENSSL_free(event);
        return NULL;
    }
    if (ASYNC_WAIT_CTX_set_wait_fd(wait, &key, event->descriptor, event, event_close))
        return event;
    event_free(event);
    return NULL;
}

static struct paused *paused_new(struct event *event) {
    struct paused *paused = OPENSSL_zalloc(sizeof *paused);
    if (paused == NULL)
        return NULL;
    atomic_init(&paused->references, 1);
    atomic_init(&paused->done, false);
    atomic_fetch_add(&event->references, 1);
    paused->event = event;
    paused->status = GECC_ITEM_NOT_PROCESSED;
    event->row = paused;
    return paused;
}

/* The job is over, so that the row is nothing to the wait context any more. */
static void paused_end(struct paused *paused) {
    paused->event->row = NULL;
    paused_free(paused);
}

/* The job's owner may resume it before the row is done, and where jobs may not be paused (ASYNC_block_pause) pausing
 * returns at once: between two tries it waits for a millisecond. */
static void pause_until_done(const struct paused *paused) {
    uint64_t count = 0;
    struct pollfd event = {.fd = paused->event->descriptor, .events = POLLIN};
    (void)ASYNC_pause_job();
    while ((void)!read(event.fd, &count, sizeof count), !atomic_load(&paused->done)) {
        if (poll(&event, 1, 1) == 0)
            (void)ASYNC_pause_job();
    }
}

/* Nothing tells when a full queue has room: the job's owner finds the event ready at once, and the job tries again,
 * after the same millisecond. 0: it cannot be paused. */
static int pause_until_room(const struct event *event) {
    uint64_t count = 0;
    event_write(event);
    int paused = ASYNC_pause_job();
    (void)poll(NULL, 0, 1);
    (void)!read(event->descriptor, &count, sizeof count);
    return paused;
}

static size_t output_bytes(const gecc_out *output) {
    return output->stride < OUTPUT_BYTES_MOST ? output->stride : OUTPUT_BYTES_MOST;
}

/* outputs[i] -> the row's own. */
static gecc_out paused_output(struct paused *paused, const gecc_out *outputs, size_t i) {
    gecc_out own = outputs[i];
    if (own.data == NULL)
        return own;
    own.data = paused->outputs[i];
    own.stride = output_bytes(&outputs[i]);
    own.widths = own.widths != NULL ? &paused->widths[i] : NULL;
    return own;
}

static void paused_give(const struct paused *paused, const gecc_out *outputs, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (outputs[i].data == NULL)
            continue;
        memcpy(outputs[i].data, paused->outputs[i], output_bytes(&outputs[i]));
        if (outputs[i].widths != NULL)
            *outputs[i].widths = paused->widths[i];
    }
}

static gecc_result run_paused(ASYNC_JOB *job, const gecc_operation *operation, const gecc_parameters *parameters,
                              const gecc_out *outputs, uint8_t *status, const gecc_rows *inputs,
                              const gecc_options *options) {
    gecc_queue *queue = queue_of_process();
    struct event *event = event_of(ASYNC_get_wait_ctx(job));
    if (queue == NULL || event == NULL)
        return GECC_ERROR_THREAD;
    struct paused *paused = paused_new(event);
    if (paused == NULL)
        return GECC_ERROR_MEMORY;
    gecc_out own[OUTPUTS_MOST];
    size_t count = 0;
    for (; outputs != NULL && gecc_operation_output(operation, count) != NULL; count++)
        own[count] = paused_output(paused, outputs, count);
    gecc_result result;
    atomic_fetch_add(&paused->references, 1); /* the queue's */
    while ((result = gecc_queue_submit(queue, operation, parameters, count != 0 ? own : NULL,
                                       gecc_out_packed(&paused->status, 1), inputs, 1, options, paused_done, paused,
                                       NULL)) == GECC_ERROR_BUSY)
        if (!pause_until_room(event))
            break;
    if (result == GECC_OK) {
        pause_until_done(paused);
        result = paused->result;
        *status = paused->status;
        paused_give(paused, outputs, count);
    } else {
        paused_free(paused);
    }
    paused_end(paused);
    return result;
}

gecc_item engine_run(enum engine_operation operation, gecc_curve curve, const gecc_out *outputs,
                     const gecc_rows *inputs, const gecc_options *options) {
    const gecc_operation *run = engine.operations[operation];
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.curve = curve;
    uint8_t item = GECC_ITEM_NOT_PROCESSED;
    ASYNC_JOB *job = ASYNC_get_current_job();
    gecc_result result =
        job == NULL ? gecc_run(engine.context, run, &parameters, outputs, gecc_out_packed(&item, 1), inputs, 1, options)
                    : run_paused(job, run, &parameters, outputs, &item, inputs, options);
    if (result != GECC_OK) {
        (void)library_error(names[operation], result);
        return GECC_ITEM_NOT_PROCESSED;
    }
    return (gecc_item)item;
}
