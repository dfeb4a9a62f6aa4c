/* Items in a ring: each goes through stages, one after the other, on threads of which each does whatever stage can be
 * done. There are as many items as there is memory for, so a stage that is slow holds up those before it. */
#ifndef TOOL_RING_H
#define TOOL_RING_H

#include <stdbool.h>
#include <stddef.h>

enum { RING_STAGES = 8, RING_ITEMS = 64, RING_THREADS = 64 };

/* What a stage says when it is done with an item. */
enum ring_answer {
    RING_ON,
    RING_LAST,  /* the first stage: no item comes after this one */
    RING_REOPEN /* a later stage: the first one has more to do, even if it has said otherwise or is about to */
};

/* Which items a stage takes. */
enum ring_order {
    RING_ANY,    /* whichever is ready, by any number of threads at once */
    RING_BEGUN,  /* the same, but begun in the items' order */
    RING_IN_TURN /* one at a time, in the items' order */
};

struct ring_stage {
    enum ring_answer (*work)(void *owner, void *item);
    enum ring_order order; /* of the first and the last stage RING_IN_TURN */
    bool calls;            /* done by callers, which may wait for something else than a processor; else by workers */
    void (*begin)(void *owner,
                  void *item); /* RING_BEGUN: called before `work`, in the items' order; NULL: nothing is */
};

struct ring {
    void *owner; /* what stages get beside the item */
    const struct ring_stage *stages;
    size_t stage_count;
    void *items[RING_ITEMS]; /* those used last are used again first */
    size_t item_count;
    size_t workers, callers; /* threads, 1 or more of each; the calling thread is a caller */
};

/* Send items round until the last one is through all stages. What stages write before an item is passed on is seen by
 * the stages after it. false: no thread could be started, and no stage was called. */
bool ring_run(const struct ring *ring);

/* Workers for a machine with so many processors, or for so many threads as were asked for (0: none were). At least two:
 * one may wait for input while rows are written. */
size_t ring_workers(size_t asked);

#endif
