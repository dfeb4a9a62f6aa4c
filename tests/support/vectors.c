/* Test: needs jansson */
#define _POSIX_C_SOURCE 200809L
#include "vectors.h"

#include "effort.h"

#include <string.h>

/* What a line of cases is called, the names of its columns, and those of its results. */
static const struct form {
    const char *name;
    enum operation operation;
    const char *in[CELLS], *out[OUTPUTS];
} forms[] = {
    {"pubkey", OPERATION_EC_VALIDATE, {"enc"}, {NULL}},
    {"convert", OPERATION_EC_CONVERT, {"enc"}, {"p"}},
    {"add", OPERATION_EC_ADD, {"a", "b"}, {"p"}},
    {"double", OPERATION_EC_DOUBLE, {"a"}, {"p"}},
    {"public_key", OPERATION_EC_PUBLIC_KEY, {"priv"}, {"p"}},
    {"mul_base", OPERATION_EC_MUL_BASE, {"k"}, {"p"}},
    {"mul_point", OPERATION_EC_MUL, {"k", "p"}, {"z"}},
    {"mul_add", OPERATION_EC_MUL_ADD, {"u", "v", "p"}, {"z"}},
    {"msm", OPERATION_EC_MSM, {"k", "p"}, {"z"}},
    {"ecdh", OPERATION_ECDH, {"priv", "pub"}, {"x"}},
    {"ecdsa_sign_rfc6979", OPERATION_ECDSA_SIGN, {"priv", "digest", "entropy"}, {"sig", "recid"}},
    {"ecdsa_sign_nonce", OPERATION_ECDSA_SIGN_NONCE, {"priv", "digest", "nonce"}, {"sig", "recid"}},
    {"ecdsa_verify", OPERATION_ECDSA_VERIFY, {"pub", "digest", "sig"}, {NULL}},
    {"ecdsa_recover", OPERATION_ECDSA_RECOVER, {"digest", "sig", "recid"}, {"pub"}},
    {"sm2_za", OPERATION_SM2_DIGEST, {"pub", "sm2_id", "msg"}, {"e"}},
    {"sm2_sign_rfc6979", OPERATION_SM2_SIGN, {"priv", "digest", "entropy"}, {"sig"}},
    {"sm2_sign_nonce", OPERATION_SM2_SIGN_NONCE, {"priv", "digest", "nonce"}, {"sig"}},
    {"sm2_verify", OPERATION_SM2_VERIFY, {"pub", "digest", "sig"}, {NULL}},
    {"sm2_encrypt", OPERATION_SM2_ENCRYPT, {"pub", "nonce", "plain"}, {"cipher"}},
    {"sm2_decrypt", OPERATION_SM2_DECRYPT, {"priv", "cipher"}, {"plain"}},
    {"sm2_exchange",
     OPERATION_SM2_EXCHANGE,
     {"priv", "ephemeral", "sm2_id", "pub", "peer_ephemeral", "peer_id"},
     {"key", "confirmation", "peer_confirmation"}},
    {"bip340_public_key", OPERATION_SCHNORR_PUBLIC_KEY, {"priv"}, {"pub"}},
    {"bip340_sign", OPERATION_SCHNORR_SIGN, {"priv", "msg", "aux"}, {"sig"}},
    {"bip340_verify", OPERATION_SCHNORR_VERIFY, {"pub", "msg", "sig"}, {NULL}},
    {"taproot_tweak", OPERATION_SCHNORR_TWEAK_PUBLIC_KEY, {"internal_pub", "merkle_root"}, {"output_pub", "parity"}},
    {"taproot_tweak_priv", OPERATION_SCHNORR_TWEAK_PRIVATE_KEY, {"priv", "merkle_root"}, {"tweaked_priv"}},
    {"ethereum_address", OPERATION_ETHEREUM_ADDRESS, {"pub"}, {"address"}},
    {"ethereum_recover", OPERATION_ETHEREUM_RECOVER, {"digest", "sig"}, {"address"}},
    {"ethereum_recover_columns", OPERATION_ETHEREUM_RECOVER_COLUMNS, {"digest", "r", "s", "v"}, {"address"}},
    {"ethereum_recover_message", OPERATION_ETHEREUM_RECOVER_MESSAGE, {"msg", "sig"}, {"address"}},
    {"ed25519_public_key", OPERATION_ED25519_PUBLIC_KEY, {"seed"}, {"pub"}},
    {"ed25519_sign", OPERATION_ED25519_SIGN, {"seed", "msg", "ctx"}, {"sig"}},
    {"ed25519_verify", OPERATION_ED25519_VERIFY, {"pub", "msg", "sig", "ctx"}, {NULL}},
    {"x25519_public_key", OPERATION_X25519_PUBLIC_KEY, {"priv"}, {"pub"}},
    {"x25519", OPERATION_X25519, {"priv", "pub"}, {"shared"}},
    {"mod_add", OPERATION_MOD_ADD, {"a", "b"}, {"r"}},
    {"mod_sub", OPERATION_MOD_SUB, {"a", "b"}, {"r"}},
    {"mod_mul", OPERATION_MOD_MUL, {"a", "b"}, {"r"}},
    {"mod_square", OPERATION_MOD_SQUARE, {"a"}, {"r"}},
    {"mod_inverse", OPERATION_MOD_INVERSE, {"a"}, {"r"}},
    {"mod_power", OPERATION_MOD_POWER, {"a", "exponent"}, {"r"}},
    {"digest", OPERATION_DIGEST, {"msg"}, {"digest"}},
};

/* A source's file, how many cases it has at least (on each curve: of the generated ones, of which Curve25519 has
 * fewer), and which part of them short tests try. */
static const struct {
    const char *file, *missing;
    size_t least, least_on_curve, short_part;
} sources[] = {
    [VECTORS_GENERATED] = {"generated.jsonl", "generated.missing", 40000, 10000, 4},
    [VECTORS_PUBLISHED] = {"published.jsonl", "published.missing", 2197, 0, 1},
    [VECTORS_GIVEN] = {"vectors.jsonl", NULL, 7816, 0, 1},
    [VECTORS_BIP340] = {"bip340.jsonl", NULL, 1474, 0, 1},
    [VECTORS_P521_BRAINPOOL] = {"p521_brainpool.jsonl", NULL, 3972, 0, 1},
};

const char *json_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    if (!text) {
        fprintf(stderr, "no text \"%s\" in a test case\n", key);
    }
    REQUIRE(text);
    return text;
}

/* The position of a name in a list; it must be in it. */
static int position(const char *name, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(name, list[i]) == 0) {
            return (int)i;
        }
    }
    fprintf(stderr, "%s: an unknown name in a test case\n", name);
    REQUIRE(!"a known name");
    return -1;
}

static gecc_hash hash_named(const char *name) {
    gecc_hash hash = gecc_hash_named(name);
    REQUIRE(hash != GECC_HASH_DEFAULT || strcmp(name, "default") == 0);
    return hash;
}

static gecc_point_format format_named(const char *name) {
    static const char *const names[] = {"uncompressed", "compressed", "raw"};
    return (gecc_point_format)position(name, names, sizeof names / sizeof *names);
}

static uint32_t status_named(const char *name) {
    static const char *const names[] = {
#define GECC_X(name, value, text) #name,
        GECC_ITEM_LIST(GECC_X)
#undef GECC_X
    };
    static const int values[] = {
#define GECC_X(name, value, text) name,
        GECC_ITEM_LIST(GECC_X)
#undef GECC_X
    };
    char full[64];
    (void)snprintf(full, sizeof full, "GECC_ITEM_%s", name);
    return 1u << values[position(full, names, sizeof names / sizeof *names)];
}

/* r || s from two numbers. */
static struct cell two_numbers(struct arena *arena, const json_t *json, size_t length) {
    uint8_t *bytes = arena_new(arena, 2 * length);
    memcpy(bytes, hex_number(arena, json_text(json, "r"), length).data, length);
    memcpy(bytes + length, hex_number(arena, json_text(json, "s"), length).data, length);
    return (struct cell){bytes, (uint32_t)(2 * length)};
}

/* Coordinates of an odd number of digits do not fit: the row gets one byte more. */
static struct cell point_cell(struct arena *arena, const char *text) {
    if (strlen(text) % 2 == 0) {
        return hex_cell(arena, text);
    }
    struct cell coordinates = hex_cell(arena, text + 2);
    uint8_t *bytes = arena_new(arena, 1 + coordinates.width);
    bytes[0] = 4;
    memcpy(bytes + 1, coordinates.data, coordinates.width);
    return (struct cell){bytes, 1 + coordinates.width};
}

/* Numbers of published cases may have fewer digits than the column; those of a case with an exact status are its
 * bytes. */
static struct cell column_cell(const json_t *json, const char *name, gecc_kind kind, size_t length,
                               struct arena *arena) {
    int exact = json_object_get(json, "status") != NULL;
    switch (kind) {
    case GECC_KIND_PRIVATE_KEY:
    case GECC_KIND_NONCE:
    case GECC_KIND_SCALAR:
        return exact ? hex_cell(arena, json_text(json, name)) : hex_number(arena, json_text(json, name), length);
    case GECC_KIND_POINT:
        return point_cell(arena, json_text(json, name));
    case GECC_KIND_SIGNATURE:
        return json_object_get(json, name) ? hex_cell(arena, json_text(json, name)) : two_numbers(arena, json, length);
    default:
        return hex_cell(arena, json_text(json, name));
    }
}

static int handles_signatures(const struct call *call) {
    return kind_of_output(call->operation, 0) == GECC_KIND_SIGNATURE ||
           input_of_kind(call->operation, GECC_KIND_SIGNATURE) >= 0;
}

/* Whose rule of Ed25519 it is. */
static uint32_t rule_named(const char *name) {
    static const char *const names[] = {"ref10", "strict", "zip215"};
    static const uint32_t flags[] = {GECC_ACCEPT_REF10, GECC_ACCEPT_STRICT, GECC_ACCEPT_ZIP215};
    return flags[position(name, names, sizeof names / sizeof *names)];
}

/* How a ciphertext is laid out. */
static uint32_t format_of_ciphertext(const char *name) {
    static const char *const names[] = {"c1c3c2", "c1c2c3", "der"};
    static const uint32_t flags[] = {0, GECC_C1C2C3, GECC_DER};
    return flags[position(name, names, sizeof names / sizeof *names)];
}

static void read_options(struct call *call, const json_t *json, struct arena *arena) {
    const json_t *hash = json_object_get(json, call->operation == OPERATION_DIGEST ? "hash" : "hmac");
    if (handles_signatures(call)) {
        call->flags |= json_object_get(json, "enc") && strcmp(json_text(json, "enc"), "der") == 0 ? GECC_DER : 0;
        call->flags |= json_is_true(json_object_get(json, "any_s")) ? GECC_ANY_S : 0;
    }
    if (operation_of(call->operation)->flags & GECC_LOW_S) {
        call->flags |= json_is_true(json_object_get(json, "low_s")) ? GECC_LOW_S : 0;
    }
    call->flags |= json_is_true(json_object_get(json, "sighash_byte")) ? GECC_SIGHASH_BYTE : 0;
    call->flags |= json_is_true(json_object_get(json, "prehash")) ? GECC_PREHASH : 0;
    call->flags |= json_is_true(json_object_get(json, "responder")) ? GECC_RESPONDER : 0;
    call->flags |= json_object_get(json, "sm2_format") ? format_of_ciphertext(json_text(json, "sm2_format")) : 0;
    call->output_bytes = (size_t)json_integer_value(json_object_get(json, "output_bytes"));
    call->flags |= json_object_get(json, "accept") ? rule_named(json_text(json, "accept")) : 0;
    hash = call->operation == OPERATION_ECDSA_SIGN_NONCE ? NULL : hash;
    call->hash = hash ? hash_named(json_string_value(hash)) : GECC_HASH_DEFAULT;
    call->point_format = json_object_get(json, "format")       ? format_named(json_text(json, "format"))
                         : call->operation == OPERATION_EC_MUL ? GECC_POINT_COMPRESSED
                                                               : GECC_POINT_UNCOMPRESSED;
    if (json_object_get(json, "modulus")) {
        struct cell modulus = hex_cell(arena, json_text(json, "modulus"));
        call->modulus = (gecc_modulus){modulus.data, modulus.width};
    }
}

static void read_row(struct vector *vector, const json_t *json, const struct form *form, struct arena *arena) {
    const gecc_operation *operation = operation_of(form->operation);
    size_t length = gecc_curve_bytes(vector->call.curve);
    const gecc_column *column;
    for (size_t i = 0; (column = gecc_operation_input(operation, i)) != NULL; i++) {
        if (!column->is_optional || json_object_get(json, form->in[i])) {
            vector->row.in[i] = column_cell(json, form->in[i], column->kind, length, arena);
        }
    }
}

/* The value of an output column; a recovery id and a parity are numbers. */
static struct value read_value(const json_t *json, const char *name, gecc_kind kind, size_t length,
                               struct arena *arena) {
    struct value value = {0};
    if (kind == GECC_KIND_RECOVERY_ID || kind == GECC_KIND_PARITY) {
        REQUIRE(json_is_integer(json_object_get(json, name)));
        return (struct value){1, {(uint8_t)json_integer_value(json_object_get(json, name))}};
    }
    /* Results are their bytes, in whatever column. */
    struct cell cell = kind == GECC_KIND_SIGNATURE ? column_cell(json, name, kind, length, arena)
                                                   : hex_cell(arena, json_text(json, name));
    REQUIRE(cell.width <= OUTCOME_BYTES);
    memcpy(value.bytes, cell.data, cell.width);
    value.width = cell.width;
    return value;
}

static void read_expectation(struct vector *vector, const json_t *json, const struct form *form, struct arena *arena) {
    struct expectation *expected = &vector->expected;
    const json_t *status = json_object_get(json, "status"), *valid = json_object_get(json, "valid");
    size_t length = gecc_curve_bytes(vector->call.curve);
    const gecc_column *column;
    REQUIRE(json_is_string(status) || json_is_boolean(valid));
    expected->statuses = status                ? status_named(json_string_value(status))
                         : json_is_true(valid) ? STATUS(OK)
                                               : STATUS(INVALID) | STATUS_ANY_MALFORMED;
    if (expected->statuses != STATUS(OK)) {
        return;
    }
    for (size_t i = 0; (column = gecc_operation_output(operation_of(form->operation), i)) != NULL; i++) {
        if (column->is_optional && !json_object_get(json, form->out[i])) {
            expected->unknown |= 1u << i;
        } else {
            expected->out[i] = read_value(json, form->out[i], column->kind, length, arena);
        }
    }
}

/* Of a signature whose nonce is from HMAC of a hash that the library does not have, the nonce. */
static const char *form_name(const json_t *json) {
    const char *name = json_text(json, "op"), *hmac = json_string_value(json_object_get(json, "hmac"));
    int without_hash = hmac && (strcmp(hmac, "sha1") == 0 || strcmp(hmac, "sha224") == 0);
    if (without_hash && strcmp(name, "ecdsa_sign_rfc6979") == 0) {
        name = "ecdsa_sign_nonce";
    }
    return name;
}

static void read_vector(struct vector *vector, const char *line, size_t number, struct arena *arena) {
    json_error_t error;
    json_t *json = json_loads(line, 0, &error);
    REQUIRE(json_is_object(json));
    const struct form *form = forms;
    while (form < forms + sizeof forms / sizeof *forms && strcmp(form->name, form_name(json)) != 0) {
        form++;
    }
    REQUIRE(form < forms + sizeof forms / sizeof *forms);
    memset(vector, 0, sizeof *vector);
    vector->call.operation = form->operation;
    if (json_object_get(json, "curve")) {
        vector->call.curve = gecc_curve_named(json_text(json, "curve"));
        REQUIRE(vector->call.curve);
    }
    read_options(&vector->call, json, arena);
    read_row(vector, json, form, arena);
    read_expectation(vector, json, form, arena);
    snprintf(vector->label, sizeof vector->label, "line %zu, %s, %s", number, json_text(json, "src"),
             json_text(json, "tag"));
    json_decref(json);
}

static int bytes_order(const void *a, size_t a_bytes, const void *b, size_t b_bytes) {
    return a_bytes != b_bytes ? (a_bytes < b_bytes ? -1 : 1) : a_bytes ? memcmp(a, b, a_bytes) : 0;
}

/* A bit for each. */
static int columns_given(const struct row *row) {
    int given = 0;
    for (int i = 0; i < CELLS; i++) {
        given |= (row->in[i].data != NULL) << i;
    }
    return given;
}

/* All rows of a call have a column or none has it; all exponents of a call have one width. */
static int call_order(const struct vector *a, const struct vector *b) {
    const struct call *x = &a->call, *y = &b->call;
    int exponent = x->operation == OPERATION_MOD_POWER && y->operation == OPERATION_MOD_POWER;
    int difference[] = {(int)x->operation - (int)y->operation,
                        (int)x->curve - (int)y->curve,
                        (int)x->flags - (int)y->flags,
                        (int)x->hash - (int)y->hash,
                        (int)x->point_format - (int)y->point_format,
                        (int)x->output_bytes - (int)y->output_bytes,
                        columns_given(&a->row) - columns_given(&b->row),
                        bytes_order(x->modulus.value, x->modulus.bytes, y->modulus.value, y->modulus.bytes),
                        exponent ? (int)a->row.in[1].width - (int)b->row.in[1].width : 0};
    for (size_t i = 0; i < sizeof difference / sizeof *difference; i++) {
        if (difference[i]) {
            return difference[i];
        }
    }
    return 0;
}

int vectors_share_call(const struct vector *a, const struct vector *b) { return call_order(a, b) == 0; }

static int vector_order(const void *a, const void *b) {
    const struct vector *x = a, *y = b;
    int order = call_order(x, y);
    return order ? order : strcmp(x->label, y->label);
}

/* The path of a source's file, or NULL and a line that says why it is not run. */
static const char *source_path(char path[PATH_BYTES], enum vectors_source source) {
    char reason[200];
    if (sources[source].missing == NULL) {
        const char *folder = data_folder("GECC_VECTORS");
        return folder && snprintf(path, PATH_BYTES, "%s/%s", folder, sources[source].file) < PATH_BYTES ? path : NULL;
    }
    FILE *missing = fopen(answers_path(path, sources[source].missing), "r");
    if (!missing) {
        return answers_path(path, sources[source].file);
    }
    REQUIRE(fgets(reason, sizeof reason, missing));
    fclose(missing);
    printf("not run: %s\n", strtok(reason, "\n"));
    return NULL;
}

static void require_enough(const struct vectors *vectors, enum vectors_source source, size_t cases,
                           const size_t *on_curve) {
    size_t operations[OPERATION_COUNT] = {0};
    int enough = cases >= sources[source].least;
    for (int curve = GECC_SECP256K1; curve < GECC_CURVE_END; curve++) {
        enough &= on_curve[curve] >= sources[source].least_on_curve || !curve_is_tried((gecc_curve)curve);
    }
    for (size_t i = 0; i < vectors->count; i++) {
        operations[vectors->list[i].call.operation]++;
    }
    enough &= source != VECTORS_GENERATED || on_curve[GECC_CURVE25519] >= 4000;
    for (int i = 0; source == VECTORS_GENERATED && i < OPERATION_COUNT; i++) {
        enough &= operations[i] != 0;
    }
    if (!enough) {
        fprintf(stderr, "%s: %zu cases are too few, or some curve or operation has too few of them\n",
                sources[source].file, cases);
    }
    REQUIRE(enough);
}

/* The same case by its key's number, where there is an operation for that; one whose point has a width that keys may
 * have, and points of the operation may not, is left out. */
static int read_by_key(struct vector *by_key, const struct vector *vector) {
    enum operation operation = operation_on_keys(vector->call.operation);
    if (operation == OPERATION_COUNT) {
        return 0;
    }
    int column = input_of_kind(operation, GECC_KIND_KEY_NUMBER);
    struct cell key = vector->row.in[column];
    int x_only = kind_of_input(vector->call.operation, column) == GECC_KIND_X_ONLY_POINT;
    int for_points_alone = vector->call.curve == GECC_SECP256K1 &&
                           (x_only ? key.width == 33 || key.width == 64 || key.width == 65 : key.width == 32);
    *by_key = *vector;
    by_key->call.operation = operation;
    by_key->call.flags &= operation_of(operation)->flags;
    return cell_is_key(key) && !for_points_alone;
}

int vectors_read(struct vectors *vectors, enum vectors_source source) {
    char path[PATH_BYTES];
    size_t cases = 0, on_curve[GECC_CURVE25519 + 1] = {0}, capacity = 0, line_capacity = 0;
    size_t part = tests_are_short() ? sources[source].short_part : 1;
    char *line = NULL;
    *vectors = (struct vectors){0};
    if (!source_path(path, source)) {
        return 0;
    }
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
    }
    REQUIRE(file);
    for (size_t number = 1; getline(&line, &line_capacity, file) > 0; number++) {
        if (vectors->count + 2 > capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            vectors->list = realloc(vectors->list, capacity * sizeof *vectors->list);
            REQUIRE(vectors->list);
        }
        struct vector *vector = &vectors->list[vectors->count];
        read_vector(vector, line, number, &vectors->arena);
        on_curve[vector->call.curve]++;
        if (cases++ % part == 0) {
            vectors->count++;
            vectors->count += (size_t)read_by_key(vector + 1, vector);
        }
    }
    free(line);
    fclose(file);
    require_enough(vectors, source, cases, on_curve);
    printf("%s: %zu cases\n", sources[source].file, cases);
    qsort(vectors->list, vectors->count, sizeof *vectors->list, vector_order);
    return 1;
}

void vectors_free(struct vectors *vectors) {
    free(vectors->list);
    arena_free(&vectors->arena);
}
