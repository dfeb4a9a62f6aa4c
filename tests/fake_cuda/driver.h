/* A CUDA driver without a GPU: device memory is memory that only its own calls can touch, streams are queues, and
 * kernels are the lane programs of the portable machine. What a real driver would answer with an error or with silent
 * damage stops the test: addresses that are not the device's in a launch, calls without a context, calls after fork(),
 * writes beside a block.
 *
 * There is one, and it is used by any number of threads. */
#ifndef TESTS_FAKE_CUDA_DRIVER_H
#define TESTS_FAKE_CUDA_DRIVER_H

#include <stdbool.h>

#include "backend/cuda/device/driver.h"

struct image;

enum { FAKE_DEVICES_MOST = 8 };

struct fake_settings {
    size_t memory; /* bytes of a device's memory */
    size_t pinned; /* bytes that can be pinned */
    int devices;
    int capability;      /* 10 * major + minor */
    int multiprocessors; /* each runs 8 threads at once, and gets 2 rows for each */
    bool lazy;           /* work is done when somebody waits for it, and not before; otherwise at once */
    unsigned abi;        /* that the images say they have */

    /* Of single devices, where they are not 0. */
    size_t memory_of[FAKE_DEVICES_MOST];
    int capability_of[FAKE_DEVICES_MOST];
    unsigned row_nanoseconds[FAKE_DEVICES_MOST]; /* that a kernel takes for each row, besides computing it */
};

/* Room for everything, one device, lazy. */
struct fake_settings fake_settings_good(void);

/* Start anew: forget failures, count from 0, free whatever was not given back. */
void fake_driver_start(const struct fake_settings *settings);

extern const struct driver fake_driver;
/* The portable machine's program sets. */
const struct image *fake_driver_images(void);

/* Let call number `call` fail with the error (the first has number 1), or that one and all later ones, as after an
 * error that a context does not survive. Calls that ask about errors and pointers are not counted. */
void fake_driver_fail(unsigned long call, bool from_then_on, CUresult error);
unsigned long fake_driver_calls(void);
/* Let every `every`-th call in the device's context fail, from now on; 0: none. */
void fake_driver_fail_on(int device, unsigned long every, CUresult error);

/* Of each launch, let every `every`-th row that has a result fail the check of its signature; 0: none. */
void fake_driver_withhold(size_t every);

/* Things taken and not given back: memory, pinned memory, contexts, modules, streams and events. */
size_t fake_driver_held(void);
unsigned long fake_driver_launches(void);
unsigned long fake_driver_launches_on(int device);
size_t fake_driver_memory_most(void); /* bytes of device memory in use, at most */
size_t fake_driver_pinned_most(void); /* the same of pinned memory that the backend took */
size_t fake_driver_pending(void);     /* pieces of work that are queued and not done */

/* These bytes are secret: searched for in memory that is freed, and in all memory by fake_driver_secrets. */
void fake_driver_plant(const void *secret, size_t bytes);
/* How often a secret was found in memory freed so far or held now; `device`: in device memory too, not only in
 * pinned. */
unsigned fake_driver_secrets(bool device);

/* Device memory of the test's own. */
void *fake_device_new(size_t bytes);
void *fake_device_new_on(int device, size_t bytes);
void fake_device_write(void *to, const void *from, size_t bytes);
void fake_device_read(void *to, const void *from, size_t bytes);
void fake_device_free(void *memory);
/* Pinned memory of the test's own. */
void *fake_pinned_new(size_t bytes);
void fake_pinned_free(void *memory);

/* A stream of the test's own, in which memory is about to be written. */
CUstream fake_stream_new(void);
CUstream fake_stream_new_on(int device);
void fake_stream_write(CUstream stream, void *to, const void *from, size_t bytes);
void fake_stream_free(CUstream stream);

#endif
