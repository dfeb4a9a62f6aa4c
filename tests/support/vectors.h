/* Cases with known answers, as calls, rows and expectations. */
#ifndef TESTS_SUPPORT_VECTORS_H
#define TESTS_SUPPORT_VECTORS_H

#include "folders.h"
#include "operation.h"

#include <jansson.h>

/* One case: a line of JSON, of the form that tests/known_answers/README.md describes. */
struct vector {
    struct call call;
    struct row row;
    struct expectation expected;
    char label[120];
};

/* Where cases come from: tests/known_answers/generate.py, published.py there, files of the folder that GECC_VECTORS
 * names. */
enum vectors_source { VECTORS_GENERATED, VECTORS_PUBLISHED, VECTORS_GIVEN, VECTORS_BIP340, VECTORS_P521_BRAINPOOL };

struct vectors {
    struct vector *list;
    size_t count; /* of the list, which in short tests has a part of the generated cases */
    struct arena arena;
};

/* The cases of a source, ordered so that those that can be rows of one call are next to each other. 0 and a line that
 * says why they are not run where the source is not there. Fewer cases than it must have stop the test. */
int vectors_read(struct vectors *vectors, enum vectors_source source);
void vectors_free(struct vectors *vectors);
/* Can the cases be rows of one call? */
int vectors_share_call(const struct vector *a, const struct vector *b);

/* A member that must be there. */
const char *json_text(const json_t *object, const char *key);

#endif
