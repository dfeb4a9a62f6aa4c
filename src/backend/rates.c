#include "backend/rates.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "scheme/operation.h"

/* Kinds that have room, of which a program meets some dozen; how many places of the table are looked at for one; and
 * sizes. */
enum { KINDS = 256, PROBES = 8, SIZES = 33 };

struct sample {
    float rows, seconds; /* rows 0: there is none */
};

/* The last two jobs of a size, each a struct sample; and seconds of jobs of this size that ran elsewhere since it was
 * tried here. */
struct size {
    _Atomic uint64_t last, before;
    _Atomic float missed; /* `never`: at once, since it may have been disturbed when it became slower */
};

struct history {
    _Atomic uint64_t name; /* 0: free */
    struct size size[SIZES];
};

struct rates {
    struct rates_guess guess;
    struct history of[KINDS];
};

/* Threads that share a job have all woken after less than `settled`. Multiplying a point takes a core 4 to 700
 * microseconds. */
struct rates_guess gecc_rates_guess_cpu(unsigned threads) {
    const double used = threads == 0 ? 1 : threads;
    return (struct rates_guess){
        .call = 1e-6, .row = 50e-6 / used, .settled = 0.5e-3, .spread = 8 * used, .parts = 4096, .least = 4};
}

/* No kernel is launched, and its rows copied, in less; and most that multiply points compute some ten million rows a
 * second. */
struct rates_guess gecc_rates_guess_gpu(void) {
    return (struct rates_guess){.call = 50e-6, .row = 50e-9, .spread = 1, .parts = 1024, .least = 2};
}

struct rates_guess gecc_rates_guess_thread(void) {
    return (struct rates_guess){.row = 5e-6, .spread = 1, .parts = 1, .least = 1};
}

struct rates *gecc_rates_new(const struct rates_guess *guess) {
    struct rates *rates = calloc(1, sizeof *rates);
    if (rates != NULL)
        rates->guess = *guess;
    return rates;
}

void gecc_rates_free(struct rates *rates) { free(rates); }

/* Bytes of a row of the column, by the first ones. */
static double row_bytes(const gecc_rows *rows, size_t count) {
    const size_t seen = count < 16 ? count : 16;
    double sum = 0;
    if (rows->widths == NULL)
        return (double)rows->width;
    for (size_t i = 0; i < seen; i++)
        sum += (double)rows->widths[i];
    return seen == 0 ? 0 : sum / (double)seen;
}

/* Does a row take time in proportion to the bytes that an input column has of it? */
static bool bytes_take_time(gecc_kind kind) {
    return kind == GECC_KIND_MESSAGE || kind == GECC_KIND_SM2_ID || kind == GECC_KIND_EXPONENT ||
           kind == GECC_KIND_PLAINTEXT || kind == GECC_KIND_CIPHERTEXT;
}

/* The power of two that is nearest by its ratio; of 0 that of 1. */
static unsigned power_of_two_near(double x) {
    unsigned power = 0;
    while (x >= 1.41421356) {
        x /= 2;
        power++;
    }
    return power;
}

/* Of two kinds with one number, of which there are hardly any, each would be taken for the other. */
uint64_t gecc_rates_kind(const struct job *job) {
    double bytes = (double)job->output_bytes; /* rows are derived, or cleared, up to it */
    uint64_t kind = 0;
    if (job->on_device != 0)
        return 0;
    for (unsigned i = 0; operation_info(job)->in[i].name != NULL; i++)
        bytes += bytes_take_time(operation_info(job)->in[i].kind) ? row_bytes(&job->in[i], job->count) : 0;
    const uint64_t parts[] = {(uint64_t)job->operation, (uint64_t)job->curve,    job->modulus_bytes, job->flags,
                              (uint64_t)job->hash,      power_of_two_near(bytes)};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        kind = (kind ^ parts[i]) * 0x9e3779b97f4a7c15u; /* 2^64 / the golden ratio, which spreads small numbers */
        kind ^= kind >> 29;
    }
    return kind | 2;
}

/* A single row is of a kind of its own. */
static uint64_t name_of(uint64_t kind, size_t rows) { return kind == 0 ? 0 : (kind & ~(uint64_t)1) | (rows == 1); }

static struct history *find(const struct rates *rates, uint64_t name) {
    for (size_t i = 0; i < PROBES && name != 0; i++) {
        const struct history *history = &rates->of[((name >> 32) + i) % KINDS];
        if (atomic_load_explicit(&history->name, memory_order_relaxed) == name)
            return (struct history *)history;
    }
    return NULL;
}

/* NULL: no room is left where it would be. */
static struct history *find_or_take(struct rates *rates, uint64_t name) {
    struct history *history = find(rates, name);
    for (size_t i = 0; i < PROBES && history == NULL && name != 0; i++) {
        struct history *here = &rates->of[((name >> 32) + i) % KINDS];
        uint64_t seen = 0;
        if (atomic_compare_exchange_strong(&here->name, &seen, name) || seen == name)
            history = here;
    }
    return history;
}

static size_t size_of(size_t rows) {
    const unsigned size = power_of_two_near((double)rows);
    return size < SIZES ? size : SIZES - 1;
}

static struct sample load(const _Atomic uint64_t *from) {
    const uint64_t packed = atomic_load_explicit(from, memory_order_relaxed);
    struct sample sample;
    _Static_assert(sizeof sample == sizeof packed, "a sample is read and written at once");
    memcpy(&sample, &packed, sizeof sample);
    return sample;
}

static void store(_Atomic uint64_t *to, struct sample sample) {
    uint64_t packed;
    memcpy(&packed, &sample, sizeof packed);
    atomic_store_explicit(to, packed, memory_order_relaxed);
}

/* The faster one of the last two. */
static struct sample seen_of(const struct history *history, size_t size) {
    const struct sample last = load(&history->size[size].last), before = load(&history->size[size].before);
    return before.rows != 0 && before.seconds / before.rows < last.seconds / last.rows ? before : last;
}

/* What takes so many times as long, or so many times less, has changed. */
enum { CHANGE = 2 };

/* Sizes of a kind that were seen: the one asked for, and its neighbours. rows 0: there is none. */
struct neighbours {
    struct sample here, below, further_below, above;
};

static struct neighbours neighbours_of(const struct history *history, size_t size) {
    struct neighbours n = {.here = seen_of(history, size)};
    for (size_t i = size; i-- > 0 && n.further_below.rows == 0;) {
        struct sample *free = n.below.rows == 0 ? &n.below : &n.further_below;
        *free = seen_of(history, i);
    }
    for (size_t i = size + 1; i < SIZES && n.above.rows == 0; i++)
        n.above = seen_of(history, i);
    return n;
}

/* Seconds that rows are expected to take, and between which they will be, if each row of a job takes no longer than
 * those of a smaller job of its kind and the job no less than the smaller one. */
struct range {
    double least, expected, most;
    bool is_seen;   /* jobs of this size were */
    size_t largest; /* rows of the largest smaller job seen; 0: none */
    bool is_linear; /* and from there on time grows with the rows */
    bool is_flat;   /* or does not */
};

static const double never = 1e30;

static double least_of(double a, double b) { return a < b ? a : b; }
static double between(double least, double x, double most) { return x < least ? least : x > most ? most : x; }

/* From two sizes seen. */
static double slope_of(struct sample a, struct sample b) {
    return b.rows > a.rows ? between(0, ((double)b.seconds - a.seconds) / ((double)b.rows - a.rows), b.seconds / b.rows)
                           : 0;
}

/* What takes less than this part of `settled` may be a call, and hardly any of it rows. */
enum { CALL_SHARE = 25 };

/* From the largest smaller jobs. */
static void range_from_below(struct range *range, const struct rates_guess *guess, const struct neighbours *n,
                             double rows) {
    const double t = n->below.seconds, in_proportion = t * rows / n->below.rows;
    const bool settled = t >= guess->settled, two = n->further_below.rows != 0;
    const double ratio = two ? t / n->further_below.seconds * (n->further_below.rows / n->below.rows) : 0;
    double line = two ? t + slope_of(n->further_below, n->below) * (rows - n->below.rows) : in_proportion;
    range->largest = (size_t)n->below.rows;
    range->is_linear = two && settled && ratio > 0.75;
    range->is_flat = two && t < 1.5 * n->further_below.seconds;
    range->most = in_proportion;
    range->expected = between(t, line, in_proportion);
    if (range->is_flat && guess->settled == 0)
        line = t; /* which may have been disturbed by more than its rows took */
    if (t * CALL_SHARE < guess->settled)
        line = 0;
    else if (!settled)
        line = in_proportion / guess->spread;
    else if (!two)
        line = guess->settled > 0 ? 0.8 * line : 0;
    range->least = between(t, line, in_proportion);
}

static struct range range_of(const struct rates *rates, uint64_t kind, size_t count) {
    const struct history *history = find(rates, name_of(kind, count));
    const struct rates_guess *guess = &rates->guess;
    const double rows = (double)count;
    const double guessed = guess->call + guess->row * rows;
    struct range range = {guess->call, guessed, never, false, 0, false, false};
    struct neighbours n = {.here = {0, 0}};
    if (history != NULL)
        n = neighbours_of(history, size_of(count));
    if (n.here.rows != 0) {
        const double slope = n.below.rows != 0 ? slope_of(n.below, n.here) : 0.5 * n.here.seconds / n.here.rows;
        const double seconds = n.here.seconds + slope * (rows - n.here.rows);
        return (struct range){seconds, seconds, seconds, true, (size_t)n.here.rows, false, false};
    }
    if (guess->is_known)
        return (struct range){guessed, guessed, guessed, true, 0, false, false};
    if (n.below.rows != 0)
        range_from_below(&range, guess, &n, rows);
    if (n.above.rows != 0) {
        const double share = rows / n.above.rows;
        range.most = least_of(range.most, n.above.seconds);
        range.least = between(range.least, n.above.seconds * share, range.most);
        range.expected =
            n.below.rows == 0 ? guessed : n.below.seconds + slope_of(n.below, n.above) * (rows - n.below.rows);
        range.expected = between(range.least, range.expected, range.most);
    }
    return range;
}

size_t gecc_rates_enough(const struct rates *rates, uint64_t kind, size_t most) {
    static const double hardly_longer = 1.05; /* as far as two jobs of one size differ on a quiet machine */
    const struct history *history = find(rates, name_of(kind, most));
    const size_t last = size_of(most);
    double best = never;
    if (history == NULL || seen_of(history, last).rows == 0)
        return most;
    for (size_t size = 0; size <= last; size++) {
        const struct sample seen = seen_of(history, size);
        best = seen.rows == 0 ? best : least_of(best, (double)seen.seconds / seen.rows);
    }
    for (size_t size = 0; size < last; size++) {
        const struct sample seen = seen_of(history, size);
        if (seen.rows != 0 && seen.seconds <= hardly_longer * best * seen.rows)
            return (size_t)1 << size;
    }
    return most;
}

/* The place runs this kind twice as fast as it did: jobs of other sizes were of another time. */
static void forget_others(struct history *history, size_t size) {
    for (size_t i = 0; i < SIZES; i++)
        if (i != size) {
            store(&history->size[i].last, (struct sample){0, 0});
            store(&history->size[i].before, (struct sample){0, 0});
        }
}

/* What the job of so many rows took at least when its size, or else the next larger one, was last seen. 0: neither
 * was. */
static double before_of(const struct history *history, size_t rows) {
    const struct neighbours n = neighbours_of(history, size_of(rows));
    const struct sample seen = n.here.rows != 0 ? n.here : n.above;
    return seen.rows == 0 ? 0 : seen.seconds * least_of(1, (double)rows / seen.rows);
}

void gecc_rates_learn(struct rates *rates, uint64_t kind, size_t rows, double seconds) {
    if (rows == 0 || !(seconds > 0))
        return;
    struct history *history = find_or_take(rates, name_of(kind, rows));
    if (history == NULL)
        return;
    struct size *size = &history->size[size_of(rows)];
    const double before = before_of(history, rows);
    const struct sample old = seen_of(history, size_of(rows));
    store(&size->before, load(&size->last));
    store(&size->last, (struct sample){(float)rows, (float)seconds});
    const struct sample new = seen_of(history, size_of(rows));
    const bool is_slower = old.rows != 0 && new.seconds / new.rows > CHANGE *old.seconds / old.rows;
    atomic_store_explicit(&size->missed, is_slower ? (float)never : 0, memory_order_relaxed);
    if (before >= rates->guess.settled && CHANGE * seconds < before)
        forget_others(history, size_of(rows));
}

double gecc_rates_seconds(const struct rates *rates, uint64_t kind, size_t rows) {
    return rows == 0 ? 0 : range_of(rates, kind, rows).expected;
}

bool gecc_rates_known(const struct rates *rates, uint64_t kind, size_t rows) {
    return find(rates, name_of(kind, rows)) != NULL;
}

/* How many of the rows to try where their time is not known: few at first, then more; all where time grows with the
 * rows, since then it is known. Where more rows took no longer, so many that they take an eighth of the time at most
 * that the other place would take for all. */
static size_t slice(const struct rates_guess *guess, const struct range *range, const struct range *other,
                    size_t rows) {
    enum { TIMES = 4, PART = 8 };
    size_t wanted = rows / guess->parts;
    if (wanted < guess->least)
        wanted = guess->least;
    if (wanted < TIMES * range->largest)
        wanted = TIMES * range->largest;
    if (range->is_flat && other->largest != 0) {
        const double most = (double)rows * other->expected / PART / range->most;
        if ((double)wanted < most)
            wanted = most < (double)rows ? (size_t)most : rows;
    }
    return range->is_linear || wanted >= rows / 2 || rows < 4 * guess->least ? rows : wanted;
}

/* How much longer a job takes, at most, whose first rows run on the other place. */
static double costs_of(const struct rates *other, const struct rates *chosen, uint64_t kind, size_t rows,
                       size_t tried) {
    return range_of(other, kind, tried).most + gecc_rates_seconds(chosen, kind, rows - tried) -
           gecc_rates_seconds(chosen, kind, rows);
}

/* Is it time to try the place again that is not chosen, and how many rows? 0: none. All, when that costs a twentieth of
 * what jobs of this size took meanwhile; a part of them, which shows a great change, whenever that does. */
static size_t try_again(const struct rates *other, const struct rates *chosen, uint64_t kind, size_t rows,
                        double seconds) {
    enum { PARTS = 16, LEAST = 16, TIMES = 20, JOBS = 4, LONG = 1 << 30 };
    struct history *history = find(other, name_of(kind, rows));
    if (history == NULL || seconds < other->guess.call)
        return 0;
    _Atomic float *missed = &history->size[size_of(rows)].missed;
    const double before = atomic_load_explicit(missed, memory_order_relaxed), since = before + seconds;
    const double all = TIMES * costs_of(other, chosen, kind, rows, rows);
    if (since >= JOBS * seconds && since >= all) {
        atomic_store_explicit(missed, 0, memory_order_relaxed);
        return rows;
    }
    atomic_store_explicit(missed, (float)since, memory_order_relaxed);
    size_t best = 0;
    double least = all;
    for (size_t few = rows / PARTS; few >= LEAST; few /= PARTS) {
        const double here = TIMES * costs_of(other, chosen, kind, rows, few);
        best = here < least ? few : best;
        least = least_of(here, least);
    }
    least = least < JOBS * seconds ? JOBS * seconds : least;
    return before < LONG * least && (size_t)(since / least) > (size_t)(before / least) ? best : 0;
}

struct rates_choice gecc_rates_choose(struct rates *const place[2], double opening, uint64_t kind, size_t rows,
                                      bool will_run) {
    struct range range[2] = {range_of(place[0], kind, rows), range_of(place[1], kind, rows)};
    if (opening > 0) { /* place 1 is opened only where it is expected to save more time than that takes */
        range[1].least = range[1].expected += opening;
        range[1].is_seen = true;
    }
    const unsigned best = range[0].least <= range[1].least ? 0 : 1, other = 1 - best;
    if (!range[best].is_seen && range[best].most > range[other].least)
        return (struct rates_choice){best, slice(&place[best]->guess, &range[best], &range[other], rows)};
    if (opening == 0 && will_run) {
        const size_t again = try_again(place[other], place[best], kind, rows, range[best].expected);
        if (again != 0)
            return (struct rates_choice){other, again};
    }
    return (struct rates_choice){best, rows};
}
