/* Which backend and which CPU code is chosen, and what is said about it.
 *
 * Test: fast */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/auto.h"
#include "backend/cpu/machines.h"
#include "backend/registry.h"

static void probe_available(const gecc_config *config, gecc_backend_info *info) {
    *info = (gecc_backend_info){.available = 1, .threads = config->threads, .chosen = 1};
}

static void probe_busy(const gecc_config *config, gecc_backend_info *info) {
    (void)config;
    *info = (gecc_backend_info){.reason = "no card"};
}

static gecc_result open_well(void **state, const gecc_config *config) {
    static int any;
    (void)config;
    *state = &any;
    return GECC_OK;
}

static gecc_result open_without_memory(void **state, const gecc_config *config) {
    (void)state, (void)config;
    return GECC_ERROR_MEMORY;
}

static gecc_result run_nothing(void *state, const struct job *job, gecc_report *report) {
    (void)state, (void)job, (void)report;
    return GECC_ERROR_UNSUPPORTED;
}

static unsigned closed;

static void close_well(void *state) {
    (void)state;
    closed++;
}

static const struct backend working = {
    .name = "working", .probe = probe_available, .open = open_well, .run = run_nothing, .close = close_well};
static const struct backend quick = {.name = "quick", .probe = probe_available, .open = open_well, .close = close_well};
static const struct backend busy = {.name = "busy", .probe = probe_busy, .open = open_well};
static const struct backend failing = {.name = "failing", .probe = probe_available, .open = open_without_memory};

static const struct backend *find_working(char *reason, size_t size) { return (void)reason, (void)size, &working; }
static const struct backend *find_quick(char *reason, size_t size) { return (void)reason, (void)size, &quick; }
static const struct backend *find_busy(char *reason, size_t size) { return (void)reason, (void)size, &busy; }
static const struct backend *find_failing(char *reason, size_t size) { return (void)reason, (void)size, &failing; }
static const struct backend *find_none(char *reason, size_t size) {
    (void)snprintf(reason, size, "no such file");
    return NULL;
}

static char failure[64]; /* what the last call said */

static gecc_result choose(struct instance *instance, const char *name, const struct candidate *first) {
    const struct candidate candidates[] = {*first, {"working", find_working}};
    gecc_config config = GECC_CONFIG_INIT;
    config.backend = name;
    failure[0] = 0;
    return gecc_backend_open(instance, candidates, 2, &config, failure, sizeof failure);
}

static void check_fallback(const struct candidate *first, const char *reason) {
    static const char *const any[] = {NULL, "auto"};
    for (int i = 0; i < 2; i++) {
        struct instance instance = {.backend = NULL};
        assert_int_equal(choose(&instance, any[i], first), GECC_OK);
        assert_ptr_equal(instance.backend, &working);
        assert_non_null(instance.state);
        assert_string_equal(instance.reason, reason);
    }
}

static void test_auto_says_why_it_fell_back(void **state) {
    (void)state;
    check_fallback(&(struct candidate){"missing", find_none}, "the only one available (missing: no such file)");
}

/* A GPU that is there is opened later; that it does not open shows then. */
static void check_missing(const struct candidate *first, const struct backend *gpu, const char *reason) {
    struct instance instance = {.backend = NULL};
    const struct job job = {.operation = OPERATION_DIGEST};
    gecc_report report;
    assert_int_equal(choose(&instance, NULL, first), GECC_OK);
    assert_ptr_equal(instance.backend, &gecc_backend_auto);
    assert_true(gecc_instance_uses(&instance, gpu));
    gecc_auto_open_gpu(instance.state);
    assert_false(gecc_instance_uses(&instance, gpu));
    assert_true(gecc_instance_uses(&instance, &working));
    assert_int_equal(instance.backend->run(instance.state, &job, &report), GECC_ERROR_UNSUPPORTED);
    assert_string_equal(report.reason, reason);
    closed = 0;
    instance.backend->close(instance.state);
    assert_int_equal(closed, 1);
}

static void test_auto_says_what_did_not_open(void **state) {
    (void)state;
    check_missing(&(struct candidate){"busy", find_busy}, &busy, "the only one available (busy: no card)");
    check_missing(&(struct candidate){"failing", find_failing}, &failing,
                  "the only one available (failing: found, but not opened)");
}

static void test_auto_joins_both(void **state) {
    (void)state;
    struct instance instance = {.backend = NULL};
    assert_int_equal(choose(&instance, NULL, &(struct candidate){"quick", find_quick}), GECC_OK);
    assert_ptr_equal(instance.backend, &gecc_backend_auto);
    assert_string_equal(instance.reason, "the CPU for small jobs, the GPU for large ones");
    assert_true(gecc_instance_uses(&instance, &working));
    assert_true(gecc_instance_uses(&instance, &quick));
    assert_false(gecc_instance_uses(&instance, &busy));
    gecc_auto_open_gpu(instance.state);
    closed = 0;
    instance.backend->close(instance.state);
    assert_int_equal(closed, 2);
}

/* "auto" promises the CPU. */
static void test_auto_needs_the_last(void **state) {
    (void)state;
    const struct candidate candidates[] = {{"quick", find_quick}, {"busy", find_busy}};
    gecc_config config = GECC_CONFIG_INIT;
    struct instance instance;
    assert_int_equal(gecc_backend_open(&instance, candidates, 2, &config, failure, sizeof failure),
                     GECC_ERROR_NO_BACKEND);
}

static void test_named(void **state) {
    (void)state;
    struct instance instance = {.backend = NULL};
    assert_int_equal(choose(&instance, "working", &(struct candidate){"busy", find_busy}), GECC_OK);
    assert_ptr_equal(instance.backend, &working);
    assert_string_equal(instance.reason, "asked for");
    assert_int_equal(choose(&instance, "missing", &(struct candidate){"missing", find_none}), GECC_ERROR_NO_BACKEND);
    assert_string_equal(failure, "no such file");
    assert_int_equal(choose(&instance, "busy", &(struct candidate){"busy", find_busy}), GECC_ERROR_NO_BACKEND);
    assert_string_equal(failure, "no card");
    assert_int_equal(choose(&instance, "failing", &(struct candidate){"failing", find_failing}), GECC_ERROR_MEMORY);
    assert_string_equal(failure, "found, but not opened");
    assert_int_equal(choose(&instance, "unknown", &(struct candidate){"busy", find_busy}), GECC_ERROR_NO_BACKEND);
    assert_string_equal(failure, "there is no backend of that name");
    assert_int_equal(choose(&instance, "", &(struct candidate){"busy", find_busy}), GECC_ERROR_NO_BACKEND);
}

static void test_none_opens(void **state) {
    (void)state;
    const struct candidate candidates[] = {{"missing", find_none}, {"failing", find_failing}};
    gecc_config config = GECC_CONFIG_INIT;
    struct instance instance;
    assert_int_equal(gecc_backend_open(&instance, candidates, 2, &config, failure, sizeof failure), GECC_ERROR_MEMORY);
    assert_int_equal(gecc_backend_open(&instance, candidates, 1, &config, failure, sizeof failure),
                     GECC_ERROR_NO_BACKEND);
}

static void test_probe(void **state) {
    (void)state;
    gecc_config config = GECC_CONFIG_INIT;
    gecc_backend_info info;
    memset(&info, 0xff, sizeof info);
    assert_null(gecc_candidate_probe(&(struct candidate){"missing", find_none}, &config, &info));
    assert_int_equal(info.available, 0);
    assert_int_equal(info.chosen, 0);
    assert_string_equal(info.name, "missing");
    assert_string_equal(info.device, "");
    assert_string_equal(info.reason, "no such file");
    assert_ptr_equal(gecc_candidate_probe(&(struct candidate){"busy", find_busy}, &config, &info), &busy);
    assert_int_equal(info.available, 0);
    assert_string_equal(info.reason, "no card");
}

static void test_what_is_no_module(void **state) {
    (void)state;
    char reason[128] = "";
    assert_null(gecc_module_load("libgecc_no_such_module.so.0", reason, sizeof reason));
    assert_non_null(strstr(reason, "libgecc_no_such_module.so.0"));
    reason[0] = 0;
    assert_null(gecc_module_load("libc.so.6", reason, sizeof reason));
    assert_non_null(strstr(reason, "gecc_module"));
    char little[8];
    assert_null(gecc_module_load("libgecc_no_such_module.so.0", little, sizeof little));
    assert_string_equal(little, "libgecc");
}

/* Compile a module that says it has this ABI and size of jobs. false: there is no compiler. */
static bool compile_module(const char *folder, unsigned number, unsigned abi, size_t job_bytes, char *file,
                           size_t size) {
    char command[1024];
    (void)snprintf(file, size, "%s/module%u.so", folder, number);
    (void)snprintf(command, sizeof command,
                   "echo 'const struct { unsigned abi, job_bytes; const void *backend; } gecc_module = {%u, %zu, "
                   "&gecc_module};' | cc -shared -fPIC -x c - -o '%s' 2>'%s/log'",
                   abi, job_bytes, file, folder);
    return system(command) == 0;
}

static int folder_remove(void **state) {
    char command[300];
    (void)snprintf(command, sizeof command, "rm -r '%s'", (char *)*state);
    free(*state);
    return system(command);
}

static int folder_create(void **state) {
    const char *place = getenv("TMPDIR");
    char *folder = malloc(200);
    int length = snprintf(folder, 200, "%s/gecc-modules-XXXXXX", place != NULL ? place : "/tmp");
    *state = folder;
    return length < 200 && mkdtemp(folder) != NULL ? 0 : -1;
}

static void test_modules_of_other_versions_are_refused(void **state) {
    const char *folder = *state;
    char file[256], reason[128] = "";
    if (!compile_module(folder, 0, MODULE_ABI, sizeof(struct job), file, sizeof file)) {
        puts("not run: no C compiler");
        skip();
    }
    assert_non_null(gecc_module_load(file, reason, sizeof reason));
    assert_string_equal(reason, "");
    assert_true(compile_module(folder, 1, MODULE_ABI + 1, sizeof(struct job), file, sizeof file));
    assert_null(gecc_module_load(file, reason, sizeof reason));
    assert_string_equal(reason, "the module was built for another version of the library");
    reason[0] = 0;
    assert_true(compile_module(folder, 2, MODULE_ABI, sizeof(struct job) + 8, file, sizeof file));
    assert_null(gecc_module_load(file, reason, sizeof reason));
    assert_string_equal(reason, "the module was built for another version of the library");
}

static void test_machines(void **state) {
    (void)state;
    char reason[128] = "";
    const struct cpu_machine *portable = gecc_machine_choose("portable", reason, sizeof reason);
    assert_non_null(portable);
    assert_memory_equal(portable->name, "portable", strlen("portable"));
    assert_true(portable->supported());
    assert_ptr_equal(gecc_machine_choose(portable->name, reason, sizeof reason), portable);
    assert_ptr_equal(gecc_machine_choose(gecc_cpu_portable_c.name, reason, sizeof reason), &gecc_cpu_portable_c);
    assert_non_null(gecc_machine_choose(NULL, reason, sizeof reason));
    assert_null(gecc_machine_choose("port", reason, sizeof reason));
    assert_null(gecc_machine_choose("", reason, sizeof reason));
    assert_null(gecc_machine_choose("vax", reason, sizeof reason));
    assert_string_equal(reason, "this build has no CPU code named vax");
}

/* GECC_CPU is obeyed, and one that cannot be obeyed is an error whether the backend is named or not. */
static void test_environment(void **state) {
    (void)state;
    gecc_config config = GECC_CONFIG_INIT;
    gecc_backend_info info;
    void *cpu;
    assert_int_equal(setenv("GECC_CPU", "vax", 1), 0);
    gecc_backend_cpu.probe(&config, &info);
    assert_int_equal(info.available, 0);
    assert_string_equal(info.reason, "this build has no CPU code named vax");
    assert_int_equal(gecc_backend_cpu.open(&cpu, &config), GECC_ERROR_NO_BACKEND);
    gecc_context *context;
    assert_int_equal(gecc_open(&context, NULL), GECC_ERROR_NO_BACKEND);
    assert_null(context);

    assert_int_equal(setenv("GECC_CPU", "portable", 1), 0);
    config.threads = 3;
    gecc_backend_cpu.probe(&config, &info);
    assert_int_equal(info.available, 1);
    assert_int_equal(info.threads, 3);
    assert_string_equal(info.name, "cpu");
    assert_memory_equal(info.device, "portable", strlen("portable"));
    assert_string_equal(info.reason, "");
    assert_int_equal(gecc_backend_cpu.open(&cpu, &config), GECC_OK);
    gecc_backend_cpu.close(cpu);
    assert_int_equal(unsetenv("GECC_CPU"), 0);
}

/* GECC_BACKEND chooses where the caller does not, and one that cannot be had is an error that names it. */
static void test_environment_names_a_backend(void **state) {
    (void)state;
    static const char *const any[] = {NULL, "auto"};
    const struct candidate first = {"quick", find_quick}, absent = {"missing", find_none};
    struct instance instance = {.backend = NULL};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(setenv("GECC_BACKEND", "working", 1), 0);
        assert_int_equal(choose(&instance, any[i], &first), GECC_OK);
        assert_ptr_equal(instance.backend, &working);
        assert_string_equal(instance.reason, "asked for by GECC_BACKEND");
        assert_int_equal(setenv("GECC_BACKEND", "missing", 1), 0);
        assert_int_equal(choose(&instance, any[i], &absent), GECC_ERROR_NO_BACKEND);
        assert_string_equal(failure, "GECC_BACKEND=missing: no such file");
        assert_int_equal(setenv("GECC_BACKEND", "vax", 1), 0);
        assert_int_equal(choose(&instance, any[i], &first), GECC_ERROR_NO_BACKEND);
        assert_string_equal(failure, "GECC_BACKEND=vax: there is no backend of that name");
        assert_int_equal(setenv("GECC_BACKEND", "", 1), 0);
        assert_int_equal(choose(&instance, any[i], &first), GECC_ERROR_NO_BACKEND);
        assert_int_equal(setenv("GECC_BACKEND", "auto", 1), 0);
        assert_int_equal(choose(&instance, any[i], &first), GECC_OK);
        assert_ptr_equal(instance.backend, &gecc_backend_auto);
        instance.backend->close(instance.state);
    }
    assert_int_equal(choose(&instance, "quick", &first), GECC_OK);
    assert_ptr_equal(instance.backend, &quick);
    gecc_context *context;
    assert_int_equal(setenv("GECC_BACKEND", "cpu", 1), 0);
    assert_int_equal(gecc_open(&context, NULL), GECC_OK);
    gecc_close(context);
    assert_int_equal(setenv("GECC_BACKEND", "vax", 1), 0);
    assert_int_equal(gecc_open(&context, NULL), GECC_ERROR_NO_BACKEND);
    assert_string_equal(gecc_error_text(), "auto: GECC_BACKEND=vax: there is no backend of that name");
    assert_int_equal(unsetenv("GECC_BACKEND"), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_auto_says_why_it_fell_back),
        cmocka_unit_test(test_auto_says_what_did_not_open),
        cmocka_unit_test(test_auto_joins_both),
        cmocka_unit_test(test_auto_needs_the_last),
        cmocka_unit_test(test_named),
        cmocka_unit_test(test_none_opens),
        cmocka_unit_test(test_probe),
        cmocka_unit_test(test_what_is_no_module),
        cmocka_unit_test_setup_teardown(test_modules_of_other_versions_are_refused, folder_create, folder_remove),
        cmocka_unit_test(test_machines),
        cmocka_unit_test(test_environment),
        cmocka_unit_test(test_environment_names_a_backend),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
