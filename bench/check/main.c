/* gecc-gpu-check: options, contexts, exit status. */
#include "check.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_DIFFERENT = 1, EXIT_TROUBLE = 2, EXIT_SKIPPED = 77 };

static const char usage[] =
    "usage: gecc-gpu-check [OPTION]...\n"
    "Runs every operation on two backends, A and B, and compares every byte; reads cases with known answers; measures\n"
    "rates and latencies of A beside B. Without --conformance, --cases or --bench: conformance and rates.\n"
    "\n"
    "  --conformance    random, malformed and special rows of every operation\n"
    "  --every-memory   of --conformance, each batch on A in every kind of memory and layout, not in one of them\n"
    "  --cases FILE     cases with known answers, as scripts/gpu-cases writes them\n"
    "  --bench          rates; times of 1 to 2^20 rows on A, on B and on \"auto\"\n"
    "  --sizes          of --bench, the times alone\n"
    "  --rates          of --bench, the rates alone\n"
    "  --rows N         rows of each operation and curve (50000)\n"
    "  --chunk N        rows in a call, at most (1048576)\n"
    "  --batch N        rows in a call that is measured (1048576)\n"
    "  --runs N         runs of each, of which the median counts (7)\n"
    "  --filter TEXT    only lines with TEXT in them, as in \"P-256 verify\"\n"
    "  --backend-a B    cuda, cpu, auto, cuda:DEVICES as gecc_config has them (\"0,1\", \"0,0\"), or cpu:MACHINE with\n"
    "                   a machine that GECC_CPU may name (cuda)\n"
    "  --backend-b B    the same (cpu)\n"
    "  --json FILE      results as one JSON object a line\n"
    "  --seed N         of the random rows\n"
    "  --plant ROW      change a bit in this row (from 0) of every outcome of A, which must be found\n"
    "\n"
    "Exit status: 0 all is well, 1 something differs, 2 trouble, 77 backend A is not available here.\n";

static unsigned long long number_or_exit(const char *text, unsigned long long low, unsigned long long high) {
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 0);
    if (errno != 0 || end == text || *end != 0 || *text == '-' || number < low || number > high)
        trouble("%s: a number from %llu to %llu is wanted", text, low, high);
    return number;
}

static void options_read(struct settings *settings, int argc, char **argv) {
    enum {
        CONFORMANCE,
        EVERY_MEMORY,
        CASES,
        BENCH,
        SIZES,
        RATES,
        ROWS,
        CHUNK,
        BATCH,
        RUNS,
        FILTER,
        A,
        B,
        JSON,
        SEED,
        PLANT,
        HELP
    };
    static const struct option options[] = {{"conformance", no_argument, NULL, CONFORMANCE},
                                            {"every-memory", no_argument, NULL, EVERY_MEMORY},
                                            {"cases", required_argument, NULL, CASES},
                                            {"bench", no_argument, NULL, BENCH},
                                            {"sizes", no_argument, NULL, SIZES},
                                            {"rates", no_argument, NULL, RATES},
                                            {"rows", required_argument, NULL, ROWS},
                                            {"chunk", required_argument, NULL, CHUNK},
                                            {"batch", required_argument, NULL, BATCH},
                                            {"runs", required_argument, NULL, RUNS},
                                            {"filter", required_argument, NULL, FILTER},
                                            {"backend-a", required_argument, NULL, A},
                                            {"backend-b", required_argument, NULL, B},
                                            {"json", required_argument, NULL, JSON},
                                            {"seed", required_argument, NULL, SEED},
                                            {"plant", required_argument, NULL, PLANT},
                                            {"help", no_argument, NULL, HELP},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;)
        switch (option) {
        case CONFORMANCE:
            settings->conformance = true;
            break;
        case EVERY_MEMORY:
            settings->conformance = settings->every_memory = true;
            break;
        case CASES:
            settings->cases = optarg;
            break;
        case BENCH:
            settings->rates = settings->sizes = true;
            break;
        case SIZES:
            settings->sizes = true;
            break;
        case RATES:
            settings->rates = true;
            break;
        case ROWS:
            settings->rows = number_or_exit(optarg, 1, 1000000000);
            break;
        case CHUNK:
            settings->chunk = number_or_exit(optarg, 1, 1 << 28);
            break;
        case BATCH:
            settings->batch_rows = number_or_exit(optarg, 1, 1 << 28);
            break;
        case RUNS:
            settings->runs = (unsigned)number_or_exit(optarg, 1, 1000);
            break;
        case FILTER:
            settings->filter = optarg;
            break;
        case A:
            settings->name_a = optarg;
            break;
        case B:
            settings->name_b = optarg;
            break;
        case JSON:
            settings->json = optarg;
            break;
        case SEED:
            settings->seed = number_or_exit(optarg, 0, UINT64_MAX);
            break;
        case PLANT:
            settings->plant = 1 + number_or_exit(optarg, 0, 1 << 28);
            break;
        default:
            fputs(usage, option == HELP ? stdout : stderr);
            exit(option == HELP ? 0 : EXIT_TROUBLE);
        }
    if (optind != argc)
        trouble("%s: no arguments are wanted; see --help", argv[optind]);
    if (!settings->conformance && !settings->rates && !settings->sizes && settings->cases == NULL)
        settings->conformance = settings->rates = settings->sizes = true;
}

static void find_info(const gecc_context *context, const char *name, gecc_backend_info *info) {
    size_t count = gecc_backends(context, 0, info);
    for (size_t i = 0; i < count; i++) {
        gecc_backends(context, i, info);
        if (strcmp(info->name, name) == 0)
            return;
    }
    *info = (gecc_backend_info)GECC_BACKEND_INFO_INIT;
    snprintf(info->name, sizeof info->name, "auto");
}

gecc_context *context_open(const char *name, unsigned threads, gecc_backend_info *info) {
    gecc_context *context;
    gecc_config config = GECC_CONFIG_INIT;
    char backend[64], *machine, *devices = NULL;
    const char *before = getenv("GECC_CPU");
    char *kept = before == NULL ? NULL : strdup(before);
    snprintf(backend, sizeof backend, "%s", name);
    machine = strchr(backend, ':');
    if (machine != NULL)
        *machine++ = 0;
    if (strcmp(backend, "cuda") == 0) {
        devices = machine;
        machine = NULL;
    }
    if (machine != NULL)
        setenv("GECC_CPU", machine, 1);
    config.backend = backend;
    config.threads = threads;
    config.device = devices;
    if (gecc_open(&context, &config) != GECC_OK)
        context = NULL;
    if (info != NULL)
        find_info(context, backend, info);
    if (machine != NULL && kept != NULL)
        setenv("GECC_CPU", kept, 1);
    else if (machine != NULL)
        unsetenv("GECC_CPU");
    free(kept);
    return context;
}

static gecc_context *open_and_say(const char *letter, const char *name, int failure) {
    gecc_backend_info info = GECC_BACKEND_INFO_INIT;
    gecc_context *context = context_open(name, 0, &info);
    if (context == NULL) {
        printf("%s: %s is not available: %s\n", letter, name, info.reason);
        exit(failure);
    }
    printf("%s: %s, %s", letter, name, info.device);
    if (info.threads != 0)
        printf(", %u threads", info.threads);
    printf("\n");
    return context;
}

static bool run_all(const struct settings *settings, const struct contexts *contexts) {
    bool right = true;
    if (settings->conformance)
        right = run_conformance(settings, contexts) && right;
    if (settings->cases != NULL)
        right = run_cases(settings, contexts) && right;
    if (settings->rates || settings->sizes)
        right = run_bench(settings, contexts) && right;
    return right;
}

int main(int argc, char **argv) {
    struct settings settings = {.rows = 50000,
                                .chunk = 1 << 20,
                                .batch_rows = 1 << 20,
                                .runs = 7,
                                .name_a = "cuda",
                                .name_b = "cpu",
                                .seed = 20240613};
    options_read(&settings, argc, argv);
    if (settings.json != NULL && (settings.json_file = fopen(settings.json, "w")) == NULL)
        trouble("%s: %s", settings.json, strerror(errno));
    struct contexts contexts = {.a = open_and_say("A", settings.name_a, EXIT_SKIPPED)};
    contexts.b = open_and_say("B", settings.name_b, EXIT_TROUBLE);
    bool right = run_all(&settings, &contexts);
    gecc_close(contexts.a);
    gecc_close(contexts.b);
    if (settings.json_file != NULL && fclose(settings.json_file) != 0)
        trouble("%s: %s", settings.json, strerror(errno));
    return right ? 0 : EXIT_DIFFERENT;
}
