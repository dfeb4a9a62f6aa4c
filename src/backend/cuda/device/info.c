#define _GNU_SOURCE
#include "backend/cuda/device/info.h"

#include <stdio.h>
#include <string.h>

#include "backend/cuda/device/near.h"
#include "backend/cuda/device/open.h"

/* As tools of the driver write it: "GPU-", or "MIG-", and 16 bytes with dashes between them. */
static void write_uuid(char *text, size_t size, const CUuuid *uuid, bool is_part) {
    size_t length = (size_t)snprintf(text, size, "%s", is_part ? "MIG" : "GPU");
    for (size_t i = 0; i < sizeof uuid->bytes && length < size; i++)
        length += (size_t)snprintf(text + length, size - length, "%s%02x",
                                   i == 0 || i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", uuid->bytes[i]);
}

/* What the driver knows; fields of which it tells nothing stay as they are. */
static void ask(const struct driver *driver, CUdevice device, gecc_device_info *info) {
    int major = 0, minor = 0, multiprocessors = 0;
    size_t memory = 0;
    CUuuid uuid, part; /* they differ where the device is a part of a GPU (MIG) */
    if (driver->cuDeviceGetName(info->name, (int)sizeof info->name, device) != CUDA_SUCCESS)
        info->name[0] = 0;
    if (driver->cuDeviceGetUuid(&uuid, device) == CUDA_SUCCESS &&
        driver->cuDeviceGetPartUuid(&part, device) == CUDA_SUCCESS)
        write_uuid(info->uuid, sizeof info->uuid, &part, memcmp(&uuid, &part, sizeof uuid) != 0);
    if (driver->cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) == CUDA_SUCCESS &&
        driver->cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) == CUDA_SUCCESS)
        (void)snprintf(info->architecture, sizeof info->architecture, "sm_%d%d", major, minor);
    if (driver->cuDeviceGetAttribute(&multiprocessors, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device) ==
            CUDA_SUCCESS &&
        multiprocessors > 0)
        info->multiprocessors = (unsigned)multiprocessors;
    if (driver->cuDeviceTotalMem(&memory, device) == CUDA_SUCCESS)
        info->memory = memory;
    info->numa_node = gecc_near_node(driver, device, info->bus, (int)sizeof info->bus);
}

size_t gecc_device_describe(const struct driver *driver, size_t index, gecc_device_info *info) {
    int count;
    CUdevice device;
    if (gecc_device_count(driver, &count, info->reason, sizeof info->reason) != GECC_OK)
        return 0;
    if (index >= (size_t)count)
        return (size_t)count;
    info->number = (unsigned)index;
    info->available = gecc_device_is_usable(driver, (int)index, info->reason, sizeof info->reason) == GECC_OK;
    if (driver->cuDeviceGet(&device, (int)index) == CUDA_SUCCESS)
        ask(driver, device, info);
    return (size_t)count;
}
