#include "fake_cuda/context.h"

#include "fake_cuda/backend.h"

gecc_context *fake_context_new(const gecc_config *config) {
    static bool started;
    gecc_context *context;
    if (!started) {
        struct fake_settings settings = fake_settings_good();
        fake_driver_start(&settings);
        started = true;
    }
    (void)context_on_with(&context, &fake_cuda, config);
    return context;
}
