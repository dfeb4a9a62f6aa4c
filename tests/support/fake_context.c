#include "fake_context.h"

#include "fake_cuda.h"

gecc_context *fake_context_new(void) {
    static bool started;
    gecc_context *context;
    if (!started) {
        struct fake_settings settings = fake_settings_good();
        fake_driver_start(&settings);
        started = true;
    }
    (void)context_on(&context, &fake_cuda);
    return context;
}
