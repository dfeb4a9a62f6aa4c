/* The C half of the Java binding: org.gecc.Native. It trusts nothing that Java says: every handle is looked up in a
 * table, every column is checked to lie within its array or buffer, every number to be in range, before an address of
 * it is made. Arrays are copied in and out, so that the garbage collector waits for no call; direct buffers are used as
 * they lie. */
#include "call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(size_t) == sizeof(jlong), "lengths of Java fit in a size_t");

struct java_names java;

#define NATIVE(type, name) JNIEXPORT type JNICALL Java_org_gecc_Native_##name

NATIVE(jobjectArray, run)
(JNIEnv *env, jclass class, jlong context, jlong keys, jint operation, jlongArray numbers, jbyteArray modulus,
 jobjectArray data, jobjectArray widths, jobjectArray offsets, jobjectArray outs, jobjectArray out_widths,
 jbyteArray status) {
    (void)class;
    const struct given given = {context, keys,    operation, numbers,    modulus, data,
                                widths,  offsets, outs,      out_widths, status};
    struct call call = {0};
    jobjectArray results = NULL;
    if (call_make(env, &call, &given)) {
        gecc_result result = call_run(&call);
        /* Of a call that failed, too, the caller's statuses say so. */
        bool is_stored = outs == NULL || call_store(env, &call, &given);
        if (is_stored && result != GECC_OK)
            refuse_result(env, result);
        if (outs == NULL && result == GECC_OK)
            results = call_give(env, &call);
    }
    call_end(&call);
    return results;
}

/* The handle of a job; Java keeps what it gave, until the job was waited for. */
NATIVE(jlong, submit)
(JNIEnv *env, jclass class, jlong context, jlong keys, jint operation, jlongArray numbers, jbyteArray modulus,
 jobjectArray data, jobjectArray widths, jobjectArray offsets) {
    (void)class;
    const struct given given = {context, keys, operation, numbers, modulus, data, widths, offsets, NULL, NULL, NULL};
    struct call *call = calloc(1, sizeof *call);
    if (call == NULL)
        return refuse_memory(env);
    jlong handle = 0;
    if (call_make(env, call, &given)) {
        call->options.job = &call->job;
        handle = handle_make(JOB, call, 0);
        gecc_result result = handle == 0 ? GECC_ERROR_MEMORY : call_run(call);
        if (result == GECC_OK)
            return handle;
        if (handle == 0)
            refuse_memory(env);
        else
            refuse_result(env, result);
    }
    if (handle != 0)
        handle_close(JOB, handle);
    call_end(call);
    free(call);
    return 0;
}

/* Wait for a job, once: what run gives. The data are given so that the garbage collector leaves them until then. */
NATIVE(jobjectArray, await)(JNIEnv *env, jclass class, jlong job, jobjectArray data) {
    (void)class, (void)data;
    struct call *call = handle_close(JOB, job);
    if (call == NULL) {
        refuse(env, GECC_ERROR_ARGUMENT, "job: it was waited for");
        return NULL;
    }
    jobjectArray results = NULL;
    gecc_result result = gecc_wait(call->job);
    if (result == GECC_OK)
        results = call_give(env, call);
    else
        refuse_result(env, result);
    call_end(call);
    free(call);
    return results;
}

NATIVE(jlong, open)(JNIEnv *env, jclass class, jbyteArray backend, jbyteArray device, jlongArray array) {
    (void)class;
    enum { THREADS, DEVICE_TABLE_BYTES, KEY_TABLE_BYTES, STAGING_BYTES, KEY_CACHE_BYTES, NUMBERS };
    jlong numbers[NUMBERS_MOST] = {0}, handle = 0;
    gecc_config config = GECC_CONFIG_INIT;
    struct call memory = {0};
    bool ok = numbers_from(env, array, NUMBERS, numbers);
    config.backend = text_from(env, &memory, backend, "backend", &ok);
    config.device = text_from(env, &memory, device, "device", &ok);
    if (ok && numbers[THREADS] > INT32_MAX)
        ok = refuse(env, GECC_ERROR_ARGUMENT, "threads: too many");
    if (ok) {
        config.threads = (unsigned)numbers[THREADS];
        config.device_table_bytes = (size_t)numbers[DEVICE_TABLE_BYTES];
        config.key_table_bytes = (size_t)numbers[KEY_TABLE_BYTES];
        config.staging_bytes = (size_t)numbers[STAGING_BYTES];
        config.key_cache_bytes = (size_t)numbers[KEY_CACHE_BYTES];
        gecc_context *context = NULL;
        gecc_result result = gecc_open(&context, &config);
        if (result != GECC_OK) {
            refuse_result(env, result);
        } else if ((handle = handle_make(CONTEXT, context, 0)) == 0) {
            gecc_close(context);
            refuse_memory(env);
        }
    }
    call_end(&memory);
    return handle;
}

/* End a context or keys: freed when the last call, job and set of keys that uses it is through. */
NATIVE(void, close)(JNIEnv *env, jclass class, jlong handle) {
    (void)env, (void)class;
    if (handle_close(CONTEXT, handle) == NULL)
        handle_close(KEYS, handle);
}

/* Of backend `index` its name, device, reason and numbers, a line each; null: past the last. */
NATIVE(jbyteArray, backend)(JNIEnv *env, jclass class, jlong handle, jint index) {
    (void)class;
    gecc_backend_info info = GECC_BACKEND_INFO_INIT;
    gecc_context *context = use(env, CONTEXT, handle);
    if (context == NULL)
        return NULL;
    char text[512];
    int written = -1;
    if (index >= 0 && (size_t)index < gecc_backends(context, (size_t)index, &info))
        written = snprintf(text, sizeof text, "%s\n%s\n%s\n%d\n%d\n%u", info.name, info.device, info.reason,
                           info.available, info.chosen, info.threads);
    handle_release(handle);
    return written < 0 ? NULL : bytes_give(env, text, strlen(text));
}

enum { KEYS_COUNT = ROWS_NUMBERS, KEYS_ROWS, KEYS_MEMORY, KEYS_WINDOW, KEYS_CAPACITY, KEYS_NUMBERS };

/* Public keys and their statuses, as both functions below take them. */
static bool keys_from(JNIEnv *env, struct call *call, jlongArray array, jlong *numbers, jobject data, jintArray widths,
                      jlongArray offsets, jbyteArray status) {
    if (!numbers_from(env, array, KEYS_NUMBERS, numbers))
        return false;
    call->count = (size_t)numbers[KEYS_COUNT];
    if (numbers[KEYS_WINDOW] > INT32_MAX || data == NULL || !has_length(env, status, call->count))
        return refuse(env, GECC_ERROR_ARGUMENT,
                      "public_keys: not as many statuses as rows, no rows, or no such window");
    if (!rows_from(env, call, &call->inputs[0], "public_keys", false, numbers, data, widths, offsets))
        return false;
    call->status = gecc_out_packed(take(env, call, call->count, false), 1);
    return call->status.data != NULL;
}

NATIVE(jlong, keysOpen)
(JNIEnv *env, jclass class, jlong context_handle, jint curve, jlongArray array, jobject data, jintArray widths,
 jlongArray offsets, jbyteArray status) {
    (void)class;
    jlong numbers[NUMBERS_MOST] = {0}, handle = 0;
    struct call call = {0};
    gecc_context *context = use(env, CONTEXT, context_handle);
    if (context == NULL)
        return 0;
    if (keys_from(env, &call, array, numbers, data, widths, offsets, status)) {
        gecc_keys_config config = {sizeof config, (size_t)numbers[KEYS_ROWS], (size_t)numbers[KEYS_MEMORY],
                                   (unsigned)numbers[KEYS_WINDOW], (size_t)numbers[KEYS_CAPACITY]};
        gecc_keys *keys = NULL;
        gecc_result result = gecc_keys_open_by_address(context, &keys, (gecc_curve)curve, &call.status, &call.inputs[0],
                                                       call.count, &config);
        if (result != GECC_OK) {
            refuse_result(env, result);
        } else if ((handle = handle_make(KEYS, keys, context_handle)) == 0) {
            gecc_keys_close(keys);
            refuse_memory(env);
        } else {
            (*env)->SetByteArrayRegion(env, status, 0, (jsize)call.count, call.status.data);
        }
    }
    call_end(&call);
    if (handle == 0)
        handle_release(context_handle); /* otherwise the keys have the share */
    return handle;
}

/* The number of the first key that was added. */
NATIVE(jlong, keysAdd)
(JNIEnv *env, jclass class, jlong handle, jlongArray array, jobject data, jintArray widths, jlongArray offsets,
 jbyteArray status) {
    (void)class;
    jlong numbers[NUMBERS_MOST] = {0};
    size_t first = 0;
    struct call call = {0};
    gecc_keys *keys = use(env, KEYS, handle);
    if (keys == NULL)
        return 0;
    if (keys_from(env, &call, array, numbers, data, widths, offsets, status)) {
        gecc_result result = gecc_keys_add_by_address(keys, &call.status, &call.inputs[0], call.count, &first);
        if (result != GECC_OK)
            refuse_result(env, result);
        else
            (*env)->SetByteArrayRegion(env, status, 0, (jsize)call.count, call.status.data);
    }
    call_end(&call);
    handle_release(handle);
    return (jlong)first;
}

/* The number of the operation of that name in this library; -1: it has none. */
NATIVE(jint, operation)(JNIEnv *env, jclass class, jbyteArray name) {
    (void)class;
    struct call memory = {0};
    bool ok = true;
    const char *text = text_from(env, &memory, name, "operation", &ok);
    const gecc_operation *found = ok && text != NULL ? gecc_operation_find(text) : NULL;
    size_t index = 0;
    while (found != NULL && gecc_operations(index) != found)
        index++;
    call_end(&memory);
    return found != NULL ? (jint)index : -1;
}

/* As in Native.java. */
enum { ENUM_CURVE, ENUM_HASH, ENUM_POINT_FORMAT, ENUM_FLAG, ENUM_RESULT, ENUM_ITEM };

/* The value of that name; what is no value of the enum where there is none. */
NATIVE(jint, named)(JNIEnv *env, jclass class, jint of, jbyteArray name) {
    (void)class;
    struct call memory = {0};
    bool ok = true;
    const char *text = text_from(env, &memory, name, "name", &ok);
    int value = -1;
    if (ok && of == ENUM_CURVE)
        value = (int)gecc_curve_named(text);
    if (ok && of == ENUM_HASH)
        value = (int)gecc_hash_named(text);
    if (ok && of == ENUM_POINT_FORMAT)
        value = gecc_point_format_named(text);
    if (ok && of == ENUM_FLAG)
        value = (int)gecc_flag_named(text);
    call_end(&memory);
    return value;
}

/* What the library says of a value; null: nothing. */
NATIVE(jstring, text)(JNIEnv *env, jclass class, jint of, jint value) {
    (void)class;
    const char *text = NULL;
    if (of == ENUM_CURVE)
        text = gecc_curve_name((gecc_curve)value);
    if (of == ENUM_HASH)
        text = gecc_hash_name((gecc_hash)value);
    if (of == ENUM_FLAG)
        text = gecc_flag_name((uint32_t)value);
    if (of == ENUM_RESULT)
        text = gecc_result_text((gecc_result)value);
    if (of == ENUM_ITEM)
        text = gecc_item_text((uint8_t)value);
    return text != NULL ? (*env)->NewStringUTF(env, text) : NULL;
}

static jclass class_of(JNIEnv *env, const char *name) {
    jclass local = (*env)->FindClass(env, name);
    return local != NULL ? (*env)->NewGlobalRef(env, local) : NULL;
}

JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *machine, void *reserved) {
    (void)reserved;
    void *env_address = NULL;
    if ((*machine)->GetEnv(machine, &env_address, JNI_VERSION_1_8) != JNI_OK)
        return JNI_ERR;
    JNIEnv *env = env_address;
    if ((java.exception = class_of(env, "org/gecc/GeccException")) == NULL)
        return JNI_ERR;
    if ((java.object = class_of(env, "java/lang/Object")) == NULL)
        return JNI_ERR;
    if ((java.byte_array = class_of(env, "[B")) == NULL)
        return JNI_ERR;
    if ((java.byte_buffer = class_of(env, "java/nio/ByteBuffer")) == NULL)
        return JNI_ERR;
    java.make_exception = (*env)->GetMethodID(env, java.exception, "<init>", "(I[B)V");
    return java.make_exception != NULL ? JNI_VERSION_1_8 : JNI_ERR;
}
