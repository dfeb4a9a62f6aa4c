/* Cells of a row, as the files of the generator put them. */
#ifndef TOOLS_ROWS_PUT_H
#define TOOLS_ROWS_PUT_H

#include "rows.h"
#include "number.h"

typedef struct generator generator;

static inline const uint8_t *key(const generator *g, size_t i) { return pool_key(g->pool, i); }
static inline const uint8_t *point(const generator *g, size_t i) { return pool_point(g->pool, i); }
static inline const uint8_t *entry(const generator *g, const uint8_t *numbers, size_t i) {
    return numbers + i * g->pool->length;
}
static inline void negate(const generator *g, uint8_t *r, const uint8_t *a) {
    number_sub(r, g->pool->n, a, g->pool->length);
}

void put_random(generator *g, int input, size_t width);
static inline void put_small(generator *g, int input, size_t width, uint8_t value) {
    memset(g->memory[input], 0, width);
    g->memory[input][width - 1] = value;
    g->cells[input].width = width;
}
/* x || y in the format of the batch, or in any if its rows may differ. */
void put_point(generator *g, int input, const uint8_t *raw);
/* r || s, as the call wants it. */
void put_signature(generator *g, int input, const uint8_t *raw);
void put_digest(generator *g, int input, size_t i);
/* The columns from `first` on: digest, signature, recovery id, of entry i. */
void put_signed(generator *g, int first, size_t i);
/* The width of a message, less than `bound`: where blocks of hashes end, or any. */
uint32_t any_message_width(struct prng *prng, uint32_t bound);
/* Key, message and signature of entry i; with a sighash byte now and then, where the call has any. */
void put_schnorr(generator *g, size_t i);

int any_input(generator *g);
void flip_bit(generator *g, int input);

#endif
