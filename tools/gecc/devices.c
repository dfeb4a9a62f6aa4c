/* devices: the backends that the library knows. */
#include "commands.h"
#include "stream.h"

static void print_json(const gecc_backend_info *info) {
    printf("{\"backend\":\"%s\",\"device\":\"%s\",\"available\":%s,\"chosen\":%s,\"threads\":%u,\"reason\":\"%s\"}\n",
           info->name, info->device, info->available ? "true" : "false", info->chosen ? "true" : "false", info->threads,
           info->reason);
}

static int devices(const struct options *options) {
    gecc_context *context = context_open(options, 0);
    gecc_backend_info info = GECC_BACKEND_INFO_INIT;
    if (!context)
        return EXIT_TROUBLE;
    size_t count = gecc_backends(context, 0, &info);
    if (!options->json)
        printf("  %-8s %-32s %-10s %-8s %s\n", "backend", "device", "available", "threads", "reason");
    for (size_t i = 0; i < count; i++) {
        gecc_backends(context, i, &info);
        if (options->json)
            print_json(&info);
        else
            printf("%c %-8s %-32s %-10s %-8u %s\n", info.chosen ? '*' : ' ', info.name, info.device,
                   info.available ? "yes" : "no", info.threads, info.reason);
    }
    gecc_close(context);
    return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_TROUBLE;
}

const struct command command_devices = {
    .name = "devices",
    .summary = "list the backends",
    .description = "Which backends the library knows, whether each can be used here and if not why not. A star marks "
                   "the one that commands use.",
    .examples = "gecc devices --json\n",
    .options = OPTIONS_COMMON | OPTIONS_CONTEXT | OPTIONS_JSON,
    .main = devices};
