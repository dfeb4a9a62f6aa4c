/* Groups: the batches that may be one job as far as their operation, parameters, options and columns go. A group is
 * there while it has batches, is found by a call that would join it, and takes turns with the others. Nothing here is
 * locked. */
#ifndef GECC_QUEUE_GROUP_H
#define GECC_QUEUE_GROUP_H

#include "queue/batch.h"

enum { GROUP_BUCKETS = 1 << 10 };

struct group {
    struct group *behind;  /* in turn */
    struct group *chained; /* in the bucket */
    uint64_t hash;
    struct batch *first, *last;
    size_t enough;    /* rows that gain nothing by others, as it was known when the last batch began */
    bool is_full;     /* has as many, or a second batch */
    struct call like; /* its first: columns that it points to may be gone */
};

struct groups {
    struct group *bucket[GROUP_BUCKETS];
    struct group *first, **last;    /* in turn: the first has waited for longest */
    struct batch *oldest, **newest; /* all batches, as they began */
    size_t full;                    /* groups that are */
};

void gecc_groups_open(struct groups *groups);
/* The group for the call; NULL: there is none. */
struct group *gecc_group_find(const struct groups *groups, const struct call *call);
/* A new group, of which the batch is the first. false: there is no memory. */
bool gecc_group_begin(struct groups *groups, const struct call *call, struct batch *batch);
/* One more batch, for the call, the last from now on. */
void gecc_group_append(struct groups *groups, struct group *group, const struct call *call, struct batch *batch);
/* The rows of the group's batches have changed. */
void gecc_group_note(struct groups *groups, struct group *group);
/* Take the first batch of the group whose turn it is; there is one. */
struct batch *gecc_groups_take(struct groups *groups);
/* gecc_batch_cancel, wherever the request is. */
bool gecc_groups_cancel(struct groups *groups, uint64_t number);

#endif
