/* Why a call failed, in words: what gecc_error_text gives. */
#ifndef GECC_API_ERROR_H
#define GECC_API_ERROR_H

#include <gecc/context.h>

/* Note the words for this thread, as printf makes them, never with what a row holds. Returns `result`. */
gecc_result gecc_error(gecc_result result, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
