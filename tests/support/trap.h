/* Memory that changes while it is read, always at the same moment: when a call first touches the trap, a function runs
 * that changes other memory, of which the call may have read some already. One trap at a time. */
#ifndef TESTS_SUPPORT_TRAP_H
#define TESTS_SUPPORT_TRAP_H

#include <stddef.h>
#include <stdint.h>

struct trap {
    uint8_t *before; /* memory that may be touched at any time, and right behind it */
    uint8_t *trap;   /* that of which the first touch is noticed, once it is set */
    size_t before_bytes, trap_bytes;
    void (*sprung)(void *argument);
    void *argument;
};

/* Zeros, in whole pages: at least so many bytes of each. */
void trap_new(struct trap *trap, size_t before_bytes, size_t trap_bytes);
/* From now on the first touch runs sprung(argument). */
void trap_set(struct trap *trap, void (*sprung)(void *argument), void *argument);
/* Returns whether it was sprung. */
int trap_release(struct trap *trap);
void trap_free(struct trap *trap);

#endif
