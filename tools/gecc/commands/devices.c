/* devices: the backends that the library knows, the GPUs of the machine, and code for processors. */
#include "commands/commands.h"
#include "rows/stream.h"

#include <inttypes.h>

static void print_json(const gecc_backend_info *info) {
    printf("{\"backend\":\"%s\",\"device\":\"%s\",\"available\":%s,\"chosen\":%s,\"threads\":%u,\"reason\":\"%s\"}\n",
           info->name, info->device, info->available ? "true" : "false", info->chosen ? "true" : "false", info->threads,
           info->reason);
}

/* What a context has to do with it. */
static const char *state_of(const gecc_device_info *gpu) {
    if (!gpu->available)
        return "unusable";
    if (gpu->open)
        return "open";
    if (gpu->reason[0])
        return "failed";
    return gpu->chosen ? "chosen" : "idle";
}

static void print_gpu_json(const gecc_device_info *gpu) {
    printf("{\"gpu\":%u,\"name\":\"%s\",\"memory\":%" PRIu64 ",\"architecture\":\"%s\",\"multiprocessors\":%u,"
           "\"state\":\"%s\",\"uuid\":\"%s\",\"bus\":\"%s\",\"numa_node\":%d,\"reason\":\"%s\"}\n",
           gpu->number, gpu->name, gpu->memory, gpu->architecture, gpu->multiprocessors, state_of(gpu), gpu->uuid,
           gpu->bus, gpu->numa_node, gpu->reason);
}

static void print_gpus(const gecc_context *context, bool json) {
    gecc_device_info gpu = GECC_DEVICE_INFO_INIT;
    size_t count = gecc_devices(context, 0, &gpu);
    if (!json && count != 0)
        printf("\n  %-4s %-28s %-12s %-8s %-9s %s\n", "GPU", "name", "memory", "sm", "state", "uuid");
    for (size_t i = 0; i < count; i++) {
        gpu = (gecc_device_info)GECC_DEVICE_INFO_INIT;
        gecc_devices(context, i, &gpu);
        if (json)
            print_gpu_json(&gpu);
        else
            printf("%c %-4u %-28s %8.1f GiB %-8s %-9s %s%s%s\n", gpu.chosen ? '*' : ' ', gpu.number, gpu.name,
                   (double)gpu.memory / (1 << 30), gpu.architecture, state_of(&gpu), gpu.uuid,
                   gpu.reason[0] ? "; " : "", gpu.reason);
    }
}

/* The code of the CPU backend, and whether it runs here. */
static void print_codes(bool json) {
    if (!json)
        printf("\n  %-41s %-10s %s\n", "code of the CPU (GECC_CPU)", "available", "reason");
    for (size_t i = 0; cpu_codes[i] != NULL; i++) {
        gecc_backend_info info = GECC_BACKEND_INFO_INIT;
        cpu_code_probe(cpu_codes[i], &info);
        if (json)
            printf("{\"code\":\"%s\",\"available\":%s,\"reason\":\"%s\"}\n", cpu_codes[i],
                   info.available ? "true" : "false", info.reason);
        else
            printf("  %-41s %-10s %s\n", cpu_codes[i], info.available ? "yes" : "no", info.reason);
    }
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
    print_gpus(context, options->json);
    gecc_close(context);
    print_codes(options->json);
    return fflush(stdout) == 0 ? EXIT_GOOD : EXIT_TROUBLE;
}

const struct command command_devices = {
    .name = "devices",
    .summary = "list the backends, the GPUs and the code for processors",
    .description = "Which backends the library knows, whether each can be used here and if not why not. A star marks "
                   "the one that commands use. Then the GPUs of this machine: open, where the backend cuda has opened "
                   "it; chosen, to be opened when rows pay for it; idle; failed; or unusable, and why. Last the code "
                   "for processors that the library may have: whether the build has it and this processor can run it. "
                   "ifma-256 is an experiment, which a build has only where it was asked for.",
    .examples = "gecc devices --json\n"
                "gecc devices --backend cuda\n",
    .options = OPTIONS_COMMON | OPTIONS_CONTEXT | OPTIONS_JSON,
    .main = devices};
