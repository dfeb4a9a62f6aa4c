/* Streams: queues of work that is done in order; and events. */
#include "fake_cuda/state.h"

static void run_until(CUstream stream, CUevent event, unsigned long generation);

static void work_run(const struct work *work) {
    switch (work->kind) {
    case WORK_COPY:
        memcpy(work->to, work->from, work->bytes);
        break;
    case WORK_SET:
        memset(work->to, work->byte, work->bytes);
        break;
    case WORK_COPY_ROWS:
        for (size_t i = 0; i < work->bytes; i++)
            work->to[i * work->to_pitch] = work->from[i * work->from_pitch];
        break;
    case WORK_SET_ROWS:
        for (size_t i = 0; i < work->bytes; i++)
            work->to[i * work->to_pitch] = work->byte;
        break;
    case WORK_KERNEL:
        fake.acting = work->function->module->owner;
        kernel_run(work);
        fake.context[fake.acting].nanoseconds += work->launch.count * fake.settings.row_nanoseconds[fake.acting];
        fake.milliseconds++;
        break;
    case WORK_RECORD:
        work->event->reached = work->generation;
        work->event->milliseconds = fake.milliseconds;
        break;
    case WORK_WAIT:
        run_until(work->event->stream, work->event, work->generation);
        break;
    }
}

static void run_first(CUstream stream) {
    struct work *work = stream->first;
    work_run(work);
    stream->first = work->next;
    if (stream->first == NULL)
        stream->last = &stream->first;
    free(work);
}

/* Until the event is reached, for NULL until nothing is left. */
static void run_until(CUstream stream, CUevent event, unsigned long generation) {
    while (stream->first != NULL && (event == NULL || event->reached < generation))
        run_first(stream);
}

/* In other streams, what comes before their next kernel: that is done while a kernel runs. */
static void run_meanwhile(CUstream busy) {
    for (CUstream stream = fake.streams; stream != NULL; stream = stream->next)
        while (stream != busy && stream->first != NULL && stream->first->kind != WORK_KERNEL &&
               stream->first->kind != WORK_WAIT)
            run_first(stream);
}

void stream_run(CUstream stream) {
    if (stream->first == NULL)
        return;
    memory_reach(true);
    run_meanwhile(stream);
    run_until(stream, NULL, 0);
    memory_reach(false);
}

void streams_run(void) {
    for (CUstream stream = fake.streams; stream != NULL; stream = stream->next)
        stream_run(stream);
}

CUstream stream_of(CUstream stream) {
    stream = stream == NULL ? &fake.default_stream[fake.acting] : stream;
    REQUIRE(stream->owner == fake.acting);
    return stream;
}

struct work *work_queue(CUstream stream, enum work_kind kind) {
    struct work *work = calloc(1, sizeof *work);
    REQUIRE(work != NULL);
    work->kind = kind;
    *stream->last = work;
    stream->last = &work->next;
    return work;
}

void work_queued(CUstream stream) {
    if (!fake.settings.lazy)
        stream_run(stream);
}

void stream_clear(CUstream stream) {
    while (stream->first != NULL) {
        struct work *work = stream->first;
        stream->first = work->next;
        free(work);
    }
    stream->last = &stream->first;
}

static void stream_unlink(CUstream stream) {
    CUstream *at = &fake.streams;
    while (*at != stream)
        at = &(*at)->next;
    *at = stream->next;
}

static CUresult copy(void *to, const void *from, size_t bytes, CUstream stream) {
    stream = stream_of(stream);
    struct work *work = work_queue(stream, WORK_COPY);
    work->to = to;
    work->from = from;
    work->bytes = bytes;
    work_queued(stream);
    return CUDA_SUCCESS;
}

CUresult fake_send(CUdeviceptr to, const void *from, size_t bytes, CUstream stream) {
    CUresult result = call_begin(true);
    REQUIRE(bytes != 0 && is_on_device(pointer(to), bytes) && !is_on_any_device(from, 0));
    REQUIRE(stream == NULL || block_at(from, bytes) != NULL);
    return call_end(result == CUDA_SUCCESS ? copy(pointer(to), from, bytes, stream) : result);
}

CUresult fake_fetch(void *to, CUdeviceptr from, size_t bytes, CUstream stream) {
    CUresult result = call_begin(true);
    REQUIRE(bytes != 0 && is_on_device(pointer(from), bytes) && !is_on_any_device(to, 0));
    REQUIRE(stream == NULL || block_at(to, bytes) != NULL);
    return call_end(result == CUDA_SUCCESS ? copy(to, pointer(from), bytes, stream) : result);
}

CUresult fake_copy(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream) {
    CUresult result = call_begin(true);
    REQUIRE(bytes != 0 && is_on_device(pointer(to), bytes) && is_on_device(pointer(from), bytes));
    return call_end(result == CUDA_SUCCESS ? copy(pointer(to), pointer(from), bytes, stream) : result);
}

CUresult fake_set(CUdeviceptr to, unsigned char byte, size_t bytes, CUstream stream) {
    CUresult result = call_begin(true);
    REQUIRE(bytes != 0 && is_on_device(pointer(to), bytes));
    if (result != CUDA_SUCCESS)
        return call_end(result);
    stream = stream_of(stream);
    struct work *work = work_queue(stream, WORK_SET);
    work->to = pointer(to);
    work->byte = byte;
    work->bytes = bytes;
    work_queued(stream);
    return call_end(result);
}

/* Where `count` rows of one byte end. */
static size_t extent(size_t pitch, size_t count) { return (count - 1) * pitch + 1; }

CUresult fake_set_rows(CUdeviceptr to, size_t pitch, unsigned char byte, size_t width, size_t height, CUstream stream) {
    CUresult result = call_begin(true);
    REQUIRE(width == 1 && height != 0 && pitch != 0 && is_on_device(pointer(to), extent(pitch, height)));
    if (result != CUDA_SUCCESS)
        return call_end(result);
    stream = stream_of(stream);
    struct work *work = work_queue(stream, WORK_SET_ROWS);
    work->to = pointer(to);
    work->to_pitch = pitch;
    work->byte = byte;
    work->bytes = height;
    work_queued(stream);
    return call_end(result);
}

CUresult fake_copy_rows(const CUDA_MEMCPY2D *copy, CUstream stream) {
    CUresult result = call_begin(true);
    REQUIRE(copy->WidthInBytes == 1 && copy->Height != 0 && copy->srcPitch != 0 && copy->dstPitch != 0);
    REQUIRE(copy->srcMemoryType == CU_MEMORYTYPE_DEVICE && copy->dstMemoryType == CU_MEMORYTYPE_DEVICE);
    REQUIRE(is_on_device(pointer(copy->srcDevice), extent(copy->srcPitch, copy->Height)));
    REQUIRE(is_on_device(pointer(copy->dstDevice), extent(copy->dstPitch, copy->Height)));
    if (result != CUDA_SUCCESS)
        return call_end(result);
    stream = stream_of(stream);
    struct work *work = work_queue(stream, WORK_COPY_ROWS);
    work->to = pointer(copy->dstDevice);
    work->to_pitch = copy->dstPitch;
    work->from = pointer(copy->srcDevice);
    work->from_pitch = copy->srcPitch;
    work->bytes = copy->Height;
    work_queued(stream);
    return call_end(result);
}

CUresult fake_stream_create(CUstream *stream, unsigned flags) {
    CUresult result = call_begin(true);
    REQUIRE(flags == CU_STREAM_NON_BLOCKING);
    if (result != CUDA_SUCCESS)
        return call_end(result);
    *stream = calloc(1, sizeof **stream);
    REQUIRE(*stream != NULL);
    (*stream)->last = &(*stream)->first;
    (*stream)->owner = fake.acting;
    (*stream)->next = fake.streams;
    fake.streams = *stream;
    return call_end(result);
}

CUresult fake_stream_destroy(CUstream stream) {
    CUresult result = call_begin(true);
    if (call_gives_back(result)) {
        stream_run(stream);
        stream_unlink(stream);
        free(stream);
    }
    return call_end(result);
}

CUresult fake_stream_synchronize(CUstream stream) {
    CUresult result = call_begin(true);
    const int device = fake.acting;
    unsigned long nanoseconds = 0;
    if (result == CUDA_SUCCESS) {
        stream_run(stream_of(stream));
        nanoseconds = fake.context[device].nanoseconds;
        fake.context[device].nanoseconds = 0;
    }
    (void)call_end(result);
    if (nanoseconds != 0)
        usleep((useconds_t)(nanoseconds / 1000));
    return result;
}

CUresult fake_stream_context(CUstream stream, CUcontext *context) {
    CUresult result = call_begin(true);
    *context = &fake.context[stream->owner];
    return call_end(result);
}

CUresult fake_stream_wait(CUstream stream, CUevent event, unsigned flags) {
    CUresult result = call_begin(true);
    REQUIRE(flags == 0 && event->recorded != 0);
    if (result != CUDA_SUCCESS)
        return call_end(result);
    struct work *work = work_queue(stream, WORK_WAIT);
    work->event = event;
    work->generation = event->recorded;
    work_queued(stream);
    return call_end(result);
}

CUresult fake_event_create(CUevent *event, unsigned flags) {
    CUresult result = call_begin(true);
    REQUIRE(flags == CU_EVENT_DEFAULT);
    if (result != CUDA_SUCCESS)
        return call_end(result);
    *event = calloc(1, sizeof **event);
    REQUIRE(*event != NULL);
    (*event)->owner = fake.acting;
    (*event)->next = fake.events;
    fake.events = *event;
    return call_end(result);
}

CUresult fake_event_destroy(CUevent event) {
    CUresult result = call_begin(true);
    if (call_gives_back(result)) {
        streams_run();
        CUevent *at = &fake.events;
        while (*at != event)
            at = &(*at)->next;
        *at = event->next;
        free(event);
    }
    return call_end(result);
}

CUresult fake_event_record(CUevent event, CUstream stream) {
    CUresult result = call_begin(true);
    if (result != CUDA_SUCCESS)
        return call_end(result);
    stream = stream_of(stream);
    REQUIRE(event->owner == stream->owner);
    event->stream = stream;
    struct work *work = work_queue(stream, WORK_RECORD);
    work->event = event;
    work->generation = ++event->recorded;
    work_queued(stream);
    return call_end(result);
}

CUresult fake_event_elapsed(float *milliseconds, CUevent start, CUevent stop) {
    CUresult result = call_begin(true);
    REQUIRE(start != stop && start->recorded != 0 && stop->recorded != 0);
    if (result == CUDA_SUCCESS && (start->reached < start->recorded || stop->reached < stop->recorded))
        result = 600; /* CUDA_ERROR_NOT_READY */
    *milliseconds = (float)stop->milliseconds - (float)start->milliseconds;
    return call_end(result);
}

CUstream fake_stream_new_on(int device) {
    CUstream stream = NULL;
    context_enter(device);
    REQUIRE(fake_stream_create(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS);
    context_leave();
    return stream;
}

CUstream fake_stream_new(void) { return fake_stream_new_on(0); }

void fake_stream_write(CUstream stream, void *to, const void *from, size_t bytes) {
    REQUIRE(is_on_any_device(to, bytes));
    fake.acting = stream == NULL ? 0 : stream->owner;
    (void)copy(to, from, bytes, stream);
}

void fake_stream_free(CUstream stream) {
    context_enter(stream->owner);
    REQUIRE(fake_stream_destroy(stream) == CUDA_SUCCESS);
    context_leave();
}
