#include "ledger/call.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/sized.h"
#include "backend/clock.h"

/* Bytes of the options in their first version; and rows that are worth a thread, of some 300 ns each. */
enum {
    OPTIONS_LEAST = offsetof(gecc_ethereum_options, report) + sizeof(gecc_report *),
    ROWS_OF_A_THREAD = 1024,
    ROWS_OF_A_BLOCK = 256,
    DEVICES_MOST = 64
};

void ledger_take(struct ledger_call *ledger, const char *operation, gecc_context *context, gecc_out status,
                 size_t statuses, gecc_rows transactions, size_t count, const gecc_ethereum_options *options) {
    static const gecc_column column = {"transactions", "the transactions", GECC_KIND_MESSAGE, GECC_PUBLIC, false,
                                       false};
    static const gecc_widths widths = {.least = 0, .most = UINT32_MAX};
    struct call *call = &ledger->call;
    *ledger = (struct ledger_call){.call.result = GECC_OK,
                                   .count = count,
                                   .options = GECC_ETHEREUM_OPTIONS_INIT,
                                   .started = seconds_now(),
                                   .report = GECC_REPORT_INIT};
    gecc_take_status(call, context, status, statuses, ROWS_MOST);
    if (options != NULL)
        gecc_take_struct(call, "options", &ledger->options, sizeof ledger->options, OPTIONS_LEAST, options,
                         options->size);
    gecc_take_flags(call, operation, ledger->options.flags, GECC_ANY_S | GECC_LOW_S, 0);
    gecc_take_report(call, ledger->options.report);
    if (count > ROWS_MOST)
        refuse(call, "count: %zu rows are more than memory can hold", count);
    ledger->transactions = gecc_take_rows(call, &column, &widths, transactions, count);
    gecc_take_rows_from_host(call, column.name, &transactions);
    gecc_take_from_host(call, "status", status.data);
}

void ledger_take_output(struct ledger_call *ledger, const char *name, gecc_out out, size_t rows, size_t width,
                        bool is_optional) {
    const gecc_column column = {name, "", GECC_KIND_MESSAGE, GECC_PUBLIC, true, is_optional};
    const gecc_widths widths = {width, width, 1, {width}};
    if (out.widths != NULL)
        refuse(&ledger->call, "%s: widths is not NULL, and all rows have %zu bytes", name, width);
    gecc_take_out(&ledger->call, &column, &widths, out, rows);
    gecc_take_from_host(&ledger->call, name, out.data);
}

/* As many as the CPU backend has, or as are worth it. */
static unsigned threads_for(const struct ledger_call *ledger) {
    gecc_backend_info info = GECC_BACKEND_INFO_INIT;
    unsigned threads = 1;
    size_t worth = ledger->count / ROWS_OF_A_THREAD;
    for (size_t i = 0; worth > 1 && i < gecc_backends(ledger->call.context, i, &info); i++)
        threads = info.threads > threads ? info.threads : threads;
    return worth < threads ? (unsigned)(worth == 0 ? 1 : worth) : threads;
}

struct pool *ledger_pool(const struct ledger_call *ledger) {
    const unsigned threads = threads_for(ledger);
    struct pool *pool = NULL;
    return threads > 1 && gecc_pool_open(&pool, threads) == GECC_OK ? pool : NULL;
}

struct blocks {
    size_t rows;
    ledger_work *work;
    void *argument;
};

static void work_on_block(void *argument, size_t index) {
    const struct blocks *blocks = argument;
    const size_t first = index * ROWS_OF_A_BLOCK, left = blocks->rows - first;
    blocks->work(blocks->argument, first, first + (left < ROWS_OF_A_BLOCK ? left : ROWS_OF_A_BLOCK));
}

void ledger_for(struct pool *pool, size_t rows, ledger_work *work, void *argument) {
    struct blocks blocks = {rows, work, argument};
    gecc_pool_for(pool, rows / ROWS_OF_A_BLOCK + (rows % ROWS_OF_A_BLOCK != 0), work_on_block, &blocks);
}

/* How many rows GPUs computed, by their numbers: "0: 4194304, 1: 4194304". */
struct devices {
    size_t count;
    struct {
        long number;
        unsigned long long rows;
    } device[DEVICES_MOST];
};

static void devices_add(struct devices *devices, const char *text) {
    for (char *end; *text != 0; text = end + strspn(end, ", ")) {
        const long number = strtol(text, &end, 10);
        if (*end != ':')
            return;
        const unsigned long long rows = strtoull(end + 1, &end, 10);
        size_t i = 0;
        while (i < devices->count && devices->device[i].number != number)
            i++;
        if (i == DEVICES_MOST)
            return;
        devices->count += i == devices->count;
        devices->device[i].number = number;
        devices->device[i].rows += rows;
    }
}

static void devices_write(const struct devices *devices, char *text, size_t room) {
    size_t used = 0;
    for (size_t i = 0; i < devices->count && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%ld: %llu", i == 0 ? "" : ", ", devices->device[i].number,
                                 devices->device[i].rows);
}

/* Names of backends in `text`, of `size` bytes, between commas: add those of `more` that are not there, where there is
 * room. */
static void backends_add(char *text, size_t size, const char *more) {
    for (size_t length; *more != 0; more += length + strspn(more + length, ", ")) {
        char name[sizeof((gecc_report *)NULL)->backend];
        const size_t used = strlen(text);
        length = strcspn(more, ",");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, more);
        if (strstr(text, name) == NULL && used + 2 + length < size)
            (void)snprintf(text + used, size - used, "%s%s", used == 0 ? "" : ", ", name);
    }
}

void ledger_add_report(struct ledger_call *ledger, const gecc_report *report) {
    gecc_report *sum = &ledger->report;
    struct devices devices = {.count = 0};
    devices_add(&devices, sum->devices);
    devices_add(&devices, report->devices);
    devices_write(&devices, sum->devices, sizeof sum->devices);
    sum->kernel_seconds += report->kernel_seconds;
    if (sum->backend[0] == 0) {
        memcpy(sum->detail, report->detail, sizeof sum->detail);
        memcpy(sum->reason, report->reason, sizeof sum->reason);
    }
    backends_add(sum->backend, sizeof sum->backend, report->backend);
}

gecc_result ledger_finish(struct ledger_call *ledger, gecc_result result) {
    gecc_report *wanted = ledger->options.report;
    ledger->report.seconds = seconds_now() - ledger->started;
    if (wanted != NULL)
        gecc_sized_give(wanted, wanted->size, &ledger->report, sizeof ledger->report);
    return result;
}
