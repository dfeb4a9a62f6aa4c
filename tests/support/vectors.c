#define _POSIX_C_SOURCE 200809L
#include "vectors.h"

#include <string.h>

const char *data_folder(const char *variable) {
    const char *folder = getenv(variable);
    if (!folder || !*folder) {
        printf("SKIPPED: %s is not set\n", variable);
        return NULL;
    }
    return folder;
}

const char *json_text(const json_t *object, const char *key) {
    const char *text = json_string_value(json_object_get(object, key));
    if (!text) {
        fprintf(stderr, "no text \"%s\" in a test case\n", key);
    }
    REQUIRE(text);
    return text;
}

gecc_curve curve_named(const char *name) {
    static const struct {
        const char *name;
        gecc_curve curve;
    } names[] = {
        {"secp256k1", GECC_SECP256K1}, {"P-256K", GECC_SECP256K1}, {"P-256", GECC_P256}, {"secp256r1", GECC_P256},
        {"P-384", GECC_P384},          {"secp384r1", GECC_P384},   {"SM2", GECC_SM2}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i].name) == 0) {
            return names[i].curve;
        }
    }
    return (gecc_curve)0;
}

static gecc_hash hash_named(const char *name) {
    return strcmp(name, "sha256") == 0 ? GECC_SHA256 : strcmp(name, "sha384") == 0 ? GECC_SHA384 : GECC_SHA512;
}

static void expect(struct vector *vector, struct cell out) {
    REQUIRE(out.width <= OUTCOME_BYTES);
    memcpy(vector->expected.out, out.data, out.width);
    vector->expected.width = out.width;
}

/* r || s from two numbers. */
static struct cell two_numbers(struct arena *arena, const json_t *json, size_t length) {
    uint8_t *bytes = arena_new(arena, 2 * length);
    memcpy(bytes, hex_number(arena, json_text(json, "r"), length).data, length);
    memcpy(bytes + length, hex_number(arena, json_text(json, "s"), length).data, length);
    return (struct cell){bytes, (uint32_t)(2 * length)};
}

static void read_signing(struct vector *vector, const json_t *json, struct arena *arena) {
    size_t length = gecc_curve_bytes(vector->call.curve);
    vector->row.in[0] = hex_number(arena, json_text(json, "priv"), length);
    vector->row.in[1] = hex_cell(arena, json_text(json, "digest"));
    if (vector->call.operation == ECDSA_SIGN) {
        vector->call.hash = hash_named(json_text(json, "hmac"));
        expect(vector, two_numbers(arena, json, length));
    } else {
        vector->row.in[2] = hex_number(arena, json_text(json, "nonce"), length);
        expect(vector, hex_cell(arena, json_text(json, "sig")));
    }
}

/* Coordinates of an odd number of digits do not fit: the row gets one byte more. */
static struct cell public_key_cell(struct arena *arena, const char *text) {
    if (strlen(text) % 2 == 0) {
        return hex_cell(arena, text);
    }
    struct cell coordinates = hex_cell(arena, text + 2);
    uint8_t *bytes = arena_new(arena, 1 + coordinates.width);
    bytes[0] = 4;
    memcpy(bytes + 1, coordinates.data, coordinates.width);
    return (struct cell){bytes, 1 + coordinates.width};
}

static void read_row(struct vector *vector, const json_t *json, struct arena *arena) {
    struct cell *in = vector->row.in;
    size_t length = gecc_curve_bytes(vector->call.curve);
    switch (vector->call.operation) {
    case ECDSA_VERIFY:
        in[2] = hex_cell(arena, json_text(json, "sig"));
        vector->call.flags = strcmp(json_text(json, "enc"), "der") == 0 ? GECC_DER : 0;
        vector->call.flags |= json_is_true(json_object_get(json, "low_s")) ? GECC_LOW_S : 0;
        in[0] = hex_cell(arena, json_text(json, "pub"));
        in[1] = hex_cell(arena, json_text(json, "digest"));
        break;
    case SM2_VERIFY:
        in[0] = hex_cell(arena, json_text(json, "pub"));
        in[1] = hex_cell(arena, json_text(json, "digest"));
        in[2] = two_numbers(arena, json, length);
        break;
    case ECDH:
        in[0] = hex_number(arena, json_text(json, "priv"), length);
        in[1] = hex_cell(arena, json_text(json, "pub"));
        expect(vector, hex_cell(arena, json_text(json, "x")));
        break;
    case EC_MUL_BASE:
        in[0] = hex_number(arena, json_text(json, "k"), length);
        expect(vector, hex_cell(arena, json_text(json, "p")));
        break;
    case EC_MUL:
        in[0] = hex_number(arena, json_text(json, "k"), length);
        in[1] = hex_cell(arena, json_text(json, "p"));
        vector->call.point_format = GECC_POINT_COMPRESSED;
        expect(vector, hex_cell(arena, json_text(json, "z")));
        break;
    case EC_VALIDATE:
        in[0] = public_key_cell(arena, json_text(json, "enc"));
        break;
    case SM2_DIGEST:
        in[0] = hex_cell(arena, json_text(json, "pub"));
        in[1] = hex_cell(arena, json_text(json, "sm2_id"));
        in[2] = hex_cell(arena, json_text(json, "msg"));
        expect(vector, hex_cell(arena, json_text(json, "e")));
        break;
    default:
        read_signing(vector, json, arena);
    }
}

static enum operation operation_named(const char *name) {
    static const struct {
        const char *name;
        enum operation operation;
    } names[] = {{"ecdsa_verify", ECDSA_VERIFY},
                 {"ecdh", ECDH},
                 {"ecdsa_sign_nonce", ECDSA_SIGN_NONCE},
                 {"ecdsa_sign_rfc6979", ECDSA_SIGN},
                 {"mul_base", EC_MUL_BASE},
                 {"mul_point", EC_MUL},
                 {"pubkey", EC_VALIDATE},
                 {"sm2_verify", SM2_VERIFY},
                 {"sm2_sign_nonce", SM2_SIGN_NONCE},
                 {"sm2_za", SM2_DIGEST}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(name, names[i].name) == 0) {
            return names[i].operation;
        }
    }
    REQUIRE(!"a known operation");
    return OPERATION_COUNT;
}

static void read_vector(struct vector *vector, const char *line, size_t number, struct arena *arena) {
    json_error_t error;
    json_t *json = json_loads(line, 0, &error);
    REQUIRE(json_is_object(json));
    memset(vector, 0, sizeof *vector);
    vector->call.operation = operation_named(json_text(json, "op"));
    vector->call.curve = curve_named(json_text(json, "curve"));
    REQUIRE(vector->call.curve);
    read_row(vector, json, arena);
    const json_t *valid = json_object_get(json, "valid");
    REQUIRE(json_is_boolean(valid));
    vector->expected.statuses = json_is_true(valid) ? STATUS(OK) : STATUS(INVALID) | STATUS_ANY_MALFORMED;
    vector->expected.recovery_id = RECOVERY_ID_ANY;
    snprintf(vector->label, sizeof vector->label, "line %zu, %s, %s", number, json_text(json, "src"),
             json_text(json, "tag"));
    json_decref(json);
}

static int call_order(const struct call *a, const struct call *b) {
    int difference[] = {(int)a->operation - (int)b->operation, (int)a->curve - (int)b->curve,
                        (int)a->flags - (int)b->flags, (int)a->hash - (int)b->hash,
                        (int)a->point_format - (int)b->point_format};
    for (size_t i = 0; i < sizeof difference / sizeof *difference; i++) {
        if (difference[i]) {
            return difference[i];
        }
    }
    return 0;
}

int call_equal(const struct call *a, const struct call *b) { return call_order(a, b) == 0; }

static int vector_order(const void *a, const void *b) {
    const struct vector *x = a, *y = b;
    int order = call_order(&x->call, &y->call);
    return order ? order : strcmp(x->label, y->label);
}

struct vectors vectors_read(const char *folder) {
    char path[1024];
    snprintf(path, sizeof path, "%s/vectors.jsonl", folder);
    FILE *file = fopen(path, "r");
    REQUIRE(file);
    struct vectors vectors = {0};
    size_t capacity = 0, line_capacity = 0;
    char *line = NULL;
    while (getline(&line, &line_capacity, file) > 0) {
        if (vectors.count == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            vectors.list = realloc(vectors.list, capacity * sizeof *vectors.list);
            REQUIRE(vectors.list);
        }
        read_vector(&vectors.list[vectors.count], line, vectors.count + 1, &vectors.arena);
        vectors.count++;
    }
    free(line);
    fclose(file);
    qsort(vectors.list, vectors.count, sizeof *vectors.list, vector_order);
    return vectors;
}

void vectors_free(struct vectors *vectors) {
    free(vectors->list);
    arena_free(&vectors->arena);
}
