/* What the library says of a call's operation, and names. */
#include "check.h"

#include <string.h>

static const char *const hash_names[] = {[GECC_HASH_DEFAULT] = "default",
#define NAME(identifier, value, name, ...) [identifier] = #name,
                                         GECC_HASH_LIST(NAME)
#undef NAME
};

/* What rows have at most whose width the caller says. */
enum { OPEN_BYTES = 200 };

#define COUNT(list) (sizeof(list) / sizeof *(list))

bool call_is(const struct call *call, const char *operation) { return strcmp(call->operation->name, operation) == 0; }

static gecc_kind kind_of(const gecc_column *column) { return column == NULL ? (gecc_kind)0 : column->kind; }

static bool takes_kind(const gecc_operation *operation, gecc_kind kind) {
    const gecc_column *in;
    bool takes = false;
    for (size_t i = 0; (in = gecc_operation_input(operation, i)) != NULL; i++)
        takes |= in->kind == kind;
    return takes;
}

bool operation_takes_keys(const gecc_operation *operation) { return takes_kind(operation, GECC_KIND_KEY_NUMBER); }

bool operation_is_for_cpus(const gecc_operation *operation) { return takes_kind(operation, GECC_KIND_SCALARS); }

gecc_kind call_kind(const struct call *call, int input) {
    return kind_of(gecc_operation_input(call->operation, (size_t)input));
}

gecc_kind call_out_kind(const struct call *call) { return kind_of(gecc_operation_output(call->operation, 0)); }

struct wanted call_wanted(const struct call *call) {
    return (struct wanted){call->operation, call->curve, call->flags, call->optional, call_parameters(call).modulus,
                           call->format};
}

gecc_parameters call_parameters(const struct call *call) {
    gecc_parameters parameters = GECC_PARAMETERS_INIT;
    parameters.curve = call->curve;
    parameters.hash = call->hash;
    parameters.keys = call->keys;
    parameters.modulus = (gecc_modulus){call->modulus, call->modulus_bytes};
    return parameters;
}

gecc_options call_options(const struct call *call) {
    gecc_options options = GECC_OPTIONS_INIT;
    options.flags = call->flags & call->operation->flags; /* a way to call that has others differs in something else */
    options.point_format = call->format;
    const gecc_kind out = call_out_kind(call);
    if (out == GECC_KIND_CIPHERTEXT || out == GECC_KIND_PLAINTEXT || out == GECC_KIND_DERIVED_KEY)
        options.output_bytes = call->output_bytes != 0 ? call->output_bytes : OPEN_BYTES;
    if (call->operation->selector != GECC_SELECT_HASH)
        options.nonce_hash = call->hash;
    return options;
}

/* The widths of that output; all zeros where there is none. */
static gecc_widths out_widths(const struct call *call, size_t output) {
    const gecc_parameters parameters = call_parameters(call);
    const gecc_options options = call_options(call);
    return gecc_column_widths(call->operation, gecc_operation_output(call->operation, output), &parameters, &options);
}

size_t call_out_bytes(const struct call *call) { return out_widths(call, 0).most; }

size_t call_second_bytes(const struct call *call) {
    const size_t bytes = out_widths(call, 1).most;
    return bytes == 0 ? 1 : bytes;
}

bool call_has_widths(const struct call *call) {
    return gecc_operation_output(call->operation, 0) != NULL && out_widths(call, 0).count == 0;
}

bool call_takes_width(const struct call *call, int input, size_t width) {
    const gecc_column *column = gecc_operation_input(call->operation, (size_t)input);
    const gecc_parameters parameters = call_parameters(call);
    const gecc_options options = call_options(call);
    if (column == NULL)
        return false;
    const gecc_widths widths = gecc_column_widths(call->operation, column, &parameters, &options);
    return width >= widths.least && width <= widths.most;
}

bool call_uses(const struct call *call, int input) {
    const gecc_column *column = gecc_operation_input(call->operation, (size_t)input);
    return column != NULL && (!column->is_optional || call->optional);
}

bool call_has_optional_inputs(const struct call *call) {
    const gecc_column *column;
    bool has = false;
    for (size_t i = 0; (column = gecc_operation_input(call->operation, i)) != NULL; i++)
        has |= column->is_optional != 0;
    return has;
}

const char *call_text(const struct call *call, char text[128]) {
    static const char *const formats[] = {"uncompressed", "compressed", "raw"};
    const char *curve = gecc_curve_name(call->curve);
    char subject[32];
    if (curve == NULL && call->modulus_bytes == 0)
        snprintf(subject, sizeof subject, "-");
    else if (curve == NULL)
        snprintf(subject, sizeof subject, "%zu-bit", 8 * call->modulus_bytes);
    else
        snprintf(subject, sizeof subject, "%s", curve);
    size_t used = (size_t)snprintf(text, 128, "%s %s", subject, call->operation->name);
    if (call_out_kind(call) == GECC_KIND_POINT)
        used += (size_t)snprintf(text + used, 128 - used, " %s", formats[call->format]);
    for (uint32_t flag = 1; gecc_flag_name(flag) != NULL; flag <<= 1)
        if (call->flags & flag)
            used += (size_t)snprintf(text + used, 128 - used, " %s", gecc_flag_name(flag));
    if (call->hash != GECC_HASH_DEFAULT)
        used += (size_t)snprintf(text + used, 128 - used, " %s", hash_names[call->hash]);
    if (call_has_optional_inputs(call))
        snprintf(text + used, 128 - used, call->optional ? " with all columns" : " without optional columns");
    return text;
}

bool flags_read(const char *text, uint32_t *flags) {
    *flags = 0;
    if (strcmp(text, "-") == 0)
        return true;
    while (*text != 0) {
        size_t length = strcspn(text, ",");
        uint32_t flag = 1;
        const char *name;
        while ((name = gecc_flag_name(flag)) != NULL && (strncmp(text, name, length) != 0 || name[length] != 0))
            flag <<= 1;
        if (name == NULL)
            return false;
        *flags |= flag;
        text += length + (text[length] == ',');
    }
    return true;
}

bool hash_read(const char *text, gecc_hash *hash) {
    for (size_t i = 0; i < COUNT(hash_names); i++)
        if (strcmp(text, hash_names[i]) == 0) {
            *hash = (gecc_hash)i;
            return true;
        }
    return false;
}

bool curve_read(const char *text, gecc_curve *curve) {
    for (int i = GECC_SECP256K1; i < GECC_CURVE_END; i++)
        if (strcmp(text, gecc_curve_name((gecc_curve)i)) == 0) {
            *curve = (gecc_curve)i;
            return true;
        }
    *curve = GECC_CURVE25519;
    return strcmp(text, gecc_curve_name(*curve)) == 0;
}
