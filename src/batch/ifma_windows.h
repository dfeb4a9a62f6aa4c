/* Widths of the windows of G's tables, and how many affine sums share the windows of one scalar: for the IFMA machine,
 * which scans 16 entries at the price of one. Measured: docs/performance.md. */
#ifndef GECC_BATCH_IFMA_WINDOWS_H
#define GECC_BATCH_IFMA_WINDOWS_H

#include "batch/public_window.h"

/* Of the public table for few rows, which is made in less time than a few rows take. */
enum { PUBLIC_WINDOW_FEW = 6 };

/* SECRET_EISENSTEIN: with an endomorphism secret windows are digits of eisenstein.h; SECRET_ODD: on a curve of
 * Weierstrass form they are odd digits. BLOCK_SUMS: affine sums of a public scalar whose inversions a block of threads
 * shares; 0: none. */
enum { SECRET_WINDOW = 6, SECRET_EISENSTEIN = 0, SECRET_ODD = 0, BASE_SUMS = 4, BLOCK_SUMS = 0, AFFINE_SLOTS = 16 };

#endif
