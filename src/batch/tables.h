/* What is in tables of multiples of G: for window i of `width` bits the multiples j * 2^(width i) * G, j = 0 ..
 * 2^(width - 1); or (2 j - 1) * 2^(width i) * G, j = 1 .. 2^(width - 1), for odd digits; or those of eisenstein.h.
 *
 * The secret table is small, since it is scanned (limbs_scan), and leaves out j = 0. The public one is indexed, and its
 * windows can have any width: the wider they are, the fewer additions a scalar takes and the longer the table takes to
 * make. All lanes use the same tables. A translation unit that wants other windows than windows.h has defines
 * BATCH_WINDOWS, the name of a header with them.
 *
 * They are made by generator_tables.h. Lane programs take `tables`: batch/given_tables.h. What an entry is the group
 * says, whose header includes this one when it has said ENTRY_PARTS and SCALAR_BITS. */
#ifndef GECC_BATCH_TABLES_H
#define GECC_BATCH_TABLES_H

#include <assert.h>

#include "batch/digits.h"
#include "batch/scan.h"
#ifdef BATCH_WINDOWS
#include BATCH_WINDOWS
#else
#include "batch/windows.h"
#endif

enum secrecy { PUBLIC, SECRET };

static_assert(ENTRY_PARTS % SCAN_PARTS == 0, "entries can be scanned");
static_assert(!SECRET_ODD || !SECRET_EISENSTEIN, "digits are of one kind");

/* So many entries, rounded up to as many as are scanned at once. */
#define SCANNED_ENTRIES(entries) (((entries) + SCAN_ENTRIES - 1) / SCAN_ENTRIES * SCAN_ENTRIES)

enum {
    SECRET_WINDOWS = WINDOW_COUNT(SCALAR_BITS, SECRET_WINDOW), /* of a secret scalar, at most */
    SECRET_ENTRIES = 1 << (SECRET_WINDOW - 1),                 /* of one of them, at most */
    SECRET_TABLE_LIMBS = SECRET_WINDOWS * SCANNED_ENTRIES(SECRET_ENTRIES) * ENTRY_PARTS * LIMBS
};

#include "batch/given_tables.h"

#endif
