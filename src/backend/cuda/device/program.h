/* Programs on a device, and their kernels. The device's context is entered. */
#ifndef GECC_BACKEND_CUDA_DEVICE_PROGRAM_H
#define GECC_BACKEND_CUDA_DEVICE_PROGRAM_H

#include "backend/cuda/device/device.h"

/* Put the image on the device, unless it is there. GECC_ERROR_UNSUPPORTED: it is not for this device, or not for this
 * library. The caller holds `loading`, or nobody else has the device. */
gecc_result gecc_program_load(struct device *device, struct program *program);
void gecc_program_unload(struct device *device, struct program *program);

/* The program and kernel of a job, loaded if need be; NULL where the images have none. */
gecc_result gecc_program_find(struct device *device, const struct job *job, struct program **program,
                              const struct kernel **kernel);

/* The kernel of a pass that makes tables of keys. GECC_ERROR_UNSUPPORTED: the program has none. */
gecc_result gecc_program_key_pass(struct device *device, struct program *program, enum key_pass pass,
                                  const struct kernel **kernel);

/* The program's kernel called `name`; its function is NULL where the program has none. */
gecc_result gecc_program_kernel(struct device *device, const struct program *program, const char *name,
                                struct kernel *kernel);

/* Queue a kernel. */
gecc_result gecc_kernel_launch(struct device *device, const struct kernel *kernel, struct launch *launch,
                               CUstream stream);

#endif
