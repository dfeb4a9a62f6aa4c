#define _GNU_SOURCE /* asprintf, getentropy */

#include "files/target.h"

#include <gecc/gecc.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "text/say.h"

enum {
    MOST_LINKS = 40 /* as many as the system follows */,
    MOST_NAMES = 100,
    LEFT_OVER_BYTES = 8 * PATH_MAX + 64 /* escaped */
};

static const char no_memory[] = "not enough memory";

/* What a signal says before it ends the program. */
static char left_over[LEFT_OVER_BYTES];

static bool same_file(const struct stat *a, const char *path) {
    struct stat b;
    return stat(path, &b) == 0 && S_ISREG(a->st_mode) && a->st_dev == b.st_dev && a->st_ino == b.st_ino;
}

/* Links like /proc/self/fd/1, to which /dev/stdout leads, name what is open already. */
static bool names_what_is_open(const char *link) {
    struct statfs system;
    char *copy = strdup(link);
    bool is_open = copy && statfs(dirname(copy), &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
    free(copy);
    return is_open;
}

/* *name, a link, becomes what it leads to. */
static bool follow(char **name) {
    char to[PATH_MAX], *next = NULL;
    ssize_t size = readlink(*name, to, sizeof to);
    const char *slash = size > 0 && to[0] == '/' ? NULL : strrchr(*name, '/');
    int folder = slash ? (int)(slash + 1 - *name) : 0;
    if (size <= 0 || asprintf(&next, "%.*s%.*s", folder, *name, (int)size, to) < 0)
        return false;
    free(*name);
    *name = next;
    return true;
}

/* target->path = the regular file, be it there or not, that the path leads to; NULL where it leads to something else,
 * which is written as it is. NULL, or why it leads nowhere. */
static const char *find_file(struct target *target, const char *path, bool secret) {
    struct stat status;
    char *name = strdup(path);
    for (int links = 0; name && lstat(name, &status) == 0 && !S_ISREG(status.st_mode); links++) {
        const bool stays = !S_ISLNK(status.st_mode) || names_what_is_open(name);
        if (stays || links == MOST_LINKS || !follow(&name)) {
            free(name);
            return !stays ? strerror(ELOOP)
                   : secret && S_ISFIFO(status.st_mode) && status.st_uid != 0 && status.st_uid != geteuid()
                       ? "a pipe of another user, who would read secrets"
                       : NULL;
        }
    }
    target->path = name;
    return name ? NULL : no_memory;
}

static void say_left_over(int number) {
    (void)!write(STDERR_FILENO, left_over, strlen(left_over));
    signal(number, SIG_DFL);
    raise(number);
}

/* SIG_IGN (nohup) is the caller's wish, and stays. */
static void on_ending_signals(void (*handler)(int number)) {
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    struct sigaction action = {.sa_handler = handler}, old;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
}

static void write_left_over(const struct target *target) {
    char *text = NULL;
    left_over[0] = 0;
    int length = asprintf(&text, "gecc: %s: not whole, and %s is as it was", target->partial, target->path);
    if (length < 0)
        return;
    size_t used = escape_text(left_over, sizeof left_over - 1, text, (size_t)length);
    left_over[used] = '\n';
    left_over[used + 1] = 0;
    free(text);
}

/* A new file beside the one whose name it gets, which nobody else has open. */
static int create(struct target *target) {
    for (int tries = 0; tries < MOST_NAMES; tries++) {
        uint32_t number;
        if (getentropy(&number, sizeof number) < 0 ||
            asprintf(&target->partial, "%s.%08" PRIx32 ".partial", target->path, number) < 0)
            return target->partial = NULL, -1;
        write_left_over(target);
        int descriptor = open(target->partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (descriptor >= 0)
            return descriptor;
        left_over[0] = 0;
        free(target->partial);
        target->partial = NULL;
        if (errno != EEXIST)
            break;
    }
    return -1;
}

/* Who may read the file that there was may read the one that takes its place; whom the umask lets may read a new one.
 * Until then nobody else can open it. */
static void give_mode(const struct target *target) {
    struct stat status;
    mode_t mask = umask(077);
    umask(mask);
    (void)fchmod(target->descriptor, stat(target->path, &status) == 0 ? status.st_mode & 0777 : 0666 & ~mask);
}

/* What is no file is written as it is, behind bytes that may be in it already; found: its state when looked at. */
static const char *open_as_it_is(struct target *target, const char *path, const struct stat *found) {
    struct stat opened;
    target->descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (target->descriptor < 0 || fstat(target->descriptor, &opened) < 0)
        return strerror(errno);
    return opened.st_dev == found->st_dev && opened.st_ino == found->st_ino ? NULL : "became something else";
}

static const char *open_anew(struct target *target, bool secret) {
    on_ending_signals(say_left_over); /* before there is something that it would not say */
    target->descriptor = create(target);
    if (target->descriptor < 0)
        return strerror(errno);
    if (!secret)
        give_mode(target);
    target->name = target->partial;
    return NULL;
}

const char *target_open(struct target *target, const char *path, bool secret, int input) {
    struct stat found = {0}, read;
    *target = (struct target){STDOUT_FILENO, "standard output", NULL, NULL, UINT64_MAX};
    if (!path || strcmp(path, "-") == 0)
        return NULL;
    target->descriptor = -1;
    target->name = path;
    if (stat(path, &found) < 0 && errno != ENOENT) /* the system's rules for links of other users hold */
        return strerror(errno);
    const char *reason = find_file(target, path, secret);
    if (reason)
        return reason;
    if (fstat(input, &read) == 0 && same_file(&read, path))
        return "is the input";
    return target->path ? open_anew(target, secret) : open_as_it_is(target, path, &found);
}

bool target_write(const struct target *target, const char *text, size_t size) {
    while (size) {
        const ssize_t count = write(target->descriptor, text, size);
        if (count < 0 && errno != EINTR)
            return false;
        text += count > 0 ? count : 0;
        size -= count > 0 ? (size_t)count : 0;
    }
    return true;
}

bool target_finish(struct target *target) {
    if (!target->path)
        return true;
    if (rename(target->partial, target->path) < 0)
        return false;
    left_over[0] = 0;
    free(target->partial);
    target->partial = NULL;
    target->name = target->path;
    return true;
}

void target_free(struct target *target) {
    char rows[64] = "";
    if (target->whole_rows != UINT64_MAX)
        snprintf(rows, sizeof rows, "; it has the first %" PRIu64 " rows", target->whole_rows);
    if (target->partial)
        say("gecc: %s: not whole, and %s is as it was%s", target->partial, target->path, rows);
    left_over[0] = 0;
    free(target->path);
    free(target->partial);
    target->path = target->partial = NULL;
}

static atomic_bool *stop_flag;
static volatile sig_atomic_t caught;

static void note(int number) {
    caught = number;
    atomic_store(stop_flag, true);
    signal(number, say_left_over);
}

void interrupts_catch(atomic_bool *stop) {
    stop_flag = stop;
    on_ending_signals(note);
}

int interrupt_caught(void) { return caught; }

void interrupt_raise(void) {
    signal(caught, SIG_DFL);
    raise(caught);
}
