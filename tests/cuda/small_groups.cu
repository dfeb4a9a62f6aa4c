/* The library's kernels on groups of small prime order: repeats on a GPU the jobs that tests/scheme has checked against
 * the groups' equations, and compares. scripts/gpu-groups compiles it for each curve, with CURVE_CONSTANTS, the curve's
 * header, and CURVE_WORDS, and runs it.
 *
 * usage: small_groups FILE      written by the tests (tests/scheme/record.h)
 *
 * The source is that of libgecc_cuda's kernels; the curve's constants, but for its prime and a, are variables. */
enum {
    LIMBS = CURVE_WORDS,
    WORDS = CURVE_WORDS,
    BLOCK_THREADS = CURVE_WORDS > 8 ? 384 : 512,
    MULTIPROCESSOR_BLOCKS = 1
};

#define BATCH_WINDOWS "support/small_group_windows.h"
#include "limbs/ptx/multiply.h"

#define CURVE FIELD_CURVE
#include CURVE_CONSTANTS
#undef CURVE

#include "curve/small_curve.h"

#include "scheme/curve_programs.h"

#include "scheme/record.h"
#include "support/base_tables.h"

#define PROGRAMS "cuda/small_groups.def"
#define KERNEL_TABLES(l) (l)->tables
#include "backend/cuda/kernels/kernels.cuh"

#include <string.h>

enum { ROWS_MOST = 512, SCRATCH_BYTES = ROWS_MOST * CHUNK_SLOT_BYTES + CHUNK_BYTES + TEST_TABLES_SCRATCH };

/* By one thread. */
__global__ void make_tables(void *tables, void *scratch) {
    struct arena arena = {(uint8_t *)scratch, SCRATCH_BYTES, 0};
    test_tables_fill(tables, &arena);
}

/* Blocks and threads of launches, one after the other: full blocks, few threads, several rows a thread, idle
 * threads. */
static const struct {
    unsigned blocks, threads;
} grids[] = {{1, BLOCK_THREADS}, {4, 128}, {16, 32}, {1, 128}, {3, 128}, {2, 256}};

static unsigned grid;

typedef void kernel(struct launch);

static kernel *kernel_of(enum operation operation) {
#undef PROGRAM
#define PROGRAM(identifier, function)                                                                                  \
    if (operation == OPERATION_##identifier)                                                                           \
        return gecc_kernel_##function;
#include "scheme/programs.h"
    return NULL;
}

static void require(int holds, const char *what) {
    if (!holds) {
        fprintf(stderr, "small_groups: %s: %s\n", what, cudaGetErrorString(cudaGetLastError()));
        exit(EXIT_FAILURE);
    }
}

static void *device_memory(size_t bytes) {
    void *memory = NULL;
    require(cudaMalloc(&memory, bytes) == cudaSuccess, "cudaMalloc");
    return memory;
}

/* A job on the device: its columns in one piece of memory, as in its record. */
struct replay {
    uint8_t *columns;
    uint32_t *faults;
    void *scratch, *tables;
    size_t jobs, rows, wrong;
};

static struct replay replay_open(size_t columns_bytes) {
    struct replay r = {};
    r.columns = (uint8_t *)device_memory(columns_bytes);
    r.faults = (uint32_t *)device_memory(sizeof *r.faults);
    r.scratch = device_memory(SCRATCH_BYTES);
    r.tables = device_memory(TEST_TABLES_BYTES);
    return r;
}

static void replay_curve(struct replay *r, const uint8_t *record, size_t bytes) {
    require(bytes == sizeof small_curve, "another version of struct curve");
    require(cudaMemcpyToSymbol(small_curve, record, bytes) == cudaSuccess, "cudaMemcpyToSymbol");
    make_tables<<<1, 1>>>(r->tables, r->scratch);
    require(cudaDeviceSynchronize() == cudaSuccess, "tables");
}

/* How many rows of the job's outputs and statuses are not those of its record. */
static size_t rows_that_differ(const struct job *job, const uint8_t *expected, const uint8_t *found, size_t rows) {
    size_t wrong = 0;
    for (size_t row = 0; row < rows; row++) {
        const uint8_t *e = expected, *f = found;
        int same = 1;
        for (unsigned i = 0; i < JOB_OUTPUTS; i++)
            if (job->out[i].data != NULL) {
                size_t stride = job->out[i].stride;
                same = same && memcmp(e + row * stride, f + row * stride, stride) == 0;
                e += rows * stride;
                f += rows * stride;
            }
        wrong += !(same && e[row] == f[row]);
    }
    return wrong;
}

static void replay_job(struct replay *r, const uint8_t *record, size_t bytes, size_t rows) {
    static uint8_t found[1 << 20];
    struct launch l = {};
    size_t at = 0;
    memcpy(&l.job, record, sizeof l.job);
    record += sizeof l.job;
    bytes -= sizeof l.job;
    kernel *function = kernel_of(l.job.operation);
    require(function != NULL && rows <= ROWS_MOST && bytes <= sizeof found, "no such job");
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        if (l.job.in[i].data != NULL) {
            l.job.in[i].data = r->columns + at;
            at += rows * l.job.in[i].stride;
        }
    const struct job recorded = l.job;
    size_t outputs = at;
    for (unsigned i = 0; i < JOB_OUTPUTS; i++)
        if (l.job.out[i].data != NULL) {
            l.job.out[i].data = r->columns + at;
            at += rows * l.job.out[i].stride;
        }
    l.job.status = gecc_out_packed(r->columns + at, 1);
    l.count = rows;
    l.workspace = r->scratch;
    l.workspace_bytes = SCRATCH_BYTES;
    l.tables = r->tables;
    l.faults = r->faults;
    require(at + rows == bytes, "a record of another length");
    require(cudaMemcpy(r->columns, record, outputs, cudaMemcpyHostToDevice) == cudaSuccess &&
                cudaMemset(r->columns + outputs, 0xa5, bytes - outputs) == cudaSuccess &&
                cudaMemset(r->faults, 0, sizeof *r->faults) == cudaSuccess,
            "copying");
    grid = (grid + 1) % (sizeof grids / sizeof grids[0]);
    function<<<grids[grid].blocks, grids[grid].threads>>>(l);
    require(cudaDeviceSynchronize() == cudaSuccess, "a kernel");
    uint32_t fault;
    require(cudaMemcpy(found, r->columns + outputs, bytes - outputs, cudaMemcpyDeviceToHost) == cudaSuccess &&
                cudaMemcpy(&fault, r->faults, sizeof fault, cudaMemcpyDeviceToHost) == cudaSuccess,
            "copying back");
    size_t wrong = rows_that_differ(&recorded, record + outputs, found, rows);
    if (wrong != 0 || fault != 0)
        printf("operation %d, flags %x, %u blocks of %u threads: %zu of %zu rows differ%s\n", (int)l.job.operation,
               (unsigned)l.job.flags, grids[grid].blocks, grids[grid].threads, wrong, rows,
               fault != 0 ? "; a signature failed its check" : "");
    r->jobs++;
    r->rows += rows;
    r->wrong += wrong + (fault != 0);
}

int main(int argc, char **argv) {
    static uint8_t bytes[1 << 20];
    struct record record;
    size_t curves = 0;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL) {
        fprintf(stderr, "usage: small_groups FILE\n");
        return EXIT_FAILURE;
    }
    struct replay replay = replay_open(sizeof bytes);
    while (fread(&record, sizeof record, 1, file) == 1) {
        require(record.bytes <= sizeof bytes && fread(bytes, record.bytes, 1, file) == 1, "a record is cut off");
        if (record.kind == RECORD_CURVE) {
            replay_curve(&replay, bytes, record.bytes);
            curves++;
        } else {
            replay_job(&replay, bytes, record.bytes, record.rows);
        }
    }
    (void)fclose(file);
    printf("%s: %zu curves, %zu jobs, %zu rows, %zu wrong\n", argv[1], curves, replay.jobs, replay.rows, replay.wrong);
    return replay.rows != 0 && replay.wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
