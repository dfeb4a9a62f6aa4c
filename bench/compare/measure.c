/* Alternating rounds, and the agreement of results. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

enum { SLICE = 16, SLICES_CHECKED = 16 };

struct sample {
    size_t items;
    double seconds, other_seconds; /* by the two clocks of the settings */
};

static double clock_seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One call, on the next rows. */
static bool call(struct contender *contender, size_t rows, enum operation operation) {
    if (contender->position + contender->batch > rows)
        contender->position = 0;
    size_t first = contender->position;
    contender->position += contender->batch;
    return contender->side->run(contender->state, operation, first, contender->batch);
}

/* Calls until the seconds are over; the clock, a system call, is read once in SLICE items. */
static bool sample_take(struct sample *sample, const struct measure_settings *settings, struct contender *contender,
                        size_t rows, enum operation operation, double seconds) {
    size_t calls = (SLICE + contender->batch - 1) / contender->batch;
    double other_start = clock_seconds(settings->other_clock), start = clock_seconds(settings->clock);
    *sample = (struct sample){0};
    do {
        for (size_t i = 0; i < calls; i++)
            if (!call(contender, rows, operation))
                return false;
        sample->items += calls * contender->batch;
        sample->seconds = clock_seconds(settings->clock) - start;
    } while (sample->seconds < seconds);
    sample->other_seconds = clock_seconds(settings->other_clock) - other_start;
    return true;
}

bool measure(struct outcome *outcome, const struct measure_settings *settings, const struct rows *rows,
             struct contender *first, struct contender *second, enum operation operation) {
    double a[ROUNDS_MAX] = {0}, b[ROUNDS_MAX] = {0}, ratio[ROUNDS_MAX] = {0}, other_ratio[ROUNDS_MAX] = {0};
    for (size_t i = 0; i < settings->rounds; i++) {
        struct sample x, y;
        if (!sample_take(&x, settings, first, rows->count, operation, settings->seconds) ||
            !sample_take(&y, settings, second, rows->count, operation, x.seconds))
            return false;
        a[i] = (double)x.items / x.seconds;
        b[i] = (double)y.items / y.seconds;
        ratio[i] = a[i] / b[i];
        other_ratio[i] = ((double)x.items / x.other_seconds) / ((double)y.items / y.other_seconds);
    }
    outcome->first = summary_of(a, settings->rounds);
    outcome->second = summary_of(b, settings->rounds);
    outcome->ratio = summary_of(ratio, settings->rounds);
    outcome->other_ratio = summary_of(other_ratio, settings->rounds);
    return true;
}

bool measure_rates(struct summary *rates, const struct measure_settings *settings, const struct rows *rows,
                   struct contender *contenders, size_t count, enum operation operation) {
    double *values = malloc(count * settings->rounds * sizeof *values);
    bool good = values != NULL;
    for (size_t i = 0; good && i < settings->rounds; i++)
        for (size_t c = 0; good && c < count; c++) {
            struct sample sample;
            good = sample_take(&sample, settings, &contenders[c], rows->count, operation, settings->seconds);
            values[c * settings->rounds + i] = (double)sample.items / sample.seconds;
        }
    for (size_t c = 0; good && c < count; c++)
        rates[c] = summary_of(values + c * settings->rounds, settings->rounds);
    free(values);
    return good;
}

/* Equal bytes, or, where the second draws its nonces, a signature that the first accepts. */
static bool row_agrees(const struct rows *rows, const struct contender *first, const struct contender *second,
                       enum operation operation, size_t row) {
    uint8_t a[RESULT_MAX], b[RESULT_MAX];
    if (!first->side->result(first->state, operation, row, a) ||
        !second->side->result(second->state, operation, row, b))
        return false;
    if (operation == SIGN && !second->side->rfc6979)
        return rows_accept(rows, row, b);
    return memcmp(a, b, result_bytes(operation, rows->length)) == 0;
}

static bool slice_agrees(const struct rows *rows, const struct contender *first, const struct contender *second,
                         enum operation operation, size_t start) {
    size_t count = rows->count - start < SLICE ? rows->count - start : SLICE;
    bool agree = second->side->run(second->state, operation, start, count);
    for (size_t i = start; agree && i < start + count; i++)
        agree = row_agrees(rows, first, second, operation, i);
    return agree;
}

bool results_agree(const struct rows *rows, struct contender *first, struct contender *second,
                   enum operation operation) {
    size_t step = (rows->count + SLICES_CHECKED - 1) / SLICES_CHECKED;
    bool agree = true;
    for (size_t start = 0; agree && start < rows->count; start += first->batch) {
        size_t left = rows->count - start;
        agree = first->side->run(first->state, operation, start, left < first->batch ? left : first->batch);
    }
    for (size_t start = 0; agree && start < rows->count; start += step)
        agree = slice_agrees(rows, first, second, operation, start);
    return agree;
}
