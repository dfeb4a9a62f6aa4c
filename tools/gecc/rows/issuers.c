#define _GNU_SOURCE /* mempcpy */

#include "rows/issuers.h"
#include "rows/reader.h"
#include "rows/task.h"
#include "text/json_grammar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_NAME_BYTES = 4096, LONGEST_CHARACTER = 4 /* of UTF-8 */ };

/* At most `room` bytes, which are more than LONGEST_CHARACTER and the dots take. */
static char *put_name(char *out, size_t room, const char *name) {
    const char *limit = out + room - LONGEST_CHARACTER - 3;
    size_t left = name ? strlen(name) : 0;
    while (left && out < limit) {
        size_t length = utf8_character(name, left);
        out = length ? mempcpy(out, name, length) : mempcpy(out, "\xef\xbf\xbd", 3);
        name += length ? length : 1;
        left -= length ? length : 1;
    }
    return left ? mempcpy(out, "...", 3) : out;
}

void certificate_keep_name(struct batch *batch, struct row *row, size_t result, const char *name, size_t size) {
    char text[MOST_NAME_BYTES] = "";
    /* No more room than a batch has for it: see bytes_needed. */
    const size_t room = 2 * size < MOST_NAME_BYTES ? 2 * size : MOST_NAME_BYTES;
    document_keep(batch, row, result, text, (size_t)(put_name(text, room, name) - text));
}

static const char *const signer_texts[SIGNER_IDS] = {[SIGNER_DEFAULT] = "default", [SIGNER_EMPTY] = "empty"};

/* What comes of it is known when the signature is verified: until then the first issuer, and the first id. */
static void keep_issuer(struct batch *batch, struct row *row, const struct certificate *certificate,
                        const struct authority *issuer) {
    char *own = issuer ? NULL : certificate_name(certificate->issuer);
    const char *fingerprint = issuer ? issuer->fingerprint : "";
    const char *signer = !issuer || issuer->key.curve != GECC_SM2 ? ""
                         : batch->options->id                     ? "given"
                                                                  : signer_texts[SIGNER_DEFAULT];
    certificate_keep_name(batch, row, CERTIFICATE_ISSUER, issuer ? issuer->name : own, certificate->tbs.size);
    free(own);
    document_keep(batch, row, CERTIFICATE_FINGERPRINT, fingerprint, strlen(fingerprint));
    document_keep(batch, row, CERTIFICATE_SIGNER, signer, strlen(signer));
}

const struct authority *issuer_choose(struct batch *batch, struct row *row, const struct certificate *certificate,
                                      enum column column) {
    struct certificate_terms terms;
    struct choice_of_issuers choice = {.count = 0, .verdict = VERDICT_MALFORMED};
    gecc_hash hash;
    if (certificate_scheme(certificate, &hash, &choice.reason) != SCHEME_OF_CURVE) {
        choice.reason = certificate_terms_read(&terms, certificate);
        if (!choice.reason)
            authorities_choose(&choice, batch->options->authorities, certificate, &terms);
    }
    keep_issuer(batch, row, certificate, choice.count ? choice.found[0] : NULL);
    if (choice.count)
        return choice.found[0];
    row_judge(row, column, choice.verdict, choice.reason);
    return NULL;
}

/* Put the text in the place of that of the row's result, which is no shorter. */
static void change(const struct batch *batch, const struct row *row, size_t result, const char *text) {
    struct piece *piece = row_pieces(batch, row);
    for (size_t k = 0; k < row->keep_count; k++)
        if (piece[k].kind == PIECE_RESULT && piece[k].result == result) {
            piece[k].length = (uint32_t)strlen(text);
            memcpy(batch->bytes + piece[k].offset, text, piece[k].length);
        }
}

void issuer_forget(const struct batch *batch, const struct row *row) {
    change(batch, row, CERTIFICATE_FINGERPRINT, "");
    change(batch, row, CERTIFICATE_SIGNER, "");
}

static size_t row_of(const struct task *task, size_t i) { return task->batch->order[task->group->first + i]; }

/* The certificate that row i is, without what is not signed but the signature, and whose it may be. */
static void read_again(const struct task *task, size_t i, struct certificate *certificate,
                       struct choice_of_issuers *choice) {
    const struct batch *batch = task->batch;
    const struct span tbs = batch->cells[COLUMN_MSG][row_of(task, i)],
                      signature = batch->cells[COLUMN_SIG][row_of(task, i)];
    struct certificate_terms terms;
    choice->count = 0;
    if (certificate_read_tbs(certificate, batch->bytes + tbs.offset, tbs.length) &&
        !certificate_terms_read(&terms, certificate))
        authorities_choose(choice, task->options->authorities, certificate, &terms);
    certificate->signature = (struct certificate_part){batch->bytes + signature.offset, signature.length};
}

/* What is tried at once: rows that are not valid yet, under the candidate of that number. */
struct trial {
    struct signed_item *items;
    struct certificate *certificates;
    size_t count;
};

static void collect(const struct task *task, struct trial *trial, size_t candidate) {
    struct choice_of_issuers choice;
    trial->count = 0;
    for (size_t i = 0; i < task->count; i++) {
        struct certificate *certificate = &trial->certificates[trial->count];
        if (task->status[i] == GECC_ITEM_OK)
            continue;
        read_again(task, i, certificate, &choice);
        if (candidate >= choice.count)
            continue;
        const struct authority *issuer = choice.found[candidate];
        trial->items[trial->count++] = (struct signed_item){
            certificate, &issuer->key, {i, (size_t)(issuer - task->options->authorities->all)}, false, 0};
    }
}

static void settle(const struct task *task, const struct trial *trial) {
    for (size_t t = 0; t < trial->count; t++) {
        const struct signed_item *item = &trial->items[t];
        const struct row *row = &task->batch->rows[row_of(task, item->tags[0])];
        if (!item->valid)
            continue;
        task->status[item->tags[0]] = GECC_ITEM_OK;
        change(task->batch, row, CERTIFICATE_FINGERPRINT, task->options->authorities->all[item->tags[1]].fingerprint);
        if (item->key->curve == GECC_SM2 && !task->options->id)
            change(task->batch, row, CERTIFICATE_SIGNER, signer_texts[item->signer]);
    }
}

/* The first candidate was tried; of SM2 with one id. */
static gecc_result try_others(const struct task *task, struct trial *trial) {
    gecc_result result = GECC_OK;
    size_t first = task->group->curve == GECC_SM2 && !task->options->id ? 0 : 1;
    for (size_t c = first; result == GECC_OK && c < CANDIDATES_MOST; c++) {
        collect(task, trial, c);
        if (!trial->count && c)
            break;
        result = signed_verify(task->context, trial->items, trial->count, &task->options->authorities->rules);
        if (result == GECC_OK)
            settle(task, trial);
    }
    return result;
}

gecc_result certificates_run(struct task *task) {
    const uint32_t flags = task->options->authorities->rules.flags;
    task->call.flags = (task->call.flags & ~flags) | signed_flags(group_scheme(task->group, task->options), flags);
    gecc_result result = task_run(task);
    size_t count = 0;
    for (size_t i = 0; i < task->count; i++)
        count += task->status[i] != GECC_ITEM_OK;
    if (result != GECC_OK || !count)
        return result;
    struct trial trial = {calloc(count, sizeof *trial.items), calloc(count, sizeof *trial.certificates), 0};
    result = trial.items && trial.certificates ? try_others(task, &trial) : GECC_ERROR_MEMORY;
    for (size_t i = 0; i < task->count; i++)
        if (task->status[i] != GECC_ITEM_OK)
            issuer_forget(task->batch, &task->batch->rows[row_of(task, i)]);
    free(trial.items);
    free(trial.certificates);
    return result;
}

/* Read the whole input, of which authorities' certificates go to the set. NULL, or why not. */
static const char *gather(struct reader *reader, struct batch *batch) {
    do {
        batch_reset(batch);
        if (!reader_read(reader, batch))
            return reader->error;
        (void)reader_order(reader, batch);
        reader_parse(reader, batch);
    } while (batch->text_whole && !batch->fault[0]);
    return batch->fault[0] ? batch->fault : NULL;
}

/* An option of a scheme that no key of the set is for. */
static const char *useless_option(const struct authorities *set, const struct options *options) {
    bool has[SCHEME_X25519 + 1] = {false};
    for (size_t i = 0; i < set->count; i++)
        if (set->all[i].key.count)
            has[signed_scheme_of_key(&set->all[i].key)] = true;
    return options->low_s && !has[SCHEME_ECDSA]      ? "--low-s, and no CA has a key for ECDSA"
           : options->accept && !has[SCHEME_ED25519] ? "--accept, and no CA has a key for Ed25519"
           : options->id && !has[SCHEME_SM2]         ? "--id, and no CA has a key for SM2"
                                                     : NULL;
}

bool authorities_find_in_input(const struct mapping *mapping, const struct options *options, char *error, size_t size) {
    enum { ROWS = 4096 };
    const atomic_bool stop = false;
    struct authorities *set = options->authorities;
    struct reader reader;
    struct stat status;
    const char *reason = NULL;
    error[0] = 0;
    if (set->depth && !(options->input && stat(options->input, &status) == 0 && S_ISREG(status.st_mode))) {
        snprintf(error, size, "--depth reads the input twice, so it has to be a file that is there");
        return false;
    }
    if (set->depth) {
        struct batch *batch = batch_create(mapping, options, ROWS);
        const bool opened = reader_open(&reader, mapping, options, &stop);
        if (batch)
            batch->gathered = set;
        reason = !opened ? reader.error : batch ? gather(&reader, batch) : "not enough memory";
        if (reason)
            snprintf(error, size, "%.200s", reason);
        batch_free(batch);
        reader_close(&reader);
    }
    if (!reason && (reason = authorities_seal(set)) == NULL && !set->depth)
        reason = useless_option(set, options);
    if (reason && !error[0])
        snprintf(error, size, "%.120s: %s", options->keys_path, reason);
    if (!reason)
        authorities_say(set);
    return !reason;
}
