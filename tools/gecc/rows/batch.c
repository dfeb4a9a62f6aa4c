/* Memory of a batch, groups of its rows, and calls of the library. */
#define _DEFAULT_SOURCE /* explicit_bzero */

#include "rows/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHAINS = 1 << 14 };

size_t result_stride(enum result_kind kind) {
    switch (kind) {
    case RESULT_POINT:
        return 1 + 2 * GECC_CURVE_BYTES_MOST;
    case RESULT_SIG:
    case RESULT_TOKEN:
        return MAX_DER_BYTES;
    case RESULT_X:
        return GECC_CURVE_BYTES_MOST;
    case RESULT_RECID:
        return 1;
    case RESULT_DIGEST:
        return MAX_DIGEST_BYTES;
    case RESULT_RESIDUE:
        return MAX_MODULUS_BYTES;
    case RESULT_ADDRESS:
        return ADDRESS_TEXT_BYTES;
    case RESULT_JWK:
        return JWK_BYTES;
    case RESULT_BYTES:
        return sizeof(struct span);
    case RESULT_KEPT: /* it is not here */
        return 1;
    case RESULT_NONE:
        break;
    }
    return 0;
}

/* What a cell of that kind takes however short it is. */
static size_t least_width(enum kind kind) {
    switch (kind) {
    case KIND_SCALAR:
        return GECC_CURVE_BYTES_MOST;
    case KIND_OPERAND:
    case KIND_EXPONENT:
        return MAX_MODULUS_BYTES;
    default:
        return 0;
    }
}

/* A row's numbers, the keys that are given for it and, of a certificate, what is made of it besides its subject. */
static size_t row_bytes_needed(const struct mapping *mapping, const struct options *options) {
    size_t bytes = options->public_key.count / 2 + options->private_key.count / 2;
    if (options->keys.count || options->authorities)
        bytes += KEY_FILE_DIGITS / 2;
    for (size_t c = 0; c < COLUMN_COUNT; c++)
        bytes += least_width(column_kind(mapping, options, (enum column)c));
    return bytes + (options->x509 ? CERTIFICATE_TEXT_BYTES : 0) +
           (options->token_header ? strlen(options->token_header) : 0);
}

/* What an encryption makes of a row more than its text has. */
static size_t result_bytes_needed(const struct mapping *mapping) {
    return mapping->results[0].kind == RESULT_BYTES ? CIPHERTEXT_MORE : 0;
}

/* A cell of t characters becomes at most t bytes, but for numbers; in base64 3/4 t bytes become their digits, in place,
 * and bytes again: 9/4 t. A certificate of t bytes gives them and at most twice as much text of its subject, and of its
 * issuer where that is kept, a token at most 3/4 t of its kid and issuer; a presentation as much of its claims, and of
 * its holder's payload, which is decoded there, too; a ciphertext or plaintext at most
 * t bytes more and CIPHERTEXT_MORE. There is one id and one context. */
static size_t bytes_needed(const struct mapping *mapping, const struct options *options, size_t capacity, size_t text) {
    const size_t times = options->sd_jwt                                                           ? 4
                         : options->authorities                                                    ? 5
                         : options->encoding != ENCODING_HEX || options->x509 || options->detached ? 3
                         : options->jwt                                                            ? 2
                                                                                                   : 1;
    size_t bytes = (times + (result_bytes_needed(mapping) != 0)) * text;
    return bytes + capacity * (row_bytes_needed(mapping, options) + result_bytes_needed(mapping)) + MAX_ID_BYTES +
           MAX_CONTEXT_BYTES;
}

static bool allocate_columns(struct batch *b) {
    for (size_t c = 0; c < COLUMN_COUNT; c++) {
        if (!mapping_has(b->mapping, (enum column)c))
            continue;
        b->cells[c] = calloc(b->capacity, sizeof *b->cells[c]);
        b->offsets[c] = calloc(b->capacity, sizeof *b->offsets[c]);
        b->widths[c] = calloc(b->capacity, sizeof *b->widths[c]);
        if (!b->cells[c] || !b->offsets[c] || !b->widths[c])
            return false;
    }
    for (size_t r = 0; r < MAX_RESULTS; r++) {
        if (!b->mapping->results[r].name)
            continue;
        b->result[r] = calloc(b->capacity, result_stride(b->mapping->results[r].kind));
        b->result_widths[r] = calloc(b->capacity, sizeof *b->result_widths[r]);
        if (!b->result[r] || !b->result_widths[r])
            return false;
    }
    return true;
}

/* Rows of a signature, its key and its digest have some 330 digits. */
static size_t text_needed(size_t capacity) {
    enum { ROW_TEXT_BYTES = 400 };
    const size_t text = capacity < BATCH_TEXT_BYTES_MOST ? capacity * ROW_TEXT_BYTES : BATCH_TEXT_BYTES_MOST;
    return text < BATCH_TEXT_BYTES ? BATCH_TEXT_BYTES : text < BATCH_TEXT_BYTES_MOST ? text : BATCH_TEXT_BYTES_MOST;
}

static bool allocate(struct batch *b) {
    b->text_capacity = text_needed(b->capacity);
    b->text = malloc(b->text_capacity);
    b->fields = calloc(CSV_FIELDS, sizeof *b->fields);
    b->members = calloc(OBJECT_MEMBERS, sizeof *b->members);
    b->bytes_capacity = bytes_needed(b->mapping, b->options, b->capacity, b->text_capacity);
    b->bytes = b->bytes_capacity <= UINT32_MAX ? malloc(b->bytes_capacity) : NULL; /* spans have offsets of 32 bits */
    b->rows = calloc(b->capacity, sizeof *b->rows);
    b->keep = calloc(b->capacity * KEEP_MAX, sizeof *b->keep);
    b->groups = calloc(b->capacity, sizeof *b->groups);
    b->chains = malloc(CHAINS * sizeof *b->chains);
    b->order = calloc(b->capacity, sizeof *b->order);
    b->status = calloc(b->capacity, 1);
    bool fits = b->text && b->fields && b->members && b->bytes && b->rows && b->keep && b->groups && b->chains &&
                b->order && b->status;
    if (mapping_has(b->mapping, COLUMN_MSG)) {
        b->scratch = malloc(b->capacity * SCRATCH_BYTES);
        b->scratch_status = malloc(b->capacity);
        fits = fits && b->scratch && b->scratch_status;
    }
    if (b->mapping->sums) {
        b->stretches = calloc(b->capacity, sizeof *b->stretches);
        b->terms = malloc(b->capacity * TERM_BYTES);
        fits = fits && b->stretches && b->terms;
    }
    return fits && buffer_reserve(&b->output, BUFFER_LEAST) && allocate_columns(b);
}

static void say_names(char *out, size_t size, const struct name *names) {
    int used = snprintf(out, size, "none of ");
    names_list(out + used, size - (size_t)used, names);
}

struct batch *batch_create(const struct mapping *mapping, const struct options *options, size_t capacity) {
    struct batch *batch = calloc(1, sizeof *batch);
    if (!batch)
        return NULL;
    batch->mapping = mapping;
    batch->options = options;
    batch->capacity = capacity;
    batch->output.secret = mapping->secret;
    for (unsigned c = 0; c < COLUMN_COUNT; c++) {
        batch->kinds[c] = column_kind(mapping, options, (enum column)c);
        if (batch->kinds[c] == KIND_NONE)
            continue;
        batch->columns[batch->column_count++] = (uint8_t)c;
        batch->columns_read |= 1u << c;
    }
    say_names(batch->unknown_curve, sizeof batch->unknown_curve, names_of_curves);
    say_names(batch->unknown_hash, sizeof batch->unknown_hash, names_of_hashes);
    if (!allocate(batch)) {
        batch_free(batch);
        return NULL;
    }
    memset(batch->chains, 0xff, CHAINS * sizeof *batch->chains);
    return batch;
}

void batch_free(struct batch *batch) {
    if (!batch)
        return;
    if (batch->text && batch->bytes)
        batch_reset(batch);
    buffer_free(&batch->output);
    free(batch->fields);
    free(batch->members);
    free(batch->text);
    free(batch->bytes);
    free(batch->rows);
    free(batch->keep);
    free(batch->groups);
    free(batch->chains);
    free(batch->order);
    free(batch->status);
    free(batch->scratch);
    free(batch->scratch_status);
    free(batch->stretches);
    free(batch->terms);
    for (size_t c = 0; c < COLUMN_COUNT; c++) {
        free(batch->cells[c]);
        free(batch->offsets[c]);
        free(batch->widths[c]);
    }
    for (size_t r = 0; r < MAX_RESULTS; r++) {
        free(batch->result[r]);
        free(batch->result_widths[r]);
    }
    free(batch);
}

static void wipe(struct batch *batch) {
    explicit_bzero(batch->text, batch->text_used);
    explicit_bzero(batch->bytes, batch->bytes_used);
    for (size_t r = 0; r < MAX_RESULTS; r++)
        if (batch->result[r])
            explicit_bzero(batch->result[r], batch->count * result_stride(batch->mapping->results[r].kind));
    buffer_clear(&batch->output);
}

/* Groups are forgotten one by one: most batches have one group and thousands of chains. */
static void forget_groups(struct batch *batch);

void batch_reset(struct batch *batch) {
    if (batch->mapping->secret)
        wipe(batch);
    forget_groups(batch);
    batch->text_used = batch->text_start = batch->text_whole = batch->bytes_used = batch->count = 0;
    batch->records = batch->lines = 0;
    batch->range = (struct range){0};
    batch->is_last = batch->text_ends = false;
    batch->fault[0] = 0;
    batch->id.taken = batch->context.taken = batch->long_record = batch->has_broken = batch->dropped =
        batch->plan.valid = false;
    batch->unread = 0;
    batch->refusal[0] = 0;
    batch->laid = NULL;
    batch->outcome = GECC_OK;
    batch->seconds = 0;
}

char *cell_copy(const struct cell *cell, size_t *size) {
    char *copy = malloc(cell->length + 1);
    *size = 0;
    for (size_t at = 0; copy && at < cell->length; at++) {
        copy[(*size)++] = cell->text[at];
        at += cell->doubled && cell->text[at] == '"';
    }
    return copy;
}

struct row *batch_add(struct batch *batch, uint64_t line) {
    struct row *row = &batch->rows[batch->count++];
    const uint32_t first = row == batch->rows ? 0 : row[-1].keep_first + row[-1].keep_count;
    *row = (struct row){.line = line, .keep_first = first, .slot = SLOT_NONE, .refusal = {.column = COLUMN_COUNT}};
    if (batch->cells[COLUMN_GROUP])
        batch->cells[COLUMN_GROUP][row - batch->rows] = (struct span){0, NAME_NONE};
    return row;
}

void row_refuse(struct row *row, enum column column, const char *reason) {
    row_judge(row, column, VERDICT_MALFORMED, reason);
}

void row_judge(struct row *row, enum column column, enum verdict verdict, const char *reason) {
    row->refusal = (struct refusal){.text = reason, .column = column, .verdict = verdict};
}

void row_break(struct row *row, enum column column, const char *reason) {
    row_refuse(row, column, reason);
    row->refusal.broken = true;
}

void row_differs(struct row *row, enum column column) {
    row_judge(row, column, VERDICT_INVALID, "not the signer's");
    row->refusal.differs = true;
}

const char batch_is_full[] = "more than a batch of rows has room for";

const char *batch_take(struct batch *batch, size_t count, struct span *span) {
    if (count > batch_room(batch)) {
        *span = (struct span){0, 0};
        return batch_is_full;
    }
    *span = (struct span){(uint32_t)batch->bytes_used, (uint32_t)count};
    batch->bytes_used += count;
    return NULL;
}

/* FNV-1a of what makes groups differ. The modulus is public. */
static size_t chain_of(const struct group *key) {
    uint32_t hash = 2166136261u;
    hash = (hash ^ (uint32_t)key->curve) * 16777619u;
    hash = (hash ^ (uint32_t)key->hash) * 16777619u;
    hash = (hash ^ key->form) * 16777619u;
    hash = (hash ^ (uint32_t)key->der) * 16777619u;
    for (size_t i = 0; i < key->modulus_bytes; i++)
        hash = (hash ^ key->modulus[i]) * 16777619u;
    return (hash ^ hash >> 16) % CHAINS;
}

static void forget_groups(struct batch *batch) {
    for (size_t g = 0; g < batch->group_count; g++)
        batch->chains[chain_of(&batch->groups[g])] = UINT32_MAX;
    batch->group_count = 0;
}

static bool same_group(const struct group *a, const struct group *b) {
    return a->curve == b->curve && a->hash == b->hash && a->form == b->form && a->der == b->der &&
           a->modulus_bytes == b->modulus_bytes && memcmp(a->modulus, b->modulus, a->modulus_bytes) == 0;
}

struct group *batch_group(struct batch *batch, const struct group *key) {
    uint32_t *chain = &batch->chains[chain_of(key)];
    for (uint32_t g = *chain; g != UINT32_MAX; g = batch->groups[g].next)
        if (same_group(&batch->groups[g], key))
            return &batch->groups[g];
    struct group *group = &batch->groups[batch->group_count];
    *group = *key;
    group->next = *chain;
    group->first = group->count = 0;
    group->exponent_bytes = 0;
    *chain = (uint32_t)batch->group_count++;
    return group;
}

/* Counting sort: order[slot] = row, rows[row].slot = slot. */
static size_t sort_rows(struct batch *batch) {
    size_t slots = 0;
    for (size_t g = 0; g < batch->group_count; g++) {
        batch->groups[g].first = slots;
        slots += batch->groups[g].count;
        batch->groups[g].count = 0;
    }
    for (size_t i = 0; i < batch->count; i++) {
        struct row *row = &batch->rows[i];
        batch->has_broken |= row->refusal.broken;
        if (row->refusal.text)
            continue;
        struct group *group = &batch->groups[row->group];
        row->slot = (uint32_t)(group->first + group->count++);
        batch->order[row->slot] = (uint32_t)i;
    }
    return slots;
}

gecc_hash group_hash_given(const struct group *group, const struct options *options) {
    return group->hash != GECC_HASH_DEFAULT ? group->hash : options->hash;
}

gecc_hash group_hash(const struct group *group, const struct options *options) {
    static const gecc_hash hash_of[GECC_CURVE_END] = {
#define HASH(curve, value, name, title, bits, hash, ...) [curve] = hash,
        GECC_CURVE_LIST(HASH)
#undef HASH
    };
    gecc_hash given = group_hash_given(group, options);
    if (given != GECC_HASH_DEFAULT)
        return given;
    if (group->curve == GECC_SM2)
        return GECC_SM3;
    bool known = (size_t)group->curve < GECC_CURVE_END && hash_of[group->curve] != GECC_HASH_DEFAULT;
    return known ? hash_of[group->curve] : GECC_SHA256;
}

enum scheme group_scheme(const struct group *group, const struct options *options) {
    if (options->scheme != SCHEME_OF_CURVE)
        return options->scheme;
    return group->curve == GECC_SM2 ? SCHEME_SM2 : group->curve == GECC_CURVE25519 ? SCHEME_ED25519 : SCHEME_ECDSA;
}

/* Whether rows of a kind have one width in a group. */
static size_t fixed_width(const struct group *group, enum kind kind) {
    switch (kind) {
    case KIND_SCALAR:
        return gecc_curve_bytes(group->curve);
    case KIND_OPERAND:
        return group->modulus_bytes;
    case KIND_EXPONENT:
        return group->exponent_bytes;
    case KIND_RECID:
        return 1;
    default:
        return 0;
    }
}

bool task_has(const struct task *task, uint32_t column_bit) { return (task->group->form & column_bit) != 0; }

/* A column whose rows are as far apart as the first two: of raw rows, or of cells, one of which may serve for all. */
static gecc_rows even_rows(const struct batch *batch, enum column column) {
    const struct layout *layout = batch->laid;
    const struct span *cells = batch->cells[column], given = column == COLUMN_ID ? batch->id.span : batch->context.span;
    if (!layout)
        return gecc_rows_strided(batch->bytes + cells->offset, cells->length,
                                 batch->count > 1 ? cells[1].offset - cells->offset : 0);
    const char *text = batch->text + batch->text_start;
    for (size_t f = 0; f < layout->count; text += layout->widths[f++])
        if (layout->columns[f] == column)
            return gecc_rows_strided(text, layout->widths[f], layout->row_bytes);
    return gecc_rows_same(batch->bytes + given.offset, given.length);
}

static bool is_even(const struct batch *batch, enum column column) {
    const struct span *cells = batch->cells[column];
    const gecc_rows rows = even_rows(batch, column);
    bool even = rows.stride <= batch->bytes_used;
    for (size_t i = 1; i < batch->count && even; i++)
        even = cells[i].offset == cells->offset + i * rows.stride && cells[i].length == cells->length;
    return even;
}

/* What the library is asked for the task's group. */
static void describe(struct task *task, const struct mapping *mapping) {
    const struct options *options = task->options;
    const struct group *group = task->group;
    task->operation = mapping->operation(options, group);
    task->parameters = (gecc_parameters)GECC_PARAMETERS_INIT;
    task->parameters.curve = group->curve;
    task->parameters.hash = group_hash(group, options);
    task->parameters.modulus = (gecc_modulus){group->modulus, group->modulus_bytes};
    task->call = (gecc_options)GECC_OPTIONS_INIT;
    task->call.point_format = options->point_format;
    task->call.flags = options->accept | options->ciphertext_format | (options->prehash ? GECC_PREHASH : 0u) |
                       (options->low_s ? GECC_LOW_S : 0u) | (options->any_s ? GECC_ANY_S : 0u) |
                       (options->sighash_byte ? GECC_SIGHASH_BYTE : 0u) |
                       (options->public_scalars ? GECC_PUBLIC_SCALARS : 0u) |
                       (options->verify_signatures ? GECC_VERIFY_SIGNATURES : 0u) | (group->der ? GECC_DER : 0u);
}

static bool is_among(gecc_widths widths, size_t width) {
    bool among = widths.count == 0 && widths.least <= width && width <= widths.most;
    for (size_t i = 0; i < widths.count; i++)
        among |= widths.width[i] == width;
    return among;
}

/* Whether a call that is told of this width for all rows runs; else it is told each row's, of which some or all may be
 * malformed. */
static bool has_width(const struct batch *batch, enum column column, size_t width) {
    struct task task = {.options = batch->options, .group = &batch->groups[0]};
    const gecc_column *input;
    bool digests = false;
    describe(&task, batch->mapping);
    for (size_t i = 0; (input = gecc_operation_input(task.operation, i)) != NULL; i++) {
        const enum column at = column_of_input(input, task.group->form);
        digests |= at == COLUMN_DIGEST;
        if (at == column)
            return is_among(gecc_column_widths(task.operation, input, &task.parameters, &task.call), width);
    }
    return column == COLUMN_MSG || (column == COLUMN_DIGEST && !digests); /* messages have any */
}

/* Rows of one group of which none is missing are given to the library as they lie, where they lie alike. */
static void find_even(struct batch *batch, size_t slots) {
    const uint32_t id = batch->kinds[COLUMN_ID] != KIND_NONE ? COLUMN_BIT(ID) : 0,
                   columns = (batch->groups[0].form | id) & batch->columns_read;
    batch->is_even = batch->group_count == 1 && slots == batch->count && slots != 0;
    for (uint32_t left = columns; left && batch->is_even && !batch->laid; left &= left - 1)
        batch->is_even = is_even(batch, (enum column)__builtin_ctz(left));
    for (uint32_t left = columns; left && batch->is_even; left &= left - 1) {
        const enum column column = (enum column)__builtin_ctz(left);
        const size_t width = even_rows(batch, column).width, count = has_width(batch, column, width) ? 0 : slots;
        for (size_t i = 0; i < count; i++)
            batch->widths[column][i] = (uint32_t)width;
    }
}

void batch_close(struct batch *batch) {
    size_t slots = batch->laid ? batch->count : sort_rows(batch);
    memset(batch->status, GECC_ITEM_NOT_PROCESSED, slots);
    find_even(batch, slots);
    for (size_t c = 0; c < COLUMN_COUNT && !batch->is_even; c++) {
        if (!batch->cells[c])
            continue;
        for (size_t slot = 0; slot < slots; slot++) {
            struct span span = batch->cells[c][batch->order[slot]];
            batch->offsets[c][slot] = span.offset;
            batch->widths[c][slot] = span.length;
        }
    }
}

gecc_rows task_rows(const struct task *task, enum column column) {
    const struct batch *batch = task->batch;
    const struct group *group = task->group;
    enum kind kind = batch->kinds[column];
    size_t width = fixed_width(group, kind);
    gecc_rows rows = {batch->bytes, 0, width, NULL, NULL};
    if (batch->is_even)
        rows = even_rows(batch, column);
    else
        rows.offsets = batch->offsets[column] + group->first;
    if (kind == KIND_EXPONENT && !batch->laid)
        rows.data = (const uint8_t *)rows.data + MAX_MODULUS_BYTES - width;
    rows.width = width ? width : rows.width;
    if (batch->is_even ? !has_width(batch, column, rows.width) : !width)
        rows.widths = batch->widths[column] + group->first;
    return rows;
}

gecc_out task_result(const struct task *task, size_t result) {
    const struct batch *batch = task->batch;
    size_t stride = result_stride(batch->mapping->results[result].kind), first = task->group->first;
    gecc_out out = {batch->result[result] + first * stride, stride, batch->result_widths[result] + first};
    return out;
}

gecc_out task_status(const struct task *task) { return gecc_out_packed(task->status, 1); }

size_t result_width(const struct mapping *mapping, size_t r, const struct options *options, const struct group *group) {
    struct task task = {.options = options, .group = group};
    switch (mapping->results[r].kind) {
    case RESULT_NONE:
    case RESULT_BYTES:
    case RESULT_KEPT:
        return 0;
    case RESULT_ADDRESS:
        return ADDRESS_TEXT_BYTES;
    case RESULT_JWK:
        return JWK_BYTES;
    case RESULT_RESIDUE: /* where each row has a modulus of its own there is none yet */
        return group->modulus_bytes;
    default:
        break;
    }
    describe(&task, mapping);
    task.call.flags &= ~(uint32_t)GECC_DER;
    const gecc_column *column = gecc_operation_output(task.operation, r);
    return column ? gecc_column_widths(task.operation, column, &task.parameters, &task.call).most : 0;
}

static void set_result_widths(const struct task *task) {
    const struct mapping *mapping = task->batch->mapping;
    for (size_t r = 0; r < MAX_RESULTS && mapping->results[r].name; r++) {
        enum result_kind kind = mapping->results[r].kind;
        uint32_t *widths = task->batch->result_widths[r] + task->group->first;
        bool varies = (kind == RESULT_SIG && task->group->der) || kind == RESULT_JWK || kind == RESULT_BYTES;
        size_t width = result_width(mapping, r, task->options, task->group);
        for (size_t i = 0; i < task->count; i++)
            if (task->status[i] != GECC_ITEM_OK)
                widths[i] = 0;
            else if (!varies)
                widths[i] = (uint32_t)width;
    }
}

static void run_group(struct batch *batch, gecc_context *context, const struct group *group) {
    const struct options *options = batch->options;
    gecc_report report = GECC_REPORT_INIT;
    struct task task = {.context = context,
                        .options = options,
                        .batch = batch,
                        .group = group,
                        .count = group->count,
                        .status = batch->status + group->first};
    describe(&task, batch->mapping);
    task.call.report = &report;
    task.public_key = mapping_has(batch->mapping, COLUMN_PUB) ? task_rows(&task, COLUMN_PUB) : gecc_rows_none();
    gecc_result result = batch->mapping->run(&task);
    if (result != GECC_OK)
        batch->outcome = result;
    batch->seconds += report.seconds;
    batch->report = report;
    set_result_widths(&task);
}

void batch_run(struct batch *batch, gecc_context *context) {
    for (size_t g = 0; g < batch->group_count; g++)
        if (batch->groups[g].count)
            run_group(batch, context, &batch->groups[g]);
}
