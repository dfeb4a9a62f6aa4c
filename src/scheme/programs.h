/* PROGRAM(identifier, function) for each operation of operations.def that a set of lane programs offers. The includer
 * has included the programs, defines PROGRAM, and PROGRAM_<family> as PROGRAM for each family that the set has. It may
 * define PROGRAMS, the name of a file with some of the lines of operations.def. */

#ifndef PROGRAM_CURVE
#define PROGRAM_CURVE(identifier, function)
#endif
#ifndef PROGRAM_SUMS
#define PROGRAM_SUMS(identifier, function)
#endif
#ifndef PROGRAM_SM2
#define PROGRAM_SM2(identifier, function)
#endif
#ifndef PROGRAM_SECP256K1
#define PROGRAM_SECP256K1(identifier, function)
#endif
#ifndef PROGRAM_CURVE25519
#define PROGRAM_CURVE25519(identifier, function)
#endif
#ifndef PROGRAM_MOD
#define PROGRAM_MOD(identifier, function)
#endif
#ifndef PROGRAM_HASH
#define PROGRAM_HASH(identifier, function)
#endif

#define OPERATION(identifier, function, name, family, secrets, base, flags, inputs, outputs, text)                     \
    PROGRAM_##family(identifier, function)
#ifndef PROGRAMS
#define PROGRAMS "scheme/operations.def"
#endif
#include PROGRAMS
#undef OPERATION
