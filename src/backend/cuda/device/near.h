/* Threads near a device: on the processors of the memory node that its slot is wired to, so that what they allocate and
 * copy does not cross the machine. As far as the system tells; otherwise threads stay where they are. */
#ifndef GECC_BACKEND_CUDA_DEVICE_NEAR_H
#define GECC_BACKEND_CUDA_DEVICE_NEAR_H

#include <sched.h>
#include <stdbool.h>

#include "backend/cuda/device/driver.h"

/* Processors, unless none are known. */
struct near {
    bool known;
    cpu_set_t processors;
};

/* The memory node of the device, by /sys/bus/pci; -1: unknown, or the machine has one alone. bus: its address,
 * "0000:1b:00.0", of `size` bytes, "" where the driver does not tell. */
int gecc_near_node(const struct driver *driver, CUdevice device, char *bus, int size);

/* Those of the device's node that this thread may use. */
void gecc_near_find(struct near *near, const struct driver *driver, CUdevice device);

/* Have this thread run there from now on. */
void gecc_near_move(const struct near *near);

#endif
