/* Where rows go. A file gets its name when it is whole: until then it is FILE.partial, and what FILE was stays. */
#ifndef TOOL_TARGET_H
#define TOOL_TARGET_H

#include <stdbool.h>
#include <signal.h>
#include <stdatomic.h>

struct target {
    int descriptor;
    const char *name; /* for messages: of what is being written */
    char *path;       /* the name that it gets; NULL: it has its name, as standard output and devices have */
    char *partial;
};

/* path NULL or "-": standard output. secret: nobody but the owner may read the file, be it there before or not.
 * input: the descriptor that is read, which must not be written. NULL, or why it cannot be opened. */
const char *target_open(struct target *target, const char *path, bool secret, int input);

/* It is whole: give it its name. false: errno says why not. Close it before. */
bool target_finish(const struct target *target);
void target_free(struct target *target);

/* From now on TERM, INT and HUP set *stop instead of ending the program; the second one ends it. */
void interrupts_catch(atomic_bool *stop);
/* The signal that came; 0: none. */
int interrupt_caught(void);
/* End as the signal would have ended the program. */
void interrupt_raise(void);

#endif
