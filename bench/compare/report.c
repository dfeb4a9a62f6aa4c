/* Text for people, or one JSON object a line. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>

static const struct library *const libraries[] = {
    &library_gecc,
    &library_openssl,
    &library_secp256k1,
#ifdef HAVE_LIBSODIUM
    &library_libsodium,
#endif
};

static void print_versions(bool json) {
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        char version[64];
        libraries[i]->version(version, sizeof version);
        printf(json ? ",\"%s\":\"%s\"" : "%s %s; ", libraries[i]->name, version);
    }
}

static const char *clock_name(clockid_t clock) { return clock == CLOCK_MONOTONIC ? "wall" : "CPU"; }

static void print_heading_json(const struct heading *heading, const char *machine, double load) {
    printf("{\"machine\":\"%s\",\"clock_hz\":%.3e,\"load\":%.2f", machine, machine_clock(), load);
    print_versions(true);
    if (heading->gecc)
        printf(",\"backend\":\"%s\",\"detail\":\"%s\",\"reason\":\"%s\"", heading->gecc->backend, heading->gecc->detail,
               heading->gecc->reason);
    printf(",\"core\":%d,\"threads\":%u,\"parallelism\":%.2f,\"rounds\":%zu,\"time\":\"%s\",\"other_time\":\"%s\"}\n",
           heading->core, heading->threads, heading->parallelism, heading->settings.rounds,
           clock_name(heading->settings.clock), clock_name(heading->settings.other_clock));
}

static void print_machine(const struct heading *heading, const char *machine, double load) {
    printf("%s, about %.2f GHz, load %.2f, ", machine, machine_clock() / 1e9, load);
    if (heading->core < 0)
        printf("any core\n");
    else
        printf("core %d\n", heading->core);
    print_versions(false);
}

static void print_heading_text(const struct heading *heading, const char *machine, double load) {
    const char *choice = getenv("GECC_CPU");
    print_machine(heading, machine, load);
    printf("GECC_CPU=%s\n", choice ? choice : "(unset)");
    printf("gecc runs on %s: %s (%s); rows in host memory\n", heading->gecc->backend, heading->gecc->detail,
           heading->gecc->reason);
    if (heading->threads > 1)
        printf("%u spinning threads do %.2f times the work of one here\n", heading->threads, heading->parallelism);
    printf("median of %zu alternating rounds of %.3f s or longer, %s time; spread is lowest and highest; "
           "the last ratio is by %s time\n\n",
           heading->settings.rounds, heading->settings.seconds, clock_name(heading->settings.clock),
           clock_name(heading->settings.other_clock));
    printf("%-9s  %-10s  %-12s  %5s  %12s  %10s  %-13s  %10s  %-13s  %5s  %-13s  %5s  %s\n", "curve", "operation",
           "other", "batch", "us/call", heading->first, "spread", heading->second, "spread", "ratio", "spread",
           clock_name(heading->settings.other_clock), "target");
}

void print_heading(const struct heading *heading, bool json) {
    char machine[128];
    double load = 0;
    machine_name(machine, sizeof machine);
    getloadavg(&load, 1);
    if (json)
        print_heading_json(heading, machine, load);
    else
        print_heading_text(heading, machine, load);
}

void print_latency_heading(const struct heading *heading, bool json) {
    char machine[128];
    double load = 0;
    if (json) {
        print_heading(heading, true);
        return;
    }
    machine_name(machine, sizeof machine);
    getloadavg(&load, 1);
    print_machine(heading, machine, load);
    printf("one thread; rows in host memory\nmedian of %zu alternating rounds of %.3f s or longer, %s time; spread is "
           "lowest and highest\n\n",
           heading->settings.rounds, heading->settings.seconds, clock_name(heading->settings.clock));
    printf("%-9s  %-9s  %-12s  %7s  %12s  %10s  %s\n", "curve", "operation", "code", "batch", "us/call", "us/item",
           "spread");
}

static void print_rate(const struct summary *rate) {
    char text[32];
    snprintf(text, sizeof text, "%+.1f%% %+.1f%%", 100 * (rate->low / rate->median - 1),
             100 * (rate->high / rate->median - 1));
    printf("  %10.0f  %-13s", rate->median, text);
}

static void print_line_text(const struct line *line) {
    const struct outcome *o = &line->outcome;
    printf("%-9s  %-10s  %-12s  %5zu  %12.1f", gecc_curve_name(line->curve), line->operation, line->second, line->batch,
           1e6 * (double)line->batch / o->first.median);
    print_rate(&o->first);
    print_rate(&o->second);
    char text[32];
    snprintf(text, sizeof text, "%.2f %.2f", o->ratio.low, o->ratio.high);
    printf("  %5.2f  %-13s  %5.2f", o->ratio.median, text, o->other_ratio.median);
    if (line->target > 0)
        printf("  %.2f %s", line->target, o->ratio.median >= line->target ? "met" : "MISSED");
    printf("\n");
}

static void print_summary_json(const char *name, const struct summary *summary) {
    printf(",\"%s\":{\"median\":%.6g,\"low\":%.6g,\"high\":%.6g}", name, summary->median, summary->low, summary->high);
}

static void print_line_json(const struct line *line) {
    const struct outcome *o = &line->outcome;
    printf("{\"curve\":\"%s\",\"operation\":\"%s\",\"batch\":%zu,\"first\":\"%s\",\"second\":\"%s\"",
           gecc_curve_name(line->curve), line->operation, line->batch, line->first, line->second);
    print_summary_json("first_items_per_second", &o->first);
    print_summary_json("second_items_per_second", &o->second);
    print_summary_json("ratio", &o->ratio);
    print_summary_json("other_ratio", &o->other_ratio);
    if (line->target > 0)
        printf(",\"target\":%.3f,\"met\":%s", line->target, o->ratio.median >= line->target ? "true" : "false");
    printf("}\n");
}

void print_latency_line(const struct latency_line *line, bool json) {
    double call = (double)line->batch / line->rate.median, low = (double)line->batch / line->rate.high,
           high = (double)line->batch / line->rate.low;
    if (json)
        printf("{\"curve\":\"%s\",\"operation\":\"%s\",\"code\":\"%s\",\"batch\":%zu,\"seconds_per_call\":{\"median\":"
               "%.6g,\"low\":%.6g,\"high\":%.6g}}\n",
               gecc_curve_name(line->curve), line->operation, line->code, line->batch, call, low, high);
    else
        printf("%-9s  %-9s  %-12s  %7zu  %12.1f  %10.3f  %+.1f%% %+.1f%%\n", gecc_curve_name(line->curve),
               line->operation, line->code, line->batch, 1e6 * call, 1e6 / line->rate.median, 100 * (low / call - 1),
               100 * (high / call - 1));
    fflush(stdout);
}

void print_line(const struct line *line, bool json) {
    if (json)
        print_line_json(line);
    else
        print_line_text(line);
    fflush(stdout);
}
