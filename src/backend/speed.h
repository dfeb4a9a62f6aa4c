/* How fast this machine's CPU is beside those that cost.c was fitted to, and how long its threads take to wake. */
#ifndef GECC_BACKEND_SPEED_H
#define GECC_BACKEND_SPEED_H

#include "backend/cost.h"
#include "backend/registry.h"

/* Scale what *cost says of the CPU by the time that jobs take on it, on all threads: some 10 to 30 milliseconds. What
 * is not available leaves it as it is. */
void gecc_speed_measure(struct cost *cost, const struct instance *cpu);

#endif
