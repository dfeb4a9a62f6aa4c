/* How long jobs take, learnt from the jobs: for each kind of job and each size, at one place where jobs run: the CPU, a
 * thread of it, a GPU. And which of two places a job is for.
 *
 * A job's kind is made of its description: its operation, curve, modulus, hash and flags, about how many bytes its
 * messages and exponents have, and whether it has one row, for which some places have other code. How wide its other
 * columns are, and which optional ones it has, takes hardly any time. Sizes are powers of two. Of each the last two
 * jobs are kept, and the faster one counts: a disturbance makes a job slower, and a place that has become slower shows
 * by the second job. Nothing else is known of an operation, a curve or a card; where nothing was seen there is one
 * guess a place.
 *
 * Any number of threads may use them at once, without locks: two that learn of the same size at the same time may lose
 * one job. */
#ifndef GECC_BACKEND_RATES_H
#define GECC_BACKEND_RATES_H

#include <stdbool.h>

#include "scheme/job.h"

/* What is said of a place before it has run anything. */
struct rates_guess {
    double call, row; /* seconds; no job takes less than `call` */
    /* In jobs of less than `settled` seconds a row may take `spread` times as long as in large ones, whose rows all
     * threads share. */
    double settled, spread;
    size_t parts, least; /* a first try has a job's rows / parts, but no fewer than `least` */
    bool is_known;       /* it is no guess, but exact until a job shows another time */
};

/* The CPU with so many threads; a GPU; a thread of the CPU. */
struct rates_guess gecc_rates_guess_cpu(unsigned threads);
struct rates_guess gecc_rates_guess_gpu(void);
struct rates_guess gecc_rates_guess_thread(void);

struct rates;

/* NULL: there is no memory. */
struct rates *gecc_rates_new(const struct rates_guess *guess);
void gecc_rates_free(struct rates *rates);

/* The kind of a job, which is looked at before it runs: columns may be written over others. A job that is prepared has
 * the kind of jobs that run, if its operation has no messages and no exponents. 0: none; rows in a device's memory tell
 * nothing of others. */
uint64_t gecc_rates_kind(const struct job *job);

/* So many rows of a job of this kind took so many seconds. */
void gecc_rates_learn(struct rates *rates, uint64_t kind, size_t rows, double seconds);

/* What so many rows are expected to take. */
double gecc_rates_seconds(const struct rates *rates, uint64_t kind, size_t rows);

/* Has the place run a job of this kind, of one row or of more? */
bool gecc_rates_known(const struct rates *rates, uint64_t kind, size_t rows);

/* The fewest rows, up to `most`, that take each as long as those of the best job seen, or hardly longer: more rows in a
 * job gain nothing. `most`, if no job of about as many was seen. */
size_t gecc_rates_enough(const struct rates *rates, uint64_t kind, size_t most);

/* Where to run the next rows of a job, and how many: all that are left, or a slice by which more is learnt. */
struct rates_choice {
    unsigned place;
    size_t rows;
};

/* Of the `rows` rows that are left of the job, at one of two places, of which place 1 takes `opening` seconds until it
 * can begin. Once a size was seen, a slower place is tried again when that costs a twentieth of the time that jobs of
 * the size took since; not where the caller only asks, and does not run the job. */
struct rates_choice gecc_rates_choose(struct rates *const place[2], double opening, uint64_t kind, size_t rows,
                                      bool will_run);

#endif
