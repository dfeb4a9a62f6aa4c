#define _GNU_SOURCE
#include "support/trap.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "support/memory.h"

static struct trap *volatile set;
static struct sigaction before_it;

static size_t whole_pages(size_t bytes) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

static void on_touch(int signal, siginfo_t *info, void *context) {
    struct trap *trap = set;
    const uint8_t *address = info->si_addr;
    (void)signal, (void)context;
    if (trap == NULL || address < trap->trap || address >= trap->trap + trap->trap_bytes)
        _exit(3); /* another fault */
    set = NULL;
    REQUIRE(mprotect(trap->trap, trap->trap_bytes, PROT_READ | PROT_WRITE) == 0);
    trap->sprung(trap->argument);
}

void trap_new(struct trap *trap, size_t before_bytes, size_t trap_bytes) {
    *trap = (struct trap){.before_bytes = whole_pages(before_bytes), .trap_bytes = whole_pages(trap_bytes)};
    trap->before =
        mmap(NULL, trap->before_bytes + trap->trap_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(trap->before != MAP_FAILED);
    trap->trap = trap->before + trap->before_bytes;
}

void trap_set(struct trap *trap, void (*sprung)(void *argument), void *argument) {
    struct sigaction action = {.sa_sigaction = on_touch, .sa_flags = SA_SIGINFO};
    trap->sprung = sprung;
    trap->argument = argument;
    set = trap;
    REQUIRE(sigaction(SIGSEGV, &action, &before_it) == 0);
    REQUIRE(mprotect(trap->trap, trap->trap_bytes, PROT_NONE) == 0);
}

int trap_release(struct trap *trap) {
    int sprung = set == NULL;
    set = NULL;
    REQUIRE(mprotect(trap->trap, trap->trap_bytes, PROT_READ | PROT_WRITE) == 0);
    REQUIRE(sigaction(SIGSEGV, &before_it, NULL) == 0);
    return sprung;
}

void trap_free(struct trap *trap) { (void)munmap(trap->before, trap->before_bytes + trap->trap_bytes); }
