/* The jobs of these tests written down, with their curves and results, for tests/cuda/small_groups.cu to repeat on a
 * GPU: into a file called like the curve in the folder GECC_RECORD, if that is set and this is the model of the GPU's
 * machine.
 *
 * Records, each a struct record, then: of a curve struct curve; of a job struct job, whose addresses say only which
 * columns there are, then those columns and the statuses as they are after it. */
#ifndef TESTS_SCHEME_RECORD_H
#define TESTS_SCHEME_RECORD_H

#include <stdio.h>
#include <stdlib.h>

#include "curve/curve.h"
#include "scheme/job.h"

enum { RECORD_CURVE = 1, RECORD_JOB = 2 };

struct record {
    uint32_t kind;
    uint32_t rows;
    uint64_t bytes; /* that follow */
};

#ifndef __CUDACC__

static FILE *record_file;

static void record_open(const char *name) {
    const char *folder = getenv("GECC_RECORD");
    char path[4096];
    if (folder == NULL || sizeof(limb) != sizeof(uint32_t))
        return;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    record_file = fopen(path, "wb");
    if (record_file == NULL)
        perror(path);
}

static void record_close(void) {
    if (record_file != NULL && fclose(record_file) != 0)
        perror("GECC_RECORD");
}

/* A column may be none. */
static void record_bytes(const void *data, size_t bytes) {
    if (record_file != NULL && data != NULL && fwrite(data, bytes, 1, record_file) != 1)
        perror("GECC_RECORD");
}

static void record_curve(const struct curve *curve) {
    const struct record record = {RECORD_CURVE, 0, sizeof *curve};
    if (record_file == NULL)
        return;
    record_bytes(&record, sizeof record);
    record_bytes(curve, sizeof *curve);
}

static void record_job(const struct job *job, size_t rows) {
    struct record record = {RECORD_JOB, (uint32_t)rows, sizeof *job + rows};
    if (record_file == NULL)
        return;
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        record.bytes += job->in[i].data == NULL ? 0 : rows * job->in[i].stride;
    for (unsigned i = 0; i < JOB_OUTPUTS; i++)
        record.bytes += job->out[i].data == NULL ? 0 : rows * job->out[i].stride;
    record_bytes(&record, sizeof record);
    record_bytes(job, sizeof *job);
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        record_bytes(job->in[i].data, rows * job->in[i].stride);
    for (unsigned i = 0; i < JOB_OUTPUTS; i++)
        record_bytes(job->out[i].data, rows * job->out[i].stride);
    record_bytes(job->status.data, rows);
}

#endif

#endif
