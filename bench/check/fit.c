#include "fit.h"

#include <stdbool.h>
#include <string.h>

/* Terms that are in use, as bits. Solves the normal equations of those, the others being 0; false: they have no
 * solution. */
static bool solve(const struct fit_sample *samples, size_t count, unsigned used, double x[FIT_TERMS]) {
    double a[FIT_TERMS][FIT_TERMS + 1] = {{0}};
    for (int i = 0; i < FIT_TERMS; i++)
        for (int j = 0; j < FIT_TERMS; j++)
            if (!(used >> i & 1) || !(used >> j & 1))
                a[i][j] = i == j;
    for (size_t s = 0; s < count; s++)
        for (int i = 0; i < FIT_TERMS; i++) {
            double row = (used >> i & 1) ? samples[s].terms[i] / samples[s].seconds : 0;
            for (int j = 0; j < FIT_TERMS; j++)
                if (used >> j & 1)
                    a[i][j] += row * samples[s].terms[j] / samples[s].seconds;
            a[i][FIT_TERMS] += row;
        }
    /* a is positive definite where the terms are independent: elimination needs no exchange of rows */
    for (int k = 0; k < FIT_TERMS; k++) {
        if (!(a[k][k] > 0))
            return false;
        for (int i = 0; i < FIT_TERMS; i++)
            for (int j = FIT_TERMS; i != k && j >= k; j--)
                a[i][j] -= a[i][k] / a[k][k] * a[k][j];
    }
    for (int i = 0; i < FIT_TERMS; i++)
        x[i] = a[i][FIT_TERMS] / a[i][i];
    return true;
}

static double error_of(const struct fit_sample *samples, size_t count, const double x[FIT_TERMS]) {
    double sum = 0;
    for (size_t s = 0; s < count; s++) {
        double error = -1;
        for (int i = 0; i < FIT_TERMS; i++)
            error += samples[s].terms[i] * x[i] / samples[s].seconds;
        sum += error * error;
    }
    return sum;
}

/* Of all choices of terms: there are sixteen. */
void fit(const struct fit_sample *samples, size_t count, double x[FIT_TERMS]) {
    double best = -1;
    memset(x, 0, FIT_TERMS * sizeof *x);
    for (unsigned used = 1; used < 1u << FIT_TERMS; used++) {
        double tried[FIT_TERMS];
        bool good = solve(samples, count, used, tried);
        for (int i = 0; i < FIT_TERMS; i++)
            good = good && tried[i] >= 0;
        if (!good)
            continue;
        double error = error_of(samples, count, tried);
        if (best < 0 || error < best) {
            best = error;
            memcpy(x, tried, sizeof tried);
        }
    }
}
