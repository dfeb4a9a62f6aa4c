/* Tables of multiples of G as lane programs are given them: a struct base_tables; or where the header of windows
 * defines TABLES_IN_ONE_PIECE, as a GPU's does, memory that holds the secret table, SECRET_TABLE_LIMBS, and after it
 * the public one, whose windows gecc_public_windows describes. */
#ifndef GECC_BATCH_GIVEN_TABLES_H
#define GECC_BATCH_GIVEN_TABLES_H

#include "batch/base_tables.h"

#ifdef TABLES_IN_ONE_PIECE
LANE_INLINE const limb *tables_secret(const void *tables) { return (const limb *)tables; }
LANE_INLINE const limb *tables_public(const void *tables) { return (const limb *)tables + SECRET_TABLE_LIMBS; }
LANE_INLINE unsigned public_width(const void *tables) { return (void)tables, gecc_public_windows.width; }
LANE_INLINE unsigned public_windows(const void *tables) { return (void)tables, gecc_public_windows.count; }
#else
LANE_INLINE const limb *tables_secret(const void *tables) {
    return (const limb *)((const struct base_tables *)tables)->secret;
}
LANE_INLINE const limb *tables_public(const void *tables) {
    return (const limb *)((const struct base_tables *)tables)->public_rows;
}
LANE_INLINE unsigned public_width(const void *tables) { return ((const struct base_tables *)tables)->public_width; }
LANE_INLINE unsigned public_windows(const void *tables) { return ((const struct base_tables *)tables)->public_windows; }
#endif

#endif
