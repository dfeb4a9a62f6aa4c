#include "bench/report.h"

#include <gecc/gecc.h>

#include <string.h>

#ifndef GECC_COMMIT
#define GECC_COMMIT "unknown" /* not built from a repository */
#endif

/* What the line "NAME : ..." of the first processor says. */
static void processor_says(const char *name, char *out, size_t size) {
    char line[256];
    FILE *file = fopen("/proc/cpuinfo", "r");
    snprintf(out, size, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, name, strlen(name)) != 0 || !colon)
            continue;
        snprintf(out, size, "%.*s", (int)strcspn(colon + 2, "\"\\\n"), colon + 2);
        break;
    }
    if (file)
        fclose(file);
}

void bench_heading_text(char *out, size_t size, const struct bench_heading *heading) {
    char processor[128], clock[32];
    processor_says("model name", processor, sizeof processor);
    processor_says("cpu MHz", clock, sizeof clock);
    snprintf(out, size, "gecc %d.%d.%d, commit %s; %s at %s MHz; %s (%s); median, lowest and highest of %zu runs",
             GECC_VERSION_MAJOR, GECC_VERSION_MINOR, GECC_VERSION_PATCH, GECC_COMMIT, processor, clock,
             heading->backend, heading->detail, heading->runs);
}

void bench_print_heading(const struct options *options, const struct bench_heading *heading) {
    char processor[128], clock[32], version[64];
    processor_says("model name", processor, sizeof processor);
    processor_says("cpu MHz", clock, sizeof clock);
    snprintf(version, sizeof version, "%d.%d.%d", GECC_VERSION_MAJOR, GECC_VERSION_MINOR, GECC_VERSION_PATCH);
    if (options->json) {
        printf("{\"version\":\"%s\",\"commit\":\"%s\",\"machine\":\"%s\",\"clock_mhz\":\"%s\",\"backend\":\"%s\","
               "\"detail\":\"%s\",\"batch\":%zu,\"runs\":%zu}\n",
               version, GECC_COMMIT, processor, clock, heading->backend, heading->detail, heading->batch,
               heading->runs);
        return;
    }
    char text[400];
    bench_heading_text(text, sizeof text, heading);
    printf("%s\n", text);
    printf("time: " TIME_KERNEL ": the GPU's own; " TIME_PINNED ", " TIME_PAGEABLE
           ": from call to return with rows in such memory of the host, transfers counted\n");
    printf("results are compared with those of %s\n", heading->checked);
    printf("%-31s %-10s %9s %-9s %14s %14s %14s %10s\n", "operation", "curve", "batch", "time", "items/s", "lowest",
           "highest", options->device_count_count ? "efficiency" : "ns/item");
}

/* Where the rows of a line ran can differ from line to line: some batches are too small for a vector unit or a GPU. */
void bench_print_line(const struct options *options, const struct bench_line *line) {
    const struct summary *rate = &line->rate;
    if (options->json)
        printf("{\"operation\":\"%s\",\"curve\":\"%s\",\"batch\":%zu,\"time\":\"%s\",\"transfers\":%s,"
               "\"backend\":\"%s\",\"detail\":\"%s\",\"items_per_second\":%.0f,\"low\":%.0f,\"high\":%.0f}\n",
               line->operation, line->domain, line->batch, line->time,
               strcmp(line->time, TIME_KERNEL) == 0 ? "false" : "true", line->backend, line->detail, rate->median,
               rate->low, rate->high);
    else
        printf("%-31s %-10s %9zu %-9s %14.0f %14.0f %14.0f %10.4g  %s (%s)\n", line->operation, line->domain,
               line->batch, line->time, rate->median, rate->low, rate->high, 1e9 / rate->median, line->backend,
               line->detail);
    fflush(stdout);
}

void bench_print_scaling(const struct options *options, const struct bench_scaling *scaling) {
    const struct bench_line *line = &scaling->line;
    if (options->json)
        printf("{\"operation\":\"%s\",\"curve\":\"%s\",\"batch\":%zu,\"time\":\"%s\",\"transfers\":true,"
               "\"backend\":\"%s\",\"devices\":%zu,\"detail\":\"%s\","
               "\"items_per_second\":%.0f,\"low\":%.0f,\"high\":%.0f,\"efficiency\":%.4f}\n",
               line->operation, line->domain, line->batch, line->time, line->backend, scaling->devices, line->detail,
               line->rate.median, line->rate.low, line->rate.high, scaling->efficiency);
    else
        printf("%-31s %-10s %9zu %-9s %14.0f %14.0f %14.0f %10.3f  devices: %zu (%s)\n", line->operation, line->domain,
               line->batch, line->time, line->rate.median, line->rate.low, line->rate.high, scaling->efficiency,
               scaling->devices, line->detail);
    fflush(stdout);
}
