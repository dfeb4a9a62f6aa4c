/* The library behind the provider: one context for the process, however many library contexts of OpenSSL there are. */
#ifndef PROVIDER_ENGINE_H
#define PROVIDER_ENGINE_H

#include "provider.h"

/* X(name within names, its operation in gecc_operations). */
#define ENGINE_OPERATION_LIST(X)                                                                                       \
    X(EC_CONVERT, "ec.convert")                                                                                        \
    X(EC_PUBLIC_KEY, "ec.public_key")                                                                                  \
    X(ECDH, "ecdh")                                                                                                    \
    X(ECDSA_SIGN, "ecdsa.sign")                                                                                        \
    X(ECDSA_VERIFY, "ecdsa.verify")                                                                                    \
    X(SM2_SIGN, "sm2.sign")                                                                                            \
    X(SM2_VERIFY, "sm2.verify")                                                                                        \
    X(ED25519_PUBLIC_KEY, "ed25519.public_key")                                                                        \
    X(ED25519_SIGN, "ed25519.sign")                                                                                    \
    X(ED25519_VERIFY, "ed25519.verify")                                                                                \
    X(X25519_PUBLIC_KEY, "x25519_public_key")                                                                          \
    X(X25519, "x25519")

enum engine_operation {
#define ENGINE_X(name, operation) ENGINE_##name,
    ENGINE_OPERATION_LIST(ENGINE_X)
#undef ENGINE_X
        ENGINE_OPERATIONS
};

/* For each call that gave 1 one of engine_close. threads: of the queue that runs rows of paused jobs; the first call
 * decides. 0, and an error is raised: the library cannot be opened. */
int engine_open(unsigned threads);
void engine_close(void);

/* Run one row, whose columns are as gecc_run has them; options NULL: the defaults. In a job of ASYNC_start_job the row
 * goes to a queue, which joins it with those of other jobs, and the job is paused until it is done. Where the row was
 * not processed, an error is raised. */
gecc_item engine_run(enum engine_operation operation, gecc_curve curve, const gecc_out *outputs,
                     const gecc_rows *inputs, const gecc_options *options);

#endif
