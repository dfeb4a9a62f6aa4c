#define _GNU_SOURCE /* asprintf, realpath, sigaction */

#include "files/target.h"

#include <gecc/gecc.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_file(const struct stat *a, const char *path) {
    struct stat b;
    return stat(path, &b) == 0 && S_ISREG(a->st_mode) && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

/* What links of the system name may be open already, and is written as it is. */
static bool may_be_replaced(const char *path) {
    struct stat status;
    if (strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0)
        return false;
    return stat(path, &status) < 0 ? errno == ENOENT : S_ISREG(status.st_mode);
}

/* Of a file that there is, the one that its links lead to. */
static bool make_names(struct target *target, const char *path) {
    target->path = realpath(path, NULL);
    if (!target->path)
        target->path = strdup(path);
    if (!target->path || asprintf(&target->partial, "%s.partial", target->path) < 0)
        return target->partial = NULL, false;
    target->name = target->partial;
    return true;
}

/* Who may read the file that there was may read the one that takes its place. */
static void keep_mode(const struct target *target) {
    struct stat status;
    if (target->path && stat(target->path, &status) == 0)
        (void)fchmod(target->descriptor, status.st_mode & 0777);
}

const char *target_open(struct target *target, const char *path, bool secret, int input) {
    struct stat read;
    *target = (struct target){STDOUT_FILENO, "standard output", NULL, NULL};
    if (!path || strcmp(path, "-") == 0)
        return NULL;
    target->descriptor = -1;
    target->name = path;
    if (may_be_replaced(path) && !make_names(target, path))
        return gecc_result_text(GECC_ERROR_MEMORY);
    if (fstat(input, &read) == 0 && (same_file(&read, path) || (target->partial && same_file(&read, target->partial))))
        return "is the input";
    const char *name = target->partial ? target->partial : path;
    const int link = target->partial ? O_NOFOLLOW : 0; /* nobody else says where FILE.partial leads */
    target->descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | link, secret ? 0600 : 0666);
    if (target->descriptor < 0)
        return strerror(errno);
    if (!secret)
        keep_mode(target);
    else if (target->partial && fchmod(target->descriptor, 0600) < 0)
        return strerror(errno);
    return NULL;
}

bool target_finish(const struct target *target) { return !target->path || rename(target->partial, target->path) == 0; }

void target_free(struct target *target) {
    free(target->path);
    free(target->partial);
    target->path = target->partial = NULL;
}

static atomic_bool *stop_flag;
static volatile sig_atomic_t caught;

static void note(int signal) {
    caught = signal;
    atomic_store(stop_flag, true);
}

void interrupts_catch(atomic_bool *stop) {
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    struct sigaction action = {.sa_handler = note, .sa_flags = (int)SA_RESETHAND};
    stop_flag = stop;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        /* What the caller wants ignored (nohup) stays so. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

int interrupt_caught(void) { return caught; }

void interrupt_raise(void) {
    signal(caught, SIG_DFL);
    raise(caught);
}
