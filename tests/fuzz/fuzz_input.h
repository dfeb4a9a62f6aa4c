/* A fuzzer's bytes as a row: either as they are, or as edits of a good row, so that deep code is reached without luck.
 *
 * Byte 0 chooses the curve, byte 1 the flags and formats, byte 2 the reading: even, the rest is the row; odd, the rest
 * are edits of three bytes each: place, kind, value. An edit may write a number at the end of a range, which edits of
 * bytes do not find. */
#ifndef TESTS_FUZZ_FUZZ_INPUT_H
#define TESTS_FUZZ_FUZZ_INPUT_H

#include "support/generate.h"

#include <string.h>

enum { FUZZ_HEADER_BYTES = 3, FUZZ_ROW_BYTES = 300 };

struct fuzz_row {
    uint8_t bytes[FUZZ_ROW_BYTES];
    size_t width;
};

/* 0, n, p and their neighbours, as numbers of the curve. */
struct fuzz_numbers {
    struct cell cells[BOUNDARIES];
};

static inline struct fuzz_numbers fuzz_numbers(gecc_curve curve, struct arena *arena) {
    struct fuzz_numbers numbers;
    for (int i = 0; i < BOUNDARIES; i++) {
        numbers.cells[i] = boundary_cell(curve, (enum boundary)i, arena);
    }
    return numbers;
}

static inline void fuzz_write(struct fuzz_row *row, size_t place, struct cell number) {
    size_t room = row->width - place;
    memcpy(row->bytes + place, number.data, number.width < room ? number.width : room);
}

/* Overwrite, flip, insert or drop a byte, or overwrite with a number. */
static inline void fuzz_edit(struct fuzz_row *row, size_t place, uint8_t kind, uint8_t value,
                             const struct fuzz_numbers *numbers) {
    place = row->width ? place % row->width : 0;
    switch (kind % 5) {
    case 0:
        row->bytes[place] = row->width ? value : row->bytes[place];
        break;
    case 1:
        row->bytes[place] ^= (uint8_t)(row->width ? 1 << value % 8 : 0);
        break;
    case 2:
        if (row->width < FUZZ_ROW_BYTES) {
            memmove(row->bytes + place + 1, row->bytes + place, row->width - place);
            row->bytes[place] = value;
            row->width++;
        }
        break;
    case 3:
        fuzz_write(row, place, numbers->cells[value % BOUNDARIES]);
        break;
    default:
        if (row->width) {
            row->width--;
            memmove(row->bytes + place, row->bytes + place + 1, row->width - place);
        }
    }
}

static inline struct fuzz_row fuzz_row(const uint8_t *data, size_t size, struct cell good,
                                       const struct fuzz_numbers *numbers) {
    struct fuzz_row row = {.width = 0};
    size_t left = size - FUZZ_HEADER_BYTES;
    const uint8_t *rest = data + FUZZ_HEADER_BYTES;
    if (data[2] % 2 == 0) {
        row.width = left < FUZZ_ROW_BYTES ? left : FUZZ_ROW_BYTES;
        memcpy(row.bytes, rest, row.width);
        return row;
    }
    row.width = good.width;
    memcpy(row.bytes, good.data, good.width);
    for (; left >= 3; left -= 3, rest += 3) {
        fuzz_edit(&row, rest[0], rest[1], rest[2], numbers);
    }
    return row;
}

#endif
