/* A context on the CUDA backend and the fake driver, for tests that know the public headers alone. */
#ifndef TESTS_FAKE_CUDA_CONTEXT_H
#define TESTS_FAKE_CUDA_CONTEXT_H

#include <gecc/context.h>

/* NULL if it does not open. The driver is started anew by the first one. */
gecc_context *fake_context_new(const gecc_config *config);

#endif
