/* The typed function of each operation, called with columns in the order of gecc_run's arrays. */
#ifndef TESTS_API_FUNCTIONS_H
#define TESTS_API_FUNCTIONS_H

#include "scheme/job.h"

/* What gecc_run takes, but for the operation. */
struct arguments {
    gecc_context *context;
    gecc_parameters parameters;
    gecc_out out[JOB_OUTPUTS];
    gecc_out status;
    gecc_rows in[JOB_INPUTS];
    size_t count;
    const gecc_options *options;
};

/* Of a typed function the parameters that choose a program, those of 0 to 3 outputs with the statuses, and those of 1
 * to 6 inputs: their types, and what they are given. */
#define TYPE_CURVE gecc_curve,
#define TYPE_KEYS gecc_keys *,
#define TYPE_MODULUS gecc_modulus,
#define TYPE_HASH gecc_hash,
#define TYPE_NONE
#define GIVEN_CURVE a->parameters.curve,
#define GIVEN_KEYS a->parameters.keys,
#define GIVEN_MODULUS a->parameters.modulus,
#define GIVEN_HASH a->parameters.hash,
#define GIVEN_NONE
#define OUT_TYPES_0 gecc_out
#define OUT_TYPES_1 gecc_out, OUT_TYPES_0
#define OUT_TYPES_2 gecc_out, OUT_TYPES_1
#define OUT_TYPES_3 gecc_out, OUT_TYPES_2
#define OUTS_0 a->status
#define OUTS_1 a->out[0], a->status
#define OUTS_2 a->out[0], a->out[1], a->status
#define OUTS_3 a->out[0], a->out[1], a->out[2], a->status
#define IN_TYPES_1 gecc_rows
#define IN_TYPES_2 gecc_rows, IN_TYPES_1
#define IN_TYPES_3 gecc_rows, IN_TYPES_2
#define IN_TYPES_4 gecc_rows, IN_TYPES_3
#define IN_TYPES_5 gecc_rows, IN_TYPES_4
#define IN_TYPES_6 gecc_rows, IN_TYPES_5
#define INS_1 a->in[0]
#define INS_2 INS_1, a->in[1]
#define INS_3 INS_2, a->in[2]
#define INS_4 INS_3, a->in[3]
#define INS_5 INS_4, a->in[4]
#define INS_6 INS_5, a->in[5]

/* X(what chooses, outputs, inputs) for all there may be. */
#define SHAPES_OF_OUTPUTS(X, chosen, outs)                                                                             \
    X(chosen, outs, 1) X(chosen, outs, 2) X(chosen, outs, 3) X(chosen, outs, 4) X(chosen, outs, 5) X(chosen, outs, 6)
#define SHAPES_OF(X, chosen)                                                                                           \
    SHAPES_OF_OUTPUTS(X, chosen, 0)                                                                                    \
    SHAPES_OF_OUTPUTS(X, chosen, 1) SHAPES_OF_OUTPUTS(X, chosen, 2) SHAPES_OF_OUTPUTS(X, chosen, 3)
#define SHAPES(X) SHAPES_OF(X, CURVE) SHAPES_OF(X, KEYS) SHAPES_OF(X, MODULUS) SHAPES_OF(X, HASH) SHAPES_OF(X, NONE)

typedef void (*any_function)(void);

#define SHAPE(chosen, outs, ins)                                                                                       \
    typedef gecc_result (*typed_##chosen##_##outs##_##ins)(gecc_context *, TYPE_##chosen OUT_TYPES_##outs,             \
                                                           IN_TYPES_##ins, size_t, const gecc_options *);              \
    static inline gecc_result call_##chosen##_##outs##_##ins(any_function function, const struct arguments *a) {       \
        return ((typed_##chosen##_##outs##_##ins)function)(a->context, GIVEN_##chosen OUTS_##outs, INS_##ins,          \
                                                           a->count, a->options);                                      \
    }
SHAPES(SHAPE)
#undef SHAPE

/* These two have another name than their programs. */
#define gecc_ecdsa_sign_nonce gecc_ecdsa_sign_with_dangerous_nonce
#define gecc_sm2_sign_nonce gecc_sm2_sign_with_dangerous_nonce

#define TEXT_OF(name) #name
#define CALL_OF(chosen, outs, ins) typed_##chosen##_##outs##_##ins : call_##chosen##_##outs##_##ins,
#define FUNCTION(name) {TEXT_OF(name), (any_function)(name), _Generic(&(name), SHAPES(CALL_OF) any_function : NULL)},
#define OPERATION(identifier, function, ...) FUNCTION(gecc_##function)

/* In the order of the table of operations. */
static const struct function {
    const char *name;
    any_function function;
    gecc_result (*call)(any_function function, const struct arguments *a);
} functions[] = {
#include "scheme/operations.def"
};

#undef OPERATION
#undef FUNCTION
#undef CALL_OF
#undef TEXT_OF

#endif
