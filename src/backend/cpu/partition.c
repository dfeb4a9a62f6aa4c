#include "backend/cpu/partition.h"

#include "backend/least.h"

#include "limbs/attributes.h"

/* A thread's rows are counted in units: LARGE for each of its large pieces, then TAIL, in small pieces of half a unit.
 * If one of two threads runs at 0.6 of the other's speed, half the rows each would take 1.33 times as long as a perfect
 * division; this takes 1.07 times as long. */
enum { LARGE = 4, TAIL = 1 };

/* A small piece has at least so many rows, so many times the rows that are computed at once, and half of as many as are
 * worth waking a thread. */
enum { SMALL_ROWS = 16, SMALL_LANES = 4 };

static size_t ceil_divide(size_t a, size_t b) { return a / b + (a % b != 0); }

static size_t round_up(size_t a, size_t multiple) { return ceil_divide(a, multiple) * multiple; }

/* `pieces` pieces of one size, or fewer. */
static struct partition partition_evenly(size_t count, size_t pieces, size_t lanes) {
    size_t rows = round_up(ceil_divide(count, pieces), lanes);
    size_t large = ceil_divide(count, rows);
    return (struct partition){count, large, large, rows, 0};
}

/* `parts` threads with `rounds` large pieces each, and a tail of small ones. */
static struct partition partition_with_tail(size_t count, size_t parts, size_t rounds, size_t unit, size_t lanes) {
    size_t large_rows = round_up(LARGE * unit, lanes);
    size_t small_rows = round_up(ceil_divide(unit, 2), lanes);
    size_t large = least(parts * rounds, count / large_rows);
    size_t small = ceil_divide(count - large * large_rows, small_rows);
    return (struct partition){count, large + small, large, large_rows, small_rows};
}

struct partition gecc_partition(size_t count, const struct partition_limits *limits) {
    VERIFY(limits->threads != 0 && limits->chunk != 0 && limits->chunk % limits->lanes == 0);
    if (count == 0)
        return (struct partition){0, 0, 0, 0, 0};
    size_t fewest = most(limits->least, limits->lanes);
    size_t parts = most(least(limits->threads, count / fewest), 1);
    if (parts == 1)
        return partition_evenly(count, ceil_divide(count, limits->chunk), limits->lanes);
    size_t share = ceil_divide(count, parts);
    /* The fewest rounds for which LARGE units fit in a chunk. */
    size_t units = ceil_divide(share, ceil_divide(limits->chunk, LARGE));
    size_t rounds = units <= LARGE + TAIL ? 1 : ceil_divide(units - TAIL, LARGE);
    size_t unit = share / (LARGE * rounds + TAIL);
    if (unit / 2 < most(fewest / 2, most(SMALL_ROWS, SMALL_LANES * limits->lanes)))
        return partition_evenly(count, parts * ceil_divide(share, limits->chunk), limits->lanes);
    return partition_with_tail(count, parts, rounds, least(unit, limits->chunk / LARGE), limits->lanes);
}

struct row_range gecc_partition_range(const struct partition *partition, size_t index) {
    VERIFY(index < partition->pieces);
    size_t small = index < partition->large ? 0 : index - partition->large;
    size_t first = (index - small) * partition->large_rows + small * partition->small_rows;
    size_t rows = index < partition->large ? partition->large_rows : partition->small_rows;
    return (struct row_range){first, least(rows, partition->count - first)};
}
