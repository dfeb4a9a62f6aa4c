/* Why a call failed, in the words that gecc_error_text gives. */
#ifndef GECC_API_ERROR_H
#define GECC_API_ERROR_H

#include <gecc/context.h>

/* Note the words for this thread, as printf makes them, never with contents of a row. Returns `result`. */
gecc_result gecc_error(gecc_result result, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
