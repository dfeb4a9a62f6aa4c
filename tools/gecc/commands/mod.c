/* mod: arithmetic modulo an odd number. */
#include "commands/commands.h"
#include "rows/decode.h"
#include "rows/task.h"

#include <stdio.h>
#include <string.h>

static const gecc_operation *mod_operation(const struct options *options, const struct group *group) {
    char name[32];
    (void)group;
    snprintf(name, sizeof name, "mod.%s", name_of(names_of_modular_operations, options->modular_operation));
    return gecc_operation_find(name);
}

static bool is_unary(const struct options *options) {
    return options->modular_operation == MOD_SQUARE || options->modular_operation == MOD_INVERSE;
}

/* Just the operands that the operation has, and the modulus where --modulus does not say it. */
static bool accepts(const struct options *options, uint32_t form) {
    return !(form & COLUMN_BIT(B)) == is_unary(options) && !(form & COLUMN_BIT(MODULUS)) == (options->modulus != NULL);
}

static const char *check(const struct options *options) {
    struct group group;
    if (options->modular_operation == MOD_UNKNOWN)
        return "--op is needed";
    return options->modulus ? modulus_decode(&group, options->bits, options->modulus, strlen(options->modulus)) : NULL;
}

static const struct mapping mod_mapping = {.operation = mod_operation,
                                           .forms = {COLUMN_BIT(A) | COLUMN_BIT(B) | COLUMN_BIT(MODULUS),
                                                     COLUMN_BIT(A) | COLUMN_BIT(B), COLUMN_BIT(A) | COLUMN_BIT(MODULUS),
                                                     COLUMN_BIT(A)},
                                           .raw_columns = "a,b,modulus",
                                           .results = {{"r", RESULT_RESIDUE, "the result, as wide as the modulus"}},
                                           .secret = true,
                                           .modular = true,
                                           .invalid_reason = "a and the modulus have a common factor",
                                           .accepts = accepts,
                                           .run = task_run};

const struct command command_mod = {
    .name = "mod",
    .summary = "modular arithmetic",
    .description = "a + b, a - b, a * b, a^2, a^-1 or a^b modulo an odd number that --modulus or the column `modulus` "
                   "gives. Operands are as wide as the modulus (see --bits) and need not be reduced; an exponent has "
                   "at most 64 bytes.",
    .examples = "gecc mod --op mul --modulus ffffffff00000001000000000000000000000000ffffffffffffffffffffffff a_b.csv\n"
                "gecc mod --op inverse --bits 512 numbers.jsonl\n",
    .options = OPTIONS_COMMON | OPTIONS_ROWS | OPTIONS_CONTEXT | OPTIONS_MOD,
    .check = check,
    .mapping = &mod_mapping};
