#include "queue/group.h"

#include <stdlib.h>
#include <string.h>

/* May rows of two calls be one job? */
static bool joins(const struct call *a, const struct call *b) {
    const struct operation_info *info = operation_info(&a->job);
    const struct job *x = &a->job, *y = &b->job;
    if (x->operation != y->operation || x->curve != y->curve || x->flags != y->flags || x->hash != y->hash ||
        x->point_format != y->point_format || x->output_bytes != y->output_bytes ||
        x->modulus_bytes != y->modulus_bytes || x->keys.rows != y->keys.rows ||
        memcmp(x->modulus, y->modulus, sizeof x->modulus) != 0)
        return false;
    for (unsigned i = 0; i < JOB_INPUTS; i++)
        if ((x->in[i].data == NULL) != (y->in[i].data == NULL) ||
            (info->in[i].name != NULL && info->in[i].kind == GECC_KIND_EXPONENT && x->in[i].width != y->in[i].width))
            return false;
    for (unsigned i = 0; i < JOB_OUTPUTS; i++)
        if ((x->out[i].data == NULL) != (y->out[i].data == NULL))
            return false;
    return true;
}

/* FNV-1a, by words. */
static uint64_t mix(uint64_t hash, uint64_t word) { return (hash ^ word) * 0x100000001b3; }

/* The same for calls that join. */
static uint64_t hash_of(const struct job *job) {
    uint64_t hash = mix(mix(0xcbf29ce484222325, job->operation), (uint64_t)job->curve << 8 | (uint64_t)job->hash);
    hash = mix(mix(hash, job->flags), (uint64_t)(uintptr_t)job->keys.rows);
    for (size_t i = 0; i < sizeof job->modulus; i += sizeof(uint64_t)) {
        uint64_t word;
        memcpy(&word, job->modulus + i, sizeof word);
        hash = mix(hash, word);
    }
    return hash ^ hash >> 32;
}

void gecc_groups_open(struct groups *groups) {
    *groups = (struct groups){.full = 0};
    groups->last = &groups->first;
    groups->newest = &groups->oldest;
}

struct group *gecc_group_find(const struct groups *groups, const struct call *call) {
    const uint64_t hash = hash_of(&call->job);
    struct group *group = groups->bucket[hash % GROUP_BUCKETS];
    while (group != NULL && (group->hash != hash || !joins(&group->like, call)))
        group = group->chained;
    return group;
}

static void stand_last(struct groups *groups, struct group *group) {
    group->behind = NULL;
    *groups->last = group;
    groups->last = &group->behind;
}

bool gecc_group_begin(struct groups *groups, const struct call *call, struct batch *batch) {
    struct group *group = malloc(sizeof *group);
    if (group == NULL)
        return false;
    const uint64_t hash = hash_of(&call->job);
    *group = (struct group){.hash = hash, .chained = groups->bucket[hash % GROUP_BUCKETS], .like = *call};
    groups->bucket[hash % GROUP_BUCKETS] = group;
    stand_last(groups, group);
    gecc_group_append(groups, group, call, batch);
    return true;
}

void gecc_group_append(struct groups *groups, struct group *group, const struct call *call, struct batch *batch) {
    if (group->first == NULL)
        group->first = batch;
    else
        group->last->next = batch;
    group->last = batch;
    batch->group = group;
    batch->before = groups->newest;
    *groups->newest = batch;
    groups->newest = &batch->newer;
    group->enough = gecc_call_enough(call);
    gecc_group_note(groups, group);
}

void gecc_group_note(struct groups *groups, struct group *group) {
    const bool full = group->first != NULL && (group->first->next != NULL || group->first->rows >= group->enough);
    groups->full += full;
    groups->full -= group->is_full;
    group->is_full = full;
}

static void drop(struct groups *groups, struct group *group) {
    struct group **at = &groups->bucket[group->hash % GROUP_BUCKETS];
    while (*at != group)
        at = &(*at)->chained;
    *at = group->chained;
    free(group);
}

struct batch *gecc_groups_take(struct groups *groups) {
    struct group *group = groups->first;
    struct batch *batch = group->first;
    groups->first = group->behind;
    if (groups->first == NULL)
        groups->last = &groups->first;
    group->first = batch->next;
    gecc_group_note(groups, group);
    if (group->first != NULL)
        stand_last(groups, group);
    else
        drop(groups, group);
    *batch->before = batch->newer;
    if (batch->newer != NULL)
        batch->newer->before = batch->before;
    else
        groups->newest = batch->before;
    return batch;
}

bool gecc_groups_cancel(struct groups *groups, uint64_t number) {
    for (struct batch *batch = groups->oldest; batch != NULL; batch = batch->newer)
        if (gecc_batch_cancel(batch, number)) {
            gecc_group_note(groups, batch->group);
            return true;
        }
    return false;
}
