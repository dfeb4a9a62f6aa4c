#define _GNU_SOURCE /* mempcpy */

#include "rows/sums.h"
#include "rows/result_text.h"
#include "rows/task.h"
#include "text/hash.h"
#include "text/json_text.h"
#include "text/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTED_PLACES = 2 * NAMES_NOTED, POINT_STRIDE = 1 + 2 * GECC_CURVE_BYTES_MOST };

static const char other_curve[] = "a term on another curve than those before it";

bool sums_init(struct sums *sums, gecc_context *context, const struct writer *writer, const struct options *options) {
    *sums = (struct sums){.context = context, .writer = writer, .options = options, .status = GECC_ITEM_INFINITY};
    if (options->group_by)
        sums->noted = calloc(NOTED_PLACES, sizeof *sums->noted);
    return sums->noted || !options->group_by;
}

void sums_free(struct sums *sums) {
    free(sums->noted);
    buffer_free(&sums->name);
}

/* The stretches of a batch. */

gecc_result sums_convert(struct task *task) {
    task->operation = gecc_operation_find("ec.convert");
    task->call.flags = 0; /* --public is about the scalars */
    task->call.point_format = GECC_POINT_RAW;
    return task_run(task);
}

static uint8_t status_of(const struct batch *batch, const struct row *row) {
    return row->slot == SLOT_NONE ? (uint8_t)GECC_ITEM_NOT_PROCESSED : batch->status[row->slot];
}

/* The name of the sum of row i; NAME_NONE long where there is a column for it and it could not be read. */
static struct span sum_name(const struct batch *batch, size_t i) {
    return batch->options->group_by ? batch->cells[COLUMN_GROUP][i] : (struct span){0, 0};
}

static bool same_name(const struct batch *batch, struct span a, struct span b) {
    return a.length == b.length &&
           (a.length == NAME_NONE || memcmp(batch->bytes + a.offset, batch->bytes + b.offset, a.length) == 0);
}

/* Row i is the next one of a stretch. */
static void stretch_add(struct batch *batch, struct stretch *stretch, size_t i) {
    const struct row *row = &batch->rows[i];
    const enum verdict verdict = row_verdict(row, status_of(batch, row));
    const gecc_curve curve = row->slot == SLOT_NONE ? (gecc_curve)0 : batch->groups[row->group].curve;
    const bool is_other = verdict == VERDICT_GOOD && stretch->curve && stretch->curve != curve;
    batch->verdicts[is_other ? VERDICT_MALFORMED : verdict]++;
    stretch->count++;
    if (verdict == VERDICT_GOOD && !stretch->curve)
        stretch->curve = curve;
    if (stretch->refused != SLOT_NONE || (verdict == VERDICT_GOOD && !is_other))
        return;
    stretch->refused = (uint32_t)i;
    stretch->reason = is_other ? other_curve : NULL;
}

static void find_stretches(struct batch *batch) {
    struct stretch *stretch = NULL;
    batch->stretch_count = 0;
    memset(batch->verdicts, 0, sizeof batch->verdicts);
    for (size_t i = 0; i < batch->count; i++) {
        if (!stretch || !same_name(batch, sum_name(batch, stretch->first), sum_name(batch, i))) {
            stretch = &batch->stretches[batch->stretch_count++];
            *stretch = (struct stretch){.first = (uint32_t)i, .refused = SLOT_NONE, .status = GECC_ITEM_NOT_PROCESSED};
        }
        stretch_add(batch, stretch, i);
    }
}

static bool is_computed(const struct stretch *stretch, gecc_curve curve) {
    return stretch->curve == curve && stretch->refused == SLOT_NONE;
}

/* The scalars and points of all stretches on a curve, one behind the other: widths in the batch's columns. Returns how many
 * stretches there are. */
static size_t gather_terms(struct batch *batch, gecc_curve curve, uint8_t *scalars, uint8_t *points) {
    const size_t length = gecc_curve_bytes(curve);
    size_t picked = 0, used = 0;
    for (const struct stretch *stretch = batch->stretches; stretch < batch->stretches + batch->stretch_count;
         stretch++) {
        if (!is_computed(stretch, curve))
            continue;
        batch->offsets[COLUMN_SCALAR][picked] = used * length;
        batch->offsets[COLUMN_POINT][picked] = 2 * used * length;
        batch->widths[COLUMN_SCALAR][picked] = (uint32_t)(stretch->count * length);
        batch->widths[COLUMN_POINT][picked++] = (uint32_t)(2 * stretch->count * length);
        for (size_t i = stretch->first; i < (size_t)stretch->first + stretch->count; i++, used++) {
            memcpy(scalars + used * length, batch->bytes + batch->cells[COLUMN_SCALAR][i].offset, length);
            memcpy(points + 2 * used * length, batch->result[0] + batch->rows[i].slot * POINT_STRIDE, 2 * length);
        }
    }
    return picked;
}

static gecc_result add_up(struct batch *batch, gecc_context *context, gecc_curve curve) {
    const size_t length = gecc_curve_bytes(curve);
    uint8_t *scalars = batch->terms, *points = scalars + batch->count * length,
            *sums = points + batch->count * 2 * length, *status = sums + batch->stretch_count * 2 * length;
    const size_t count = gather_terms(batch, curve, scalars, points);
    const gecc_rows k = {scalars, 0, 0, batch->widths[COLUMN_SCALAR], batch->offsets[COLUMN_SCALAR]};
    const gecc_rows p = {points, 0, 0, batch->widths[COLUMN_POINT], batch->offsets[COLUMN_POINT]};
    gecc_report report = GECC_REPORT_INIT;
    gecc_options call = GECC_OPTIONS_INIT;
    call.point_format = GECC_POINT_RAW;
    call.report = &report;
    memset(status, GECC_ITEM_NOT_PROCESSED, count);
    const gecc_result result =
        gecc_ec_msm(context, curve, gecc_out_packed(sums, 2 * length), gecc_out_packed(status, 1), k, p, count, &call);
    batch->seconds += report.seconds;
    batch->report = report;
    size_t picked = 0;
    for (struct stretch *stretch = batch->stretches; stretch < batch->stretches + batch->stretch_count; stretch++)
        if (is_computed(stretch, curve)) {
            memcpy(stretch->point, sums + picked * 2 * length, 2 * length);
            stretch->status = status[picked++];
        }
    return result;
}

void sums_compute(struct batch *batch, gecc_context *context) {
    uint64_t curves = 0;
    find_stretches(batch);
    for (size_t r = 0; r < batch->stretch_count; r++)
        if (batch->stretches[r].refused == SLOT_NONE)
            curves |= (uint64_t)1 << batch->stretches[r].curve;
    for (; curves && batch->outcome == GECC_OK; curves &= curves - 1)
        batch->outcome = add_up(batch, context, (gecc_curve)__builtin_ctzll(curves));
}

/* Sums in the order of batches. */

/* Note a name. false: it was there before. */
static bool note_name(struct sums *sums, const char *name, size_t length) {
    uint8_t hash[HASH_BYTES];
    struct fingerprint print;
    token_hash(hash, name, length);
    memcpy(&print, hash, sizeof print);
    size_t place = print.half[0] % NOTED_PLACES;
    for (; sums->noted[place].half[0] || sums->noted[place].half[1]; place = (place + 1) % NOTED_PLACES)
        if (memcmp(&sums->noted[place], &print, sizeof print) == 0)
            return false;
    if (sums->noted_count < NAMES_NOTED) {
        sums->noted[place] = print;
        sums->noted_count++;
    }
    return true;
}

static size_t point_bytes(uint8_t out[POINT_STRIDE], const struct sums *sums) {
    const size_t length = gecc_curve_bytes(sums->curve);
    const bool raw = sums->options->point_format == GECC_POINT_RAW,
               compressed = sums->options->point_format == GECC_POINT_COMPRESSED;
    uint8_t *end = out;
    if (!raw)
        *end++ = compressed ? (uint8_t)(2 + (sums->point[2 * length - 1] & 1)) : 4;
    end = mempcpy(end, sums->point, compressed ? length : 2 * length);
    return (size_t)(end - out);
}

/* Its point, or nothing. */
static char *put_sum(char *out, const struct sums *sums) {
    uint8_t point[POINT_STRIDE];
    if (sums->flaw.verdict != VERDICT_GOOD)
        return out;
    const size_t width = sums->status == GECC_ITEM_OK ? point_bytes(point, sums) : 0;
    return point_put(out, sums->options->encoding, point, width, sums->status);
}

static const char *curve_name(const struct sums *sums) { return sums->curve ? gecc_curve_name(sums->curve) : ""; }

static void write_csv(const struct sums *sums, struct buffer *output) {
    const struct flaw *flaw = &sums->flaw;
    if (sums->options->group_by) {
        csv_put_field(output, sums->name.bytes, sums->name.used);
        buffer_put(output, ",", 1);
    }
    char *out = buffer_room(output);
    out = stpcpy(stpcpy(out, verdict_text(sums->writer->mapping, flaw->verdict)), ",");
    if (flaw->reason[0])
        out = stpcpy(stpcpy(stpcpy(out, "\""), flaw->reason), "\"");
    *out++ = ',';
    if (flaw->verdict == VERDICT_MALFORMED)
        out = number_put(out, flaw->line);
    *out++ = ',';
    out = put_sum(out, sums);
    *out++ = ',';
    out = number_put(out, sums->terms);
    out = stpcpy(stpcpy(stpcpy(out, ","), curve_name(sums)), "\n");
    buffer_advance(output, out);
}

/* A member's name, behind a comma but for the first one. */
static char *put_member(char *out, const struct sums *sums, const char *before, size_t name) {
    return stpcpy(stpcpy(stpcpy(stpcpy(out, before), "\""), sums->writer->names[name]), "\":");
}

static char *put_text(char *out, const char *text) { return stpcpy(stpcpy(stpcpy(out, "\""), text), "\""); }

static void write_json(const struct sums *sums, struct buffer *output) {
    const struct flaw *flaw = &sums->flaw;
    const char *group_by = sums->options->group_by;
    buffer_put(output, "{", 1);
    if (group_by) {
        buffer_put(output, "\"", 1);
        json_put_text(output, group_by, strlen(group_by), false);
        buffer_put(output, "\":\"", 3);
        json_put_text(output, sums->name.bytes, sums->name.used, false);
        buffer_put(output, "\"", 1);
    }
    char *out = put_member(buffer_room(output), sums, group_by ? "," : "", 0);
    out = put_text(out, verdict_text(sums->writer->mapping, flaw->verdict));
    if (flaw->reason[0])
        out = put_text(put_member(out, sums, ",", 1), flaw->reason);
    if (flaw->verdict == VERDICT_MALFORMED)
        out = number_put(put_member(out, sums, ",", 2), flaw->line);
    if (flaw->verdict == VERDICT_GOOD)
        out = stpcpy(put_sum(stpcpy(put_member(out, sums, ",", FIRST_RESULT), "\""), sums), "\"");
    out = number_put(put_member(out, sums, ",", FIRST_RESULT + 1), sums->terms);
    if (sums->curve)
        out = put_text(put_member(out, sums, ",", FIRST_RESULT + 2), curve_name(sums));
    buffer_advance(output, stpcpy(out, "}\n"));
}

static void write_raw(const struct sums *sums, struct buffer *output) {
    const size_t width = sums->writer->reader->layout.result_bytes[0];
    const bool good = sums->flaw.verdict == VERDICT_GOOD;
    uint8_t row[1 + POINT_STRIDE] = {good ? sums->status : sums->flaw.status};
    if (good && sums->status == GECC_ITEM_OK)
        (void)point_bytes(row + 1, sums);
    buffer_put(output, (const char *)row, 1 + width);
}

/* Write the sum, and begin with another one. */
static void write_sum(struct sums *sums, struct buffer *output) {
    const enum verdict verdict = sums->flaw.verdict;
    const enum format format = sums->writer->reader->output;
    sums->counts[verdict]++;
    if (!sums->options->only || (sums->options->only & 1u << verdict))
        (format == FORMAT_CSV ? write_csv : format == FORMAT_JSONL ? write_json : write_raw)(sums, output);
    sums->is_open = false;
    sums->terms = 0;
    sums->curve = (gecc_curve)0;
    sums->status = GECC_ITEM_INFINITY;
    sums->flaw = sums->next_flaw;
    sums->next_flaw.verdict = VERDICT_GOOD;
    sums->next_flaw.reason[0] = 0;
    buffer_clear(&sums->name);
}

/* The row is no term; of several the first one is kept. */
static void find_fault(struct flaw *flaw, const struct batch *batch, size_t i, const char *reason) {
    const struct row *row = &batch->rows[i];
    const uint8_t status = status_of(batch, row);
    if (flaw->verdict != VERDICT_GOOD)
        return;
    flaw->verdict = reason ? VERDICT_MALFORMED : row_verdict(row, status);
    flaw->status = reason ? (uint8_t)GECC_ITEM_MALFORMED_WIDTH : raw_status(row, status);
    flaw->line = row->line;
    *(reason ? stpcpy(stpcpy(flaw->reason, "curve: "), reason)
             : reason_put(flaw->reason, batch, row, flaw->verdict, status)) = 0;
}

/* sum += the stretch's. */
static gecc_result add_stretch(struct sums *sums, const struct stretch *stretch) {
    const size_t bytes = 2 * gecc_curve_bytes(stretch->curve);
    gecc_options call = GECC_OPTIONS_INIT;
    if (stretch->status != GECC_ITEM_OK) /* infinity: a stretch that is computed has no other status */
        return GECC_OK;
    if (sums->status != GECC_ITEM_OK) {
        memcpy(sums->point, stretch->point, bytes);
        sums->status = stretch->status;
        return GECC_OK;
    }
    call.point_format = GECC_POINT_RAW;
    return gecc_ec_add(sums->context, stretch->curve, gecc_out_packed(sums->point, bytes),
                       gecc_out_packed(&sums->status, 1), gecc_rows_packed(sums->point, bytes),
                       gecc_rows_packed(stretch->point, bytes), 1, &call);
}

/* The stretch is of the open sum. */
static void take_stretch(struct sums *sums, struct batch *batch, const struct stretch *stretch) {
    sums->terms += stretch->count;
    if (sums->curve && stretch->curve && stretch->curve != sums->curve && stretch->refused != stretch->first)
        find_fault(&sums->flaw, batch, stretch->first, other_curve);
    if (stretch->refused != SLOT_NONE)
        find_fault(&sums->flaw, batch, stretch->refused, stretch->reason);
    sums->curve = sums->curve ? sums->curve : stretch->curve;
    if (sums->flaw.verdict != VERDICT_GOOD)
        return;
    const gecc_result result = add_stretch(sums, stretch);
    if (result != GECC_OK)
        batch->outcome = result;
}

/* Nobody knows which sum these rows belong to: to that before them or to that after them, neither of which is whole. */
static void take_nameless(struct sums *sums, const struct batch *batch, const struct stretch *stretch) {
    sums->terms += stretch->count;
    find_fault(&sums->flaw, batch, stretch->first, NULL);
    if (sums->is_open)
        find_fault(&sums->next_flaw, batch, stretch->first, NULL);
}

/* Go on with the sum of that name: the open one, or another. false: it was written before. */
static bool open_sum(struct sums *sums, struct batch *batch, struct span name) {
    const char *text = (const char *)batch->bytes + name.offset;
    if (sums->is_open && sums->name.used == name.length &&
        (name.length == 0 || memcmp(sums->name.bytes, text, name.length) == 0)) {
        sums->next_flaw.verdict = VERDICT_GOOD;
        sums->next_flaw.reason[0] = 0;
        return true;
    }
    if (sums->is_open)
        write_sum(sums, &batch->output);
    sums->is_open = true;
    buffer_put(&sums->name, text, name.length);
    batch->output.failed |= sums->name.failed;
    return !sums->noted || note_name(sums, text, name.length);
}

bool sums_take(struct sums *sums, struct batch *batch) {
    for (const struct stretch *stretch = batch->stretches;
         stretch < batch->stretches + batch->stretch_count && !sums->stopped; stretch++) {
        const struct span name = sum_name(batch, stretch->first);
        if (name.length == NAME_NONE) {
            take_nameless(sums, batch, stretch);
        } else if (open_sum(sums, batch, name)) {
            take_stretch(sums, batch, stretch);
        } else {
            snprintf(
                batch->fault, sizeof batch->fault,
                "line %llu: its `%.60s` is that of a sum that is written already: rows of a sum have to follow each "
                "other, as where they are sorted by it",
                (unsigned long long)batch->rows[stretch->first].line, sums->options->group_by);
            sums->stopped = true;
        }
        sums->stopped |= batch->outcome != GECC_OK;
    }
    return !sums->stopped;
}

void sums_finish(struct sums *sums, struct batch *batch) {
    memset(batch->verdicts, 0, sizeof batch->verdicts);
    if (sums->is_open || sums->terms || !sums->options->group_by)
        write_sum(sums, &batch->output);
}

void sums_summary(const struct sums *sums, const char *command) {
    const unsigned long long good = sums->counts[VERDICT_GOOD], bad = sums->counts[VERDICT_MALFORMED];
    say("gecc %s: sums: %llu ok, %llu malformed", command, good, bad);
}
