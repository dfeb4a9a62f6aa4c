#include "api/error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char words[256];

gecc_result gecc_error(gecc_result result, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return result;
}

const char *gecc_error_text(void) { return words; }
