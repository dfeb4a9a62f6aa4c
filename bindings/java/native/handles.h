/* Handles: numbers that Java keeps for contexts, keys and jobs. One that was closed stands for nothing ever again. What
 * it stood for goes when the last share of it is given back. */
#ifndef GECC_JNI_HANDLES_H
#define GECC_JNI_HANDLES_H

#include <jni.h>

enum kind { FREE, CONTEXT, KEYS, JOB };

/* A handle for an object. context: of keys, the handle of their context, of which they have a share. 0: no memory. */
jlong handle_make(enum kind kind, void *object, jlong context);
/* What a handle stands for, with a share of it. NULL: it stands for nothing of that kind. */
void *handle_use(enum kind kind, jlong handle);
/* Give a share back; whoever gives the last frees what it is. */
void handle_release(jlong handle);
/* End a handle. Its object, for the caller if it is a job's; NULL: it was ended before. */
void *handle_close(enum kind kind, jlong handle);

#endif
