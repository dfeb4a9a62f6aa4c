#define _GNU_SOURCE
#include "backend/cpu/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "backend/background.h"
#include "backend/clock.h"
#include "backend/cpu/partition.h"
#include "backend/job_rows.h"
#include "backend/cpu/machines.h"
#include "backend/pool.h"
#include "backend/cpu/sums.h"
#include "backend/cpu/tables.h"
#include "backend/processors.h"
#include "backend/rates.h"
#include "backend/repeats.h"
#include "curve/sizes.h"
#include "limbs/attributes.h"
#include "scheme/operation.h"

enum { SINGLE_BITS = 384 }; /* of the field, of the widest curve on which `single` computes */

struct cpu {
    const struct cpu_machine *machine;
    const struct cpu_machine *single; /* for jobs of one row, but on wide curves; NULL: the same */
    unsigned threads;
    size_t key_table_bytes; /* gecc_config's */
    struct pool *pool;
    struct rates *rates;          /* of a thread */
    struct background background; /* of jobs whose keys repeat: they are several tasks, one after the other */
};

/* A job on its way through the pool. */
struct work {
    struct task task;
    struct cpu *cpu;
    const struct job *job;
    const struct cpu_machine *machine;
    const struct program_set *set;
    lane_program *const *program; /* its entry in the set */
    struct partition partition;
    uint64_t kind;        /* of the job, to struct rates */
    double piece_seconds; /* that the first piece took its thread; 0: not done, or not measured */
};

struct ticket {
    struct background_job background;
    bool in_background;
    struct job job;
    struct work work; /* in the pool */
    struct cpu *cpu;  /* in the background, this and the others */
    gecc_result result;
    gecc_report report;
};

static gecc_result run_program(const struct work *work, struct arena *arena, const struct base_tables *tables,
                               struct row_range rows) {
    arena->used = 0;
    return (*work->program)(arena, tables, work->job, rows.first, rows.count);
}

/* Run the program on the rows and leave nothing of them in the arena or on the stack. Wiping only what the program says
 * it used keeps small jobs fast; the VERIFY build starts from zeros and checks that it used no more. */
static gecc_result run_on_secrets(const struct work *work, struct arena *arena, const struct base_tables *tables,
                                  struct row_range rows) {
    VERIFY((gecc_wipe(arena->base, arena->bytes), true));
    gecc_result result = run_program(work, arena, tables, rows);
    gecc_wipe(arena->base, arena->used);
    gecc_wipe_stack();
    VERIFY(gecc_is_zero(arena->base, arena->bytes));
    return result;
}

static gecc_result run_piece(struct task *task, struct arena *arena, size_t index) {
    struct work *work = (struct work *)task;
    struct base_tables tables;
    if (job_is_cancelled(work->job))
        return GECC_ERROR_CANCELLED;
    gecc_result result = gecc_tables_find(&tables, work->set, job_base_uses(work->job), arena);
    if (result != GECC_OK)
        return result;
    struct row_range rows = gecc_partition_range(&work->partition, index);
    const struct base_tables *given = work->set->shared == NULL ? NULL : &tables;
    const double start = index == 0 ? seconds_now() : 0;
    result =
        job_has_secrets(work->job) ? run_on_secrets(work, arena, given, rows) : run_program(work, arena, given, rows);
    job_write_plain_widths(work->job, rows.first, rows.count);
    if (index == 0)
        work->piece_seconds = seconds_now() - start;
    return result;
}

/* The program set for the job, NULL: the machine has none. */
static const struct program_set *find_set(const struct cpu_machine *machine, const struct job *job) {
    switch (operation_info(job)->family) {
    case FAMILY_CURVE:
    case FAMILY_SUMS:
    case FAMILY_SM2:
    case FAMILY_SECP256K1:
    case FAMILY_CURVE25519:
        return machine->curve(job->curve);
    case FAMILY_MOD:
        return machine->modulus(job->modulus_bytes);
    default:
        return machine->hash();
    }
}

/* One row has no use for lanes; on wide curves those of the IFMA machine take less time for it than a scalar machine
 * does all the same, and less for tables, unless its limbs have spare bits: docs/performance.md. */
static bool is_for_single(const struct cpu *cpu, const struct job *job) {
    return job->count == 1 && cpu->single != NULL && job->keys.rows == NULL &&
           (curve_bits(job->curve) <= SINGLE_BITS || job->curve == GECC_P521);
}

/* How many rows are worth a thread of their own: rows that take about as long as waking it may. */
static size_t rows_worth_a_thread(const struct cpu *cpu, uint64_t kind, size_t rows) {
    static const double waking_seconds = 50e-6;
    const size_t share = (rows + cpu->threads - 1) / cpu->threads;
    const double row = share == 0 ? 0 : gecc_rates_seconds(cpu->rates, kind, share) / (double)share;
    return row * (double)rows <= waking_seconds ? rows : (size_t)(waking_seconds / row);
}

/* Learn what rows take a thread, once the job is done. A single row tells nothing of others. */
static void learn(const struct work *work) {
    const size_t rows = work->partition.count < 2 ? 0 : gecc_partition_range(&work->partition, 0).count;
    if (rows > 1)
        gecc_rates_learn(work->cpu->rates, work->kind, rows, work->piece_seconds);
}

static gecc_result work_prepare(struct work *work, struct cpu *cpu, const struct job *job) {
    work->cpu = cpu;
    work->job = job;
    work->machine = is_for_single(cpu, job) ? cpu->single : cpu->machine;
    work->set = find_set(work->machine, job);
    if (work->set == NULL || work->set->run[job->operation] == NULL)
        return GECC_ERROR_UNSUPPORTED;
    work->program = &work->set->run[job->operation];
    work->kind = job->count < 2 ? 0 : gecc_rates_kind(job);
    const struct partition_limits limits = {cpu->threads, work->set->chunk, work->set->lanes,
                                            cpu->threads == 1 ? 1 : rows_worth_a_thread(cpu, work->kind, job->count)};
    work->partition = gecc_partition(job->count, &limits);
    work->piece_seconds = 0;
    work->task.piece = run_piece;
    work->task.pieces = work->partition.pieces;
    work->task.arena_bytes = work->set->arena_bytes;
    gecc_tables_count(work->set, job_base_uses(job), job->count);
    return GECC_OK;
}

static void fill_report(const struct work *work, double seconds, gecc_report *report) {
    unsigned threads = work->cpu->threads;
    (void)snprintf(report->backend, sizeof report->backend, "%s", gecc_backend_cpu.name);
    (void)snprintf(report->detail, sizeof report->detail, "%s, %u thread%s", work->machine->name, threads,
                   threads == 1 ? "" : "s");
    report->seconds = seconds;
}

/* A job whose rows are groups of terms. */
static gecc_result run_sums(struct cpu *cpu, const struct job *job, gecc_report *report) {
    const struct work work = {.cpu = cpu, .machine = cpu->machine, .set = find_set(cpu->machine, job)};
    const double start = seconds_now();
    const gecc_result result = work.set == NULL || work.set->sum_terms == 0
                                   ? GECC_ERROR_UNSUPPORTED
                                   : gecc_sums_run(cpu->pool, cpu->threads, work.set, job);
    fill_report(&work, seconds_now() - start, report);
    return result;
}

static gecc_result cpu_run(void *state, const struct job *job, gecc_report *report) {
    struct cpu *cpu = state;
    struct work work;
    gecc_result result;
    double seconds = 0;
    if (job_is_sums(job))
        return run_sums(cpu, job, report);
    if (gecc_repeats_run(&gecc_backend_cpu, state, job, cpu->key_table_bytes, report, &result))
        return result;
    result = work_prepare(&work, cpu, job);
    if (result == GECC_OK) {
        result = gecc_pool_run(cpu->pool, &work.task);
        seconds = gecc_task_seconds(&work.task);
        learn(&work);
    }
    fill_report(&work, seconds, report);
    return result;
}

/* For a thread: others that have nothing to do take rows of their own. */
static size_t cpu_enough(void *state, const struct job *job) {
    const struct cpu *cpu = state;
    const struct program_set *set = find_set(cpu->machine, job);
    return set == NULL ? 0 : gecc_rates_enough(cpu->rates, gecc_rates_kind(job), set->chunk);
}

/* The tables of a job, by a task whose one piece runs in this thread. */
static gecc_result make_tables(struct task *task, struct arena *arena, size_t index) {
    const struct work *work = (struct work *)task;
    struct base_tables tables;
    (void)index;
    return gecc_tables_find(&tables, work->set, job_base_uses(work->job), arena);
}

static gecc_result cpu_prepare(void *state, const struct job *job) {
    struct cpu *cpu = state;
    struct work work;
    gecc_result result = work_prepare(&work, cpu, job);
    work.task.piece = make_tables;
    work.task.pieces = 1;
    return result == GECC_OK ? gecc_pool_run(cpu->pool, &work.task) : result;
}

static void run_in_background(struct background_job *job) {
    struct ticket *ticket = (struct ticket *)job;
    ticket->result = cpu_run(ticket->cpu, &ticket->job, &ticket->report);
}

/* A job whose keys repeat goes to the background, if it can, and one whose rows are groups of terms: both are several
 * tasks. The former can be one task as well; the latter runs before this returns, where there is no other thread. */
static bool start_in_background(struct cpu *cpu, struct ticket *ticket) {
    const bool sums = job_is_sums(&ticket->job);
    if (!sums && !gecc_repeats_likely(&ticket->job, cpu->key_table_bytes))
        return false;
    ticket->cpu = cpu;
    ticket->report = (gecc_report)GECC_REPORT_INIT;
    ticket->background.run = run_in_background;
    if (background_start(&cpu->background, &ticket->background) == GECC_OK)
        return true;
    if (sums)
        background_run(&cpu->background, &ticket->background);
    return sums;
}

static gecc_result start_in_pool(struct cpu *cpu, struct ticket *ticket) {
    gecc_result result = work_prepare(&ticket->work, cpu, &ticket->job);
    return result == GECC_OK ? gecc_pool_submit(cpu->pool, &ticket->work.task) : result;
}

static gecc_result cpu_submit(void *state, const struct job *job, struct ticket **submitted) {
    struct cpu *cpu = state;
    struct ticket *ticket = malloc(sizeof *ticket);
    if (ticket == NULL)
        return GECC_ERROR_MEMORY;
    ticket->job = *job;
    ticket->in_background = start_in_background(cpu, ticket);
    gecc_result result = ticket->in_background ? GECC_OK : start_in_pool(cpu, ticket);
    if (result == GECC_OK)
        *submitted = ticket;
    else
        free(ticket);
    return result;
}

static gecc_result cpu_poll(void *state, struct ticket *ticket) {
    struct cpu *cpu = state;
    if (!ticket->in_background)
        return gecc_pool_poll(cpu->pool, &ticket->work.task);
    gecc_result result = background_poll(&ticket->background);
    return result == GECC_OK ? ticket->result : result;
}

static gecc_result cpu_await(void *state, struct ticket *ticket, const struct timespec *until) {
    struct cpu *cpu = state;
    if (!ticket->in_background)
        return gecc_pool_await(cpu->pool, &ticket->work.task, until);
    gecc_result result = background_await(&ticket->background, until);
    return result == GECC_OK ? ticket->result : result;
}

static void cpu_cancel(void *state, struct ticket *ticket) {
    struct cpu *cpu = state;
    if (ticket->in_background)
        background_cancel(&ticket->background);
    else
        gecc_pool_cancel(cpu->pool, &ticket->work.task);
}

static gecc_result cpu_wait(void *state, struct ticket *ticket, gecc_report *report) {
    struct cpu *cpu = state;
    gecc_result result;
    if (ticket->in_background) {
        result = background_wait(&ticket->background);
        result = result == GECC_OK ? ticket->result : result;
        *report = ticket->report;
    } else {
        result = gecc_pool_wait(cpu->pool, &ticket->work.task);
        learn(&ticket->work);
        fill_report(&ticket->work, gecc_task_seconds(&ticket->work.task), report);
    }
    free(ticket);
    return result;
}

/* A pass over rows of its own, as a task: no multiples of G, nothing that is published but what the program does. */
static gecc_result run_pass_piece(struct task *task, struct arena *arena, size_t index) {
    const struct work *work = (struct work *)task;
    if (job_is_cancelled(work->job))
        return GECC_ERROR_CANCELLED;
    return run_program(work, arena, NULL, gecc_partition_range(&work->partition, index));
}

/* Slots that are worth a thread, and the alignment of tables. */
enum { PASS_SLOTS = 8, PASS_ALIGNMENT = 64, HUGE_PAGE = 2 << 20 };

static gecc_result run_pass(struct cpu *cpu, const struct program_set *set, enum key_pass pass, const struct job *job) {
    const struct partition_limits limits = {cpu->threads, set->chunk, set->lanes, PASS_SLOTS * set->lanes};
    struct work work = {.cpu = cpu, .job = job, .set = set, .program = &set->key_pass[pass]};
    work.partition = gecc_partition(job->count, &limits);
    work.task.piece = run_pass_piece;
    work.task.pieces = work.partition.pieces;
    work.task.arena_bytes = set->arena_bytes;
    return gecc_pool_run(cpu->pool, &work.task);
}

/* All passes, for a job whose rows are the keys from number `first` on. */
static gecc_result run_passes(struct cpu *cpu, const struct program_set *set, const struct job *keyed,
                              const struct key_set *all, size_t first) {
    const struct key_size one = {curve_bits(keyed->curve), 1, set->key_entry_bytes};
    struct job copy = *keyed, *job = &copy;
    job->keys = *all;
    job->keys.rows = (uint8_t *)all->rows + first * gecc_key_bytes(&one, all->width);
    const size_t keys = job->count, windows = keys * job->keys.windows;
    gecc_result result = run_pass(cpu, set, KEY_PASS_BASES, job);
    job->count = windows;
    if (result == GECC_OK)
        result = run_pass(cpu, set, KEY_PASS_NORMALISE, job);
    for (uint32_t have = 1; have < 1u << (job->keys.width - 1) && result == GECC_OK; have *= 2) {
        job->keys.have = have;
        job->count = windows * have;
        result = run_pass(cpu, set, KEY_PASS_EXTEND, job);
    }
    return result;
}

/* Zeroed by nobody. Large ones in large pages if the system has them: rows are read here and there. */
static void *allocate_rows(size_t bytes) {
    const size_t alignment = bytes < HUGE_PAGE ? PASS_ALIGNMENT : HUGE_PAGE;
    void *rows;
    if (bytes == SIZE_MAX || posix_memalign(&rows, alignment, bytes + PASS_ALIGNMENT) != 0)
        return NULL;
    if (bytes >= HUGE_PAGE)
        (void)madvise(rows, bytes, MADV_HUGEPAGE);
    return rows;
}

/* Memory for the tables, with narrower windows where there is not enough. */
static void *allocate_keys(const struct program_set *set, const struct job *job, const struct key_plan *plan,
                           struct key_set *keys, size_t *bytes) {
    const size_t count = plan->capacity > job->count ? plan->capacity : job->count;
    const struct key_size size = {curve_bits(job->curve), count, set->key_entry_bytes};
    for (keys->width = gecc_key_window(&size, plan); keys->width >= KEY_WINDOW_LEAST; keys->width--) {
        keys->windows = gecc_key_windows(&size, keys->width);
        *bytes = gecc_key_bytes(&size, keys->width);
        void *rows = allocate_rows(*bytes);
        if (rows != NULL)
            return rows;
    }
    return NULL;
}

/* Tables of keys are made for the machine that runs jobs of more than one row, and jobs of one row on keys run there
 * too. */
static gecc_result cpu_keys_make(void *state, const struct job *job, const struct key_plan *plan, struct key_set *keys,
                                 size_t *bytes) {
    struct cpu *cpu = state;
    const struct program_set *set = cpu->machine->curve(job->curve);
    if (set == NULL || set->key_entry_bytes == 0)
        return GECC_ERROR_UNSUPPORTED;
    keys->rows = allocate_keys(set, job, plan, keys, bytes);
    if (keys->rows == NULL)
        return GECC_ERROR_MEMORY;
    gecc_result result = run_passes(cpu, set, job, keys, 0);
    if (result != GECC_OK)
        free(keys->rows);
    return result;
}

static gecc_result cpu_keys_add(void *state, const struct job *job, const struct key_set *keys, size_t first) {
    struct cpu *cpu = state;
    return run_passes(cpu, cpu->machine->curve(job->curve), job, keys, first);
}

static void cpu_keys_free(void *state, const struct key_set *keys) {
    (void)state;
    free(keys->rows);
}

static void cpu_close(void *state) {
    struct cpu *cpu = state;
    background_close(&cpu->background);
    gecc_pool_close(cpu->pool);
    gecc_tables_release();
    gecc_rates_free(cpu->rates);
    free(cpu);
}

static unsigned threads_or_default(unsigned threads) { return threads != 0 ? threads : processors_allowed(); }

gecc_result gecc_cpu_open(void **state, const struct cpu_machine *machine, const struct cpu_machine *single,
                          const gecc_config *config) {
    struct cpu *cpu = calloc(1, sizeof *cpu);
    if (cpu == NULL)
        return GECC_ERROR_MEMORY;
    cpu->machine = machine;
    cpu->single = single;
    cpu->threads = threads_or_default(config->threads);
    cpu->key_table_bytes = config->key_table_bytes;
    const struct rates_guess guess = gecc_rates_guess_thread();
    cpu->rates = gecc_rates_new(&guess);
    gecc_result result = cpu->rates == NULL ? GECC_ERROR_MEMORY : gecc_pool_open(&cpu->pool, cpu->threads);
    if (result == GECC_OK) {
        background_open(&cpu->background);
        gecc_tables_acquire();
        *state = cpu;
    } else {
        gecc_rates_free(cpu->rates);
        free(cpu);
    }
    return result;
}

static const struct cpu_machine *choose_machine(char *reason, size_t size) {
    return gecc_machine_choose(secure_getenv("GECC_CPU"), reason, size);
}

/* The machine for single rows, which have no use for lanes, unless the user chose one for all; NULL: the same. */
static const struct cpu_machine *single_machine(const struct cpu_machine *machine) {
    char reason[sizeof((gecc_backend_info *)NULL)->reason];
    const struct cpu_machine *single = gecc_machine_choose("portable", reason, sizeof reason);
    return secure_getenv("GECC_CPU") == NULL && single != machine ? single : NULL;
}

static gecc_result cpu_open(void **state, const gecc_config *config) {
    char reason[sizeof((gecc_backend_info *)NULL)->reason];
    const struct cpu_machine *machine = choose_machine(reason, sizeof reason);
    return machine == NULL ? GECC_ERROR_NO_BACKEND : gecc_cpu_open(state, machine, single_machine(machine), config);
}

static void cpu_probe(const gecc_config *config, gecc_backend_info *info) {
    *info = (gecc_backend_info)GECC_BACKEND_INFO_INIT;
    info->threads = threads_or_default(config->threads);
    (void)snprintf(info->name, sizeof info->name, "%s", gecc_backend_cpu.name);
    const struct cpu_machine *machine = choose_machine(info->reason, sizeof info->reason);
    if (machine == NULL)
        return;
    info->available = 1;
    (void)snprintf(info->device, sizeof info->device, "%s", machine->name);
    info->reason[0] = 0;
}

const struct backend gecc_backend_cpu = {.name = "cpu",
                                         .probe = cpu_probe,
                                         .open = cpu_open,
                                         .run = cpu_run,
                                         .submit = cpu_submit,
                                         .poll = cpu_poll,
                                         .await = cpu_await,
                                         .cancel = cpu_cancel,
                                         .wait = cpu_wait,
                                         .enough = cpu_enough,
                                         .prepare = cpu_prepare,
                                         .keys_make = cpu_keys_make,
                                         .keys_add = cpu_keys_add,
                                         .keys_free = cpu_keys_free,
                                         .close = cpu_close};
