/* How the columns of a job get to the device and back.
 *
 * A column in device memory is used where it is. Pinned rows that follow each other are copied from and to where they
 * are. All others are packed into pinned staging, and results are scattered from there; so are widths and
 * offsets, and statuses always. */
#ifndef GECC_BACKEND_CUDA_DEVICE_ROUTES_H
#define GECC_BACKEND_CUDA_DEVICE_ROUTES_H

#include "backend/cuda/device/device.h"

enum route {
    ROUTE_NONE,   /* the column is left out */
    ROUTE_DEVICE, /* used in place */
    ROUTE_DIRECT, /* copied as it is */
    ROUTE_STAGED
};

struct input {
    enum route route;
    bool widths_on_device, offsets_on_device; /* ROUTE_DEVICE */
    bool widths_staged, offsets_staged;       /* they travel with the staged columns */
    size_t copied;                            /* bytes of a row that travel, at most: wider rows are refused unread */
};

struct output {
    enum route route;
    bool widths_on_device;
    bool widths_staged; /* likewise; those of plain rows follow from the statuses, on the host */
    bool plain;         /* rows that have a result have one width */
};

/* Makes numbers of keys as rows are packed, of a job on such numbers whose first column is in host memory. That column
 * says where each row's key lies, and its width is a number's. Rows whose number is none stay NOT_PROCESSED. */
struct packer {
    /* Rows first .. end - 1 of `part`, which is the job or a part of it, to `to`. Several threads call it at once. */
    void (*pack)(const struct packer *packer, const struct job *part, size_t first, size_t end, uint8_t *to);
};

struct routes {
    const struct job *job;
    const struct packer *packer; /* NULL: none */
    struct input in[JOB_INPUTS];
    struct output out[JOB_OUTPUTS];
    bool status_on_device;
    bool any_on_device; /* of all the caller's memory */
    bool varies;        /* rows of a staged column have widths of their own */
    size_t in_row;      /* staged bytes of a row, varying widths left out */
    size_t out_row;
};

/* Is it one row that serves for all? */
static inline bool is_one_row(const gecc_rows *rows) {
    return rows->stride == 0 && rows->widths == NULL && rows->offsets == NULL;
}

/* Where row i of a column starts. */
static inline const uint8_t *row_start(const gecc_rows *rows, size_t i) {
    return (const uint8_t *)rows->data + (rows->offsets != NULL ? (size_t)rows->offsets[i] : i * rows->stride);
}
static inline uint8_t *out_start(const gecc_out *out, size_t i) { return (uint8_t *)out->data + i * out->stride; }

/* Is the address in device memory of this process? */
bool gecc_routes_on_device(const struct device *device, const void *address);

/* The number of the device that the driver has the address from. Returns whether it knows. */
bool gecc_routes_device_of(const struct driver *driver, const void *address, int *number);

/* Choose the routes; the device's context is entered. GECC_ERROR_ARGUMENT: memory or a stream of another device, or
 * widths or offsets in device memory of rows that are not. packer: NULL, or what makes the rows of in[0]. */
gecc_result gecc_routes_open(struct routes *routes, const struct device *device, const struct job *job,
                             const struct packer *packer);

#endif
