/* gecc-compare: options, and the loop over what libraries offer. */
#include "report.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_BATCH = 4096,
    BATCH_MAX = 1 << 20,
    ROWS_MIN = 1024,
    OTHER_BATCH = 16,
    EXIT_DIFFERENT = 1,
    EXIT_TROUBLE = 2
};

/* One item at a time may take so much longer than in the library that serves one item at a time. */
static const double single_item = 1 / 1.3;

/* Of N threads' work beside N times one thread's. Not judged where the machine does not let spinning threads reach
 * it. */
static const double thread_efficiency = 0.95;

static const struct library *const others[] = {
    &library_secp256k1,
    &library_openssl,
#ifdef HAVE_LIBSODIUM
    &library_libsodium,
#endif
};

enum { OTHERS = sizeof others / sizeof *others };

/* A curve's operation beside another library. */
struct comparison {
    gecc_curve curve;
    enum operation operation;
    size_t other; /* of others */
};

const char *const operation_names[] = {
#define X(name, text, operation, latency) [name] = text,
    OPERATIONS(X)
#undef X
};

struct settings {
    size_t batch;
    bool latency, json;
    double limit;       /* seconds of a call, for latency */
    unsigned threads;   /* over 1: gecc beside itself with one thread */
    double parallelism; /* of the machine, with so many threads */
    int core;
    const char *filter;
    struct measure_settings measure;
};

/* The libraries, on the rows of one curve. */
struct bench {
    const struct settings *settings;
    struct rows rows;
    void *gecc, *gecc_single, *other[OTHERS]; /* prepared rows; NULL: not on this curve, or not in this mode */
    bool *heading;                            /* printed? */
};

/* With threads gecc is compared with itself: once for an operation, not once for each library. */
static bool is_wanted(const struct settings *settings, const struct comparison *c) {
    char text[64];
    bool itself = settings->threads > 1;
    if (!others[c->other]->offers(c->curve, c->operation))
        return false;
    for (size_t i = c->other + 1; itself && i < OTHERS; i++)
        if (others[i]->offers(c->curve, c->operation))
            return false;
    snprintf(text, sizeof text, "%s %s %s", gecc_curve_name(c->curve), operation_names[c->operation],
             itself ? library_gecc.name : others[c->other]->name);
    return !settings->filter || strstr(text, settings->filter);
}

static struct contender other_contender(const struct bench *bench, const struct comparison *c, size_t batch) {
    if (bench->settings->threads > 1)
        return (struct contender){&library_gecc, bench->gecc_single, batch, 0};
    return (struct contender){others[c->other], bench->other[c->other], OTHER_BATCH, 0};
}

/* The ratio gecc / other that is wanted: of large batches, and of single items where they are what the library is made
 * for; 0: none. */
static double target_of(const struct settings *settings, const struct comparison *c, size_t batch) {
    if (settings->threads > 1) {
        double target = thread_efficiency * settings->threads;
        return batch >= DEFAULT_BATCH && settings->parallelism >= target ? target : 0;
    }
    if (batch == 1)
        return others[c->other]->is_tuned(c->curve) ? single_item : 0;
    return batch >= DEFAULT_BATCH ? 1 : 0;
}

static void print_heading_once(const struct bench *bench) {
    const struct settings *settings = bench->settings;
    struct heading heading = {.first = "gecc/s",
                              .second = settings->threads > 1 ? "1 thread/s" : "other/s",
                              .gecc = gecc_library_report(bench->gecc),
                              .core = settings->core,
                              .threads = settings->threads,
                              .parallelism = settings->parallelism,
                              .settings = settings->measure};
    if (!*bench->heading)
        print_heading(&heading, settings->json);
    *bench->heading = true;
}

static int run_comparison(const struct bench *bench, const struct comparison *c, size_t batch) {
    enum operation operation = c->operation;
    struct contender gecc = {&library_gecc, bench->gecc, batch, 0}, other = other_contender(bench, c, batch);
    struct line line = {.operation = operation_names[operation],
                        .first = gecc.side->name,
                        .second = other.side->name,
                        .curve = c->curve,
                        .batch = batch,
                        .target = target_of(bench->settings, c, batch)};
    if (!results_agree(&bench->rows, &gecc, &other, operation) ||
        !measure(&line.outcome, &bench->settings->measure, &bench->rows, &gecc, &other, operation)) {
        fprintf(stderr, "gecc-compare: %s, %s: gecc and %s DISAGREE\n", gecc_curve_name(line.curve), line.operation,
                line.second);
        return EXIT_DIFFERENT;
    }
    print_heading_once(bench);
    print_line(&line, bench->settings->json);
    return 0;
}

static bool offers_any(const struct library *library, gecc_curve curve) {
    bool any = false;
    for (int operation = 0; operation < OPERATIONS_COUNT; operation++)
        any |= library->offers(curve, (enum operation)operation);
    return any;
}

static bool bench_open(struct bench *bench, gecc_curve curve) {
    const struct settings *settings = bench->settings;
    size_t count = settings->batch > ROWS_MIN ? settings->batch : ROWS_MIN;
    if (!rows_make(&bench->rows, curve, count, count))
        return false;
    bench->gecc = library_gecc.prepare(&bench->rows, settings->threads);
    if (settings->threads > 1) {
        bench->gecc_single = library_gecc.prepare(&bench->rows, 1);
        return bench->gecc && bench->gecc_single;
    }
    for (size_t i = 0; i < OTHERS; i++) {
        if (!offers_any(others[i], curve))
            continue;
        bench->other[i] = others[i]->prepare(&bench->rows, 1);
        if (!bench->other[i])
            return false;
    }
    return bench->gecc != NULL;
}

static void bench_close(struct bench *bench) {
    if (bench->gecc)
        library_gecc.release(bench->gecc);
    if (bench->gecc_single)
        library_gecc.release(bench->gecc_single);
    for (size_t i = 0; i < OTHERS; i++)
        if (bench->other[i])
            others[i]->release(bench->other[i]);
    rows_free(&bench->rows);
}

/* Is anything of the curve wanted? */
static bool any_wanted(const struct settings *settings, gecc_curve curve) {
    bool any = false;
    for (int operation = 0; operation < OPERATIONS_COUNT; operation++)
        for (size_t other = 0; other < OTHERS; other++) {
            const struct comparison c = {curve, (enum operation)operation, other};
            any = any || is_wanted(settings, &c);
        }
    return any;
}

static int run_curve(const struct settings *settings, gecc_curve curve, bool *heading) {
    struct bench bench = {.settings = settings, .heading = heading};
    int worst = 0;
    if (bench_open(&bench, curve)) {
        for (int operation = 0; operation < OPERATIONS_COUNT; operation++)
            for (size_t other = 0; other < OTHERS; other++) {
                const struct comparison c = {curve, (enum operation)operation, other};
                int status = is_wanted(settings, &c) ? run_comparison(&bench, &c, settings->batch) : 0;
                worst = status > worst ? status : worst;
            }
    } else {
        fprintf(stderr, "gecc-compare: %s: the rows could not be prepared (is GECC_CPU code that is there?)\n",
                gecc_curve_name(curve));
        worst = EXIT_TROUBLE;
    }
    bench_close(&bench);
    return worst;
}

static int run_all(const struct settings *settings) {
    bool heading = false;
    int worst = 0;
    for (int i = GECC_SECP256K1; i <= GECC_CURVE_END; i++) {
        const gecc_curve curve = i == GECC_CURVE_END ? GECC_CURVE25519 : (gecc_curve)i;
        int status = any_wanted(settings, curve) ? run_curve(settings, curve, &heading) : 0;
        worst = status > worst ? status : worst;
    }
    return worst;
}

static int run_latency(const struct settings *settings) {
    struct latency_settings latency = {.most = settings->batch,
                                       .limit = settings->limit,
                                       .filter = settings->filter,
                                       .json = settings->json,
                                       .core = settings->core,
                                       .measure = settings->measure};
    return latency_run(&latency);
}

static const char usage[] =
    "usage: gecc-compare [OPTION]...\n"
    "Compares gecc with OpenSSL, libsecp256k1 and libsodium, one thread each, by CPU time, on equal rows.\n"
    "gecc parses and writes bytes; the others get parsed keys and signatures and return their own structures.\n"
    "The ratio is gecc's rate over the other's, round by round. GECC_CPU chooses gecc's code.\n"
    "\n"
    "  --batch N      rows in a call of gecc (4096); 1: single items\n"
    "  --latency      the time of a call instead, of some operations, in batches of 1, 2, 4, ...\n"
    "                 up to --batch, with each of gecc's codes, beside single items of the others\n"
    "  --limit S      --latency: batches are repeated until a call takes S seconds (0.25), then called once\n"
    "  --threads N    gecc with N threads beside gecc with one, by wall time\n"
    "  --rounds N     rounds, at least 7 (9)\n"
    "  --seconds S    the least duration of a round on each side (0.05)\n"
    "  --core N       the core to stay on (where it starts); with --threads: any\n"
    "  --filter TEXT  only lines with TEXT in \"CURVE OPERATION LIBRARY\", as in \"P-256 verify\"\n"
    "  --json         one JSON object a line\n"
    "\n"
    "Exit status: 0 done, 1 results differ, 2 trouble. A target that is missed is marked, no error.\n";

static unsigned long number_or_exit(const char *text, unsigned long low, unsigned long high) {
    char *end;
    errno = 0;
    unsigned long number = strtoul(text, &end, 10);
    if (errno == 0 && end != text && *end == 0 && *text != '-' && number >= low && number <= high)
        return number;
    fprintf(stderr, "gecc-compare: %s: a number from %lu to %lu is wanted\n", text, low, high);
    exit(EXIT_TROUBLE);
}

static double seconds_or_exit(const char *text) {
    char *end;
    double seconds = strtod(text, &end);
    if (end != text && *end == 0 && seconds > 0 && seconds <= 60)
        return seconds;
    fprintf(stderr, "gecc-compare: %s: seconds, up to 60, are wanted\n", text);
    exit(EXIT_TROUBLE);
}

static void options_read(struct settings *settings, int argc, char **argv) {
    enum { BATCH, LATENCY, LIMIT, THREADS, ROUNDS, SECONDS, CORE, FILTER, JSON, HELP };
    static const struct option options[] = {{"batch", required_argument, NULL, BATCH},
                                            {"latency", no_argument, NULL, LATENCY},
                                            {"limit", required_argument, NULL, LIMIT},
                                            {"threads", required_argument, NULL, THREADS},
                                            {"rounds", required_argument, NULL, ROUNDS},
                                            {"seconds", required_argument, NULL, SECONDS},
                                            {"core", required_argument, NULL, CORE},
                                            {"filter", required_argument, NULL, FILTER},
                                            {"json", no_argument, NULL, JSON},
                                            {"help", no_argument, NULL, HELP},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case BATCH:
            settings->batch = number_or_exit(optarg, 1, BATCH_MAX);
            break;
        case LATENCY:
            settings->latency = true;
            break;
        case LIMIT:
            settings->limit = seconds_or_exit(optarg);
            break;
        case THREADS:
            settings->threads = (unsigned)number_or_exit(optarg, 1, 1024);
            break;
        case ROUNDS:
            settings->measure.rounds = number_or_exit(optarg, ROUNDS_MIN, ROUNDS_MAX);
            break;
        case SECONDS:
            settings->measure.seconds = seconds_or_exit(optarg);
            break;
        case CORE:
            settings->core = (int)number_or_exit(optarg, 0, 1023);
            break;
        case FILTER:
            settings->filter = optarg;
            break;
        case JSON:
            settings->json = true;
            break;
        default:
            fputs(usage, option == HELP ? stdout : stderr);
            exit(option == HELP ? 0 : EXIT_TROUBLE);
        }
    if (optind == argc)
        return;
    fputs(usage, stderr);
    exit(EXIT_TROUBLE);
}

int main(int argc, char **argv) {
    struct settings settings = {.batch = DEFAULT_BATCH,
                                .limit = 0.25,
                                .threads = 1,
                                .parallelism = 1,
                                .core = -1,
                                .measure = {CLOCK_THREAD_CPUTIME_ID, CLOCK_MONOTONIC, 9, 0.05}};
    options_read(&settings, argc, argv);
    if (settings.threads > 1) {
        settings.parallelism = machine_parallelism(settings.threads);
        settings.measure.clock = CLOCK_MONOTONIC;
        settings.measure.other_clock = CLOCK_PROCESS_CPUTIME_ID;
        settings.core = -1;
    } else if ((settings.core = machine_pin(settings.core)) < 0) {
        fprintf(stderr, "gecc-compare: cannot stay on this core\n");
        return EXIT_TROUBLE;
    }
    if (settings.latency)
        return run_latency(&settings);
    return run_all(&settings);
}
