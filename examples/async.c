/* Calls that return at once: two batches are under way while the program does something else. */
#include <gecc/gecc.h>
#include <stdio.h>

enum { BATCHES = 2, COUNT = 1000 };

/* What a job reads and writes lives until the job is done. */
static struct batch {
    uint8_t scalar[COUNT][32], point[COUNT][65], status[COUNT];
    gecc_report report;
    gecc_job *job;
} batches[BATCHES];

static gecc_result start(gecc_context *context, struct batch *batch, int number) {
    gecc_options options = GECC_OPTIONS_INIT; /* may go when the call returns */
    batch->report = (gecc_report)GECC_REPORT_INIT;
    options.report = &batch->report;
    options.job = &batch->job;
    for (int i = 0; i < COUNT; i++) {
        batch->scalar[i][0] = (uint8_t)number;
        batch->scalar[i][30] = (uint8_t)(i >> 8);
        batch->scalar[i][31] = (uint8_t)i;
    }
    return gecc_ec_mul_base(context, GECC_P256, gecc_out_packed(batch->point, 65), gecc_out_packed(batch->status, 1),
                            gecc_rows_packed(batch->scalar, 32), COUNT, &options);
}

int main(void) {
    gecc_context *context;
    int failed = 0;
    if (gecc_open(&context, NULL) != GECC_OK)
        return 1;
    for (int b = 0; b < BATCHES; b++)
        if (start(context, &batches[b], b + 1) != GECC_OK)
            return 1;

    /* gecc_poll says GECC_PENDING until the job is done; gecc_wait waits, frees the job and gives the call's result. */
    while (gecc_poll(batches[0].job) == GECC_PENDING)
        ;
    for (int b = 0; b < BATCHES; b++) {
        failed |= gecc_wait(batches[b].job) != GECC_OK;
        int good = 0;
        for (int i = 0; i < COUNT; i++)
            good += batches[b].status[i] == GECC_ITEM_OK;
        printf("batch %d: %d of %d rows on %s\n", b, good, COUNT, batches[b].report.backend);
    }
    gecc_close(context);
    return failed;
}
