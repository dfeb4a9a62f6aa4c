/* Lane programs of SM2 encryption (GM/T 0003.4, section 6 and 7). CURVE is SM2's.
 *
 * Rows are read again, with all checks, when their results are written; until then columns hold their numbers. Outputs
 * may lie where the rows of an input of the same program do, so that a plaintext is hashed before it is overwritten,
 * encrypted from its end and decrypted from its start. */
#ifndef GECC_SCHEME_SM2_ENCRYPTION_H
#define GECC_SCHEME_SM2_ENCRYPTION_H

#include "hash/kdf.h"
#include "scheme/sm2.h"

enum { C1_BYTES_MOST = 65, C3_BYTES = 32 };

/* x || y of one point each lane, as big-endian words and as bytes. Secret. */
struct sm2_secret_point {
    lane32 words[2 * WORDS];
    uint8_t bytes[LANES][2 * 4 * WORDS];
};

LANE_INLINE void sm2_secret_point_set(struct sm2_secret_point *point, struct affine a) {
    uint32_t word[LANES];
    limbs_to_words(point->words, fe_decode(a.x));
    limbs_to_words(point->words + WORDS, fe_decode(a.y));
    for (int i = 0; i < 2 * WORDS; i++) {
        lane32_store(word, point->words[i]);
        for (int lane = 0; lane < LANES; lane++)
            store32_big_endian(point->bytes[lane] + 4 * i, word[lane]);
    }
}

/* Is the word 0? No branch on it. */
LANE_INLINE mask sm2_is_zero(const uint32_t word[LANES]) {
    lane32 a = lane32_load(word);
    return ~lane32_is_odd((a | (lane32_set(0) - a)) >> 31);
}

/* c3[lane] = SM3(x2 || plaintext || y2). */
LANE_FUNCTION void sm2_c3(uint8_t c3[LANES][C3_BYTES], const struct sm2_secret_point *point,
                          const struct segment *plaintext) {
    struct segment parts[3];
    uint8_t *at[LANES];
    for (int lane = 0; lane < LANES; lane++) {
        parts[0].data[lane] = point->bytes[lane];
        parts[2].data[lane] = point->bytes[lane] + 32;
        parts[0].width[lane] = parts[2].width[lane] = 32;
        at[lane] = c3[lane];
    }
    parts[1] = *plaintext;
    hash_message(GECC_SM3, at, parts, 3);
}

/* to[lane] = from ^ t, t = KDF(x2 || y2), of from's widths, block by block from the last or from the first. Returns
 * where t is not all zeros. */
LANE_INLINE mask sm2_mask_lanes(uint8_t *const to[LANES], const struct segment *from,
                                const struct sm2_secret_point *point, int from_the_last) {
    struct kdf kdf = kdf_open();
    uint32_t word[KDF_WORDS][LANES], any[LANES] = {0};
    size_t blocks = 0;
    kdf_absorb(&kdf, point->words);
    for (int lane = 0; lane < LANES; lane++)
        if (blocks < (from->width[lane] + KDF_BYTES - 1) / KDF_BYTES)
            blocks = (from->width[lane] + KDF_BYTES - 1) / KDF_BYTES;
    for (size_t i = 0; i < blocks; i++) {
        const size_t block = from_the_last ? blocks - 1 - i : i, done = block * KDF_BYTES;
        kdf_block(word, &kdf, (uint32_t)block);
        for (int lane = 0; lane < LANES; lane++) {
            const size_t width = from->width[lane], left = width > done ? width - done : 0;
            if (left != 0)
                any[lane] |= kdf_apply(to[lane] + done, from->data[lane] + done, left < KDF_BYTES ? left : KDF_BYTES,
                                       (const uint32_t(*)[LANES])word, lane);
        }
    }
    return ~sm2_is_zero(any);
}

/* Where the parts of a ciphertext are in its row. */
struct sm2_parts {
    const uint8_t *c1, *c3, *c2;
    size_t c1_bytes, c2_bytes;
};

LANE_INLINE size_t sm2_c1_bytes(const struct job *job) {
    return job->point_format == GECC_POINT_COMPRESSED ? 33 : job->point_format == GECC_POINT_RAW ? 64 : 65;
}

/* C1 || C3 || C2, or C1 || C2 || C3. */
LANE_INLINE gecc_item sm2_parts_plain(const struct job *job, const uint8_t *p, size_t width, struct sm2_parts *parts) {
    const size_t c1 = sm2_c1_bytes(job);
    if (width <= c1 + C3_BYTES)
        return GECC_ITEM_MALFORMED_WIDTH;
    const int last = (job->flags & GECC_C1C2C3) != 0;
    parts->c1 = p;
    parts->c1_bytes = c1;
    parts->c2_bytes = width - c1 - C3_BYTES;
    parts->c2 = last ? p + c1 : p + c1 + C3_BYTES;
    parts->c3 = last ? p + width - C3_BYTES : p + c1;
    return GECC_ITEM_OK;
}

/* An INTEGER of a coordinate, to 32 bytes. */
LANE_INLINE gecc_item sm2_coordinate_read(const uint8_t **p, const uint8_t *end, uint8_t *to) {
    const uint8_t *value;
    size_t bytes, width = der_integer_read(*p, (size_t)(end - *p), &value, &bytes);
    if (width == 0)
        return GECC_ITEM_MALFORMED_CIPHERTEXT;
    if (bytes > 32)
        return GECC_ITEM_MALFORMED_POINT_RANGE;
    memset(to, 0, 32 - bytes);
    memcpy(to + 32 - bytes, value, bytes);
    *p += width;
    return GECC_ITEM_OK;
}

/* SEQUENCE { INTEGER x, INTEGER y, OCTET STRING C3, OCTET STRING C2 } (GB/T 35276, 7.2); C1 is put together in c1. */
LANE_INLINE gecc_item sm2_parts_der(const uint8_t *p, size_t width, struct sm2_parts *parts, uint8_t *c1) {
    const uint8_t *end = p + width;
    size_t content, head = der_head_read(p, width, 0x30, &content);
    if (head == 0 || head + content != width)
        return GECC_ITEM_MALFORMED_CIPHERTEXT;
    p += head;
    gecc_item x = sm2_coordinate_read(&p, end, c1);
    if (x != GECC_ITEM_OK)
        return x;
    gecc_item y = sm2_coordinate_read(&p, end, c1 + 32);
    if (y != GECC_ITEM_OK)
        return y;
    head = der_head_read(p, (size_t)(end - p), 0x04, &content);
    if (head == 0 || content != C3_BYTES)
        return GECC_ITEM_MALFORMED_CIPHERTEXT;
    parts->c3 = p + head;
    p += head + C3_BYTES;
    head = der_head_read(p, (size_t)(end - p), 0x04, &content);
    if (head == 0 || p + head + content != end)
        return GECC_ITEM_MALFORMED_CIPHERTEXT;
    parts->c2 = p + head;
    parts->c2_bytes = content;
    parts->c1 = c1;
    parts->c1_bytes = 64;
    return content == 0 ? GECC_ITEM_MALFORMED_WIDTH : GECC_ITEM_OK;
}

/* The parts of a row whose plaintext has room in its own row; c1: C1_BYTES_MOST bytes to be used. */
LANE_INLINE gecc_item sm2_parts_row(const struct job *job, size_t row, struct sm2_parts *parts, uint8_t *c1) {
    size_t width;
    const uint8_t *p = rows_at(&job->in[1], row, &width);
    gecc_item item =
        (job->flags & GECC_DER) ? sm2_parts_der(p, width, parts, c1) : sm2_parts_plain(job, p, width, parts);
    return item == GECC_ITEM_OK && parts->c2_bytes > job->out_width[0] ? GECC_ITEM_MALFORMED_WIDTH : item;
}

/* C1 of a slot's rows, checked; lanes that are refused read G. */
LANE_FUNCTION struct affine sm2_c1_read(const struct chunk *c, size_t slot, lane32 *status) {
    const struct job *job = c->job;
    uint8_t c1[LANES][C1_BYTES_MOST] = {{0}};
    lane32 here = status_ok();
    const size_t bytes = (job->flags & GECC_DER) ? 64 : sm2_c1_bytes(job);
    for (int lane = 0; lane < slot_rows(c, slot); lane++) {
        struct sm2_parts parts;
        gecc_item item = sm2_parts_row(job, slot_row(c, slot) + (size_t)lane, &parts, c1[lane]);
        here = lane32_insert(here, lane, (uint32_t)item);
        if (item == GECC_ITEM_OK && parts.c1 != c1[lane])
            memcpy(c1[lane], parts.c1, bytes);
    }
    const gecc_rows rows = {c1, C1_BYTES_MOST, bytes, NULL, NULL};
    struct affine point = point_read(job->flags & ~(uint32_t)GECC_LITTLE_ENDIAN, &rows, 0, slot_rows(c, slot), &here);
    *status = lane32_select(mask_to_lane32(status_is_ok(*status)), here, *status);
    return point;
}

/* Zeros after the first `width` bytes of a row's output, and its width. */
LANE_INLINE void sm2_row_end(const struct job *job, size_t row, size_t width) {
    memset(out_at(&job->out[0], row) + width, 0, job->out_width[0] - width);
    if (job->out[0].widths)
        job->out[0].widths[row] = (uint32_t)width;
}

/* Decrypt a slot's rows for the points of m.points: plaintexts, where they are C3's. */
LANE_FUNCTION void sm2_decrypt_slot(const struct chunk *c, size_t slot) {
    const struct job *job = c->job;
    const size_t row = slot_row(c, slot);
    const int rows = slot_rows(c, slot);
    struct sm2_secret_point point;
    struct segment text;
    uint8_t c3[LANES][C3_BYTES] = {{0}}, expected[LANES][C3_BYTES], c1[C1_BYTES_MOST], *to[LANES];
    uint32_t differ[LANES] = {0};
    lane32 status = column32_load(c->status, slot), again = status_ok();
    LANE_DECLASSIFY(status);
    for (int lane = 0; lane < LANES; lane++) {
        struct sm2_parts parts;
        text.data[lane] = to[lane] = NULL;
        text.width[lane] = 0;
        if (lane >= rows || lane32_extract(status, lane) != GECC_ITEM_OK)
            continue;
        gecc_item item = sm2_parts_row(job, row + (size_t)lane, &parts, c1);
        again = lane32_insert(again, lane, (uint32_t)item);
        if (item != GECC_ITEM_OK)
            continue;
        memcpy(c3[lane], parts.c3, C3_BYTES);
        text.data[lane] = parts.c2;
        text.width[lane] = parts.c2_bytes;
        to[lane] = out_at(&job->out[0], row + (size_t)lane);
    }
    status = lane32_select(mask_to_lane32(status_is_ok(status)), again, status);
    sm2_secret_point_set(&point, affine_load(c->m.points, slot));
    mask sound = sm2_mask_lanes(to, &text, &point, 0);
    for (int lane = 0; lane < LANES; lane++)
        text.data[lane] = to[lane];
    sm2_c3(expected, &point, &text);
    for (int lane = 0; lane < LANES; lane++)
        for (int i = 0; i < C3_BYTES; i++)
            differ[lane] |= (uint32_t)(expected[lane][i] ^ c3[lane][i]);
    status_require(&status, sound & sm2_is_zero(differ), GECC_ITEM_INVALID);
    LANE_DECLASSIFY(status);
    for (int lane = 0; lane < rows; lane++)
        sm2_row_end(job, row + (size_t)lane, lane32_extract(status, lane) == GECC_ITEM_OK ? text.width[lane] : 0);
    column32_store(c->status, slot, status);
}

/* plaintext = C2 ^ KDF(private_key C1). */
LANE_FUNCTION gecc_result sm2_decrypt(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                      size_t count) {
    struct chunk c = chunk_open(ANY_POINT, arena, tables, job, first, count);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step) {
        lane32 status = status_ok();
        struct limbs d = private_key_read(job->flags, &job->in[0], slot_row(&c, i), slot_rows(&c, i), &status);
        recode_point(&d, point_digits_at(&c.m, i));
        affine_store(c.points, i, sm2_c1_read(&c, i, &status));
        column32_store(c.status, i, status);
    }
    batch_tables(&c.worker, &c.m, c.points);
    chunk_multiply_point(&c, 0);
    gecc_result result = chunk_check_products(&c);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step)
        sm2_decrypt_slot(&c, i);
    chunk_publish(&c);
    return result;
}

/* How a ciphertext is laid out that is to be written, for a C1 that is known: offsets of its parts, and its width. */
struct sm2_layout {
    size_t c3, c2, width;
};

LANE_INLINE struct sm2_layout sm2_layout_plain(const struct job *job, size_t bytes) {
    const size_t c1 = sm2_c1_bytes(job);
    const int last = (job->flags & GECC_C1C2C3) != 0;
    const struct sm2_layout layout = {last ? c1 + bytes : c1, last ? c1 : c1 + C3_BYTES, c1 + C3_BYTES + bytes};
    return layout;
}

/* The width of all that the SEQUENCE has; point: x || y. */
LANE_INLINE size_t sm2_der_content(const uint8_t *point, size_t bytes) {
    return der_integer_width(point, 32) + der_integer_width(point + 32, 32) + 2 + C3_BYTES + der_head_width(bytes) +
           bytes;
}

LANE_INLINE struct sm2_layout sm2_layout_der(const uint8_t *point, size_t bytes) {
    const size_t content = sm2_der_content(point, bytes), width = der_head_width(content) + content;
    const struct sm2_layout layout = {width - bytes - der_head_width(bytes) - C3_BYTES, width - bytes, width};
    return layout;
}

/* What comes before C3 and C2, and their heads; point: x || y. */
LANE_INLINE void sm2_heads_der(uint8_t *p, const uint8_t *point, size_t bytes) {
    p += der_head_write(p, 0x30, sm2_der_content(point, bytes));
    p += der_integer_write(p, point, 32);
    p += der_integer_write(p, point + 32, 32);
    p += der_head_write(p, 0x04, C3_BYTES) + C3_BYTES;
    (void)der_head_write(p, 0x04, bytes);
}

LANE_INLINE void sm2_c1_write(const struct job *job, uint8_t *p, const uint8_t *point) {
    if (job->point_format == GECC_POINT_COMPRESSED)
        *p++ = (uint8_t)(2 + (point[63] & 1));
    if (job->point_format == GECC_POINT_UNCOMPRESSED)
        *p++ = 4;
    memcpy(p, point, job->point_format == GECC_POINT_COMPRESSED ? 32 : 64);
}

/* Is there a plaintext in the row, and may its ciphertext have room? Public. */
LANE_INLINE int sm2_plaintext_fits(const struct job *job, size_t width) {
    const size_t room = job->out_width[0], least = (job->flags & GECC_DER) ? 44 : sm2_c1_bytes(job) + C3_BYTES;
    return width != 0 && width <= room && least <= room - width;
}

/* Encrypt a slot's rows for C1 in m.points and (x2, y2) in points. */
LANE_FUNCTION void sm2_encrypt_slot(const struct chunk *c, size_t slot) {
    const struct job *job = c->job;
    const size_t row = slot_row(c, slot);
    const int rows = slot_rows(c, slot);
    struct sm2_secret_point point, c1;
    struct sm2_layout layout[LANES] = {{0, 0, 0}};
    struct segment text = message_segment(&job->in[2], row, rows);
    uint8_t c3[LANES][C3_BYTES], *to[LANES];
    lane32 status = column32_load(c->status, slot);
    mask fits = mask_set(1);
    sm2_secret_point_set(&c1, affine_select(status_is_ok(status), affine_load(c->m.points, slot), affine_generator()));
    sm2_secret_point_set(&point, affine_load(c->points, slot));
    LANE_DECLASSIFY(c1);
    LANE_DECLASSIFY(status);
    for (int lane = 0; lane < LANES; lane++) {
        to[lane] = NULL;
        if (lane < rows && lane32_extract(status, lane) == GECC_ITEM_OK && sm2_plaintext_fits(job, text.width[lane])) {
            layout[lane] = (job->flags & GECC_DER) ? sm2_layout_der(c1.bytes[lane], text.width[lane])
                                                   : sm2_layout_plain(job, text.width[lane]);
            if (layout[lane].width <= job->out_width[0])
                to[lane] = out_at(&job->out[0], row + (size_t)lane) + layout[lane].c2;
        }
        fits = mask_insert(fits, lane, to[lane] != NULL);
        if (to[lane] == NULL)
            text.width[lane] = 0;
    }
    status_require(&status, fits, GECC_ITEM_MALFORMED_WIDTH);
    sm2_c3(c3, &point, &text);
    status_require(&status, sm2_mask_lanes(to, &text, &point, 1), GECC_ITEM_INVALID);
    LANE_DECLASSIFY(status);
    for (int lane = 0; lane < rows; lane++) {
        uint8_t *p = out_at(&job->out[0], row + (size_t)lane);
        const int ok = lane32_extract(status, lane) == GECC_ITEM_OK;
        if (ok && (job->flags & GECC_DER))
            sm2_heads_der(p, c1.bytes[lane], text.width[lane]);
        else if (ok)
            sm2_c1_write(job, p, c1.bytes[lane]);
        if (ok)
            memcpy(p + layout[lane].c3, c3[lane], C3_BYTES);
        sm2_row_end(job, row + (size_t)lane, ok ? layout[lane].width : 0);
    }
    column32_store(c->status, slot, status);
}

/* Key, nonce and width of each row: the key to points, the nonce's digits for both products. */
LANE_INLINE void sm2_encrypt_read(const struct chunk *c) {
    const struct job *job = c->job;
    chunk_read_points(c, &job->in[0], c->points, 1);
    for (size_t i = c->worker.first; i < c->worker.count; i += c->worker.step) {
        lane32 status = column32_load(c->status, i);
        struct limbs k = private_scalar_read(job->flags, &job->in[1], slot_row(c, i), slot_rows(c, i), &status);
        base_recode(SECRET, c->tables, &k, base_digits_at(&c->m, i));
        recode_point(&k, point_digits_at(&c->m, i));
        column32_store(c->status, i, status);
    }
}

/* C1 = k G, C2 = plaintext ^ KDF(k P). */
LANE_FUNCTION gecc_result sm2_encrypt(struct arena *arena, const void *tables, const struct job *job, size_t first,
                                      size_t count) {
    struct chunk c = chunk_open(ANY_POINT, arena, tables, job, first, count);
    sm2_encrypt_read(&c);
    batch_tables(&c.worker, &c.m, c.points);
    chunk_multiply_point(&c, 0);
    gecc_result result = chunk_check_products(&c);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step)
        affine_store(c.points, i, affine_load(c.m.points, i));
    chunk_multiply_base(&c, 0);
    gecc_result second = chunk_check_products(&c);
    for (size_t i = c.worker.first; i < c.worker.count; i += c.worker.step)
        sm2_encrypt_slot(&c, i);
    chunk_publish(&c);
    return result != GECC_OK ? result : second;
}

#endif
