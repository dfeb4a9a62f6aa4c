/* Calls: what Java gives, checked, as the library takes it, and what the library gives. A function that is false or
 * NULL has thrown an exception. */
#ifndef GECC_JNI_CALL_H
#define GECC_JNI_CALL_H

#include <gecc/languages.h>
#include <jni.h>
#include <stdbool.h>

#include "handles.h"

extern struct java_names {
    jclass exception, object, byte_array, byte_buffer;
    jmethodID make_exception; /* GeccException(int result, byte[] text) */
} java;

enum { COLUMNS_MOST = 8, BLOCKS_MOST = 5 * COLUMNS_MOST + 4 };

struct block {
    void *memory;
    size_t bytes;
    bool is_secret;
};

struct output {
    size_t most;           /* bytes of a row */
    bool has_widths;       /* rows differ in theirs */
    bool is_copied;        /* it is an array's, or new: here rows are packed */
    size_t offset, stride; /* where the caller wants them */
};

struct call {
    jlong context_handle, keys_handle; /* of which the call has shares; 0: it has none */
    gecc_context *context;
    const gecc_operation *operation;
    gecc_parameters parameters;
    gecc_options options;
    gecc_job *job;
    size_t count, input_count, output_count;
    gecc_rows inputs[COLUMNS_MOST];
    gecc_out outputs[COLUMNS_MOST], status;
    struct output output[COLUMNS_MOST];
    struct block blocks[BLOCKS_MOST];
    size_t block_count;
};

/* Numbers that Java gives in one array: of an input, of an output, and of a call, which are first. */
enum { ROWS_OFFSET, ROWS_STRIDE, ROWS_WIDTH, ROWS_NUMBERS };
enum { OUT_OFFSET, OUT_STRIDE, OUT_NUMBERS };
enum {
    CALL_CURVE,
    CALL_HASH,
    CALL_FLAGS,
    CALL_NONCE_HASH,
    CALL_POINT_FORMAT,
    CALL_OUTPUT_BYTES,
    CALL_COUNT,
    CALL_NUMBERS
};
enum { NUMBERS_MOST = CALL_NUMBERS + COLUMNS_MOST * (ROWS_NUMBERS + OUT_NUMBERS) };

/* What Java gives to a call; outs, out_widths and status are null where the results are to be in new memory. */
struct given {
    jlong context, keys;
    jint operation;
    jlongArray numbers;
    jbyteArray modulus;
    jobjectArray data, widths, offsets, outs, out_widths;
    jbyteArray status;
};

/* Throw a GeccException; false, for the caller to return. */
bool refuse(JNIEnv *env, gecc_result result, const char *format, ...) __attribute__((format(printf, 3, 4)));
bool refuse_memory(JNIEnv *env);
/* Throw what the thread's last call of the library says. */
bool refuse_result(JNIEnv *env, gecc_result result);
/* What a handle stands for, with a share of it, which handle_release gives back. NULL: refused. */
void *use(JNIEnv *env, enum kind kind, jlong handle);

/* Zeros that go with the call, and are wiped first if they are secret. NULL: refused. */
void *take(JNIEnv *env, struct call *call, size_t bytes, bool is_secret);
/* Copy numbers that are not negative. */
bool numbers_from(JNIEnv *env, jlongArray array, size_t count, jlong *numbers);
/* Whether an array has as many elements, null counting as none. */
bool has_length(JNIEnv *env, jarray array, size_t length);
/* An input column of call->count rows: its numbers, which are not negative, and what Java has of it. */
bool rows_from(JNIEnv *env, struct call *call, gecc_rows *rows, const char *name, bool is_secret, const jlong *numbers,
               jobject data, jintArray widths, jlongArray offsets);
/* A text that ends with zero; NULL for null, and with *ok false where it is refused. */
char *text_from(JNIEnv *env, struct call *call, jbyteArray bytes, const char *name, bool *ok);
/* A byte[]. */
jbyteArray bytes_give(JNIEnv *env, const void *data, size_t bytes);

/* Make a call of what Java gives. call_end ends it, whether it was made or refused. */
bool call_make(JNIEnv *env, struct call *call, const struct given *given);
gecc_result call_run(struct call *call);
/* Results in new memory: the statuses, then of each output its rows and their widths, or null. */
jobjectArray call_give(JNIEnv *env, const struct call *call);
/* Results that the caller wants in arrays; in direct buffers they are already. */
bool call_store(JNIEnv *env, const struct call *call, const struct given *given);
void call_end(struct call *call);

#endif
