/* Ethereum's transactions of some types, wide ones among them, and rows that are none. */
#ifndef TESTS_LEDGER_TRANSACTIONS_H
#define TESTS_LEDGER_TRANSACTIONS_H

#include <stdint.h>
#include <string.h>

enum { DATA = 60000, AUTHORIZATIONS = 300, ROW_MOST = 80000 };

/* A row, written from its end on, so that the heads of lists come when it is known what is in them. */
struct row {
    uint8_t bytes[ROW_MOST];
    size_t at, width;
};

static inline void put(struct row *row, const void *bytes, size_t count) {
    row->at -= count;
    memcpy(row->bytes + row->at, bytes, count);
}

static inline void put_byte(struct row *row, uint8_t byte) { put(row, &byte, 1); }

/* The head of what lies between here and `end`; base: 0x80 of a string, 0xc0 of a list. */
static inline void put_head(struct row *row, size_t end, uint8_t base) {
    size_t width = end - row->at, bytes = 0;
    for (size_t rest = width; width > 55 && rest != 0; rest >>= 8, bytes++)
        put_byte(row, (uint8_t)rest);
    put_byte(row, (uint8_t)(base + (bytes == 0 ? width : 55 + bytes)));
}

static inline void put_address(struct row *row) {
    static const uint8_t address[21] = {0x94, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    put(row, address, sizeof address);
}

/* Parity, r and s. */
static inline void put_signature(struct row *row) { put(row, "\x80\x01\x01", 3); }

static inline void put_authorizations(struct row *row, int count) {
    const size_t end = row->at;
    for (int i = 0; i < count; i++) {
        const size_t end_of_one = row->at;
        put_signature(row);
        put_byte(row, 0x80);
        put_address(row);
        put_byte(row, 1);
        put_head(row, end_of_one, 0xc0);
    }
    put_head(row, end, 0xc0);
}

/* A transaction of that type with so much data, so many authorizations, and in the network's form, if it is of
 * blobs. */
static inline void make_row(struct row *row, uint8_t type, size_t data, int authorizations) {
    static const uint8_t filling[DATA];
    row->at = ROW_MOST;
    if (type == 3)
        put(row, "\xc0\xc0\xc0", 3);
    const size_t end = row->at;
    put_signature(row);
    if (type == 3)
        put(row, "\x01\xc0", 2);
    if (type == 4)
        put_authorizations(row, authorizations);
    put_byte(row, 0xc0);
    const size_t end_of_data = row->at;
    put(row, filling, data);
    put_head(row, end_of_data, 0x80);
    put_byte(row, 0x80);
    put_address(row);
    put(row, "\x01\x80\x01\x01\x82\x52\x08", 7);
    put_head(row, end, 0xc0);
    if (type == 3)
        put_head(row, ROW_MOST, 0xc0);
    put_byte(row, type);
    row->width = ROW_MOST - row->at;
    memmove(row->bytes, row->bytes + row->at, row->width);
}

enum { ROWS = 7 };

static inline void make_rows(struct row *rows) {
    make_row(&rows[0], 2, DATA, 0);
    make_row(&rows[1], 3, DATA, 0);
    rows[2] = rows[1]; /* as wide, and of a type that has no second copy */
    rows[2].bytes[0] = 2;
    make_row(&rows[3], 4, 100, AUTHORIZATIONS);
    make_row(&rows[4], 4, 100, 1);
    rows[5] = rows[3]; /* no transaction */
    memset(rows[5].bytes + 1, 0xff, rows[5].width - 1);
    rows[6].width = 0;
}

#endif
