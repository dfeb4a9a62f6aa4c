#include "bitcoin/tapscript.h"
#include "bitcoin/opcodes.h"

#include <string.h>

enum {
    MAX_STACK_ELEMENTS = 1000,
    NUMBER_BYTES = 4, /* the widest number that is computed with */
    TIME_BYTES = 5    /* the widest that a time lock takes */
};

/* BIP-68: a sequence number that locks has a unit, and is compared by its lowest 16 bits. BIP-65: lock times below the
 * threshold are heights of blocks. */
static const uint32_t sequence_off = 1u << 31, sequence_seconds = 1u << 22, sequence_mask = 0xffff;
static const uint32_t lock_time_threshold = 500000000;

struct machine {
    struct spend *spend;
    const struct transaction *transaction;
    const struct tx_input *input;
    struct arena *arena;
    struct bytes *stack;
    size_t count, room;
    struct bytes *keys, *signatures; /* those that are needed, [count of the script's operations] */
};

static bool invalid(struct machine *machine, const char *reason) {
    spend_close(machine->spend, SPEND_INVALID, reason);
    return false;
}

static bool not_covered(struct machine *machine, const char *reason) {
    spend_close(machine->spend, SPEND_NOT_COVERED, reason);
    return false;
}

static bool is_known(uint8_t opcode) {
    static const uint8_t known[] = {
        OP_VERIFY,   OP_DROP,        OP_NUMEQUAL,       OP_NUMEQUALVERIFY,      OP_GREATERTHANOREQUAL,
        OP_CHECKSIG, OP_CHECKSIGADD, OP_CHECKSIGVERIFY, OP_CHECKLOCKTIMEVERIFY, OP_CHECKSEQUENCEVERIFY};
    return memchr(known, opcode, sizeof known) != NULL;
}

/* Step over what follows OP_0 in OP_0 OP_IF <data> ... OP_ENDIF, which does nothing. false: something else follows. */
static bool pass_over(struct bytes script, size_t *at) {
    struct operation operation;
    size_t next = *at;
    bool broken;
    if (!script_next(script, &next, &operation, &broken) || operation.opcode != OP_IF)
        return false;
    while (script_next(script, &next, &operation, &broken)) {
        if (operation.opcode == OP_ENDIF) {
            *at = next;
            return true;
        }
        if (!operation.push || operation.data.size > MAX_ELEMENT_BYTES)
            return false;
    }
    return false;
}

/* Whether all operations are known: one that is not may make the script succeed, wherever it stands (OP_SUCCESSx). */
static bool is_covered(struct bytes script) {
    struct operation operation;
    size_t at = 0;
    bool broken;
    while (script_next(script, &at, &operation, &broken)) {
        if (operation.opcode == OP_0 && pass_over(script, &at))
            continue;
        if (operation.push ? operation.data.size > MAX_ELEMENT_BYTES : !is_known(operation.opcode))
            return false;
    }
    return !broken;
}

static bool push(struct machine *machine, struct bytes element) {
    if (machine->count == machine->room)
        return invalid(machine, "more than 1,000 elements");
    machine->stack[machine->count++] = element;
    return true;
}

static bool pop(struct machine *machine, struct bytes *element) {
    if (machine->count == 0)
        return invalid(machine, "fewer elements than the script takes");
    *element = machine->stack[--machine->count];
    return true;
}

/* Zeros, also negative ones, are false. */
static bool is_true(struct bytes element) {
    for (size_t i = 0; i < element.size; i++)
        if (element.data[i] != 0)
            return i + 1 < element.size || element.data[i] != 0x80;
    return false;
}

/* A number with its sign in the highest bit, in the fewest bytes, as every known script has it. */
static bool number(struct machine *machine, struct bytes element, size_t most, int64_t *value) {
    size_t size = element.size;
    const uint8_t *data = element.data;
    *value = 0;
    if (size > most)
        return invalid(machine, "a number of too many bytes");
    if (size == 0)
        return true;
    if ((data[size - 1] & 0x7f) == 0 && (size == 1 || !(data[size - 2] & 0x80)))
        return not_covered(machine, "a number that is not in the fewest bytes");
    for (size_t i = size; i--;)
        *value = *value << 8 | (i == size - 1 ? data[i] & 0x7f : data[i]);
    if (data[size - 1] & 0x80)
        *value = -*value;
    return true;
}

/* A number of at most five bytes, from -2^32 up to 2^32. */
static bool push_number(struct machine *machine, int64_t value) {
    uint8_t *data = arena_take(machine->arena, TIME_BYTES + 1);
    uint64_t magnitude = value < 0 ? (uint64_t)-value : (uint64_t)value;
    size_t size = 0;
    if (!data)
        return false;
    for (; magnitude; magnitude >>= 8)
        data[size++] = (uint8_t)magnitude;
    if (size && data[size - 1] & 0x80)
        data[size++] = 0;
    if (value < 0)
        data[size - 1] |= 0x80;
    return push(machine, (struct bytes){data, size});
}

/* *signed_by: whether there is a signature, which has to be valid then. */
static bool check_signature(struct machine *machine, struct bytes key, struct bytes signature, bool *signed_by) {
    struct spend *spend = machine->spend;
    *signed_by = signature.size > 0;
    if (key.size == 0)
        return invalid(machine, "a key without bytes");
    if (key.size != XONLY_BYTES)
        return not_covered(machine, "a key of another kind than BIP-340's");
    if (*signed_by) {
        machine->keys[spend->key_count++] = key;
        machine->signatures[spend->signature_count++] = signature;
    }
    return true;
}

static bool run_checksig(struct machine *machine, bool verify) {
    struct bytes key, signature;
    bool signed_by;
    if (!pop(machine, &key) || !pop(machine, &signature) || !check_signature(machine, key, signature, &signed_by))
        return false;
    if (!verify)
        return push_number(machine, signed_by);
    return signed_by || invalid(machine, "no signature");
}

static bool run_checksigadd(struct machine *machine) {
    struct bytes key, sum, signature;
    int64_t value;
    bool signed_by;
    return pop(machine, &key) && pop(machine, &sum) && pop(machine, &signature) &&
           number(machine, sum, NUMBER_BYTES, &value) && check_signature(machine, key, signature, &signed_by) &&
           push_number(machine, value + signed_by);
}

static bool run_comparison(struct machine *machine, uint8_t opcode) {
    struct bytes a, b;
    int64_t first, second;
    if (!pop(machine, &b) || !pop(machine, &a) || !number(machine, a, NUMBER_BYTES, &first) ||
        !number(machine, b, NUMBER_BYTES, &second))
        return false;
    bool holds = opcode == OP_GREATERTHANOREQUAL ? first >= second : first == second;
    if (opcode != OP_NUMEQUALVERIFY)
        return push_number(machine, holds);
    return holds || invalid(machine, "OP_NUMEQUALVERIFY finds another number");
}

static uint32_t word(const uint8_t *data) {
    return (uint32_t)data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24;
}

/* The number on top, which stays there. */
static bool time_on_top(struct machine *machine, int64_t *value) {
    struct bytes top;
    if (!pop(machine, &top) || !push(machine, top) || !number(machine, top, TIME_BYTES, value))
        return false;
    return *value >= 0 || invalid(machine, "a time lock below zero");
}

/* BIP-65. */
static bool run_lock_time(struct machine *machine) {
    int64_t wanted;
    uint32_t lock_time = word(machine->transaction->lock_time);
    if (!time_on_top(machine, &wanted))
        return false;
    bool same_unit = (wanted < lock_time_threshold) == (lock_time < lock_time_threshold);
    bool holds = same_unit && wanted <= lock_time && word(machine->input->sequence) != UINT32_MAX;
    return holds || invalid(machine, "a lock time that is not reached (BIP 65)");
}

/* BIP-112. */
static bool run_sequence(struct machine *machine) {
    int64_t wanted;
    uint32_t sequence = word(machine->input->sequence);
    if (!time_on_top(machine, &wanted))
        return false;
    if (wanted & sequence_off)
        return true;
    bool same_unit = (wanted & sequence_seconds) == (sequence & sequence_seconds);
    bool holds = word(machine->transaction->version) >= 2 && !(sequence & sequence_off) && same_unit &&
                 (wanted & sequence_mask) <= (sequence & sequence_mask);
    return holds || invalid(machine, "a relative lock time that is not reached (BIP 112)");
}

static bool run_operation(struct machine *machine, uint8_t opcode) {
    struct bytes element;
    switch (opcode) {
    case OP_VERIFY:
        return pop(machine, &element) && (is_true(element) || invalid(machine, "OP_VERIFY finds false"));
    case OP_DROP:
        return pop(machine, &element);
    case OP_NUMEQUAL:
    case OP_NUMEQUALVERIFY:
    case OP_GREATERTHANOREQUAL:
        return run_comparison(machine, opcode);
    case OP_CHECKSIG:
    case OP_CHECKSIGVERIFY:
        return run_checksig(machine, opcode == OP_CHECKSIGVERIFY);
    case OP_CHECKSIGADD:
        return run_checksigadd(machine);
    case OP_CHECKLOCKTIMEVERIFY:
        return run_lock_time(machine);
    default:
        return run_sequence(machine);
    }
}

static bool run(struct machine *machine, struct bytes script) {
    struct operation operation;
    size_t at = 0;
    bool broken;
    while (script_next(script, &at, &operation, &broken)) {
        if (operation.opcode == OP_0 && pass_over(script, &at))
            continue;
        if (operation.push ? !push(machine, operation.data) : !run_operation(machine, operation.opcode))
            return false;
    }
    if (machine->count != 1 || !is_true(machine->stack[0]))
        return invalid(machine,
                       machine->count > 1 ? "the script leaves more than one element" : "the script ends with false");
    return machine->spend->signature_count > 0 || not_covered(machine, "a script without signatures");
}

static bool start(struct machine *machine, struct stack witness) {
    for (size_t i = 0; i < witness.count; i++) {
        if (witness.elements[i].size > MAX_ELEMENT_BYTES)
            return invalid(machine, "an element of more than 520 bytes");
        if (!push(machine, witness.elements[i]))
            return false;
    }
    return true;
}

/* How many operations take a signature, at most. */
static size_t count_signatures(struct bytes script) {
    struct operation operation;
    size_t at = 0, count = 0;
    bool broken;
    while (script_next(script, &at, &operation, &broken))
        count += operation.opcode == OP_CHECKSIG || operation.opcode == OP_CHECKSIGVERIFY ||
                 operation.opcode == OP_CHECKSIGADD;
    return count;
}

bool tapscript_run(struct spend *spend, const struct transaction *transaction, size_t index, struct bytes script,
                   struct stack witness, struct arena *arena) {
    if (!is_covered(script))
        return spend_close(spend, SPEND_NOT_COVERED, "a script of another form");
    /* Each operation pushes one element at most. */
    size_t room = witness.count + script.size, signatures = count_signatures(script);
    room = room < MAX_STACK_ELEMENTS ? room : MAX_STACK_ELEMENTS;
    struct machine machine = {.spend = spend,
                              .transaction = transaction,
                              .input = &transaction->inputs[index],
                              .arena = arena,
                              .stack = arena_array(arena, room, sizeof *machine.stack),
                              .room = room,
                              .keys = arena_array(arena, signatures, sizeof *machine.keys),
                              .signatures = arena_array(arena, signatures, sizeof *machine.signatures)};
    if (!machine.stack || !machine.keys || !machine.signatures)
        return false;
    if (start(&machine, witness))
        run(&machine, script);
    spend->keys = machine.keys;
    spend->signatures = machine.signatures;
    return !arena->failed;
}
