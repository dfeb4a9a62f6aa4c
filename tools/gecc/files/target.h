/* Where rows go. A file gets its name when it is whole. Until then it is FILE.N.partial, N eight random hexadecimal
 * digits: a file of its own in the folder of FILE, which nobody made before and no other run writes; and the old FILE
 * stays. */
#ifndef TOOL_TARGET_H
#define TOOL_TARGET_H

#include <stdbool.h>
#include <stdint.h>
#include <signal.h>
#include <stdatomic.h>

struct target {
    int descriptor;
    const char *name; /* for messages: of the file that is written */
    char *path;       /* the name that it gets; NULL: it has its name, as standard output and devices have */
    char *partial;
    uint64_t whole_rows; /* that are in it, for the words on what is left over; UINT64_MAX: not known */
};

/* path NULL or "-": standard output. A link is followed, to a file that there is or that is to be made, and stays a
 * link. secret: nobody but the owner may read the file, be it there before or not. input: the descriptor that is read,
 * which must not be written. NULL, or why it cannot be opened. From now on a signal that ends the program first says
 * what it leaves over. */
const char *target_open(struct target *target, const char *path, bool secret, int input);

/* Write all of the text to it. false: errno says why not. */
bool target_write(const struct target *target, const char *text, size_t size);

/* It is whole: give it its name. false: errno says why not. Close it before. */
bool target_finish(struct target *target);
/* Says on standard error what is left over, if it did not get its name. */
void target_free(struct target *target);

/* From now on TERM, INT and HUP set *stop instead of ending the program; the second one ends it. */
void interrupts_catch(atomic_bool *stop);
/* The signal that came; 0: none. */
int interrupt_caught(void);
/* End as the signal would have ended the program. */
void interrupt_raise(void);

#endif
