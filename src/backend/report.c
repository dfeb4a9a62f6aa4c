#include "backend/report.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* text, of `size` bytes, is how many rows each device computed (gecc_report.devices): add what another report says of
 * that. */
static void add_devices(char *text, size_t size, const char *more) {
    enum { DEVICES_MOST = 64 };
    size_t rows[DEVICES_MOST] = {0}, length = 0;
    const char *const texts[] = {text, more};
    for (int i = 0; i < 2; i++)
        for (const char *at = texts[i]; *at != 0; at += strspn(at, ", ")) {
            char *end;
            const unsigned long number = strtoul(at, &end, 10);
            const unsigned long long here = strtoull(*end == ':' ? end + 1 : end, &end, 10);
            if (end == at || number >= DEVICES_MOST)
                break;
            rows[number] += here;
            at = end;
        }
    text[0] = 0;
    for (size_t i = 0; i < DEVICES_MOST && length < size; i++)
        if (rows[i] != 0)
            length += (size_t)snprintf(text + length, size - length, "%s%zu: %zu", length == 0 ? "" : ", ", i, rows[i]);
}

void gecc_report_add(gecc_report *sum, size_t most, const gecc_report *part, size_t rows) {
    const gecc_report before = *sum;
    const bool is_largest = rows >= most;
    if (is_largest)
        *sum = *part;
    if (most != 0 && strcmp(before.backend, part->backend) != 0) {
        (void)snprintf(sum->backend, sizeof sum->backend, "cuda, cpu");
        (void)snprintf(sum->reason, sizeof sum->reason, "tried on both; %.70s",
                       is_largest ? part->reason : before.reason);
    }
    memcpy(sum->devices, before.devices, sizeof sum->devices);
    add_devices(sum->devices, sizeof sum->devices, part->devices);
    sum->seconds = before.seconds + part->seconds;
    sum->kernel_seconds = before.kernel_seconds + part->kernel_seconds;
    sum->prepared_keys = before.prepared_keys + part->prepared_keys;
    sum->prepared_rows = before.prepared_rows + part->prepared_rows;
}
