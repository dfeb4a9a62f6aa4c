#define _GNU_SOURCE /* explicit_bzero */
#include "call.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool refuse(JNIEnv *env, gecc_result result, const char *format, ...) {
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    int written = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    jsize length = written < 0 ? 0 : written < (int)sizeof text ? written : (int)sizeof text - 1;
    jbyteArray bytes = (*env)->NewByteArray(env, length);
    if (bytes == NULL)
        return false; /* Java is out of memory, and says so */
    (*env)->SetByteArrayRegion(env, bytes, 0, length, (const jbyte *)text);
    if ((*env)->ExceptionCheck(env))
        return false;
    jobject exception = (*env)->NewObject(env, java.exception, java.make_exception, (jint)result, bytes);
    if (exception != NULL)
        (*env)->Throw(env, exception);
    return false;
}

bool refuse_memory(JNIEnv *env) { return refuse(env, GECC_ERROR_MEMORY, "not enough memory"); }

bool refuse_result(JNIEnv *env, gecc_result result) {
    const char *text = gecc_error_text();
    return refuse(env, result, "%s", text[0] != '\0' ? text : gecc_result_text(result));
}

void *use(JNIEnv *env, enum kind kind, jlong handle) {
    static const char *const KIND_NAMES[] = {"", "context", "keys", "job"};
    void *object = handle_use(kind, handle);
    if (object == NULL)
        refuse(env, GECC_ERROR_ARGUMENT, "%s: it is closed", KIND_NAMES[kind]);
    return object;
}

bool numbers_from(JNIEnv *env, jlongArray array, size_t count, jlong *numbers) {
    if (count > NUMBERS_MOST || !has_length(env, array, count))
        return refuse(env, GECC_ERROR_ARGUMENT, "not as many numbers as there have to be");
    if (count == 0)
        return true;
    (*env)->GetLongArrayRegion(env, array, 0, (jsize)count, numbers);
    if ((*env)->ExceptionCheck(env))
        return false;
    for (size_t i = 0; i < count; i++)
        if (numbers[i] < 0)
            return refuse(env, GECC_ERROR_ARGUMENT, "a number is negative");
    return true;
}

char *text_from(JNIEnv *env, struct call *call, jbyteArray bytes, const char *name, bool *ok) {
    if (bytes == NULL || !*ok)
        return NULL;
    size_t length = (size_t)(*env)->GetArrayLength(env, bytes);
    char *text = take(env, call, length + 1, false);
    *ok = text != NULL;
    if (text == NULL)
        return NULL;
    (*env)->GetByteArrayRegion(env, bytes, 0, (jsize)length, (jbyte *)text);
    *ok = !(*env)->ExceptionCheck(env);
    if (*ok && strlen(text) != length)
        *ok = refuse(env, GECC_ERROR_ARGUMENT, "%s: a zero is within the name", name);
    return text;
}

/* Hand memory over to the call; NULL: there is none, which is refused. */
static void *keep(JNIEnv *env, struct call *call, void *memory, size_t bytes, bool is_secret) {
    if (memory != NULL && call->block_count < BLOCKS_MOST) {
        call->blocks[call->block_count++] = (struct block){memory, bytes, is_secret};
        return memory;
    }
    free(memory);
    refuse_memory(env);
    return NULL;
}

void *take(JNIEnv *env, struct call *call, size_t bytes, bool is_secret) {
    return keep(env, call, calloc(bytes ? bytes : 1, 1), bytes, is_secret);
}

void call_end(struct call *call) {
    for (size_t i = 0; i < call->block_count; i++) {
        if (call->blocks[i].is_secret)
            explicit_bzero(call->blocks[i].memory, call->blocks[i].bytes);
        free(call->blocks[i].memory);
    }
    if (call->keys_handle != 0)
        handle_release(call->keys_handle);
    if (call->context_handle != 0)
        handle_release(call->context_handle);
}

/* Element of an array; NULL for one of no array. *ok: whether there is such an element. */
static jobject element(JNIEnv *env, jobjectArray array, size_t index, bool *ok) {
    if (array == NULL || !*ok)
        return NULL;
    jobject found = (*env)->GetObjectArrayElement(env, array, (jsize)index);
    if ((*env)->ExceptionCheck(env))
        *ok = false;
    return found;
}

/* End local references before there are more than Java has room for; NULL is none. */
static void forget(JNIEnv *env, jobject a, jobject b, jobject c) {
    (*env)->DeleteLocalRef(env, a);
    (*env)->DeleteLocalRef(env, b);
    (*env)->DeleteLocalRef(env, c);
}

bool has_length(JNIEnv *env, jarray array, size_t length) {
    return (array != NULL ? (size_t)(*env)->GetArrayLength(env, array) : 0) == length;
}

/* Bytes of a byte[] or of a direct buffer, whose address is given. */
static bool measure(JNIEnv *env, jobject data, const char *name, uint8_t **address, size_t *length) {
    static uint8_t nothing;
    *address = NULL;
    if ((*env)->IsInstanceOf(env, data, java.byte_array)) {
        *length = (size_t)(*env)->GetArrayLength(env, data);
        return true;
    }
    jlong capacity = -1;
    if ((*env)->IsInstanceOf(env, data, java.byte_buffer))
        capacity = (*env)->GetDirectBufferCapacity(env, data);
    if (capacity >= 0)
        *address = (*env)->GetDirectBufferAddress(env, data);
    if (capacity == 0 && *address == NULL)
        *address = &nothing;
    if (*address == NULL)
        return refuse(env, GECC_ERROR_ARGUMENT, "%s: no byte[] and no direct buffer", name);
    *length = (size_t)capacity;
    return true;
}

/* The last byte's end of row i that starts at `start`; false: it does not lie within `length` bytes. */
static bool ends_within(size_t start, size_t width, size_t length, size_t *end) {
    return !__builtin_add_overflow(start, width, end) && *end <= length;
}

/* How many bytes from the column's start its rows span; false: one does not lie within `length` bytes. */
static bool span(const gecc_rows *rows, size_t count, size_t length, size_t *bytes) {
    size_t start = 0, end = 0;
    *bytes = 0;
    if (rows->widths == NULL && rows->offsets == NULL) {
        if (count == 0)
            return true;
        return !__builtin_mul_overflow(count - 1, rows->stride, &start) &&
               ends_within(start, rows->width, length, bytes);
    }
    for (size_t i = 0; i < count; i++) {
        if (rows->offsets != NULL) {
            start = rows->offsets[i];
        } else if (__builtin_mul_overflow(i, rows->stride, &start)) {
            return false;
        }
        if (!ends_within(start, rows->widths != NULL ? rows->widths[i] : rows->width, length, &end))
            return false;
        if (end > *bytes)
            *bytes = end;
    }
    return true;
}

bool rows_from(JNIEnv *env, struct call *call, gecc_rows *rows, const char *name, bool is_secret, const jlong *numbers,
               jobject data, jintArray widths, jlongArray offsets) {
    size_t length = 0, bytes = 0, offset = (size_t)numbers[ROWS_OFFSET];
    uint8_t *address = NULL;
    *rows = (gecc_rows){NULL, (size_t)numbers[ROWS_STRIDE], (size_t)numbers[ROWS_WIDTH], NULL, NULL};
    if (!measure(env, data, name, &address, &length))
        return false;
    if ((widths != NULL && !has_length(env, widths, call->count)) ||
        (offsets != NULL && !has_length(env, offsets, call->count)))
        return refuse(env, GECC_ERROR_ARGUMENT, "%s: not as many widths and offsets as rows", name);
    if (widths != NULL) {
        uint32_t *copy = take(env, call, call->count * sizeof *copy, false);
        if (copy == NULL)
            return false;
        (*env)->GetIntArrayRegion(env, widths, 0, (jsize)call->count, (jint *)copy);
        rows->widths = copy; /* one that is negative lies within no array */
    }
    if ((*env)->ExceptionCheck(env))
        return false;
    if (offsets != NULL) {
        uint64_t *copy = take(env, call, call->count * sizeof *copy, false);
        if (copy == NULL)
            return false;
        (*env)->GetLongArrayRegion(env, offsets, 0, (jsize)call->count, (jlong *)copy);
        rows->offsets = copy;
    }
    if ((*env)->ExceptionCheck(env))
        return false;
    if (offset > length || !span(rows, call->count, length - offset, &bytes))
        return refuse(env, GECC_ERROR_ARGUMENT, "%s: rows do not lie within its %zu bytes", name, length);
    if (address != NULL) {
        rows->data = address + offset;
        return true;
    }
    void *copy = keep(env, call, malloc(bytes ? bytes : 1), bytes, is_secret);
    if (copy == NULL)
        return false;
    (*env)->GetByteArrayRegion(env, data, (jsize)offset, (jsize)bytes, copy);
    rows->data = copy;
    return !(*env)->ExceptionCheck(env);
}

/* Whether rows of an output lie within `length` bytes. */
static bool has_room(const jlong *numbers, size_t most, size_t count, size_t length) {
    size_t start = 0, end = 0, offset = (size_t)numbers[OUT_OFFSET], stride = (size_t)numbers[OUT_STRIDE];
    if (stride < most || offset > length)
        return false;
    if (count == 0)
        return true;
    return !__builtin_mul_overflow(count - 1, stride, &start) && ends_within(start, most, length - offset, &end);
}

/* How many rows an output has in new memory: of no row one, which says how wide rows are. */
static size_t rows_given(const struct call *call) { return call->count != 0 ? call->count : 1; }

/* An output column: in new memory, or, with numbers, where the caller wants it. */
static bool out_from(JNIEnv *env, struct call *call, size_t index, const gecc_column *column, const jlong *numbers,
                     jobject data, jintArray widths) {
    gecc_out *out = &call->outputs[index];
    struct output *output = &call->output[index];
    gecc_widths wide;
    gecc_column_widths_by_address(call->operation, column, &call->parameters, &call->options, &wide);
    output->most = wide.most;
    output->has_widths = wide.least != wide.most;
    if (wide.most == PTRDIFF_MAX)
        return refuse(env, GECC_ERROR_ARGUMENT, "output_bytes: has to say how wide %s may be", column->name);
    /* 0: an argument is wrong, and the call says which. */
    if (wide.most == 0 || (numbers != NULL && data == NULL))
        return true;
    uint8_t *address = NULL;
    size_t length = 0;
    if (numbers != NULL) {
        if (!measure(env, data, column->name, &address, &length))
            return false;
        if (!has_room(numbers, wide.most, call->count, length))
            return refuse(env, GECC_ERROR_ARGUMENT, "%s: no room for %zu rows of up to %zu bytes", column->name,
                          call->count, wide.most);
        if (widths != NULL && !has_length(env, widths, call->count))
            return refuse(env, GECC_ERROR_ARGUMENT, "%s: not as many widths as rows", column->name);
    } else if (call->count > INT32_MAX / wide.most) {
        return refuse(env, GECC_ERROR_ARGUMENT, "%s: %zu rows of %zu bytes are too many for one array", column->name,
                      call->count, wide.most);
    }
    output->is_copied = address == NULL;
    output->offset = numbers != NULL ? (size_t)numbers[OUT_OFFSET] : 0;
    output->stride = numbers != NULL ? (size_t)numbers[OUT_STRIDE] : wide.most;
    out->stride = address != NULL ? output->stride : wide.most;
    if (address != NULL) {
        out->data = address + output->offset;
    } else {
        out->data = take(env, call, rows_given(call) * wide.most, column->secrecy != GECC_PUBLIC);
        if (out->data == NULL)
            return false;
    }
    if (numbers == NULL ? output->has_widths : widths != NULL) {
        out->widths = take(env, call, call->count * sizeof *out->widths, false);
        if (out->widths == NULL)
            return false;
    }
    return true;
}

/* Which of gecc_run's parameters and options Java has chosen. */
static bool call_choose(JNIEnv *env, struct call *call, const struct given *given, const jlong *numbers) {
    for (size_t i = 0; i < CALL_COUNT; i++)
        if (numbers[i] > INT32_MAX)
            return refuse(env, GECC_ERROR_ARGUMENT, "an option's number is too great");
    call->parameters = (gecc_parameters){
        sizeof call->parameters, (gecc_curve)numbers[CALL_CURVE], (gecc_hash)numbers[CALL_HASH], {NULL, 0}, NULL};
    call->options = (gecc_options){.size = sizeof call->options,
                                   .flags = (uint32_t)numbers[CALL_FLAGS],
                                   .nonce_hash = (gecc_hash)numbers[CALL_NONCE_HASH],
                                   .point_format = (gecc_point_format)numbers[CALL_POINT_FORMAT],
                                   .output_bytes = (size_t)numbers[CALL_OUTPUT_BYTES]};
    if (numbers[CALL_COUNT] > INT32_MAX)
        return refuse(env, GECC_ERROR_ARGUMENT, "more rows than an array has");
    call->count = (size_t)numbers[CALL_COUNT];
    if (given->modulus != NULL) {
        size_t bytes = (size_t)(*env)->GetArrayLength(env, given->modulus);
        uint8_t *copy = take(env, call, bytes, false);
        if (copy == NULL)
            return false;
        (*env)->GetByteArrayRegion(env, given->modulus, 0, (jsize)bytes, (jbyte *)copy);
        if ((*env)->ExceptionCheck(env))
            return false;
        call->parameters.modulus = (gecc_modulus){copy, bytes};
    }
    if (given->keys != 0) {
        call->parameters.keys = use(env, KEYS, given->keys);
        if (call->parameters.keys == NULL)
            return false;
        call->keys_handle = given->keys;
    }
    return true;
}

bool call_make(JNIEnv *env, struct call *call, const struct given *given) {
    jlong numbers[NUMBERS_MOST] = {0};
    call->context = use(env, CONTEXT, given->context);
    if (call->context == NULL)
        return false;
    call->context_handle = given->context;
    call->operation = given->operation >= 0 ? gecc_operations((size_t)given->operation) : NULL;
    if (call->operation == NULL)
        return refuse(env, GECC_ERROR_ARGUMENT, "operation: there is none of that number");
    while (gecc_operation_input(call->operation, call->input_count) != NULL)
        call->input_count++;
    while (gecc_operation_output(call->operation, call->output_count) != NULL)
        call->output_count++;
    bool is_new = given->outs == NULL;
    if (call->input_count > COLUMNS_MOST || call->output_count > COLUMNS_MOST ||
        !has_length(env, given->data, call->input_count) ||
        (!is_new && !has_length(env, given->outs, call->output_count)))
        return refuse(env, GECC_ERROR_ARGUMENT, "%s: not as many columns as it has", call->operation->name);
    size_t count = CALL_NUMBERS + call->input_count * ROWS_NUMBERS + (is_new ? 0 : call->output_count * OUT_NUMBERS);
    if (!numbers_from(env, given->numbers, count, numbers) || !call_choose(env, call, given, numbers))
        return false;
    if (!is_new && !has_length(env, given->status, call->count))
        return refuse(env, GECC_ERROR_ARGUMENT, "status: not as many bytes as there are rows");
    const jlong *next = numbers + CALL_NUMBERS;
    for (size_t i = 0; i < call->input_count; i++, next += ROWS_NUMBERS) {
        const gecc_column *column = gecc_operation_input(call->operation, i);
        bool ok = true;
        jobject data = element(env, given->data, i, &ok);
        jobject widths = element(env, given->widths, i, &ok), offsets = element(env, given->offsets, i, &ok);
        if (!ok)
            return false;
        if (data == NULL && !column->is_optional)
            return refuse(env, GECC_ERROR_ARGUMENT, "%s is missing", column->name);
        if (data != NULL && !rows_from(env, call, &call->inputs[i], column->name, column->secrecy != GECC_PUBLIC, next,
                                       data, widths, offsets))
            return false;
        forget(env, data, widths, offsets);
    }
    for (size_t i = 0; i < call->output_count; i++, next += OUT_NUMBERS) {
        bool ok = true;
        jobject data = element(env, given->outs, i, &ok), widths = element(env, given->out_widths, i, &ok);
        const gecc_column *column = gecc_operation_output(call->operation, i);
        if (!ok || !out_from(env, call, i, column, is_new ? NULL : next, data, widths))
            return false;
        forget(env, data, widths, NULL);
    }
    call->status = gecc_out_packed(take(env, call, call->count, false), 1);
    return call->status.data != NULL;
}

gecc_result call_run(struct call *call) {
    return gecc_run_by_address(call->context, call->operation, &call->parameters, call->outputs, &call->status,
                               call->inputs, call->count, &call->options);
}

jbyteArray bytes_give(JNIEnv *env, const void *data, size_t bytes) {
    jbyteArray array = (*env)->NewByteArray(env, (jsize)bytes);
    if (array != NULL)
        (*env)->SetByteArrayRegion(env, array, 0, (jsize)bytes, data);
    return array;
}

static bool element_set(JNIEnv *env, jobjectArray array, size_t index, jobject value) {
    if ((*env)->ExceptionCheck(env) || value == NULL)
        return false;
    (*env)->SetObjectArrayElement(env, array, (jsize)index, value);
    (*env)->DeleteLocalRef(env, value);
    return !(*env)->ExceptionCheck(env);
}

jobjectArray call_give(JNIEnv *env, const struct call *call) {
    jobjectArray given = (*env)->NewObjectArray(env, (jsize)(1 + 2 * call->output_count), java.object, NULL);
    if (given == NULL || !element_set(env, given, 0, bytes_give(env, call->status.data, call->count)))
        return NULL;
    for (size_t i = 0; i < call->output_count; i++) {
        const gecc_out *out = &call->outputs[i];
        if (!element_set(env, given, 1 + 2 * i, bytes_give(env, out->data, rows_given(call) * out->stride)))
            return NULL;
        if (out->widths == NULL)
            continue;
        jintArray widths = (*env)->NewIntArray(env, (jsize)call->count);
        if (widths != NULL)
            (*env)->SetIntArrayRegion(env, widths, 0, (jsize)call->count, (const jint *)out->widths);
        if (!element_set(env, given, 2 + 2 * i, widths))
            return NULL;
    }
    return given;
}

bool call_store(JNIEnv *env, const struct call *call, const struct given *given) {
    (*env)->SetByteArrayRegion(env, given->status, 0, (jsize)call->count, call->status.data);
    if ((*env)->ExceptionCheck(env))
        return false;
    for (size_t i = 0; i < call->output_count; i++) {
        const gecc_out *out = &call->outputs[i];
        const struct output *output = &call->output[i];
        bool ok = true;
        jobject data = element(env, given->outs, i, &ok), widths = element(env, given->out_widths, i, &ok);
        if (!ok)
            return false;
        if (out->data != NULL && output->is_copied) {
            size_t most = output->most, pieces = output->stride == most ? 1 : call->count;
            size_t piece = output->stride == most ? call->count * most : most;
            for (size_t j = 0; j < pieces; j++) {
                (*env)->SetByteArrayRegion(env, data, (jsize)(output->offset + j * output->stride), (jsize)piece,
                                           (const jbyte *)out->data + j * piece);
                if ((*env)->ExceptionCheck(env))
                    return false;
            }
        }
        if (out->widths != NULL)
            (*env)->SetIntArrayRegion(env, widths, 0, (jsize)call->count, (const jint *)out->widths);
        if ((*env)->ExceptionCheck(env))
            return false;
        forget(env, data, widths, NULL);
    }
    return true;
}
