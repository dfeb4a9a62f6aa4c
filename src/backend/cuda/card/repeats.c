#define _GNU_SOURCE
#include "backend/cuda/card/repeats.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "backend/key_column.h"
#include "backend/processors.h"
#include "backend/threads.h"

/* Threads that number rows take so many at a time; fewer rows are numbered by the caller alone. */
enum { THREADS_MOST = 16, ROWS_AT_ONCE = 4096, ROWS_A_THREAD = 32768 };

enum { NO_TABLES = 1 }; /* gecc_config.key_table_bytes */

#define NO_NUMBER UINT32_MAX

/* What threads share that number the rows of a column of keys. */
struct numbering {
    const gecc_rows *keys;
    uint64_t seed[2];
    size_t rows, most;      /* most: keys */
    _Atomic uint32_t *slot; /* of a hash table: a key's number + 1, or 0 */
    size_t mask;            /* slots less 1 */
    uint32_t *first;        /* a row that has the key of this number, written before the number is in a slot */
    uint32_t *number;       /* of each row's key */
    atomic_size_t next;     /* row that no thread has taken */
    _Atomic uint32_t count; /* numbers that were given out */
    _Atomic uint32_t spare; /* of these, that no row has */
    atomic_bool too_many;
};

/* The number of row i's key. *spare: a number of this thread's that no key has yet, or NO_NUMBER. Returns false where
 * there would be too many. */
static bool number_row(struct numbering *n, size_t i, uint32_t *spare) {
    const struct key_encoding key = key_at(n->keys, i);
    for (size_t at = key_hash(n->seed, key) & n->mask;; at = (at + 1) & n->mask) {
        uint32_t found = atomic_load_explicit(&n->slot[at], memory_order_acquire);
        if (found == 0) {
            if (*spare == NO_NUMBER)
                *spare = atomic_fetch_add(&n->count, 1);
            if (*spare >= n->most)
                return false;
            n->first[*spare] = (uint32_t)i;
            if (atomic_compare_exchange_strong(&n->slot[at], &found, *spare + 1)) {
                n->number[i] = *spare;
                *spare = NO_NUMBER;
                return true;
            }
        }
        if (keys_equal(key, key_at(n->keys, n->first[found - 1]))) {
            n->number[i] = found - 1;
            return true;
        }
    }
}

/* Take rows and number them until there are none left. A number that is left over keeps the row that it had in mind:
 * then a key has two tables, one of which nobody uses. */
static void *number_rows(void *argument) {
    struct numbering *n = argument;
    uint32_t spare = NO_NUMBER;
    while (!atomic_load(&n->too_many)) {
        size_t i = atomic_fetch_add(&n->next, ROWS_AT_ONCE);
        if (i >= n->rows)
            break;
        for (const size_t end = n->rows - i < ROWS_AT_ONCE ? n->rows : i + ROWS_AT_ONCE; i < end; i++)
            if (!number_row(n, i, &spare)) {
                atomic_store(&n->too_many, true);
                break;
            }
    }
    if (spare != NO_NUMBER)
        atomic_fetch_add(&n->spare, 1);
    return NULL;
}

static unsigned threads_for(size_t rows) {
    size_t threads = processors_allowed();
    if (threads > rows / ROWS_A_THREAD)
        threads = rows / ROWS_A_THREAD;
    return threads < 1 ? 1 : threads > THREADS_MOST ? THREADS_MOST : (unsigned)threads;
}

/* By this thread, and others where they can be had. */
static void number_all(struct numbering *n) {
    pthread_t thread[THREADS_MOST];
    unsigned started = 0;
    for (unsigned threads = threads_for(n->rows); started + 1 < threads; started++)
        if (thread_start(&thread[started], number_rows, n) != 0)
            break;
    (void)number_rows(n);
    for (unsigned i = 0; i < started; i++)
        pthread_join(thread[i], NULL);
}

/* What `memory` of struct numbered is: all that a job with numbers points to. */
struct columns {
    uint32_t *number, *first;
    uint64_t *offsets; /* of a point of each key in the caller's column */
    uint32_t *widths;
    uint8_t *points, *status; /* points: where the caller's are x-only */
};

static void columns_free(struct columns *columns) {
    if (columns == NULL)
        return;
    free(columns->number);
    free(columns->first);
    free(columns->offsets);
    free(columns->widths);
    free(columns->points);
    free(columns->status);
    free(columns);
}

static bool columns_make_keys(struct columns *columns, size_t keys) {
    columns->offsets = malloc(keys * sizeof columns->offsets[0]);
    columns->widths = malloc(keys * sizeof columns->widths[0]);
    columns->points = malloc(keys * KEY_COMPRESSED_BYTES);
    columns->status = malloc(keys);
    return columns->offsets != NULL && columns->widths != NULL && columns->points != NULL && columns->status != NULL;
}

/* Fill number and first. Returns how many numbers there are, of which *spare have no row; 0: more than `most`, or no
 * memory. */
static size_t number_keys(struct columns *columns, const struct job *job, const uint64_t seed[2], size_t most,
                          size_t *spare) {
    const size_t rows = gecc_is_one_key(&job->in[0]) ? 1 : job->count;
    struct numbering n = {.keys = &job->in[0], .seed = {seed[0], seed[1]}, .rows = rows, .most = most, .mask = 1};
    while (n.mask < 4 * most)
        n.mask = 2 * n.mask + 1;
    n.slot = calloc(n.mask + 1, sizeof n.slot[0]);
    n.number = columns->number = malloc(rows * sizeof n.number[0]);
    n.first = columns->first = malloc(most * sizeof n.first[0]);
    bool made = n.slot != NULL && n.number != NULL && n.first != NULL;
    if (made)
        number_all(&n);
    free((void *)n.slot);
    *spare = atomic_load(&n.spare);
    return !made || atomic_load(&n.too_many) ? 0 : atomic_load(&n.count);
}

/* The column of the keys' points. */
static gecc_rows points_of(const struct columns *columns, const struct job *job, size_t keys) {
    gecc_rows points = job->in[0];
    for (size_t k = 0; k < keys; k++) {
        const size_t row = columns->first[k];
        columns->offsets[k] = points.offsets != NULL ? points.offsets[row] : row * points.stride;
        columns->widths[k] = points.widths != NULL ? points.widths[row] : (uint32_t)points.width;
    }
    points.offsets = columns->offsets;
    if (points.widths != NULL)
        points.widths = columns->widths;
    return job->operation == OPERATION_SCHNORR_VERIFY
               ? gecc_x_only_points(&points, keys, columns->points, columns->widths)
               : points;
}

/* The job with numbers: what takes them is little-endian, as every host is that has a GPU. */
static void numbered_set(struct numbered *numbered, const struct columns *columns, const struct job *job, size_t keys,
                         size_t memory) {
    numbered->keys = numbered->rows = *job;
    numbered->keys.in[0] = points_of(columns, job, keys);
    numbered->keys.status = gecc_out_packed(columns->status, 1);
    numbered->keys.count = keys;
    numbered->rows.operation = gecc_operation_by_keys(job->operation);
    numbered->rows.in[0] = gecc_is_one_key(&job->in[0]) ? gecc_rows_same(columns->number, sizeof columns->number[0])
                                                        : gecc_rows_packed(columns->number, sizeof columns->number[0]);
    numbered->rows.keys = (struct key_set){.count = (uint32_t)keys, .status = columns->status};
    numbered->plan = (struct key_plan){.rows = job->count / keys, .memory = memory};
}

bool gecc_numbered_make(struct numbered *numbered, const struct job *job, size_t memory) {
    uint64_t seed[2];
    if (memory == NO_TABLES || gecc_operation_by_keys(job->operation) == OPERATION_COUNT)
        return false;
    const size_t least = gecc_key_rows_least_gpu(job->curve);
    if (!gecc_keys_repeat(job, seed, 2 * least)) /* numbering many keys in vain would take long */
        return false;
    struct columns *columns = calloc(1, sizeof *columns);
    size_t keys = 0, spare = 0;
    if (columns != NULL)
        keys = number_keys(columns, job, seed, job->count / least, &spare);
    numbered->memory = columns;
    if (keys == 0 || !columns_make_keys(columns, keys)) {
        columns_free(columns);
        return false;
    }
    numbered_set(numbered, columns, job, keys, memory);
    numbered->different = keys - spare;
    return true;
}

void gecc_numbered_free(struct numbered *numbered) { columns_free(numbered->memory); }
