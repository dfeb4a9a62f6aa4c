#define _GNU_SOURCE
#include "backend/cuda/device/near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first line of a file, at most size - 1 bytes of it. */
static bool read_line(const char *path, char *line, int size) {
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return false;
    bool read = fgets(line, size, file) != NULL;
    (void)fclose(file);
    return read;
}

int gecc_near_node(const struct driver *driver, CUdevice device, char *bus, int size) {
    char path[96], line[32];
    bus[0] = 0;
    if (driver->cuDeviceGetPCIBusId(bus, size, device) != CUDA_SUCCESS) {
        bus[0] = 0;
        return -1;
    }
    for (char *at = bus; *at != 0; at++)
        *at = *at >= 'A' && *at <= 'F' ? (char)(*at - 'A' + 'a') : *at;
    (void)snprintf(path, sizeof path, "/sys/bus/pci/devices/%.32s/numa_node", bus);
    return read_line(path, line, sizeof line) ? (int)strtol(line, NULL, 10) : -1;
}

/* A list of numbers and ranges, as the system writes it: "0-31,64-95". */
static void read_list(const char *list, cpu_set_t *set) {
    for (char *end; *list != 0; list = *end == ',' ? end + 1 : end) {
        unsigned long first = strtoul(list, &end, 10), last = first;
        if (end == list)
            return;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        for (unsigned long i = first; i <= last && i < CPU_SETSIZE; i++)
            CPU_SET(i, set);
    }
}

void gecc_near_find(struct near *near, const struct driver *driver, CUdevice device) {
    char bus[32], path[64], line[1024];
    cpu_set_t own, node;
    near->known = false;
    int number = gecc_near_node(driver, device, bus, sizeof bus);
    (void)snprintf(path, sizeof path, "/sys/devices/system/node/node%d/cpulist", number);
    if (number < 0 || !read_line(path, line, sizeof line) || sched_getaffinity(0, sizeof own, &own) != 0)
        return;
    CPU_ZERO(&node);
    read_list(line, &node);
    CPU_AND(&near->processors, &own, &node);
    near->known = CPU_COUNT(&near->processors) != 0;
}

void gecc_near_move(const struct near *near) {
    if (near->known)
        (void)sched_setaffinity(0, sizeof near->processors, &near->processors);
}
