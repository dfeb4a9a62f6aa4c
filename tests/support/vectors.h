/* Published test cases, as calls, rows and expectations. The folders are named by environment variables. */
#ifndef TESTS_SUPPORT_VECTORS_H
#define TESTS_SUPPORT_VECTORS_H

#include "operation.h"

#include <jansson.h>

/* One case of vectors.jsonl, the common form of published vectors (Wycheproof, CAVP, RFC 6979, Botan, GM/T 0003.5). */
struct vector {
    struct call call;
    struct row row;
    struct expectation expected;
    char label[120];
};

struct vectors {
    struct vector *list;
    size_t count;
    struct arena arena;
};

/* The folder that an environment variable names, or NULL and a line that says what is skipped. */
const char *data_folder(const char *variable);
/* The folder's vectors.jsonl, ordered so that equal calls are next to each other. */
struct vectors vectors_read(const char *folder);
void vectors_free(struct vectors *vectors);
int call_equal(const struct call *a, const struct call *b);

/* A member that must be there. */
const char *json_text(const json_t *object, const char *key);
gecc_curve curve_named(const char *name);

#endif
