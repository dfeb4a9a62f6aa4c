#include "bitcoin/spend.h"
#include "bitcoin/opcodes.h"
#include "bitcoin/tapscript.h"

#include <string.h>

enum {
    MAX_SCRIPT_BYTES = 10000,
    MAX_STACK_ELEMENTS = 1000,
    ANNEX_TAG = 0x50,
    LEAF_TAPSCRIPT = 0xc0,
    MAX_CONTROL_BYTES = CONTROL_BYTES + 128 * 32,
    P2PKH_BYTES = 25
};

/* Where a script stands. */
enum wrapper { WRAPPER_NONE, WRAPPER_P2SH, WRAPPER_P2WSH, WRAPPER_P2SH_P2WSH, WRAPPERS };
enum form { FORM_OTHER, FORM_P2PK, FORM_P2PKH, FORM_MULTISIG, FORMS };

static const char *const kinds[WRAPPERS][FORMS] = {
    {"other", "p2pk", "p2pkh", "multisig"},
    {"p2sh", "p2sh-p2pk", "p2sh-p2pkh", "p2sh-multisig"},
    {"p2wsh", "p2wsh-p2pk", "p2wsh-p2pkh", "p2wsh-multisig"},
    {"p2sh-p2wsh", "p2sh-p2wsh-p2pk", "p2sh-p2wsh-p2pkh", "p2sh-p2wsh-multisig"}};

static bool invalid(struct spend *spend, const char *reason) { return spend_close(spend, SPEND_INVALID, reason); }

static bool not_covered(struct spend *spend, const char *reason) {
    return spend_close(spend, SPEND_NOT_COVERED, reason);
}

static void add_check(struct spend *spend, bool ripemd, struct bytes message, const uint8_t *expected,
                      const char *reason) {
    spend->checks[spend->check_count++] = (struct hash_check){ripemd, message, expected, reason};
}

static struct bytes part(struct bytes bytes, size_t start, size_t size) {
    return (struct bytes){bytes.data + start, size};
}

static bool is_p2pkh(struct bytes script) {
    return script.size == P2PKH_BYTES && script.data[0] == OP_DUP && script.data[1] == OP_HASH160 &&
           script.data[2] == HASH160_BYTES && script.data[23] == OP_EQUALVERIFY && script.data[24] == OP_CHECKSIG;
}

static bool is_p2sh(struct bytes script) {
    return script.size == 23 && script.data[0] == OP_HASH160 && script.data[1] == HASH160_BYTES &&
           script.data[22] == OP_EQUAL;
}

static bool is_p2pk(struct bytes script) {
    return (script.size == 35 || script.size == 67) && script.data[0] == script.size - 2 &&
           script.data[script.size - 1] == OP_CHECKSIG;
}

/* A version from 0 to 16 and a program of 2 to 40 bytes (BIP-141). */
static bool is_witness_program(struct bytes script, int *version, struct bytes *program) {
    if (script.size < 4 || script.size > 42 || script.data[1] + 2u != script.size)
        return false;
    uint8_t opcode = script.data[0];
    if (opcode != OP_0 && (opcode < OP_1 || opcode > OP_16))
        return false;
    *version = opcode == OP_0 ? 0 : opcode - OP_1 + 1;
    *program = part(script, 2, script.size - 2);
    return true;
}

/* A number from 1 to 20 as it is written in scripts; 0: none. */
static size_t number_of(const struct operation *operation) {
    bool one = operation->push && operation->data.size == 1;
    size_t value = one ? operation->data.data[0] : 0;
    bool opcode = operation->opcode >= OP_1;
    return one && (opcode ? value <= 16 : value > 16 && value <= MAX_MULTISIG_KEYS) ? value : 0;
}

/* m <key> ... <key> n OP_CHECKMULTISIG: keys of 33 or 65 bytes. */
static bool is_multisig(struct spend *spend, struct bytes script, struct arena *arena) {
    struct operation operation;
    size_t at = 0, count = 0, needed;
    bool broken;
    if (script.size < 3 || script.data[script.size - 1] != OP_CHECKMULTISIG)
        return false;
    if (!script_next(script, &at, &operation, &broken) || (needed = number_of(&operation)) == 0)
        return false;
    struct bytes *keys = arena_array(arena, MAX_MULTISIG_KEYS, sizeof *keys);
    while (keys && script_next(script, &at, &operation, &broken)) {
        bool key = operation.data.size == operation.opcode && (operation.opcode == 33 || operation.opcode == 65);
        if (key && count < MAX_MULTISIG_KEYS) {
            keys[count++] = operation.data;
            continue;
        }
        spend->keys = keys;
        spend->key_count = count;
        spend->signature_count = needed;
        return number_of(&operation) == count && needed <= count && at == script.size - 1;
    }
    return false;
}

static enum form form_of(struct spend *spend, struct bytes script, struct arena *arena) {
    if (is_p2pk(script))
        return FORM_P2PK;
    if (is_p2pkh(script))
        return FORM_P2PKH;
    return is_multisig(spend, script, arena) ? FORM_MULTISIG : FORM_OTHER;
}

/* The script's signatures and keys. A witness has no more than what is used (BIP-141). */
static bool use_form(struct spend *spend, enum form form, struct bytes script, struct stack stack, bool witness,
                     struct arena *arena) {
    size_t used = form == FORM_P2PK ? 1 : form == FORM_P2PKH ? 2 : 1 + spend->signature_count;
    if (stack.count < used || stack.elements == NULL)
        return invalid(spend, "fewer elements than the script takes");
    if (witness && stack.count > used)
        return invalid(spend, "more elements than the script takes");
    const struct bytes *elements = stack.elements + (stack.count - used);
    spend->script_code = script;
    spend->signatures = form == FORM_MULTISIG ? elements + 1 : elements;
    if (form == FORM_MULTISIG)
        return elements[0].size == 0 || spend->height < HEIGHT_BIP147 ||
               invalid(spend, "the element that OP_CHECKMULTISIG drops is not empty (BIP 147)");
    spend->signature_count = spend->key_count = 1;
    if (form == FORM_P2PKH) {
        spend->keys = elements + 1;
        add_check(spend, true, elements[1], script.data + 3, "the key's hash is not that of the script");
        return true;
    }
    struct bytes *key = arena_array(arena, 1, sizeof *key);
    if (key)
        *key = part(script, 1, script.size - 2);
    spend->keys = key;
    return key != NULL;
}

static bool use_script(struct spend *spend, enum wrapper wrapper, struct bytes script, struct stack stack,
                       struct arena *arena) {
    bool witness = wrapper == WRAPPER_P2WSH || wrapper == WRAPPER_P2SH_P2WSH;
    enum form form = form_of(spend, script, arena);
    spend->kind = kinds[wrapper][form];
    spend->rule = witness ? DIGEST_WITNESS_V0 : DIGEST_LEGACY;
    if (form == FORM_OTHER)
        return not_covered(spend, "a script of another form");
    return use_form(spend, form, script, stack, witness, arena);
}

/* A witness program of version 0 and 20 bytes: a key's hash. */
static bool use_key_hash(struct spend *spend, struct bytes program, struct stack witness, bool nested,
                         struct arena *arena) {
    spend->kind = nested ? "p2sh-p2wpkh" : "p2wpkh";
    spend->rule = DIGEST_WITNESS_V0;
    if (witness.count != 2)
        return invalid(spend, "a witness that is not a signature and a key");
    uint8_t *script = arena_take(arena, P2PKH_BYTES);
    if (!script)
        return false;
    memcpy(script, (const uint8_t[]){OP_DUP, OP_HASH160, HASH160_BYTES}, 3);
    memcpy(script + 3, program.data, HASH160_BYTES);
    memcpy(script + 23, (const uint8_t[]){OP_EQUALVERIFY, OP_CHECKSIG}, 2);
    spend->script_code = (struct bytes){script, P2PKH_BYTES};
    spend->signatures = witness.elements;
    spend->keys = witness.elements + 1;
    spend->signature_count = spend->key_count = 1;
    add_check(spend, true, spend->keys[0], program.data, "the key's hash is not that of the output");
    return true;
}

/* One of version 0 and 32 bytes: a script's hash. */
static bool use_script_hash(struct spend *spend, struct bytes program, struct stack witness, bool nested,
                            struct arena *arena) {
    enum wrapper wrapper = nested ? WRAPPER_P2SH_P2WSH : WRAPPER_P2WSH;
    spend->kind = kinds[wrapper][FORM_OTHER];
    if (witness.count == 0)
        return invalid(spend, "no witness");
    struct bytes script = witness.elements[--witness.count];
    add_check(spend, false, script, program.data, "the witness script's hash is not that of the output");
    return use_script(spend, wrapper, script, witness, arena);
}

static bool use_script_path(struct spend *spend, const struct transaction *transaction, size_t index,
                            struct stack witness, struct arena *arena) {
    spend->kind = "p2tr-script";
    spend->rule = DIGEST_TAPSCRIPT;
    struct bytes control = witness.elements[witness.count - 1], script = witness.elements[witness.count - 2];
    witness.count -= 2;
    if (control.size < CONTROL_BYTES || control.size > MAX_CONTROL_BYTES || (control.size - CONTROL_BYTES) % 32)
        return invalid(spend, "a control block of no width that one has");
    if ((control.data[0] & 0xfe) != LEAF_TAPSCRIPT)
        return not_covered(spend, "a leaf of another version");
    spend->control = control;
    spend->leaf_script = script;
    return tapscript_run(spend, transaction, index, script, witness, arena);
}

static bool use_key_path(struct spend *spend, struct bytes program, const struct bytes *signature,
                         struct arena *arena) {
    struct bytes *key = arena_array(arena, 1, sizeof *key);
    if (!key)
        return false;
    *key = program;
    spend->keys = key;
    spend->signatures = signature;
    spend->key_count = spend->signature_count = 1;
    return true;
}

static bool use_taproot(struct spend *spend, const struct transaction *transaction, size_t index, struct bytes program,
                        struct arena *arena) {
    struct stack witness = {transaction->inputs[index].witness, transaction->inputs[index].witness_count};
    spend->kind = "p2tr-key";
    spend->rule = DIGEST_TAPROOT;
    spend->output_key = program.data;
    if (witness.count == 0)
        return invalid(spend, "no witness");
    struct bytes last = witness.elements[witness.count - 1];
    if (witness.count > 1 && last.size && last.data[0] == ANNEX_TAG) {
        spend->annex = last;
        witness.count--;
    }
    if (witness.count == 1)
        return use_key_path(spend, program, witness.elements, arena);
    return use_script_path(spend, transaction, index, witness, arena);
}

static bool use_witness_program(struct spend *spend, const struct transaction *transaction, size_t index, int version,
                                struct bytes program, bool nested, struct arena *arena) {
    const struct tx_input *input = &transaction->inputs[index];
    struct stack witness = {input->witness, input->witness_count};
    if (version == 0 && program.size == HASH160_BYTES)
        return use_key_hash(spend, program, witness, nested, arena);
    if (version == 0 && program.size == 32)
        return use_script_hash(spend, program, witness, nested, arena);
    if (version == 0)
        return invalid(spend, "a witness program of version 0 that has neither 20 nor 32 bytes");
    if (version == 1 && program.size == XONLY_BYTES && !nested)
        return use_taproot(spend, transaction, index, program, arena);
    return not_covered(spend, "a witness program without rules");
}

/* What an input's script pushes. One that does more is not covered; where pushes alone are allowed it is invalid. */
static bool use_pushes(struct spend *spend, struct bytes script, struct stack *stack, bool only, struct arena *arena) {
    struct bytes *elements = arena_array(arena, script.size, sizeof *elements);
    struct operation operation;
    size_t at = 0, count = 0;
    bool broken = false;
    if (!elements)
        return false;
    if (script.size > MAX_SCRIPT_BYTES)
        return invalid(spend, "a script of more than 10,000 bytes");
    while (script_next(script, &at, &operation, &broken)) {
        if (!operation.push)
            return only ? invalid(spend, "an input's script that does more than push (BIP 16)")
                        : not_covered(spend, "an input's script that does more than push");
        if (operation.data.size > MAX_ELEMENT_BYTES)
            return invalid(spend, "an element of more than 520 bytes");
        elements[count++] = operation.data;
    }
    *stack = (struct stack){elements, count};
    if (count > MAX_STACK_ELEMENTS)
        return invalid(spend, "more than 1,000 elements");
    return !broken || invalid(spend, "an input's script that ends within a push");
}

static bool use_p2sh(struct spend *spend, const struct transaction *transaction, size_t index,
                     struct bytes output_script, struct arena *arena) {
    const struct tx_input *input = &transaction->inputs[index];
    struct stack stack = {0};
    struct bytes program;
    int version;
    spend->kind = kinds[WRAPPER_P2SH][FORM_OTHER];
    if (!use_pushes(spend, input->script, &stack, true, arena))
        return false;
    if (spend->state != SPEND_OPEN)
        return true;
    if (stack.count == 0)
        return invalid(spend, "no script for the output's hash");
    struct bytes script = stack.elements[--stack.count];
    add_check(spend, true, script, output_script.data + 2, "the script's hash is not that of the output");
    if (!is_witness_program(script, &version, &program))
        return (input->witness_count == 0 || invalid(spend, "a witness that no program takes (BIP 141)")) &&
               (spend->state != SPEND_OPEN || use_script(spend, WRAPPER_P2SH, script, stack, arena));
    if (!script_pushes(input->script, 0, script) || input->script.size != 1 + script.size)
        return invalid(spend, "an input's script that is not one push of the witness program (BIP 141)");
    return use_witness_program(spend, transaction, index, version, program, true, arena);
}

bool spend_find(struct spend *spend, const struct transaction *transaction, size_t index, const struct prevout *prevout,
                uint32_t height, struct arena *arena) {
    const struct tx_input *input = &transaction->inputs[index];
    struct bytes program;
    struct stack stack = {0};
    int version;
    *spend = (struct spend){.kind = kinds[WRAPPER_NONE][FORM_OTHER], .height = height};
    if (is_witness_program(prevout->script, &version, &program)) {
        if (input->script.size)
            return invalid(spend, "an input's script that is not empty (BIP 141)");
        return use_witness_program(spend, transaction, index, version, program, false, arena);
    }
    if (is_p2sh(prevout->script))
        return use_p2sh(spend, transaction, index, prevout->script, arena);
    if (input->witness_count)
        return invalid(spend, "a witness that no program takes (BIP 141)");
    if (!use_pushes(spend, input->script, &stack, false, arena))
        return false;
    return spend->state != SPEND_OPEN || use_script(spend, WRAPPER_NONE, prevout->script, stack, arena);
}
